"""This phone: whom it invites, who else plays on it, and how it is handed on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from webapp.names import seat_cookie_name
from webapp.pages.play.part import PhonePart
from webapp.rules.document import Side
from webapp.ui.live import OK, Answer, Item
from webapp.ui.markup import card_head, move_attrs
from webapp.ui.poster import poster
from webapp.ui.starts import start_form


class ThisPhone(PhonePart):
    def at_page(self, name: str, move: dict[str, Any]) -> Answer | None:
        if name != "page.leave":
            return None
        self._leave()
        return OK

    def pieces(self) -> Iterator[Item]:
        """Others who come by it: an invitation, a second player, the next one to hold it."""
        is_open = self.picked.get("phone") == "on"
        attrs = move_attrs({"move": "page.tab", "menu": "phone", "tab": "" if is_open else "on"}, "This phone")
        attrs |= {"aria-expanded": "true" if is_open else "false"}
        yield Item("phone", "Invite · share · leave", tag="button", classes="chip wide", attrs=attrs)
        if is_open:
            yield from self._invitation()
            yield from self._leaving()
            yield from self._sharing()

    def _invitation(self) -> Iterator[Item]:
        yield Item("phone invite", "Invite somebody", tag="h2", classes="wide")
        way_in = poster(self.page.hall.addresses(), self.row.code, others=0)
        yield Item("phone poster", way_in, classes="wide small-poster")

    def _leaving(self) -> Iterator[Item]:
        seat = self.view.own_seat()
        if seat is not None:
            yield Item("phone leave", "Hand this phone to somebody else", tag="h2", classes="wide")
            words = f"{seat.name}'s seat stays free, and keeps its heroes, until somebody takes it."
            yield Item("phone leaving", words, tag="p", classes="wide quiet")
            attrs = move_attrs({"move": "page.leave"}, "Leave this seat")
            yield Item("phone left", f"Leave {seat.name}'s seat", tag="button", classes="button wide", attrs=attrs)

    def _sharing(self) -> Iterator[Item]:
        if self.picture.own():
            yield Item("phone share", "Somebody else plays on this phone too", tag="h2", classes="wide")
            yield from self.heroes_to_take()

    def heroes_to_take(self) -> Iterator[Item]:
        free = self.picture.free_heroes()
        if free:
            yield Item("free", "Take a hero of this table", tag="h2", classes="wide")
        for card in free:
            attrs = move_attrs({"move": "table.claim", "character": card.id}, f"Take {card.name}")
            yield Item(
                f"claim {card.id}",
                card_head(card, more=f" · {card.line}" if card.line else ""),
                tag="button",
                classes="button wide",
                attrs=attrs,
            )
        yield Item("new", "Make a hero", tag="h2", classes="wide")
        groups = self.picture.start_groups(Side.HERO)
        for first in groups[:1]:
            for start in first.starts:
                move = {"move": "table.make_hero", "sheets": {first.game: start.body}, "line": start.about}
                attrs = move_attrs(move, f"Make the {start.name}")
                inside = start_form(start, groups[1:])
                yield Item(f"start {start.id}", inside, tag="form", classes="form start wide", attrs=attrs)

    def _leave(self) -> None:
        """This phone's cookie means nothing from now on; the door opens on it."""
        token = self.page.cookies.get(seat_cookie_name(self.row.code))
        found = self.page.hall.access.seat_of(self.row.id, token)
        if found is not None:
            self.page.hall.access.end_device(found[1].id)
