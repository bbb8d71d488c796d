"""What waits, what may be answered, and the log."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from markupsafe import Markup
from nicegui import ui

from webapp.access import Device
from webapp.rules.questions_view import QuestionView
from webapp.rules.state import TOLD
from webapp.seats import is_on_paper
from webapp.ui.calls import grid
from webapp.ui.live import OK, Answer, Item, Shelf
from webapp.ui.log import row_item, undo_button
from webapp.ui.markup import hidden_mark, move_attrs
from webapp.ui.page import TableView
from webapp.ui.part import Part
from webapp.ui.questions import question_card, question_pieces

ROWS, MOST_ROWS = 30, 2_000


class Talk(Part):
    def __init__(self, view: TableView) -> None:
        super().__init__(view)
        self.rows = ROWS
        with ui.element("section").classes("column talk").props('aria-label="What waits, and the log"'):
            self.waiting = Shelf(classes="waiting")
            self.chips = Shelf(classes="chips")
            self.log = Shelf(classes="log")

    def draw(self) -> None:
        self.waiting.show(self.drawn_as_picked("waiting", pieces=self._waiting))
        self.chips.show(self.drawn("chips", pieces=self._chips))
        self.log.show(self.drawn_as_picked("log", self.rows, pieces=self._log))

    def at_page(self, name: str, move: dict[str, Any]) -> Answer | None:
        match name:
            case "page.admit" | "page.add" | "page.refuse":
                return self._let_in(name, str(move.get("device"))[:80])
            case "page.admit_all":
                return self._let_all_in()
            case "page.nudge":
                return self._nudge(str(move.get("question")))
            case "page.older":
                self.rows = min(MOST_ROWS, self.rows + ROWS)
                self.mark()
                return OK
        return None

    def was_undone(self, entry: str, *, ways: bool) -> None:
        """Where undoing it takes a choice, the choice stands below its row."""
        self.picked["stuck"] = entry if ways else ""
        self.mark()

    def _let_in(self, name: str, device: str) -> Answer:
        access = self.page.hall.access
        if device not in {one.id for one in access.waiting(self.row.id)}:
            return {"ok": False, "say": "This device no longer waits."}
        if name == "page.refuse":
            access.refuse(device)
        else:
            access.admit(device, add=name == "page.add")
        return OK

    def _let_all_in(self) -> Answer:
        """Of several that want one seat, the first."""
        access = self.page.hall.access
        for waiting in {one.seat: one.id for one in reversed(access.waiting(self.row.id))}.values():
            access.admit(waiting)
        return OK

    def _waiting(self) -> Iterator[Item]:
        self.table.state.note(TOLD)
        questions = [question for question in self.picture.questions() if not question.chip]
        requests = self.page.hall.access.waiting(self.row.id)
        if questions or requests or self.picture.calls():
            yield Item("title", "Waiting for", tag="h2", classes="wide")
        if len(requests) > 1:
            attrs = move_attrs({"move": "page.admit_all"}, "Let all of them in")
            yield Item("admit all", "Let all of them in", tag="button", classes="button wide", attrs=attrs)
        for device in requests:
            yield from self._request(device)
        for call in self.picture.calls():
            yield from grid(call)
        called = {row.question for call in self.picture.calls() for row in call.rows}
        for question in questions:
            if question.id not in called:
                yield from self._question(question)

    def _request(self, device: Device) -> Iterator[Item]:
        """A browser that wants to have a seat."""
        names = self.page.hall.seats(self.row.id)
        name = names[device.seat].name if device.seat in names else "somebody"
        words = Markup("{} wants to be <b>{}</b>").format(device.label, name)
        yield Item(f"{device.id} asks", words, tag="p", classes="wide")
        for move, label in (("admit", "Let in"), ("add", "Add as a second"), ("refuse", "Refuse")):
            attrs = move_attrs({"move": f"page.{move}", "device": device.id}, f"{label}: {name}")
            yield Item(f"{device.id} {move}", label, tag="button", classes="button small", attrs=attrs)

    def _chips(self) -> Iterator[Item]:
        """What may be answered, and holds nothing up."""
        for question in self.picture.questions():
            if question.chip:
                yield question_card(question, with_name=True)

    def _question(self, view: QuestionView) -> Iterator[Item]:
        yield from question_pieces(view, with_name=True, picked=self.picked, gm=True)
        begun = self.picture.began(view.id) if view.dice else None
        if begun is not None:
            attrs = move_attrs({"move": "table.undo", "entry": begun}, f"Take the roll back: {view.name}")
            yield Item(f"q {view.id} back", "Take the roll back", tag="button", classes="button small", attrs=attrs)
        asked = None if view.addressee is None else self.picture.card(view.addressee)
        if asked is not None and asked.hidden:
            yield Item(f"q {view.id} hidden", hidden_mark(), tag="p", classes="wide")
        if view.addressee is None or not self._has_phone(view.addressee):
            return
        attrs = move_attrs({"move": "page.nudge", "question": view.id}, f"Nudge {view.name}")
        yield Item(f"q {view.id} nudge", "Nudge the phone", tag="button", classes="button small", attrs=attrs)

    def _has_phone(self, who: str) -> bool:
        seats = self.page.hall.seats(self.row.id)
        return any(seat in seats and not is_on_paper(seats[seat]) for seat in self.table.state.character(who).seats)

    def _nudge(self, question: str) -> Answer:
        asked = next((one for one in self.picture.questions() if one.id == question), None)
        if asked is None or asked.addressee is None:
            return {"ok": False, "say": "That is decided already."}
        seats = self.table.state.character(asked.addressee).seats
        reached = self.page.nudge(seats)
        return {
            "ok": True,
            "say": f"{asked.name}'s phone is nudged." if reached else f"{asked.name}'s phone is away.",
        }

    def _log(self) -> Iterator[Item]:
        yield Item("title", "Log", tag="h2", classes="wide")
        shown = self.picture.log(self.rows)
        for row in reversed(shown):
            yield row_item(row)
            if self.picked.get("stuck") == row.id:
                yield from self._ways_to_undo(row.id)
            elif row.may_undo:
                yield undo_button(row.id)
        if len(shown) == self.rows and self.rows < MOST_ROWS:
            attrs = move_attrs({"move": "page.older"}, "Older rows")
            yield Item("older", "Older rows", tag="button", classes="button wide", attrs=attrs)

    def _ways_to_undo(self, row: str) -> Iterator[Item]:
        for way, words in (("what can", "Put back what can be"), ("back", "Back to before this row")):
            attrs = move_attrs({"move": "table.undo", "entry": row, "way": way}, words)
            yield Item(f"{row} {way}", words, tag="button", classes="button small", attrs=attrs)
        attrs = move_attrs({"move": "page.tab", "menu": "stuck", "tab": ""}, "Leave it")
        yield Item(f"{row} leave", "Leave it", tag="button", classes="button small", attrs=attrs)
