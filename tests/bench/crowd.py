"""Everybody at one measured table: a GM, a TV and phones over six heroes, and as many who look at the bare page."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from time import perf_counter
from typing import Any

import aiohttp
from websockets.exceptions import WebSocketException

from tests.support.ngclient import Json, NGClient
from tests.support.server import ServerProcess
from webapp.rules.games import shipped

HEROES, FOES, FURTHER = 6, 12, 180
COPIES = 20
AT_ONCE = 4
TRIES = 4


class Screen(NGClient):
    """A page that knows when it was last changed."""

    patience = 60.0
    changed_at = 0.0

    def _update(self, changes: dict[str, Json]) -> None:
        super()._update(changes)
        self.changed_at = perf_counter()

    def forget_what_came(self) -> None:
        """Keeps a long run from filling this process with what nobody looks at."""
        self.received.clear()
        self.messages.clear()


class BenchServer(ServerProcess):
    patience = 120.0

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        super().__init__("tests.bench.live_server", folder / "server.log", {"GRITBOARD_DATA": str(folder)})

    @property
    def host_path(self) -> str:
        return "/host/" + (self.folder / "host-secret").read_text()

    async def ctl(self, path: str) -> Any:
        async with aiohttp.ClientSession() as session, session.get(f"{self.base}/ctl/{path}") as answer:
            return await answer.json()


class MeasuredTable:
    """Made once; survives the server's being ended and started again."""

    def __init__(self, server: BenchServer) -> None:
        self.server = server
        self.code = ""
        self.host: dict[str, str] = {}
        self.seats: list[dict[str, str]] = []
        self.heroes: list[str] = []

    async def make(self) -> None:
        async with Screen(self.server.base) as gm:
            await gm.open(self.server.host_path)
            await do(gm, {"move": "page.new_table", "name": "Measured", "games": ["squad"]})
            self.code = (await gm.wait_for(_codes))[0]
            self.host = gm.cookies
        async with self.gm() as gm:
            await gm.open(f"/t/{self.code}/gm")
            for move in _cast():
                await do(gm, move)
            for nth in range(HEROES):
                await self._sit(f"Player {nth + 1}")
            await do(gm, {"move": "table.start_fight"})
            await do(gm, await gm.wait_for(_next_of))

    async def _sit(self, name: str) -> None:
        async with Screen(self.server.base) as phone:
            await phone.post(f"/join/{self.code}", {"name": name})
            self.seats.append(phone.cookies)
            await phone.open(f"/t/{self.code}/play")
            claims = [move for move in _moves(phone) if move["move"] == "table.claim"]
            await do(phone, claims[0])
            self.heroes.append(claims[0]["character"])
            await do(phone, {"move": "page.order", "name": "reroll", "value": "never"})

    def gm(self) -> Screen:
        return Screen(self.server.base, cookies=self.host)

    def phone(self, nth: int) -> Screen:
        return Screen(self.server.base, cookies=self.seats[nth % HEROES])

    def roll(self, nth: int) -> dict[str, Any]:
        """One that always succeeds, so that nothing is asked after it."""
        return {"move": "squad.task", "actor": self.heroes[nth % HEROES], "attribute": "TUF", "difficulty": 1}


class Crowd:
    """So many screens at the table, and so many that look at the bare page."""

    def __init__(self, table: MeasuredTable, count: int) -> None:
        self.table = table
        self.count = count
        self.screens: list[Screen] = []
        self.phones: list[Screen] = []
        self.bare: list[Screen] = []
        self._exits = AsyncExitStack()
        self._turn = 0

    async def __aenter__(self) -> Crowd:
        code, base = self.table.code, self.table.server.base
        gm, tv = self.table.gm(), Screen(base)
        self.phones = [self.table.phone(nth) for nth in range(self.count - 2)]
        self.screens = [gm, tv, *self.phones]
        self.bare = [Screen(base) for _ in range(self.count)]
        paths = [f"/t/{code}/gm", f"/t/{code}/screen", *[f"/t/{code}/play"] * len(self.phones)]
        await self._open([*zip(self.screens, paths, strict=True), *((one, "/bare") for one in self.bare)])
        for phone in self.phones:
            await do(phone, {"move": "page.shows", "panel": "sheet"})
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._exits.aclose()

    async def _open(self, screens: Sequence[tuple[Screen, str]]) -> None:
        gate = asyncio.Semaphore(AT_ONCE)

        async def one(screen: Screen, path: str) -> None:
            async with gate:
                for _ in range(TRIES):
                    try:
                        await screen.open(path)
                    except (WebSocketException, TimeoutError):  # the machine is too busy for the server's patience
                        continue
                    return
                raise TimeoutError(f"{path} can't be opened")

        await asyncio.gather(*(one(screen, path) for screen, path in screens))
        for screen, _ in screens:
            self._exits.push_async_callback(screen.close)

    # --- each gives the milliseconds from the first tap to the last screen

    async def push(self) -> float:
        """The bare page: nothing is worked out, nothing saved."""
        tapper = self.bare[self._next(self.count)]
        button = tapper.find(text="tap")
        assert button is not None
        return await self._until_seen(self.bare, [tapper.fire(button)])

    async def roll(self) -> float:
        nth = self._next(len(self.phones))
        return await self._until_seen(self.screens, [do(self.phones[nth], self.table.roll(nth))])

    async def all_at_once(self) -> float:
        """Every phone rolls, and the GM throws dice; a TV has no hands."""
        rolls = [do(phone, self.table.roll(nth)) for nth, phone in enumerate(self.phones)]
        throw = do(self.screens[0], {"move": "table.tray", "dice": {"6": 2}})
        return await self._until_seen(self.screens, [*rolls, throw])

    def _next(self, among: int) -> int:
        self._turn += 1
        return self._turn % among

    async def _until_seen(self, screens: Sequence[Screen], taps: Iterable[Any]) -> float:
        for screen in screens:
            screen.forget_what_came()
        since = perf_counter()
        await asyncio.gather(*taps)
        await asyncio.gather(*(screen.wait_for(lambda one: one.changed_at > since) for screen in screens))  # type: ignore[attr-defined]
        await self.table.server.ctl("quiet")
        await asyncio.gather(*(_has_read(screen) for screen in screens))
        return 1000 * (max(screen.changed_at for screen in screens) - since)


async def do(screen: NGClient, move: dict[str, Any]) -> None:
    answer = await screen.send_move(move)
    assert answer["ok"], f"{move} was refused: {answer['say']}"


async def _has_read(screen: NGClient) -> None:
    """All that was sent to it before this has come."""
    await screen.ask("ack", {"client_id": screen.client_id, "next_message_id": screen._next_message_id})


def _codes(client: NGClient) -> list[str]:
    props = [element.get("props") or {} for element in client.elements.values()]
    found = [str(one.get("href", "")) for one in props]
    return [href.split("/")[2] for href in found if href.endswith("/screen")]


def _moves(client: NGClient) -> list[dict[str, Any]]:
    props = [element.get("props") or {} for element in client.elements.values()]
    return [json.loads(one["data-move"]) for one in props if "data-move" in one]


def _next_of(gm: NGClient) -> dict[str, Any]:
    return next((move for move in _moves(gm) if move["move"] == "table.next"), {})


def _cast() -> Iterable[dict[str, Any]]:
    """Six heroes and twelve foes of the sample in sight, the others kept hidden."""
    cast = shipped().games["squad"].samples()[0].cast
    bodies: dict[str, list[tuple[str, Any]]] = {"hero": [], "foe": []}
    for side, name, copies, sheets in cast:
        bodies[side.value] += [(name, sheets)] * copies
    for kind, count in (("hero", HEROES), ("foe", FOES)):
        for nth in range(count):
            name, sheets = bodies[kind][nth % len(bodies[kind])]
            name = name if nth < len(bodies[kind]) else f"{name} {nth}"
            yield {"move": "table.add_characters", "side": kind, "name": name, "sheets": sheets, "hidden": False}
    for nth in range(0, FURTHER, COPIES):
        name, sheets = bodies["foe"][nth // COPIES % len(bodies["foe"])]
        more = {"copies": min(COPIES, FURTHER - nth), "hidden": True}
        yield {"move": "table.add_characters", "side": "foe", "name": f"Far {name}", "sheets": sheets} | more
