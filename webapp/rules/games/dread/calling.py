"""Who asks for a fear test, and a test told from other dice."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from webapp.rules.calls import call_for
from webapp.rules.document import Character, CharacterId, Side
from webapp.rules.errors import NOBODY, RuleError
from webapp.rules.games.dread.fear import FearTest, Resist, fear_test, title, weigh
from webapp.rules.games.dread.house import CritRule, House
from webapp.rules.games.dread.rolls import NO_SHEET
from webapp.rules.games.dread.shaken import Result
from webapp.rules.games.dread.sheet import Difficulty, Sheet
from webapp.rules.move import Leave, Move, OwnMove, Step
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, text


def ask_for_fear(scene: Scene, difficulty: int, whom: tuple[CharacterId, ...], *, secret: bool = False) -> None:
    steps: dict[CharacterId, Step] = {
        who: FearTest(actor=who, difficulty=difficulty, secret=secret) for who in dict.fromkeys(whom)
    }
    call_for(scene, title(difficulty), steps, secret=secret, question=Resist)


class CallFear(Move):
    """F-01: the GM asks for a fear test. Empty: all heroes who are up, for the others don't see it."""

    game: ClassVar[str] = "dread"
    by = Leave.GM
    difficulty: Difficulty
    characters: Annotated[tuple[CharacterId, ...], Field(max_length=500)] = ()
    secret: bool = False

    def refusal(self, state: State) -> Text | None:
        return not_all_can_fear(state, self.characters) or (
            None if self._asked(state) else text("There is no hero who could be frightened.")
        )

    def apply(self, scene: Scene) -> None:
        ask_for_fear(scene, self.difficulty, self._asked(scene), secret=self.secret)

    def _asked(self, state: State) -> tuple[CharacterId, ...]:
        heroes = [one for one in state.characters(Side.HERO) if state.find(Sheet, one.id) is not None]
        return self.characters or tuple(one.id for one in heroes if not state.rulebook.downs(state, one))


def not_all_can_fear(state: State, whom: tuple[CharacterId, ...]) -> Text | None:
    if any(state.find(Character, who) is None for who in whom):
        return NOBODY
    return NO_SHEET if any(state.find(Sheet, who) is None for who in whom) else None


class TellFear(OwnMove):
    """A fear test from other dice: the total and whether it is a critical failure. It answers an open test first."""

    game: ClassVar[str] = "dread"
    total: Annotated[int, Field(ge=-99, le=999)]
    difficulty: Difficulty | None = None
    critical: bool = False

    def refusal(self, state: State) -> Text | None:
        if state.find(Sheet, self.actor) is None:
            return NO_SHEET
        if self.difficulty is None and self._open(state) is None:
            return text("No fear test waits: tell its difficulty too.")
        return None

    def apply(self, scene: Scene) -> None:
        test = self._wanted(scene)
        success = self.total >= test.difficulty
        if self.critical and success:
            raise RuleError("A roll that reaches the difficulty can't be a critical failure.")
        critical = self.critical or (None if self._gm_says(scene) and not success else False)
        weigh(scene, test, Result(total=self.total, success=success, critical=critical))

    def _wanted(self, scene: Scene) -> FearTest:
        """The open test of this difficulty is answered; another one stands for itself."""
        question = self._open(scene)
        if question is None:
            assert self.difficulty is not None
            return FearTest(actor=self.actor, difficulty=self.difficulty)
        scene.withdraw(question)
        scene.thread = question.thread
        return fear_test(scene, question.step)

    def _open(self, state: State) -> Resist | None:
        waiting = (one for one in state.questions() if isinstance(one, Resist) and one.addressee == self.actor)
        return next(
            (one for one in waiting if self.difficulty in (None, fear_test(state, one.step).difficulty)),
            None,
        )

    def _gm_says(self, state: State) -> bool:
        return state.house(House).crit_rule is CritRule.GM
