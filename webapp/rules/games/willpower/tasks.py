"""Tests outside of blows: an attribute to roll under, alone or called for by the GM."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from webapp.rules.calls import call_for
from webapp.rules.document import Character, CharacterId, Side
from webapp.rules.errors import NOBODY
from webapp.rules.games.willpower.rolls import GAME, NO_SHEET, Edge, is_foe, out_of_sight_or_sheet, unable
from webapp.rules.games.willpower.sheet import Attribute, Sheet
from webapp.rules.games.willpower.trial import Trial
from webapp.rules.move import Leave, Move, OwnMove, Step
from webapp.rules.roll import Ask
from webapp.rules.scene import Scene
from webapp.rules.state import State as Table
from webapp.rules.text import Text, text

Modifier = Annotated[int, Field(title="Harder by", ge=-20, le=20)]


class Test(OwnMove):
    """W-02: strictly under the score. A modifier above 0 makes it harder; a foe of higher level does too."""

    game: ClassVar[str] = GAME
    attribute: Attribute
    edge: Annotated[Edge, Field(title="Rolled with")] = Edge.NONE
    modifier: Modifier = 0
    against: CharacterId | None = None

    def refusal(self, state: Table) -> Text | None:
        if state.find(Sheet, self.actor) is None:
            return NO_SHEET
        if is_foe(state, self.actor):
            return text("Foes never roll.")
        unseen = None if self.against is None else out_of_sight_or_sheet(state, self.against, of=self.actor)
        return unseen or unable(state, self.actor)

    def ask(self, state: Table) -> Ask:
        return self._roll().ask(state)

    def apply(self, scene: Scene) -> None:
        scene.then(self._roll())

    def _roll(self) -> TestRoll:
        return TestRoll(
            actor=self.actor,
            attribute=self.attribute,
            edge=self.edge,
            modifier=self.modifier,
            against=self.against,
        )


class TestRoll(Trial):
    """An attribute and nothing besides."""


class CallTest(Move):
    """The GM asks heroes for a test; in secret they do not know. Empty: all heroes."""

    game: ClassVar[str] = GAME
    by = Leave.GM
    attribute: Attribute
    edge: Annotated[Edge, Field(title="Rolled with")] = Edge.NONE
    modifier: Modifier = 0
    heroes: Annotated[tuple[CharacterId, ...], Field(max_length=40)] = ()
    secret: bool = False

    def refusal(self, state: Table) -> Text | None:
        if any(state.find(Character, who) is None for who in self.heroes):
            return NOBODY
        return None if who_can_roll(state, self.heroes) else text("There is no hero who could try.")

    def apply(self, scene: Scene) -> None:
        steps: dict[CharacterId, Step] = {
            who: TestRoll(actor=who, attribute=self.attribute, edge=self.edge, modifier=self.modifier)
            for who in who_can_roll(scene, self.heroes)
        }
        call_for(scene, text("{what}", what=self.attribute.value.capitalize()), steps, secret=self.secret)


def who_can_roll(state: Table, wanted: tuple[CharacterId, ...]) -> list[CharacterId]:
    """Those named, or all heroes, as far as they have a sheet and can act."""
    everybody = wanted or tuple(one.id for one in state.characters(Side.HERO))
    return [
        who
        for who in everybody
        if state.find(Sheet, who) is not None and not is_foe(state, who) and unable(state, who) is None
    ]
