"""Pages without a script, for browsers that are too old: a seat on paper, and a screen that loads itself anew."""

# no "from __future__ import annotations": the routes are told their arguments by real annotations
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse
from markupsafe import Markup

from webapp.hall import Hall, TableRow
from webapp.names import seat_cookie_name
from webapp.projection.picture import Picture
from webapp.refused import Refused
from webapp.rules.calls_view import CallView
from webapp.rules.cards_view import Card
from webapp.rules.document import Cover, Side
from webapp.rules.fights_view import FightView, nothing_up
from webapp.rules.text import render
from webapp.rules.viewer import Role, Viewer
from webapp.stage import Fallen
from webapp.ui.fight import by_number
from webapp.ui.markup import PLAIN, join, level_of
from webapp.ui.poster import poster

SECONDS = 5
FALLEN_SECONDS = 15  # loaded three times
COUNTS = 6

# Nothing here that a browser of twelve years ago does not know.
LOOK = """
body{margin:0;padding:16px 20px;background:#12161b;color:#f5efe4;font:18px/1.4 Verdana,Arial,sans-serif}
h1{margin:0 0 12px;font-size:28px}h2{margin:16px 0 6px;font-size:22px}p{margin:0 0 10px}
a{color:#ff8f52}ul{list-style:none;margin:0;padding:0}li{padding:3px 0}
main{display:block}.page{max-width:560px;margin:0 auto}.quiet,.poster .quiet{color:#bcc3cb}.refusal{color:#ff978f}
input[type=text]{display:block;width:100%;box-sizing:border-box;margin:4px 0 12px;padding:10px;font-size:18px}
label.hero{display:block;padding:8px 0}
button{padding:14px 20px;font-size:20px;font-weight:bold;background:#ff8f52;color:#1d0f06;border:0;border-radius:8px}
table{width:100%;border-collapse:collapse;table-layout:fixed}td{vertical-align:top;padding:0 24px 0 0}
.qr svg{width:260px;height:260px}.wifi .qr svg{width:160px;height:160px}
.screen{font-size:28px;line-height:1.3}.screen h1{font-size:36px}.screen h2{font-size:30px;color:#bcc3cb}
.up{font-size:60px;line-height:1.1;color:#ff8f52;font-weight:bold}.address{font-size:40px}
.code{font-size:80px;letter-spacing:10px;line-height:1.1}
.bar{height:10px;background:#3a444f}.bar div{height:10px;background:#7fd18b}
.half div{background:#f0c75e}.low div{background:#ff978f}.down{color:#ff978f;font-weight:bold}
.screen .poster{overflow:hidden}.screen .poster>.qr,.screen .wifi{float:left;margin-right:48px}
.screen .poster>.qr svg{width:420px;height:420px}.screen .last{font-size:36px}
td{word-wrap:break-word}
.up.lost{font-size:110px}
.last{border-top:2px solid #36404b;padding-top:10px}.lost{color:#ff978f}
@media(max-width:900px){.screen{font-size:18px}.screen h2{font-size:20px}.up,.up.lost{font-size:32px}
td{padding:0 8px 0 0}}
"""

# Old words only: it must be understood by the browsers that it sends away. Module scripts need import maps.
TOO_OLD = """<script>(function () {
  var path = location.pathname, found = /^\\/(?:join|t)\\/([^\\/]+)/.exec(path), kind = window.HTMLScriptElement;
  var able = kind && 'noModule' in kind.prototype && kind.supports && kind.supports('importmap');
  if (able || location.search.indexOf('try=1') >= 0) return;
  location.replace(!found ? '/plain' : '/t/' + found[1] + (/\\/screen$/.test(path) ? '/screen/plain' : '/plain'));
})();</script>"""


def without_script(path: str) -> str:
    """For the head of a page at this path: where a browser goes that runs no scripts at all."""
    head = Markup('<noscript><meta http-equiv="refresh" content="0;url={}"></noscript>').format(plain_path(path))
    return str(head)  # as Markup it would escape the rest of the head


def plain_path(path: str) -> str:
    parts = path.strip("/").split("/")
    if len(parts) < 2 or parts[0] not in ("join", "t"):
        return "/plain"
    return f"/t/{quote(parts[1])}/screen/plain" if parts[2:] == ["screen"] else f"/t/{quote(parts[1])}/plain"


def plain_doors(hall: Hall) -> APIRouter:
    doors = APIRouter()

    @doors.get("/plain")
    async def front() -> HTMLResponse:
        return HTMLResponse(_front())

    @doors.get("/t/{code}/plain")
    async def seat(request: Request, code: str, refused: Annotated[str, Query()] = "") -> HTMLResponse:
        try:
            row = hall.access.knock(code, _address(request))
        except Refused as no:
            return HTMLResponse(_page("Gritboard", Markup("<p>{}</p>").format(no.sentence)), status_code=404)
        token = request.cookies.get(seat_cookie_name(row.code))
        return HTMLResponse(_seat(hall, row, token, refused[:200]))

    @doors.get("/t/{code}/screen/plain")
    async def screen(request: Request, code: str) -> HTMLResponse:
        try:
            row = hall.access.knock(code, _address(request))
        except Refused as no:
            return HTMLResponse(_page("Gritboard", Markup("<p>{}</p>").format(no.sentence)), status_code=404)
        return HTMLResponse(_screen(hall, row))

    return doors


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


def _page(title: str, inside: Markup, *, classes: str = "page", again: int = 0) -> str:
    refresh = Markup('<meta http-equiv="refresh" content="{}">').format(again) if again else ""
    return Markup(
        '<!doctype html><html lang="en"><head><meta charset="utf-8">{}<title>{}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><style>{}</style></head>'
        '<body class="{}"><main class="{}">{}</main></body></html>'
    ).format(refresh, title, Markup(LOOK), classes, classes, inside)


# --- a seat on paper ---------------------------------------------------------------------------------------

OLD = Markup(
    "<p>This browser is too old for the pages of this table, or it runs no scripts.</p>"
    "<p>With a newer browser, or on another phone, you get the whole sheet.</p>"
)


def _front() -> str:
    form = Markup(
        '{}<form method="post" action="/code"><input type="hidden" name="plain" value="1">'
        '<label>Table code<input type="text" name="code" maxlength="12"></label>'
        "<button>Go to the table</button></form>"
    )
    return _page("Gritboard", Markup("<h1>Gritboard</h1>") + form.format(OLD))


def _seat(hall: Hall, row: TableRow, token: str | None, refused: str) -> str:
    name = hall.table(row).name
    head = Markup("<h1>{}</h1>").format(name)
    found = hall.access.seat_of(row.id, token)
    if found is not None and found[1].admitted:
        return _page(name, head + _on_paper(hall, row, found[0].id, found[0].name), again=SECONDS)
    if found is not None:
        waits = Markup("<p>The GM is asked to let you in as <b>{}</b>.</p>").format(found[0].name)
        return _page(name, head + waits, again=SECONDS)
    why = Markup('<p class="refusal">{}</p>').format(refused) if refused else ""
    anyway = Markup('<p><a href="/join/{}?try=1">Try the whole page all the same</a></p>').format(row.code)
    return _page(name, head + why + OLD + _paper_form(hall, row) + anyway)


def _paper_form(hall: Hall, row: TableRow) -> Markup:
    free = Picture(hall.table(row), Viewer(role=Role.SCREEN)).free_heroes()
    heroes = join(
        Markup('<label class="hero"><input type="radio" name="hero" value="{}"> {}{}</label>').format(
            one.id, one.name, f" ({one.line})" if one.line else ""
        )
        for one in free
    )
    return Markup(
        "<h2>Play on paper</h2><p>The GM moves your hero by what you say, and your dice are real ones.</p>"
        '<form method="post" action="/join/{}"><input type="hidden" name="paper" value="1">'
        '<input type="hidden" name="key" value="{}">{}<label>Your name'
        '<input type="text" name="name" maxlength="40"></label>{}<button>Sit down on paper</button></form>'
    ).format(row.code, hall.access.new_key(), heroes, _seats(hall, row))


def _seats(hall: Hall, row: TableRow) -> Markup:
    seats = join(
        Markup('<label class="hero"><input type="radio" name="seat" value="{}"> {}{}</label>').format(
            seat.id, seat.name, "" if hall.access.seats.is_free(seat) else " (asks the GM)"
        )
        for seat in hall.seats(row.id).values()
    )
    return Markup("<p>Or is one of these you?</p>{}").format(seats) if seats else seats


def _on_paper(hall: Hall, row: TableRow, seat: str, name: str) -> Markup:
    """How the heroes of this seat are, to look at."""
    own = Picture(hall.table(row), Viewer(role=Role.PLAYER, seat=seat)).own()
    heroes = join(
        Markup("<h2>{}</h2><ul>{}{}</ul>").format(card.name, _vitals(card), _down(card, "li")) for card in own
    )
    none = "" if own else Markup("<p>Tell the GM which hero is yours.</p>")
    return Markup(
        "<p>You play on paper as <b>{}</b>: the GM moves your hero by what you say.</p>{}{}"
        '<p><a href="/t/{}/screen/plain">See the whole table</a></p>'
    ).format(name, heroes, none, row.code)


def _vitals(card: Card) -> Markup:
    return join(
        Markup("<li>{}: <b>{}</b>{}</li>").format(
            render(gauge.label, PLAIN), gauge.shown, "" if gauge.full is None else f" of {gauge.full}"
        )
        for gauge in card.vitals
    )


def _down(card: Card, tag: str) -> Markup:
    return Markup("<{0} class='down'>{1}</{0}>").format(tag, card.down) if card.down else Markup("")


# --- the screen --------------------------------------------------------------------------------------------


def _screen(hall: Hall, row: TableRow) -> str:
    """What the large screen shows, for a TV whose browser can do no more."""
    picture = Picture(hall.table(row), Viewer(role=Role.SCREEN))
    if picture.cover() is not Cover.OPEN:
        return _page(picture.name(), _covered(picture), classes="screen", again=SECONDS)
    calls, fight, lost = picture.calls(), picture.fight(), picture.fallen()
    if calls:
        inside = join(_call(call) for call in calls)
    elif lost is not None and (hall.clock() - lost.at).total_seconds() < FALLEN_SECONDS:
        return _page(picture.name(), _fallen(lost, picture), classes="screen", again=SECONDS)
    elif fight is None:
        inside = _door(hall, row, picture)
    else:
        inside = _fight(fight, picture)
    words = Markup("<h1>{}</h1>{}{}").format(picture.name(), inside, _last(picture))
    return _page(picture.name(), words, classes="screen", again=SECONDS)


def _covered(picture: Picture) -> Markup:
    words = Markup('<p class="up">Pause</p>') if picture.cover() is Cover.PAUSE else ""
    return Markup("<h1>{}</h1>{}").format(picture.name(), words)


def _door(hall: Hall, row: TableRow, picture: Picture) -> Markup:
    wifi = hall.wifi.wifi if hall.wifi.wifi is not None and hall.wifi.wifi.on_screen else None
    way_in = poster(hall.addresses(), row.code, others=2, wifi=wifi)
    heroes = [card for card in picture.cards() if card.side is Side.HERO]
    here = ", ".join(card.name for card in heroes) or "Nobody yet: who is first?"
    return Markup("{}<h2>At the table</h2><p>{}</p>").format(way_in, here)


def _call(call: CallView) -> Markup:
    rows = join(Markup("<li>{}: <b>{}</b></li>").format(one.name, "in" if one.is_in else "…") for one in call.rows)
    return Markup("<h2>{}</h2><ul>{}</ul>").format(call.title, rows)


def _fallen(lost: Fallen, picture: Picture) -> Markup:
    """Whom the table has lost, by what, and how the others are; no roll that is of something else."""
    told = join(
        Markup('<p class="up lost">{} is dead</p><p>{}</p>').format(one.name, one.words) for one in lost.heroes
    )
    gone = {one.name for one in lost.heroes}
    left = [card for card in picture.cards() if card.side is Side.HERO and card.name not in gone]
    others = Markup("<h2>The others</h2><ul>{}</ul>").format(join(map(_member, left))) if left else ""
    return Markup("<h1>{}</h1>{}{}").format(picture.name(), told, others)


def _fight(fight: FightView, picture: Picture) -> Markup:
    sides = join(
        Markup("<td><h2>{}</h2><ul>{}</ul></td>").format(
            title, join(_member(card) for card in picture.cards() if card.side is side)
        )
        for side, title in ((Side.HERO, "Party"), (Side.FOE, "Foes"))
    )
    return Markup("<table><tr><td><h2>Round {}</h2>{}</td>{}</tr></table>").format(fight.round, _order(fight), sides)


def _order(fight: FightView) -> Markup:
    if fight.waiting_for:
        return Markup('<p class="up">Roll initiative</p><p>{}</p>').format(", ".join(fight.waiting_for))
    now = nothing_up(fight) if fight.up_name is None else fight.up_name
    up = next((slot for slot in fight.slots if slot.id == fight.up), None)
    count = "" if up is None else f"{up.place} "
    coming = list(by_number(slot for slot in fight.slots if slot.state == "coming"))
    told = join(
        Markup("<li><b>{}</b> {}</li>").format(slots[0].place, ", ".join(slot.name for slot in slots))
        for _, slots in coming[:COUNTS]
    )
    return Markup('<p class="up">{}{}</p><ul>{}</ul>').format(count, now, told)


def _member(card: Card) -> Markup:
    health = _down(card, "span") or card.health
    if card.share is None:
        return Markup("<li>{} {}</li>").format(card.name, health)
    level = level_of(card.share)
    bar = Markup('<div class="bar {}"><div style="width:{}%"></div></div>').format(level, card.share)
    return Markup("<li>{} {}{}</li>").format(card.name, health, bar)


def _last(picture: Picture) -> Markup:
    line = picture.last_roll()
    return Markup("") if line is None else Markup('<p class="last">{}</p>').format(line.words)
