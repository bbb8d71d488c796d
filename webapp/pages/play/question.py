"""The question above all else, one at a time, and what was put aside."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from webapp.pages.play.part import PhonePart
from webapp.rules.forms import sentence_case
from webapp.rules.questions_view import QuestionView
from webapp.ui.live import OK, Answer, Item, Shelf
from webapp.ui.markup import move_attrs
from webapp.ui.page import TableView
from webapp.ui.questions import question_pieces

LOOK = "Look at my sheet"


class Questions(PhonePart):
    """One card at a time, oldest first; the others behind a word that counts them.

    What was put aside stays lit below until it is taken up again; a new question opens by itself.
    """

    def __init__(self, view: TableView) -> None:
        super().__init__(view)
        self.aside: set[str] = set()
        self.question = Shelf("section", classes="question-sheet", attrs={"aria-label": "Open question"})
        self.aside_bar = Shelf(classes="aside-bar")

    @property
    def is_open(self) -> bool:
        return self.question.is_filled

    def draw(self) -> None:
        questions = self._asked()
        self.aside &= {question.id for question in questions}
        open_now = tuple(question for question in questions if question.id not in self.aside)
        self.question.box.classes(remove="" if open_now else "open", add="open" if open_now else "")
        self.question.show(self._open_question(open_now))
        self.aside_bar.show(() if open_now else self._aside(questions))

    def at_page(self, name: str, move: dict[str, Any]) -> Answer | None:
        match name:
            case "page.aside":
                self.aside = {question.id for question in self._asked()}
            case "page.take_up":
                self.aside = set()
            case _:
                return None
        self.mark()
        return OK

    def _asked(self) -> tuple[QuestionView, ...]:
        return tuple(question for question in self.picture.questions() if not question.chip)

    def _open_question(self, questions: tuple[QuestionView, ...]) -> Iterator[Item]:
        if not questions:
            return
        if len(questions) > 1:
            yield Item("many", f"1 of {len(questions)} questions", tag="p", classes="wide quiet")
        with_name = len(self.picture.own()) > 1
        yield from question_pieces(questions[0], with_name=with_name, picked=self.picked)
        attrs = move_attrs({"move": "page.aside"}, LOOK)
        yield Item("aside", LOOK, tag="button", classes="button aside", attrs=attrs)

    def _aside(self, questions: tuple[QuestionView, ...]) -> Iterator[Item]:
        if not questions:
            return
        more = f" (1 of {len(questions)})" if len(questions) > 1 else ""
        first = questions[0]
        label = f"Tell the dice{more}" if first.dice else f"{sentence_case(first.brief)} – answer{more}"
        attrs = move_attrs({"move": "page.take_up"}, label)
        yield Item("take up", label, tag="button", classes="button primary", attrs=attrs)
