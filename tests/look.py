"""Pictures of every page, to be looked at one by one: `python -m tests.look [folder] [width …]`.

A sample table is played for a few steps with laid-out dice, and each page is taken at each width: the door, the
host, joining, a sheet, dice, a fight, a question, the log, the GM's page with its dialogs, and the TV.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from playwright.async_api import Page, async_playwright

from tests.conftest import CHROMIUM, CHROMIUM_ARGUMENTS
from tests.support.story import GM, Phone, Seen, Story

WIDTHS = (320, 390, 768, 1366, 1920)
HEIGHTS = {320: 640, 390: 844, 768: 1024, 1366: 768, 1920: 1080}
SAMPLE, HERO = "Under the Salt Exchange", "Plumb"
DIALOGS = ("add", "invite", "dice", "tables", "house")
TABS = ("sheet", "fight", "dice", "log")


class Album:
    def __init__(self, folder: Path, widths: tuple[int, ...]) -> None:
        self.folder = folder
        self.widths = widths
        self.taken = 0

    async def take(self, page: Page, name: str) -> None:
        """The whole page at each width; its window is put back as it was."""
        before = page.viewport_size
        for width in self.widths:
            await page.set_viewport_size({"width": width, "height": HEIGHTS.get(width, 800)})
            await page.screenshot(path=self.folder / f"{name}-{width}.png", full_page=True)
            self.taken += 1
        if before is not None:
            await page.set_viewport_size(before)


async def everything(story: Story, album: Album) -> None:
    gm = await story.gm()
    await album.take(gm.page, "host")
    await gm.button(SAMPLE).click()
    await gm.page.wait_for_url("**/gm")
    code = gm.page.url.split("/")[-2]
    tv, ann = await story.tv(), await story.phone("Ann")
    await tv.goto(f"/t/{code}/screen")
    await album.take(tv.page, "tv-door")
    await ann.page.goto(f"{story.server.base}/join/{code}")
    await album.take(ann.page, "join")
    await ann.page.fill("input[name=name]", "Ann")
    await ann.page.locator("form button").last.tap()
    await ann.page.wait_for_url("**/play")
    await ann.is_live()
    await album.take(ann.page, "hero")
    await ann.page.locator("button:has(.face)", has_text=HERO).tap()
    await ann.page.locator(".gauge").first.wait_for()
    await at_peace(gm, ann, tv, album)
    await in_a_fight(story, gm, ann, tv, album)


async def at_peace(gm: GM, ann: Phone, tv: Seen, album: Album) -> None:
    for tab in TABS:
        await ann.tab(tab)
        await album.take(ann.page, f"phone-{tab}")
    await album.take(gm.page, "gm")
    await album.take(tv.page, "tv-table")
    for dialog in DIALOGS:
        await gm.page.locator(f"button[data-open={dialog}]").click()
        await album.take(gm.page, f"gm-{dialog}")
        await gm.page.keyboard.press("Escape")


async def in_a_fight(story: Story, gm: GM, ann: Phone, tv: Seen, album: Album) -> None:
    """Until somebody is asked something, or the round is over."""
    story.lay(*[4] * 80)
    await gm.next_until_asked(HERO)
    await album.take(ann.page, "phone-question")
    await album.take(gm.page, "gm-fight")
    await album.take(tv.page, "tv-fight")
    await gm.page.locator(".cast .card-head").first.click()
    await gm.all_answered()
    await album.take(gm.page, "gm-card")


async def main(folder: Path, widths: tuple[int, ...]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    album = Album(folder, widths)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGUMENTS)
        async with Story(browser, Path(tempfile.mkdtemp())) as story:
            await everything(story, album)
        await browser.close()
    sys.stdout.write(f"{album.taken} pictures in {folder}\n")


if __name__ == "__main__":
    given = sys.argv[1:]
    widths = tuple(int(one) for one in given[1:]) or WIDTHS
    asyncio.run(main(Path(given[0]) if given else Path("pictures"), widths))
