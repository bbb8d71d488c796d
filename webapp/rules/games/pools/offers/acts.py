"""What can be done with a character, in the order of its card."""

from __future__ import annotations

from collections.abc import Iterator

from webapp.rules.blocks import Block
from webapp.rules.document import Character
from webapp.rules.games.pools.offers.costs import costs
from webapp.rules.games.pools.offers.gear import gear
from webapp.rules.games.pools.offers.gm import for_the_gm
from webapp.rules.games.pools.offers.helping import heals, help_others
from webapp.rules.games.pools.offers.skills import skills
from webapp.rules.games.pools.offers.turn import out_of_it, turn
from webapp.rules.games.pools.sheet import Sheet
from webapp.rules.state import State


def acts(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    yield from turn(state, character, sheet)
    yield from out_of_it(state, character, sheet)
    yield from help_others(state, character, sheet)
    yield from skills(state, character, sheet)
    yield from costs(state, character, sheet)
    yield from heals(state, character)
    yield from gear(state, character, sheet)
    yield from for_the_gm(state, character, sheet)
