"""What a scene itself asks for and carries out: the dice of somebody who rolls by hand, and an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from webapp.rules.document import CharacterId
from webapp.rules.move import Step
from webapp.rules.question import Choice, Question
from webapp.rules.text import Text, text

if TYPE_CHECKING:
    from webapp.rules.scene import Scene
    from webapp.rules.state import State


class Settling(Step):
    """Carries an answer out; the dice are those of the one who was asked."""

    question: str
    body: dict[str, Any]
    choice: str
    amount: int | None = None

    @property
    def thrower(self) -> CharacterId | None:
        who = self.body["addressee"]
        return who if isinstance(who, str) else None

    def apply(self, scene: Scene) -> None:
        question = scene.rulebook.documents[self.question].model_validate(self.body)
        assert isinstance(question, Question)
        question.settle(scene, self.choice, self.amount)


class Faces(Question):
    """A roll by hand that waits for its dice: `wanted` are the sides still to be told, in order.

    `told` are the step's faces so far; at the places `thrown` they were rolled for the one who was asked.
    """

    default = "roll"
    addressee: CharacterId | None
    step: dict[str, Any]
    told: tuple[int, ...] = ()
    thrown: tuple[int, ...] = ()
    wanted: tuple[int, ...]
    what: Text | None = None

    def ask(self, state: State) -> Text:
        dice = ", ".join(f"d{side}" for side in self.wanted)
        return text(
            "Roll {dice}{what}.", dice=dice, what="" if self.what is None else text(": {what}", what=self.what)
        )

    def brief(self) -> Text:
        return text("rolling")

    def choices(self, state: State) -> tuple[Choice, ...]:
        return (Choice(id="roll", label=text("Roll these for me")),)

    def passed_by(self) -> Text:
        return text("Roll for them")

    def pointless(self, state: State) -> bool:
        return state.rulebook.step(self.step).pointless(state)

    def settle(self, scene: Scene, choice: str, amount: int | None) -> None:
        if self.pointless(scene):
            scene.run(scene.rulebook.step(self.step))
            return
        faces = (*self.told, *scene.fair.throw(self.wanted))
        thrown = (*self.thrown, *range(len(self.told), len(faces)))
        scene.run(scene.rulebook.step(self.step), faces, thrown)
