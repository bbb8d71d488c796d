"""A fight under four rule sets at once: one runs the countdown, the others lie on top of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, expect

from tests.support.story import GM, PATIENCE, Company, Overheard, Phone, Seen, Story

QUARREL, ASH, PLUMB = "Quarrel", "Sister Ash", "Plumb"
THUG, CLERK = "Ledger thug A", "Drowned clerk"
SQUAD, FEAR, POOLS, WILLPOWER = "Shadow Squad", "Fear and insanity", "Grit, Energy and Resolve", "Willpower"
LOWEST_HEADER = 96
SHEET, DICE = "[data-panel=sheet]", "[data-panel=dice]"


@dataclass
class Table(Company):
    """Everybody at it. Ann plays Quarrel, Ben Sister Ash; Plumb has no player tonight."""

    ann: Phone
    ben: Phone
    overheard: list[Overheard]

    @property
    def phones(self) -> dict[str, Phone]:
        return {QUARREL: self.ann, ASH: self.ben}

    @contextmanager
    def dice(self, *faces: int) -> Iterator[None]:
        """What is done here throws these, and no others."""
        self.story.lay(*faces)
        yield
        assert self.story.faces_left() == []

    async def has(self, phone: Phone, gauge: str, words: str) -> None:
        await expect(phone.find(f"{SHEET} .gauge", gauge).first).to_contain_text(words, timeout=PATIENCE)

    async def headers_are_low(self) -> None:
        for phone in self.phones.values():
            box = await phone.find("header.top").bounding_box()
            assert box is not None
            assert box["height"] <= LOWEST_HEADER

    async def has_not_seen_the_clerk(self) -> None:
        """Not in a message that came, and not in what stands on a page."""
        assert [one.name for one in self.overheard if one.carried(CLERK)] == []
        await self.is_nowhere(CLERK)


@pytest.mark.asyncio(loop_scope="session")
async def test_four_rule_sets_in_one_fight(chromium: Browser, tmp_path: Path) -> None:
    async with Story(chromium, tmp_path) as story:
        gm, tv = await story.gm(), await story.tv()
        ann, ben = await story.phone("Ann"), await story.phone("Ben")
        table = Table(story, gm, tv, ann, ben, [Overheard(person) for person in (tv, ann, ben)])
        await they_sit_down(table)
        await one_way_to_roll_and_the_others_under_more(table)
        await initiative_with_real_dice(table)
        await a_fear_test_for_all(table)
        await fear_weighs_on_a_blow(table)
        await a_parry_is_asked_of_one(table)
        await a_test_of_another_rule_set(table)
        await hurt_spills_over(table)
        await harm_goes_on_at_the_end_of_the_round(table)
        await the_scene_is_over(table)
        await a_night(table)
        await another_rule_set_has_the_tests(table)
        await random_tables(table)


async def they_sit_down(table: Table) -> None:
    gm, tv = table.gm, table.tv
    code = await gm.opens("Under the Salt Exchange")
    await deferred_insanity(gm)
    await gm.button(CLERK, ".cast").click()
    await gm.find(".cast button:text-is('Hide')").click()
    await gm.shows("hidden", f".card-head:has-text('{CLERK}')")
    await gm.button(CLERK, ".cast").click()
    await tv.goto(f"/t/{code}/screen")
    for phone, hero in ((table.ann, QUARREL), (table.ben, ASH)):
        await phone.sits_down(code)
        await phone.takes(hero)
        await gm.shows(f"15 of 15 left · {phone.name} here", ".cast")


async def deferred_insanity(gm: GM) -> None:
    await gm.button("House rules").click()
    rules = gm.find("#house form", "Insanity is counted")
    await rules.get_by_label("Insanity is counted").select_option(label="When the scene is over")
    await rules.get_by_role("button", name="Save").click()
    await expect(gm.row("→ When the scene is over.").first).to_be_attached(timeout=PATIENCE)


async def one_way_to_roll_and_the_others_under_more(table: Table) -> None:
    ann = table.ann
    await table.headers_are_low()
    await expect(ann.find(".head .vitals")).to_have_text(f"HP ({SQUAD}) 15Will Points 3", timeout=PATIENCE)
    await ann.tab("dice")
    await ann.shows("Roll for a task", f"{DICE} h2")
    for other in ("Roll a skill", "Check an attribute", "Test"):
        await ann.has(f"{DICE} h2:text-is('{other}')", 0)
    await ann.tab("sheet")
    await ann.tap("More", SHEET)
    for game, other in ((POOLS, "Roll a skill"), (FEAR, "A skill by name"), (WILLPOWER, "Test")):
        await ann.has(f"{SHEET} h2:text-is('{other}')", 0)
        await fold(ann, game).tap()
        await ann.has(f"{SHEET} h2:text-is('{other}')", 1)
        await fold(ann, game).tap()
    await ann.tap("Less", SHEET)
    for phone in table.phones.values():
        await phone.tab("fight")


def fold(person: Seen, game: str) -> Locator:
    return person.find("button.chip", f"More of {game}")


async def initiative_with_real_dice(table: Table) -> None:
    gm, ben = table.gm, table.ben
    await real_dice(ben, on=True)
    await gm.next("Start the fight")
    await gm.button(CLERK, ".cast").click()
    await gm.find(".cast button:text-is('Into the fight')").click()
    await gm.has(".cast button:text-is('Into the fight')", 0)
    await gm.button(CLERK, ".cast").click()
    with table.dice(4, 2, 3, 3, 3, 1):  # Quarrel, Plumb, the thugs, the clerk
        await gm.next("Roll initiative for everybody")
        await ben.is_asked("Roll d4: initiative")
        await ben.has(".question-sheet .face-key", 4)
        await table.ann.has(".face-key", 0)
        await ben.page.locator(".question-sheet").get_by_role("button", name="2", exact=True).tap()
        await ben.all_answered()
    await ben.is_not_asked()
    await table.everybody_reads(f"{QUARREL} acts on 4.", f"{ASH} acts on 2.")
    await real_dice(ben, on=False)
    await table.ann.shows("Your turn", ".top")
    await table.has_not_seen_the_clerk()


async def real_dice(phone: Phone, *, on: bool) -> None:
    await phone.tab("sheet")
    await phone.tap("More", SHEET)
    await phone.tap("I roll real dice")
    pressed = "true" if on else "false"
    await expect(phone.button("I roll real dice")).to_have_attribute("aria-pressed", pressed, timeout=PATIENCE)
    await phone.tap("Less", SHEET)
    await phone.tab("fight")


async def a_fear_test_for_all(table: Table) -> None:
    gm, ann, ben = table.gm, table.ann, table.ben
    await gm.button("More", ".acts").click()
    form = gm.find(".acts form", "Ask for a fear test")
    await form.get_by_label("Difficulty").select_option(label="fair 4")
    await form.get_by_role("button").click()
    await gm.button("Less", ".acts").click()
    await table.tv.shows("Fear 4", ".ask")
    with table.dice(1, 5):
        await ann.is_asked("Fear, difficulty 4: resist")
        await ann.answer("Roll")
        await ann.is_not_asked()
    with table.dice(5, 5):
        await ben.is_asked("Fear, difficulty 4: resist")
        await ben.answer("Roll")
        await ben.is_not_asked()
    await gm.shows("2 of 3 have rolled", ".waiting")
    await gm.button("Turn over without 1", ".waiting").click()
    await table.everybody_reads(f"Fear 4 · {QUARREL}: 2, scared", f"Fear 4 · {ASH}: 9, resisted")
    for person in (gm, table.tv):
        await person.shows("scared", f"li:has-text('{QUARREL}'), .card-head:has-text('{QUARREL}')")
    await ann.tap("scared +1", ".head")
    await ann.shows("Scared: −1 on all rolls", ".told-states")
    await ann.tap("scared +1", ".head")
    await table.headers_are_low()


async def fear_weighs_on_a_blow(table: Table) -> None:
    ann, gm = table.ann, table.gm
    with table.dice(7, 2, 4):  # attack, the thug's own parry, damage
        await ann.tap(THUG, "[data-panel=fight]")
        told = f"{QUARREL} attacks {THUG} with Street maul: 6 against 3"
        await table.everybody_reads(told, f"{THUG} takes 4 damage")
    await table.derives(told, "−1 scared")
    await gm.shows(f"{QUARREL} · {THUG}", ".knots li")
    await table.ben.shows(f"{QUARREL} · {THUG}", ".knots li")


async def a_parry_is_asked_of_one(table: Table) -> None:
    """The thugs strike together; one of them hits."""
    ann, gm = table.ann, table.gm
    await gm.shows(f"{THUG} → {QUARREL}", ".acts")
    with table.dice(6, 1, 1, 9, 4, 5):  # three attacks; parry, damage, what the maul takes
        await gm.next("3: all 3 attack")
        await ann.is_asked(f"{THUG} hits {QUARREL} with 6", "Parry with Street maul", "Let it hit")
        await table.ben.is_not_asked()
        await gm.shows(f"{THUG} hits {QUARREL} with 6", ".waiting")
        await ann.answer("Parry with Street maul")
    await table.everybody_reads(f"{QUARREL} parries with Street maul: 8 against 6, parried.")
    await gm.next(f"2: end {PLUMB}'s turn")
    await table.ben.shows("Your turn", ".top")


async def a_test_of_another_rule_set(table: Table) -> None:
    ben = table.ben
    await ben.tab("sheet")
    await ben.tap("More", SHEET)
    await fold(ben, WILLPOWER).tap()
    with table.dice(15, 5):
        await ben.find(f"{SHEET} button", "Erudition").first.tap()
        await ben.is_asked("Erudition: 15", "Let it stand", "Spend Willpower, d6", "the die goes down to a d4")
        await table.ann.is_not_asked()
        await ben.answer("Spend Willpower")
        await ben.is_not_asked()
    await table.everybody_reads(f"{ASH} spends Willpower: 15 − 5 = 10")
    await ben.tap("Less", SHEET)
    await ben.tab("fight")
    await ben.tap("Let 2 pass", "[data-panel=fight]")


async def hurt_spills_over(table: Table) -> None:
    gm, ben = table.gm, table.ben
    await open_pools(gm, ASH)
    form = gm.find(".cast form", "Roll damage")
    await form.get_by_label("Dice").fill("10")
    with table.dice(*[12] * 10, 7):  # the part
        await form.get_by_role("button").click()
        await table.everybody_reads(f"{ASH}: 2 beyond Grit, off Energy.", "Serious Injury")
    await ben.tab("sheet")
    await table.has(ben, "Grit", "0 of 8")
    await table.has(ben, "Energy", "10 of 12")
    await ben.shows("unconscious", ".head .states, .told-states, .state-note")
    await table.headers_are_low()


async def open_pools(gm: GM, hero: str) -> None:
    head = gm.find(".cast button.card-head", hero)
    await head.click()
    await expect(head).to_have_attribute("aria-expanded", "true", timeout=PATIENCE)
    await gm.button("More", ".cast").click()
    await fold(gm, POOLS).click()


async def harm_goes_on_at_the_end_of_the_round(table: Table) -> None:
    gm, ann = table.gm, table.ann
    await open_pools(gm, QUARREL)
    form = gm.find(".cast form", "Harm that goes on")
    await form.get_by_label("Dice").fill("2")
    await form.get_by_label("Part").select_option(label="Left arm")
    await form.get_by_role("button").click()
    await table.everybody_reads(f"{QUARREL}: Burning goes on, 2 dice each round.")
    await gm.button(QUARREL, ".cast").click()
    await table.has_not_seen_the_clerk()
    assert all(one.carried(THUG) for one in table.overheard)
    with table.dice(1):
        await gm.act(QUARREL)
        await table.everybody_reads(f"{CLERK} attacks {QUARREL}")
    await table.tv.shows(CLERK)
    with table.dice(12, 1):
        await gm.next("Start round 2")
        await table.everybody_reads("Round 1 is over", f"Burning goes on for {QUARREL}.", "Injury 1")
    await ann.tab("sheet")
    await table.has(ann, "Grit", "10 of 11")


async def the_scene_is_over(table: Table) -> None:
    gm = table.gm
    await gm.ends_the_fight()
    await table.everybody_reads("The fight is over.")
    fact = f".acts .fact:has-text('{QUARREL}, at the end of the scene')"
    await gm.shows("no longer scared; settles", fact)
    with table.dice(1, 4, 4, 1):  # Quarrel soaks nothing, Sister Ash all of it
        await gm.button("Scene over", ".acts").click()
        await table.everybody_reads(f"{QUARREL} is calm again.", f"{QUARREL} settles fear 4")
    await gm.has(fact, 0)


async def a_night(table: Table) -> None:
    """Somebody burns, and has lost a few HP by word of mouth."""
    gm, ann, ben = table.gm, table.ann, table.ben
    await gm.button(QUARREL, ".cast").click()
    await gm.find(".cast button[data-label='It is over: Burning']").click()
    await table.everybody_reads(f"{QUARREL}: Burning is over.")
    await gm.button(QUARREL, ".cast").click()
    await gm.find(f".cast button[aria-label='HP ({SQUAD}) −1']").first.click()
    await gm.shows("14 of 15 left", f".card-head:has-text('{QUARREL}')")
    await gm.find(".acts form", "Night").get_by_role("button", name="What would it do?").click()
    outlooks = (
        (QUARREL, "1 or 2 HP back", "insanity heals", "8 of 8 hours heal", "the Willpower die stays a d6"),
        (ASH, "8 of 8 hours heal", "Fatigued falls once Energy is full", "the Willpower die is a d6 again"),
    )
    for hero, *told in outlooks:
        for words in told:
            await gm.shows(words, f".acts .fact:has-text('{hero}')")
    with table.dice(2, *[12] * 8, *[12] * 16):  # Quarrel's HP, and what is missing of Grit and Energy
        await gm.find(".acts form", "Night").get_by_role("button", name="Rest", exact=True).click()
        await table.everybody_reads("8 hours of rest.", f"{ASH} recovers")
    await ben.has(f"{SHEET} .gauge", 0, "Grit")  # it is full again, and folded away
    await gm.shows("15 of 15 left", f".card-head:has-text('{QUARREL}')")
    await gm.undo("8 hours of rest.")
    await gm.shows("14 of 15 left", f".card-head:has-text('{QUARREL}')")
    await table.has(ben, "Grit", "0 of 8")
    await table.has(ann, "Grit", "10 of 11")


async def another_rule_set_has_the_tests(table: Table) -> None:
    gm, ann = table.gm, table.ann
    await ann.tab("dice")
    await ann.shows("Roll for a task", f"{DICE} h2")
    await gm.button("House rules").click()
    form = gm.find("#house form", "Who does what")
    await form.get_by_label("Ordinary tests").select_option(label=WILLPOWER)
    await form.get_by_role("button", name="Play it so").click()
    await table.everybody_reads(f"Ordinary tests: {WILLPOWER}.")
    await ann.has(f"{DICE} h2:text-is('Test')", 1)
    await ann.has(f"{DICE} h2:text-is('Roll for a task')", 0)


async def random_tables(table: Table) -> None:
    gm, ann = table.gm, table.ann
    await gm.button("Tables").click()
    with table.dice(1):
        await gm.page.get_by_role("button", name="Body parts: In secret").click()
        await expect(gm.row("Body parts, 1: Head").first).to_be_attached(timeout=PATIENCE)
    await gm.find("#tables .close").click()
    with table.dice(7):
        await ann.page.get_by_role("button", name="Body parts: Roll d12").tap()
        await table.everybody_reads("Body parts, 7: Torso")
    for person in (table.tv, *table.phones.values()):
        assert "Body parts, 1: Head" not in await person.page.content()
    await table.headers_are_low()
