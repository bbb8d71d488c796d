"""Willpower's part of a character's card, what can be done with it, and what the GM does for the whole table."""

from __future__ import annotations

from collections.abc import Iterator

from webapp.rules.blocks import (
    Block,
    Button,
    Fact,
    Form,
    Gauge,
    Helper,
    Input,
    Menu,
    Note,
    Place,
    Plight,
    Reach,
    Section,
    Tab,
)
from webapp.rules.calls import is_called
from webapp.rules.document import Character, Duty, Side
from webapp.rules.fighting import Done, own_slot
from webapp.rules.games.willpower.blows import Attack, FoeAttacks
from webapp.rules.games.willpower.care import HelpUp, PickUp, SetState, Tend
from webapp.rules.games.willpower.content import book
from webapp.rules.games.willpower.fear import FaceIt, knows_fear
from webapp.rules.games.willpower.foes import FoesAct, suggested
from webapp.rules.games.willpower.gear import Drop, Take
from webapp.rules.games.willpower.house import Effect, House
from webapp.rules.games.willpower.nerve import willpower
from webapp.rules.games.willpower.rolls import GAME, Edge, in_sight, own_fight
from webapp.rules.games.willpower.sheet import HANDS, Attribute, Condition, Sheet, Weapon
from webapp.rules.games.willpower.sheet import State as Hampered
from webapp.rules.games.willpower.spells import Cast
from webapp.rules.games.willpower.tasks import CallTest, Test
from webapp.rules.games.willpower.turns import ATTACK, Act, GrantAction, Initiative
from webapp.rules.odds import chance, odds_of
from webapp.rules.offer import lone, offer
from webapp.rules.scene import State
from webapp.rules.text import Text, Who, text

TITLE = text("Willpower")
ANY_OTHER = text("Something else")
AT_DISADVANTAGE = text("At disadvantage")
ROLLED_WITH = text("Rolled with")
STAY_HIDDEN = text("Stay hidden")
WORDS = {
    Hampered.BLEEDING: "1 damage at the start of each turn until tended",
    Hampered.ENTANGLED: "others attack with advantage, own defence at disadvantage, until the end of the next turn",
    Hampered.PINNED: "no move until the end of the next turn",
    Hampered.SHAKEN: "all tests at disadvantage until the end of the next turn",
    Hampered.FROZEN: "no actions next turn",
    Hampered.BOLTING: "both actions of the next turn are moves away",
    Hampered.LASHING: "next turn an attack on the nearest creature first, friend or foe",
    Hampered.NO_SPELLS: "can't cast until a long rest",
}
BRINGS = {
    Effect.BUTCHER: "Willpower on top",
    Effect.DISARM: "drops what it holds",
    Effect.WHIRLWIND: "and all close to you",
    Effect.VICIOUS: "bleeds",
    Effect.ENTANGLE: "no damage; easy to hit",
    Effect.PIN_DOWN: "can't move",
}
OF_NERVES = (Hampered.SHAKEN, Hampered.FROZEN, Hampered.BOLTING, Hampered.LASHING)
ICONS = {
    Hampered.BLEEDING: "surprised",
    Hampered.ENTANGLED: "held",
    Hampered.PINNED: "held",
    Hampered.SHAKEN: "scared",
    Hampered.FROZEN: "panicked",
    Hampered.BOLTING: "panicked",
    Hampered.LASHING: "panicked",
    Hampered.NO_SPELLS: "missed",
}


# --- what is read ------------------------------------------------------------------------------------------


def section(state: State, character: Character, sheet: Sheet) -> Section:
    return Section(
        title=TITLE,
        vitals=tuple(_vitals(character, sheet)),
        blocks=(*_states(state, character, sheet), *_facts(character, sheet)),
        plight=_plight(state, character, sheet),
    )


def _plight(state: State, character: Character, sheet: Sheet) -> Plight | None:
    """Out, or bleeding: who of the own side could help."""
    others = [one.id for one in state.characters(character.side) if one.id != character.id]
    able = [who for who in others if (found := state.find(Sheet, who)) is not None and found.can_act]
    if sheet.condition is Condition.OUT:
        words, how = text("Dies with the scene, unless helped up"), text("helps up")
    elif Hampered.BLEEDING in sheet.states and sheet.condition is Condition.FIT:
        words, how = text("Bleeds 1 HP each turn, until tended"), text("tends")
    else:
        return None
    return Plight(words=words, helpers=tuple(Helper(who=who, how=how) for who in able))


def _vitals(character: Character, sheet: Sheet) -> Iterator[Gauge]:
    hero = character.side is Side.HERO
    yield Gauge(
        key="willpower.hp",
        label=text("HP"),
        now=sheet.hp.now,
        full=sheet.hp.full,
        at=("willpower", "hp", "now"),
        reach=Reach.TABLE if hero else Reach.OWNER,
    )
    if sheet.damage is None:
        yield Gauge(key="willpower.die", label=text("Willpower"), now=sheet.willpower, die=True)


def _states(state: State, character: Character, sheet: Sheet) -> Iterator[Note]:
    """What a called test has done to somebody is known to its owner and the GM until the results turn over."""
    if sheet.condition is not Condition.FIT:
        words = {
            Condition.OUT: "Out: dies with the scene unless helped",
            Condition.HELPED: "Out, but helped: up again after the scene",
            Condition.DEAD: "Dead",
        }
        yield Note(key="willpower.down", icon="skull", words=text(words[sheet.condition]))
    called = is_called(state, character.id)
    for one in sheet.states:
        told = text("{state}: {does}", state=one.value.capitalize(), does=WORDS[one])
        reach = Reach.OWNER if called and one in OF_NERVES else Reach.TABLE
        yield Note(key=f"willpower.{one.name}", icon=ICONS[one], words=told, brief=text(one.value), reach=reach)
    lies = [weapon.name for weapon in sheet.weapons.values() if weapon.dropped]
    if lies or sheet.disarmed:
        lying = text("Disarmed: {lies} lies close by", lies=", ".join(lies) or "the weapon")
        yield Note(key="willpower.disarmed", icon="broken", words=lying, brief=text("disarmed"))


def _facts(character: Character, sheet: Sheet) -> Iterator[Fact]:
    if sheet.damage is not None:
        yield from _of_a_foe(sheet)
        return
    for attribute in Attribute:
        if attribute is Attribute.SHOOTING:
            yield _fact("level", text("Level"), text("{level}", level=sheet.level))
        score = text("{score}", score=sheet.score(attribute))
        yield _fact(attribute.value, text(attribute.value.capitalize()), score)
    worn = text("{protection}{shield}", protection=sheet.protection, shield=" and a shield" if sheet.shield else "")
    yield _fact("protection", text("Protection"), worn)
    for id, weapon in sheet.weapons.items():
        yield _fact(f"weapon.{id}", text("{name}", name=weapon.name), _weapon(weapon, held=id == sheet.in_hand))
    for id, spell in sheet.spells.items():
        yield _fact(f"spell.{id}", text("{name}", name=spell.name), text("{line}", line=spell.line or "A spell"))
    if sheet.spells:
        yield _fact("today", text("Spells cast today"), text("{count}", count=sheet.cast_today))
    if sheet.marks:
        yield _fact("marks", text("Marks of Chaos"), text("{marks}", marks=sheet.marks))


def _of_a_foe(sheet: Sheet) -> Iterator[Fact]:
    afar = "from afar" if sheet.ranged else "close"
    yield _fact("level", text("Level"), text("{level}", level=sheet.level))
    yield _fact("damage", text("Damage"), text("{damage}, {afar}", damage=sheet.strikes_for, afar=afar))
    yield _fact("protection", text("Protection"), text("{protection}", protection=sheet.protection))
    if sheet.fearsome:
        yield _fact("fearsome", text("Fearsome"), text("Guts to face it"))


def _weapon(weapon: Weapon, *, held: bool) -> Text:
    where = " · on the ground" if weapon.dropped else " · in hand" if held else ""
    kind = "ranged" if weapon.ranged else "melee"
    return text("{kind} d{die}{where}", kind=kind, die=weapon.die, where=where)


def _fact(key: str, label: Text, value: Text, *, place: Place = Place.SHEET) -> Fact:
    return Fact(key=f"willpower.{key}", label=label, value=value, reach=Reach.OWNER, place=place)


# --- what can be done --------------------------------------------------------------------------------------


def acts(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    yield _hampering(state, character, sheet)
    if sheet.damage is not None:
        yield from _foe(state, character, sheet)
        return
    yield from _turn(state, character, sheet)
    yield from _blows(state, character, sheet)
    yield from _casting(state, character, sheet)
    yield from _helping(state, character, sheet)
    if _is_up(state, character):
        yield from _effects(state, character, sheet)
        yield from _doing(state, character, sheet)
        yield from _any_attack(state, character, sheet)
    yield from _leave(state, character)
    yield from _tests(state, character, sheet)
    yield from _gear(state, character, sheet)


def _hampering(state: State, character: Character, sheet: Sheet) -> Menu:
    """What the GM may put on somebody or take off."""
    toggles = (
        offer(
            state, SetState(character=character.id, state=one, on=not here), text(one.value.capitalize())
        ).model_copy(update={"on": here})
        for one in Hampered
        for here in (one in sheet.states,)
    )
    return lone("willpower.states", text("Hampered by"), *toggles, place=Place.MORE, reach=Reach.GM)


def _foe(state: State, character: Character, sheet: Sheet) -> Iterator[Menu]:
    targets = tuple(
        _strike(state, FoeAttacks(foe=character.id, target=other.id), character, _named(other))
        for other in state.characters(Side.HERO)
        if (found := state.find(Sheet, other.id)) is not None and found.damage is None and found.hp.now
    )
    if targets:
        yield lone(
            "willpower.strike",
            text("Attack"),
            *targets,
            switch=STAY_HIDDEN if character.hidden else None,
            reach=Reach.GM,
            duty=Duty.BLOWS,
        )
    if sheet.disarmed:
        pick = offer(state, PickUp(actor=character.id), text("Pick the weapon up"))
        yield lone("willpower.pick_up", text("On the ground"), pick, reach=Reach.GM)


def _strike(state: State, move: FoeAttacks, foe: Character, label: Text) -> Button:
    button = offer(state, move, label)
    if not foe.hidden:
        return button
    unseen = move.model_copy(update={"stay_hidden": True})
    return button.model_copy(update={"switched": offer(state, unseen, label)})


def _is_up(state: State, character: Character) -> bool:
    """May this one act now? Where no turns are taken, everybody may."""
    return own_fight(state, character.id) is None or own_slot(state, character.id) is not None


def _turn(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    """What the fight wants of a hero: initiative, or the actions of this turn; and what hampers them."""
    fight = own_fight(state, character.id)
    if fight is None:
        return
    roll = Initiative(actor=character.id)
    if roll.refusal(state) is None:
        label = text("Initiative: a success acts before the enemy")
        yield lone("willpower.initiative", label, _rolled(state, roll, text("Roll Guts")))
    elif _is_up(state, character):
        left = text("{left} of {all}", left=max(0, sheet.actions - len(sheet.acts)), all=sheet.actions)
        because = text("This turn has {all} actions; {done} done.", all=sheet.actions, done=len(sheet.acts))
        yield _fact("actions", text("Actions left"), left, place=Place.FIGHT).model_copy(update={"because": because})
    for one in sheet.states:
        does = text("{does}", does=WORDS[one])
        yield _fact(f"fight.{one.name}", text(one.value.capitalize()), does, place=Place.FIGHT)


def _doing(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    """All that is neither a blow nor a spell."""
    if own_fight(state, character.id) is None:
        return
    yield lone("willpower.act", text("Do"), *_doings(state, character, sheet))
    yield Form(
        key="willpower.other",
        label=ANY_OTHER,
        move={"move": Act.kind(), "actor": character.id, "does": "other"},
        fields=(Input(name="name", label=text("What"), kind="text", value="", longest=40),),
        button=text("Do it"),
        why_not=Act(actor=character.id, does="other").refusal(state),
        place=Place.FIGHT,
    )


def _leave(state: State, character: Character) -> Iterator[Menu]:
    grant = offer(state, GrantAction(character=character.id), text("One more action"))
    if grant.why_not is None:
        yield lone("willpower.grant", text("The GM's leave"), grant, reach=Reach.GM)


def _doings(state: State, character: Character, sheet: Sheet) -> Iterator[Button]:
    who = character.id
    yield _risky(state, Act(actor=who, does="move"), text("Move"))
    for id, weapon in (*sheet.weapons.items(), (HANDS, None)):
        if id == sheet.in_hand or (weapon is not None and weapon.dropped):
            continue
        label = text("Draw {name}", name=weapon.name) if weapon is not None else text("Put the weapon away")
        yield _risky(state, Act(actor=who, does="draw", weapon=id), label)
    yield offer(state, Done(actor=who), text("End the turn"))


def _risky(state: State, move: Act, label: Text) -> Button:
    """The same action again shows the chance that the die holds."""
    button = offer(state, move, label)
    if move.act(state) in state.sheet(Sheet, move.actor).acts:
        label = text("{label} again: Willpower", label=label)
        return button.model_copy(update={"label": label, **odds_of(willpower(state, move.actor))})
    return button


def _blows(state: State, character: Character, sheet: Sheet) -> Iterator[Menu]:
    """With what is in hand; where no turns are taken, with whatever is carried."""
    fight = own_fight(state, character.id)
    targets = _targets(state, character, sheet)
    if not targets or (fight is not None and not fight.settled):
        return
    label, because = text("Attack"), None
    if fight is not None and ATTACK in sheet.acts:
        label = text("Attack again: Willpower first, holds {odds} %", odds=_nerve(state, character))
        because = willpower(state, character.id)
    tabs = [_weapon_tab(state, character, id, weapon, targets) for id, weapon in _usable(state, character, sheet)]
    tabs.append(_weapon_tab(state, character, HANDS, None, targets))
    yield Menu(
        key="willpower.attack",
        duty=Duty.BLOWS,
        label=label,
        place=Place.FIGHT,
        switch=AT_DISADVANTAGE,
        tabs=tuple(tabs),
        because=because,
    )


def _effects(state: State, character: Character, sheet: Sheet) -> Iterator[Menu]:
    targets, house = _targets(state, character, sheet), state.house(House)
    tabs = tuple(_effect_tab(state, character, effect, targets) for effect in Effect if house.allows(effect))
    if targets and tabs:
        words = "With an effect: on a hit it works {odds} %, else the die drops"
        label = text(words, odds=_nerve(state, character))
        because = willpower(state, character.id)
        yield Menu(
            key="willpower.effect", duty=Duty.BLOWS, label=label, place=Place.FIGHT, tabs=tabs, because=because
        )


def _nerve(state: State, character: Character) -> int:
    """The chance that the die holds, in per cent."""
    return round(100 * chance(willpower(state, character.id)))


def _any_attack(state: State, character: Character, sheet: Sheet) -> Iterator[Form]:
    """Advantage, or an effect with another weapon: whatever the buttons leave out."""
    targets = tuple((one.id, _named(one)) for one in _targets(state, character, sheet))
    if not targets:
        return
    weapons = [(id, text("{name}", name=one.name)) for id, one in _usable(state, character, sheet)]
    house = state.house(House)
    effects = [(one.value, text(one.label)) for one in Effect if house.allows(one)]
    yield Form(
        key="willpower.attack.any",
        duty=Duty.BLOWS,
        label=text("Another attack"),
        move={"move": Attack.kind(), "actor": character.id},
        fields=(
            _choice("target", text("Target"), targets),
            _choice("weapon", text("With"), (*weapons, (HANDS, text("Bare hands")))),
            _choice("effect", text("Effect"), (("", text("none")), *effects)),
            _choice("edge", ROLLED_WITH, _EDGES),
        ),
        button=text("Attack"),
        why_not=Attack(actor=character.id, target=targets[0][0], weapon=sheet.in_hand).refusal(state),
        place=Place.FIGHT,
    )


def _usable(state: State, character: Character, sheet: Sheet) -> list[tuple[str, Weapon]]:
    """Where turns are taken, all but the weapon in hand must be drawn first."""
    turns = own_fight(state, character.id) is not None
    held = [(id, one) for id, one in sheet.weapons.items() if not one.dropped]
    return [(id, one) for id, one in held if id == sheet.in_hand or not turns]


def _targets(state: State, character: Character, sheet: Sheet) -> list[Character]:
    return [other for other in state.characters() if _may_be_target(state, character, sheet, other)]


def _may_be_target(state: State, character: Character, sheet: Sheet, other: Character) -> bool:
    """Foes, and friends too for whoever lashes out."""
    found = state.find(Sheet, other.id)
    if found is None or found.hp.now == 0 or other.id == character.id:
        return False
    if other.side is character.side and Hampered.LASHING not in sheet.states:
        return False
    return in_sight(state, other.id, of=character.id)


def _weapon_tab(state: State, character: Character, id: str, weapon: Weapon | None, targets: list[Character]) -> Tab:
    name, die = ("Bare hands", 4) if weapon is None else (weapon.name, weapon.die)
    buttons = tuple(
        _attack(state, Attack(actor=character.id, target=other.id, weapon=id), _named(other)) for other in targets
    )
    return Tab(key=id, label=text("{name} d{die}", name=name, die=die), buttons=buttons)


def _effect_tab(state: State, character: Character, effect: Effect, targets: list[Character]) -> Tab:
    note = text(BRINGS[effect])
    buttons = tuple(
        _rolled(state, Attack(actor=character.id, target=other.id, effect=effect), _named(other)).model_copy(
            update={"note": note}
        )
        for other in targets
    )
    return Tab(key=effect.value, label=text(effect.label), buttons=buttons)


def _attack(state: State, move: Attack, label: Text) -> Button:
    worse = move.model_copy(update={"edge": Edge.DISADVANTAGE})
    return _rolled(state, move, label).model_copy(update={"switched": _rolled(state, worse, label)})


def _casting(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    if not sheet.spells:
        return
    buttons = (
        _rolled(state, Cast(actor=character.id, spell=id), text("{name}", name=spell.name))
        for id, spell in sheet.spells.items()
    )
    worse = ", two dice and the lower counts" if sheet.cast_today else ""
    label = text("Cast: the chance that your Willpower holds{worse}", worse=worse)
    place = Place.SHEET if own_fight(state, character.id) is None else Place.FIGHT
    yield lone("willpower.cast", label, *buttons, place=place)


def _helping(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    """A hand for one's own side; for others the GM has the last word."""
    buttons = tuple(
        offer(state, move, label)
        for other in state.characters(character.side)
        if state.find(Sheet, other.id) is not None and in_sight(state, other.id, of=character.id)
        for move, label in (
            (Tend(actor=character.id, patient=other.id), text("Tend {who}", who=Who(who=other.id))),
            (HelpUp(actor=character.id, patient=other.id), text("Help {who} up", who=Who(who=other.id))),
        )
        if move.no_need(state.sheet(Sheet, other.id)) is None
    )
    if buttons:
        yield lone("willpower.help", text("Help"), *buttons)
    if sheet.disarmed or any(weapon.dropped for weapon in sheet.weapons.values()):
        lies = next((one.name for one in sheet.weapons.values() if one.dropped), "the weapon")
        pick = offer(state, PickUp(actor=character.id), text("Pick up {name}", name=lies))
        yield lone("willpower.pick_up", text("On the ground"), pick)


def _tests(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    tabs = tuple(
        Tab(key=edge.value, label=text(words), buttons=tuple(_attributes(state, character, edge)))
        for edge, words in (
            (Edge.NONE, "Plain"),
            (Edge.ADVANTAGE, "Advantage"),
            (Edge.DISADVANTAGE, "Disadvantage"),
        )
    )
    yield Menu(key="willpower.test", duty=Duty.TESTS, label=text("Test"), place=Place.DICE, tabs=tabs)
    foes = [one for one in state.characters(Side.FOE) if in_sight(state, one.id, of=character.id)]
    against = (("", text("nobody")), *((one.id, _named(one)) for one in foes))
    yield Form(
        key="willpower.test.any",
        duty=Duty.TESTS,
        label=text("Another test"),
        move={"move": Test.kind(), "actor": character.id},
        fields=(
            _choice("attribute", text("Attribute"), _ATTRIBUTES),
            _choice("edge", ROLLED_WITH, _EDGES),
            Input(
                name="modifier",
                label=text("Harder by"),
                kind="number",
                value=0,
                lowest=-20,
                highest=20,
                help=text("Below 0: easier."),
            ),
            _choice("against", text("Against"), against),
        ),
        button=text("Roll"),
        place=Place.DICE,
    )


def _attributes(state: State, character: Character, edge: Edge) -> Iterator[Button]:
    for attribute in Attribute:
        move = Test(actor=character.id, attribute=attribute, edge=edge)
        yield _rolled(state, move, text(attribute.value.capitalize()))


def _gear(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    """Things of the book to take, and what is carried to put away."""
    gear = book("gear")
    for what, label in (("weapon", "Take a weapon"), ("armour", "Take armour"), ("spell", "Learn a spell")):
        options = tuple((id, text("{name}", name=one["name"])) for id, one in gear[what].items())
        yield Form(
            key=f"willpower.take.{what}",
            label=text(label),
            move={"move": Take.kind(), "actor": character.id, "what": what},
            fields=(_choice("id", text("Which"), options),),
            button=text("Take it"),
            why_not=Take.model_validate({"actor": character.id, "what": what, "id": options[0][0]}).refusal(state),
            place=Place.MORE,
        )
    held = [("weapon", id, one.name) for id, one in sheet.weapons.items()]
    held += [("spell", id, one.name) for id, one in sheet.spells.items()]
    if held:
        buttons = tuple(
            Button(
                label=text("{name}", name=name),
                move={"move": Drop.kind(), "actor": character.id, "what": what, "id": id},
            )
            for what, id, name in held
        )
        yield lone("willpower.drop", text("Put away"), *buttons, place=Place.MORE)


# --- what the GM does for the whole table ------------------------------------------------------------------


def gm_blocks(state: State) -> Iterator[Block]:
    fight = state.fight()
    for faced, label, place in ((False, "Fearsome", Place.FIGHT), (True, "Faced already", Place.MORE)):
        buttons = tuple(
            offer(state, FaceIt(foe=foe), text("All face {foe}", foe=Who(who=foe)))
            for foe in knows_fear(state, faced=faced)
        )
        if buttons:
            key = f"willpower.fearsome.{place}"
            yield lone(key, text(label), *buttons, place=place, reach=Reach.GM, duty=Duty.FEAR)
    yield Form(
        key="willpower.face",
        duty=Duty.FEAR,
        label=text("Face it: Guts"),
        move={"move": FaceIt.kind()},
        fields=(
            Input(name="what", label=text("What"), kind="text", value="something disturbing", longest=60),
            *_heroes(state),
        ),
        button=text("Face it"),
        reach=Reach.GM,
    )
    yield Form(
        key="willpower.call",
        duty=Duty.TESTS,
        label=text("Ask the table for a test"),
        move={"move": CallTest.kind()},
        asks=True,
        fields=(
            _choice("attribute", text("Attribute"), _ATTRIBUTES),
            _choice("edge", ROLLED_WITH, _EDGES),
            Input(name="modifier", label=text("Harder by"), kind="number", value=0, lowest=-20, highest=20),
            *_heroes(state),
            Input(name="secret", label=text("In secret"), kind="switch", value=False),
        ),
        button=text("Ask"),
        reach=Reach.GM,
    )
    if fight is not None and state.has(Duty.ORDER) == GAME and not state.held_up():
        plan = suggested(state, fight, state.slots())
        if plan is not None:
            yield _plan(plan)


def _heroes(state: State) -> tuple[Input, ...]:
    return tuple(
        Input(name="heroes[]", label=_named(one), kind="switch", value=one.id, checked=True)
        for one in state.characters(Side.HERO)
        if state.find(Sheet, one.id) is not None
    )


def _plan(plan: FoesAct) -> Fact:
    """Who is about to strike whom."""
    strikes = {
        f"strike{nth}": text("{foe} → {target}", foe=Who(who=one.foe), target=Who(who=one.target))
        for nth, one in enumerate(plan.attacks)
    }
    words = Text(template=" · ".join(f"{{{strike}}}" for strike in strikes), args=dict(strikes))
    return Fact(key="willpower.plan", label=text("They strike"), value=words, place=Place.FIGHT, reach=Reach.GM)


# --- small things ------------------------------------------------------------------------------------------

_ATTRIBUTES = tuple((one.value, text(one.value.capitalize())) for one in Attribute)
_EDGES = tuple((one.value, text("One die" if one is Edge.NONE else one.value.capitalize())) for one in Edge)


def _named(character: Character) -> Text:
    return text("{who}", who=Who(who=character.id))


def _choice(name: str, label: Text, options: tuple[tuple[str, Text], ...]) -> Input:
    return Input(name=name, label=label, kind="choice", value=options[0][0], options=options)


def _rolled(state: State, move: Test | Attack | Cast | Initiative, label: Text) -> Button:
    """A button that rolls, with its chance."""
    return offer(state, move, label).model_copy(update=odds_of(move.ask(state)))
