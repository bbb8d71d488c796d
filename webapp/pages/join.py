"""The door: who are you? Sitting down is a form that is posted, so that it works in any browser."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup
from nicegui import ui

from webapp.access import Device, Seat
from webapp.hall import TableRow
from webapp.names import seat_cookie_name
from webapp.projection.picture import Picture
from webapp.rules.viewer import Role, Viewer
from webapp.seats import is_on_paper
from webapp.ui.face import face
from webapp.ui.live import OK, Answer, Item, Piece, Shelf, View
from webapp.ui.markup import join, move_attrs
from webapp.ui.page import Page

NEWCOMER = "newcomer"


class Join(View):
    """Faces of the table first, "I'm new" last. Who knocks sees no more of the table than its large screen shows."""

    def __init__(self, page: Page, row: TableRow, refused: str = "") -> None:
        super().__init__()
        self.page, self.row = page, row
        self.table = page.hall.table(row)
        self.picture = Picture(self.table, Viewer(role=Role.SCREEN))
        self.key = page.hall.access.new_key()
        self.follow(self.table.changed)
        with ui.element("div").classes("door"):
            self.title = Piece(Item("title", "", tag="h1"))
            if refused:
                Piece(Item("refused", refused, tag="p", classes="refusal", attrs={"role": "alert"}))
            self.waits = Shelf(classes="waits")
            self.seats = Shelf(classes="seats")
            self.heroes = Shelf(classes="heroes", attrs={"role": "radiogroup", "aria-label": "Your hero"})
            Piece(self._newcomer())  # never drawn again, so that nothing takes away what is being typed

    def draw(self) -> None:
        self.title.show(Item("title", self.table.name, tag="h1"))
        found = self._found()
        if found is not None and found[1].admitted:
            self.page.again()
            return
        self.waits.show(() if found is None else self._waiting(found[0].name))
        self.seats.show(self._seats(None if found is None else found[0].id))
        self.heroes.show(self._heroes())

    def receive(self, move: dict[str, object], tap: str | None) -> Answer:
        if move.get("move") != "page.give_up":
            return {"ok": False, "say": "Sit down first."}
        found = self._found()
        if found is not None and not found[1].admitted:
            self.page.hall.access.end_device(found[1].id)
        return OK

    def _found(self) -> tuple[Seat, Device] | None:
        return self.page.hall.access.seat_of(self.row.id, self.page.cookies.get(seat_cookie_name(self.row.code)))

    def _waiting(self, name: str) -> Iterator[Item]:
        words = f"The GM is asked to let this phone in as {name}. Keep this page open."
        yield Item("waits", words, tag="p", attrs={"role": "status"})
        attrs = move_attrs({"move": "page.give_up"}, "Stop waiting")
        yield Item("give up", "Stop waiting", tag="button", classes="button wide", attrs=attrs)

    def _seats(self, asked: str | None) -> Iterator[Item]:
        """Those that may be taken at once first."""
        yield Item("who", "Who are you?" if asked is None else "Or is this you?", tag="h2")
        known = [seat for seat in self.page.hall.seats(self.row.id).values() if seat.id != asked]
        for seat in sorted(known, key=lambda seat: not self.page.hall.access.seats.is_free(seat)):
            words = Markup('<input type="hidden" name="seat" value="{}">{}<button class="button wide">{}</button>')
            inside = words.format(seat.id, self._hidden(), self._seat(seat))
            yield Item(seat.id, inside, tag="form", attrs=self._posts())

    def _seat(self, seat: Seat) -> Markup:
        heroes = self.picture.driven_by(seat.id)
        faces = join(face(hero.name) for hero in heroes) or face(seat.name)
        names = " and ".join(hero.name for hero in heroes) or seat.name
        note = self._note(seat)
        told = " · ".join(filter(None, (seat.name if heroes else "", note)))
        return Markup("{}<span class='who'><b>{}</b><small>{}</small></span>").format(faces, names, told)

    def _note(self, seat: Seat) -> str:
        if self.page.hall.access.seats.is_free(seat):
            return ""
        return "on paper: asks the GM" if is_on_paper(seat) else "taken: asks the GM"

    def _heroes(self) -> Iterator[Item]:
        """Heroes that wait for a player, to be picked along with the name below them."""
        if self.page.hall.seats(self.row.id):
            yield Item("new", "I'm new", tag="h2", classes="wide")
        free = self.picture.free_heroes()
        for hero in free:
            yield Item(
                f"hero {hero.id}",
                _choice(hero.id, face(hero.name), hero.name, hero.line),
                tag="label",
                classes="hero",
            )
        if free:
            own = _choice(
                "",
                Markup('<span class="face" aria-hidden="true">+</span>'),
                "A hero of my own",
                "Chosen and named on your phone",
                picked=True,
            )
            yield Item("own", own, tag="label", classes="hero")

    def _newcomer(self) -> Item:
        words = Markup(
            '{}<label class="field"><span>Your name</span>'
            '<input name="name" maxlength="40" required autocomplete="off"></label>'
            '<button class="button primary wide">Sit down</button>'
        ).format(self._hidden())
        return Item("newcomer", words, tag="form", classes="form", attrs={"id": NEWCOMER, **self._posts()})

    def _hidden(self) -> Markup:
        return Markup('<input type="hidden" name="key" value="{}">').format(self.key)

    def _posts(self) -> dict[str, str]:
        return {"method": "post", "action": f"/join/{self.row.code}"}


def _choice(hero: str, picture: Markup, name: str, line: str, *, picked: bool = False) -> Markup:
    told = Markup("<small>{}</small>").format(line) if line else ""
    return Markup(
        '<input type="radio" name="hero" value="{}" form="{}"{}>{}<span class="who"><b>{}</b>{}</span>'
    ).format(hero, NEWCOMER, Markup(" checked") if picked else "", picture, name, told)


class Lost(View):
    """A page for whoever came by a wrong way, in one sentence."""

    def __init__(self, sentence: str, more: str = "") -> None:
        super().__init__()
        with ui.element("div").classes("door"):
            Piece(Item("title", "Gritboard", tag="h1"))
            Piece(Item("why", sentence, tag="p", attrs={"role": "alert"}))
            if more:
                Piece(Item("more", more, tag="p", classes="quiet"))
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
