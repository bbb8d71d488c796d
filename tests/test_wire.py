"""The wire: hostile messages on the protocol level, taps exactly once in a real browser."""

import asyncio
import inspect
import json
import re
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import aiohttp
import nicegui
import pytest
import pytest_asyncio
from nicegui import Client, core
from playwright.async_api import Browser, Page
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tests.support.ngclient import NGClient
from tests.support.proxy import Network, Proxy
from tests.support.server import ServerProcess
from webapp.ui import wire

in_browser = pytest.mark.asyncio(loop_scope="session")


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


@pytest.fixture(scope="module")
def toy_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Toy]:
    server = Toy(tmp_path_factory.mktemp("toy"))
    server.start()
    yield server
    server.stop()


@pytest.fixture
def toy(toy_server: Toy) -> Iterator[Toy]:
    toy_server.forget_moves()
    before = len(toy_server.log())
    yield toy_server
    assert "Traceback" not in toy_server.log()[before:]


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


async def control(toy: Toy, what: str, client_id: str) -> None:
    async with aiohttp.ClientSession() as session:
        (await session.get(f"{toy.base}/ctl/{what}/{client_id}")).release()


async def pages(toy: Toy) -> dict[str, bool]:
    async with aiohttp.ClientSession() as session, session.get(f"{toy.base}/ctl/clients") as response:
        known: dict[str, bool] = await response.json()
        return known


async def test_a_page_that_was_thrown_out_can_do_nothing_more(toy: Toy, client: NGClient) -> None:
    await control(toy, "reload", client.client_id)
    await client.wait_for(lambda c: ("gritboard", {"go": "/other"}) in c.messages)
    assert client.client_id not in await pages(toy)
    assert not (await client.send_move({"move": "count"}))["ok"]
    await client.drop()
    assert not await client.connect()
    assert client.refusal is not None
    assert "Implicit handshake failed" in client.refusal


def test_a_page_is_never_sent_to_another_server() -> None:
    for url in ("https://evil.example", "//evil.example", "javascript:alert(1)"):
        with pytest.raises(ValueError, match="path of this server"):
            wire.reload_client("anybody", url)


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


# --- a real browser ----------------------------------------------------------------------------------


class Phone:
    """A page behind a network that may fail."""

    def __init__(self, page: Page, proxy: Proxy) -> None:
        self.page = page
        self.proxy = proxy

    async def open(self) -> None:
        await self.page.goto(self.proxy.base)
        await self.until("window.socket && window.socket.connected && document.querySelector('#count')")

    async def until(self, condition: str) -> None:
        await self.page.wait_for_function(condition)

    async def tap(self, selector: str) -> None:
        await self.page.locator(selector).dispatch_event("click")

    async def until_nothing_waits(self) -> None:
        await self.until("JSON.parse(sessionStorage.getItem('gritboard.pending') || '[]').length === 0")

    async def document(self) -> str:
        return str(await self.page.evaluate("window.documentId"))


async def phone_of(chromium: Browser, server: Toy) -> AsyncIterator[Phone]:
    context = await chromium.new_context(viewport={"width": 390, "height": 844})
    page = await context.new_page()
    page.set_default_timeout(20_000)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    async with Proxy(server.port) as proxy:
        phone = Phone(page, proxy)
        await phone.open()
        yield phone
        await context.close()
    assert not errors


@pytest_asyncio.fixture(loop_scope="session")
async def phone(chromium: Browser, toy: Toy) -> AsyncIterator[Phone]:
    async for phone in phone_of(chromium, toy):
        yield phone


@in_browser
async def test_a_tap_while_the_network_is_gone(phone: Phone, toy: Toy) -> None:
    document = await phone.document()
    phone.proxy.network = Network.REFUSES
    phone.proxy.reset_all()
    await phone.until("!window.socket.connected")
    await phone.tap("#count")
    await phone.tap("#count")  # impatient
    await phone.tap("#other")
    await phone.until("document.body.classList.contains('tap-pending')")
    assert not toy.moves()
    phone.proxy.network = Network.FINE
    await phone.until_nothing_waits()
    assert [move["move"] for move in toy.moves()] == ["count", "other"]
    await phone.until("document.querySelector('#shown').textContent === 'count 2'")
    assert await phone.document() == document


@in_browser
async def test_a_tap_into_a_black_hole(phone: Phone, toy: Toy) -> None:
    document = await phone.document()
    phone.proxy.strand_all()
    phone.proxy.network = Network.SWALLOWS
    await phone.tap("#count")
    await phone.until("!window.socket.connected")  # found out by the missing answer
    phone.proxy.network = Network.FINE
    await phone.until_nothing_waits()
    assert toy.count() == {"count": 1}
    assert await phone.document() == document


@in_browser
async def test_an_answer_lost_on_the_way_back(phone: Phone, toy: Toy) -> None:
    await phone.page.evaluate(
        """() => { const engine = window.socket.io.engine; engine.transport.onPacket = () => {}; }"""
    )
    await phone.tap("#count")
    await phone.until_nothing_waits()
    assert toy.count() == {"count": 1}


@in_browser
async def test_waking_finds_a_half_open_socket_at_once(phone: Phone) -> None:
    await phone.page.evaluate("window.engineBefore = window.socket.io.engine")
    phone.proxy.strand_all()
    await phone.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await phone.until("window.socket.connected && window.socket.io.engine !== window.engineBefore")


@in_browser
async def test_the_server_dies_and_comes_back_while_a_tap_is_made(chromium: Browser, tmp_path: Path) -> None:
    server = Toy(tmp_path)
    server.start()
    try:
        async for phone in phone_of(chromium, server):
            document = await phone.document()
            await phone.tap("#other")
            await phone.until_nothing_waits()
            server.kill()
            await phone.tap("#count")
            server.start()
            await phone.until(f"window.documentId && window.documentId !== '{document}'")
            await phone.until_nothing_waits()
            await phone.until("document.querySelector('#shown').textContent === 'count 2'")
            assert server.count() == {"other": 1, "count": 1}
            assert phone.page.url.startswith(phone.proxy.base)
    finally:
        server.stop()


@in_browser
async def test_no_reload_before_the_server_answers(phone: Phone, toy: Toy) -> None:
    document, client_id = await phone.document(), await phone.page.evaluate("window.clientId")
    await phone.page.route("**/_alive*", lambda route: route.abort())
    async with phone.page.expect_request("**/_alive*"):
        await control(toy, "prune", client_id)
    await phone.page.evaluate("void window.gritboard.send({move: 'count'}, 'Count')")
    async with phone.page.expect_request("**/_alive*"):
        pass  # it keeps asking
    assert await phone.document() == document
    await phone.page.unroute("**/_alive*")
    await phone.until(f"window.documentId && window.documentId !== '{document}'")
    await phone.until_nothing_waits()
    assert toy.count() == {"count": 1}


@in_browser
async def test_too_old_to_be_sent(phone: Phone, toy: Toy) -> None:
    phone.proxy.network = Network.REFUSES
    phone.proxy.reset_all()
    await phone.until("!window.socket.connected")
    await phone.tap("#other")
    await phone.page.evaluate(
        """() => {
            const list = JSON.parse(sessionStorage.getItem('gritboard.pending'));
            list[0].at -= 31000;
            sessionStorage.setItem('gritboard.pending', JSON.stringify(list));
        }"""
    )
    phone.proxy.network = Network.FINE
    notice = phone.page.get_by_text("Not sent: The other one")
    await notice.wait_for()
    await phone.until("window.socket.connected")
    await phone.tap("#count")  # a later tap is not held up
    await phone.until("document.querySelector('#shown').textContent === 'count 1'")
    assert toy.count() == {"count": 1}
    await phone.page.get_by_role("button", name="Dismiss").click()
    await notice.wait_for(state="detached")


@in_browser
async def test_hasty_taps_are_slowed_down_but_none_is_lost(phone: Phone, toy: Toy) -> None:
    await phone.page.evaluate("for (let n = 0; n < 60; n++) window.gritboard.send({move: 'count', n: n}, 'Count')")
    await phone.until_nothing_waits()
    assert sorted(move["n"] for move in toy.moves()) == list(range(60))
    assert await phone.page.locator("#refused").inner_text() == ""


@in_browser
async def test_what_is_said(phone: Phone, toy: Toy) -> None:
    page = phone.page
    await page.click("#hello")
    await page.locator("#say").get_by_text("Hello to you.").wait_for()
    await page.click("#refuse")
    await page.locator("#refused").get_by_text("Not your turn.").wait_for()
    await page.locator("#off").dispatch_event("click")
    await page.locator("#refused").get_by_text("You have no blade.").wait_for()
    client_id = await page.evaluate("window.clientId")
    await control(toy, "toast", client_id)
    await page.locator("#say").get_by_text("A word from the table.").wait_for()
    await control(toy, "nudge", client_id)
    await phone.until("document.body.classList.contains('nudged')")
    await page.evaluate("window.gritboard.send({move: 'long', text: 'x'.repeat(20000)}, 'Long')")
    await page.locator("#refused").get_by_text("That is too long to send.").wait_for()
    assert toy.count() == {"hello": 1}


@in_browser
async def test_a_form(phone: Phone, toy: Toy) -> None:
    page = phone.page
    await page.click("#open")
    await page.click("#submit")  # refused by the browser: a name is required
    assert await page.locator("#box").is_visible()
    await page.fill("#name", "Ann the Bold")
    for _ in range(5):
        await page.click("#plus")
    await page.click("#submit-refuse")
    await page.locator("#box [data-say]").get_by_text("Not your turn.").wait_for()
    assert await page.input_value("#name") == "Ann the Bold"
    await page.click("#submit")
    await page.locator("#box").wait_for(state="hidden")
    assert await page.input_value("#name") == ""
    assert toy.moves() == [
        {
            "move": "form",
            "who": {"id": "ann", "name": "Ann the Bold"},
            "number": 3,
            "empty": None,
            "sure": True,
            "tags": ["x"],
            "choice": {"n": 1},
        }
    ]


@in_browser
async def test_keys_tabs_and_sub_pages(phone: Phone, toy: Toy) -> None:
    page = phone.page
    await page.click("#count")  # leaves the focus there
    await page.keyboard.press("Space")
    await phone.until("document.querySelector('#shown').textContent === 'count 2'")
    assert toy.count() == {"count": 1, "other": 1}
    await page.click("#tab-b")
    assert await page.get_attribute("#tab-b", "aria-selected") == "true"
    await page.click("#link")
    await page.get_by_text("the other page").wait_for()
    await page.go_back()
    await page.locator("#tab-b[aria-selected=true]").wait_for()
    assert await page.get_attribute("#tab-a", "aria-selected") == "false"
    await page.reload()
    await page.locator("#tab-b[aria-selected=true]").wait_for()
    assert await page.evaluate("document.body.dataset.tab") == "b"
    await page.click("#count")
    await phone.until("document.querySelector('#shown').textContent === 'count 3'")


@in_browser
async def test_a_page_that_is_thrown_out_goes_where_it_is_sent(phone: Phone, toy: Toy) -> None:
    await control(toy, "reload", await phone.page.evaluate("window.clientId"))
    await phone.page.get_by_text("the other page").wait_for()
    assert phone.page.url == f"{phone.proxy.base}/other"
