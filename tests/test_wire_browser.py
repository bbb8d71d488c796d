"""The wire in a real browser: lost networks, dead servers, taps and forms."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page

from tests.support.proxy import Network, Proxy
from tests.support.toy import Toy, control

in_browser = pytest.mark.asyncio(loop_scope="session")


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
    await control(toy, "forget", client_id)
    async with phone.page.expect_request("**/_alive*"):
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
