"""One evening in four browsers: blows, parries, a phone that sleeps, undo, and a server that dies."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.support.story import GM, PATIENCE, Phone, Seen, SleepyPhone, Story

VEX, BRICK = "Vex", "Brick"


@pytest.mark.asyncio(loop_scope="session")
async def test_an_evening_of_blows(chromium: Browser, tmp_path: Path) -> None:
    async with Story(chromium, tmp_path) as story:
        gm, tv = await story.gm(), await story.tv()
        ann, ben = await story.phone("Ann"), await story.sleepy_phone("Ben")
        await they_sit_down(story, gm, ann, ben, tv)
        await a_fight_starts(story, gm, ann, ben, tv)
        await a_hero_hits(story, gm, ann, tv)
        await a_blow_is_parried(story, gm, ann, ben, tv)
        await a_blow_hits(story, gm, ann, ben, tv)
        await a_phone_sleeps(story, gm, ann, ben, tv)
        await a_late_answer_is_asked_again(story, gm, ben, tv)
        await a_row_in_the_middle_is_undone(gm, ann, ben, tv)
        await the_server_dies(story, gm, ann, ben, tv)


async def they_sit_down(story: Story, gm: GM, ann: Phone, ben: Phone, tv: Seen) -> None:
    code = await gm.opens_own("The Warehouse")

    await tv.goto(f"/t/{code}/screen")
    await tv.shows(code)

    await ann.goto("/")
    await ann.page.get_by_label("Table code").fill(code.lower())
    await ann.tap("Go to the table")
    await ben.goto(f"/join/{code}")
    for phone in (ann, ben):
        await phone.shows("The Warehouse", "h1")
        await phone.page.get_by_label("Your name").fill(phone.name)
    for phone in (ann, ben):  # what Ben has typed outlives Ann's sitting down
        await phone.takes_a_seat()
        if phone is ann:
            await ben.shows("Ann", "form")
    for phone, start, hero in ((ann, "Duellist", VEX), (ben, "Bruiser", BRICK)):
        await phone.makes(start, hero)
        await gm.shows(f"15 of 15 left · {phone.name} here", ".cast")
        await tv.shows(hero)

    await gm.button("Add foes").click()
    thugs = gm.find("dialog form", "Thug")
    await thugs.get_by_label("How many").fill("3")
    await thugs.get_by_role("button").click()
    await gm.shows("Thug C", ".cast")


async def a_fight_starts(story: Story, gm: GM, ann: Phone, ben: Phone, tv: Seen) -> None:
    await gm.next("Start the fight")
    await ann.shows("Roll initiative", ".top")
    story.lay(12, 4, 6, 5, 3)  # Vex, Brick, the thugs
    await gm.next("Roll initiative for everybody")
    await tv.shows("Round 1")
    for letter in "ABC":
        await tv.shows(f"Thug {letter}")
    await ann.shows("Your turn", ".top")
    await ben.shows("You act in 8 counts", ".top")


async def a_hero_hits(story: Story, gm: GM, ann: Phone, tv: Seen) -> None:
    story.lay(5, 2, 4)  # attack, the thug's own parry, damage
    await ann.tab("fight")
    await ann.tap("Thug A", "[data-panel=fight]")
    await tv.shows("Thug A takes 4 damage")
    await gm.shows("3 of 7 left", ".cast")
    await gm.shows("Thug A parries with Knife: 2 against 5, not parried", ".log")
    assert story.faces_left() == []
    await gm.next(f"7: end {VEX}'s turn")


async def a_blow_is_parried(story: Story, gm: GM, ann: Phone, ben: Phone, tv: Seen) -> None:
    story.lay(4, 6, 5, 3)  # attack; parry, damage, what the buckler takes
    await gm.act(VEX)
    await ann.is_asked(f"Thug A hits {VEX} with 4", "Let it hit", "Parry with Buckler", "Parry with an arm")
    await gm.shows(f"Thug A hits {VEX} with 4", ".waiting")
    await tv.shows(f"{VEX}: parry?")
    await ben.shows(f"{VEX}: parry?", ".ribbon")
    await ben.is_not_asked()
    await tv.has("button", 0)
    await ann.answer("Parry with Buckler")
    await ann.is_not_asked()
    await ann.tab("log")
    for person in (gm, ann):
        await person.shows(f"{VEX} parries with Buckler: 6 against 4, parried.", ".row")
        await person.shows(f"{VEX}'s Buckler is down to a d4.", ".row")
    await tv.shows(f"{VEX}'s Buckler takes the blow: 5 − 3, 2 too many.")
    await everybody_sees(gm, ann, ben, tv, vex=15, brick=15)
    assert story.faces_left() == []


async def a_blow_hits(story: Story, gm: GM, ann: Phone, ben: Phone, tv: Seen) -> None:
    story.lay(6, 5, 2)  # attack; damage, the jacket
    await gm.act(BRICK)
    await ben.is_asked(f"Thug B hits {BRICK} with 6")
    await ann.is_not_asked()
    await ben.answer("Let it hit")
    await ann.shows(f"{BRICK} takes 3 damage (5 − 2), 12 of 15 left.", ".row")
    await everybody_sees(gm, ann, ben, tv, vex=15, brick=12)
    await gm.next(f"4: end {BRICK}'s turn")


async def a_phone_sleeps(story: Story, gm: GM, ann: Phone, ben: SleepyPhone, tv: Seen) -> None:
    story.forgive("Ben: WebSocket connection to", "Ben: Failed to load resource: net::ERR_")
    story.lay(6, 6, 2)  # attack; damage, the jacket
    await gm.act(BRICK)
    await ben.is_asked(f"Thug C hits {BRICK} with 6")
    await ben.sleep()
    await gm.shows("Ben asleep", ".cast")
    await ben.tap("Parry with Street maul", ".question-sheet")
    await ben.has_unsent()
    await gm.next("No parry · go on")
    await ann.shows(f"{BRICK} takes 4 damage (6 − 2), 8 of 15 left.", ".row")

    await ben.wake()
    await ben.shows(f"Decided for you: the GM let it hit. {BRICK} takes 4 damage", ".notice")
    await ben.shows(f"Too late: the GM let it hit. {BRICK} takes 4 damage", "#refused")
    await ben.all_answered()
    await ben.is_not_asked()
    await gm.shows("Ben here", ".cast")
    await everybody_sees(gm, ann, ben, tv, vex=15, brick=8)
    assert story.faces_left() == []


async def a_late_answer_is_asked_again(story: Story, gm: GM, ben: Phone, tv: Seen) -> None:
    await gm.undo(f"{BRICK} takes 4 damage")
    await ben.is_asked(f"Thug C hits {BRICK} with 6")
    await ben.has(".notice", 0)
    await tv.shows("12 of 15 left")
    story.lay(9, 5, 4)  # parry, damage, what the maul takes
    await ben.answer("Parry with Street maul")
    await tv.shows(f"{BRICK}'s Street maul takes the blow: 5 − 4, 1 too many.")


async def a_row_in_the_middle_is_undone(gm: GM, ann: Phone, ben: Phone, tv: Seen) -> None:
    await everybody_sees(gm, ann, ben, tv, vex=15, brick=12)
    await gm.undo(f"Thug B attacks {BRICK}")
    await everybody_sees(gm, ann, ben, tv, vex=15, brick=15)
    await ben.tab("log")
    for person in (gm, ann, ben):
        for struck in (f"Thug B attacks {BRICK}", f"{BRICK} takes 3 damage"):
            await person.shows(struck, ".row.undone")
        await person.has(".row.undone", 0, "Street maul: 9 against 6")


async def the_server_dies(story: Story, gm: GM, ann: Phone, ben: Phone, tv: Seen) -> None:
    story.forgive("net::ERR_CONNECTION_REFUSED", "net::ERR_CONNECTION_RESET", "net::ERR_SOCKET_NOT_CONNECTED")
    people = (gm, ann, ben, tv)
    documents = {person.name: await person.document() for person in people}
    await ben.tab("dice")
    story.lay(3, 5, 2, 3, 1)  # a task; attack, the thug's own parry, damage; one too many
    await ben.tap("Easy 2", "[data-panel=dice]")
    await ben.all_answered()
    story.server.kill()
    await ann.tab("fight")
    await ann.tap("Thug B", "[data-panel=fight]")
    await ann.has_unsent()
    story.server.start()
    for person in people:
        await person.until_loaded_anew(documents[person.name])
    await ann.all_answered()
    await tv.shows("Thug B takes 3")  # large, or in the ribbon when it came back later
    for person in (gm, ann, ben):
        await person.has(".row", 1, f"{BRICK} rolls TUF: 3 against 2, success.")
        await person.has(".row", 1, f"{VEX} attacks Thug B with Long blade: 5 against 3")
    await everybody_sees(gm, ann, ben, tv, vex=15, brick=15)
    await gm.shows("4 of 7 left", ".cast")
    assert story.faces_left() == [1]


async def everybody_sees(gm: GM, ann: Phone, ben: Phone, tv: Seen, *, vex: int, brick: int) -> None:
    """Both heroes' health, wherever it stands."""
    for hero, left, own, other in ((VEX, vex, ann, ben), (BRICK, brick, ben, ann)):
        for person in (gm, tv):
            await person.shows(f"{left} of 15 left", f"li:has-text('{hero}'), .card-head:has-text('{hero}')")
        await expect(own.find(".head .vitals")).to_contain_text(f"HP {left}", timeout=PATIENCE)
        for phone in (own, other):
            health = phone.find("[data-panel=fight] .party li", hero)
            await expect(health).to_contain_text(f"{left} of 15 left", timeout=PATIENCE)
