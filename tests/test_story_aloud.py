"""What a screen reader says on a phone: each turn and each roll once, in words, to those who may know of it."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.support.story import GM, PATIENCE, Phone, Story

LISTEN = """() => {
  window.said = [];
  const regions = '[aria-live="polite"], [role="status"], [role="alert"], [role="log"]';
  new MutationObserver((changes) => {
    const changed = changes.map((one) => one.target.nodeType === 1 ? one.target : one.target.parentElement);
    const spoke = new Set(changed.map((one) => one && one.closest(regions)).filter((one) => one));
    spoke.forEach((one) => { if (one.textContent.trim()) window.said.push(one.textContent.trim()); });
  }).observe(document.body, { childList: true, characterData: true, subtree: true });
}"""


class Ears:
    """All that the live regions of one phone have said since they were last asked."""

    def __init__(self, phone: Phone) -> None:
        self.phone = phone

    async def listen(self) -> None:
        await self.phone.page.evaluate(LISTEN)

    async def heard(self, words: str) -> list[str]:
        """Everything up to and with these words, when the server has nothing more to tell."""
        await self.phone.page.wait_for_function(
            "words => window.said.some((one) => one.includes(words))", arg=words, timeout=PATIENCE
        )
        return await self.taken()

    async def taken(self) -> list[str]:
        await self.phone.all_answered()
        said: list[str] = await self.phone.page.evaluate("window.said.splice(0)")
        return said


@pytest.mark.asyncio(loop_scope="session")
async def test_a_turn_and_a_roll_are_said_once_to_those_who_may_know(chromium: Browser, tmp_path: Path) -> None:
    async with Story(chromium, tmp_path) as story:
        gm, ann, ben = await story.gm(), await story.phone("Ann"), await story.phone("Ben")
        code = await gm.opens_own("Aloud")
        for phone, start, hero in ((ann, "Duellist", "Vex"), (ben, "Bruiser", "Brick")):
            await phone.sits_down(code)
            await phone.makes(start, hero)
        await gm.adds("Thug")
        ears = Ears(ann), Ears(ben)
        for one in ears:
            await one.listen()
        await a_turn_is_said(story, gm, *ears)
        await a_roll_is_said(story, gm, *ears)
        await what_is_secret_is_not_said(story, gm, *ears)
        await what_is_undone_says_nothing_again(gm, *ears)


def count(said: list[str], words: str) -> int:
    return sum(words in one for one in said)


async def a_turn_is_said(story: Story, gm: GM, ann: Ears, ben: Ears) -> None:
    await gm.next("Start the fight")
    assert count(await ann.heard("Roll initiative"), "Roll initiative") == 1
    assert count(await ben.heard("Roll initiative"), "Roll initiative") == 1
    story.lay(12, 4, 3)
    await gm.next("Roll initiative for everybody")
    told = await ann.heard("Your turn")
    assert count(told, "Your turn") == 1
    others = await ben.heard("You act in 8 counts")
    assert count(others, "You act in 8 counts") == 1
    assert count(others, "Your turn") == 0


async def a_roll_is_said(story: Story, gm: GM, ann: Ears, ben: Ears) -> None:
    story.lay(5, 2, 4)
    await ann.phone.tab("fight")
    await ann.phone.tap("Thug", "[data-panel=fight]")
    for one in (ann, ben):
        told = await one.heard("Thug takes 4 damage")
        assert count(told, "Vex attacks Thug with Long blade: 5 against 3") == 1
        assert count(told, "Thug takes 4 damage") == 1
        assert count(told, "Your turn") == 0
    await gm.button("−", ".cast").click()  # a card that is drawn anew says neither again
    await gm.all_answered()


async def what_is_secret_is_not_said(story: Story, gm: GM, ann: Ears, ben: Ears) -> None:
    story.lay(6, 6)
    await gm.page.keyboard.press("d")
    await gm.page.locator('#dice input[name="dice.6"]').fill("1")
    await gm.page.locator("#dice").get_by_label("In secret").check()
    await gm.page.locator("#dice [type=submit]").click()
    await gm.all_answered()
    await gm.page.keyboard.press("d")
    await gm.page.locator('#dice input[name="dice.6"]').fill("1")
    await gm.page.locator("#dice").get_by_label("In secret").uncheck()
    await gm.page.locator("#dice [type=submit]").click()
    for one in (ann, ben):
        told = await one.heard("6")
        assert [words for words in told if "attacks" in words or "turn" in words] == []
        assert count(told, "d6") == 1, told


async def what_is_undone_says_nothing_again(gm: GM, ann: Ears, ben: Ears) -> None:
    await gm.undo("d6")
    await expect(gm.find(".log .row", "Undone:").first).to_be_visible(timeout=PATIENCE)
    await ann.phone.tab("log")
    await expect(ann.phone.find(".row", "Undone:").first).to_be_visible(timeout=PATIENCE)
    for one in (ann, ben):
        assert [words for words in await one.taken() if "attacks" in words or "d6" in words] == []
