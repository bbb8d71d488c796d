"""Tests: for one, and asked of the whole table."""

from __future__ import annotations

from collections.abc import Iterator

from webapp.rules.blanks import choice, options_of
from webapp.rules.blocks import Block, Button, Form, Input, Menu, Offers, Place, Tab
from webapp.rules.document import Character, CharacterId, Duty, Side
from webapp.rules.games.willpower.offers.buttons import EDGES, ROLLED_WITH, named, rolled
from webapp.rules.games.willpower.rolls import Edge, in_sight
from webapp.rules.games.willpower.sheet import Attribute, Sheet
from webapp.rules.games.willpower.tasks import Test
from webapp.rules.state import State
from webapp.rules.text import text


def tests(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    tabs = tuple(
        Tab(key=edge.value, label=text(words), offers=OfAnAttribute(actor=character.id, edge=edge))
        for edge, words in (
            (Edge.NONE, "Plain"),
            (Edge.ADVANTAGE, "Advantage"),
            (Edge.DISADVANTAGE, "Disadvantage"),
        )
    )
    yield Menu(key="willpower.test", duty=Duty.TESTS, label=text("Test"), place=Place.DICE, tabs=tabs)
    yield _any_test(state, character)


def _any_test(state: State, character: Character) -> Form:
    foes = [one for one in state.characters(Side.FOE) if in_sight(state, one.id, of=character.id)]
    against = (("", text("nobody")), *((one.id, named(one)) for one in foes))
    return Form(
        key="willpower.test.any",
        duty=Duty.TESTS,
        label=text("Another test"),
        move={"move": Test.kind(), "actor": character.id},
        fields=(
            choice("attribute", text("Attribute"), ATTRIBUTES),
            choice("edge", ROLLED_WITH, EDGES),
            Input(
                name="modifier",
                label=text("Harder by"),
                kind="number",
                value=0,
                lowest=-20,
                highest=20,
                help=text("Below 0: easier."),
            ),
            choice("against", text("Against"), against),
        ),
        button=text("Roll"),
        why_not=Test(actor=character.id, attribute=Attribute.GUTS).refusal(state),
        place=Place.DICE,
    )


class OfAnAttribute(Offers):
    """One test of each attribute."""

    actor: CharacterId
    edge: Edge

    def buttons(self, state: State) -> Iterator[Button]:
        for attribute in Attribute:
            move = Test(actor=self.actor, attribute=attribute, edge=self.edge)
            yield rolled(state, move, text(attribute.value.capitalize()))


ATTRIBUTES = options_of(Attribute)
