"""The TV in a browser: what it shows when, and what can be read from four metres."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from tests.support.ngclient import NGClient
from tests.support.open_table import OpenServer, OpenTable, melee, offered, sheet_of
from tests.support.server import running
from webapp.settings import static_folder

SIZES = ((1920, 1080), (1366, 768), (1280, 720), (1080, 1920), (768, 1024))
BODY_TEXT, CONTRAST, MOST_STEPS = 28, 7, 20
CSS = (static_folder() / "gritboard.css").read_text(encoding="utf-8")
LONG = "Ordensschwester Philippa Rindfleischetik"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenServer]:
    with running(OpenServer(tmp_path_factory.mktemp("screen"))) as server:
        yield server


class Wall:
    """A table, and its TV."""

    def __init__(self, table: OpenTable) -> None:
        self.table = table
        self.tv: NGClient

    async def begin(self) -> None:
        await self.table.begin()
        self.tv = await self.table.browser("/t/{code}/screen")

    async def state(self) -> str:
        await self.table.settled(self.tv)
        roots = (one.get("props") or {} for one in self.tv.elements.values())
        (state,) = (str(root["data-state"]) for root in roots if "data-state" in root)
        return state

    async def shows(self, state: str) -> str:
        """All that stands on the TV, which is in this state."""
        assert await self.state() == state
        return "\n".join(str((one.get("props") or {}).get("innerHTML", "")) for one in self.tv.elements.values())

    def fresh(self) -> bool:
        return any("fresh" in (one.get("class") or []) for one in self.tv.elements.values())

    async def later(self, seconds: int) -> None:
        await self.table.server.ctl(f"later/{self.table.code}/{seconds}")

    async def again(self) -> None:
        await self.tv.drop()
        await self.tv.open(f"/t/{self.table.code}/screen")

    async def fight(self) -> None:
        table = self.table
        await table.player("Ann", "Vex", devices=melee("Knife", 6))
        await table.player("Ben", "Old Tom", devices=melee("Stick", 4))
        await table.foe("Thug", monster=8, devices=melee("Claw", 4))
        await table.do({"move": "table.start_fight", "members": [*table.ids.values()]})
        for name, number in (("Vex", 8), ("Old Tom", 5), ("Thug", 3)):
            await table.edit(name, initiative=number)

    async def strike(self) -> None:
        move = {"move": "squad.attack", "actor": self.table.ids["Vex"], "target": self.table.ids["Thug"]}
        await self.table.do(move, self.table.players["Ann"])


@pytest_asyncio.fixture
async def wall(server: OpenServer) -> AsyncIterator[Wall]:
    async with AsyncExitStack() as exits:
        wall = Wall(OpenTable(server, exits))
        await wall.begin()
        yield wall


async def test_the_door_tells_who_has_joined_until_everybody_has(wall: Wall) -> None:
    table = wall.table
    shown = await wall.shows("door")
    assert "extend the display" in shown.lower()
    assert "who is first?" in shown
    await table.do({"move": "table.add_characters", "side": "hero", "name": "Brick", "sheets": {"squad": sheet_of()}})
    client = await table.browser()
    await client.post(f"/join/{table.code}", {"name": "Eve"})
    shown = await wall.shows("door")
    assert "is free" in shown
    assert "is choosing a hero" in shown
    await client.open(f"/t/{table.code}/play")
    await table.do({"move": "table.claim", "character": await table.learn("Brick")}, client)
    shown = await wall.shows("table")
    assert "Brick" in shown
    assert table.code in shown


async def test_a_fight_its_blows_and_the_end_of_its_round(wall: Wall) -> None:
    await wall.fight()
    assert "Vex" in await wall.shows("fight")
    await wall.strike()
    shown = await wall.shows("blow")
    assert 'class="needle"' in shown
    assert wall.fresh()
    await wall.later(7)
    shown = await wall.shows("fight")
    assert 'class="needle"' not in shown
    assert not wall.fresh()
    for _ in range(MOST_STEPS):
        await wall.table.next()
        await wall.later(7)
        if await wall.state() == "round":
            break
    assert "End of round 1" in await wall.shows("round")


async def test_while_initiative_is_rolled_by_hand_the_order_stays(wall: Wall) -> None:
    await wall.fight()
    ann = wall.table.players["Ann"]
    await wall.table.do({"move": "page.real_dice", "on": True}, ann)
    await wall.table.do({"move": "table.end_fight"})
    await wall.table.do({"move": "table.start_fight"})
    await wall.table.next()
    shown = await wall.shows("fight")
    assert "Still to come: Vex" in shown
    assert "Vex: rolling" in shown


async def test_what_was_large_does_not_come_back_when_the_page_is_loaded_again(wall: Wall) -> None:
    await wall.fight()
    await wall.strike()
    await wall.shows("blow")
    await wall.again()
    await wall.shows("fight")
    assert not wall.fresh()


async def test_an_act_that_waits_stays_but_its_dice_land_only_once(wall: Wall) -> None:
    await wall.fight()
    table = wall.table
    for who in ("Vex", "Old Tom", "Vex"):
        await table.do({"move": "table.done", "actor": table.ids[who]})
    await table.do({"move": "squad.attack", "actor": table.ids["Thug"], "target": table.ids["Vex"]})
    shown = await wall.shows("blow")
    assert "parry?" in shown
    await wall.later(60)
    await wall.shows("blow")
    await wall.again()
    assert "parry?" in await wall.shows("blow")
    assert not wall.fresh()


async def test_a_call_lies_face_down_and_turns_over_together(wall: Wall) -> None:
    table = wall.table
    for name, hero in (("Ann", "Vex"), ("Ben", "Old Tom")):
        await table.player(name, hero)
    await table.do({"move": "squad.call_task", "attribute": "TUF", "difficulty": 2})
    shown = await wall.shows("ask")
    assert shown.count("still to roll") == 2
    await table.settled(table.gm)
    first, second = offered(table.gm, "table.answer")
    await table.do(first)
    shown = await wall.shows("ask")
    assert shown.count("still to roll") == 1
    assert "1 of 2 in" in shown
    assert "success" not in shown
    await table.do(second)
    shown = await wall.shows("ask")
    assert shown.count("success") == 2
    assert wall.fresh()
    await wall.later(20)
    await wall.shows("table")


async def test_the_last_rounds_of_a_hero_and_who_can_help(wall: Wall) -> None:
    await wall.fight()
    dying = {"hp.now": 0, "condition": "dying", "bleeds": 3}
    await wall.table.edit("Thug", **dying)
    assert "rounds left" not in await wall.shows("fight")
    await wall.table.edit("Vex", **dying)
    shown = await wall.shows("dying")
    assert "rounds left" in shown
    assert shown.index("Who can help") < shown.rindex("Old Tom")
    await wall.table.do({"move": "table.done", "actor": wall.table.ids["Old Tom"]})
    assert "next round" in await wall.shows("dying")
    await wall.table.edit("Vex", bleeds=1)
    shown = await wall.shows("dying")
    assert "no turn left" in shown
    assert "next round" not in shown


async def test_the_end_of_the_last_round_and_a_hero_s_death(wall: Wall) -> None:
    table = wall.table
    await wall.fight()
    for _ in range(MOST_STEPS):
        await table.next()
        await wall.later(7)
        if await wall.state() == "round":
            break
    await table.edit("Vex", **{"hp.now": 0, "condition": "dying", "bleeds": 2})
    assert "Then: 1 round left" in await wall.shows("dying")
    await table.edit("Vex", bleeds=1)
    shown = await wall.shows("dying")
    assert "last round" in shown
    assert "Then: dies" in shown
    await table.next()
    shown = await wall.shows("fallen")
    assert "Vex</b>" in shown
    assert "is dead" in shown
    assert "Old Tom" in shown
    await wall.again()
    assert await wall.state() == "fight"


async def test_what_the_night_brought(wall: Wall) -> None:
    await wall.table.player("Ann", "Vex")
    await wall.table.edit("Vex", **{"hp.now": 3})
    await wall.table.do({"move": "table.rest", "hours": 8})
    assert "Vex gets" in await wall.shows("rest")


async def test_a_covered_screen_holds_and_hears_nothing_of_the_game(wall: Wall) -> None:
    table = wall.table
    await wall.fight()
    await table.settled(table.gm)
    key = offered(table.gm, "table.curtain")
    assert [move["value"] for move in key] == ["curtain"]
    await table.do(key[0])
    shown = await wall.shows("curtain")
    assert "The Old Mill" in shown
    heard = len(wall.tv.received)
    await wall.strike()
    await table.next()
    await table.foe("Zwerg")
    await table.settled(wall.tv)
    await wall.again()
    shown = await wall.shows("curtain")
    for word in ("Vex", "Thug", "Old Tom", "Zwerg", "Round", table.code):
        assert word not in shown
        assert all(word not in told for told in wall.tv.received[heard:] if word != table.code)
    await table.settled(table.gm)
    await table.do(offered(table.gm, "table.curtain")[0])
    assert "Vex" in await wall.shows("pause")
    await table.settled(table.gm)
    await table.do(offered(table.gm, "table.curtain")[0])
    await wall.shows("fight")


async def test_more_than_twelve_turn_their_pages_by_the_clock(wall: Wall) -> None:
    await wall.fight()
    for nth in range(14):
        await wall.table.foe(f"Ghoul{nth:02}")
    first = await wall.shows("fight")
    assert "1 of 2" in first or "2 of 2" in first
    pages = [set(re.findall(r"Ghoul\d\d", first))]
    await wall.later(8)
    pages.append(set(re.findall(r"Ghoul\d\d", await wall.shows("fight"))))
    assert pages[0] != pages[1]
    assert len(pages[0] | pages[1]) == 14
    assert all("Vex" in page for page in (first, await wall.shows("fight")))


# What is written, and what it is written on.
WRITTEN = [
    *(
        (ink, ground)
        for ink in ("paper", "ash", "ember", "good", "half", "bad", "held")
        for ground in ("night", "slate")
    ),
    *((ink, "glow") for ink in ("paper", "ash", "ember", "bad", "held")),
    ("night", "paper"),
    ("on-ember", "ember"),
]


def tokens(css: str) -> dict[str, str]:
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6});", css))


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = (int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("theme", [0, 1], ids=["night", "high contrast"])
@pytest.mark.parametrize(("ink", "ground"), WRITTEN)
def test_contrast_is_enough_for_the_far_end_of_the_room(ink: str, ground: str, theme: int) -> None:
    night, high = re.findall(r":root \{(.*?)\}", CSS, re.DOTALL)[:2]
    colours = tokens(night) | (tokens(high) if theme else {})
    lighter, darker = sorted((luminance(colours[ink]), luminance(colours[ground])), reverse=True)
    assert (lighter + 0.05) / (darker + 0.05) >= CONTRAST


CUT = """least => {
  const found = [], upright = innerHeight >= innerWidth;
  const [high, wide] = upright ? [1780, 1080] : [1080, 1920], unit = Math.min(innerHeight / high, innerWidth / wide);
  for (const one of document.querySelectorAll('.tv *')) {
    const box = one.getBoundingClientRect(), style = getComputedStyle(one);
    if (one.closest('svg') || !box.width || !box.height) continue;
    const name = `${one.className}: ${one.textContent.slice(0, 40)}`;
    if (box.right > innerWidth + 1 || box.bottom > innerHeight + 1 || box.left < -1 || box.top < -1)
      found.push(`off ${name}`);
    if (style.overflowY === 'hidden' && style.display !== 'inline' && one.scrollHeight > one.clientHeight + 2)
      found.push(`cut ${name}`);
    const tells = [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim());
    if (tells && parseFloat(style.fontSize) < least * unit - 0.2) found.push(`small ${style.fontSize} ${name}`);
  }
  return found;
}"""


async def on_the_wall(chromium: Browser, table: OpenTable) -> Page:
    page = await chromium.new_page()
    await page.goto(f"{table.server.base}/t/{table.code}/screen")
    await page.wait_for_function("window.socket && window.socket.connected")
    return page


async def fits(page: Page, state: str) -> None:
    await expect(page.locator(".tv")).to_have_attribute("data-state", state)
    await page.evaluate("document.fonts.ready")
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        assert await page.evaluate(CUT, BODY_TEXT) == [], f"{state} at {width} × {height}"


@pytest.mark.asyncio(loop_scope="session")
async def test_a_blow_with_all_that_came_of_it_fits_everywhere(chromium: Browser, server: OpenServer) -> None:
    async with AsyncExitStack() as exits:
        table = OpenTable(server, exits)
        await table.begin()
        await table.player("Ann", "Sister Ash", tuf=12, devices=melee("Baton", 10))
        await table.foe("Drowned ledger clerk", hp=1, monster=6)
        await table.do({"move": "table.start_fight", "members": list(table.ids.values())})
        await table.edit("Sister Ash", initiative=9)
        await table.edit("Drowned ledger clerk", initiative=1)
        await table.next()
        page = await on_the_wall(chromium, table)
        exits.push_async_callback(page.close)
        ash, clerk = table.ids.values()
        await table.do({"move": "squad.attack", "actor": ash, "target": clerk, "device": "baton"})
        await expect(page.locator(".tv .words")).to_contain_text("goes down")
        await fits(page, "blow")


@pytest.mark.asyncio(loop_scope="session")
async def test_twelve_fighters_with_long_names_and_states_fit_everywhere(
    chromium: Browser, server: OpenServer
) -> None:
    async with AsyncExitStack() as exits:
        table = OpenTable(server, exits)
        await table.begin()
        for nth in range(4):
            await table.player(f"P{nth}", f"{LONG[:-3]} {nth}", devices=melee("Knife", 6))
        await table.do(
            {
                "move": "table.add_characters",
                "name": LONG,
                "copies": 8,
                "sheets": {"squad": sheet_of(devices=melee("Claw", 4))},
            }
        )
        documents = (await table.state())["documents"].values()
        everybody = [one["id"] for one in documents if "side" in one]
        page = await on_the_wall(chromium, table)
        exits.push_async_callback(page.close)
        await fits(page, "table")
        await table.do({"move": "table.start_fight", "members": everybody})
        await fits(page, "fight")
        for nth, who in enumerate(everybody):
            values = {"initiative": 3 + nth % 7}
            await table.do({"move": "table.edit", "actor": who, "game_id": "squad", "values": values})
        for who in everybody[:6]:
            await table.do({"move": "squad.set_surprised", "character": who, "surprised": True})
        await fits(page, "fight")
        dying = {"hp.now": 0, "condition": "dying", "bleeds": 2}
        await table.do({"move": "table.edit", "actor": everybody[0], "game_id": "squad", "values": dying})
        await fits(page, "dying")
        await table.do({"move": "table.end_fight"})
        for _ in range(2):
            await table.do({"move": "table.period_over", "period": "round"})
        await fits(page, "fallen")
        for state in ("curtain", "pause"):
            await table.do({"move": "table.curtain", "value": state})
            await fits(page, state)


@pytest.mark.asyncio(loop_scope="session")
async def test_the_needle_falls_once_and_not_where_motion_is_unwanted(chromium: Browser, server: OpenServer) -> None:
    async with AsyncExitStack() as exits:
        wall = Wall(OpenTable(server, exits))
        await wall.begin()
        await wall.fight()
        page = await on_the_wall(chromium, wall.table)
        exits.push_async_callback(page.close)
        await expect(page.locator(".tv")).to_have_attribute("data-state", "fight")
        await wall.strike()
        needle = page.locator(".fresh .needle")
        await expect(needle).to_have_count(1)
        moves = "one => { const style = getComputedStyle(one); return [style.animationName, style.animationDelay]; }"
        assert await needle.evaluate(moves) == ["needle", "0.6s"]
        await fits(page, "blow")
        await page.emulate_media(reduced_motion="reduce")
        assert (await needle.evaluate(moves))[0] == "none"
        await page.reload()
        await expect(page.locator(".tv")).to_have_attribute("data-state", "fight")
        await expect(page.locator(".fresh")).to_have_count(0)
