"""An evening of two rule sets at once: a shot out of hiding, a test of nerves, and what is left of it afterwards."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.support.story import PATIENCE, Company, Phone, SleepyPhone, Story

VEX, BRICK, RUE = "Vex", "Brick", "Rue"
GUNMAN, RIFLE = "Dock gunman", "Old rifle"


@dataclass
class Table(Company):
    """Everybody at it. Ann plays Vex, Ben Brick, on a phone that will fall asleep, and Cat Rue."""

    ann: Phone
    ben: SleepyPhone
    cat: Phone

    @property
    def phones(self) -> dict[str, Phone]:
        return {VEX: self.ann, BRICK: self.ben, RUE: self.cat}


@pytest.mark.asyncio(loop_scope="session")
async def test_fear_on_the_quay(chromium: Browser, tmp_path: Path) -> None:
    async with Story(chromium, tmp_path) as story:
        gm, tv = await story.gm(), await story.tv()
        table = Table(
            story, gm, tv, await story.phone("Ann"), await story.sleepy_phone("Ben"), await story.phone("Cat")
        )
        await they_sit_down(table)
        await sheets_and_house_rules(table)
        await somebody_hides(table)
        await something_strikes(table)
        await it_comes_into_sight(table)
        await one_panics(table)
        await one_is_tough(table)
        await one_answers_after_waking(table)
        await all_turn_over_together(table)
        await fear_weighs_on_their_blows(table)
        await one_is_frightened_again(table)
        await the_scene_is_over(table)


async def they_sit_down(table: Table) -> None:
    gm, tv = table.gm, table.tv
    code = await gm.opens_own("The Quay", "Shadow Squad", "Fear and insanity")
    await tv.goto(f"/t/{code}/screen")
    starts = ((table.ann, "Duellist", VEX), (table.ben, "Bruiser", BRICK), (table.cat, "Watcher", RUE))
    for phone, start, hero in starts:
        await phone.sits_down(code)
        await phone.makes(start, hero)
        await phone.shows("Fear and insanity", "[data-panel=sheet] h2")  # the second sheet came by itself
        await gm.shows(f"15 of 15 left · {phone.name} here", ".cast")


async def sheets_and_house_rules(table: Table) -> None:
    gm, ann = table.gm, table.ann
    await gm.button("House rules").click()
    rules = gm.find("#house form", "Fear and insanity")
    await rules.get_by_label("Insanity is counted").select_option(label="When the scene is over")
    await rules.get_by_role("button", name="Save").click()
    await table.everybody_reads("→ When the scene is over.")

    await ann.tap("More", "[data-panel=sheet]")
    await ann.tap("Edit the sheet", "[data-panel=sheet]")
    await ann.has("form.edit", 2)
    form = ann.find("form.edit", "Toughness")
    await form.get_by_label("Willpower").fill("1")
    await form.get_by_label("Toughness").fill("2")
    await form.get_by_role("button").tap()
    await ann.has("form.edit", 1)
    await ann.tap("Close the form", "[data-panel=sheet]")
    await ann.has("form.edit", 0)
    await ann.shows("2, 2 of its rerolls left", ".fact")
    await ann.tap("Less", "[data-panel=sheet]")

    await gm.button(RUE, ".cast").click()
    await gm.button("More", ".cast").click()
    await gm.button("Edit the sheet", ".cast").click()
    form = gm.find("form.edit", "Toughness")
    await form.get_by_label("Willpower").fill("1")
    await form.get_by_role("button").click()
    await gm.has("form.edit", 1)
    await gm.button(RUE, ".cast").click()
    await table.cat.shows("willpower 1", ".fact")
    for phone in table.phones.values():
        await phone.tab("fight")


async def somebody_hides(table: Table) -> None:
    """Who is added to a running fight is hidden at first."""
    gm = table.gm
    await gm.adds("Thug")
    await gm.next("Start the fight")
    await gm.adds(GUNMAN)
    await gm.shows("hidden", f".card-head:has-text('{GUNMAN}')")
    table.story.lay(2, 3, 4, 1, 6)  # Vex, Brick, Rue, the thug, the gunman
    await gm.next("Roll initiative for everybody")
    await gm.shows("6", f".slot.up:has-text('{GUNMAN}'), .count:has(.slot.up) .number")
    table.all_dice_fell()


async def something_strikes(table: Table) -> None:
    gm, ben = table.gm, table.ben
    await gm.button("Stay hidden", ".acts").click()
    await expect(gm.button("Stay hidden", ".acts")).to_have_attribute("aria-pressed", "true", timeout=PATIENCE)
    table.story.lay(4, 7, 2)  # attack; damage, the jacket
    await gm.act(BRICK)
    await ben.is_asked(f"Something hits {BRICK} with 4", "Let it hit")
    await table.tv.shows(f"{BRICK}: parry?", ".ribbon")
    await table.is_nowhere(GUNMAN, RIFLE)
    await ben.answer("Let it hit")
    await table.everybody_reads(f"Something strikes {BRICK}: −5, 10 of 15 left.")
    await gm.shows(f"{GUNMAN} attacks {BRICK} with {RIFLE}: 4 against 2", ".row")
    await table.tv.shows("10 of 15 left", f"li:has-text('{BRICK}')")
    await table.is_nowhere(GUNMAN, RIFLE, f"{BRICK} takes 5 damage")
    table.all_dice_fell()


async def it_comes_into_sight(table: Table) -> None:
    await table.gm.button("Reveal", ".cast").click()
    await table.everybody_reads(f"{GUNMAN} comes into sight.")
    for person in (table.tv, table.ann, table.ben, table.cat):
        await person.shows(GUNMAN)
    await table.is_nowhere(RIFLE)


async def one_panics(table: Table) -> None:
    gm, tv, ben, cat = table.gm, table.tv, table.ben, table.cat
    table.story.forgive("Ben: WebSocket connection to", "Ben: Failed to load resource: net::ERR_")
    await ben.sleep()
    await gm.shows("Ben asleep", ".cast")
    await gm.button("More", ".acts").click()
    form = gm.find(".acts form", "Ask for a fear test")
    await form.get_by_label("Difficulty").select_option(label="hard 6")
    await form.get_by_role("button").click()
    await gm.shows("0 of 3 have rolled", ".waiting")
    await tv.shows("Fear 6", ".ask")
    await tv.has(".called .missing", 3, "still to roll")
    table.story.lay(7, 10)  # the minus die on its top face
    await cat.is_asked("Fear, difficulty 6: resist")
    await cat.answer("Roll")
    await cat.is_not_asked()
    await cat.shows("1 of 3 have rolled", ".notices")
    await cat.shows(f"{RUE}: 0, panicked", ".notices")
    await gm.shows("0, panicked, 9 insanity to be settled later", f".called:has-text('{RUE}')")
    await cat.tab("sheet")
    await cat.shows("Panicked: −2 on all rolls. Until it is over the GM decides", "[data-panel=sheet]")
    await cat.tab("fight")
    await tv.has(".called .missing", 2)
    await tv.holds_none("panicked")
    table.all_dice_fell()


async def one_is_tough(table: Table) -> None:
    gm, ann, tv = table.gm, table.ann, table.tv
    table.story.lay(4, 3)
    await ann.is_asked("Fear, difficulty 6")
    await ann.answer("Roll")
    await ann.is_asked("4 against fear 6, a failure. Use toughness?", "Let it stand", "1 of 2 rerolls left")
    await gm.shows("toughness?", f".called:has-text('{VEX}')")
    await gm.has(".waiting button", 1, "It stands")
    table.story.lay(5, 2)
    await ann.answer("Try again")
    await ann.is_not_asked()
    await gm.shows("2 of 3 have rolled", ".waiting")
    await gm.shows("6, resisted, 3 insanity to be settled later", f".called:has-text('{VEX}')")
    await tv.has(".called .missing", 1, BRICK)
    await expect(ann.row(f"{VEX} faces fear 6: 6, resisted.")).to_be_attached(timeout=PATIENCE)
    await tv.holds_none("panicked", "resisted", "faces fear")
    await ann.has(".party .state", 0)
    await ann.holds_none(f"{RUE} panics", f"{RUE} faces fear", "9 insanity")
    await table.cat.holds_none(f"{VEX} faces fear", f"{VEX} is tough", "3 insanity")
    table.all_dice_fell()


async def one_answers_after_waking(table: Table) -> None:
    gm, ben = table.gm, table.ben
    await gm.shows("Turn over without 1", ".waiting")
    await ben.wake()
    await ben.is_asked("Fear, difficulty 6")
    await ben.has(".party .state", 0)
    await ben.holds_none(f"{RUE} panics", f"{RUE} faces fear", f"{VEX} faces fear", f"{VEX} is tough")
    await gm.shows("Ben here", ".cast")
    table.story.lay(5, 3)
    await ben.answer("Roll")
    await ben.is_not_asked()
    table.all_dice_fell()


async def all_turn_over_together(table: Table) -> None:
    await table.everybody_reads(
        f"Fear 6 · {RUE}: 0, panicked, 9 insanity to be settled later",
        f"Fear 6 · {VEX}: 6, resisted, 3 insanity to be settled later",
        f"Fear 6 · {BRICK}: 4, scared, 6 insanity to be settled later",
    )
    for phone in (table.ann, table.ben, table.cat):
        await phone.shows(f"{BRICK}: 4, scared, 6 insanity", ".notices")
    await table.tv.has(".ask", 0)
    for person in (table.gm, table.tv, table.ann):
        for hero, state in ((RUE, "panicked"), (BRICK, "scared")):
            await person.shows(state, f"li:has-text('{hero}'), .card-head:has-text('{hero}')")
    await table.cat.holds_none(f"{VEX} faces fear", f"{VEX} is tough")


async def fear_weighs_on_their_blows(table: Table) -> None:
    cat, ben = table.cat, table.ben
    await cat.shows("Your turn", ".top")
    table.story.lay(7, 2, 6)  # attack, the gunman's own parry, damage
    await cat.tap(GUNMAN, "[data-panel=fight]")
    told = f"{RUE} attacks {GUNMAN} with Shock baton: 5 against 3"
    await table.everybody_reads(told, f"{GUNMAN} takes 6 damage")
    await table.derives(told, "−2 panicked")
    await ben.shows("Your turn", ".top")
    table.story.lay(6, 2, 4)  # attack, the thug's own parry, damage
    await ben.tap("Thug", "[data-panel=fight]")
    told = f"{BRICK} attacks Thug with Street maul: 5 against 3"
    await table.everybody_reads(told, "Thug takes 4 damage")
    await table.derives(told, "−1 scared")
    table.all_dice_fell()


async def one_is_frightened_again(table: Table) -> None:
    """Alone, so that there is nobody to wait for."""
    gm, ann = table.gm, table.ann
    form = gm.find(".acts form", "Ask for a fear test")
    await form.get_by_label("Difficulty").select_option(label="fair 4")
    for hero in (BRICK, RUE):
        await form.get_by_label(hero).uncheck()
    await form.get_by_role("button").click()
    table.story.lay(6, 2)
    await ann.is_asked("Fear, difficulty 4")
    await table.ben.is_not_asked()
    await ann.answer("Roll")
    await table.everybody_reads(f"Fear 4 · {VEX}: 7, resisted, 2 insanity to be settled later")
    table.all_dice_fell()


async def the_scene_is_over(table: Table) -> None:
    gm = table.gm
    await gm.ends_the_fight()
    await table.everybody_reads("The fight is over.")
    outlooks = (
        (VEX, "settles 3 insanity from fear 6; settles 2 insanity from fear 4"),
        (BRICK, "no longer scared; settles 6 insanity from fear 6"),
        (RUE, "no longer panicked; settles 9 insanity from fear 6"),
    )
    for hero, words in outlooks:
        await gm.shows(words, f".acts .fact:has-text('{hero}, at the end of the scene')")
    table.story.lay(4, 2, 1, 4, 3, 2, 2, 3)  # plus and minus: Vex, twice; Brick; Rue
    await gm.button("Scene over", ".acts").click()
    await table.everybody_reads(
        f"{VEX} settles fear 6: 3 − 3 soaked = 0 insanity.",
        f"{VEX} settles fear 4: 2 − 0 soaked = 2 insanity.",
        f"{BRICK} is calm again.",
        f"{BRICK} settles fear 6: 6 − 3 soaked = 3 insanity.",
        f"{RUE} is calm again.",
        f"{RUE} settles fear 6: 9 − 1 soaked = 8 insanity.",
        f"{RUE}: 3 insanity is permanent.",
    )
    await gm.has(".fact", 0, "at the end of the scene")
    for hero, temporary, permanent in ((VEX, 2, 0), (BRICK, 3, 0), (RUE, 5, 3)):
        phone = table.phones[hero]
        await phone.tab("sheet")
        await phone.has(".state-note", 0)
        await expect(phone.find(".gauge", "Insanity").first).to_contain_text(f"{temporary} of 5", timeout=PATIENCE)
        await expect(phone.find(".gauge", "Permanent insanity")).to_contain_text(str(permanent), timeout=PATIENCE)
    for person in (gm, table.tv):
        await person.has(".state", 0, "panicked")
    table.all_dice_fell()
