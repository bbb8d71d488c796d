"""What can be done with a character, in the order of its card."""

from __future__ import annotations

from collections.abc import Iterator

from webapp.rules.blocks import Block
from webapp.rules.document import Character
from webapp.rules.games.willpower.offers.blows import any_attack, attacks, with_effects
from webapp.rules.games.willpower.offers.casting import casting
from webapp.rules.games.willpower.offers.foes import foe_acts, hampering
from webapp.rules.games.willpower.offers.gear import gear
from webapp.rules.games.willpower.offers.helping import helping
from webapp.rules.games.willpower.offers.testing import tests
from webapp.rules.games.willpower.offers.turn import doing, is_up, leave, turn
from webapp.rules.games.willpower.sheet import Sheet
from webapp.rules.state import State


def acts(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    yield hampering(state, character, sheet)
    if sheet.damage is not None:
        yield from foe_acts(state, character, sheet)
        return
    yield from turn(state, character, sheet)
    yield from attacks(state, character, sheet)
    yield from casting(state, character, sheet)
    yield from helping(state, character, sheet)
    if is_up(state, character):
        yield from with_effects(state, character, sheet)
        yield from doing(state, character, sheet)
        yield from any_attack(state, character, sheet)
    yield from leave(state, character)
    yield from tests(state, character, sheet)
    yield from gear(state, character, sheet)
