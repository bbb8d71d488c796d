"""One browser page: who it is, and the view it shows at the moment."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from fastapi import Request
from markupsafe import Markup

from webapp.access import Seat, StoreProblem
from webapp.because import NOTHING
from webapp.hall import Hall, TableRow
from webapp.names import host_cookie_name, seat_cookie_name, tidy_code
from webapp.projection.picture import Picture
from webapp.refused import Refused
from webapp.rules.by_hand import Edit
from webapp.rules.document import Character
from webapp.rules.forms import inputs
from webapp.rules.people import Introduce
from webapp.rules.sight import Sight
from webapp.rules.state import State
from webapp.rules.text import render
from webapp.rules.viewer import Role, Viewer
from webapp.table import Table
from webapp.ui import blocks, wire
from webapp.ui.live import OK, Answer, Item, View
from webapp.ui.markup import PLAIN, move_attrs, submit
from webapp.ui.markup import field as form_field

LOOKING = ("page.shows", "page.tab", "page.aside", "page.take_up", "page.pocket", "page.why")
INTRODUCTION = "introduction"
ONLY_WATCHING = "You only look on here: nothing can be done from this page."


class Nudge(Protocol):
    """Flashes the phones of these seats, and the GM's page of a table; False when none of them is here."""

    def __call__(self, seats: Collection[str], *, words: str = "", gm_of: str = "") -> bool: ...


@dataclass(eq=False)
class Page:
    """Lives as long as its browser page; its views come and go as people move about.

    `again` builds the view of the present address anew: what may be shown there has changed.
    """

    hall: Hall
    nudge: Nudge
    client_id: str
    cookies: dict[str, str]
    address: str
    base: str
    again: Callable[[], None] = lambda: None
    view: View | None = None
    seat: str | None = None

    @classmethod
    def of(cls, hall: Hall, nudge: Nudge, client_id: str, request: Request) -> Page:
        address = request.client.host if request.client else ""
        base = f"{request.url.scheme}://{request.headers.get('host', '')}"
        return cls(
            hall=hall, nudge=nudge, client_id=client_id, cookies=dict(request.cookies), address=address, base=base
        )

    def show(self, view: View) -> None:
        self.view = view
        view.draw()

    def leave(self) -> None:
        if self.view is not None:
            self.view.close()
        self.view, self.seat = None, None

    def is_host(self) -> bool:
        return self.hall.access.is_host(self.cookies.get(host_cookie_name()))

    def table(self, code: str) -> TableRow:
        """The table with this code; raises Refused with a sentence, and holds back whoever guesses.

        Who is known at the table does not guess, however many others do.
        """
        row = self.hall.row(tidy_code(code))
        seat = None if row is None else self.cookies.get(seat_cookie_name(row.code))
        if row is not None and (self.is_host() or self.hall.access.seat_of(row.id, seat) is not None):
            return row
        return self.hall.access.knock(code, self.address)

    def watches(self, row: TableRow, as_: str) -> Viewer | None:
        """The narrower view that a host asks for; it stands for nobody's presence."""
        return self.hall.access.viewer("play", row, self.cookies.get(host_cookie_name()), None, as_=as_)

    def viewer(self, place: str, row: TableRow) -> Viewer | None:
        viewer = self.hall.access.viewer(
            place, row, self.cookies.get(host_cookie_name()), self.cookies.get(seat_cookie_name(row.code))
        )
        self.seat = None if viewer is None else viewer.seat
        return viewer

    def receive(self, message: dict[str, Any]) -> Answer:
        """A message from the browser, on its way to the view that is shown."""
        if self.view is None:
            return {"ok": False, "say": "This page shows nothing that could do that."}
        try:
            return self.view.receive(message["move"], message["tap"])
        except StoreProblem as problem:
            return {"ok": False, "say": problem.sentence}


@dataclass(eq=False)
class TableView(View):
    """A view of one table by one viewer; moves of the rules go to the table, the rest to `at_page`.

    `watching`: a host looks on as somebody else, and can do nothing from here.
    """

    page: Page
    row: TableRow
    viewer: Viewer
    watching: bool = False
    picked: dict[str, str] = field(default_factory=dict)
    editing: dict[str, dict[str, Item]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__()
        self.table: Table = self.page.hall.table(self.row)
        self.picture = Picture(self.table, self.viewer)
        self.follow(self.table.changed)

    def is_seen(self) -> bool:
        return wire.connected(self.page.client_id)

    def own_seat(self) -> Seat | None:
        """Of whoever looks at this page; None for the GM and the screen."""
        return self.page.hall.seats(self.row.id).get(self.viewer.seat or "")

    def drawn(self, *what: Hashable, pieces: Callable[[], Iterable[Item]]) -> tuple[Item, ...]:
        """Pieces that come of what the table knows, and of what the key says: drawn once for all who see the same."""
        key = (type(self).__name__, self.viewer, *what)
        return self.table.state.recall(key, lambda: tuple(pieces()), again=False)

    def drawn_as_picked(self, *what: Hashable, pieces: Callable[[], Iterable[Item]]) -> tuple[Item, ...]:
        """The same for pieces that depend on the open tabs and forms too."""
        if self.editing:
            return tuple(pieces())
        return self.drawn(*what, frozenset(self.picked.items()), pieces=pieces)

    def receive(self, move: dict[str, Any], tap: str | None) -> Answer:
        if self.watching and move.get("move") not in LOOKING:
            return {"ok": False, "say": ONLY_WATCHING}
        if not self.still_sits():
            return {"ok": False, "say": "This browser no longer has a seat here. Load the page again."}
        match move.get("move"):
            case "page.tab":
                return self._pick(str(move.get("menu"))[:80], str(move.get("tab"))[:80])
            case "page.why":
                return self._why(move.get("of"))
            case "page.edit":
                return self.edit(str(move.get("character"))[:80])
            case "table.undo":
                way = move.get("way")
                entry = str(move.get("entry"))[:80]
                return self.table.undo(entry, self.viewer, way=None if way is None else str(way), tap=tap).body()
            case str(name) if name.startswith("page."):
                return self._at_page(name, move)
        answer = self.table.do(move, self.viewer, tap=tap).body()
        if answer["ok"]:
            self._switch_off()
        if answer["ok"] and move.get("move") in (Edit.kind(), Introduce.kind()):
            self._close_form(str(move.get("actor")), str(move.get("game_id", INTRODUCTION)))
        return answer

    def _why(self, of: object) -> Answer:
        """Where a number comes from: for the browser to show in a sheet of its own."""
        told = self.picture.because(of) if isinstance(of, dict) else ()
        return {"ok": True, "say": None, "because": list(told or NOTHING)}

    def _switch_off(self) -> None:
        """A chip that rides on a roll is chosen for one roll."""
        self.picked = {menu: tab for menu, tab in self.picked.items() if not menu.endswith(" switch")}

    def still_sits(self) -> bool:
        return True

    def at_page(self, name: str, move: dict[str, Any]) -> Answer:
        return {"ok": False, "say": "This page knows no such thing."}

    def _at_page(self, name: str, move: dict[str, Any]) -> Answer:
        try:
            return self.at_page(name, move)
        except Refused as refused:
            return {"ok": False, "say": refused.sentence}

    def edit(self, who: str) -> Answer:
        """Opens or closes the forms of a sheet. While one is open, nothing that happens at the table redraws it."""
        state = self.table.state
        if who in self.editing:
            del self.editing[who]
        elif (found := state.find(Character, who)) is not None and Sight(state, self.viewer).knows(found):
            own = blocks.pieces(self.picture.introduction(who), who, Sight(state, self.viewer), {})
            forms = edit_forms(state, who, bookkeeping=self.viewer.role is Role.GM)
            self.editing[who] = dict([*((INTRODUCTION, one) for one in own), *forms])
        self.mark()
        return OK

    def _close_form(self, who: str, game: str) -> None:
        """One that was saved; what is typed into another rule set's stays."""
        forms = self.editing.get(who, {})
        forms.pop(game, None)
        if not forms:
            self.editing.pop(who, None)
        self.mark()

    def edit_pieces(self, who: str) -> Iterator[Item]:
        """The way to the forms of a sheet, and the forms while they are open."""
        label = "Close the form" if who in self.editing else "Edit the sheet"
        attrs = move_attrs({"move": "page.edit", "character": who}, label)
        yield Item(f"{who} edit", label, tag="button", classes="button wide", attrs=attrs)
        yield from self.editing.get(who, {}).values()

    def _pick(self, menu: str, tab: str) -> Answer:
        if len(self.picked) < 200:
            self.picked[menu] = tab
        self.mark()
        return OK


def edit_forms(state: State, who: str, *, bookkeeping: bool) -> Iterator[tuple[str, Item]]:
    """By rule set, all the fields of a character's sheets; only what was changed is sent."""
    book = state.rulebook.games
    found = [(game, state.find(book[game].sheet, who)) for game in state.settings.games]
    sheets = [(game, sheet) for game, sheet in found if sheet is not None]
    for game, sheet in sheets:
        title = render(book[game].title, PLAIN)
        head = Markup("<h2>{}</h2>").format(title) if len(sheets) > 1 else Markup("")
        fields = Markup("").join(form_field(one, changed_only=True) for one in inputs(sheet, bookkeeping=bookkeeping))
        inside = Markup('{}<div class="fields">{}</div>{}').format(head, fields, submit("Save what I changed"))
        label = f"Edit the sheet: {title}" if len(sheets) > 1 else "Edit the sheet"
        attrs = move_attrs({"move": "table.edit", "actor": who, "game_id": game, "values": {}}, label)
        yield game, Item(f"{who} {game} form", inside, tag="form", classes="form edit wide", attrs=attrs)
