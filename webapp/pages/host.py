"""The host's first page: the tables of this data folder, and a new one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from markupsafe import Markup
from nicegui import ui

from webapp.access import StoreProblem
from webapp.hall import TableRow
from webapp.rules.errors import RuleError
from webapp.rules.ruleset import RuleSet
from webapp.rules.text import render
from webapp.ui.face import face
from webapp.ui.live import OK, Answer, Item, Piece, Shelf, View
from webapp.ui.markup import PLAIN, join, move_attrs, submit
from webapp.ui.page import Page
from webapp.ui.poster import reach


class Host(View):
    """Who has tables goes on with one; who has none is shown the two ways to one."""

    def __init__(self, page: Page) -> None:
        super().__init__()
        self.page = page
        self.follow(page.hall.reach.changed)
        with ui.element("div").classes("host"):
            Piece(Item("title", "Gritboard", tag="h1"))
            self.lead = Piece(Item("lead", "", tag="p", classes="lead"))
            self.tables = Shelf(classes="tables")
            self.ways = Piece(Item("ways", "", tag="h2"))
            with ui.element("div").classes("ways"):
                with ui.element("section").classes("way"):
                    Piece(Item("title", "Open a sample table", tag="h2"))
                    Piece(Item("line", "Heroes, foes and a first scene: one tap, and you play.", tag="p"))
                    Shelf(classes="tables").show(self._samples())
                with ui.element("section").classes("way"):
                    Piece(Item("title", "Your own table", tag="h2"))
                    Piece(Item("form", self._form(), tag="form", classes="form", attrs=_new_table()))
            self.reach = Piece(reach(page.hall.reach.seen))

    def draw(self) -> None:
        rows = sorted(self.page.hall.rows(), key=self.page.hall.last_played, reverse=True)
        lead = "Your table waits for you." if rows else "You are the GM on this computer. How do you want to begin?"
        self.lead.show(Item("lead", lead, tag="p", classes="lead"))
        self.ways.show(Item("ways", "Another table" if rows else "", tag="h2"))
        self.reach.show(reach(self.page.hall.reach.seen))
        self.tables.show(self._tables(rows))

    def _tables(self, rows: list[TableRow]) -> Iterator[Item]:
        """The one that was played last is the largest thing here."""
        for nth, row in enumerate(rows):
            try:
                table = self.page.hall.table(row)
            except StoreProblem as problem:
                yield Item(row.id, problem.sentence, tag="p", classes="quiet")
                continue
            games = ", ".join(render(game.title, PLAIN) for game in self._played(table.state.settings.games))
            lead = Markup("<small>Go on</small>") if nth == 0 else ""
            words = Markup("{}<span class='who'>{}<b>{}</b><small>{} · {}</small></span>").format(
                face(row.name), lead, table.name, games, row.code
            )
            classes = "button wide primary go-on" if nth == 0 else "button wide"
            yield Item(row.id, words, tag="a", classes=classes, attrs={"href": f"/t/{row.code}/gm"})

    def _played(self, names: Iterable[str]) -> Iterator[RuleSet[Any]]:
        known = self.page.hall.rulebook.games
        return (known[name] for name in names if name in known)

    def _samples(self) -> Iterator[Item]:
        for sample in self.page.hall.samples():
            games = ", ".join(render(game.title, PLAIN) for game in self._played(sample.games))
            words = Markup(
                "{}<span class='who'><b>{}</b><small>{}</small><small class='games'>{}</small></span>"
            ).format(face(sample.name), sample.name, sample.line, games)
            attrs = move_attrs({"move": "page.new_sample", "sample": sample.id}, f"Open {sample.name}")
            yield Item(sample.id, words, tag="button", classes="button wide", attrs=attrs)

    def _form(self) -> Markup:
        boxes = join(_box(game, checked=nth == 0) for nth, game in enumerate(self.page.hall.rulebook.games.values()))
        return Markup(
            '<fieldset class="choose"><legend>1. Which rules?</legend>'
            '<p class="quiet">One or several: they stack, and a hero then carries a sheet of each.</p>{}</fieldset>'
            '<label class="field"><span class="step-title">2. Name of the table</span>'
            '<input name="name" maxlength="40" required autocomplete="off"></label>{}'
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


def _box(game: RuleSet[Any], *, checked: bool) -> Markup:
    """A rule set to pick, with the sentence that says what it is."""
    return Markup(
        '<label class="field switch"><input type="checkbox" name="games[]" value="{}"{}>'
        "<span>{}</span><small>{}</small></label>"
    ).format(game.id, Markup(" checked") if checked else "", render(game.title, PLAIN), render(game.line, PLAIN))
