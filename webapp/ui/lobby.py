"""All browser pages that are open: where their messages go, and which seats are here."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from webapp.hall import Hall, Presence
from webapp.rules.viewer import Role
from webapp.ui import wire
from webapp.ui.live import Answer
from webapp.ui.page import Page, TableView

GONE: Answer = {"ok": False, "say": "This page is out of date. Reload it.", "final": False, "stale": True}


class Lobby:
    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.pages: dict[str, Page] = {}
        self._left: dict[str, datetime] = {}
        hall.presence = self.presence

    def open(self, page: Page) -> None:
        self.pages[page.client_id] = page

    def receive(self, client_id: str, message: dict[str, Any]) -> Answer:
        page = self.pages.get(client_id)
        return GONE if page is None else page.receive(message)

    def connected(self, client_id: str) -> None:
        page = self.pages.get(client_id)
        if page is None:
            return
        self._tell(page)
        if page.view is not None:
            page.view.wake()

    def disconnected(self, client_id: str) -> None:
        page = self.pages.get(client_id)
        if page is not None:
            if page.seat is not None and self.presence(page.seat)[0] is not Presence.HERE:
                self._left[page.seat] = self.hall.clock()
            self._tell(page)

    def forgotten(self, client_id: str) -> None:
        page = self.pages.pop(client_id, None)
        if page is not None:
            self._tell(page)
            page.leave()

    def presence(self, seat: str) -> tuple[Presence, datetime | None]:
        """Here; or asleep while the server still keeps a page for it, else gone, and since when."""
        pages = [page for page in self.pages.values() if page.seat == seat]
        if any(wire.connected(page.client_id) for page in pages):
            return Presence.HERE, None
        return Presence.ASLEEP if pages else Presence.GONE, self._left.get(seat)

    def nudge(self, seats: Collection[str], *, words: str = "", gm_of: str = "") -> bool:
        """Flashes the phones of these seats, and the GM's page of a table; False when none of them is here."""
        wanted = [page for page in self.pages.values() if page.seat in seats or (gm_of and _is_gm_of(page, gm_of))]
        reached = [page for page in wanted if wire.connected(page.client_id)]
        for page in reached:
            wire.nudge(page.client_id)
            if words:
                wire.toast(page.client_id, words)
        return bool(reached)

    def _tell(self, page: Page) -> None:
        """Who is here is part of the GM's picture."""
        if page.seat is not None and page.view is not None:
            table = getattr(page.view, "table", None)
            if table is not None:
                table.tell()


def _is_gm_of(page: Page, table: str) -> bool:
    view = page.view
    return isinstance(view, TableView) and view.viewer.role is Role.GM and view.row.id == table
