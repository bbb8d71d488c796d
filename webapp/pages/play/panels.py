"""The panels of the phone: sheet, fight, dice and log, and the tabs below them."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from markupsafe import Markup
from nicegui import ui

from webapp.pages.play.fight import FightPanel, is_up
from webapp.pages.play.part import PhonePart
from webapp.pages.play.sheet import Sheet
from webapp.rules.blocks import Place
from webapp.rules.sight import Sight
from webapp.ui import blocks
from webapp.ui.alarm import Alarm
from webapp.ui.live import OK, Answer, Item, Piece, Shelf
from webapp.ui.log import row_item, undo_button
from webapp.ui.markup import WHY, icon
from webapp.ui.page import TableView
from webapp.ui.places import place_of
from webapp.ui.tables import random_tables
from webapp.ui.tray import tray_form

TABS = (("sheet", "hero", "Sheet"), ("fight", "fight", "Fight"), ("dice", "dice", "Dice"), ("log", "log", "Log"))
LATER = 0.5  # seconds of quiet until a panel follows that nobody looks at


class Panels(PhonePart):
    def __init__(self, view: TableView) -> None:
        super().__init__(view)
        self.shown = ""  # the panel that its browser shows; until it has told, all are drawn at once
        self.sheet = Sheet(view)
        self.fight = FightPanel(view, self.sheet.habits)
        self.panels = {name: _panel(name) for name, _, _ in TABS}
        self.late = Alarm(self._draw_the_rest)

    def draw(self) -> None:
        for name, panel in self.panels.items():
            if self.shown in ("", name):
                panel.show(self._in_panel(name))
        self.late.stop()
        if self.shown:
            self.late.set(self._later())

    def at_page(self, name: str, move: dict[str, Any]) -> Answer | None:
        if name != "page.shows":
            return self.sheet.at_page(name, move)
        shown = move.get("panel")
        self.shown = shown if isinstance(shown, str) and shown in self.panels else ""
        self.mark()
        return OK

    def _later(self) -> float:
        """Not all phones in the same moment."""
        return LATER * (1 + zlib.crc32(self.page.client_id.encode()) % 16 / 16)

    def _draw_the_rest(self) -> None:
        """The panels that nobody looks at, once those that somebody looks at have had their turn."""
        if self.view.is_seen() and self.view.still_sits():
            for name, panel in self.panels.items():
                panel.show(self._in_panel(name))

    def _in_panel(self, name: str) -> Iterable[Item]:
        match name:
            case "log":
                return self.drawn("log", pieces=self._log)
            case "sheet" if self.picked.get("phone") == "on":  # tells addresses and seats, which no table knows
                return blocks.filled(self.sheet.pieces())
        pieces = {"sheet": self.sheet.pieces, "fight": self.fight.pieces, "dice": self._dice}
        return self.drawn_as_picked(name, pieces=lambda: blocks.filled(pieces[name]()))

    def _dice(self) -> Iterator[Item]:
        own, sight = self._in_hand(self.picture.own()), Sight(self.table.state, self.viewer)
        for card in own:
            for _, own_blocks in self.picture.blocks(card.id, self.picked):
                rolls = [block for block in own_blocks if place_of(block) is Place.DICE]
                yield from blocks.pieces(rolls, card.id, sight, self.picked)
        yield tray_form()
        if self.picture.tables():
            yield Item("tables", "Random tables", tag="h2", classes="wide menu")
        yield from random_tables(self.picture.tables(), sight)

    def _log(self) -> Iterator[Item]:
        for row in reversed(self.picture.log()):
            yield row_item(row)
            if row.may_undo:
                yield undo_button(row.id)


class Tabs(PhonePart):
    def __init__(self, view: TableView) -> None:
        super().__init__(view)
        with ui.element("nav").classes("tabs").props('aria-label="Pages of your sheet"'):
            self.tabs = {tab[0]: Piece(tab_item(*tab)) for tab in TABS}
            words = Markup("{}<span>Why?</span>").format(icon("why"))
            Piece(Item("why", words, tag="button", classes="why", attrs=WHY))

    def draw(self) -> None:
        """A fight that begins opens its page on every phone that has a hero in hand; its turn lights the tab."""
        fight = self.picture.fight()
        on = fight is not None and bool(self.picture.own())
        up = is_up(fight)
        word = "Your turn" if up else "Fight"
        calls = "down" if any(card.plight for card in self.picture.own()) else "up" if up else ""
        self.tabs["fight"].show(tab_item("fight", "fight", word, now="on" if on else "off", calls=calls, lit=up))


def _panel(name: str) -> Shelf:
    return Shelf("section", classes="panel", attrs={"data-panel": name, "aria-label": name.capitalize()})


@cache
def tab_item(name: str, picture: str, word: str, *, now: str = "", calls: str = "", lit: bool = False) -> Item:
    """One page of the sheet; `now`: whether what it is for goes on; `calls`: what stands first there since then."""
    attrs = {"data-tab": name, "aria-pressed": "true" if name == "sheet" else "false"}
    attrs |= {"data-now": now} if now else {}
    attrs |= {"data-calls": calls} if calls else {}
    words = Markup("{}<span>{}</span>").format(icon(picture), word)
    return Item(name, words, tag="button", classes="lit" if lit else "", attrs=attrs)
