"""What an action costs, and what takes its time."""

from __future__ import annotations

from collections.abc import Iterator

from webapp.rules.blanks import choice, line, number, options_of
from webapp.rules.blocks import Block, Form, Place
from webapp.rules.document import Character, Duty
from webapp.rules.games.pools.hurts import Pay
from webapp.rules.games.pools.offers.buttons import menu
from webapp.rules.games.pools.sheet import Pool, Sheet
from webapp.rules.games.pools.turns import Declare
from webapp.rules.offer import offer
from webapp.rules.state import State
from webapp.rules.text import text


def costs(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    yield Form(
        key="pools.pay",
        duty=Duty.BLOWS,
        label=text("Pay a cost"),
        move={"move": Pay.kind(), "actor": character.id},
        fields=(
            choice("pool", text("From"), options_of(Pool), "energy"),
            number("amount", text("How much"), 1, 1, 99),
        ),
        button=text("Pay"),
    )
    yield Form(
        key="pools.declare",
        duty=Duty.BLOWS,
        label=text("Declare, then act"),
        move={"move": Declare.kind(), "actor": character.id},
        fields=(line("action", text("What you begin"), 60),),
        button=text("Begin"),
        why_not=Declare(actor=character.id, action="anything").refusal(state),
        place=Place.MORE,
    )
    if sheet.declared:
        given_up = offer(state, Declare(actor=character.id), text("Give it up"))
        yield menu("declared", text("Under way"), given_up)
