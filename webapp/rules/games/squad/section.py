"""Shadow Squad's part of a character's card: what is written on the sheet."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from webapp.rules.blocks import Fact, Gauge, Helper, Menu, Note, Place, Plight, Reach, Section
from webapp.rules.document import Character, Duty, Side
from webapp.rules.games.squad.aid import FirstAid
from webapp.rules.games.squad.raising import cannot_raise
from webapp.rules.games.squad.sheet import Attribute, Condition, Device, Make, PowerKind, Sheet
from webapp.rules.games.squad.surprise import SetSurprised, may_surprise
from webapp.rules.odds import chance
from webapp.rules.offer import lone, offer
from webapp.rules.state import State
from webapp.rules.text import Figure, Text, text


def section(state: State, character: Character, sheet: Sheet) -> Section:
    return Section(
        title=text("Shadow Squad"),
        vitals=tuple(_vitals(character, sheet)),
        blocks=(*_states(sheet), *_facts(sheet), *_surprised(state, character, sheet)),
        plight=_plight(state, character, sheet),
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
            because = text("As many rounds as half the die of TUF when going down, one less with each round since.")
            yield Note(key="squad.down", icon="skull", words=words, because=because)
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
        yield _first_aid(state, other, patient)
    for power in sheet.powers.values():
        if power.kind is PowerKind.HEALING and power.uses.now:
            yield Helper(
                who=other.id, how=text("{power} d{die}", power=power.name, die=power.die), chance=Fraction(1)
            )


def _first_aid(state: State, other: Character, patient: Character) -> Helper:
    """Where the plain die can't do it, with the raised one, if it may be paid for."""
    ask, how = FirstAid(actor=other.id, patient=patient.id).ask(state), text("first aid")
    die = state.sheet(Sheet, other.id).die(Attribute.STW)
    if not chance(ask) and cannot_raise(state, other.id, die) is None:
        ask = FirstAid(actor=other.id, patient=patient.id, raised=True).ask(state)
        how = text("first aid with a Will Point")
    return Helper(who=other.id, how=how, chance=chance(ask), because=ask)


def _surprised(state: State, character: Character, sheet: Sheet) -> Iterator[Menu]:
    """Before the first count the GM has the last word on who is surprised."""
    fight = state.fight()
    if fight is not None and character.id in fight.members and may_surprise(state, fight):
        move = SetSurprised(character=character.id, surprised=not sheet.surprised)
        flip = offer(state, move, text("Surprised")).model_copy(update={"on": sheet.surprised})
        yield lone("squad.surprise", text("Surprised?"), flip, reach=Reach.GM, place=Place.TABLE, duty=Duty.BLOWS)


def _facts(sheet: Sheet) -> Iterator[Fact]:
    if sheet.monster:
        yield _fact("monster", text("Monster die"), text("d{die}", die=sheet.monster))
    else:
        for attribute in Attribute:
            told = _fact(attribute, text(attribute.named), text("d{die}", die=sheet.die(attribute)))
            yield told.model_copy(update={"because": _lifted(sheet, attribute)})
    for key, device in sheet.devices.items():
        told = _fact(f"device.{key}", text("{name}", name=device.name), _device(device))
        yield told.model_copy(update={"because": _worn(device)})
    for key, power in sheet.powers.items():
        uses = power.uses
        label = text("{name} · {left} of {full} left", name=power.name, left=uses.now, full=uses.full)
        value = text("{kind} · d{die} · {line}", kind=power.kind.value, die=power.die, line=power.line)
        because = text(
            "{full} uses as written, less those used since {back}. The die is written on the sheet.",
            full=uses.full,
            back="the last fight or full rest" if power.kind is PowerKind.HEALING else "the last full rest",
        )
        yield _fact(f"power.{key}.fact", label, value).model_copy(update={"because": because})
    if sheet.weakness:
        yield _fact("weakness", text("Weakness"), text("{line}", line=sheet.weakness))
    if sheet.cash:
        yield _fact("cash.fact", text("Cash"), text("{cash}", cash=sheet.cash))


def _fact(key: str, label: Text, value: Text) -> Fact:
    return Fact(key=f"squad.{key}", label=label, value=value, reach=Reach.OWNER)


def _lifted(sheet: Sheet, attribute: Attribute) -> Text | None:
    """What is worn lifts it from its own."""
    own = sheet.own_die(attribute)
    if sheet.die(attribute) == own:
        return None
    worn = next(
        one.name
        for one in sheet.devices.values()
        if one.lifts is attribute and one.in_use and one.make is Make.ARMOUR
    )
    return text("d{own} as written, one rank up while {device} is worn.", own=own, device=worn)


def _worn(device: Device) -> Text | None:
    """How a device came down from what it was made as."""
    if device.made is None or (device.made == device.die and not device.broken):
        return None
    end = " until it broke" if device.broken else ""
    return text(
        "Made as a d{made}: each blow it did not hold wore it by a rank{end}. A full rest mends one.",
        made=device.made,
        end=end,
    )


def _device(device: Device) -> Text:
    gives = f"d{device.die}" if device.die else f"lifts {device.lifts}" if device.lifts else "no die"
    worn = f" (was d{device.made})" if device.made and device.made != device.die else ""
    off = " · not worn" if device.make is Make.ARMOUR and not device.worn else ""
    state = " · broken" if device.broken else off
    return text("{make} · {gives}{worn}{state}", make=device.make.value, gives=gives, worn=worn, state=state)
