"""Live pages: pieces that are made once and set in place, and views that redraw when their table has changed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup, escape
from nicegui import ui

BREATH = 0.02
HOPS = 8  # so many turns of the loop a message takes from its socket to the table
ROW = "article"
Answer = dict[str, Any]
OK: Answer = {"ok": True, "say": None}


@dataclass(frozen=True, slots=True)
class Item:
    """One piece as it should be: its key tells it from its neighbours for as long as it lives.

    What is no Markup is plain text, shown letter by letter.
    """

    key: str
    html: Markup | str
    tag: str = "div"
    classes: str = ""
    attrs: Mapping[str, str] = field(default_factory=dict)


class Piece(ui.html):
    """One element with our own markup inside. Setting it touches only what differs."""

    def __init__(self, item: Item) -> None:
        super().__init__(str(escape(item.html)), sanitize=False, tag=item.tag)
        self.item = item
        self.classes(item.classes)
        self._attributes(item)

    def show(self, item: Item) -> None:
        if item is self.item or item == self.item:
            return
        if item.html != self.item.html:
            self.content = str(escape(item.html))
        if item.classes != self.item.classes:
            self.classes(replace=item.classes)
        if item.attrs != self.item.attrs:
            self._attributes(item)
        self.item = item

    def _attributes(self, item: Item) -> None:
        with self.props.suspend_updates():
            for name in set(self._attribute_names()) - set(item.attrs):
                self.props.pop(name, None)
            for name, value in item.attrs.items():
                self.props[name] = value
        self.update()

    def _attribute_names(self) -> Iterable[str]:
        return [name for name in self.props if name not in ("innerHTML", "sanitize", "tag")]


class Shelf:
    """A row of pieces, told apart by key: updated in place, added and taken away only where they differ."""

    def __init__(self, tag: str = "div", classes: str = "", attrs: Mapping[str, str] | None = None) -> None:
        self.box = ui.element(tag).classes(classes)
        for name, value in (attrs or {}).items():
            self.box.props[name] = value
        self._pieces: dict[str, Piece] = {}
        self._shown: Iterable[Item] = ()

    @property
    def is_filled(self) -> bool:
        return bool(self._pieces)

    def show(self, items: Iterable[Item]) -> None:
        if items is self._shown:
            return
        self._shown = items
        wanted = {item.key: item for item in items}
        gone = [key for key, piece in self._pieces.items() if _changes_kind(piece, wanted.get(key))]
        spare = [self._pieces.pop(key) for key in gone]
        for key, item in wanted.items():
            if key not in self._pieces:
                self._pieces[key] = self._another(item, spare)
            self._pieces[key].show(item)
        for piece in spare:
            piece.delete()
        children = self.box.default_slot.children
        for place, key in enumerate(wanted):
            if children[place] is not self._pieces[key]:
                self._pieces[key].move(target_index=place)

    def _another(self, item: Item, spare: list[Piece]) -> Piece:
        """A row that left makes place for one that comes: a piece that is there already costs next to nothing."""
        for piece in spare:
            if piece.item.tag == item.tag == ROW:
                spare.remove(piece)
                return piece
        with self.box:
            return Piece(item)


def _changes_kind(piece: Piece, wanted: Item | None) -> bool:
    return wanted is None or wanted.tag != piece.item.tag


class View:
    """What one sub page shows. `draw` is called at most once every 20 ms, and never while nothing has changed."""

    def __init__(self) -> None:
        self._closing: list[Callable[[], None]] = []
        self._drawing: asyncio.Handle | None = None
        self._drawn_at = 0.0
        self._is_behind = False

    def is_seen(self) -> bool:
        """Is its browser here? For one that is away nothing is drawn until it is back."""
        return True

    def draw(self) -> None:
        raise NotImplementedError

    def receive(self, move: dict[str, Any], tap: str | None) -> Answer:
        """A message from this very page."""
        raise NotImplementedError

    def follow(self, listeners: list[Callable[[], None]]) -> None:
        """Redraws whenever these listeners are called, until the view is left."""
        listeners.append(self.mark)
        self._closing.append(lambda: listeners.remove(self.mark))

    def mark(self) -> None:
        self._is_behind = not self.is_seen()
        if self._drawing is None and not self._is_behind:
            loop = asyncio.get_running_loop()
            wait = max(0.0, self._drawn_at + BREATH - loop.time())
            self._drawing = loop.call_later(wait, self._draw_behind, HOPS)

    def wake(self) -> None:
        if self._is_behind:
            self.mark()

    def _draw_behind(self, hops: int) -> None:
        """Taps that came together are all carried out before anything is drawn."""
        if hops:
            self._drawing = asyncio.get_running_loop().call_soon(self._draw_behind, hops - 1)
        else:
            self._draw_now()

    def _draw_now(self) -> None:
        self._drawing = None
        self._drawn_at = asyncio.get_running_loop().time()
        self.draw()

    def close(self) -> None:
        if self._drawing is not None:
            self._drawing.cancel()
        for close in self._closing:
            close()
        self._closing = []
