"""Offered in a fight: initiative, attack, help, and how to let a chance pass."""

from __future__ import annotations

from collections.abc import Iterator

from webapp.rules.blocks import Block, Button, Fact, Menu, Place
from webapp.rules.document import Character, Duty
from webapp.rules.encounter import Slot
from webapp.rules.fighting import Done
from webapp.rules.games.squad.breaking_off import BreakOff
from webapp.rules.games.squad.countdown import Hold, Initiative
from webapp.rules.games.squad.offers.attack import attacks
from webapp.rules.games.squad.offers.buttons import RAISED, raises
from webapp.rules.games.squad.offers.helping import dying_near, first_aid, powers_to_use
from webapp.rules.games.squad.sheet import Sheet
from webapp.rules.offer import lone, offer
from webapp.rules.state import State
from webapp.rules.text import text
from webapp.rules.turns import own_slot


def turn(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    fight = state.fight()
    if fight is None or character.id not in fight.members:
        return
    initiative = Initiative(actor=character.id)
    if initiative.refusal(state) is None:
        ways = [_initiative(state, Initiative(actor=character.id, raised=lifts)) for lifts in (False, True)]
        button = ways[0].model_copy(update={"switched": {RAISED: ways[1]}})
        yield lone("squad.initiative", text("Initiative"), button, switches=raises(sheet))
    if not fight.settled:
        return
    yield _chances(sheet)
    slot = own_slot(state, character.id)
    if slot is not None:
        yield from _acts(state, character, sheet, slot)


def _initiative(state: State, move: Initiative) -> Button:
    label = text("Roll a d{die} for initiative", die=move.ask(state).dice[0])
    return offer(state, move, label).model_copy(update={"first": True})


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
    """What helps comes first while one of one's own side is dying."""
    strike = (attacks(character, sheet, slot),)
    aid = (*_aid(state, character, sheet, slot), *powers_to_use(state, character, sheet, slot))
    is_urgent = any(one.side is character.side for one in dying_near(state, character))
    yield from (*aid, *strike) if is_urgent else (*strike, *aid)
    yield lone("squad.wait", text("Or"), *_waits(state, character, slot), duty=Duty.ORDER)


def _aid(state: State, character: Character, sheet: Sheet, slot: Slot) -> Iterator[Menu]:
    label, why_not = text("First aid"), text("First aid needs a kit or training.")
    aid = tuple(first_aid(state, character, slot))
    if aid:
        yield lone("squad.aid", label, *aid, switches=raises(sheet), duty=Duty.BLOWS)
    elif not sheet.first_aid and dying_near(state, character):
        yield Menu(key="squad.aid", duty=Duty.BLOWS, label=label, place=Place.FIGHT, tabs=(), why_not=why_not)


def _waits(state: State, character: Character, slot: Slot) -> Iterator[Button]:
    yield offer(state, Done(actor=character.id, slot=slot.id), text("Let {number} pass", number=slot.number))
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
