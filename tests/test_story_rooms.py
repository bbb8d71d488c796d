"""What only a browser shows of the phone and the GM's page: what is in sight, what a second tap does."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, expect

from tests.support.story import GM, PATIENCE, Phone, Seen, SleepyPhone, Story

VEX = "Vex"
LONG = "Wolfeschlegelsteinhausenbergerdorffweltr"


@pytest.mark.asyncio(loop_scope="session")
async def test_a_blow_on_a_phone_and_a_fight_that_is_ended(chromium: Browser, tmp_path: Path) -> None:
    async with Story(chromium, tmp_path) as story:
        gm, ann = await story.gm(), await story.sleepy_phone("Ann")
        await a_fight_begins(story, gm, ann)
        await the_question_can_wait(story, gm, ann)
        await the_ribbon_ends_in_sight(story, gm, ann)
        await a_row_opens_to_its_dice_and_its_undo(gm, ann)
        await being_away_is_said_in_words(story, ann)
        await ending_it_takes_two_taps(gm)


async def a_fight_begins(story: Story, gm: GM, ann: Phone) -> None:
    await ann.sits_down(await gm.opens_own("The Warehouse"))
    await ann.makes("Duellist", VEX)
    await gm.button("Add foes").click()
    thugs = gm.find("dialog form", "Thug")
    await thugs.get_by_label("Name").fill(LONG)
    await thugs.get_by_role("button").click()
    await gm.shows(LONG, ".cast")
    await gm.next("Start the fight")
    story.lay(1, 6)
    await gm.next("Roll initiative for everybody")


async def is_in_sight(step: Locator) -> None:
    """Within the ribbon's own width, which is all of it that can be seen."""
    await expect(step).to_be_visible(timeout=PATIENCE)
    inside = """step => {
        const [box, own] = [step.parentElement.getBoundingClientRect(), step.getBoundingClientRect()];
        return own.right > box.left && own.left < box.right && own.left + own.width / 2 <= box.right;
    }"""
    handle = await step.element_handle()
    await step.page.wait_for_function(inside, arg=handle)


async def the_question_can_wait(story: Story, gm: GM, ann: Phone) -> None:
    story.lay(4)
    await gm.act(VEX)
    await ann.is_asked("hits Vex with 4", "Let it hit", "Look at my sheet")
    await is_in_sight(ann.find(".ribbon .waits"))
    await ann.tap("Look at my sheet", ".question-sheet")
    await ann.is_not_asked()
    await ann.tab("sheet")
    await ann.shows("Weakness", "[data-panel=sheet]")
    await ann.tap("Parry? – answer", ".aside-bar")
    await ann.is_asked("Let it hit")


async def the_ribbon_ends_in_sight(story: Story, gm: GM, ann: Phone) -> None:
    story.lay(3, 3, 2)  # parry, damage, the jacket
    await ann.answer("Parry with an arm")
    await ann.answer("Keep it")
    await ann.is_not_asked()
    for person in (ann, gm):
        await is_in_sight(person.find(".ribbon .step").last)


async def nothing_sticks_out(person: Seen) -> None:
    """No piece is wider than the page, and none is cut off at its side without saying so."""
    wide = await person.page.evaluate(
        """() => [document.documentElement, ...document.querySelectorAll('.panel, .column, .panel *, .column *')]
            .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 1)
            .filter((one) => !one.closest('.ribbon') && getComputedStyle(one).display !== 'inline')
            .map((one) => one.outerHTML.slice(0, 120))"""
    )
    assert wide == [], f"{person.name}: {wide}"


async def a_row_opens_to_its_dice_and_its_undo(gm: GM, ann: Phone) -> None:
    await ann.tab("log")
    for person in (gm, ann):
        row = person.row("attacks Vex").first
        await row.locator("summary").click()
        await expect(row.locator(".roll").first).to_be_visible(timeout=PATIENCE)
    also = gm.row("attacks Vex").first.locator(".also")
    await expect(also).to_contain_text("Undo also takes back: Vex parries with an arm", timeout=PATIENCE)
    for name in ("sheet", "fight", "dice", "log"):
        await ann.tab(name)
        await nothing_sticks_out(ann)
    await nothing_sticks_out(gm)


async def being_away_is_said_in_words(story: Story, ann: SleepyPhone) -> None:
    story.forgive("Ann: WebSocket connection to", "Ann: Failed to load resource: net::ERR_")
    await ann.tab("dice")
    await ann.sleep()
    await ann.shows("No connection to the table. It is being tried again.", "#wire")
    await ann.tap("Easy 2", "[data-panel=dice]")
    await ann.shows("No connection. Kept, and sent as soon as it is back: Roll for a task: Easy 2", "#wire")
    story.lay(2)
    await ann.wake()
    await ann.all_answered()
    await ann.has("#wire .word", 0)


async def ending_it_takes_two_taps(gm: GM) -> None:
    await gm.button("End the fight").dblclick()
    asked = gm.find("[data-asked]", "End the fight")
    await expect(asked).to_have_attribute("aria-label", "End the fight: 1 hero and 1 foe still stand. Tap again.")
    await gm.all_answered()
    await asked.click()
    await gm.shows("The fight is over.", ".log")
