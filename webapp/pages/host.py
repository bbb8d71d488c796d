"""The host's first page: the tables of this data folder, and a new one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from markupsafe import Markup
from nicegui import ui

from webapp.access import StoreProblem
from webapp.hall import TableRow
from webapp.rules.errors import RuleError
from webapp.rules.text import render
from webapp.ui.face import face
from webapp.ui.live import OK, Answer, Item, Piece, Shelf, View
from webapp.ui.markup import PLAIN, join, move_attrs, submit
from webapp.ui.page import Page


class Host(View):
    def __init__(self, page: Page) -> None:
        super().__init__()
        self.page = page
        with ui.element("div").classes("host"):
            Piece(Item("title", "Gritboard", tag="h1"))
            self.reach = Piece(Item("reach", "", tag="p"))
            Piece(Item("tables", "Your tables", tag="h2"))
            self.tables = Shelf(classes="tables")
            Piece(Item("samples", "Ready to play", tag="h2"))
            Shelf(classes="tables").show(self._samples())
            Piece(Item("new", "A new table", tag="h2"))
            Piece(Item("form", self._form(), tag="form", classes="form", attrs=_new_table()))

    def draw(self) -> None:
        words = (
            "A phone has reached this computer: you are ready."
            if self.page.hall.phone_seen
            else "No phone has reached this computer yet. Phones must be on the same Wi-Fi."
        )
        classes = "reach yes" if self.page.hall.phone_seen else "reach"
        self.reach.show(Item("reach", words, tag="p", classes=classes, attrs={"role": "status"}))
        self.tables.show(self._tables())

    def _tables(self) -> Iterator[Item]:
        rows = self.page.hall.rows()
        if not rows:
            yield Item("none", "None yet. Name one below and you are at the table.", tag="p", classes="quiet")
        for row in reversed(rows):
            try:
                name = self.page.hall.table(row).name
            except StoreProblem as problem:
                yield Item(row.id, problem.sentence, tag="p", classes="quiet")
                continue
            games = ", ".join(
                render(self.page.hall.rulebook.games[game].title, PLAIN)
                for game in row.games
                if game in self.page.hall.rulebook.games
            )
            words = Markup("{}<span class='who'><b>{}</b><small>{} · {}</small></span>").format(
                face(row.name), name, games, row.code
            )
            yield Item(row.id, words, tag="a", classes="button wide", attrs={"href": f"/t/{row.code}/gm"})

    def _samples(self) -> Iterator[Item]:
        for sample in self.page.hall.samples():
            words = Markup("{}<span class='who'><b>{}</b><small>{}</small></span>").format(
                face(sample.name), sample.name, sample.line
            )
            attrs = move_attrs({"move": "page.new_sample", "sample": sample.id}, f"Open {sample.name}")
            yield Item(sample.id, words, tag="button", classes="button wide", attrs=attrs)

    def _form(self) -> Markup:
        games = self.page.hall.rulebook.games
        boxes = join(
            Markup(
                '<label class="field switch"><input type="checkbox" name="games[]" value="{}"{}>'
                "<span>{}</span></label>"
            ).format(name, Markup(" checked") if nth == 0 else "", render(game.title, PLAIN))
            for nth, (name, game) in enumerate(games.items())
        )
        return Markup(
            '<div class="fields"><label class="field"><span>Name of the table</span>'
            '<input name="name" maxlength="40" required autocomplete="off"></label>{}</div>{}'
        ).format(boxes, submit("Open the table"))

    def receive(self, move: dict[str, Any], tap: str | None) -> Answer:
        if not self.page.is_host():
            return {"ok": False, "say": "Only the host can do that."}
        try:
            row = self._opened(move, tap)
        except RuleError as refused:
            return {"ok": False, "say": render(refused.sentence, PLAIN)}
        with self.reach:
            ui.navigate.to(f"/t/{row.code}/gm")
        return OK

    def _opened(self, move: dict[str, Any], tap: str | None) -> TableRow:
        match move:
            case {"move": "page.new_table", "name": str(name), "games": list(games)}:
                return self.page.hall.new_table(name, tuple(str(game) for game in games), tap=tap)
            case {"move": "page.new_sample", "sample": str(sample)}:
                row = self.page.hall.new_sample(sample, tap=tap)
                if row is not None:
                    return row
        raise RuleError("This page knows no such thing.")


def _new_table() -> dict[str, str]:
    return move_attrs({"move": "page.new_table"}, "Open the table")
