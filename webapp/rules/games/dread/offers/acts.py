"""What can be done with a character, in the order of its card."""

from __future__ import annotations

from collections.abc import Iterator

from webapp.rules.blocks import Block
from webapp.rules.document import Character
from webapp.rules.games.dread.offers.checks import checks, learn
from webapp.rules.games.dread.offers.fear import for_the_gm, other_dice, scare
from webapp.rules.games.dread.sheet import Sheet
from webapp.rules.state import State


def acts(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    yield from checks(state, character, sheet)
    yield from scare(state, character, sheet)
    yield other_dice(character)
    yield learn(character)
    yield from for_the_gm(state, character, sheet)
