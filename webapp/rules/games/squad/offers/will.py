"""Will Points: what brings one, and what one buys."""

from __future__ import annotations

from collections.abc import Iterator

from webapp.rules.blanks import line
from webapp.rules.blocks import Block, Form, Place, Reach
from webapp.rules.document import Character
from webapp.rules.games.squad.sheet import Sheet
from webapp.rules.games.squad.will import AskForCash, BringInWeakness, Grant, Why
from webapp.rules.offer import lone, offer
from webapp.rules.state import State
from webapp.rules.text import text


def will(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
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
        fields=(line("purpose", text("What for"), 80, "training"),),
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
