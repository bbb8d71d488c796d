"""Questions answered: by a choice, by dice told by hand, or passed by."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from webapp.rules.asking import Faces, Settling
from webapp.rules.document import Notice, body_of
from webapp.rules.move import Leave, Move, OwnMove
from webapp.rules.question import Question
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, text
from webapp.rules.viewer import Role


class Answer(Move):
    """Answers the open question of this id."""

    by = Leave.ADDRESSEE
    question: str
    choice: Annotated[str, Field(max_length=60)]
    amount: int | None = None

    def refusal(self, state: State) -> Text | None:
        question = open_question(state, self.question)
        if question is None:
            return text("That is decided already.")
        choice = question.choice(state, self.choice)
        if choice is None:
            return text("That is not one of the choices.")
        lowest, highest = choice.amounts or (0, 0)
        if choice.amounts is not None and not lowest <= (self.amount or 0) <= highest:
            return text("It takes a number from {lowest} to {highest}.", lowest=lowest, highest=highest)
        return choice.why_not

    def apply(self, scene: Scene) -> None:
        question = open_question(scene, self.question)
        assert question is not None
        settle(scene, question, self.choice, self.amount)


class TellFaces(Move):
    """The faces of dice rolled by hand, all that were asked for, in order."""

    by = Leave.ADDRESSEE
    question: str
    faces: Annotated[tuple[int, ...], Field(max_length=100)]

    def refusal(self, state: State) -> Text | None:
        question = open_question(state, self.question)
        if not isinstance(question, Faces):
            return text("Those dice are told already.")
        if len(self.faces) != len(question.wanted):
            return text("Tell {count} dice.", count=len(question.wanted))
        for face, side in zip(self.faces, question.wanted, strict=True):
            if not 1 <= face <= side:
                return text("A {die} can't show {face}.", die=f"d{side}", face=face)
        return None

    def apply(self, scene: Scene) -> None:
        question = open_question(scene, self.question)
        assert isinstance(question, Faces)
        scene.withdraw(question)
        scene.thread = question.thread
        faces = (*question.told, *self.faces)
        scene.run_or_drop(scene.rulebook.step(question.step), faces, question.thrown)


class Noted(OwnMove):
    """The player has read what was decided meanwhile."""

    def refusal(self, state: State) -> Text | None:
        return text("That is put away already.") if state.find(Notice, self.actor) is None else None

    def apply(self, scene: Scene) -> None:
        scene.remove(scene.get(Notice, self.actor))


def open_question(state: State, id: str) -> Question | None:
    return next((question for question in state.questions() if question.id == id), None)


def settle(scene: Scene, question: Question, choice: str, amount: int | None = None, *, told: bool = True) -> None:
    """Answers an open question; when another than its player does, the player finds out on waking."""
    scene.withdraw(question)
    scene.thread = question.thread
    heard = len(scene.lines)
    scene.run_or_drop(Settling(question=question.kind(), body=body_of(question), choice=choice, amount=amount))
    if told and scene.viewer.role is Role.GM:
        scene.notify(question, choice, scene.lines[heard:])


def pass_by(scene: Scene, waiting: list[Question]) -> None:
    """Answers all that waits by its default, and whatever those answers ask in turn."""
    while waiting:
        settle(scene, waiting[0], waiting[0].default)
        waiting = [question for question in scene.questions() if question.holds_up]


def missed(notice: Notice) -> Text:
    """What was decided without the one who was asked: "the GM let it hit. Ann takes 4 damage, 11 HP left." """
    said = notice.said
    chain = text("") if not said else said[0]
    for sentence in said[1:]:
        chain = text("{first} {then}", first=chain, then=sentence)
    return text("{decided} {said}", decided=notice.decided, said=chain)
