"""A burning house in the browsers: the GM picks who, sees what will happen, deals it, and takes it back."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, expect

from tests.support.story import GM, PATIENCE, Phone, Seen, Story

HERO = "Vex"


@pytest.mark.asyncio(loop_scope="session")
async def test_many_are_hurt_at_once(chromium: Browser, tmp_path: Path) -> None:
    async with Story(chromium, tmp_path) as story:
        gm, ann, tv = await story.gm(), await story.phone("Ann"), await story.tv()
        await they_meet(gm, ann, tv)
        await the_form_says_what_will_happen(gm)
        await what_is_wrong_is_said_and_nothing_is_lost(gm)
        await it_is_dealt(story, gm, ann, tv)
        await whoever_goes_down_is_brought_to_it(gm, ann)
        await it_is_taken_back(gm, ann)


async def they_meet(gm: GM, ann: Phone, tv: Seen) -> None:
    code = await gm.opens_own("The Fire")
    await tv.goto(f"/t/{code}/screen")
    await ann.sits_down(code)
    await ann.makes("Duellist", HERO)
    await gm.adds("Thug")
    await gm.shows(HERO, ".cast")


def share(gm: GM, who: str, words: str) -> Locator:
    return gm.find(".share", who).locator(f"input[value={words}]")


async def the_form_says_what_will_happen(gm: GM) -> None:
    await gm.page.keyboard.press("x")
    dice = gm.page.locator("#damage input[name=dice]")
    await expect(dice).to_be_focused(timeout=PATIENCE)
    await gm.page.keyboard.type("3")
    await expect(dice).to_have_value("3")
    plus = gm.page.locator("#damage input[name=plus]")
    await plus.click()
    await gm.page.keyboard.type("12")
    await expect(plus).to_have_value("12")
    await plus.fill("0")
    await gm.page.locator("#damage input[name=what]").fill("Burning house")
    await gm.button("Foes", "#damage").click()
    await gm.shows("goes down", "#damage")
    await share(gm, HERO, "half").check()
    await gm.has("#damage .then", 1, "takes 1 to 9, at least 6 HP left")


async def what_is_wrong_is_said_and_nothing_is_lost(gm: GM) -> None:
    await gm.page.locator("#damage input[name=dice]").fill("0")
    await gm.shows("Say how much: a number, or dice.", "#damage")
    await gm.button("Deal the damage", "#damage").click()
    await gm.shows("Say how much: a number, or dice.", "#damage [data-say]")
    await expect(gm.page.locator("#damage input[name=what]")).to_have_value("Burning house")
    await gm.page.locator("#damage input[name=dice]").fill("3")
    await expect(share(gm, HERO, "half")).to_be_checked()


async def it_is_dealt(story: Story, gm: GM, ann: Phone, tv: Seen) -> None:
    story.lay(6, 5, 4)
    await gm.button("Deal the damage", "#damage").click()
    await gm.shows(f"{HERO} takes 7 damage, 8 of 15 left.", ".log")
    assert story.faces_left() == []
    await gm.has("dialog[open]", 0)
    await gm.shows("Thug goes down.", ".log")
    await ann.tab("log")
    await ann.shows("Burning house: 3d6 makes 15.", ".row")
    await ann.shows(f"{HERO} takes 7 damage, 8 of 15 left.", ".row")
    await tv.shows("Burning house")


async def whoever_goes_down_is_brought_to_it(gm: GM, ann: Phone) -> None:
    await ann.tab("sheet")
    await ann.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    await ann.page.wait_for_function("scrollY > 0")
    await gm.page.keyboard.press("x")
    await gm.page.locator("#damage input[name=dice]").fill("0")
    await gm.page.locator("#damage input[name=plus]").fill("40")
    await gm.page.locator("#damage input[name=what]").fill("Roof")
    await share(gm, HERO, "full").check()
    await gm.button("Deal the damage", "#damage").click()
    await expect(ann.page.get_by_role("button", name="Call for help")).to_be_in_viewport(timeout=PATIENCE)
    await gm.undo("Roof")
    await gm.shows("8 of 15 left", ".cast")


async def it_is_taken_back(gm: GM, ann: Phone) -> None:
    await gm.undo("Burning house")
    await gm.shows("15 of 15 left", ".cast")
    await ann.shows("15", ".top")
