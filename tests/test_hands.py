"""For hands, eyes and ears: axe finds nothing on any page, and the GM's page is worked by keys alone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Page, expect

from tests.support.story import GM, PATIENCE, Phone, Seen, Story

in_browser = pytest.mark.asyncio(loop_scope="session")
SAMPLE = "Under the Salt Exchange"


class Room:
    def __init__(self, story: Story, gm: GM, ann: Phone, tv: Seen) -> None:
        self.story, self.gm, self.ann, self.tv = story, gm, ann, tv


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def room(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Room]:
    folder: Path = tmp_path_factory.mktemp("hands")
    async with Story(chromium, folder) as story:
        gm, ann, tv = await story.gm(), await story.phone("Ann"), await story.tv()
        await finds_nothing(gm.page, "the host's page")
        await gm.button(SAMPLE).click()
        await gm.page.wait_for_url("**/gm")
        code = gm.page.url.split("/")[-2]
        await tv.goto(f"/t/{code}/screen")
        await ann.page.goto(f"{story.server.base}/join/{code}")
        await finds_nothing(ann.page, "joining")
        await ann.page.fill("input[name=name]", "Ann")
        await ann.page.locator("form button").last.tap()
        await ann.page.wait_for_url("**/play")
        await ann.is_live()
        yield Room(story, gm, ann, tv)


async def finds_nothing(page: Page, where: str) -> None:
    found = await Axe().run(page)
    faults = [
        f"{fault['id']}: {fault['help']} ({', '.join(str(node['target']) for node in fault['nodes'][:4])})"
        for fault in found.response["violations"]
    ]
    assert not faults, f"axe, {where}:\n" + "\n".join(faults)


async def offers(page: Page, selector: str) -> None:
    await expect(page.locator(selector).first).to_be_visible(timeout=PATIENCE)


@in_browser
async def test_axe_finds_nothing_on_any_page(room: Room) -> None:
    """In the order of an evening: choosing a hero, the sheet, every tab, the dialogs, a fight, a question."""
    gm, ann, tv = room.gm, room.ann, room.tv
    await finds_nothing(ann.page, "choosing a hero")
    await finds_nothing(tv.page, "the TV's door")
    await ann.page.locator("button:has(.face)", has_text="Plumb").tap()
    await offers(ann.page, ".gauge")
    for tab in ("sheet", "fight", "dice", "log"):
        await ann.tab(tab)
        await finds_nothing(ann.page, f"the phone's {tab}")
    await offers(gm.page, ".next")
    await finds_nothing(gm.page, "the GM's page")
    for dialog in await gm.page.locator("button[data-open]:visible").all():
        name = await dialog.inner_text()
        await dialog.click()
        await finds_nothing(gm.page, f"the GM's dialog {name}")
        await gm.page.keyboard.press("Escape")
    room.story.lay(*[4] * 80)
    await gm.next_until_asked("Plumb")
    await offers(ann.page, ".question-sheet button")
    await finds_nothing(ann.page, "a question")
    await finds_nothing(gm.page, "the GM in a fight")
    await finds_nothing(tv.page, "the TV in a fight")
    await gm.page.locator(".cast .card-head").first.click()
    await gm.all_answered()
    await finds_nothing(gm.page, "an open card")


@in_browser
async def test_every_number_can_be_asked_where_it_comes_from(room: Room) -> None:
    """A value by a tap, a chance after a tap on Why? or held long, and by the other button of a mouse; none acts."""
    gm, ann = room.gm, room.ann
    sheet = ann.page.locator("dialog#because")
    await offers(ann.page, ".question-sheet .odds")
    await ann.page.locator("button[data-ask]").tap()
    await ann.page.locator(".question-sheet .odds").first.tap()
    await expect(sheet).to_contain_text("must make at least", timeout=PATIENCE)
    await finds_nothing(ann.page, "where a number comes from")
    await sheet.locator("[data-close]").tap()
    await ann.page.locator(".question-sheet .odds").last.click(delay=900)
    await expect(sheet).to_contain_text("must make at least", timeout=PATIENCE)
    await sheet.locator("[data-close]").tap()
    await offers(ann.page, ".question-sheet .odds")
    await ann.page.locator(".head .vitals span").first.tap()
    await expect(sheet.locator("h2")).to_contain_text("HP", timeout=PATIENCE)
    await sheet.locator("[data-close]").tap()
    await gm.page.locator(".waiting .odds").first.click(button="right")
    await expect(gm.page.locator("dialog#because")).to_contain_text("must make at least", timeout=PATIENCE)
    await gm.page.keyboard.press("Escape")


@in_browser
async def test_a_tap_right_after_a_chip_does_not_send_what_stood_there_before(room: Room) -> None:
    ann = room.ann
    await offers(ann.page, ".question-sheet .switch")
    await ann.page.evaluate(
        """() => {
          document.querySelector('.question-sheet .switch').click();
          document.querySelector('.question-sheet .choice:not(.safe)').click();
        }"""
    )
    await expect(ann.page.locator("#refused")).to_contain_text("has just changed", timeout=PATIENCE)
    await ann.all_answered()
    await offers(ann.page, ".question-sheet .switch[aria-pressed=true]")
    await ann.page.locator(".question-sheet .switch").tap()
    await offers(ann.page, ".question-sheet .switch[aria-pressed=false]")


@in_browser
async def test_every_plus_and_minus_stands_in_the_row_of_its_own_number(room: Room) -> None:
    """Of an open card with many numbers, and of the ones below it."""
    page = room.gm.page
    if not await page.locator(".cast .gauge").count():
        await page.locator(".cast .card-head").first.click()
    await offers(page, ".cast .gauge")
    middles = await page.locator(".cast-list > .count, .cast-list > .card-head, .cast-list > .gauge").evaluate_all(
        "all => all.map(one => [one.className, one.getBoundingClientRect().top + one.offsetHeight / 2])"
    )
    last = 0.0
    for classes, middle in middles:
        if "count" in classes:
            assert abs(middle - last) < 12, (classes, middle, last)
        else:
            last = middle


@in_browser
async def test_the_gm_works_by_keys_alone(room: Room) -> None:
    page = room.gm.page
    await offers(page, ".next")
    await page.keyboard.press("?")
    dialog = page.locator("dialog[open]")
    await expect(dialog).to_contain_text("Space", timeout=PATIENCE)
    told = await dialog.locator("kbd").all_inner_texts()
    await page.keyboard.press("Escape")
    await expect(dialog).to_have_count(0, timeout=PATIENCE)
    keys = await page.locator("[data-key]:visible").evaluate_all("all => all.map(one => one.dataset.key)")
    assert {key.upper() for key in keys} <= {key.upper() for key in told}
    for key, name in (("f", "find"), ("a", "add"), ("i", "invite"), ("d", "dice"), ("t", "tables"), ("r", "house")):
        await page.keyboard.press(key)
        await expect(page.locator(f"dialog#{name}[open]")).to_have_count(1, timeout=PATIENCE)
        await page.keyboard.press("Escape")
        await expect(page.locator("dialog[open]")).to_have_count(0, timeout=PATIENCE)


@in_browser
async def test_find_damage_hide_and_ask_by_keys(room: Room) -> None:
    """The focus follows: into the card that was found, and into the form that asks."""
    page = room.gm.page
    await offers(page, ".next")
    await page.keyboard.press("f")
    await page.locator("dialog#find[open] input").fill("drown")
    await page.keyboard.press("Enter")
    head = page.locator(".cast .card-head:focus")
    await expect(head).to_contain_text("Drowned clerk", timeout=PATIENCE)
    await expect(head).to_have_attribute("aria-expanded", "true")
    await expect(head).to_contain_text("40 of 40", timeout=PATIENCE)
    await page.keyboard.press("-")
    await expect(head).to_contain_text("39 of 40", timeout=PATIENCE)
    await page.keyboard.press("+")
    await expect(head).to_contain_text("40 of 40", timeout=PATIENCE)
    await page.keyboard.press("h")
    await expect(head).to_contain_text("hidden", timeout=PATIENCE)
    await page.keyboard.press("h")
    await expect(head).not_to_contain_text("hidden", timeout=PATIENCE)
    await page.keyboard.press("k")
    await expect(page.locator("form[data-asks] :focus")).to_have_count(1, timeout=PATIENCE)
    await page.keyboard.press("Escape")


@in_browser
async def test_what_is_dangerous_stands_far_from_the_big_button(room: Room) -> None:
    page = room.gm.page
    await offers(page, ".next")
    near = await page.locator(".danger:visible").evaluate_all(
        """all => {
          const next = document.querySelector('.next').getBoundingClientRect();
          return all.filter((one) => {
            const box = one.getBoundingClientRect();
            const aside = Math.max(box.left - next.right, next.left - box.right, 0);
            const above = Math.max(box.top - next.bottom, next.top - box.bottom, 0);
            return Math.max(aside, above) < 16;
          }).map((one) => one.textContent);
        }"""
    )
    assert near == []


@in_browser
async def test_the_turn_and_the_roll_are_said_aloud(room: Room) -> None:
    """Regions that a screen reader follows, on the laptop and on the phone."""
    gm, ann = room.gm.page, room.ann.page
    await offers(gm, ".next")
    await expect(gm.locator(".ribbon[aria-live=polite]")).to_have_count(1, timeout=PATIENCE)
    await expect(ann.locator(".ribbon[aria-live]")).to_have_count(0, timeout=PATIENCE)
    for page in (gm, ann):
        said = page.locator("header [role=status]").first
        await expect(said).to_have_count(1, timeout=PATIENCE)
    if "Start the fight" in await gm.locator(".next").inner_text():
        room.story.lay(*[4] * 80)
        await room.gm.next_until_asked("Plumb")
    await expect(gm.locator("header [role=status]").first).to_contain_text("is up", timeout=PATIENCE)
    told = await gm.locator(".ribbon[aria-live=polite]").inner_text()
    assert "hits" in told or "misses" in told, told
    await expect(ann.locator("header [role=status]").last).to_contain_text("with", timeout=PATIENCE)
