"""The lockhouse: a bolt in the arm, an aimed thrust, embers told by hand, harm that goes on, and hours of rest."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.support.story import PATIENCE, Company, Overheard, Phone, Story

SEDGE, MERROW, OAKUM, TANSY = "Sedge", "Merrow", "Oakum", "Tansy"
RAT, CUTTER, BOWMAN = "Weir rat A", "Rope cutter A", "Bridge crossbowman"
EMBERS = "Handful of embers"


@dataclass
class Table(Company):
    """Everybody at it. Ann plays Sedge; Ben plays Merrow with real dice; nobody plays Oakum and Tansy."""

    ann: Phone
    ben: Phone
    overheard: list[Overheard]

    @property
    def phones(self) -> dict[str, Phone]:
        return {SEDGE: self.ann, MERROW: self.ben}

    async def ben_rolls(self, what: str, *faces: int) -> None:
        """His phone asks for exactly these dice, and nobody else's."""
        await self.ben.is_asked(what, "Roll these for me")
        await self.ann.has(".question-sheet .face-key, .question-sheet [name='faces[]']", 0)
        inputs = self.ben.find(".question-sheet [name='faces[]']")
        if len(faces) == 1:
            keys = self.ben.page.locator(".question-sheet").get_by_role("button", name=str(faces[0]), exact=True)
            await keys.tap()
        else:
            await expect(inputs).to_have_count(len(faces), timeout=PATIENCE)
            for nth, face in enumerate(faces):
                await inputs.nth(nth).fill(str(face))
            await self.ben.tap("Tell the dice", ".question-sheet")
        await self.ben.all_answered()

    async def vitals(self, phone: Phone, *words: str) -> None:
        for said in words:
            await expect(phone.find(".head .vitals")).to_contain_text(said, timeout=PATIENCE)


@pytest.mark.asyncio(loop_scope="session")
async def test_one_fight_at_the_lockhouse_and_two_hours_of_rest(chromium: Browser, tmp_path: Path) -> None:
    async with Story(chromium, tmp_path) as story:
        gm, tv = await story.gm(), await story.tv()
        ann, ben = await story.phone("Ann"), await story.phone("Ben")
        table = Table(story, gm, tv, ann, ben, [Overheard(person) for person in (ann, ben, tv)])
        for part in PARTS:
            await part(table)
            table.all_dice_fell()


async def they_sit_down(table: Table) -> None:
    gm, tv = table.gm, table.tv
    code = await gm.opens("The Lockhouse at Grey Weir")
    await tv.goto(f"/t/{code}/screen")
    for phone, hero in ((table.ann, SEDGE), (table.ben, MERROW)):
        await phone.sits_down(code)
        await phone.takes(hero)
    await table.vitals(table.ann, "Grit 8", "Energy 8")
    await table.ann.shows("Nothing is wounded.", ".anatomy")
    await table.ann.has(".anatomy .spot", 6)
    await table.ben.tap("More", "[data-panel=sheet]")
    await table.ben.tap("I roll real dice")
    await expect(table.ben.button("I roll real dice")).to_have_attribute("aria-pressed", "true", timeout=PATIENCE)


async def priority(table: Table) -> None:
    gm, tv, ann, ben = table.gm, table.tv, table.ann, table.ben
    await gm.next("Start the fight")
    for extra in ("Weir rat B", "Rope cutter B"):
        await gm.button(extra, ".cast").click()
        await gm.button("Out of the fight", ".cast").click()
        await gm.shows("Into the fight", ".cast")
        await gm.button(extra, ".cast").click()
        await gm.has(".cast button", 0, "Into the fight")
    await ann.tab("fight")
    await ben.tab("fight")
    await ann.shows("Roll Priority: 2d12 with Zeal", ".button.target")
    await ann.shows("Roll Priority", ".top")
    table.story.lay(9, 1)
    await ann.tap("Roll Priority", "[data-panel=fight]")
    await ann.all_answered()
    table.story.lay(6, 5, 1, 3, 1, 7, 1, 11, 2)  # Oakum, Tansy, the rat, the cutter, the crossbowman
    await gm.next("Roll Priority for the others")
    await tv.shows("Priority")  # in large, or in the head while a roll is
    await table.ben_rolls("Priority with Zeal", 8, 2)
    await tv.shows(BOWMAN)
    await ann.shows("You are next", ".top")
    await ben.shows("1 other before you", ".top")


async def picks(phone: Phone, chip: str) -> None:
    """A chip that changes what the buttons send; they do once it shows that it is on."""
    await phone.tap(chip, "[data-panel=fight]")
    chosen = phone.button(chip, "[data-panel=fight]")
    await expect(chosen).to_have_attribute("aria-pressed", "true", timeout=PATIENCE)


async def a_bolt_in_the_arm(table: Table) -> None:
    """Two faces of 9 and more: Stabbing makes every die count; 5 Injury are 3 beyond the Threshold."""
    ann, tv = table.ann, table.tv
    table.story.lay(10, 9, 4)
    await table.gm.act(SEDGE)
    await ann.is_asked(f"{BOWMAN} attacks {SEDGE}: 10. Defend with what?", "Elude", "Observe")
    await tv.shows(f"{SEDGE}: defend with?", ".ribbon")
    await table.ben.is_not_asked()
    table.story.lay(5, 3, 2, 1, 1, 2, 1, 1, 4)  # the defence; the damage; the part
    await ann.answer("Elude")
    await table.everybody_reads(
        f"{SEDGE}: 5 dice, need 0, every die (3 + 1 Reduction − 4 Stabbing): 1 1 2 1 1 → Injury 5, 3 of 8 left.",
        f"{SEDGE}: Serious Injury, left arm: Wounded 3 (Injury 5 − Threshold 2).",
    )
    await table.vitals(ann, "Grit 3", "Energy 8")
    await ann.tab("sheet")
    await expect(ann.find(".spot.s2")).to_have_attribute("data-spot", "left arm", timeout=PATIENCE)
    await ann.shows("Wounded 3: −1 on rolls that use it", ".anatomy")
    await ann.tab("fight")


async def an_aimed_thrust(table: Table) -> None:
    """The GM gives leave; one die is held back, and the chance follows."""
    gm, ann = table.gm, table.ann
    await ann.shows("Your turn", ".top")
    await ann.shows("Aim, if the GM lets you", "[data-panel=fight]")
    await picks(ann, "Head")
    await ann.tap(CUTTER, "[data-panel=fight]")
    await gm.shows(f"{SEDGE} aims at {CUTTER}'s head. Allowed?", ".waiting")
    table.story.lay(9, 6, 4, 3)  # the attack, the cutter's own defence
    await gm.button("Let it be aimed", ".waiting").click()
    await ann.is_asked(
        f"You hit {CUTTER}: 4 dice, each needs 2 (3 + 1 Reduction − 2 Stabbing). Roll how many?",
        "Roll 4d12: any Injury",
        "Roll only 3",
    )
    await ann.page.get_by_role("button", name="Roll only −1").tap()
    await ann.shows("Roll only 2", ".stepped")
    await ann.page.get_by_role("button", name="Roll only +1").tap()
    await ann.shows("Roll only 3", ".stepped")
    table.story.lay(5, 4, 2)
    await ann.answer("Roll only 3")
    await table.everybody_reads(
        f"{CUTTER}: 3 dice (4 − 1 held back), need 2 (3 + 1 Reduction − 2 Stabbing): 5 4 2 → Injury 3",
        f"{CUTTER}: Serious Injury, head",
    )
    await gm.shows(f"{CUTTER}: Serious Injury, head: Wounded 1 (Injury 3 − Threshold 2).", ".row")
    await gm.button(CUTTER, ".cast").click()
    await expect(gm.find(".cast .spot.s1")).to_have_attribute("data-spot", "head", timeout=PATIENCE)
    await gm.button(CUTTER, ".cast").click()


async def embers_told_by_hand(table: Table) -> None:
    """A 12 on the part die lets the attacker pick, once for the wound and for what goes on there."""
    ben = table.ben
    await ben.shows("Your turn", ".top")
    await picks(ben, EMBERS)
    await ben.tap(RAT, "[data-panel=fight]")
    table.story.lay(4, 3)  # the rat's own defence
    await table.ben_rolls("attack with Magic", 8, 5, 2)
    await ben.is_asked(f"You hit {RAT}: 3 dice, each needs 3.", "Roll 3d12: any Injury")
    await ben.answer("Roll 3d12")
    await table.ben_rolls("damage, 3 dice", 7, 6, 2)
    await table.ben_rolls("the part", 12)
    await ben.is_asked(f"Pick the part: {RAT} is wounded and the harm goes on there.", "Torso", "Right leg")
    await ben.has(".question-sheet button", 0, "Left arm")
    await ben.answer("Torso")
    await table.everybody_reads(f"{RAT}: Serious Injury, torso", f"{RAT}: {EMBERS} goes on")


async def something_burns(table: Table) -> None:
    gm = table.gm
    await gm.shows("7:", ".big")
    table.story.lay(2, 1)
    await gm.act(OAKUM)
    await gm.shows(f"{CUTTER} attacks {OAKUM}: 2. Defend with what?", ".waiting")
    table.story.lay(9, 3)
    await gm.next("Defend with the best · go on")
    await gm.button(SEDGE, ".cast").click()
    form = gm.find(".cast form", "Harm that goes on")
    await form.get_by_label("Dice").fill("4")
    table.story.lay(5)  # where: the left arm once more
    await form.get_by_role("button").click()
    await table.everybody_reads(f"{SEDGE}: Burning goes on, 4 dice each round.")
    await gm.button(SEDGE, ".cast").click()
    await table.ann.tab("sheet")
    await table.ann.shows("Burning: 4 dice at the end of each round, left arm", "[data-panel=sheet]")
    await expect(table.ann.find(".spot.active")).to_have_attribute("data-spot", "left arm", timeout=PATIENCE)


async def it_spills(table: Table) -> None:
    """On the GM's turn 4 Injury take 3 Grit and 1 Energy; what goes on is added up on its part."""
    gm, ann = table.gm, table.ann
    await gm.next(f"6: end {OAKUM}'s turn")
    await gm.next(f"5: end {TANSY}'s turn")
    await gm.has(".acts", 0, f"act for {TANSY}")
    await gm.button("Done", ".acts").click()
    await gm.all_answered()
    table.story.lay(3, 12, 5, 8, 3, 1)  # Sedge; the rat
    await gm.next("Start round 2")
    await table.everybody_reads(
        f"{SEDGE}: 4 dice, need 3: 3 12 5 8 → Injury 4, 0 of 8 left.",
        f"{SEDGE}: 1 beyond Grit, off Energy.",
        f"{SEDGE} has no Grit left and is unconscious: Fatigued 1, Unaware 3.",
        f"{SEDGE}: Serious Injury, left arm: Wounded 2 (4 in all from what goes on − Threshold 2), 5 in all.",
        f"{RAT}: 2 dice, need 3: 3 1 → Injury 1",
    )
    await table.vitals(ann, "Grit 0", "Energy 7")
    await ann.has(".vessel.empty .pipe.spilling", 1)
    await ann.shows("−1 on skill rolls", ".vessel.harm")
    await ann.shows("Wounded 5: −2 on rolls that use it; Burning goes on, Injury 4 so far", ".anatomy")
    await ann.shows("Unconscious: no actions.", "[data-panel=sheet]")
    await table.tv.shows("unconscious")


async def it_is_put_out(table: Table) -> None:
    """At a price that the helper has not got: Energy runs over, and a conduit may rupture."""
    gm, ben = table.gm, table.ben
    table.story.lay(5)  # the unconscious one's Endure, at the end of a turn that passes by itself
    await gm.button("Done", ".acts").click()  # the crossbowman
    await gm.all_answered()
    await table.everybody_reads(f"{SEDGE} stays unconscious: 4.")
    await ben.shows("Your turn", ".top")
    await ben.tap(f"{SEDGE}: Burning", "[data-panel=fight]")
    await gm.shows(f"{MERROW} puts it out: Burning on {SEDGE}. At what price?", ".waiting")
    form = gm.find(".waiting form", "for Energy of the helper")
    await form.get_by_role("spinbutton").fill("16")
    await form.get_by_role("button").click()
    await table.everybody_reads(
        f"{MERROW} uses 16 Energy, 0 left.", f"{MERROW}: 2 beyond Energy, Fatigued 2.", f"{SEDGE}: Burning is over."
    )
    await table.vitals(ben, "Energy 0")
    await gm.shows(f"{MERROW} used 2 Energy too many. A ruptured conduit?", ".chips")
    await ben.has(".chip-card", 0)
    await gm.button("Roll Endure", ".chips").click()
    await table.ben_rolls("Endure", 9, 1)
    await table.everybody_reads(f"{MERROW} endures the strain: 7 against difficulty 5.")
    await gm.has(".chips .chip-card", 0)
    await table.ann.has(".spot.active", 0)


async def two_hours_of_rest(table: Table) -> None:
    gm, ann, ben = table.gm, table.ann, table.ben
    await gm.ends_the_fight()
    await gm.shows("Night", ".acts form")
    form = gm.find(".acts form", "Night")
    await form.get_by_label("Hours").fill("2")
    await form.get_by_label("A new day").uncheck()
    table.story.lay(6, 6, 7, 8)  # Sedge's Grit and Energy; of the others nothing is missing
    await form.get_by_role("button", name="Rest").click()
    await table.ben_rolls("recovery: Energy, need 6", 6, 12)
    await table.everybody_reads(
        f"{SEDGE} recovers, need 6: Grit +2, Energy +1, Fatigued −1.",
        f"{SEDGE} is awake.",
        f"{MERROW} recovers, need 6: Energy +2.",
    )
    await table.vitals(ann, "Grit 2", "Energy 8")
    await table.vitals(ben, "Grit 7", "Energy 2")
    await ann.has(".state-note", 0)
    await ann.shows("Wounded 5: −2 on rolls that use it", ".anatomy")
    await gm.shows("2 h 00 min", ".title")


async def nobody_learned_too_much(table: Table) -> None:
    """Foes' wounds, pools and Thresholds went to the GM alone."""
    secret = ("Injury 3 − Threshold 2", "Wounded 1 ", "Injury 2 − Threshold 1", "of 4 left", "of 6 left")
    assert {one.name: carried for one in table.overheard if (carried := one.carried(*secret))} == {}
    assert all(one.carried("Serious Injury, head") for one in table.overheard)


PARTS = (
    they_sit_down,
    priority,
    a_bolt_in_the_arm,
    an_aimed_thrust,
    embers_told_by_hand,
    something_burns,
    it_spills,
    it_is_put_out,
    two_hours_of_rest,
    nobody_learned_too_much,
)
