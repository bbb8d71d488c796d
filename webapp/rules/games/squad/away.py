"""Out of the fight: whoever has taken the free blow and still stands may go, or stay after all."""

from __future__ import annotations

from typing import ClassVar

from webapp.rules.document import CharacterId, Side
from webapp.rules.games.squad.rolls import Outcome
from webapp.rules.games.squad.sheet import Condition, Sheet
from webapp.rules.knots import part
from webapp.rules.move import Step
from webapp.rules.question import Choice, Question
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text


class Leaving(Step):
    """S-42, B2-22: whoever is still above 0 HP may go, or stay after all."""

    game: ClassVar[str] = "squad"
    actor: CharacterId

    @property
    def thrower(self) -> CharacterId:
        return self.actor

    def apply(self, scene: Scene) -> None:
        if scene.sheet(Sheet, self.actor).can_act:
            scene.open(LeaveOrStay(id=scene.new_id(), addressee=self.actor))


class LeaveOrStay(Question):
    game: ClassVar[str] = "squad"
    default = "leave"

    def ask(self, state: State) -> Text:
        return text("You are still standing. Leave the fight, or stay after all?")

    def brief(self) -> Text:
        return text("away?")

    def choices(self, state: State) -> tuple[Choice, ...]:
        return (Choice(id="leave", label=text("Leave the fight")), Choice(id="stay", label=text("Stay after all")))

    def ordered(self, state: State) -> str | None:
        return "leave" if state.character(self._who).side is Side.FOE else None

    def passed_by(self) -> Text:
        return text("Away")

    def decided(self, choice: str) -> Text:
        return text("the GM let you get away.") if choice == "leave" else text("the GM let you stay.")

    def settle(self, scene: Scene, choice: str, amount: int | None) -> None:
        who = Who(who=self._who)
        if choice == "leave":
            scene.sheet(Sheet, self._who).condition = Condition.AWAY
            part(scene, self._who)
            scene.say(text("{who} gets away.", who=who), brief=text("{who} gets away", who=who), outcome=Outcome.AWAY)
        else:
            scene.say(text("{who} stays after all.", who=who), brief=text("{who} stays", who=who))
