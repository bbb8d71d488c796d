"""Gritboard laid open for tests of secrets and of broken input: `python -m tests.support.open_server`.

Chance, time and ids are the same in every process, so that two of them can be compared byte for byte:
every die shows half of its sides, the clock stands still unless it is moved, ids are counted.
`/ctl/…` tells and does what no page could: see the routes below.
"""

import asyncio
import os
import secrets
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from nicegui import Client, app

import webapp.access
import webapp.hall
import webapp.tokens
from webapp.__main__ import build, serve
from webapp.hall import Hall
from webapp.pages.play.part import PhonePart
from webapp.rules.document import Audience, Character, HealthForm, OddsForm, Side
from webapp.rules.sight import Sight
from webapp.rules.viewer import Role, Viewer
from webapp.settings import Settings
from webapp.table import Table
from webapp.tokens import CODE_LENGTH

halls: list[Hall] = []
NOW = [datetime(2024, 5, 4, 20, 15, tzinfo=UTC)]


class HalfDice:
    def throw(self, sides: Sequence[int]) -> tuple[int, ...]:
        return tuple(side // 2 for side in sides)


class Counted:
    """Stands in for the module `secrets`: nothing is secret here, and everything the same again."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._letters = count()
        self.compare_digest = secrets.compare_digest

    def token_hex(self, size: int) -> str:
        return f"{next(self._numbers):0{2 * size}x}"

    def token_urlsafe(self, size: int) -> str:
        return f"token{next(self._numbers):0{size}}"

    def choice(self, letters: str) -> str:
        """Letters of codes that all differ: their numbers, lowest figure first."""
        code, place = divmod(next(self._letters), CODE_LENGTH)
        return letters[code // len(letters) ** place % len(letters)]


def counted_ids(numbers: Iterator[int] = count(1)) -> Iterator[str]:  # noqa: B008 - one count for all tables
    while True:
        yield f"{next(numbers) + 0xABCD000000000000:x}"


# --- leaks, planted on purpose -----------------------------------------------------------------------


def true_name(sight: Sight, who: str) -> str:
    found = sight.state.find(Character, who)
    return "Somebody" if found is None else found.name


Patch = tuple[type, str, Any]
LEAKS: dict[str, tuple[Patch, ...]] = {
    "hidden": ((Sight, "sees", lambda sight, character: True),),
    "names": ((Sight, "name", true_name),),
    "health": ((Sight, "health_form", lambda sight, character: HealthForm.NUMBER),),
    "lines": ((Sight, "may_read", lambda sight, audience: True),),
    "sheets": (
        (Viewer, "owns", lambda viewer, character: character.side is Side.HERO),
        (PhonePart, "_in_hand", lambda part, own: own),
    ),
    "odds": ((Sight, "odds_form", lambda sight, character: OddsForm.EXACT),),
}
mended: list[tuple[type, str, Any]] = []


@app.get("/ctl/leak/{what}")
async def leak(what: str) -> None:
    for owner, name, leaking in LEAKS[what]:
        mended.append((owner, name, getattr(owner, name)))
        setattr(owner, name, leaking)


@app.get("/ctl/mend")
async def mend() -> None:
    while mended:
        setattr(*mended.pop())


# --- what no page could tell -------------------------------------------------------------------------


def table_of(code: str) -> Table:
    row = halls[0].row(code)
    assert row is not None
    return halls[0].table(row)


@app.get("/ctl/state/{code}")
async def state(code: str) -> dict[str, Any]:
    """All documents, the revision, and all that the log holds."""
    table = table_of(code)
    return {
        "documents": table._bodies(),
        "revision": table.revision,
        "entries": [entry.row().lines for entry in table.entries],
        "seats": [[seat.id, seat.name, seat.real_dice, seat.orders] for seat in halls[0].access.seats.at(table.id)],
    }


@app.get("/ctl/told/{code}")
async def told(code: str) -> list[str]:
    """The sentences of the log that are the GM's alone, as the GM reads them, and that nobody else heard too."""
    table = table_of(code)
    sight = Sight(table.state, Viewer(role=Role.GM))
    lines = [line for entry in table.entries for line in entry.lines]
    secret = {sight.words(line.sentence) for line in lines if line.audience == Audience.GM}
    return sorted(secret - {sight.words(line.sentence) for line in lines if line.audience != Audience.GM})


@app.get("/ctl/later/{code}/{seconds}")
async def later(code: str, seconds: int) -> bool:
    """The clock moves, and those who look at this table notice."""
    NOW[0] += timedelta(seconds=seconds)
    table_of(code).tell()
    return True


@app.get("/ctl/quiet")
async def quiet() -> bool:
    """Answers once every page is drawn and everything is on its way."""
    calm = 0
    while calm < 3:
        await asyncio.sleep(0.012)
        here = [client for client in Client.instances.values() if client.has_socket_connection]
        busy = any(client.outbox.updates or client.outbox.messages for client in here)
        calm = 0 if busy or drawing() else calm + 1
    return True


def drawing() -> bool:
    pages = getattr(halls[0].presence, "__self__").pages.values()  # noqa: B009
    return any(page.view is not None and page.view._drawing is not None for page in pages)


def main() -> None:
    for module, name, stand_in in (
        (webapp.access, "secrets", (counted := Counted())),
        (webapp.tokens, "secrets", counted),
        (webapp.hall, "secrets", counted),
        (webapp.hall, "random_ids", counted_ids),
    ):
        setattr(module, name, stand_in)
    settings = Settings(port=int(os.environ["PORT"]), open_browser=False)
    hall = build(settings, HalfDice(), lambda: NOW[0])
    hall.addresses = lambda: ["http://192.0.2.1:8463"]
    halls.append(hall)
    serve(settings, hall)


if __name__ in ("__main__", "__mp_main__"):
    main()
