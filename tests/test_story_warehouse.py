"""The sample table's fight for two rounds on four phones: surprise, holding, parries, real dice, a night's rest."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.support.story import PATIENCE, Company, Phone, Story

MARBLE, LANTERN, SALT, FILIGREE = "Marble", "Lantern", "Doctor Salt", "Filigree"


@dataclass
class Table(Company):
    """Everybody at it. Ann plays Marble, Ben Lantern, Cat Filigree; Dee plays Doctor Salt with real dice."""

    ann: Phone
    ben: Phone
    cat: Phone
    dee: Phone

    @property
    def phones(self) -> dict[str, Phone]:
        return {MARBLE: self.ann, LANTERN: self.ben, SALT: self.dee, FILIGREE: self.cat}

    async def dee_rolls(self, what: str, sides: int, face: int) -> None:
        """Her phone, and no other, asks for exactly this die."""
        await self.is_asked_of_dee(what, sides)
        await self.dee.page.locator(".question-sheet").get_by_role("button", name=str(face), exact=True).tap()
        await self.dee.all_answered()

    async def is_asked_of_dee(self, what: str, sides: int) -> None:
        await self.dee.is_asked(f"Roll d{sides}: {what}", "Roll these for me")
        await self.dee.has(".question-sheet .face-key", sides)
        await self.dee.shows(f"{SALT}: rolling", ".ribbon .waits")
        await self.gm.shows(f"Roll d{sides}: {what}", ".waiting")
        await self.tv.shows(f"{SALT}: rolling", ".ribbon")
        for phone in (self.ann, self.ben, self.cat):
            await phone.has(".face-key", 0)

    async def by_hand(self, sentence: str, roll: str) -> None:
        """Behind this row of the log the roll says that its dice were told."""
        for person in (self.gm, self.ann, self.dee):
            derivation = person.row(sentence).locator(".roll", has_text=roll)
            await expect(derivation.first).to_contain_text("by hand", timeout=PATIENCE)

    async def has_left(self, hero: str, left: int) -> None:
        """This hero's HP, wherever they stand."""
        places = f"li:has-text('{hero}'), .card-head:has-text('{hero}'), p:has-text('{hero}')"
        for person in (self.gm, self.tv):
            await person.shows(f"{left} of 15 left", places)
        await expect(self.phones[hero].find(".head .vitals")).to_contain_text(f"HP {left}", timeout=PATIENCE)
        for phone in self.phones.values():
            health = phone.find("[data-panel=fight] .party li", hero)
            await expect(health).to_contain_text(f"{left} of 15 left", timeout=PATIENCE)


@pytest.mark.asyncio(loop_scope="session")
async def test_two_rounds_in_the_warehouse(chromium: Browser, tmp_path: Path) -> None:
    async with Story(chromium, tmp_path) as story:
        phones = [await story.phone(name) for name in ("Ann", "Ben", "Cat", "Dee")]
        table = Table(story, await story.gm(), await story.tv(), *phones)
        await they_sit_down(table)
        await sheets_are_edited(table)
        await the_heroes_lie_in_wait(table)
        await initiative(table)
        await one_falls_and_one_holds_back(table)
        await a_parry_with_real_dice(table)
        await the_held_chance_comes_up_by_itself(table)
        await a_parry_breaks_a_device(table)
        await two_ones_in_a_row_and_a_second_try(table)
        await round_two(table)
        await a_hero_falls(table)
        await one_breaks_off(table)
        await foes_act_together(table)
        await first_aid(table)
        await the_fight_ends(table)
        await a_night_s_rest(table)


async def they_sit_down(table: Table) -> None:
    gm, tv = table.gm, table.tv
    code = await gm.opens("The Warehouse on Ortygia")
    await tv.goto(f"/t/{code}/screen")
    for hero, phone in table.phones.items():
        await phone.sits_down(code)
        await phone.takes(hero)
        await gm.shows(f"15 of 15 left · {phone.name} here", ".cast")


async def sheets_are_edited(table: Table) -> None:
    for phone, label, value in ((table.ann, "HP", "5"), (table.cat, "Buckler: die", "d4")):
        await phone.tap("More", "[data-panel=sheet]")
        await phone.tap("Edit the sheet", "[data-panel=sheet]")
        field = phone.find(f"form.edit .field:has(> span:text-is('{label}')) > :is(input, select)")
        await (field.select_option(label=value) if value.startswith("d") else field.fill(value))
        await phone.tap("Save what I changed")
        await phone.has("form.edit", 0)
        await phone.tap("Less", "[data-panel=sheet]")
    await expect(table.ann.find(".head .vitals")).to_contain_text("HP 5", timeout=PATIENCE)
    await table.cat.shows("shield · d4", ".fact")
    await table.dee.tap("More", "[data-panel=sheet]")
    await table.dee.tap("I roll real dice")
    await expect(table.dee.button("I roll real dice")).to_have_attribute("aria-pressed", "true", timeout=PATIENCE)


async def the_heroes_lie_in_wait(table: Table) -> None:
    gm, tv = table.gm, table.tv
    await gm.next("Start the fight")
    for phone in table.phones.values():
        await phone.has("button[data-tab=fight][aria-pressed=true]", 1)  # it opens by itself
    await table.has_left(MARBLE, 5)
    table.story.lay(6, 2, 1)  # Marble, Lantern, Filigree
    await gm.button("Heroes lie in wait", ".acts").click()
    await table.dee_rolls("ATN, to surprise", 12, 9)
    await table.everybody_reads(
        f"{MARBLE} takes the other side by surprise.",
        f"{LANTERN} gives it away.",
        f"{SALT} takes the other side by surprise.",
    )
    await table.by_hand(f"{SALT} takes the other side by surprise.", "ATN, to surprise")
    await expect(gm.button("Thug A", ".toggles")).to_have_attribute("aria-pressed", "true", timeout=PATIENCE)
    await gm.button("Company guard", ".toggles").click()
    await expect(gm.button("Company guard", ".toggles")).to_have_attribute("aria-pressed", "false", timeout=PATIENCE)
    await tv.shows("surprised", "li:has-text('Thug A')")
    await tv.has("li .state", 0, "Company guard")
    table.all_dice_fell()


async def initiative(table: Table) -> None:
    gm, tv = table.gm, table.tv
    table.story.lay(1, 11, 8, 5, 5, 5, 2, 7, 3)  # Marble, Lantern, Filigree, thugs, gunman, guard, stalker
    await gm.next("Roll initiative for everybody")
    await tv.shows(f"Still to come: {SALT}")
    await table.dee_rolls("initiative", 4, 3)
    await table.everybody_reads(f"{LANTERN} acts on 11, 6, 1.", f"{SALT} acts on 3.")
    await table.ben.shows("Your turn", ".top")
    await table.ben.shows("on 11, 6, 1 · 3 parries left", ".fact")
    await table.cat.shows("You act in 3 counts", ".top")
    await table.dee.shows("You act in 8 counts", ".top")
    for person in (gm, table.cat):
        await person.shows("surprised", ".countdown .slot.group:has-text('Thug B')")
    await tv.shows("surprised", ".countdown li:has-text('Thug A, Thug B, Thug C')")


async def one_falls_and_one_holds_back(table: Table) -> None:
    gm, cat = table.gm, table.cat
    table.story.lay(9, 8)  # attack, damage; who is surprised can't parry
    await table.ben.tap("Thug A", "[data-panel=fight]")
    await table.everybody_reads("Thug A takes 8 damage", "Thug A goes down.")
    await table.tv.shows("dying", "li:has-text('Thug A')")
    await cat.shows("Your turn", ".top")
    await cat.tap("Hold until 5", "[data-panel=fight]")
    for person in (gm, cat, table.dee):
        await person.shows("holds until 5 (from 8)", f".slot:has-text('{FILIGREE}')")
    await table.tv.shows("held", ".countdown")
    table.all_dice_fell()


async def a_parry_with_real_dice(table: Table) -> None:
    dee = table.dee
    await table.gm.shows("7: Company guard attacks", ".big")
    table.story.lay(6, 4)  # attack; damage
    await table.gm.act(SALT)
    await dee.is_asked(f"Company guard hits {SALT} with 6", "Let it hit", "Parry with Shock baton")
    await dee.answer("Parry with Shock baton")
    await table.is_asked_of_dee("parry with TUF", 8)
    await dee.page.reload()
    await dee.is_live()
    await table.dee_rolls("parry with TUF", 8, 7)
    await table.dee_rolls("Shock baton", 10, 2)
    await dee.is_not_asked()
    await table.everybody_reads(
        f"{SALT} parries with Shock baton: 7 against 6, parried.",
        f"{SALT}'s Shock baton takes the blow: 4 − 2, 2 too many.",
        f"{SALT}'s Shock baton is down to a d8.",
    )
    await table.by_hand(f"{SALT} parries with Shock baton", "parry with TUF")
    await table.by_hand(f"{SALT}'s Shock baton takes the blow", "Shock baton")
    await table.has_left(SALT, 15)
    table.all_dice_fell()


async def the_held_chance_comes_up_by_itself(table: Table) -> None:
    table.story.lay(10, 4)  # attack, damage
    await table.ben.shows("Your turn", ".top")
    await table.ben.tap("Thug B", "[data-panel=fight]")
    await table.gm.shows("3 of 7 left", ".card-head:has-text('Thug B')")
    await table.everybody_reads("Thug B is surprised and lets 5 go.", "Thug C is surprised and lets 5 go.")
    await table.cat.shows("Your turn", ".top")
    await table.tv.shows("5", ".slot.up .number")
    await table.tv.shows(FILIGREE, ".slot.up")
    table.story.lay(5, 3, 9, 2)  # attack, the guard's parry, damage, the vest
    await table.cat.tap("Company guard", "[data-panel=fight]")
    await table.everybody_reads("Company guard takes 7 damage (9 − 2)")
    await table.gm.shows("3 of 10 left", ".card-head:has-text('Company guard')")
    await table.cat.tap("Let 3 pass", "[data-panel=fight]")
    table.all_dice_fell()


async def a_parry_breaks_a_device(table: Table) -> None:
    dee, cat = table.dee, table.cat
    await dee.shows("Your turn", ".top")
    await dee.tap("Thug C", "[data-panel=fight]")
    await table.dee_rolls("attack with TUF", 8, 2)
    await dee.shows("Re-roll it for a Will Point?", ".chip-card")
    await dee.tap("Keep it", ".chip-card")
    await dee.has(".chip-card", 0)
    table.story.lay(5, 7, 5, 1)  # attack; parry, damage, what the buckler takes
    await table.gm.next(f"2: Company guard attacks {FILIGREE}")
    await cat.is_asked(f"Company guard hits {FILIGREE} with 5", "Parry with Buckler", "may break it")
    await cat.answer("Parry with Buckler")
    await table.everybody_reads(
        f"{FILIGREE}'s Buckler takes the blow: 5 − 1, 4 too many.", f"{FILIGREE}'s Buckler breaks."
    )
    await cat.tab("sheet")
    await cat.shows("Buckler is broken", "[data-panel=sheet]")
    await cat.tab("fight")
    await table.has_left(FILIGREE, 15)
    table.all_dice_fell()


async def two_ones_in_a_row_and_a_second_try(table: Table) -> None:
    ann = table.ann
    await table.ben.tap("Let 1 pass", "[data-panel=fight]")
    await ann.shows("Your turn", ".top")
    table.story.lay(1)  # the second in a row: the first was the initiative
    await ann.tap("Company guard", "[data-panel=fight]")
    await table.everybody_reads(f"{MARBLE}: two 1s in a row, a Will Point is gone.")
    await expect(ann.find(".head .vitals")).to_contain_text("Will Points 2", timeout=PATIENCE)
    await ann.shows("1 of 2 Will Points; the second result stands", ".chip-card")
    await table.gm.shows("Re-roll it for a Will Point?", ".chips")
    for other in (table.ben, table.cat, table.dee):
        await other.has(".chip-card", 0)
    table.story.lay(10, 6, 2)  # attack, damage, the vest; no d8 parries a 10
    await ann.tap("Re-roll", ".chip-card")
    await table.everybody_reads(
        f"{MARBLE} spends a Will Point to re-roll.",
        "Company guard takes 4 damage (6 − 2)",
        "Company guard goes down.",
    )
    await ann.has(".chip-card", 0)
    await expect(ann.find(".head .vitals")).to_contain_text("Will Points 1", timeout=PATIENCE)
    await table.tv.shows("dying", "li:has-text('Company guard')")
    table.all_dice_fell()


async def round_two(table: Table) -> None:
    await table.gm.next("Start round 2")
    await table.everybody_reads("Round 1 is over: 6 minutes.", "Thug A is dying: 2 rounds left.")
    table.story.lay(2, 9, 7, 5, 5, 6, 8)  # Marble, Lantern, Filigree, two thugs, gunman, stalker
    await table.gm.next("Roll initiative for everybody")
    await table.dee_rolls("initiative", 4, 2)
    await table.tv.shows("Round 2")
    await table.tv.has(".tv .state", 0, "surprised")
    await table.ben.tap("Let 9 pass", "[data-panel=fight]")
    table.all_dice_fell()


async def a_hero_falls(table: Table) -> None:
    await table.gm.shows("8: Roof stalker attacks", ".big")
    table.story.lay(8, 8, 1)  # attack; damage, the jacket
    await table.gm.act(MARBLE)
    await table.ann.is_asked(f"Roof stalker hits {MARBLE} with 8", "Let it hit")
    await table.ann.answer("Let it hit")
    await table.everybody_reads(f"{MARBLE} takes 7 damage (8 − 1), 0 of 15 left.", f"{MARBLE} goes down.")
    for person in (table.gm, table.tv):
        await person.shows("dying", f".card-head:has-text('{MARBLE}'), li:has-text('{MARBLE}')")
    await table.ann.tab("sheet")
    await table.ann.shows("Unconscious and dying: 6 rounds left, needs first aid", "[data-panel=sheet]")
    await table.ann.tab("fight")
    table.all_dice_fell()


async def one_breaks_off(table: Table) -> None:
    cat = table.cat
    await cat.shows("Your turn", ".top")
    await cat.tap("Break off", "[data-panel=fight]")
    await table.gm.shows(f"{FILIGREE} breaks off. Who gets the free blow?", ".waiting")
    await table.gm.shows("go on", ".big")
    table.story.lay(5, 3)  # attack, one added; damage
    await table.gm.button("Thug C with Knife", ".waiting").click()
    await table.everybody_reads(f"Thug C attacks {FILIGREE} with Knife: 6 against 4", f"{FILIGREE} takes 3 damage")
    await table.has_left(FILIGREE, 12)
    await cat.is_asked("You are still standing.", "Leave the fight", "Stay after all")
    await cat.answer("Leave the fight")
    await table.everybody_reads(f"{FILIGREE} gets away.")
    await table.tv.has(".helpers li", 0, FILIGREE)
    table.all_dice_fell()


async def foes_act_together(table: Table) -> None:
    gm, dee = table.gm, table.dee
    table.story.lay(2)
    await gm.next(f"6: Dock gunman attacks {LANTERN}")
    await gm.shows(f"Thug B → {LANTERN} with Knife · Thug C → {SALT} with Knife", ".acts")
    table.story.lay(1, 5, 6)  # two attacks; damage
    await gm.next("5: both attack")
    await dee.is_asked(f"Thug C hits {SALT} with 5")
    await dee.answer("Let it hit")
    await table.dee_rolls("Light vest", 6, 4)
    await table.everybody_reads(f"Thug B attacks {LANTERN}", f"{SALT} takes 2 damage (6 − 4), 13 of 15 left.")
    await table.by_hand(f"{SALT} takes 2 damage", "Light vest")
    await table.has_left(SALT, 13)
    table.story.lay(9, 8)  # attack, damage; no d8 parries a 9
    await table.ben.tap("Roof stalker", "[data-panel=fight]")
    await table.everybody_reads("Roof stalker goes down.")
    table.all_dice_fell()


async def first_aid(table: Table) -> None:
    dee = table.dee
    await dee.shows("Your turn", ".top")
    await dee.tap(MARBLE, "[data-panel=fight]")
    await table.dee_rolls("first aid with STW", 4, 3)
    said = f"{SALT} gives {MARBLE} first aid: 3 against 2, {MARBLE} is stable."
    await table.everybody_reads(said)
    await table.by_hand(said, "first aid with STW")
    await table.tv.shows("stable", f"li:has-text('{MARBLE}')")


async def the_fight_ends(table: Table) -> None:
    table.story.lay(1)
    await table.gm.next(f"1: Dock gunman attacks {LANTERN}")
    await table.gm.shows("Start round 3", ".big")
    await table.gm.ends_the_fight()
    await table.everybody_reads("Round 2 is over: 6 minutes.", "The fight is over.")
    await table.gm.shows("0 h 12 min", ".title")
    await table.dee.has("button[data-tab=sheet][aria-pressed=true]", 1)  # back to it by itself
    table.all_dice_fell()


async def a_night_s_rest(table: Table) -> None:
    table.story.lay(2, 1, 2)  # a d2 for each who is hurt, thrown by the GM
    await table.gm.button("Rest", ".acts form").click()
    await table.everybody_reads(
        "8 hours of rest.",
        f"{MARBLE} gets 2 HP back, 2 of 15 left.",
        f"{MARBLE} is up again.",
        f"{SALT} gets 1 HP back, 14 of 15 left.",
        f"{SALT}'s Shock baton is mended by a rank.",
        f"{FILIGREE} gets 2 HP back, 14 of 15 left.",
        f"{FILIGREE}'s Buckler is mended by a rank.",
    )
    for hero, left in ((MARBLE, 2), (SALT, 14), (FILIGREE, 14)):
        await expect(table.phones[hero].find(".head .vitals")).to_contain_text(f"HP {left}", timeout=PATIENCE)
        await table.gm.shows(f"{left} of 15 left", f".card-head:has-text('{hero}')")
    for phone, device in ((table.cat, "shield · d4"), (table.dee, "melee · d10")):
        await phone.tab("sheet")
        await phone.shows(device, ".fact")
    await table.cat.has(".state-note", 0)
    await table.gm.shows("8 h 12 min", ".title")
    table.all_dice_fell()
