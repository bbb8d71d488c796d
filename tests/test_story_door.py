"""The first ten minutes in real browsers: from the first visit to sheets in all hands, and the taps it takes."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.support.story import GM, PATIENCE, Phone, Story

SAMPLE = "The Warehouse on Ortygia"
WIDTHS = (320, 390, 768, 1366, 1920)
COUNT_TAPS = "addEventListener('pointerdown', () => sessionStorage.taps = 1 + Number(sessionStorage.taps || 0), true)"
TOO_WIDE = "document.documentElement.scrollWidth - innerWidth"


@pytest.mark.asyncio(loop_scope="session")
async def test_the_first_ten_minutes(chromium: Browser, tmp_path: Path) -> None:
    async with Story(chromium, tmp_path) as story:
        gm = await story.gm()
        await fits(gm)
        code = await a_table_is_opened(gm)
        ann = await a_hero_of_the_table_in_three_taps(story, code)
        await expect(gm.find(".welcome .poster")).to_have_count(0, timeout=PATIENCE)
        await a_hero_of_one_s_own_in_four_taps(story, code)
        await a_browser_without_scripts(story, gm, code)
        await a_browser_without_import_maps(story, code)
        await two_on_one_phone(ann)
        await the_phone_is_handed_on(ann)
        await it_asks_and_is_let_in(story, gm, code)


async def fits(seen: Phone | GM) -> None:
    """Nothing to scroll sideways, however wide the page is."""
    for width in WIDTHS:
        await seen.page.set_viewport_size({"width": width, "height": 800})
        assert await seen.page.evaluate(TOO_WIDE) <= 0, f"{seen.page.url} at {width}"
    width, height = (1366, 768) if isinstance(seen, GM) else (390, 844)
    await seen.page.set_viewport_size({"width": width, "height": height})


async def a_table_is_opened(gm: GM) -> str:
    await gm.shows("Open a sample table")
    await gm.shows("Your own table")
    code = await gm.opens(SAMPLE)
    await gm.shows("Invite the players")
    await gm.shows("Nobody has reached this computer yet.")
    return code


async def scans(story: Story, name: str, code: str) -> Phone:
    phone = await story.phone(name)
    await phone.page.add_init_script(COUNT_TAPS)
    await phone.goto(f"/join/{code}")
    return phone


async def taps(phone: Phone) -> int:
    return int(await phone.page.evaluate("Number(sessionStorage.taps)"))


async def types(phone: Phone, label: str, words: str, within: str = "body") -> None:
    field = phone.find(within).get_by_label(label)
    await field.tap()
    await phone.page.keyboard.type(words)


async def a_hero_of_the_table_in_three_taps(story: Story, code: str) -> Phone:
    ann = await scans(story, "Ann", code)
    await fits(ann)
    await ann.find(".hero", "Marble").tap()
    await types(ann, "Your name", "Ann")
    await ann.tap("Sit down")
    await ann.page.wait_for_url("**/play")
    await ann.shows("Marble", "h1")
    await ann.has("[data-panel=sheet] .gauge", 2)
    assert await taps(ann) == 3
    await ann.is_live()
    return ann


async def a_hero_of_one_s_own_in_four_taps(story: Story, code: str) -> None:
    ben = await scans(story, "Ben", code)
    await ben.shows("Marble", ".seats")  # taken by now
    await types(ben, "Your name", "Ben")
    await ben.page.keyboard.press("Enter")
    await ben.page.wait_for_url("**/play")
    await ben.is_live()
    bruiser = "form.start:has-text('Bruiser')"
    await types(ben, "Name", "Brick", bruiser)
    await ben.tap("Play the Bruiser")
    await ben.shows("Brick", "h1")
    assert await taps(ben) <= 4


async def a_browser_without_scripts(story: Story, gm: GM, code: str) -> None:
    tom = await story.phone_without_scripts("Tom")
    await tom.page.goto(f"{tom.base}/join/{code}")
    await tom.shows("Play on paper")
    await tom.page.get_by_label("Lantern").check()
    await tom.page.get_by_label("Your name").fill("Tom")
    await tom.tap("Sit down on paper")
    await tom.shows("Lantern", "h2")
    await gm.shows("15 of 15 left · Tom on paper: you drive", ".cast")
    tv = await story.tv(scripts=False)
    await tv.page.goto(f"{tv.base}/t/{code}/screen")
    await tv.page.wait_for_url("**/screen/plain")
    await tv.shows(code)
    await tv.shows("Marble, Lantern, Doctor Salt, Filigree, Brick")


async def a_browser_without_import_maps(story: Story, code: str) -> None:
    old = await story.phone("Old")
    await old.page.add_init_script("delete HTMLScriptElement.supports")
    await old.page.goto(f"{old.base}/t/{code}/play")
    await old.page.wait_for_url("**/plain")
    await old.shows("Play on paper")
    await old.page.get_by_role("link", name="Try the whole page all the same").tap()
    await old.shows("Sit down")


async def two_on_one_phone(ann: Phone) -> None:
    await ann.tap("More", "[data-panel=sheet]")
    await ann.tap("Invite · share · leave")
    await ann.shows("Invite somebody")
    await fits(ann)
    await ann.tap("Doctor Salt", "[data-panel=sheet]")
    await ann.shows("Doctor Salt", "h1")  # the newcomer is in hand
    await ann.tap("Marble", ".sharers")
    await ann.shows("Marble", "h1")


async def the_phone_is_handed_on(ann: Phone) -> None:
    await ann.tap("More", "[data-panel=sheet]")
    await ann.tap("Invite · share · leave")
    await ann.tap("Leave Ann's seat")
    await ann.shows("Who are you?")
    await ann.shows("Marble and Doctor Salt", ".seats")


async def it_asks_and_is_let_in(story: Story, gm: GM, code: str) -> None:
    """Ben comes back at another address of the laptop, where no cookie knows him."""
    ben = await scans(story, "Ben again", code)
    await ben.tap("Brick", ".seats")
    await ben.shows("The GM is asked to let this phone in as Ben. Keep this page open.")
    await gm.button("Let in").click()
    await ben.shows("Brick", "h1")
    assert await taps(ben) == 1
