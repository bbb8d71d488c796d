"""A fight in the belfry on two phones: nerve that saves, holds, runs out, and does not come back in the wild."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.support.story import PATIENCE, Company, Phone, Story

WREN, ILSE, OSK, TAMMO = "Wren", "Mother Ilse", "Osk", "Tammo"
HUSK, LURKER = "Drowned husk", "Rust knight"
FIGHT = "[data-panel=fight]"


@dataclass
class Table(Company):
    """Everybody at it. Ann plays Wren, later with real dice, Bea Mother Ilse; the GM has the others."""

    ann: Phone
    bea: Phone

    @property
    def phones(self) -> dict[str, Phone]:
        return {WREN: self.ann, ILSE: self.bea}

    async def has(self, hero: str, hp: int, die: str) -> None:
        """What the head of this hero's phone says."""
        head = self.phones[hero].find(".head .vitals")
        await expect(head).to_contain_text(f"HP {hp}", timeout=PATIENCE)
        await expect(head).to_contain_text(f"Willpower {die}", timeout=PATIENCE)

    async def ann_rolls(self, what: str, *dice: tuple[int, int]) -> None:
        """Her phone, and no other, asks for exactly these dice; sizes and faces."""
        wanted = ", ".join(f"d{sides}" for sides, _ in dice)
        await self.ann.is_asked(f"Roll {wanted}: {what}")
        await self.bea.is_not_asked()
        sheet = self.ann.page.locator(".question-sheet")
        if len(dice) == 1:
            await sheet.get_by_role("button", name=str(dice[0][1]), exact=True).tap()
        else:
            for nth, (_, face) in enumerate(dice):
                await sheet.locator("input[name='faces[]']").nth(nth).fill(str(face))
            await sheet.get_by_role("button", name="Tell the dice").tap()
        await self.ann.all_answered()


@pytest.mark.asyncio(loop_scope="session")
async def test_a_fight_in_the_belfry(chromium: Browser, tmp_path: Path) -> None:
    async with Story(chromium, tmp_path) as story:
        table = Table(story, await story.gm(), await story.tv(), await story.phone("Ann"), await story.phone("Bea"))
        await they_sit_down(table)
        await the_worked_example(table)
        await something_fearsome(table)
        await one_stands_and_panics(table)
        await initiative(table)
        await a_shaken_shot(table)
        await a_spell_held_with_hp(table)
        await a_dodge(table)
        await the_others_strike(table)
        await the_revenge_of_chaos(table)
        await a_night_in_the_wild(table)


async def they_sit_down(table: Table) -> None:
    gm, tv = table.gm, table.tv
    code = await gm.opens("The Belfry at Low Water")
    await tv.goto(f"/t/{code}/screen")
    for hero, phone in table.phones.items():
        await phone.sits_down(code)
        await phone.takes(hero)
    await table.has(WREN, 10, "d6")
    await table.has(ILSE, 9, "d6")


async def the_worked_example(table: Table) -> None:
    """13 misses a Dexterity of 11; a Willpower roll of 3 saves it, and the die is down to a d4."""
    ann = table.ann
    await ann.tab("dice")
    await ann.shows("50 %", "button:has-text('Dexterity')")
    table.story.lay(13)
    await ann.tap("Dexterity", "[data-panel=dice]")
    await ann.is_asked(
        "Dexterity: 13 (needs under 11). Spend Willpower?",
        "Let it stand",
        "Spend Willpower, d6",
        "67 %",
        "needs 3 or more; the die goes down to a d4",
    )
    await table.bea.is_not_asked()
    await table.gm.shows(f"{WREN}: Willpower?", ".ribbon")
    await table.tv.shows("against Dexterity 11", ".roll")
    table.story.lay(3)
    await ann.answer("Spend Willpower")
    await ann.is_not_asked()
    told = f"{WREN} spends Willpower: 13 − 3 = 10 (needs under 11), success. The die is now a d4."
    await table.everybody_reads(f"{WREN} rolls Dexterity: 13 (needs under 11), failure.", told)
    await table.has(WREN, 10, "d4")
    table.all_dice_fell()


async def something_fearsome(table: Table) -> None:
    """A foe of level 2 is one harder; one card offers to spend, to stand and to flee."""
    gm, bea = table.gm, table.bea
    await table.ann.tab("sheet")
    await table.ann.tap("More", "[data-panel=sheet]")
    await table.ann.tap("I roll real dice")
    await expect(table.ann.button("I roll real dice")).to_have_attribute("aria-pressed", "true", timeout=PATIENCE)
    await table.ann.tap("Less", "[data-panel=sheet]")
    await gm.button("All face Ghoul A", ".acts").click()
    await table.tv.shows("Guts, to face Ghoul A", ".ask")
    table.story.lay(11)
    await bea.is_asked("The GM asks: Guts, to face Ghoul A.")
    await bea.answer("Roll")
    await bea.is_asked(
        "Guts: 11 + 1 = 12 (needs under 11 against Ghoul A). Stand your ground, or flee?",
        "both actions of your next turn go into it",
        "Willpower: on 1 or 2 the die goes down to a d4",
        "needs 2 or more; the die goes down to a d4",
        "83 %",
    )
    table.story.lay(4)
    await bea.answer("Spend Willpower")
    await bea.is_not_asked()
    await table.has(ILSE, 9, "d4")
    await table.tv.holds_none("12 − 4", "needs under 11")
    table.all_dice_fell()


async def one_stands_and_panics(table: Table) -> None:
    gm, tv, ann = table.gm, table.tv, table.ann
    await ann.is_asked("The GM asks: Guts, to face Ghoul A.")
    await ann.answer("Roll")
    await table.ann_rolls("Guts", (20, 15))
    await ann.is_asked("Guts: 15 + 1 = 16", "Stand your ground", "50 %", "on 1 or 2 it runs out, and you panic")
    await ann.has(".question-sheet button", 0, "Spend Willpower")
    await ann.answer("Stand your ground")
    await table.ann_rolls("Willpower", (4, 1))
    await table.ann_rolls("Panic", (6, 4))
    await expect(ann.row(f"{WREN} panics (4). Everything shakes.")).to_be_attached(timeout=PATIENCE)
    await ann.shows("Shaken: all tests at disadvantage", "[data-panel=sheet]")
    await table.has(WREN, 10, "d4")
    for other in (tv, table.bea):
        await other.holds_none("panics", "shaken", "stands all the same")
    await gm.button("Turn over without 2", ".waiting").click()
    await table.everybody_reads(
        f"Guts, to face Ghoul A · {ILSE}: 8, success",
        f"Guts, to face Ghoul A · {WREN}: 16, failure, stands all the same, panics (4)",
    )
    await tv.has(".ask", 0)


async def initiative(table: Table) -> None:
    """Shaken before the fight: shaken until the end of its first turn. Somebody waits in the dark."""
    gm, ann = table.gm, table.ann
    for phone in table.phones.values():
        await phone.tab("fight")
    await gm.next("Start the fight")
    await gm.adds(LURKER)
    await gm.shows("hidden", f".card-head:has-text('{LURKER}')")
    await table.tv.shows("shaken", f"li:has-text('{WREN}')")
    table.story.lay(19, 5, 6)  # Osk, Mother Ilse, Tammo; a 19 is out of Willpower's reach
    await gm.next("Roll initiative for everybody")
    await table.ann_rolls("Guts, for initiative", (20, 3), (20, 9))
    await table.everybody_reads(f"{WREN} acts before the enemy.", f"{OSK} acts after the enemy.")
    await table.derives(f"{WREN} rolls Guts, for initiative: 9", "by hand", "Guts 11")
    await ann.shows("Your turn", ".top")
    await ann.shows("2 of 2", f"{FIGHT} .fact:has-text('Actions left')")
    await ann.has("[data-panel=sheet] .state-note", 1, "all tests at disadvantage until the end of the next turn")
    await table.bea.has(f"{FIGHT} form", 0)
    table.all_dice_fell()


async def a_shaken_shot(table: Table) -> None:
    """With an effect that spares nobody: the GM says who is close, a foe and a friend."""
    gm, ann = table.gm, table.ann
    await ann.shows("With an effect: on a hit it works 50 %, else the die runs out and you panic", f"{FIGHT} h2")
    await ann.tap("Whirlwind", FIGHT)
    await ann.find(f"{FIGHT} button[data-move*=whirlwind]", "Ghoul A").tap()
    await table.ann_rolls("Shooting with Ash bow", (20, 4), (20, 9))
    await table.ann_rolls("damage", (6, 5))
    await table.ann_rolls("Willpower", (4, 3))
    await gm.shows(f"Who is close to {WREN}?", ".waiting")
    for phone in table.phones.values():
        await phone.is_not_asked()
    for close in ("Ghoul B", TAMMO):
        await gm.button(f"{close} is close too", ".waiting").click()
        await gm.shows(f"{close} is not close", ".waiting")
    await gm.button(f"That is all: {TAMMO}, Ghoul B", ".waiting").click()
    told = f"{WREN} rolls Shooting with Ash bow: 9 + 1 = 10 (needs under 12 against Ghoul A), success."
    await table.everybody_reads(
        told,
        f"{WREN} · Whirlwind: Willpower 3, it works.",
        "Ghoul A takes 5 damage",
        "Ghoul B takes 5 damage",
        f"{TAMMO} takes 3 damage (5 − 2), 8 of 11 left.",
    )
    await table.derives(told, "+1 higher level", "Shooting 12, facing Ghoul A", "by hand")
    await table.tv.shows("8 of 11 left", f"li:has-text('{TAMMO}')")
    await ann.shows("Attack again: Willpower first, holds 50 %", f"{FIGHT} h2")
    await ann.tap("Move", FIGHT)
    await table.everybody_reads(f"{WREN} moves.")
    await table.bea.shows("Your turn", ".top")
    await ann.has(".state-note", 0)
    await table.tv.has("li .state", 0, "shaken")


async def a_spell_held_with_hp(table: Table) -> None:
    bea = table.bea
    await bea.shows("50 %", f"{FIGHT} button:has-text('Corpse light')")
    table.story.lay(2)
    await bea.tap("Corpse light", FIGHT)
    await bea.is_asked(
        "Corpse light: Willpower 2. Pay HP to hold the die?", "Let it drop", "Pay 1 HP", "1 of 9 HP; the die holds"
    )
    await table.ann.is_not_asked()
    await bea.answer("Pay 1 HP")
    await table.everybody_reads(
        f"{ILSE} pays 1 HP to hold the die.",
        f"{ILSE} · Corpse light: Willpower 2 + 1 HP = 3, the die holds.",
        f"{ILSE} casts Corpse light. A pale flame that nobody else sees.",
    )
    await table.has(ILSE, 8, "d4")
    await bea.shows("two dice and the lower counts", f"{FIGHT} h2")
    await bea.shows(f"{ILSE} has cast this turn: one spell a turn.", FIGHT)
    await bea.tap("End the turn", FIGHT)
    table.all_dice_fell()


async def a_dodge(table: Table) -> None:
    gm, bea = table.gm, table.bea
    await gm.next(f"End {TAMMO}'s turn")
    await gm.shows("All 4 attack", ".big")
    await gm.act(ILSE)
    await bea.is_asked(
        f"{HUSK} strikes for 4. Parry or dodge?",
        "Dodge with Dexterity",
        "Parry with Melee",
        "a natural 1 strikes back",
    )
    await table.ann.is_not_asked()
    await table.tv.shows(f"{ILSE}: parry or dodge?", ".ribbon")
    table.story.lay(12)
    await bea.answer("Dodge with Dexterity")
    await bea.is_asked(
        "Dexterity, to dodge: 12 + 2 = 14 (needs under 11", "needs 4 or more; it runs out: certain Panic"
    )
    await bea.answer("Let it stand")
    await table.everybody_reads(f"{ILSE} takes 4 damage, 4 of 9 left.")
    await table.has(ILSE, 4, "d4")
    table.all_dice_fell()


async def the_others_strike(table: Table) -> None:
    """Nobody answers for Osk: the better defence is taken. Where only a dodge is left, it rolls itself."""
    gm = table.gm
    near = f"Ghoul A → {OSK}, close up, 3 damage · Ghoul B → {WREN}, close up, 3 damage"
    await gm.shows(f"{near} · Bell acolyte → {ILSE}, from afar, 3 damage", ".acts")
    table.story.lay(5)  # Mother Ilse dodges what comes from afar
    await gm.next("All 3 attack")
    await gm.shows("Ghoul A strikes for 3, less 1 for armour. Parry or dodge?", ".waiting")
    await table.ann_rolls("Dexterity, to dodge", (20, 6))
    table.story.lay(5)
    await gm.next("The better defence · go on")
    await table.everybody_reads(
        f"{ILSE} rolls Dexterity, to dodge: 5 + 1 = 6",
        f"{WREN} rolls Dexterity, to dodge: 6 + 1 = 7",
        f"{OSK} rolls Melee, to parry: 5 + 1 = 6",
    )
    await gm.next(f"{LURKER} does nothing")
    await gm.next(f"End {OSK}'s turn")
    await gm.next("Start round 2")
    await table.is_nowhere(LURKER)
    table.all_dice_fell()


async def the_revenge_of_chaos(table: Table) -> None:
    """The second spell of a day: the worse of two dice, and it runs out."""
    ann, bea = table.ann, table.bea
    await ann.tap("End the turn", FIGHT)
    await bea.shows("Your turn", ".top")
    table.story.lay(1, 3)
    await bea.tap("Thorn hand", FIGHT)
    await bea.is_asked("Thorn hand: Willpower 1. Pay HP to hold the die?", "Pay 2 HP", "2 of 4 HP; the die holds")
    table.story.lay(6, 4)  # Panic, Chaos Revenge
    await bea.answer("Let it drop")
    await table.everybody_reads(
        f"{ILSE} · Thorn hand: Willpower 1, the die runs out.",
        f"{ILSE} panics (6). Bitten back, for now.",
        f"Chaos takes revenge on {ILSE} (4). The words are gone.",
        f"{ILSE} can cast no more until a long rest.",
        f"{ILSE} casts Thorn hand.",
    )
    await table.has(ILSE, 4, "d4")
    await table.tv.shows("no spells", f"li:has-text('{ILSE}')")
    await bea.has("[data-panel=sheet] .state-note", 1, "can't cast until a long rest")
    await bea.shows(f"{ILSE} can cast no more until a long rest.", f"{FIGHT} .quiet")
    for spell in ("Corpse light", "Thorn hand", "River mist"):
        await bea.has(f"{FIGHT} button", 0, spell)
    await bea.tab("sheet")
    await bea.shows("No spells: can't cast until a long rest", "[data-panel=sheet]")
    table.all_dice_fell()


async def a_night_in_the_wild(table: Table) -> None:
    """It counts as a short rest: HP come back, nerve and spells do not. In a safe place they do."""
    gm, bea = table.gm, table.bea
    await gm.ends_the_fight()
    await table.everybody_reads("The fight is over.")
    await table.is_nowhere(LURKER)
    rest = gm.find(".acts form", "In a safe place")
    await rest.get_by_label("In a safe place").uncheck()
    await rest.get_by_role("button", name="Rest").click()
    in_the_wild = "a long rest in the wild, which counts as a short one"
    await table.everybody_reads(
        f"{ILSE}, {in_the_wild}: 4 HP back, 8 of 9 left.",
        f"{TAMMO}, {in_the_wild}: 3 HP back, 11 of 11 left.",
    )
    await table.has(ILSE, 8, "d4")
    await table.has(WREN, 10, "d4")
    await bea.shows("No spells: can't cast until a long rest", "[data-panel=sheet]")
    await rest.get_by_label("In a safe place").check()
    await rest.get_by_role("button", name="Rest").click()
    await table.everybody_reads(f"{ILSE}, a long rest: Willpower d6, 1 HP back, 9 of 9 left.")
    await table.has(ILSE, 9, "d6")
    await table.has(WREN, 10, "d6")
    await bea.has(".state-note", 0)
    table.all_dice_fell()
