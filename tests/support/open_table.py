"""A table on an open server, with a GM, players and the TV as protocol clients that keep all they receive."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp

from tests.support.ngclient import NGClient
from tests.support.server import ServerProcess

Move = dict[str, Any]
SETTINGS = "table.settings/table"


class OpenServer(ServerProcess):
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        super().__init__("tests.support.open_server", folder / "server.log", {"GRITBOARD_DATA": str(folder)})

    async def ctl(self, path: str) -> Any:
        async with aiohttp.ClientSession() as session, session.get(f"{self.base}/ctl/{path}") as answer:
            assert answer.status == 200, path
            return await answer.json()


class OpenTable:
    def __init__(self, server: OpenServer, exits: AsyncExitStack) -> None:
        self.server = server
        self.ids: dict[str, str] = {}
        self.gm: NGClient
        self.players: dict[str, NGClient] = {}
        self.code = ""
        self._exits = exits

    async def begin(self, games: Sequence[str] = ("squad",)) -> None:
        self.gm = await self.browser("/host/" + (self.server.folder / "host-secret").read_text())
        await self.do({"move": "page.new_table", "name": "The Old Mill", "games": list(games)})
        links = await self.gm.wait_for(hrefs)
        self.code = links[0].split("/")[2]

    async def browser(self, path: str | None = None) -> NGClient:
        client = await self._exits.enter_async_context(NGClient(self.server.base))
        return client if path is None else await client.open(path.format(code=self.code))

    async def player(self, name: str, hero: str, **sheet: Any) -> NGClient:
        client = self.players[name] = await self.browser()
        await client.post(f"/join/{self.code}", {"name": name})
        await client.open(f"/t/{self.code}/play")
        await self.do({"move": "table.make_hero", "name": hero, "sheets": {"squad": sheet_of(**sheet)}}, client)
        await self.learn(hero)
        return client

    async def foe(self, name: str, *, alias: str = "", hidden: bool = False, **sheet: Any) -> str:
        body = {"squad": sheet_of(**sheet)}
        add = {"move": "table.add_characters", "name": name, "sheets": body, "hidden": hidden, "alias": alias}
        await self.do(add)
        return await self.learn(name)

    async def learn(self, name: str) -> str:
        """The id of the newest character of this name."""
        documents = (await self.state())["documents"].values()
        found = [one for one in documents if one.get("name") == name and "side" in one]
        self.ids[name] = max(found, key=lambda one: int(one["order"]))["id"]
        return self.ids[name]

    async def state(self) -> dict[str, Any]:
        found: dict[str, Any] = await self.server.ctl(f"state/{self.code}")
        return found

    async def do(self, move: Move, client: NGClient | None = None) -> None:
        answer = await (client or self.gm).send_move(move)
        assert answer["ok"], f"{move} was refused: {answer['say']}"

    async def edit(self, who: str, **values: Any) -> None:
        await self.do({"move": "table.edit", "actor": self.ids[who], "game_id": "squad", "values": values})

    async def settings(self, **values: Any) -> None:
        await self.do({"move": "table.edit_table", "key": SETTINGS, "values": values})

    async def next(self) -> None:
        await self.settled(self.gm)
        await self.do(offered(self.gm, "table.next")[0])

    async def settled(self, *clients: NGClient) -> None:
        """All that was to be sent to these has come."""
        await self.server.ctl("quiet")
        for client in clients:
            await client.ask("ack", {"client_id": client.client_id, "next_message_id": client._next_message_id})


def sheet_of(*, hp: int = 15, **more: Any) -> dict[str, Any]:
    return {"hp": {"now": hp, "full": hp}, **more}


def melee(name: str, die: int) -> dict[str, Any]:
    return {name.lower(): {"name": name, "make": "melee", "die": die}}


def hrefs(client: NGClient) -> Sequence[str]:
    found = [str((element.get("props") or {}).get("href", "")) for element in client.elements.values()]
    return [href for href in found if href.endswith("/screen")]


def offered(client: NGClient, kind: str = "") -> list[Move]:
    """What this page's buttons would send now, of one kind or of all."""
    found = []
    for element in client.elements.values():
        props = element.get("props") or {}
        if "data-move" in props and props.get("aria-disabled") != "true" and props.get("tag") == "button":
            found.append(json.loads(props["data-move"]))
    return [move for move in found if kind in ("", move["move"])]


@asynccontextmanager
async def a_duel(server: OpenServer) -> AsyncIterator[OpenTable]:
    """Ann plays Vex, against a thug; the order is rolled. Every die shows half of its sides."""
    async with AsyncExitStack() as exits:
        table = OpenTable(server, exits)
        await table.begin()
        await table.player("Ann", "Vex", tuf=8, will=2, devices=melee("Blade", 8))
        await table.foe("Thug", monster=10, devices=melee("Club", 6))
        await table.do({"move": "table.start_fight"})
        await table.next()
        yield table
