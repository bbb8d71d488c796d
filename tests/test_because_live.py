"""A live table tells where its numbers come from, to whoever sees them, and finds who is looked for."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
import pytest_asyncio

from tests.support.ngclient import NGClient
from tests.support.open_table import OpenServer, OpenTable, a_duel
from tests.support.server import running
from webapp.because import NOTHING


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenServer]:
    with running(OpenServer(tmp_path_factory.mktemp("because"))) as server:
        yield server


@pytest_asyncio.fixture
async def table(server: OpenServer) -> AsyncIterator[OpenTable]:
    async with a_duel(server) as table:
        yield table


JUNK: list[dict[str, Any]] = [{}, {"move": 3}, {"card": [], "block": {}}, {"slot": None}, {"move": "table.answer"}]


async def asked(client: NGClient, **of: Any) -> list[str]:
    answer = await client.send_move({"move": "page.why", "of": of})
    assert answer["ok"]
    return list(answer["because"])


async def test_a_page_tells_where_its_numbers_come_from_and_nobody_elses(table: OpenTable) -> None:
    ann, vex, thug = table.players["Ann"], table.ids["Vex"], table.ids["Thug"]
    await table.do({"move": "table.adjust", "actor": vex, "game_id": "squad", "path": ["hp", "now"], "amount": -3})
    told = await asked(ann, card=vex, block="squad.hp")
    assert told[:2] == ["HP: 12 of 15", "Lately, the latest first:"]
    assert told[2].startswith("15 → 12: Vex: HP 15 → 12")
    assert await asked(ann, card=thug, block="squad.hp") == list(NOTHING)
    assert (await asked(table.gm, card=thug, block="squad.hp"))[0] == "HP: 15 of 15"
    assert (await asked(ann, slot=f"{thug}:0"))[1].startswith("Initiative: d10 shows 5")
    for junk in JUNK:
        assert await asked(ann, **junk) == list(NOTHING)


async def test_the_gm_finds_somebody_by_a_part_of_the_name(table: OpenTable) -> None:
    found = await table.gm.send_move({"move": "page.find", "name": "THU"})
    assert found["ok"]
    assert table.ids["Thug"] in found["focus"]
    nobody = await table.gm.send_move({"move": "page.find", "name": "Zzz"})
    assert nobody["say"] == "Nobody at this table is called Zzz. Try another part of the name."


async def test_the_foes_to_add_are_those_of_the_rule_sets_in_play(server: OpenServer) -> None:
    async with AsyncExitStack() as exits:
        table = OpenTable(server, exits)
        await table.begin(games=["squad"])
        await table.gm.wait_for(lambda c: added(c) == {"squad"})
        await table.do({"move": "table.set_games", "games": ["willpower"]})
        await table.gm.wait_for(lambda c: added(c) == {"willpower"})


def added(client: NGClient) -> set[str]:
    """The rule sets whose foes the page would add."""
    told = [(one.get("props") or {}).get("data-move") for one in client.elements.values()]
    moves = [json.loads(move) for move in told if move is not None]
    return {game for move in moves if move["move"] == "table.add_characters" for game in move["sheets"]}


async def test_a_panel_that_nobody_looks_at_follows_in_its_time_and_at_once_when_it_is_opened(
    table: OpenTable,
) -> None:
    phone = table.players["Ann"]
    for shown in ("sheet", "log", "no such panel"):
        await table.do({"move": "page.shows", "panel": shown}, phone)
        before = len(panel(phone, "log"))
        await table.do({"move": "table.tray", "dice": {"6": 1}})
        await phone.wait_for(longer_than(before))


def longer_than(rows: int) -> Callable[[NGClient], bool]:
    return lambda client: len(panel(client, "log")) > rows


def panel(client: NGClient, name: str) -> list[str]:
    found = (one for one in client.elements.values() if (one.get("props") or {}).get("data-panel") == name)
    return list(next(found).get("children", ()))
