"""Shadow Squad's part of a character's card."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from webapp.rules.document import Character, Side
from webapp.rules.encounter import Slot, may_still_act
from webapp.rules.games.squad.moves import Attack, Hold, Initiative, Pass, Task, in_sight
from webapp.rules.games.squad.sheet import Attribute, Condition, Device, Make, Sheet
from webapp.rules.move import OwnMove
from webapp.rules.odds import chance
from webapp.rules.scene import State
from webapp.rules.text import Text, Who, text
from webapp.rules.view import Block, Button, Fact, Form, Gauge, Input, Menu, Note, Reach, Section, Tab

DIFFICULTIES = ((2, text("Easy 2")), (4, text("Average 4")), (6, text("Hard 6")))


def section(state: State, character: Character, sheet: Sheet) -> Section:
    return Section(
        title=text("Shadow Squad"),
        vitals=tuple(_vitals(character, sheet)),
        blocks=(
            *_turn(state, character, sheet),
            *_states(sheet),
            *_tasks(state, character, sheet),
            *_facts(sheet),
        ),
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
        case Condition.DYING:
            yield Note(key="squad.down", icon="skull", words=text("Unconscious and dying: needs first aid"))
        case Condition.FIT:
            pass
        case other:
            yield Note(key="squad.down", icon="skull", words=text(other.value.capitalize()))
    for id, device in sheet.devices.items():
        if device.broken:
            yield Note(key=f"squad.broken.{id}", icon="broken", words=text("{device} is broken", device=device.name))


# --- whose turn it is --------------------------------------------------------------------------------------


def _turn(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    fight = state.fight()
    if fight is None or character.id not in fight.members:
        return
    initiative = Initiative(actor=character.id)
    if initiative.refusal(state) is None:
        die = sheet.die(_initiative_die(state))
        button = _button(state, initiative, text("Roll a d{die}", die=die))
        yield _lone("squad.initiative", text("Initiative"), button)
    if not fight.settled:
        return
    slot = may_still_act(state.slots(), fight, character.id)
    yield _chances(sheet)
    if slot is not None:
        yield from _acts(state, character, sheet, slot)


def _initiative_die(state: State) -> Attribute:
    from webapp.rules.games.squad.house import House

    return state.house(House).initiative


def _chances(sheet: Sheet) -> Fact:
    left = [str(number) for nth, number in enumerate(sheet.chances) if nth not in sheet.spent]
    return Fact(
        key="squad.chances",
        label=text("Chances left"),
        value=text(
            "{numbers} · {parries} parries left",
            numbers=", ".join(left) or "none",
            parries=sheet.parries_left,
        ),
    )


def _acts(state: State, character: Character, sheet: Sheet, slot: Slot) -> Iterator[Menu]:
    ways: dict[str, Device | None] = {id: device for id, device in sheet.devices.items() if device.strikes}
    yield Menu(
        key="squad.attack",
        label=text("Attack"),
        fight=True,
        tabs=tuple(
            Tab(key=id or "hands", label=_way(device), buttons=tuple(_targets(state, character, id, slot)))
            for id, device in (*ways.items(), ("", None))
        ),
    )
    hold, done = Hold(actor=character.id, slot=slot.id), Pass(actor=character.id, slot=slot.id)
    yield Menu(
        key="squad.wait",
        label=text("Or"),
        fight=True,
        tabs=(
            Tab(
                key="wait",
                label=text("Wait"),
                buttons=(
                    _button(state, hold, text("Hold back")),
                    _button(state, done, text("Done with {number}", number=slot.number)),
                ),
            ),
        ),
    )


def _way(device: Device | None) -> Text:
    if device is None:
        return text("Bare hands d4")
    if device.die is None:
        return text("{device} ({lifts} up)", device=device.name, lifts=str(device.lifts or ""))
    return text("{device} d{die}", device=device.name, die=device.die)


def _targets(state: State, character: Character, device: str, slot: Slot) -> Iterator[Button]:
    for other in state.characters():
        sheet = state.find(Sheet, other.id)
        if other.side is character.side or sheet is None or not sheet.can_act:
            continue
        if in_sight(state, other.id, of=character.id):
            attack = Attack(actor=character.id, device=device, target=other.id, slot=slot.id)
            yield _button(state, attack, text("{who}", who=Who(who=other.id)), chance(attack.ask(state)))


# --- tasks -------------------------------------------------------------------------------------------------


def _tasks(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    yield Menu(
        key="squad.task",
        label=text("Roll for a task"),
        tabs=tuple(
            Tab(
                key=attribute.value,
                label=text("{attribute} d{die}", attribute=attribute.value, die=sheet.die(attribute)),
                buttons=tuple(_difficulties(state, character, attribute)),
            )
            for attribute in _rolled(sheet)
        ),
    )
    yield Form(
        key="squad.task.any",
        label=text("Another difficulty, or against a hero"),
        move=_message(Task(actor=character.id, attribute=Attribute.TUF, difficulty=8), "difficulty"),
        fields=(
            Input(name="attribute", label=text("Attribute"), kind="choice", value="TUF", options=_ATTRIBUTES),
            Input(name="difficulty", label=text("Difficulty"), kind="number", value=8, lowest=1, highest=30),
        ),
        button=text("Roll"),
    )


_ATTRIBUTES = tuple((attribute.value, text(attribute.value)) for attribute in Attribute)


def _rolled(sheet: Sheet) -> tuple[Attribute, ...]:
    return (Attribute.TUF,) if sheet.monster else tuple(Attribute)


def _difficulties(state: State, character: Character, attribute: Attribute) -> Iterator[Button]:
    for difficulty, label in DIFFICULTIES:
        task = Task(actor=character.id, attribute=attribute, difficulty=difficulty)
        yield _button(state, task, label, chance(task.ask(state)))
    for other in state.characters(Side.FOE if character.side is Side.HERO else Side.HERO):
        sheet = state.find(Sheet, other.id)
        if sheet is not None and sheet.can_act and in_sight(state, other.id, of=character.id):
            for their in (None,) if sheet.monster else tuple(Attribute):
                task = Task(actor=character.id, attribute=attribute, against=other.id, their=their)
                name = text("Against {who}{their}", who=Who(who=other.id), their=f"'s {their}" if their else "")
                yield _button(state, task, name, chance(task.ask(state)))


# --- what is written on the sheet --------------------------------------------------------------------------


def _facts(sheet: Sheet) -> Iterator[Block]:
    if sheet.monster:
        yield Fact(key="squad.monster", label=text("Monster die"), value=_die(sheet.monster), reach=Reach.OWNER)
    else:
        for attribute in Attribute:
            yield Fact(
                key=f"squad.{attribute}",
                label=text(attribute.value),
                value=_die(sheet.die(attribute)),
                reach=Reach.OWNER,
            )
    for id, device in sheet.devices.items():
        yield Fact(
            key=f"squad.device.{id}",
            label=text("{name}", name=device.name),
            value=_device(device),
            reach=Reach.OWNER,
        )
    if sheet.weakness:
        yield Fact(
            key="squad.weakness",
            label=text("Weakness"),
            value=text("{line}", line=sheet.weakness),
            reach=Reach.OWNER,
        )


def _die(die: int) -> Text:
    return text("d{die}", die=die)


def _device(device: Device) -> Text:
    gives = f"d{device.die}" if device.die else f"lifts {device.lifts}" if device.lifts else "no die"
    state = " · broken" if device.broken else " · not worn" if device.make is Make.ARMOUR and not device.worn else ""
    return text("{make} · {gives}{state}", make=device.make.value, gives=gives, state=state)


# --- small things ------------------------------------------------------------------------------------------


def _button(state: State, move: OwnMove, label: Text, odds: Fraction | None = None) -> Button:
    return Button(label=label, move=_message(move), chance=odds, why_not=move.refusal(state))


def _message(move: OwnMove, *without: str) -> dict[str, Any]:
    fields = move.model_dump(mode="json", exclude_none=True, exclude=set(without))
    return {"move": move.kind(), **fields}


def _lone(key: str, label: Text, *buttons: Button) -> Menu:
    return Menu(key=key, label=label, fight=True, tabs=(Tab(key="only", label=label, buttons=buttons),))
