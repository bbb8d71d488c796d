"""What the GM does: for the whole table, and with those of the other side."""

from __future__ import annotations

from collections.abc import Iterator

from webapp.rules.blocks import Block, Menu, Place, Reach
from webapp.rules.document import Character, Duty, Side
from webapp.rules.games.squad.foes import Orders
from webapp.rules.games.squad.offers.tasks import ask_the_table
from webapp.rules.games.squad.sheet import Sheet, Standing
from webapp.rules.games.squad.surprise import Surprise, may_surprise
from webapp.rules.offer import lone, offer
from webapp.rules.state import State
from webapp.rules.text import text


def gm_blocks(state: State) -> Iterator[Block]:
    fight = state.fight()
    yield ask_the_table(state)
    if fight is None:
        return
    if may_surprise(state, fight):
        lie_in_wait = offer(state, Surprise(ambush=True), text("Heroes lie in wait"))
        walk_into_it = offer(state, Surprise(ambush=False), text("Heroes may be surprised"))
        rolls = (lie_in_wait, walk_into_it)
        yield lone("squad.surprise", text("Surprise: the heroes roll"), *rolls, reach=Reach.GM, duty=Duty.BLOWS)


def orders(state: State, character: Character, sheet: Sheet) -> Iterator[Menu]:
    """What the GM has told all foes of this name."""
    if character.side is Side.FOE:
        other = Standing.NEVER if sheet.parry is Standing.BEST else Standing.BEST
        word = text("All {name}: never parry") if other is Standing.NEVER else text("All {name}: parry again")
        label = text(word.template, name=character.name)
        flip = offer(state, Orders(name=character.name, parry=other), label)
        yield lone("squad.orders", text("Standing order"), flip, reach=Reach.GM, place=Place.SHEET, duty=Duty.BLOWS)
