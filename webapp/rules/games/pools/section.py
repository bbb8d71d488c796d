"""Grit, Energy and Resolve's part of a character's card, and what the GM does for the whole table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from webapp.rules.blocks import (
    Block,
    Button,
    Fact,
    Form,
    Gauge,
    Helper,
    Input,
    Menu,
    Place,
    Plight,
    Reach,
    Section,
    Tab,
)
from webapp.rules.document import Character, Duty, Side
from webapp.rules.fighting import Done, own_slot
from webapp.rules.games.pools.book import Drop, Take, book
from webapp.rules.games.pools.care import NO_DICE_FOR, Heal, Rouse, Treat, Wake, needed_to_recover
from webapp.rules.games.pools.house import Aim, House
from webapp.rules.games.pools.hurts import Afflict, Grow, Hurt, Pay
from webapp.rules.games.pools.lasting import Begin, End, PutOut
from webapp.rules.games.pools.picture import anatomy, cascade, notes
from webapp.rules.games.pools.rolls import BEST_FACE, against_dl, hopeless, in_sight, skill_ask, unable
from webapp.rules.games.pools.sheet import CONDUIT, WOUNDED, Attack, Part, Pool, Sheet, Skill, StrikeType
from webapp.rules.games.pools.skills import CallSkill, SkillRoll
from webapp.rules.games.pools.strikes import Strike, hit_chance
from webapp.rules.games.pools.turns import PUSH_DL, Declare, FreeAct, Minor, Priority, Push, in_fight
from webapp.rules.move import Move
from webapp.rules.odds import chance, odds_of
from webapp.rules.offer import lone, offer
from webapp.rules.roll import Wins
from webapp.rules.scene import State
from webapp.rules.text import Text, Who, text

TITLE = text("Grit, Energy and Resolve")
DLS = ((3, text("Easy 3")), (6, text("Fair 6")), (9, text("Hard 9")), (12, text("Very hard 12")))
NIGHT = 8
BEST_DEFENCE = text("what the best defence rolls")
HEAVY = text("Armour too heavy to recover in")


# --- what is read ------------------------------------------------------------------------------------------


def section(state: State, character: Character, sheet: Sheet) -> Section:
    return Section(
        title=TITLE,
        vitals=tuple(_vitals(character, sheet)),
        blocks=(cascade(sheet), *notes(state, sheet), anatomy(state, sheet), *_facts(sheet)),
        plight=_plight(state, character, sheet),
    )


def _plight(state: State, character: Character, sheet: Sheet) -> Plight | None:
    """What goes on, or unconsciousness, and who of the own side could end it."""
    others = [one.id for one in state.characters(character.side) if one.id != character.id]
    sheets = [(who, found) for who in others if (found := state.find(Sheet, who)) is not None and found.conscious]
    if sheet.lasting:
        names = ", ".join(harm.name for harm in sheet.lasting.values())
        helpers = tuple(Helper(who=who, how=text("puts it out")) for who, _ in sheets)
        return Plight(words=text("{harms} goes on each round", harms=names), helpers=helpers)
    if sheet.conscious:
        return None
    helpers = tuple(Helper(who=who, how=text("wakes")) for who, _ in sheets if sheet.grit.now)
    words = "Unconscious, until woken" if sheet.grit.now else "Unconscious, and no Grit to wake with"
    return Plight(words=text(words), helpers=helpers)


def _vitals(character: Character, sheet: Sheet) -> Iterator[Gauge]:
    hero = character.side is Side.HERO
    for pool in Pool:
        open_to = Reach.TABLE if hero and pool is Pool.GRIT else Reach.OWNER
        yield Gauge(
            key=f"pools.{pool.value}",
            label=text(pool.value.capitalize()),
            now=sheet.pool(pool).now,
            full=sheet.pool(pool).full,
            at=("pools", pool.value, "now"),
            reach=open_to,
        )


def _facts(sheet: Sheet) -> Iterator[Fact]:
    yield _fact("skills", text("Skills"), _list(f"{skill.value.capitalize()} {sheet.tier(skill)}" for skill in Skill))
    for key, attack in sheet.attacks.items():
        yield _fact(f"attack.{key}", text("{name}", name=attack.name), _attack(attack))
    yield _fact("threshold", text("Severe Threshold"), text("{number}", number=sheet.threshold))
    if sheet.size != 1:
        yield _fact("size", text("Size"), text("{size}", size=sheet.size))
    for key, one in sheet.reductions.items():
        value = text("{amount} against {kind}", amount=one.amount, kind=one.against)
        yield _fact(f"reduction.{key}", text("{name}", name=one.name), value)
    for name, kinds in (("immune", sheet.immune), ("vulnerable", sheet.vulnerable)):
        if kinds:
            yield _fact(name, text(name.capitalize()), _list(kinds))
    used = text("{used} today", used=sheet.recoveries)
    if needed_to_recover(sheet) > BEST_FACE:
        used = HEAVY
    elif sheet.bulk:
        used = text("{used} today, a face of {needed} heals", used=sheet.recoveries, needed=needed_to_recover(sheet))
    yield _fact("recoveries", text("Recoveries"), used)


def _attack(attack: Attack) -> Text:
    types = " or ".join(" and ".join(StrikeType(one).word for one in mode) for mode in attack.modes if mode)
    kinds = ", ".join(kind for kind in (attack.element, attack.subtype) if kind)
    more = "".join(f" · {word}" for word in (types, kinds) if word)
    lasting = f" · {attack.lasting} go on" if attack.lasting else ""
    onto = "" if attack.onto == Pool.GRIT else f" to {attack.onto}"
    return text(
        "{skill} · {damage} dice{onto}{more}{lasting}",
        skill=attack.skill.value.capitalize(),
        damage=attack.damage,
        onto=onto,
        more=more,
        lasting=lasting,
    )


def _list(words: Any) -> Text:
    return text("{list}", list=", ".join(words) or "none")


def _fact(key: str, label: Text, value: Text, *, place: Place = Place.SHEET) -> Fact:
    return Fact(key=f"pools.{key}", label=label, value=value, place=place, reach=Reach.OWNER)


# --- what can be done --------------------------------------------------------------------------------------


def acts(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    yield from _turn(state, character, sheet)
    yield from _out_of_it(state, character, sheet)
    yield from _help(state, character, sheet)
    yield from _skills(state, character, sheet)
    yield from _costs(state, character, sheet)
    yield from _heals(state, character)
    yield from _gear(state, character, sheet)
    yield from _for_the_gm(state, character, sheet)


def _turn(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    """Strikes are offered to whoever is up; outside a fight to everybody, folded away."""
    fight = state.fight()
    priority = Priority(actor=character.id)
    if priority.refusal(state) is None:
        ask = priority.ask(state)
        label = text("Roll Priority: {dice} with Zeal", dice=f"{len(ask.dice)}d12")
        yield _lone("priority", text("Priority"), _first(state, priority, label))
    fighting = fight is not None and character.id in fight.members
    slot = own_slot(state, character.id)
    if fighting and slot is None:
        return
    if sheet.conscious and sheet.attacks:
        place = Place.FIGHT if fighting else Place.MORE
        tabs = tuple(_strikes(state, character, sheet, None if slot is None else slot.id))
        yield Menu(
            key="pools.strike",
            duty=Duty.BLOWS,
            label=text("Strike to hit"),
            place=place,
            switch=text("Stay hidden") if character.hidden else None,
            picks=tuple(_parts()),
            picks_label=_aiming(state),
            tabs=tabs,
        )
        yield from _fallen(state, character, sheet, Place.MORE)
    if slot is not None:
        done = offer(state, Done(actor=character.id, slot=slot.id), text("Done"))
        yield _lone("done", text("Or"), *_minors(state, character, sheet), done, duty=Duty.ORDER)


def _minors(state: State, character: Character, sheet: Sheet) -> Iterator[Button]:
    """Those that are left; without Resolve the only one is to push on, which has its own place."""
    if not sheet.without_resolve:
        left = max(0, sheet.minor_actions - sheet.minors)
        yield offer(state, Minor(actor=character.id), text("Minor Action, {left} left", left=left))


def _strikes(state: State, character: Character, sheet: Sheet, slot: str | None) -> Iterator[Tab]:
    for key, attack in sheet.attacks.items():
        for mode, letters in enumerate(attack.modes):
            types = "".join(f" · {StrikeType(letter).word}" for letter in letters)
            label = text("{name} {dice}d12{types}", name=attack.name, dice=attack.damage, types=types)
            strikes = (
                Strike(actor=character.id, attack=key, mode=mode, target=target, slot=slot)
                for target in _targets(state, character)
            )
            buttons = tuple(_strike_of(state, character, strike) for strike in strikes)
            yield Tab(key=f"{key} {letters}", label=label, buttons=buttons)


def _targets(state: State, character: Character) -> Iterator[str]:
    for other in _others(state, character):
        if other.side is not character.side and state.sheet(Sheet, other.id).conscious:
            yield other.id


def _aiming(state: State) -> Text:
    match state.house(House).aim:
        case Aim.GM_LEAVE:
            return text("Aim, if the GM lets you")
        case Aim.MINUS_2:
            return text("Aim, at −2 on the attack")
    return text("Aim")


def _strike_of(state: State, character: Character, strike: Strike) -> Button:
    button = _aimable(state, strike, text("{who}", who=Who(who=strike.target)))
    if not character.hidden:
        return button
    unseen = _aimable(state, strike.model_copy(update={"stay_hidden": True}), button.label)
    return button.model_copy(update={"switched": unseen})


def _aimable(state: State, strike: Strike, label: Text) -> Button:
    """The strike, and what it is with each part picked: the chance is the same for all of them."""
    plain = _strike(state, strike, label)
    has = state.sheet(Sheet, strike.target).parts
    dearer = state.house(House).aim is Aim.MINUS_2
    aimed = _strike(state, strike.model_copy(update={"part": has[0]}), label) if dearer else plain
    missing = text("{who} has no such part.", who=Who(who=strike.target))
    picked = {
        part.value: aimed.model_copy(
            update={
                "move": {**aimed.move, "part": part.value},
                "why_not": aimed.why_not if part in has else missing,
                "chance": aimed.chance if part in has else None,
            }
        )
        for part in Part
    }
    return plain.model_copy(update={"picked": picked})


def _strike(state: State, strike: Strike, label: Text) -> Button:
    """With its chance to hit, against the best defence of the one who is struck at."""
    button = offer(state, strike, label)
    if button.why_not is not None:
        return button
    ask = strike.ask(state)
    best = ask.model_copy(update={"against": BEST_DEFENCE, "wins": Wins.AT_LEAST})
    odds: dict[str, Any] = {"chance": hit_chance(state, strike), "about": strike.target, "pool": ask.pool}
    return button.model_copy(update={**odds, "because": best})


def _fallen(state: State, character: Character, sheet: Sheet, place: Place) -> Iterator[Block]:
    """Those who are down can be struck at as well, but nobody does so by mistake."""
    down = [
        other.id
        for other in _others(state, character)
        if other.side is not character.side and not state.sheet(Sheet, other.id).conscious
    ]
    buttons = tuple(
        _strike(
            state,
            Strike(actor=character.id, attack=key, mode=mode, target=target),
            text("{who}, {attack}", who=Who(who=target), attack=attack.name),
        )
        for target in down
        for key, attack in sheet.attacks.items()
        for mode in range(len(attack.modes))
    )
    if buttons:
        yield _lone("fallen", text("Strike at somebody who is down"), *buttons, place=place, duty=Duty.BLOWS)


def _out_of_it(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    """No Resolve, or unconscious: the way back, and the GM's way out where no face can do it."""
    push = Push(actor=character.id)
    if sheet.conscious and sheet.without_resolve:
        left = max(0, sheet.minor_actions - sheet.minors)
        label = text("Zeal, DL {dl}: a Minor Action, {left} left", dl=PUSH_DL, left=left)
        button = _first(state, push, label if in_fight(state, character.id) else text("Zeal, DL {dl}", dl=PUSH_DL))
        yield _lone("push", text("Push on"), button.model_copy(update=odds_of(push.ask(state), about=None)))
        free = FreeAct(character=character.id)
        if hopeless(push.ask(state)) is not None:
            yield _lone("free", text("No face can reach it"), offer(state, free, text("It works")), reach=Reach.GM)
    if not sheet.conscious:
        rouse = offer(state, Rouse(character=character.id), text("Comes to"))
        yield _lone("rouse", text("Unconscious"), rouse, reach=Reach.GM)


def _help(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    if not sheet.conscious or (in_fight(state, character.id) and own_slot(state, character.id) is None):
        return
    wakes, treats, outs = [], [], []
    for other in _others(state, character, too=True):
        patient, name = state.sheet(Sheet, other.id), Who(who=other.id)
        if other.side is character.side and not patient.conscious and patient.grit.now:
            wakes.append(offer(state, Wake(actor=character.id, patient=other.id), text("{who}", who=name)))
        if other.side is character.side:
            for part, tiers in patient.wounds.items():
                if tiers:
                    treat = Treat(actor=character.id, patient=other.id, part=part)
                    treats.append(
                        _treat(state, treat, text("{who}: {part} {tiers}", who=name, part=part.value, tiers=tiers))
                    )
            if patient.tiers(CONDUIT):
                treats.append(
                    _treat(state, Treat(actor=character.id, patient=other.id), text("{who}: conduit", who=name))
                )
            for id, harm in patient.lasting.items():
                put_out = PutOut(actor=character.id, patient=other.id, harm=id)
                outs.append(offer(state, put_out, text("{who}: {harm}", who=name, harm=harm.name)))
    place = Place.FIGHT if in_fight(state, character.id) else Place.SHEET
    for key, label, buttons in (
        ("wake", text("Wake"), wakes),
        ("treat", text("Treat"), treats),
        ("put_out", text("Put it out"), outs),
    ):
        if buttons:
            yield _lone(key, label, *buttons, place=place, duty=Duty.BLOWS)


def _treat(state: State, treat: Treat, label: Text) -> Button:
    return offer(state, treat, label).model_copy(update=odds_of(treat.ask(state), about=None))


def _skills(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    stopped = unable(state, character.id)
    tabs = tuple(
        Tab(
            key=skill.value,
            label=text("{skill} {tier}", skill=skill.value.capitalize(), tier=sheet.tier(skill)),
            buttons=tuple(_skill(state, character, skill, stopped)),
        )
        for skill in Skill
    )
    yield Menu(key="pools.skill", duty=Duty.TESTS, label=text("Roll a skill"), place=Place.DICE, tabs=tabs)
    yield Form(
        key="pools.skill.any",
        duty=Duty.TESTS,
        label=text("Another roll"),
        move={"move": SkillRoll.kind(), "actor": character.id},
        fields=(
            _choice("skill", text("Skill"), _words(Skill)),
            _number("dl", text("DL"), 6, 1, 60),
            _number("bonus", text("Bonus"), 0, -30, 30),
            Input(name="type_used", label=text("Type used"), kind="text", value="", longest=24),
            _choice("uses", text("Part used"), (("", text("None")), *_parts())),
        ),
        button=text("Roll"),
        why_not=SkillRoll(actor=character.id, skill=next(iter(Skill)), dl=6).refusal(state),
        place=Place.DICE,
    )


def _skill(state: State, character: Character, skill: Skill, stopped: Text | None) -> Iterator[Button]:
    """One roll at four DLs."""
    plain = skill_ask(state, character.id, skill, acting=True)
    for dl, label in DLS:
        ask = against_dl(state, plain, dl)
        move = {"move": SkillRoll.kind(), "actor": character.id, "skill": skill.value, "dl": dl}
        yield Button(label=label, move=move, chance=chance(ask), because=ask, why_not=stopped or hopeless(ask))


def _costs(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    yield Form(
        key="pools.pay",
        duty=Duty.BLOWS,
        label=text("Pay a cost"),
        move={"move": Pay.kind(), "actor": character.id},
        fields=(_choice("pool", text("From"), _words(Pool), "energy"), _number("amount", text("How much"), 1, 1, 99)),
        button=text("Pay"),
    )
    yield Form(
        key="pools.declare",
        duty=Duty.BLOWS,
        label=text("Declare, then act"),
        move={"move": Declare.kind(), "actor": character.id},
        fields=(Input(name="action", label=text("What you begin"), kind="text", value="", longest=60),),
        button=text("Begin"),
        why_not=Declare(actor=character.id, action="anything").refusal(state),
        place=Place.MORE,
    )
    if sheet.declared:
        given_up = offer(state, Declare(actor=character.id), text("Give it up"))
        yield _lone("declared", text("Under way"), given_up)


def _heals(state: State, character: Character) -> Iterator[Block]:
    patients = tuple(
        _switch("patients[]", one, on=one.id == character.id)
        for one in _others(state, character, too=True)
        if one.side is character.side
    )
    ill = [state.sheet(Sheet, one.id) for one in _others(state, character, too=True) if one.side is character.side]
    names = dict.fromkeys(name for sheet in ill for name, tiers in sheet.afflictions.items() if tiers)
    ailing = [(name, text("{name}", name=name.capitalize())) for name in names if name not in NO_DICE_FOR]
    where: tuple[Input, ...] = ()
    if any(any(sheet.wounds.values()) for sheet in ill):
        ailing.append((WOUNDED, text(WOUNDED.capitalize())))
        where = (_choice("part", text("Part, of a wound"), (("", text("The worst")), *_parts())),)
    yield Form(
        key="pools.heal",
        label=text("Heal"),
        move={"move": Heal.kind(), "actor": character.id},
        fields=(
            _number("dice", text("Dice"), 3, 0, 30),
            _choice("pool", text("What"), (*_words(Pool), *ailing)),
            *where,
            Input(name="kinds[]", label=text("Type"), kind="text", value="", longest=24),
            *patients,
        ),
        button=text("Heal"),
        why_not=Heal(actor=character.id, dice=1, patients=(character.id,)).refusal(state),
        place=Place.MORE,
    )


def _gear(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    for what, label in (("attack", text("Take a weapon")), ("armour", text("Put on armour"))):
        held = sheet.attacks if what == "attack" else sheet.reductions
        free = {key: one["name"] for key, one in book("gear")[what].items() if key not in held}
        options = tuple((key, text("{name}", name=name)) for key, name in free.items()) or (("", text("Nothing")),)
        yield Form(
            key=f"pools.take.{what}",
            label=label,
            move={"move": Take.kind(), "actor": character.id, "what": what},
            fields=(_choice("id", text("Which"), options),),
            button=text("Take it"),
            why_not=_no_room(state, character, what, next(iter(free), None)),
            place=Place.MORE,
        )
    drops = [
        *((Drop(actor=character.id, what="attack", id=key), one.name) for key, one in sheet.attacks.items()),
        *((Drop(actor=character.id, what="armour", id=key), one.name) for key, one in sheet.reductions.items()),
    ]
    if drops:
        buttons = (offer(state, drop, text("{name}", name=name)) for drop, name in drops)
        yield _lone("drop", text("Put away"), *buttons, place=Place.MORE)
    yield Form(
        key="pools.grow",
        label=text("Immune or vulnerable"),
        move={"move": Grow.kind(), "actor": character.id},
        fields=(
            _choice("what", text("What"), (("immune", text("Immune")), ("vulnerable", text("Vulnerable")))),
            Input(name="kind_of", label=text("To what"), kind="text", value="", longest=24),
            Input(name="away", label=text("No more"), kind="switch", value=False),
        ),
        button=text("Set it"),
        place=Place.MORE,
    )


def _no_room(state: State, character: Character, what: Any, first: str | None) -> Text | None:
    if first is None:
        return text("All of the book is on the sheet already.")
    return Take(actor=character.id, what=what, id=first).refusal(state)


def _for_the_gm(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    yield Form(
        key="pools.hurt",
        duty=Duty.BLOWS,
        label=text("Hurt"),
        move={"move": Hurt.kind(), "targets": [character.id]},
        fields=(*_harm_fields(), _choice("part", text("Part"), (("", text("Rolled")), *_parts(sheet)))),
        button=text("Roll damage"),
        reach=Reach.GM,
    )
    yield Form(
        key="pools.begin",
        duty=Duty.BLOWS,
        label=text("Harm that goes on"),
        move={"move": Begin.kind(), "target": character.id},
        fields=(
            Input(name="name", label=text("What"), kind="text", value="Burning", longest=40),
            *_harm_fields(),
            _choice("part", text("Part"), (("", text("Rolled")), *_parts(sheet))),
        ),
        button=text("Begin"),
        reach=Reach.GM,
    )
    if sheet.lasting:
        ends = (
            offer(state, End(character=character.id, harm=id), text("{harm}", harm=harm.name))
            for id, harm in sheet.lasting.items()
        )
        yield _lone("end", text("It is over"), *ends, place=Place.SHEET, reach=Reach.GM)
    yield Form(
        key="pools.afflict",
        duty=Duty.BLOWS,
        label=text("Affliction"),
        move={"move": Afflict.kind(), "target": character.id},
        fields=(
            Input(name="name", label=text("Which"), kind="text", value="fatigued", longest=24),
            _number("tiers", text("Tiers, minus takes"), 1, -99, 99),
            _choice("part", text("Part, of a wound"), (("", text("None")), *_parts(sheet))),
        ),
        button=text("Give"),
        reach=Reach.GM,
    )


def _harm_fields() -> tuple[Input, ...]:
    return (
        _number("dice", text("Dice"), 3, 0, 30),
        Input(name="onto", label=text("Pool or affliction"), kind="text", value="grit", longest=24),
        Input(name="kinds[]", label=text("Type"), kind="text", value="", longest=24),
        *(
            Input(name="strikes[]", label=text(one.word), kind="switch", value=one.value, checked=False)
            for one in StrikeType
        ),
    )


# --- what the GM does for the whole table ------------------------------------------------------------------


def gm_blocks(state: State) -> Iterator[Block]:
    heroes = [one for one in state.characters(Side.HERO) if state.find(Sheet, one.id) is not None]
    yield Form(
        key="pools.call",
        duty=Duty.TESTS,
        label=text("Ask the table for a skill"),
        move={"move": CallSkill.kind()},
        asks=True,
        fields=(
            _choice("skill", text("Skill"), _words(Skill)),
            _number("dl", text("DL"), 6, 1, 60),
            *(_switch("heroes[]", one) for one in heroes),
            Input(name="secret", label=text("In secret"), kind="switch", value=False),
        ),
        button=text("Ask"),
        reach=Reach.GM,
    )


# --- small things ------------------------------------------------------------------------------------------


def _others(state: State, character: Character, *, too: bool = False) -> Iterator[Character]:
    """Everybody with a sheet that this one knows of; `too`: itself among them."""
    for other in state.characters():
        if state.find(Sheet, other.id) is None or (other.id == character.id and not too):
            continue
        if in_sight(state, other.id, of=character.id):
            yield other


def _words(kinds: Any) -> tuple[tuple[str, Text], ...]:
    return tuple((one.value, text(one.value.capitalize())) for one in kinds)


def _parts(sheet: Sheet | None = None) -> tuple[tuple[str, Text], ...]:
    return _words(Part if sheet is None else sheet.parts)


def _choice(name: str, label: Text, options: tuple[tuple[str, Text], ...], value: str | None = None) -> Input:
    first = options[0][0] if options else ""
    return Input(name=name, label=label, kind="choice", value=first if value is None else value, options=options)


def _number(name: str, label: Text, value: int, lowest: int, highest: int) -> Input:
    return Input(name=name, label=label, kind="number", value=value, lowest=lowest, highest=highest)


def _switch(name: str, one: Character, *, on: bool = True) -> Input:
    return Input(name=name, label=text("{who}", who=Who(who=one.id)), kind="switch", value=one.id, checked=on)


def _first(state: State, move: Move, label: Text) -> Button:
    """What this person is to do now, above all."""
    return offer(state, move, label).model_copy(update={"first": True})


def _lone(key: str, label: Text, *buttons: Button, **more: Any) -> Menu:
    return lone(f"pools.{key}", label, *buttons, **more)
