"""What eyes and thumbs meet at every state of a phone: nothing wider than the phone, nothing too small to hit."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from tests.support.story import GM, PATIENCE, Phone, Story
from tests.support.worst import LONG_NAMES, cast, gets_crowded, gets_every_state, send

in_browser = pytest.mark.asyncio(loop_scope="session")
SAMPLE, HERO = "Under the Salt Exchange", "Plumb"
LEAST = 48
NARROW = (320, 390)
FAULTS: list[str] = []

# Whoever sticks out to the right, but for what scrolls by itself or is cut with three dots on purpose.
TOO_WIDE = """() => {
  const found = [];
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) found.push(`the page: ${wide}`);
  for (const one of document.querySelectorAll('body *')) {
    const box = one.getBoundingClientRect();
    if (!box.width || !box.height) continue;
    if (getComputedStyle(one).clipPath !== 'none') continue; // for ears only
    if (one.closest('svg, .ribbon, .heard, input, select, .nicegui-error-popup')) continue;
    const name = `${one.tagName} ${one.className}: ${one.textContent.trim().slice(0, 40)}`;
    if (box.right > innerWidth + 1 || box.left < -1) found.push(`off ${Math.round(box.right)} ${name}`);
    const style = getComputedStyle(one), cut = style.overflowX === 'hidden' || style.overflowX === 'clip';
    if (cut && style.textOverflow !== 'ellipsis' && one.scrollWidth > one.clientWidth + 1) found.push(`cut ${name}`);
    if (one.matches('button') && one.scrollWidth > one.clientWidth + 1) found.push(`over its edge ${name}`);
    if (one.matches('button') && one.scrollHeight > one.clientHeight + 1) found.push(`out of ${name}`);
  }
  return found;
}"""

# A label is as good to hit as the box it belongs to.
TOO_SMALL = """least => {
  const found = [];
  const all = 'button, a[href], summary, select, textarea, input:not([type=hidden])';
  for (const one of document.querySelectorAll(all)) {
    const target = (one.matches('[type=checkbox], [type=radio]') && one.closest('label')) || one;
    const box = target.getBoundingClientRect();
    if (!box.width || !box.height || getComputedStyle(target).visibility === 'hidden') continue;
    if (box.width < least - 0.5 || box.height < least - 0.5)
      found.push(`${Math.round(box.width)} × ${Math.round(box.height)} ${one.outerHTML.slice(0, 90)}`);
  }
  return found;
}"""

# Each plus and minus, and the name it stands beside on the screen.
STRAYED = """() => {
  const found = [];
  let own = null;
  for (const one of document.querySelector('.cast-list').children) {
    if (one.matches('.card-head')) own = one;
    if (!one.matches('.count')) continue;
    const former = one.previousElementSibling;
    const near = one.matches('[aria-label$="−1"]') ? former : former.previousElementSibling;
    const gauge = near.matches('.gauge') ? near : own;
    const box = one.getBoundingClientRect(), beside = gauge.getBoundingClientRect();
    const middle = (box.top + box.bottom) / 2;
    const words = `${one.getAttribute('aria-label')} of ${own.textContent}`;
    if (middle < beside.top || middle > beside.bottom) found.push(words);
  }
  return found;
}"""


class Room:
    def __init__(self, story: Story, gm: GM, ann: Phone) -> None:
        self.story, self.gm, self.ann = story, gm, ann


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def room(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Room]:
    folder: Path = tmp_path_factory.mktemp("looks")
    async with Story(chromium, folder) as story:
        gm, ann = await story.gm(), await story.phone("Ann")
        await gm.button(SAMPLE).click()
        await gm.page.wait_for_url("**/gm")
        await ann.page.goto(f"{story.server.base}/join/{gm.page.url.split('/')[-2]}")
        yield Room(story, gm, ann)


async def fits(page: Page, where: str) -> None:
    """Notes what sticks out, and what is too small to be hit."""
    before = page.viewport_size
    assert before is not None
    await page.evaluate("document.fonts.ready")
    for width in NARROW:
        await page.set_viewport_size({"width": width, "height": 640})
        found = [*await page.evaluate(TOO_WIDE), *await page.evaluate(TOO_SMALL, LEAST)]
        FAULTS.extend(f"{where}, {width} wide: {one}" for one in found)
    await page.set_viewport_size(before)


async def every_tab(ann: Phone, where: str) -> None:
    for tab in ("sheet", "fight", "dice", "log"):
        await ann.tab(tab)
        await fits(ann.page, f"{where}: {tab}")


async def in_every_size(ann: Phone, look: Callable[[str], Awaitable[None]], where: str) -> None:
    """As most see it, and with the text as large as a seat can have it."""
    await look(where)
    for value in ("largest", ""):
        await send(ann, {"move": "page.look", "name": "look.text", "value": value})
        await expect(ann.page.locator(f'.look[data-text="{value}"]')).to_have_count(1, timeout=PATIENCE)
        await look(f"{where}, {value or 'usual'} text")


@in_browser
async def test_a_phone_shows_all_of_everything_however_narrow(room: Room) -> None:
    """In the order of an evening, up to a hero with a long name and every state at once among twelve foes."""
    story, gm, ann = room.story, room.gm, room.ann
    await fits(ann.page, "who are you?")
    await ann.page.fill("input[name=name]", "Ann")
    await ann.page.locator("form button").last.tap()
    await ann.page.wait_for_url("**/play")
    await ann.is_live()
    await fits(ann.page, "choosing a hero")
    await ann.page.locator("button:has(.face)", has_text=HERO).tap()
    await ann.page.locator(".gauge").first.wait_for()
    await in_every_size(ann, lambda where: every_tab(ann, where), "at peace")
    await ann.tab("sheet")
    await ann.tap("More")
    await ann.has('button:text-is("Less")', 1)
    await in_every_size(ann, lambda where: fits(ann.page, where), "all that is seldom wanted")
    await ann.tap("Edit the sheet")
    await ann.page.locator("form.edit").first.wait_for()
    await fits(ann.page, "the forms of the sheet")
    story.lay(*[4] * 80)
    await gm.next_until_asked(HERO)
    await ann.page.locator(".question-sheet button").first.wait_for()
    await in_every_size(ann, lambda where: fits(ann.page, where), "a question")
    await send(ann, {"move": "page.aside"})
    await ann.is_not_asked()
    await send(gm, {"move": "table.end_fight"})
    await gets_crowded(gm)
    story.lay(*[3] * 400)
    await send(gm, {"move": "table.start_fight"})
    await gets_every_state(gm, (await cast(gm))[LONG_NAMES[2]])
    await ann.page.locator(".states").wait_for()
    await in_every_size(ann, lambda where: every_tab(ann, where), "at its worst")
    await ann.page.locator(".states").tap()
    await ann.page.locator(".told-states .state-note").first.wait_for()
    await in_every_size(ann, lambda where: fits(ann.page, where), "all states told")
    assert not FAULTS, "\n".join(FAULTS)


@in_browser
async def test_plus_and_minus_stand_beside_what_they_change(room: Room) -> None:
    """Also while some in the list have no track, and some are hidden."""
    gm = room.gm
    await send(gm, {"move": "table.add_characters", "name": "Nobody", "sheets": {}})
    await send(gm, {"move": "table.add_characters", "name": "Unseen", "sheets": {}, "hidden": True})
    await send(
        gm, {"move": "table.add_characters", "name": "Rat", "sheets": {"squad": {"hp": {"now": 3, "full": 3}}}}
    )
    await gm.page.locator(".cast-list .card-head").first.click()
    await gm.page.locator(".cast-list .gauge").first.wait_for()
    assert await gm.page.evaluate(STRAYED) == []


@in_browser
async def test_the_gm_s_page_loses_nothing_at_twice_the_size(room: Room) -> None:
    """Zoomed by the browser, and with text alone at two hundred per cent."""
    page = room.gm.page
    await page.set_viewport_size({"width": 683, "height": 384})
    faults = [f"zoomed: {one}" for one in await page.evaluate(TOO_WIDE)]
    await page.set_viewport_size({"width": 1366, "height": 768})
    await page.evaluate("document.documentElement.style.fontSize = '200%'")
    faults += [f"text alone: {one}" for one in await page.evaluate(TOO_WIDE)]
    assert not faults, "\n".join(faults)
