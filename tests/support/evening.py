"""A table of its own at a shared server, and helpers to look at its pages on the protocol level."""

import asyncio
import json
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import aiohttp

from tests.support.ngclient import NGClient
from tests.support.server import ServerProcess

SHEET = {"squad": {"hp": {"now": 15, "full": 15}, "devices": {"axe": {"name": "Axe", "make": "melee", "die": 6}}}}


class Server(ServerProcess):
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.dice = folder / "dice.json"
        self.lay()
        environment = {"GRITBOARD_DATA": str(folder), "STORY_DICE": str(self.dice)}
        super().__init__("tests.support.story_server", folder / "server.log", environment)

    def lay(self, *faces: int) -> None:
        self.dice.write_text(json.dumps(faces))

    @property
    def host_link(self) -> str:
        return "/host/" + (self.folder / "host-secret").read_text()


class Evening:
    """A table of its own at the shared server, and all who come to it."""

    def __init__(self, server: Server, exits: AsyncExitStack) -> None:
        self.server = server
        self.gm: NGClient
        self.code = ""
        self._exits = exits

    async def begin(self, name: str = "The Old Mill") -> None:
        self.gm = await self.browser(self.server.host_link)
        await did(self.gm, {"move": "page.new_table", "name": name, "games": ["squad"]})
        links = await self.gm.wait_for(lambda c: hrefs(c, "/screen"))
        self.code = links[0].split("/")[2]

    async def browser(self, path: str | None = None, **headers: str) -> NGClient:
        client = await self._exits.enter_async_context(NGClient(self.server.base, headers=headers))
        return client if path is None else await client.open(path.format(code=self.code))

    async def player(self, name: str) -> NGClient:
        client = await self.browser()
        response = await client.post(f"/join/{self.code}", {"name": name})
        assert response.headers["Location"] == f"/t/{self.code}/play"
        return await client.open(f"/t/{self.code}/play")

    async def asks_for_the_seat(self) -> NGClient:
        """Another phone that wants the only seat of this table."""
        client = await self.browser()
        await client.get(f"/join/{self.code}")
        form = client.elements[client.find(contains='name="seat"') or ""]
        seat = form["props"]["innerHTML"].partition('value="')[2].partition('"')[0]
        response = await client.post(f"/join/{self.code}", {"seat": seat})
        return await client.open(response.headers["Location"])

    async def hero(self, player: NGClient, name: str) -> str:
        """The id of a hero made for this player; the GM's page knows it by then."""
        await did(player, {"move": "table.make_hero", "name": name, "sheets": SHEET})
        mine = await player.wait_for(lambda c: moves(c, "table.adjust"))
        made = str(mine[0]["actor"])
        await self.gm.wait_for(lambda c: made in self._cast())
        return made

    async def sits(self, form: dict[str, str]) -> NGClient:
        """A browser that has sent this form at the door, and went where it was sent."""
        client = await self.browser()
        response = await client.post(f"/join/{self.code}", form)
        return await client.open(response.headers["Location"])

    async def waiting_hero(self, name: str, **more: Any) -> str:
        """The id of a hero of the table that no seat drives."""
        return await self.foe(name, side="hero", **more)

    async def foe(self, name: str, **more: Any) -> str:
        before = self._cast()
        await did(self.gm, {"move": "table.add_characters", "name": name, "sheets": SHEET, **more})
        added = await self.gm.wait_for(lambda c: [id for id in self._cast(name) if id not in before])
        return str(added[0])

    def _cast(self, name: str = "") -> list[str]:
        """The ids on the GM's page of everybody whose name begins like this."""
        heads = (element.get("props", {}) for element in self.gm.elements.values() if element.get("props"))
        found = [props for props in heads if props.get("data-card") and str(props["data-label"]).startswith(name)]
        return [str(props["data-card"]) for props in found]

    async def listeners(self) -> int:
        async with (
            aiohttp.ClientSession() as session,
            session.get(f"{self.server.base}/ctl/listeners/{self.code}") as answer,
        ):
            return int(await answer.text())

    async def until_listeners(self, wanted: int) -> None:
        async with asyncio.timeout(10):
            while await self.listeners() != wanted:
                await asyncio.sleep(0.02)


# --- looking -----------------------------------------------------------------------------------------


def moves(client: NGClient, kind: str) -> list[dict[str, Any]]:
    """What the page offers to send."""
    sent = [element.get("props", {}).get("data-move") for element in client.elements.values()]
    offered = [json.loads(move) for move in sent if move]
    return [move for move in offered if move["move"] == kind]


def hrefs(client: NGClient, ending: str) -> list[str]:
    found = [str(element.get("props", {}).get("href", "")) for element in client.elements.values()]
    return [href for href in found if href.endswith(ending)]


def shows(client: NGClient, words: str) -> bool:
    return client.find(contains=words) is not None


async def sees(client: NGClient, words: str) -> None:
    await client.wait_for(lambda c: shows(c, words))


async def did(client: NGClient, move: dict[str, Any]) -> None:
    answer = await client.send_move(move)
    assert answer["ok"], f"{move} was refused: {answer['say']}"


async def refused(client: NGClient, move: dict[str, Any]) -> str:
    answer = await client.send_move(move)
    assert not answer["ok"], f"{move} was accepted"
    return str(answer["say"])


def sentence(response: aiohttp.ClientResponse) -> str:
    """The one a form was refused with."""
    assert response.status == 303
    return unquote(response.headers["Location"].partition("?refused=")[2])
