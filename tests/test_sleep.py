"""Phones that sleep, in a real browser: in sync soon after waking, no dialog, every tap once or visibly not sent.

GRITBOARD_SLEEP=long sleeps 15 s, 1 minute and 10 minutes as well; what is awaited is the same, so it proves
little more. How long waking took is printed, never asserted.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest
import pytest_asyncio
from playwright.async_api import Browser, CDPSession, Page

from tests.support.open_table import OpenServer, OpenTable
from tests.support.proxy import Network, Proxy
from tests.support.server import running

in_browser = pytest.mark.asyncio(loop_scope="session")
LONG = os.environ.get("GRITBOARD_SLEEP") == "long"
NAPS = (1, 15, 60, 600) if LONG else (1,)
WAKING = "document.dispatchEvent(new Event('visibilitychange'))"
WATCHING = """(points) => {
    const vitals = () => Array.from(document.querySelectorAll('.vitals b'));
    const isShown = () => vitals().some((it) => it.textContent.includes(points));
    const look = () => { if (isShown()) window.syncedAt = window.syncedAt || performance.now(); };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
    window.wokenAt = performance.now();
    look();
}"""
PENDING = "JSON.parse(sessionStorage.getItem('gritboard.pending') || '[]')"


class Sleeper:
    """Ann's phone behind a network that comes and goes."""

    def __init__(self, page: Page, devtools: CDPSession, proxy: Proxy, table: OpenTable) -> None:
        self.page = page
        self.proxy = proxy
        self.table = table
        self.devtools = devtools
        self.troubles: list[str] = []
        self.sockets = 0
        page.set_default_timeout(20_000)
        page.on("dialog", lambda dialog: self.troubles.append(f"a dialog: {dialog.message}"))
        page.on("pageerror", lambda error: self.troubles.append(f"an error: {error}"))
        page.on("framenavigated", lambda frame: self._look_at(frame.url))
        page.on("websocket", lambda _: self.count_socket())

    def _look_at(self, url: str) -> None:
        if not url.startswith(self.proxy.base):
            self.troubles.append(f"the page went to {url}")

    def count_socket(self) -> None:
        self.sockets += 1

    async def sleeps(self, how: str) -> None:
        match how:
            case "reset":
                self.proxy.network = Network.REFUSES
                self.proxy.reset_all()
                await self.page.wait_for_function("!window.socket.connected")
            case "half open":
                self.proxy.network = Network.SWALLOWS
                self.proxy.strand_all()
            case "black hole":
                self.proxy.network = Network.SWALLOWS
            case "frozen":
                self.proxy.network = Network.SWALLOWS
                self.proxy.strand_all()
                await self.devtools.send("Page.setWebLifecycleState", {"state": "frozen"})

    async def wakes(self, how: str, points: int) -> None:
        """To be in sync, it will have to show these points."""
        await self.page.evaluate(WATCHING, str(points))
        self.proxy.network = Network.FINE
        if how == "frozen":
            await self.devtools.send("Page.setWebLifecycleState", {"state": "active"})
        await self.page.evaluate(WAKING)

    async def shows_hp(self, points: int) -> None:
        vitals = self.page.locator(".vitals b", has_text=str(points)).first
        await vitals.wait_for()

    async def minus(self) -> None:
        await self.page.locator("button[aria-label='HP −1']").tap()

    async def in_sync(self, points: int, what: str) -> None:
        await self.shows_hp(points)
        took = await self.page.evaluate("window.syncedAt ? window.syncedAt - window.wokenAt : null")
        print(f"{what}: in sync " + ("on a new page" if took is None else f"{took / 1000:.2f} s after waking"))
        await self.page.wait_for_function(f"{PENDING}.filter((it) => !it.expired).length === 0")
        assert await self.hp() == points
        assert self.troubles == []
        assert await self.page.evaluate("Boolean(window.gritboard && window.socket.connected)")

    async def hp(self) -> int:
        documents = (await self.table.state())["documents"]
        now: int = documents[f"squad.sheet/{self.table.ids['Vex']}"]["hp"]["now"]
        return now

    async def gm_takes(self, points: int) -> None:
        move = {"move": "table.adjust", "actor": self.table.ids["Vex"], "game_id": "squad", "path": ["hp", "now"]}
        await self.table.do({**move, "amount": -points})


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[OpenServer]:
    with running(OpenServer(tmp_path_factory.mktemp("sleep"))) as server:
        yield server


@pytest_asyncio.fixture(loop_scope="session")
async def ann(server: OpenServer, chromium: Browser) -> AsyncIterator[Sleeper]:
    async with AsyncExitStack() as exits:
        table = OpenTable(server, exits)
        await table.begin()
        player = await table.player("Ann", "Vex")
        proxy = await exits.enter_async_context(Proxy(server.port))
        context = await chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
        exits.push_async_callback(context.close)
        cookies = [{"name": name, "value": value, "url": proxy.base} for name, value in player.cookies.items()]
        await context.add_cookies(cookies)  # type: ignore[arg-type]
        await player.drop()
        page = await context.new_page()
        await page.goto(f"{proxy.base}/t/{table.code}/play")
        await page.wait_for_function("window.socket && window.socket.connected")
        sleeper = Sleeper(page, await context.new_cdp_session(page), proxy, table)
        await sleeper.shows_hp(15)
        yield sleeper


WAYS = ("reset", "half open", "black hole", "frozen")


@in_browser
@pytest.mark.parametrize("nap", NAPS)
@pytest.mark.parametrize("how", WAYS)
@pytest.mark.timeout(900 if LONG else 60)
async def test_a_phone_wakes_in_sync(ann: Sleeper, how: str, nap: int) -> None:
    await ann.sleeps(how)
    await ann.gm_takes(3)
    await asyncio.sleep(nap)  # the nap itself
    await ann.wakes(how, 12)
    await ann.in_sync(12, f"{how}, {nap} s")


@in_browser
@pytest.mark.parametrize("how", ["reset", "half open", "black hole"])
async def test_a_tap_into_a_dead_network_is_carried_out_once(ann: Sleeper, how: str) -> None:
    await ann.sleeps(how)
    await ann.minus()
    await ann.page.wait_for_function(f"{PENDING}.length === 1")
    await ann.gm_takes(3)
    await ann.wakes(how, 11)
    await ann.in_sync(11, f"{how}, a tap")


@in_browser
async def test_taps_whose_answers_were_lost_are_carried_out_once(ann: Sleeper) -> None:
    """The network dies behind the taps: they arrive, and nobody hears of it."""
    for _ in range(3):
        await ann.page.evaluate("document.querySelector(\"button[aria-label='HP −1']\").click()")
        ann.proxy.strand_all()
        await ann.page.evaluate("window.socket.io.engine.close()")
        await ann.page.wait_for_function("window.socket.connected")
    await ann.wakes("reset", 12)
    await ann.in_sync(12, "lost answers")


@in_browser
@pytest.mark.parametrize("how", ["reset", "half open"])
async def test_a_tap_that_became_too_old_is_said_not_to_be_sent(ann: Sleeper, how: str) -> None:
    await ann.page.clock.install()
    await ann.sleeps(how)
    await ann.minus()
    await ann.page.wait_for_function(f"{PENDING}.length === 1")
    await ann.gm_takes(3)
    await ann.page.clock.fast_forward("10:00")
    await ann.wakes(how, 12)
    await ann.page.get_by_text("ot sent").first.wait_for()
    said = await ann.page.locator("#unsent").inner_text()
    assert said.startswith("Not sent: HP −1" if how == "reset" else "Perhaps not sent, look at the log: HP −1")
    await ann.in_sync(12, f"{how}, ten minutes later")


@in_browser
async def test_a_phone_that_slept_through_a_restart_wakes_in_sync(ann: Sleeper) -> None:
    await ann.sleeps("reset")
    await ann.minus()
    ann.table.server.kill()
    async with ann.page.expect_websocket():  # it tries in vain
        await ann.wakes("reset", 14)
    ann.table.server.start()
    await ann.in_sync(14, "a restart")


@in_browser
async def test_a_phone_left_alone_knocks_without_wearing_websockets_out(ann: Sleeper) -> None:
    """Browsers hold WebSockets back for seconds once many of them have failed."""
    await ann.page.clock.install()
    before = ann.sockets
    await ann.sleeps("reset")
    await ann.gm_takes(3)
    while ann.proxy.refused < 20:
        await ann.page.clock.run_for(500)
    assert ann.sockets == before
    await ann.wakes("reset", 12)
    await ann.in_sync(12, "many knocks in vain")


@in_browser
async def test_a_phone_in_a_black_hole_does_not_wear_websockets_out(ann: Sleeper) -> None:
    await ann.page.clock.install()
    await ann.sleeps("half open")
    await ann.page.evaluate("window.socket.io.engine.close()")
    before = ann.sockets
    await ann.gm_takes(3)
    for _ in range(10):
        async with ann.page.expect_request("**/_alive*"):
            await ann.page.clock.run_for(1000)
    assert ann.sockets == before
    await ann.wakes("half open", 12)
    await ann.in_sync(12, "many knocks into a hole")


@in_browser
async def test_an_attempt_that_has_just_failed_is_made_again_on_waking(ann: Sleeper) -> None:
    await ann.page.clock.install()
    await ann.page.clock.pause_at(await ann.page.evaluate("Date.now() + 1000"))  # so the attempt stays a young one
    await ann.sleeps("reset")
    await ann.gm_takes(3)
    await ann.page.evaluate("() => { window.socket.once('connect_error', () => { window.hasFailed = true; }); }")
    await ann.page.evaluate(WAKING)
    while not await ann.page.evaluate("window.hasFailed"):
        await ann.page.clock.run_for(1)
    engine_is_new = "() => { const before = window.socket.io.engine; %s; return window.socket.io.engine !== before; }"
    assert await ann.page.evaluate(engine_is_new % WAKING)
    await ann.page.clock.resume()
    await ann.wakes("reset", 12)
    await ann.in_sync(12, "an attempt just failed")


@in_browser
async def test_a_phone_whose_websockets_hang_comes_in_by_polling(ann: Sleeper) -> None:
    """As on some iPhones over plain HTTP, and wherever too many WebSockets have failed."""
    ann.proxy.hangs_websockets = True
    await ann.sleeps("reset")
    await ann.gm_takes(3)
    await ann.wakes("reset", 12)
    await ann.in_sync(12, "WebSockets hang")
    assert await ann.page.evaluate("window.socket.io.engine.transport.name") == "polling"
