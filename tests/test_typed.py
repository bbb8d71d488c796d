"""What is typed survives every redraw, and what is offered or said stays where it can be read."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.support.story import GM, PATIENCE, Story


async def sits_down_with(story: Story, code: str, name: str, start: str, hero: str) -> None:
    phone = await story.phone(name)
    await phone.sits_down(code)
    await phone.makes(start, hero)


async def goes_on_typing(gm: GM, letters: str) -> None:
    await gm.page.keyboard.type(letters)


@pytest.mark.asyncio(loop_scope="session")
async def test_what_is_typed_survives_who_joins_and_what_happens(chromium: Browser, tmp_path: Path) -> None:
    async with Story(chromium, tmp_path) as story:
        gm = await story.gm()
        code = await gm.opens_own("The Quay", "Shadow Squad", "Fear and insanity")
        await sits_down_with(story, code, "Ann", "Duellist", "Vex")
        ask, night = gm.find(".acts form", "Ask for a fear test"), gm.find(".acts form", "Night")
        await ask.get_by_label("Difficulty").select_option(label="hard 6")
        await ask.get_by_label("Vex").uncheck()
        what = night.get_by_label("Hours")
        await what.fill("")
        await what.press("1")
        await sits_down_with(story, code, "Ben", "Bruiser", "Brick")
        await expect(night.get_by_label("Brick")).to_be_checked(timeout=PATIENCE)
        await expect(ask.get_by_label("Brick")).to_be_checked(timeout=PATIENCE)
        await expect(ask.get_by_label("Vex")).not_to_be_checked()
        await expect(ask.locator("option:checked").first).to_have_text("hard 6")
        await expect(what).to_be_focused()
        await goes_on_typing(gm, "2")
        await expect(what).to_have_value("12")

        await gm.page.keyboard.press("Tab")
        await gm.button("Seats").click()
        paper = gm.find("#seats form", "Add a seat on paper").get_by_label("Name")
        await paper.fill("Da")
        rename = gm.page.get_by_label("Name of Ann's seat")
        await rename.fill("Anne")
        await sits_down_with(story, code, "Cat", "Watcher", "Rue")
        await gm.shows("Rue", "#seats")
        await expect(rename).to_have_value("Anne")
        await expect(paper).to_have_value("Da")
        await expect(rename).to_be_focused()
        await gm.page.keyboard.press("Escape")

        await ask.get_by_role("button").click()
        await gm.shows("0 of 2 have rolled", ".waiting")
        story.lay(9, 1, 5, 1, 9, 1, 5, 1)
        await gm.next("Fear 6: roll for Brick, Rue")


@pytest.mark.asyncio(loop_scope="session")
async def test_what_was_sent_falls_back(chromium: Browser, tmp_path: Path) -> None:
    """What was typed is done with once it is carried out: the next redraw shows how things are."""
    async with Story(chromium, tmp_path) as story:
        gm = await story.gm()
        code = await gm.opens_own("The Quay", "Shadow Squad", "Fear and insanity")
        await sits_down_with(story, code, "Ann", "Duellist", "Vex")
        await sits_down_with(story, code, "Ben", "Bruiser", "Brick")
        ask = gm.find(".acts form", "Ask for a fear test")
        await ask.get_by_label("Vex").uncheck()
        await ask.get_by_role("button").click()
        story.lay(9, 1, 5, 1)
        await gm.next("Fear 4: roll for Brick")
        await sits_down_with(story, code, "Cat", "Watcher", "Rue")
        await expect(ask.get_by_label("Rue")).to_be_checked(timeout=PATIENCE)
        await expect(ask.get_by_label("Vex")).to_be_checked()


@pytest.mark.asyncio(loop_scope="session")
async def test_a_second_try_is_offered_in_sight_and_words_do_not_pile_up(chromium: Browser, tmp_path: Path) -> None:
    async with Story(chromium, tmp_path) as story:
        gm = await story.gm()
        code = await gm.opens_own("The Quay", "Shadow Squad")
        ann = await story.phone("Ann")
        await ann.sits_down(code)
        await ann.makes("Duellist", "Vex")
        await ann.tab("dice")
        story.lay(1)
        await ann.find("[data-panel=dice] button", "Hard").first.tap()
        await ann.page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
        await expect(ann.find(".chip-card button", "Re-roll")).to_be_in_viewport(timeout=PATIENCE)
        for words in ("one", "two", "three"):
            await ann.page.evaluate("words => window.gritboard.toast(words)", words)
        await ann.has("#say .word", 1, "three")
        await gm.page.get_by_label("All tables").click()
        await gm.page.wait_for_url(f"{story.server.base}/")
        await gm.shows("The Quay", ".tables")
