"""The door: who are you? Sitting down is a form that is posted, so that it works in any browser."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup
from nicegui import ui

from webapp.access import seat_cookie_name
from webapp.hall import TableRow
from webapp.ui.face import face
from webapp.ui.live import Answer, Item, Piece, Shelf, View
from webapp.ui.page import Page


class Join(View):
    def __init__(self, page: Page, row: TableRow, refused: str = "") -> None:
        super().__init__()
        self.page, self.row = page, row
        self.table = page.hall.table(row)
        self.follow(self.table.changed)
        with ui.element("div").classes("door"):
            self.title = Piece(Item("title", "", tag="h1"))
            if refused:
                Piece(Item("refused", refused, tag="p", classes="refusal", attrs={"role": "alert"}))
            self.seats = Shelf(classes="seats")

    def draw(self) -> None:
        self.title.show(Item("title", self.table.name, tag="h1"))
        found = self.page.hall.access.seat_of(self.row.id, self.page.cookies.get(seat_cookie_name(self.row.code)))
        if found is not None and found[1].admitted:
            self.page.again()
            return
        self.seats.show(self._waits(found[0].name) if found is not None else self._who())

    def receive(self, move: dict[str, object], tap: str | None) -> Answer:
        return {"ok": False, "say": "Sit down first."}

    def _waits(self, name: str) -> Iterator[Item]:
        words = f"The GM is asked to let this phone in as {name}. Keep this page open."
        yield Item("waits", words, tag="p", attrs={"role": "status"})

    def _who(self) -> Iterator[Item]:
        """The faces of the table first, "I'm new" last."""
        access, seats = self.page.hall.access, list(self.page.hall.seats(self.row.id).values())
        yield Item("who", "Who are you?", tag="h2")
        for seat in seats:
            free = access.is_free(seat)
            note = "" if free else Markup("<small>taken: asks the GM</small>")
            words = Markup(
                '<input type="hidden" name="seat" value="{}"><button class="button wide">{}'
                "<span class='who'><b>{}</b>{}</span></button>"
            ).format(seat.id, face(seat.name), seat.name, note)
            yield Item(seat.id, words, tag="form", attrs=self._posts())
        if seats:
            yield Item("or", "Or are you new?", tag="h2")
        words = Markup(  # always the same, so that nothing takes away what is being typed
            '<label class="field"><span>Your name</span>'
            '<input name="name" maxlength="40" required autocomplete="off"></label>'
            '<button class="button primary wide">Sit down</button>'
        )
        yield Item("new", words, tag="form", classes="form", attrs=self._posts())

    def _posts(self) -> dict[str, str]:
        return {"method": "post", "action": f"/join/{self.row.code}"}


class Lost(View):
    """A page for whoever came by a wrong way, in one sentence."""

    def __init__(self, sentence: str) -> None:
        super().__init__()
        with ui.element("div").classes("door"):
            Piece(Item("title", "Gritboard", tag="h1"))
            Piece(Item("why", sentence, tag="p", attrs={"role": "alert"}))
            words = Markup(
                '<label class="field"><span>Table code</span><input name="code" maxlength="12" required'
                ' autocomplete="off" autocapitalize="characters"></label>'
                '<button class="button primary wide">Go to the table</button>'
            )
            Piece(Item("code", words, tag="form", classes="form", attrs={"method": "post", "action": "/code"}))

    def draw(self) -> None:
        """Nothing here changes."""

    def receive(self, move: dict[str, object], tap: str | None) -> Answer:
        return {"ok": False, "say": "Go to a table first."}
