"""A table's page in parts: each makes its own pieces, draws them, and answers for what can be tapped there."""

from __future__ import annotations

from typing import Any

from webapp.hall import TableRow
from webapp.projection.picture import Picture
from webapp.rules.viewer import Viewer
from webapp.table import Table
from webapp.ui.live import Answer, Item
from webapp.ui.page import Page, TableView


class Part:
    def __init__(self, view: TableView) -> None:
        self.view = view
        self.drawn, self.drawn_as_picked = view.drawn, view.drawn_as_picked
        self.mark = view.mark

    def draw(self) -> None:
        """Nothing, for a part whose pieces another one shows."""

    def at_page(self, name: str, move: dict[str, Any]) -> Answer | None:
        """What came of this tap; None for what is not this part's."""
        return None

    @property
    def page(self) -> Page:
        return self.view.page

    @property
    def row(self) -> TableRow:
        return self.view.row

    @property
    def viewer(self) -> Viewer:
        return self.view.viewer

    @property
    def table(self) -> Table:
        return self.view.table

    @property
    def picture(self) -> Picture:
        return self.view.picture

    @property
    def picked(self) -> dict[str, str]:
        return self.view.picked

    @property
    def editing(self) -> dict[str, dict[str, Item]]:
        return self.view.editing


class PartedView(TableView):
    """A page of a table that is put together of parts."""

    parts: tuple[Part, ...] = ()

    def draw(self) -> None:
        if not self.still_sits():
            self.page.again()
            return
        for part in self.parts:
            part.draw()

    def at_page(self, name: str, move: dict[str, Any]) -> Answer:
        answers = (part.at_page(name, move) for part in self.parts)
        told = next((answer for answer in answers if answer is not None), None)
        return super().at_page(name, move) if told is None else told
