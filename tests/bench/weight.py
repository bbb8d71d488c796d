"""What a phone's page weighs on the wire, as a real browser loads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playwright.async_api import BrowserContext, async_playwright

from tests.bench.crowd import MeasuredTable
from tests.conftest import CHROMIUM, CHROMIUM_ARGUMENTS

if TYPE_CHECKING:
    from tests.bench.live import Row


async def page_weight(table: MeasuredTable) -> list[Row]:
    from tests.bench.live import Row

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGUMENTS)
        context = await browser.new_context(viewport={"width": 390, "height": 844}, is_mobile=True)
        cookies = [{"name": name, "value": value, "url": table.server.base} for name, value in table.seats[0].items()]
        await context.add_cookies(cookies)  # type: ignore[arg-type]
        first, second = await _load(context, table), await _load(context, table)
        await browser.close()
    return [
        Row("first load of a phone's page", f"{first[0] / 1000:.0f} kB, {first[1]} requests", "≤ 550 kB"),
        Row("next load of a phone's page", f"{second[0] / 1000:.1f} kB, {second[1]} requests", "≤ 30 kB"),
    ]


async def _load(context: BrowserContext, table: MeasuredTable) -> tuple[float, int]:
    """Bytes that came over the network, headers too, and how many requests they answered."""
    page = await context.new_page()
    session = await context.new_cdp_session(page)
    arrived: list[float] = []

    def note(finished: dict[str, Any]) -> None:
        if finished["encodedDataLength"]:
            arrived.append(finished["encodedDataLength"])

    session.on("Network.loadingFinished", note)
    await session.send("Network.enable")
    await page.goto(f"{table.server.base}/t/{table.code}/play", wait_until="networkidle")
    await page.wait_for_function("window.socket && window.socket.connected")
    await page.evaluate("document.fonts.ready")
    await page.close()
    return sum(arrived), len(arrived)
