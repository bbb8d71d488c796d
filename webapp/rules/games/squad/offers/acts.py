"""What can be done with a character, in the order of its card."""

from __future__ import annotations

from webapp.rules.blocks import Block
from webapp.rules.document import Character
from webapp.rules.games.squad.offers.fight import turn
from webapp.rules.games.squad.offers.gear import gear
from webapp.rules.games.squad.offers.gm import orders
from webapp.rules.games.squad.offers.helping import help_outside_a_fight
from webapp.rules.games.squad.offers.tasks import tasks
from webapp.rules.games.squad.offers.will import will
from webapp.rules.games.squad.sheet import Sheet
from webapp.rules.state import State


def acts(state: State, character: Character, sheet: Sheet) -> tuple[Block, ...]:
    return (
        *turn(state, character, sheet),
        *tasks(state, character, sheet),
        *help_outside_a_fight(state, character, sheet),
        *will(state, character, sheet),
        *gear(state, character, sheet),
        *orders(state, character, sheet),
    )
