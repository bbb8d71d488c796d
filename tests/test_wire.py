"""The wire on the protocol level: hostile messages, and taps that count once."""

import asyncio
import inspect
import re
import uuid
from collections.abc import AsyncIterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import aiohttp
import nicegui
import pytest
import pytest_asyncio
from nicegui import Client, core
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tests.support.ngclient import NGClient
from tests.support.toy import Toy, control
from webapp.ui import wire


@pytest_asyncio.fixture
async def client(toy: Toy) -> AsyncIterator[NGClient]:
    async with NGClient(toy.base) as client:
        yield await client.open()


# --- private parts -----------------------------------------------------------------------------------


def test_the_private_parts_of_nicegui_are_where_the_wire_expects_them() -> None:
    assert (3, 18) <= tuple(int(part) for part in version("nicegui").split(".")[:2]) < (4,)
    handlers = core.sio.handlers["/"]
    for name in wire.PAGE_EVENTS:
        assert not inspect.iscoroutinefunction(inspect.unwrap(handlers[name]))
    for name in ("handshake", "connect"):
        assert inspect.iscoroutinefunction(inspect.unwrap(handlers[name]))
    assert "message" in core.sio.eio.handlers
    assert hasattr(core.sio.eio, "cors_allowed_origins")
    assert isinstance(Client.instances, dict)
    assert isinstance(Client.shared_head_html, str)
    source = inspect.getsource(Client)
    for name in ("_pinned_tab_id", "_delete_tasks", "_cancel_delete_task", "has_socket_connection"):
        assert name in source


def test_the_private_parts_of_nicegui_s_script_are_where_ours_expects_them() -> None:
    script = (Path(nicegui.__file__).parent / "static" / "nicegui.js").read_text()
    for piece in (
        "window.clientId = options.query.client_id",
        "window.socket = io(url",
        "query: options.query",
        "window.nextMessageId",
        "connect_error:",
        '"Implicit handshake failed"',
        'window.socket?.emit("event"',
    ):
        assert piece in script


def test_the_script_s_address_changes_with_its_content() -> None:
    assert re.fullmatch(r"/static/gritboard\.js\?v=[0-9a-f]{12}", wire.versioned("gritboard.js"))
    assert wire.versioned("gritboard.js") in wire.page_script()


@pytest.mark.parametrize(
    ("host", "ours"),
    [
        ("192.168.1.20:8080", True),
        ("[fe80::1]:8080", True),
        ("localhost", True),
        ("Gritty.local:8080", True),
        ("table.lan", True),
        ("evil.example", False),
        ("192.168.1.20.evil.example", False),
        ("table.lan.evil.example:80", False),
        ("", False),
    ],
)
def test_hosts(host: str, ours: bool) -> None:
    assert wire.host_is_ours(host, {"table.lan"}) is ours


# --- messages ----------------------------------------------------------------------------------------


async def test_a_move_is_carried_out_and_every_page_sees_it(toy: Toy, client: NGClient) -> None:
    async with NGClient(toy.base) as other:
        await other.open()
        assert await client.send_move({"move": "hello"}) == {"ok": True, "say": "Hello to you."}
        await other.wait_for(lambda c: c.find(text="count 1"))
        assert other.has_received("count 1")


async def test_a_repeat_while_the_first_is_under_way_is_one_move(toy: Toy, client: NGClient) -> None:
    answers = await asyncio.gather(*(client.send_move({"move": "slow"}, tap="same") for _ in range(3)))
    assert all(answer["ok"] for answer in answers)
    assert toy.count()["slow"] == 1


async def test_nobody_speaks_for_another_page(toy: Toy, client: NGClient) -> None:
    async with NGClient(toy.base) as thief:
        await thief.open()
        own_id, thief.client_id = thief.client_id, client.client_id
        stolen = await thief.send_move({"move": "count"})
        thief.client_id = str(uuid.uuid4())
        invented = await thief.send_move({"move": "count"})
        for answer in (stolen, invented):
            assert not answer["ok"]
            assert answer["say"] == "This page is out of date. Reload it."
        listener = client.event_message(client.find(text="listener") or "")
        assert await thief.ask("event", listener) == "forbidden"
        assert await thief.ask("log", {"client_id": client.client_id}) == "forbidden"
        thief.client_id = own_id
    assert toy.count()["count"] == 0


@pytest.mark.parametrize(
    "message",
    [
        None,
        "text",
        [],
        {},
        {"client_id": ["list"]},
        {"client_id": None, "tap": "t", "age": 0, "move": {"move": "count"}},
    ],
)
async def test_messages_that_make_no_sense(toy: Toy, client: NGClient, message: object) -> None:
    assert (await client.ask("gritboard", message))["ok"] is False
    assert (await client.ask("gritboard"))["ok"] is False
    assert await client.ask("event", message) == "forbidden"
    assert (await client.send_move({"move": "count"}))["ok"]
    assert toy.count() == {"count": 1}


@pytest.mark.parametrize(
    "wrong",
    [
        {"tap": 5},
        {"tap": ""},
        {"tap": "t" * 65},
        {"age": "old"},
        {"age": None},
        {"move": ["count"]},
        {"move": {"move": "count", "more": "x" * 16_400}},
    ],
)
async def test_moves_that_make_no_sense(toy: Toy, client: NGClient, wrong: dict[str, Any]) -> None:
    right = {"client_id": client.client_id, "tap": "tap", "age": 0, "move": {"move": "count"}}
    answer = await client.ask("gritboard", {**right, **wrong})
    assert answer["ok"] is False
    assert answer["say"]
    assert not toy.moves()


async def test_malformed_packets_leave_one_line_in_the_log(client: NGClient) -> None:
    listener = client.event_message(client.find(text="listener") or "")
    assert await client.ask("event", {**listener, "args": ["{not json"]}) == "malformed"
    assert await client.ask("event", {"client_id": client.client_id}) == "malformed"
    assert await client.ask("ack", {"client_id": client.client_id}) == "malformed"
    assert await client.ask("log", {"client_id": client.client_id, "level": "loud"}) == "malformed"
    assert await client.ask("handshake", "nonsense") is False
    for packet in ("42{not json", "42" + "[" * 3000, "451-", "49", "421[]"):
        await client.send_raw(packet)
    assert await client.ask("event", listener) == "ok"
    await client.wait_for(lambda c: c.find(text="heard"))


async def test_a_malformed_handshake_is_refused(toy: Toy) -> None:
    address = f"ws://127.0.0.1:{toy.port}/_nicegui_ws/socket.io/?EIO=4&transport=websocket"
    async with connect(address + "&implicit_handshake=true") as socket:
        await socket.recv()
        await socket.send("40")
        assert str(await socket.recv()).startswith("44")


async def test_a_broken_rule_is_answered_by_a_sentence(toy_server: Toy) -> None:
    async with NGClient(toy_server.base) as client:
        await client.open()
        answer = await client.send_move({"move": "broken"})
        assert not answer["ok"]
        assert answer["say"]
        assert (await client.send_move({"move": "count"}))["ok"]
    assert "the toy table is broken on purpose" in toy_server.log()


async def test_a_flood_is_asked_to_come_again(toy: Toy, client: NGClient) -> None:
    answers = await asyncio.gather(*(client.send_move({"move": "count"}) for _ in range(200)))
    refused = [answer for answer in answers if not answer["ok"]]
    assert refused
    assert all(answer["retry"] and answer["say"].startswith("Too fast") for answer in refused)
    assert toy.count()["count"] == 200 - len(refused)
    listener = client.event_message(client.find(text="listener") or "")
    assert "slow" in await asyncio.gather(*(client.ask("event", listener) for _ in range(200)))


async def test_an_event_with_a_tap_is_heard_once(client: NGClient) -> None:
    listener = client.event_message(client.find(text="listener") or "")
    assert await client.ask("event", {**listener, "tap": "one"}) == "ok"
    assert await client.ask("event", {**listener, "tap": "one"}) == "repeat"


# --- the door ----------------------------------------------------------------------------------------


async def test_a_foreign_origin_gets_no_socket(toy: Toy) -> None:
    async with NGClient(toy.base, headers={"Origin": "http://evil.example"}) as client:
        await client.get()
        with pytest.raises(InvalidStatus) as refused:
            await client.connect()
        assert refused.value.response.status_code in {400, 403}


async def test_our_own_origin_gets_a_socket(toy: Toy) -> None:
    async with NGClient(toy.base, headers={"Origin": toy.base}) as client:
        await client.open()


async def test_a_foreign_host_gets_nothing(toy: Toy) -> None:
    async with NGClient(toy.base, headers={"Host": "evil.example"}) as client:
        await client.get()
        assert client.status == 421
        assert "count" not in client.html
    address = f"ws://127.0.0.1:{toy.port}/_nicegui_ws/socket.io/?EIO=4&transport=websocket"
    with pytest.raises(InvalidStatus):
        async with connect(address, additional_headers={"Host": "evil.example"}):
            pass
    async with NGClient(toy.base, headers={"Host": "table.lan"}) as client:
        await client.get()
        assert client.status == 200


# --- pages -------------------------------------------------------------------------------------------


async def pages(toy: Toy) -> dict[str, bool]:
    async with aiohttp.ClientSession() as session, session.get(f"{toy.base}/ctl/clients") as response:
        known: dict[str, bool] = await response.json()
        return known


async def test_a_page_that_was_forgotten_can_do_nothing_more(toy: Toy, client: NGClient) -> None:
    await control(toy, "forget", client.client_id)
    assert client.client_id not in await pages(toy)
    assert not (await client.send_move({"move": "count"}))["ok"]
    await client.drop()
    assert not await client.connect()
    assert client.refusal is not None
    assert "Implicit handshake failed" in client.refusal


async def test_a_reload_leaves_no_page_behind(toy: Toy) -> None:
    tab_id = str(uuid.uuid4())
    async with NGClient(toy.base, tab_id=tab_id) as old, NGClient(toy.base, tab_id=tab_id) as new:
        await old.open()
        await new.open()  # while the old socket still seems to live
        await old.drop()
        while old.client_id in await pages(toy):
            await asyncio.sleep(0.05)
        assert (await pages(toy))[new.client_id] is True


async def test_sub_pages_are_followed_on_the_same_socket(client: NGClient) -> None:
    await client.go("/other")
    await client.wait_for(lambda c: c.find(text="the other page"))


async def test_cookies_are_kept(toy: Toy) -> None:
    async with NGClient(toy.base, cookies={"seat": "one"}) as client:
        await client.open()
        assert client.cookies["seat"] == "one"
