"""The one root page with its sub pages, and the few plain routes that set cookies.

Annotations are real here, not strings: sub pages are told their arguments by them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import quote, urlsplit

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from markupsafe import Markup
from nicegui import PageArguments, app, ui

from webapp.access import NotSaved, StoreProblem
from webapp.hall import Hall, TableRow
from webapp.names import host_cookie_name, seat_cookie_name, tidy_code
from webapp.pages.gm.page import GameMaster
from webapp.pages.host import Host
from webapp.pages.join import Join, Lost
from webapp.pages.plain import TOO_OLD, plain_doors, without_script
from webapp.pages.play.page import Play
from webapp.pages.screen import Screen
from webapp.projection.picture import Picture
from webapp.refused import Refused
from webapp.rules.people import Claim
from webapp.rules.viewer import Role, Viewer
from webapp.ui import wire
from webapp.ui.live import View
from webapp.ui.lobby import Lobby
from webapp.ui.page import Page

ASK_FOR_CODE = "Ask the GM for the code of the table."
YOUR_OWN = "If this is your game: open the GM's page by the link that Gritboard printed in the terminal."
LINK_GONE = "This link was used already or is too old: ask for a new one."
HERO_TAKEN = "This hero is taken by now: pick another one."
NO_SUCH_SEAT = "There is no such seat at this table."
ONLY_HOST = "This page is for the GM: open it by the link that Gritboard printed when it started."


def register(hall: Hall, lobby: Lobby) -> None:
    """All the places of this Gritboard. The plain routes come first, the root page takes the rest."""
    app.include_router(_doors(hall))
    app.include_router(plain_doors(hall))
    ui.add_head_html(TOO_OLD, shared=True)
    root = _root(hall, lobby)
    ui.page("/", reconnect_timeout=1800, title="Gritboard", language="en-US")(root)
    ui.page("/{_:path}", reconnect_timeout=1800, title="Gritboard", language="en-US")(root)


def _root(hall: Hall, lobby: Lobby) -> Callable[[Request], None]:
    def root(request: Request) -> None:
        page = Page.of(hall, lobby.nudge, ui.context.client.id, request)
        lobby.open(page)
        ui.add_head_html(without_script(request.url.path))
        refused = request.query_params.get("refused", "")[:200]

        def show(make: Callable[[], View]) -> None:
            page.leave()
            try:
                page.show(make())
            except (Refused, StoreProblem) as sentence:
                page.show(Lost(sentence.sentence))

        def host() -> None:
            show(
                lambda: (
                    Host(page)
                    if page.is_host()
                    else Lost(refused or ASK_FOR_CODE, YOUR_OWN if _is_here(request) else "")
                )
            )

        def join(code: str) -> None:
            show(lambda: _play(page, code, refused))

        def play(code: str, arguments: PageArguments) -> None:
            as_ = arguments.query_parameters.get("as")
            show(lambda: _play(page, code) if as_ is None else _watch(page, code, as_[:80]))

        def gm(code: str, arguments: PageArguments) -> None:
            as_ = arguments.query_parameters.get("as")
            show(lambda: _gm(page, code) if as_ is None else _watch(page, code, as_[:80]))

        def screen(code: str) -> None:
            show(lambda: _screen(page, code))

        places = ui.sub_pages(
            {
                "/": host,
                "/join/{code}": join,
                "/t/{code}/play": play,
                "/t/{code}/gm": gm,
                "/t/{code}/screen": screen,
            },
            show_404=False,
        )
        page.again = places.refresh

    return root


def _play(page: Page, code: str, refused: str = "") -> View:
    """The door, for whoever has no seat yet."""
    row = page.table(code)
    viewer = page.viewer("play", row)
    return Join(page, row, refused) if viewer is None else Play(page, row, viewer)


def _gm(page: Page, code: str) -> View:
    row = page.table(code)
    viewer = page.viewer("gm", row)
    return Lost(ONLY_HOST) if viewer is None else GameMaster(page, row, viewer)


def _watch(page: Page, code: str, as_: str) -> View:
    """A host looks at the table as a seat or the screen sees it."""
    row = page.table(code)
    viewer = page.watches(row, as_)
    if viewer is None:
        return Lost(NO_SUCH_SEAT if page.is_host() else ONLY_HOST)
    kind = Screen if viewer.role is Role.SCREEN else Play
    return kind(page, row, viewer, watching=True)


def _screen(page: Page, code: str) -> View:
    row = page.table(code)
    viewer = page.viewer("screen", row)
    assert viewer is not None
    return Screen(page, row, viewer)


def _doors(hall: Hall) -> APIRouter:
    doors = APIRouter()

    @doors.get("/host/{secret}")
    async def enter(secret: str) -> Response:
        try:
            token = hall.access.host_cookie(secret)
        except NotSaved as problem:
            return _see("/", problem.sentence)
        response = _see("/")
        if token is not None:
            _set_cookie(response, host_cookie_name(), token)
        return response

    @doors.post("/code")
    async def by_code(code: Annotated[str, Form()] = "", plain: Annotated[str, Form()] = "") -> Response:
        tidy = quote(tidy_code(code))
        return _see(f"/t/{tidy}/plain" if plain else f"/join/{tidy}")

    @doors.post("/join/{code}")
    async def sit(
        request: Request,
        code: str,
        name: Annotated[str, Form()] = "",
        seat: Annotated[str, Form()] = "",
        hero: Annotated[str, Form()] = "",
        key: Annotated[str, Form()] = "",
        paper: Annotated[str, Form()] = "",
    ) -> Response:
        if not _same_origin(request):
            return Response(status_code=403)
        try:
            row = hall.access.knock(code, _address(request))
            form = Wish(name=name[:200], seat=seat[:80], hero=hero[:80], key=key[:200], on_paper=bool(paper))
            token = _sit(hall, row, form, request)
        except (Refused, NotSaved) as refused:
            return _see(f"/t/{quote(code)}/plain" if paper else f"/join/{quote(code)}", refused.sentence)
        response = _see(f"/t/{row.code}/plain" if paper else f"/t/{row.code}/play")
        _set_cookie(response, seat_cookie_name(row.code), token)
        return response

    @doors.get("/link/{link}")
    async def ask_link(link: str) -> Response:
        found = hall.access.link_leads_to(link)
        if found is None:
            return _see("/", LINK_GONE)
        return HTMLResponse(_link_page(link, found.name))

    @doors.post("/link/{link}")
    async def redeem(request: Request, link: str) -> Response:
        if not _same_origin(request):
            return Response(status_code=403)
        try:
            old = _old_token(hall, link, request)
            code, token = hall.access.redeem(link, request.headers.get("user-agent", ""), old)
        except (Refused, NotSaved) as refused:
            return _see("/", refused.sentence)
        response = _see(f"/t/{code}/play")
        _set_cookie(response, seat_cookie_name(code), token)
        return response

    return doors


@dataclass(frozen=True, slots=True)
class Wish:
    """What the form at the door was filled in with."""

    name: str = ""
    seat: str = ""
    hero: str = ""
    key: str = ""
    on_paper: bool = False


def _sit(hall: Hall, row: TableRow, wish: Wish, request: Request) -> str:
    """The token for the seat's cookie; the same form sent twice seats once."""
    access = hall.access
    fresh = access.token_of(wish.key, row.id, wish.name, wish.seat, wish.hero)
    if fresh is not None and access.seat_of(row.id, fresh) is not None:
        return fresh
    access.refuse_crowd(row.id, _address(request))
    agent, old = request.headers.get("user-agent", ""), request.cookies.get(seat_cookie_name(row.code))
    sits = _sit_there if wish.seat else _sit_new
    token = sits(hall, row, wish, agent, old, fresh)
    access.note_newcomer(row.id, _address(request))
    return token


def _sit_there(hall: Hall, row: TableRow, wish: Wish, agent: str, old: str | None, fresh: str | None) -> str:
    """A seat of the table: at once if it is free, else once the GM agrees."""
    found = hall.seats(row.id).get(wish.seat)
    if found is None or not hall.access.seats.is_free(found):
        return hall.access.ask_for(row.id, wish.seat, agent, old, fresh=fresh)
    token = hall.access.sit_free(row.id, wish.seat, agent, old, fresh=fresh)
    if wish.on_paper:
        hall.access.seats.set_on_paper(wish.seat, True)
    return token


def _sit_new(hall: Hall, row: TableRow, wish: Wish, agent: str, old: str | None, fresh: str | None) -> str:
    """Somebody new, perhaps with a hero of the table that waits for a player."""
    table = hall.table(row)
    free = {card.id for card in Picture(table, Viewer(role=Role.SCREEN)).free_heroes()}
    if wish.hero and wish.hero not in free:
        raise Refused(HERO_TAKEN)
    token = hall.access.sit_new(row.id, wish.name, agent, old, fresh=fresh, on_paper=wish.on_paper)
    seated = hall.access.seat_of(row.id, token)
    if wish.hero and seated is not None:
        viewer = Viewer(role=Role.PLAYER, seat=seated[0].id)
        table.do({"move": Claim.kind(), "character": wish.hero}, viewer)
    return token


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


def _is_here(request: Request) -> bool:
    """Is this a browser of the laptop that runs Gritboard?"""
    return _address(request) in ("127.0.0.1", "::1", "::ffff:127.0.0.1")


def _old_token(hall: Hall, link: str, request: Request) -> str | None:
    """Of the seat that this browser has so far at the table where the link leads."""
    seat = hall.access.link_leads_to(link)
    codes = [row.code for row in hall.rows() if seat is not None and row.id == seat.table]
    return request.cookies.get(seat_cookie_name(codes[0])) if codes else None


def _see(path: str, refused: str = "") -> RedirectResponse:
    """Sends the browser on, perhaps with a sentence that says why it got no further."""
    return RedirectResponse(f"{path}?refused={quote(refused)}" if refused else path, status_code=303)


def _set_cookie(response: Response, name: str, token: str) -> None:
    response.set_cookie(name, token, max_age=wire.YEAR, httponly=True, samesite="lax", path="/")


def _same_origin(request: Request) -> bool:
    """A form of another site must seat nobody here."""
    origin = request.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == request.headers.get("host")


def _link_page(link: str, name: str) -> str:
    return Markup(
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        "<title>Gritboard</title><link rel=stylesheet href='{}'><body><main class=door>"
        "<h1>Gritboard</h1><form method=post action='/link/{}'><button class='button primary wide'>"
        "This is {}'s phone now</button></form></main></body></html>"
    ).format(wire.versioned("gritboard.css"), link, name)
