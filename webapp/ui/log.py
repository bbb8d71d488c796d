"""Rows of the log as pieces of a page."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Generic, TypeVar

from webapp.projection.told import LogRow
from webapp.ui.live import Item
from webapp.ui.markup import log_row, move_attrs

ViewT = TypeVar("ViewT")
DrawnT = TypeVar("DrawnT")
MOST = 4000


class DrawnOnce(Generic[ViewT, DrawnT]):
    """Draws a view, and gives the same again for the very same view."""

    def __init__(self, draw: Callable[[ViewT], DrawnT]) -> None:
        self._draw = draw
        self._drawn: dict[int, tuple[ViewT, DrawnT]] = {}  # with its view, so that no other can get its place

    def __call__(self, view: ViewT) -> DrawnT:
        kept = self._drawn.get(id(view))
        if kept is None:
            if len(self._drawn) >= MOST:
                self._drawn.clear()
            kept = self._drawn[id(view)] = (view, self._draw(view))
        return kept[1]


@DrawnOnce
def row_item(row: LogRow) -> Item:
    classes = "row wide undone" if row.undone_by else "row wide"
    return Item(row.id, log_row(row), tag="article", classes=classes)


@lru_cache(MOST)
def undo_button(entry: str) -> Item:
    attrs = move_attrs({"move": "table.undo", "entry": entry}, "Undo")
    return Item(f"{entry} undo", "Undo", tag="button", classes="button small undo", attrs=attrs)
