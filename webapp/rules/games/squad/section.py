"""Shadow Squad's part of a character's card, and what the GM does for the whole table."""

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
    Offers,
    Place,
    Plight,
    Reach,
    Section,
    Tab,
)
from webapp.rules.document import Character, CharacterId, Duty, Side
from webapp.rules.encounter import Slot
from webapp.rules.fighting import Done, own_slot
from webapp.rules.games.squad.blows import Attack, BreakOff, Way
from webapp.rules.games.squad.countdown import Hold, Initiative, SetSurprised, Surprise, may_surprise
from webapp.rules.games.squad.foes import FoesAct, Orders, suggested
from webapp.rules.games.squad.gear import Drop, Take, devices, powers
from webapp.rules.games.squad.harm import FirstAid, Treat, UsePower, is_dying
from webapp.rules.games.squad.rolls import in_sight, raised
from webapp.rules.games.squad.sheet import Attribute, Condition, Device, Make, Power, PowerKind, Sheet, Standing
from webapp.rules.games.squad.tasks import CallTask, Task
from webapp.rules.games.squad.will import AskForCash, BringInWeakness, Grant, Why
from webapp.rules.odds import chance, odds_of
from webapp.rules.offer import lone, message, offer
from webapp.rules.scene import State
from webapp.rules.text import Figure, Text, Who, text

DIFFICULTIES = ((2, text("Easy 2")), (4, text("Average 4")), (6, text("Hard 6")))
RAISE = text("Raise the die · 1 Will Point")
RAISE_HIT = text("Raise the die to hit · 1 Will Point")
RAISE_DAMAGE = text("Raise the damage die · 1 Will Point")
STAY_HIDDEN = text("Stay hidden")


def section(state: State, character: Character, sheet: Sheet) -> Section:
    return Section(
        title=text("Shadow Squad"),
        vitals=tuple(_vitals(character, sheet)),
        blocks=(*_states(sheet), *_facts(sheet), *_surprised(state, character, sheet)),
        plight=_plight(state, character, sheet),
    )


def acts(state: State, character: Character, sheet: Sheet) -> tuple[Block, ...]:
    return (
        *_turn(state, character, sheet),
        *_tasks(state, character, sheet),
        *_help(state, character, sheet),
        *_will(state, character, sheet),
        *_gear(state, character, sheet),
        *_orders(state, character, sheet),
    )


def _vitals(character: Character, sheet: Sheet) -> Iterator[Gauge]:
    hero = character.side is Side.HERO
    yield Gauge(
        key="squad.hp",
        label=text("HP"),
        now=sheet.hp.now,
        full=sheet.hp.full,
        at=("squad", "hp", "now"),
        reach=Reach.TABLE if hero else Reach.OWNER,
    )
    if sheet.monster is None:
        yield Gauge(key="squad.will", label=text("Will Points"), now=sheet.will, at=("squad", "will"))


def _states(sheet: Sheet) -> Iterator[Note]:
    match sheet.condition:
        case Condition.FIT:
            pass
        case Condition.DYING:
            left = Figure(figure_of=sheet.id, value=sheet.bleeds or 0)
            words = text("Unconscious and dying: {rounds} rounds left, needs first aid", rounds=left)
            yield Note(key="squad.down", icon="skull", words=words)
        case Condition.STABLE:
            yield Note(key="squad.down", icon="skull", words=text("Stable, but unconscious until some HP are back"))
        case Condition.BROKEN_DOWN:
            words = text("Broken down: to be restrained, only a specialist can help")
            yield Note(key="squad.down", icon="skull", words=words)
        case other:
            yield Note(key="squad.down", icon="skull", words=text(other.value.capitalize()))
    if sheet.surprised:
        words = text("Surprised: no attack and no parry this round")
        yield Note(key="squad.surprised", icon="surprised", words=words, brief=text("surprised"))
    for key, device in sheet.devices.items():
        if device.broken:
            yield Note(key=f"squad.broken.{key}", icon="broken", words=text("{name} is broken", name=device.name))


def _plight(state: State, character: Character, sheet: Sheet) -> Plight | None:
    """S-43 … S-48: first aid within so many rounds, or a power that heals."""
    if sheet.condition is not Condition.DYING:
        return None
    left = Figure(figure_of=sheet.id, value=sheet.bleeds or 0)
    words = text("Last round: needs first aid now") if sheet.bleeds == 1 else text("{n} rounds left", n=left)
    others = [one for one in state.characters(character.side) if one.id != character.id]
    return Plight(words=words, helpers=tuple(help for one in others for help in _helpers(state, one, character)))


def _helpers(state: State, other: Character, patient: Character) -> Iterator[Helper]:
    sheet = state.find(Sheet, other.id)
    if sheet is None or not sheet.can_act:
        return
    if sheet.first_aid:
        ask = FirstAid(actor=other.id, patient=patient.id).ask(state)
        yield Helper(who=other.id, how=text("first aid"), chance=chance(ask), because=ask)
    for power in sheet.powers.values():
        if power.kind is PowerKind.HEALING and power.uses.now:
            yield Helper(who=other.id, how=text("{power} d{die}", power=power.name, die=power.die))


# --- whose turn it is --------------------------------------------------------------------------------------


def _turn(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    fight = state.fight()
    if fight is None or character.id not in fight.members:
        return
    initiative = Initiative(actor=character.id)
    if initiative.refusal(state) is None:
        label = text("Roll a d{die}", die=initiative.ask(state).dice[0])
        yield lone("squad.initiative", text("Initiative"), offer(state, initiative, label))
    if not fight.settled:
        return
    yield _chances(sheet)
    slot = own_slot(state, character.id)
    if slot is not None:
        yield from _acts(state, character, sheet, slot)


def _surprised(state: State, character: Character, sheet: Sheet) -> Iterator[Menu]:
    """Before the first count the GM has the last word on who is surprised."""
    fight = state.fight()
    if fight is not None and character.id in fight.members and may_surprise(state, fight):
        move = SetSurprised(character=character.id, surprised=not sheet.surprised)
        flip = offer(state, move, text("Surprised")).model_copy(update={"on": sheet.surprised})
        yield lone("squad.surprise", text("Surprised?"), flip, reach=Reach.GM, place=Place.TABLE, duty=Duty.BLOWS)


def _chances(sheet: Sheet) -> Fact:
    left = [str(number) for nth, number in enumerate(sheet.chances) if nth not in sheet.spent]
    numbers = text("on {numbers}", numbers=", ".join(left)) if left else text("none")
    parries = text("1 parry left") if sheet.parries_left == 1 else text("{n} parries left", n=sheet.parries_left)
    value = text("{numbers} · {parries}", numbers=numbers, parries=parries)
    because = text(
        "Chances stand at the initiative and every fifth number below: {all}. As many parries, less {parried}.",
        all=", ".join(map(str, sheet.chances)) or "none yet",
        parried=sheet.parried,
    )
    label = text("Chances left")
    return Fact(key="squad.chances", label=label, value=value, because=because, place=Place.FIGHT, duty=Duty.ORDER)


def _acts(state: State, character: Character, sheet: Sheet, slot: Slot) -> Iterator[Menu]:
    switch = RAISE if sheet.will else None
    label = text("Attack")
    if sheet.surprised:
        why_not = text("{who} is surprised: no attack this round.", who=Who(who=character.id))
        yield Menu(key="squad.attack", duty=Duty.BLOWS, label=label, place=Place.FIGHT, tabs=(), why_not=why_not)
    else:
        tabs = tuple(
            Tab(key=key, label=label, offers=Targets(actor=character.id, way=way, slot=slot.id))
            for key, label, way in _ways(sheet)
        )
        hit, damage = (RAISE_HIT, RAISE_DAMAGE) if sheet.will else (None, None)
        first, second = (STAY_HIDDEN, hit) if character.hidden else (hit, damage)
        yield Menu(
            key="squad.attack",
            duty=Duty.BLOWS,
            label=label,
            place=Place.FIGHT,
            switch=first,
            second=second,
            tabs=tabs,
        )
    aid = tuple(_first_aid(state, character, slot))
    if aid:
        yield lone("squad.aid", text("First aid"), *aid, switch=switch, duty=Duty.BLOWS)
    elif not sheet.first_aid and _dying_near(state, character):
        why_not = text("First aid needs a kit or training.")
        yield Menu(
            key="squad.aid",
            duty=Duty.BLOWS,
            label=text("First aid"),
            place=Place.FIGHT,
            tabs=(),
            why_not=why_not,
        )
    yield from _powers(state, character, sheet, slot)
    yield lone("squad.wait", text("Or"), *_waits(state, character, slot), duty=Duty.ORDER)


def _ways(sheet: Sheet) -> Iterator[tuple[str, Text, Way]]:
    for key, device in sheet.devices.items():
        if device.strikes:
            yield key, _device_label(device), Way(device=key)
    for key, power in sheet.powers.items():
        if power.kind.range is not None:
            label = text("{name} d{die} · {left} left", name=power.name, die=power.die, left=power.uses.now)
            yield f"power {key}", label, Way(power=key)
    yield "hands", text("Bare hands d4"), Way()


def _device_label(device: Device) -> Text:
    if device.die is None:
        return text("{device} ({lifts} up)", device=device.name, lifts=str(device.lifts or "no die"))
    return text("{device} d{die}", device=device.name, die=device.die)


class Targets(Offers):
    """Everybody whom this way of attacking may be aimed at."""

    actor: CharacterId
    way: Way
    slot: str

    def buttons(self, state: State) -> Iterator[Button]:
        for other in _others_up(state, state.character(self.actor)):
            yield self._button(state, other.id)

    def _button(self, state: State, other: CharacterId) -> Button:
        return state.recall((self, other), lambda: self._worked_out(state, other))

    def _worked_out(self, state: State, other: CharacterId) -> Button:
        way = {"device": self.way.device, "power": self.way.power}
        plain = Attack(actor=self.actor, target=other, slot=self.slot, **way)
        button = _rolled(state, plain, text("{who}", who=Who(who=other)))
        if not state.is_hidden(self.actor):
            return _harder(state, plain, button)
        unseen = _rolled(state, plain.model_copy(update={"stay_hidden": True}), button.label)
        both = unseen.model_copy(update={"switched": None, "second": unseen.switched})
        return button.model_copy(update={"switched": both, "second": button.switched})


def _others_up(state: State, character: Character) -> Iterator[Character]:
    """Those of the other side who are in sight and can act."""
    for other in state.characters(Side.FOE if character.side is Side.HERO else Side.HERO):
        sheet = state.find(Sheet, other.id)
        if sheet is not None and sheet.can_act and in_sight(state, other.id, of=character.id):
            yield other


def _harder(state: State, plain: Attack, button: Button) -> Button:
    """The same blow, also with its damage die raised, on top of a raised attack die or without."""
    assert button.switched is not None
    damage = text("d{die} damage", die=raised(plain.way.damage_die(state, plain.actor), True))
    lifted = plain.model_copy(update={"raise_damage": True})
    with_both = lifted.model_copy(update={"raised": True})
    both = _rolled_so(state, with_both, button.label).model_copy(update={"note": damage})
    hard = _rolled_so(state, lifted, button.label).model_copy(update={"note": damage})
    return button.model_copy(update={"second": hard, "switched": button.switched.model_copy(update={"second": both})})


def _waits(state: State, character: Character, slot: Slot) -> Iterator[Button]:
    yield offer(state, Done(actor=character.id, slot=slot.id), text("Done with {number}", number=slot.number))
    if not slot.waits and slot.since is None:
        yield offer(state, Hold(actor=character.id, slot=slot.id), text("Hold back"))
        for number in _numbers_to_come(state, slot)[:3]:
            hold = Hold(actor=character.id, slot=slot.id, until=number)
            yield offer(state, hold, text("Hold until {number}", number=number))
    yield offer(state, BreakOff(actor=character.id, slot=slot.id), text("Break off"), danger=True)


def _numbers_to_come(state: State, slot: Slot) -> list[int]:
    """Lower numbers at which somebody in sight has a chance."""
    open_slots = [one for one in state.slots() if not one.spent and one.number < slot.number]
    return sorted({one.number for one in open_slots if not state.is_hidden(one.character)}, reverse=True)


# --- help, in a fight and outside it -----------------------------------------------------------------------


def _help(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    """Outside a fight, where no chance is needed."""
    fight = state.fight()
    if fight is None or character.id not in fight.members:
        aid = tuple(_first_aid(state, character, None))
        if aid:
            yield lone("squad.aid", text("First aid"), *aid, switch=RAISE if sheet.will else None, place=Place.SHEET)
        yield from _powers(state, character, sheet, None)
    if sheet.condition is Condition.BROKEN_DOWN:
        yield Form(
            key="squad.treat",
            label=text("Treatment by a specialist"),
            move=message(Treat(patient=character.id)),
            fields=(Input(name="specialist", label=text("By whom"), kind="text", value="a specialist", longest=60),),
            button=text("Treat"),
            reach=Reach.GM,
        )


def _first_aid(state: State, character: Character, slot: Slot | None) -> Iterator[Button]:
    if not state.sheet(Sheet, character.id).first_aid:
        return
    for other in _dying_near(state, character):
        plain = FirstAid(actor=character.id, patient=other.id, slot=None if slot is None else slot.id)
        yield _rolled(state, plain, text("{who}", who=Who(who=other.id)))


def _dying_near(state: State, character: Character) -> list[Character]:
    """Those in sight who need first aid."""
    others = [one for one in state.characters() if one.id != character.id and _is_dying(state, one.id)]
    return [one for one in others if in_sight(state, one.id, of=character.id)]


def _is_dying(state: State, who: CharacterId) -> bool:
    """Asked by itself, so that what else changes on a sheet does not concern those who could help."""

    return state.recall(("squad.dying", who), lambda: is_dying(state, who))


def _is_hurt(state: State, who: CharacterId) -> bool:
    def is_hurt() -> bool:
        sheet = state.find(Sheet, who)
        return sheet is not None and sheet.hp.now < sheet.hp.full

    return state.recall(("squad.hurt", who), is_hurt)


def _powers(state: State, character: Character, sheet: Sheet, slot: Slot | None) -> Iterator[Menu]:
    for key, power in sheet.powers.items():
        buttons = () if power.kind.range is not None else tuple(_uses(state, character, key, power, slot))
        if buttons:
            label = text("{name} d{die} · {left} left", name=power.name, die=power.die, left=power.uses.now)
            yield lone(f"squad.power.{key}", label, *buttons, place=Place.SHEET if slot is None else Place.FIGHT)


def _uses(state: State, character: Character, key: str, power: Power, slot: Slot | None) -> Iterator[Button]:
    at = None if slot is None else slot.id
    if power.kind is PowerKind.OTHER:
        use = UsePower(actor=character.id, patient=character.id, power=key, slot=at)
        yield offer(state, use, text("Use it"))
        return
    for other in state.characters(character.side):
        if _is_hurt(state, other.id) and in_sight(state, other.id, of=character.id):
            use = UsePower(actor=character.id, patient=other.id, power=key, slot=at)
            yield offer(state, use, text("{who}", who=Who(who=other.id)))


# --- tasks and Will Points ---------------------------------------------------------------------------------


def _tasks(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    tabs = tuple(
        Tab(
            key=attribute.value,
            label=text("{attribute} d{die}", attribute=attribute.value, die=sheet.die(attribute)),
            offers=Difficulties(actor=character.id, attribute=attribute),
        )
        for attribute in ((Attribute.TUF,) if sheet.monster else tuple(Attribute))
    )
    switch = RAISE if sheet.will else None
    yield Menu(
        key="squad.task", duty=Duty.TESTS, label=text("Roll for a task"), place=Place.DICE, switch=switch, tabs=tabs
    )
    yield Form(
        key="squad.task.any",
        duty=Duty.TESTS,
        label=text("Another difficulty"),
        move={"move": Task.kind(), "actor": character.id},
        fields=(
            Input(name="attribute", label=text("Attribute"), kind="choice", value="TUF", options=_ATTRIBUTES),
            Input(name="difficulty", label=text("Difficulty"), kind="number", value=8, lowest=1, highest=30),
        ),
        button=text("Roll"),
        why_not=Task(actor=character.id, attribute=Attribute.TUF, difficulty=1).refusal(state),
        place=Place.DICE,
    )


_ATTRIBUTES = tuple((attribute.value, text(attribute.value)) for attribute in Attribute)


class Difficulties(Offers):
    """Numbers, and others, to roll an attribute against."""

    actor: CharacterId
    attribute: Attribute

    def buttons(self, state: State) -> Iterator[Button]:
        for difficulty, label in DIFFICULTIES:
            yield _rolled(state, Task(actor=self.actor, attribute=self.attribute, difficulty=difficulty), label)
        for other in _others_up(state, state.character(self.actor)):
            yield from self._against(state, other.id)

    def _against(self, state: State, other: CharacterId) -> tuple[Button, ...]:
        return state.recall((self, other), lambda: tuple(self._worked_out(state, other)))

    def _worked_out(self, state: State, other: CharacterId) -> Iterator[Button]:
        for their in (None,) if state.sheet(Sheet, other).monster else tuple(Attribute):
            task = Task(actor=self.actor, attribute=self.attribute, against=other, their=their)
            label = text("Against {who}{die}", who=Who(who=other), die=f"'s {their}" if their else "")
            yield _rolled(state, task, label)


def _will(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    if sheet.monster is not None:
        return
    bring_in = BringInWeakness(actor=character.id)
    yield lone(
        "squad.weak", text("Weakness"), offer(state, bring_in, text("It gets in my way now")), place=Place.SHEET
    )
    yield Form(
        key="squad.cash",
        label=text("A Will Point for cash"),
        move={"move": AskForCash.kind(), "actor": character.id},
        fields=(Input(name="purpose", label=text("What for"), kind="text", value="training", longest=80),),
        button=text("Ask the GM"),
        why_not=AskForCash(actor=character.id, purpose="anything").refusal(state),
    )
    given = tuple(offer(state, Grant(character=character.id, why=why), label) for why, label in _REASONS)
    yield lone("squad.grant", text("Give a Will Point"), *given, reach=Reach.GM, place=Place.SHEET)


_REASONS = (
    (Why.GREAT_PLAY, text("For great play")),
    (Why.CONTRIBUTION, text("For a contribution")),
    (Why.WEAKNESS, text("For the weakness")),
)


# --- what is written on the sheet --------------------------------------------------------------------------


def _facts(sheet: Sheet) -> Iterator[Fact]:
    if sheet.monster:
        yield _fact("monster", text("Monster die"), text("d{die}", die=sheet.monster))
    else:
        for attribute in Attribute:
            yield _fact(attribute, text(attribute.value), text("d{die}", die=sheet.die(attribute)))
    for key, device in sheet.devices.items():
        yield _fact(f"device.{key}", text("{name}", name=device.name), _device(device))
    for key, power in sheet.powers.items():
        uses = power.uses
        label = text("{name} · {left} of {full} left", name=power.name, left=uses.now, full=uses.full)
        value = text("{kind} · d{die} · {line}", kind=power.kind.value, die=power.die, line=power.line)
        yield _fact(f"power.{key}.fact", label, value)
    if sheet.weakness:
        yield _fact("weakness", text("Weakness"), text("{line}", line=sheet.weakness))
    if sheet.cash:
        yield _fact("cash.fact", text("Cash"), text("{cash}", cash=sheet.cash))


def _fact(key: str, label: Text, value: Text) -> Fact:
    return Fact(key=f"squad.{key}", label=label, value=value, reach=Reach.OWNER)


def _device(device: Device) -> Text:
    gives = f"d{device.die}" if device.die else f"lifts {device.lifts}" if device.lifts else "no die"
    worn = f" (was d{device.made})" if device.made and device.made != device.die else ""
    off = " · not worn" if device.make is Make.ARMOUR and not device.worn else ""
    state = " · broken" if device.broken else off
    return text("{make} · {gives}{worn}{state}", make=device.make.value, gives=gives, worn=worn, state=state)


def _gear(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    """Things of the book to take, and what is carried to put away."""
    for what, label, names in (
        ("device", text("Take a device"), {key: device.name for key, device in devices().items()}),
        ("power", text("Take a power"), {key: power.name for key, power in powers().items()}),
    ):
        options = tuple((key, text("{name}", name=name)) for key, name in names.items())
        yield Form(
            key=f"squad.take.{what}",
            label=label,
            move={"move": Take.kind(), "actor": character.id, "what": what},
            fields=(Input(name="id", label=text("Which"), kind="choice", value=options[0][0], options=options),),
            button=text("Take it"),
            why_not=Take.model_validate({"actor": character.id, "what": what, "id": options[0][0]}).refusal(state),
            place=Place.MORE,
        )
    drops = [
        *((Drop(actor=character.id, what="device", id=key), one.name) for key, one in sheet.devices.items()),
        *((Drop(actor=character.id, what="power", id=key), one.name) for key, one in sheet.powers.items()),
    ]
    if drops:
        buttons = (offer(state, drop, text("{name}", name=name)) for drop, name in drops)
        yield lone("squad.drop", text("Put away"), *buttons, place=Place.MORE)


def _orders(state: State, character: Character, sheet: Sheet) -> Iterator[Menu]:
    """What the GM has told all foes of this name."""
    if character.side is Side.FOE:
        other = Standing.NEVER if sheet.parry is Standing.BEST else Standing.BEST
        word = text("All {name}: never parry") if other is Standing.NEVER else text("All {name}: parry again")
        label = text(word.template, name=character.name)
        flip = offer(state, Orders(name=character.name, parry=other), label)
        yield lone("squad.orders", text("Standing order"), flip, reach=Reach.GM, place=Place.SHEET, duty=Duty.BLOWS)


# --- what the GM does for the whole table ------------------------------------------------------------------


def gm_blocks(state: State) -> Iterator[Block]:
    fight = state.fight()
    yield _ask_the_table(state)
    if fight is None:
        return
    plan = None if state.held_up() else suggested(state, fight, state.slots())
    if plan is not None:
        yield _plan(plan)
    if may_surprise(state, fight):
        lie_in_wait = offer(state, Surprise(ambush=True), text("Heroes lie in wait"))
        walk_into_it = offer(state, Surprise(ambush=False), text("Heroes may be surprised"))
        rolls = (lie_in_wait, walk_into_it)
        yield lone("squad.surprise", text("Surprise: the heroes roll"), *rolls, reach=Reach.GM, duty=Duty.BLOWS)


def _plan(plan: FoesAct) -> Fact:
    """Who is about to strike whom."""
    strikes = {
        f"strike{nth}": text("{who} → {target}", who=Who(who=attack.actor), target=Who(who=attack.target))
        for nth, attack in enumerate(plan.attacks)
    }
    words = Text(template=" · ".join(f"{{{strike}}}" for strike in strikes), args=dict(strikes))
    return Fact(key="squad.plan", label=text("They strike"), value=words, place=Place.FIGHT, reach=Reach.GM)


def _ask_the_table(state: State) -> Form:
    heroes = tuple(
        Input(name="heroes[]", label=text("{who}", who=Who(who=one.id)), kind="switch", value=one.id, checked=True)
        for one in state.characters(Side.HERO)
        if state.find(Sheet, one.id) is not None
    )
    return Form(
        key="squad.call",
        duty=Duty.TESTS,
        label=text("Ask the table for a task"),
        move={"move": CallTask.kind()},
        asks=True,
        fields=(
            Input(name="attribute", label=text("Attribute"), kind="choice", value="TUF", options=_ATTRIBUTES),
            Input(name="difficulty", label=text("Difficulty"), kind="number", value=4, lowest=1, highest=30),
            *heroes,
            Input(name="secret", label=text("In secret"), kind="switch", value=False),
        ),
        button=text("Ask"),
        reach=Reach.GM,
    )


# --- small things ------------------------------------------------------------------------------------------


def _rolled(state: State, move: Task | Attack | FirstAid, label: Text) -> Button:
    """A button that rolls, with its chance, and the same with the die raised."""
    switched = _rolled_so(state, move.model_copy(update={"raised": True}), label)
    rolled = {"switched": switched, **odds_of(move.ask(state))}
    return offer(state, move, label).model_copy(update=rolled)


def _rolled_so(state: State, move: Task | Attack | FirstAid, label: Text) -> Button:
    """A button that rolls, with its chance where it can be rolled."""
    button = offer(state, move, label)
    return button if button.why_not is not None else button.model_copy(update=odds_of(move.ask(state)))
