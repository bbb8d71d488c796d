"""The toy table in a process of its own."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import aiohttp

from tests.support.server import ServerProcess


class Toy(ServerProcess):
    """The toy table, with a look into its file of taps."""

    def __init__(self, folder: Path) -> None:
        self.taps = folder / "taps.jsonl"
        super().__init__("tests.support.wire_app", folder / "server.log", {"TAPS": str(self.taps)})

    def moves(self) -> list[dict[str, Any]]:
        lines = self.taps.read_text().splitlines() if self.taps.exists() else []
        return [json.loads(line)["move"] for line in lines]

    def count(self) -> Counter[str]:
        return Counter(move["move"] for move in self.moves())

    def forget_moves(self) -> None:
        self.taps.unlink(missing_ok=True)


async def control(toy: Toy, what: str, client_id: str) -> None:
    async with aiohttp.ClientSession() as session:
        (await session.get(f"{toy.base}/ctl/{what}/{client_id}")).release()
