"""What the GM does for the whole table."""

from __future__ import annotations

from collections.abc import Iterator

from webapp.rules.blanks import asked_of_heroes, choice, heroes, line, number
from webapp.rules.blocks import Block, Form, Menu, Place, Reach
from webapp.rules.document import Duty
from webapp.rules.games.willpower.fear import FaceIt, knows_fear
from webapp.rules.games.willpower.offers.buttons import EDGES, ROLLED_WITH
from webapp.rules.games.willpower.offers.testing import ATTRIBUTES
from webapp.rules.games.willpower.sheet import Attribute, Sheet
from webapp.rules.games.willpower.tasks import CallTest
from webapp.rules.offer import lone, offer
from webapp.rules.state import State
from webapp.rules.text import Who, text


def gm_blocks(state: State) -> Iterator[Block]:
    yield from _fearsome(state)
    yield _face_it(state)
    yield _ask_the_table(state)


def _fearsome(state: State) -> Iterator[Menu]:
    for faced, label, place in ((False, "Fearsome", Place.FIGHT), (True, "Faced already", Place.MORE)):
        buttons = tuple(
            offer(state, FaceIt(foe=foe), text("All face {foe}", foe=Who(who=foe)))
            for foe in knows_fear(state, faced=faced)
        )
        if buttons:
            key = f"willpower.fearsome.{place}"
            yield lone(key, text(label), *buttons, place=place, reach=Reach.GM, duty=Duty.FEAR)


def _face_it(state: State) -> Form:
    return Form(
        key="willpower.face",
        duty=Duty.FEAR,
        label=text("Face it: Guts"),
        move={"move": FaceIt.kind()},
        fields=(
            line("what", text("What"), 60, "something disturbing"),
            *heroes(state, Sheet),
        ),
        button=text("Face it"),
        why_not=FaceIt().refusal(state),
        reach=Reach.GM,
    )


def _ask_the_table(state: State) -> Form:
    return asked_of_heroes(
        state,
        Sheet,
        CallTest(attribute=Attribute.GUTS),
        text("Ask the table for a test"),
        choice("attribute", text("Attribute"), ATTRIBUTES),
        choice("edge", ROLLED_WITH, EDGES),
        number("modifier", text("Harder by"), 0, -20, 20),
        duty=Duty.TESTS,
    )
