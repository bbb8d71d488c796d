"""Pictures of every page, to be looked at one by one: `python -m tests.look [folder] [width …]`.

A sample table is played for a few steps with laid-out dice, then put to its worst, and each page is taken at each
width: the door, the host, joining, a sheet, dice, a fight, questions, a night, a phone in a pocket, an empty table,
long names, twelve foes, every state at once, the largest text, the GM's page with its dialogs, and the TV.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from playwright.async_api import Page, async_playwright, expect

from tests.conftest import CHROMIUM, CHROMIUM_ARGUMENTS
from tests.support.story import GM, PATIENCE, Phone, Seen, Story
from tests.support.worst import LONGEST, cast, gets_crowded, gets_every_state, send

WIDTHS = (320, 390, 768, 1366, 1920)
HEIGHTS = {320: 640, 390: 844, 768: 1024, 1366: 768, 1920: 1080}
ON_A_WALL = 768
SAMPLE, HERO = "Under the Salt Exchange", "Plumb"
DIALOGS = ("add", "invite", "seats", "dice", "tables", "house", "keys")
TABS = ("sheet", "fight", "dice", "log")
CONTENT = (
    "Math.max(document.documentElement.scrollHeight, ...[...document.querySelectorAll('dialog[open], .gm .column')]"
)
CONTENT += ".map(one => Math.ceil(one.scrollHeight / 0.9) + 80))"  # a dialog takes most of the window, not all
# Nothing has changed on the page for a while.
AT_REST = """() => new Promise((done) => {
  const end = () => { watch.disconnect(); scrollTo(0, 0); done(); };
  let wait = setTimeout(end, 300);
  const watch = new MutationObserver(() => { clearTimeout(wait); wait = setTimeout(end, 300); });
  watch.observe(document.body, {childList: true, subtree: true, characterData: true});
})"""


class Album:
    def __init__(self, folder: Path, widths: tuple[int, ...]) -> None:
        self.folder = folder
        self.widths = widths
        self.taken = 0

    async def take(self, page: Page, name: str, *, whole: bool = False, least: int = 0) -> None:
        """A page at each width; `whole`: with all that its own scrolling hides. Its window is put back as it was."""
        before = page.viewport_size
        await page.evaluate(AT_REST)
        for width in (one for one in self.widths if one >= least):
            height = HEIGHTS.get(width, 800)
            await page.set_viewport_size({"width": width, "height": height})
            if whole:
                await page.set_viewport_size({"width": width, "height": max(height, await page.evaluate(CONTENT))})
            await page.screenshot(path=self.folder / f"{name}-{width}.png", full_page=True)
            self.taken += 1
        if before is not None:
            await page.set_viewport_size(before)

    async def phone(self, ann: Phone, name: str, tabs: Iterable[str] = TABS) -> None:
        for tab in tabs:
            await ann.tab(tab)
            await self.take(ann.page, f"phone-{name}{tab}")

    async def wall(self, tv: Seen, name: str) -> None:
        await self.take(tv.page, f"tv-{name}", least=ON_A_WALL)


async def everything(story: Story, album: Album) -> None:
    gm = await story.gm()
    await album.take(gm.page, "host")
    await gm.button(SAMPLE).click()
    await gm.page.wait_for_url("**/gm")
    code = gm.page.url.split("/")[-2]
    await album.take(gm.page, "gm-first", whole=True)
    tv, ann = await story.tv(), await story.phone("Ann")
    await tv.goto(f"/t/{code}/screen")
    await album.wall(tv, "door")
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
    await at_its_worst(story, gm, ann, tv, album)
    await an_empty_table(story, album)


async def at_peace(gm: GM, ann: Phone, tv: Seen, album: Album) -> None:
    await album.phone(ann, "")
    await album.take(gm.page, "gm")
    await album.wall(tv, "table")
    await album.take(gm.page, "gm-whole", whole=True)
    for dialog in DIALOGS:
        await gm.page.evaluate("name => document.getElementById(name).showModal()", dialog)
        await album.take(gm.page, f"gm-{dialog}", whole=True)
        await gm.page.keyboard.press("Escape")
    await gm.page.keyboard.press("x")
    await gm.page.locator("#damage input[name=dice]").fill("2")
    await gm.button("Heroes", "#damage").click()
    await gm.find("#damage .then", "takes").first.wait_for()
    await album.take(gm.page, "gm-damage", whole=True)
    await gm.page.keyboard.press("Escape")
    await gm.button("What would it do?").click()
    await gm.all_answered()
    await album.take(gm.page, "gm-night", whole=True)
    await ann.tab("sheet")
    await ann.tap("More")
    await ann.all_answered()
    await album.take(ann.page, "phone-more")
    for words, name in (("Largest", "largest"), ("High contrast", "contrast")):
        await ann.tap(words)
        await ann.page.locator(f".look[data-{'text' if name == 'largest' else 'contrast'}]").wait_for(
            state="attached"
        )
        await ann.all_answered()
        await album.take(ann.page, f"phone-{name}")
        await ann.tap("Normal" if name == "largest" else "Night")
        await ann.all_answered()
    await ann.tap("Less")
    await ann.tab("fight")
    await ann.tap("Darken")
    await ann.page.locator(".pocket").wait_for()
    await album.take(ann.page, "phone-pocket")
    await ann.page.locator(".pocket").tap()
    await ann.all_answered()


async def in_a_fight(story: Story, gm: GM, ann: Phone, tv: Seen, album: Album) -> None:
    """Until somebody is asked something, or the round is over."""
    story.lay(*[4] * 80)
    await gm.next_until_asked(HERO)
    await album.take(ann.page, "phone-question")
    await album.take(gm.page, "gm-fight")
    await album.wall(tv, "blow")
    await gm.page.locator(".cast .card-head").first.click()
    await gm.all_answered()
    await album.take(gm.page, "gm-card", whole=True)
    await gm.page.locator(".cast .card-head").first.click()
    await ann.answer("Let it hit")
    await ann.is_not_asked()
    await album.phone(ann, "fought-", ("fight", "log"))
    while await gm.page.locator(".waiting button").count():
        await press(gm)
    await settled(tv, "round")
    await album.wall(tv, "round")
    for _ in range(2):
        await press(gm)
    await settled(tv, "fight")
    await album.wall(tv, "fight")


async def press(gm: GM) -> None:
    """The big button, until it says something else."""
    big = gm.page.locator(".next")
    before = await big.get_attribute("data-move") or ""
    await big.click()
    await expect(big).not_to_have_attribute("data-move", before, timeout=PATIENCE)


async def settled(tv: Seen, state: str) -> None:
    """Nothing is shown large any more."""
    await tv.page.locator(f".tv[data-state={state}]").wait_for(timeout=2 * PATIENCE)


async def at_its_worst(story: Story, gm: GM, ann: Phone, tv: Seen, album: Album) -> None:
    await send(gm, {"move": "table.end_fight"})
    await gets_crowded(gm)
    await gets_every_state(gm, (await cast(gm))[LONGEST])
    await album.take(gm.page, "gm-crowd", whole=True)
    await settled(tv, "table")
    await album.wall(tv, "crowd")
    story.lay(*[3] * 400)
    for _ in range(2):
        await press(gm)
    for who in list((await cast(gm)).values())[1:3]:
        await gets_every_state(gm, who)
    await album.phone(ann, "worst-")
    await ann.tab("sheet")
    await ann.page.locator(".states").tap()
    await ann.all_answered()
    await album.take(ann.page, "phone-worst-states")
    await album.take(gm.page, "gm-worst")
    await album.take(gm.page, "gm-worst-whole", whole=True)
    foes = list((await cast(gm)).values())[3:9]
    for who, to in zip(list((await cast(gm)).values())[:3] * 2, foes, strict=True):
        await send(gm, {"move": "table.tie", "character": to, "to": who})
    await settled(tv, "fight")
    await album.wall(tv, "worst")


async def an_empty_table(story: Story, album: Album) -> None:
    gm = await story.gm()
    await gm.page.fill("input[name=name]", "Rindfleischetikettierungsüberwachungsrat")
    await gm.page.locator(".way form button.primary").click()
    await gm.page.wait_for_url("**/gm")
    await gm.is_live()
    await album.take(gm.page, "empty-gm")
    code = gm.page.url.split("/")[-2]
    tv, bob = await story.tv(), await story.phone("Bob")
    await tv.goto(f"/t/{code}/screen")
    await album.wall(tv, "empty")
    await bob.page.goto(f"{story.server.base}/join/{code}")
    await album.take(bob.page, "empty-join")


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
