"""Tasks: an attribute die against a number, or against half of somebody's die."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from webapp.rules.document import CharacterId
from webapp.rules.games.squad.rolls import (
    NO_SHEET,
    NOBODY,
    Outcome,
    Rolled,
    cannot_raise,
    half_of,
    in_sight,
    leave_the_last,
    pay_to_raise,
    raised,
    second_try,
    throw,
    unable,
)
from webapp.rules.games.squad.sheet import Attribute, Sheet
from webapp.rules.move import OwnMove
from webapp.rules.roll import Ask, Wins
from webapp.rules.scene import Scene, State
from webapp.rules.text import Text, Who, text


class Task(OwnMove):
    """S-04 … S-07: at least the difficulty succeeds. `raised` costs a Will Point (S-56)."""

    game: ClassVar[str] = "squad"
    attribute: Attribute
    difficulty: Annotated[int | None, Field(ge=1, le=30)] = None
    against: CharacterId | None = None
    their: Attribute | None = None
    raised: bool = False

    def refusal(self, state: State) -> Text | None:
        if state.find(Sheet, self.actor) is None:
            return NO_SHEET
        if (self.difficulty is None) == (self.against is None):
            return text("Name a difficulty, or somebody to try it against.")
        if self.against is not None:
            if not in_sight(state, self.against, of=self.actor):
                return NOBODY
            if state.find(Sheet, self.against) is None:
                return NO_SHEET
        no_raise = cannot_raise(state, self.actor, state.sheet(Sheet, self.actor).die(self.attribute))
        return (no_raise if self.raised else None) or unable(state, self.actor)

    def apply(self, scene: Scene) -> None:
        leave_the_last(scene, self.actor)
        pay_to_raise(scene, self.actor, self.raised)
        scene.then(self._roll())

    def ask(self, state: State) -> Ask:
        return self._roll().ask(state)

    def _roll(self) -> TaskRoll:
        return TaskRoll(
            actor=self.actor,
            attribute=self.attribute,
            difficulty=self.difficulty,
            against=self.against,
            their=self.their,
            raised=self.raised,
        )


class TaskRoll(Rolled):
    game: ClassVar[str] = "squad"
    actor: CharacterId
    attribute: Attribute
    difficulty: int | None
    against: CharacterId | None
    their: Attribute | None

    @property
    def thrower(self) -> CharacterId:
        return self.actor

    def ask(self, state: State) -> Ask:
        target, against = self._difficulty(state)
        return Ask(
            what=text("{attribute}", attribute=self.attribute.value),
            roller=self.actor,
            dice=(raised(state.sheet(Sheet, self.actor).die(self.attribute), self.raised),),
            wins=Wins.AT_LEAST,
            target=target,
            against=against,
        )

    def apply(self, scene: Scene) -> None:
        roll = throw(scene, self.ask(scene))
        outcome = Outcome.SUCCESS if roll.success else Outcome.FAILURE
        sentence = text(
            "{who} rolls {attribute}: {total} against {target}, {outcome}.",
            who=Who(who=self.actor),
            attribute=self.attribute.value,
            total=roll.total,
            target=roll.ask.against or "",
            outcome=outcome.value,
        )
        scene.say(sentence, roll, brief=sentence, outcome=outcome)
        if not roll.success:
            second_try(scene, self, sentence)

    def _difficulty(self, state: State) -> tuple[int, Text]:
        if self.against is None:
            assert self.difficulty is not None
            return self.difficulty, text("{number}", number=self.difficulty)
        return half_of(state, self.against, self.their or self.attribute)
