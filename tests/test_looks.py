"""What eyes and thumbs meet at every state of a phone: nothing too wide for it, too small to hit or too faint."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from tests.support.eyes import moving, too_faint
from tests.support.story import GM, PATIENCE, Phone, Seen, Story
from tests.support.worst import LONG_NAMES, cast, gets_crowded, gets_every_state, send
from webapp.ui.blocks import filled
from webapp.ui.live import Item

in_browser = pytest.mark.asyncio(loop_scope="session")
SAMPLE, HERO = "Under the Salt Exchange", "Plumb"
LEAST = 48
CONTRAST = {"": 4.5, "more": 7.0}  # of words to their ground, by theme
ON_THE_WALL = 7.0
NARROW = (320, 390)
FAULTS: list[str] = []

# Whoever sticks out to the right, but for what scrolls by itself or is cut with three dots on purpose.
TOO_WIDE = """() => {
  const found = [];
  const room = document.documentElement.clientWidth; // not the window: a phone zooms out of what is too wide
  const wide = document.documentElement.scrollWidth;
  if (wide > room) found.push(`the page: ${wide}`);
  for (const one of document.querySelectorAll('body *')) {
    const box = one.getBoundingClientRect();
    if (!box.width || !box.height) continue;
    if (getComputedStyle(one).clipPath !== 'none') continue; // for ears only
    if (one.closest('svg, .ribbon, .heard, input, select, .nicegui-error-popup')) continue;
    const name = `${one.tagName} ${one.className}: ${one.textContent.trim().slice(0, 40)}`;
    if (box.right > room + 1 || box.left < -1) found.push(`off ${Math.round(box.right)} ${name}`);
    const style = getComputedStyle(one), cut = style.overflowX === 'hidden' || style.overflowX === 'clip';
    if (cut && style.textOverflow !== 'ellipsis' && one.scrollWidth > one.clientWidth + 1) found.push(`cut ${name}`);
    if (one.matches('button') && one.scrollWidth > one.clientWidth + 1) found.push(`over its edge ${name}`);
    if (one.matches('button') && one.scrollHeight > one.clientHeight + 1) found.push(`out of ${name}`);
  }
  return found;
}"""

# A label is as good to hit as the box it belongs to.
TOO_SMALL = """least => {
  const found = [];
  const all = 'button, a[href], summary, select, textarea, input:not([type=hidden])';
  for (const one of document.querySelectorAll(all)) {
    const target = (one.matches('[type=checkbox], [type=radio]') && one.closest('label')) || one;
    const box = target.getBoundingClientRect();
    if (!box.width || !box.height || getComputedStyle(target).visibility === 'hidden') continue;
    if (box.width < least - 0.5 || box.height < least - 0.5)
      found.push(`${Math.round(box.width)} × ${Math.round(box.height)} ${one.outerHTML.slice(0, 90)}`);
  }
  return found;
}"""

# The turn and the tools of the GM's bar: none lies upon the other, the turn is all there, each tool can be hit.
UNDER_TOOLS = """() => {
  const turn = document.querySelector('.top.bar .title p'), title = turn.parentElement.getBoundingClientRect();
  const box = turn.getBoundingClientRect(), found = [];
  if (!turn.textContent.trim()) found.push('no turn');
  if (box.right > title.right + 1 || box.bottom > title.bottom + 1) found.push('out of its place');
  const sizes = [turn.scrollWidth, turn.clientWidth, turn.scrollHeight, turn.clientHeight];
  if (sizes[0] > sizes[1] + 1 || sizes[2] > sizes[3] + 1) found.push(`cut: ${sizes} ${turn.textContent}`);
  for (const tool of document.querySelectorAll('.top.bar .tools button, .top.bar .tools a')) {
    const other = tool.getBoundingClientRect();
    if (!other.width) continue; // folded
    const middle = [(other.left + other.right) / 2, (other.top + other.bottom) / 2];
    const hit = middle[1] >= innerHeight || tool.contains(document.elementFromPoint(...middle));
    if (!hit) found.push(`hidden ${tool.textContent}`);
    const beside = other.left >= box.right || other.right <= box.left;
    if (!beside && other.top < box.bottom && other.bottom > box.top) found.push(`under ${tool.textContent}`);
  }
  return found;
}"""

# A word of a name that is broken anywhere, or a name that is cut.
BROKEN_NAMES = """() => {
  const found = [], lists = '.cast-list .who b, .slot .who b, .party .who b';
  const names = `${lists}, .acts .field.switch > span, .toggles .chip > span`;
  for (const name of document.querySelectorAll(names)) {
    const box = name.parentElement;
    const walk = document.createTreeWalker(name, NodeFilter.SHOW_TEXT), span = document.createRange();
    while (walk.nextNode()) {
      if (walk.currentNode.parentElement.closest('.heard')) continue; // for ears only
      for (const word of walk.currentNode.data.matchAll(/[^\\s-]+/g)) {
        span.setStart(walk.currentNode, word.index);
        span.setEnd(walk.currentNode, word.index + word[0].length);
        const lines = new Set([...span.getClientRects()].filter((one) => one.width > 1).map((one) => one.top));
        if (lines.size > 1) found.push(`broken ${word[0]} of ${name.textContent} in ${box.clientWidth}`);
      }
    }
    if (box.scrollHeight > box.clientHeight + 1) found.push(`out of its box ${name.textContent}`);
  }
  return found;
}"""

# How much of the height of an upright TV is between its head and its foot, and of that has something on it.
USED = """() => {
  const body = document.querySelector('.tv > section').getBoundingClientRect();
  const told = [...document.querySelectorAll('.tv .order, .tv .roster')].map((one) => one.getBoundingClientRect());
  return told.reduce((sum, one) => sum + one.height, 0) / body.height;
}"""

# A ribbon that has scrolled its waiting step out of sight; once the window has its size.
OUT_OF_SIGHT = """() => new Promise((done) => requestAnimationFrame(() => {
  const hidden = [...document.querySelectorAll('.ribbon .waits')].filter((one) => {
    const step = one.getBoundingClientRect(), ribbon = one.closest('.ribbon').getBoundingClientRect();
    const middle = (step.left + step.right) / 2;
    return middle < ribbon.left || middle > ribbon.right;
  });
  done(hidden.map((one) => `out of the ribbon: ${one.textContent}`));
}))"""

# One of each kind of button, as pages draw them, with all that may stand on it.
BUTTONS = [
    f'<button class="{classes}"{attrs}><span>Words<small>price</small></span><span class="odds">5</span></button>'
    for classes in (
        "button",
        "button primary",
        "button danger",
        "button target",
        "button choice",
        "button choice safe",
        "button small choice",
        "button small choice safe",
        "chip",
        "chip switch",
    )
    for attrs in ("", ' aria-disabled="true"', ' aria-pressed="true"')
]

# Each plus and minus, and the name it stands beside on the screen.
STRAYED = """() => {
  const found = [];
  let own = null;
  for (const one of document.querySelector('.cast-list').children) {
    if (one.matches('.card-head')) own = one;
    if (!one.matches('.count')) continue;
    const former = one.previousElementSibling;
    const near = one.matches('[aria-label$="−1"]') ? former : former.previousElementSibling;
    const gauge = near.matches('.gauge') ? near : own;
    const box = one.getBoundingClientRect(), beside = gauge.getBoundingClientRect();
    const middle = (box.top + box.bottom) / 2;
    const words = `${one.getAttribute('aria-label')} of ${own.textContent}`;
    if (middle < beside.top || middle > beside.bottom) found.push(words);
  }
  return found;
}"""


class Room:
    def __init__(self, story: Story, gm: GM, ann: Phone) -> None:
        self.story, self.gm, self.ann = story, gm, ann


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def house(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Story]:
    async with Story(chromium, tmp_path_factory.mktemp("looks")) as story:
        yield story


@pytest_asyncio.fixture(loop_scope="session")
async def room(house: Story) -> AsyncIterator[Room]:
    """A table of the test's own: the GM is at it, Ann at its door."""
    room = await opened(house)
    yield room
    for person in (room.gm, room.ann):
        await person.page.context.close()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def worst(house: Story) -> Room:
    """A table for all who only look: a fight with long names, twelve foes more, and a hero in every state."""
    room = await opened(house)
    await sits_down(room.ann)
    await room.ann.page.locator("button:has(.face)", has_text=HERO).tap()
    await room.ann.page.locator(".gauge").first.wait_for()
    await at_its_worst(room)
    return room


async def opened(story: Story) -> Room:
    gm, ann = await story.gm(), await story.phone("Ann")
    await gm.button(SAMPLE).click()
    await gm.page.wait_for_url("**/gm")
    await gm.is_live()
    await ann.page.goto(f"{story.server.base}/join/{gm.page.url.split('/')[-2]}")
    return Room(story, gm, ann)


async def sits_down(ann: Phone) -> None:
    await ann.page.fill("input[name=name]", "Ann")
    await ann.page.locator("form button").last.tap()
    await ann.page.wait_for_url("**/play")
    await ann.is_live()


async def at_its_worst(room: Room) -> None:
    await gets_crowded(room.gm)
    room.story.lay(*[3] * 400)
    await send(room.gm, {"move": "table.start_fight"})
    await gets_every_state(room.gm, (await cast(room.gm))[LONG_NAMES[2]])
    await room.ann.page.locator(".states").wait_for()


async def fits(page: Page, where: str, contrast: float = CONTRAST[""]) -> None:
    """Notes what sticks out, what is too small to be hit, and what is too faint to be read."""
    async with resized(page):
        await page.evaluate("document.fonts.ready")
        for width in NARROW:
            await page.set_viewport_size({"width": width, "height": 640})
            hidden = await page.evaluate(OUT_OF_SIGHT)
            found = [*hidden, *await page.evaluate(TOO_WIDE), *await page.evaluate(TOO_SMALL, LEAST)]
            FAULTS.extend(f"{where}, {width} wide: {one}" for one in found)
    FAULTS.extend(await too_faint(page, contrast, where))


async def every_tab(ann: Phone, where: str, contrast: float = CONTRAST[""]) -> None:
    for tab in ("sheet", "fight", "dice", "log"):
        await ann.tab(tab)
        await fits(ann.page, f"{where}: {tab}", contrast)


async def chooses(ann: Phone, name: str, value: str) -> None:
    await send(ann, {"move": "page.look", "name": f"look.{name}", "value": value})
    await expect(ann.page.locator(f'.look[data-{name}="{value}"]')).to_have_count(1, timeout=PATIENCE)


async def in_every_size(ann: Phone, look: Callable[[str, float], Awaitable[None]], where: str) -> None:
    """As most see it, with the text as large as a seat can have it, and in high contrast."""
    await chooses(ann, "text", "largest")
    await look(f"{where}, largest text", CONTRAST[""])
    await chooses(ann, "text", "")
    await chooses(ann, "contrast", "more")
    await look(f"{where}, high contrast", CONTRAST["more"])
    await chooses(ann, "contrast", "")
    await look(where, CONTRAST[""])


@in_browser
async def test_a_phone_shows_all_of_everything_however_narrow(room: Room) -> None:
    """In the order of an evening, up to a hero with a long name and every state at once among twelve foes."""
    story, gm, ann = room.story, room.gm, room.ann
    await fits(ann.page, "who are you?")
    await sits_down(ann)
    await fits(ann.page, "choosing a hero")
    await ann.page.locator("button:has(.face)", has_text=HERO).tap()
    await ann.page.locator(".gauge").first.wait_for()
    await in_every_size(ann, lambda *how: every_tab(ann, *how), "at peace")
    await ann.tab("sheet")
    await ann.tap("More")
    await ann.has('button:text-is("Less")', 1)
    await in_every_size(ann, lambda *how: fits(ann.page, *how), "all that is seldom wanted")
    await ann.tap("Edit the sheet")
    await ann.page.locator("form.edit").first.wait_for()
    await fits(ann.page, "the forms of the sheet")
    story.lay(*[4] * 80)
    await gm.next_until_asked(HERO)
    await ann.page.locator(".question-sheet button").first.wait_for()
    await in_every_size(ann, lambda *how: fits(ann.page, *how), "a question")
    await send(ann, {"move": "page.aside"})
    await ann.is_not_asked()
    await send(gm, {"move": "table.end_fight"})
    await at_its_worst(room)
    await in_every_size(ann, lambda *how: every_tab(ann, *how), "at its worst")
    await ann.page.locator(".states").tap()
    await ann.page.locator(".told-states .state-note").first.wait_for()
    await in_every_size(ann, lambda *how: fits(ann.page, *how), "all states told")
    assert not FAULTS, "\n".join(FAULTS)


@in_browser
async def test_plus_and_minus_stand_beside_what_they_change(room: Room) -> None:
    """Also while some in the list have no track, and some are hidden."""
    gm = room.gm
    await send(gm, {"move": "table.add_characters", "name": "Nobody", "sheets": {}})
    await send(gm, {"move": "table.add_characters", "name": "Unseen", "sheets": {}, "hidden": True})
    await send(
        gm, {"move": "table.add_characters", "name": "Rat", "sheets": {"squad": {"hp": {"now": 3, "full": 3}}}}
    )
    await gm.page.locator(".cast-list .card-head").first.click()
    await gm.page.locator(".cast-list .gauge").first.wait_for()
    assert await gm.page.evaluate(STRAYED) == []


@in_browser
async def test_the_gm_s_page_loses_nothing_at_twice_the_size(worst: Room) -> None:
    """Zoomed by the browser, and with text alone at two hundred per cent."""
    page = worst.gm.page
    await page.set_viewport_size({"width": 683, "height": 384})
    faults = [f"zoomed: {one}" for one in await page.evaluate(TOO_WIDE)]
    await page.set_viewport_size({"width": 1366, "height": 768})
    await page.evaluate("document.documentElement.style.fontSize = '200%'")
    faults += [f"text alone: {one}" for one in await page.evaluate(TOO_WIDE)]
    await page.evaluate("document.documentElement.style.fontSize = ''")
    assert not faults, "\n".join(faults)


@in_browser
async def test_the_gm_and_the_wall_are_to_be_read_as_well(worst: Room) -> None:
    """In the fight at its worst; the TV is read from the far end of the worst."""
    tv = await on_the_wall(worst)
    assert await too_faint(worst.gm.page, CONTRAST[""], "the GM's page") == []
    assert await too_faint(tv.page, ON_THE_WALL, "the TV") == []
    await worst.gm.page.emulate_media(contrast="more")
    assert await too_faint(worst.gm.page, CONTRAST["more"], "the GM's page in high contrast") == []
    await worst.gm.page.emulate_media(contrast="no-preference")


@in_browser
async def test_each_kind_of_button_is_to_be_read_in_each_theme(worst: Room) -> None:
    """Also its price and its chance, and where it can't be tapped."""
    page = worst.gm.page
    await page.evaluate(
        """words => {
          const planted = document.createElement('div');
          planted.id = 'planted';
          planted.innerHTML = words;
          document.body.append(planted);
        }""",
        "".join(BUTTONS),
    )
    await page.emulate_media(contrast="no-preference")
    faint = await too_faint(page, CONTRAST[""], "night")
    await page.emulate_media(contrast="more")
    faint += await too_faint(page, CONTRAST["more"], "high contrast")
    await page.emulate_media(contrast="no-preference")
    await page.evaluate("document.getElementById('planted').remove()")
    assert not faint, "\n".join(faint)


@asynccontextmanager
async def resized(page: Page) -> AsyncIterator[None]:
    """Whatever size it gets meanwhile, the next test finds it as it was."""
    before = page.viewport_size
    assert before is not None
    try:
        yield
    finally:
        await page.set_viewport_size(before)


async def on_the_wall(room: Room) -> Seen:
    tv = await room.story.tv()
    await tv.goto(f"/t/{room.gm.page.url.split('/')[-2]}/screen")
    await tv.page.locator(".tv[data-state]").wait_for()
    return tv


async def somebody_is_up(room: Room) -> None:
    """A fight is on, and its first number has come."""
    turn, big = room.gm.page.locator(".top.bar .title p"), room.gm.page.locator(".next")
    for _ in range(8):
        if "is up" in await turn.inner_text():
            return
        room.story.lay(*[3] * 40)
        before = await big.get_attribute("data-move") or ""
        await big.click()
        await expect(big).not_to_have_attribute("data-move", before, timeout=PATIENCE)
    raise AssertionError("nobody is up")


@in_browser
async def test_who_is_up_never_lies_under_the_tools(worst: Room) -> None:
    """On laptops and tablets, also with the longest name; and the measure does find it where it does."""
    page = worst.gm.page
    async with resized(page):
        await somebody_is_up(worst)
        for width in (320, 768, 1000, 1024, 1180, 1280, 1366, 1920):
            await page.set_viewport_size({"width": width, "height": 768})
            await page.evaluate("scrollTo(0, 0)")
            assert await page.evaluate(UNDER_TOOLS) == [], f"{width} wide"
        await page.set_viewport_size({"width": 1024, "height": 768})
        await page.add_style_tag(content=".top.bar .title { position: absolute; width: 100vw }")
        assert any(fault.startswith("under ") for fault in await page.evaluate(UNDER_TOOLS))
        await page.evaluate("document.head.lastElementChild.remove()")


@in_browser
async def test_long_names_part_where_a_hyphen_may_stand(worst: Room) -> None:
    """At no width in the middle of a syllable; and the measure finds one that does."""
    page = worst.gm.page
    async with resized(page):
        await somebody_is_up(worst)
        for width in (320, 390, 768, 1024, 1366, 1920):
            await page.set_viewport_size({"width": width, "height": 1080})
            assert await page.evaluate(BROKEN_NAMES) == [], f"{width} wide"
        await worst.ann.tab("fight")
        for width in NARROW:
            await worst.ann.page.set_viewport_size({"width": width, "height": 640})
            assert await worst.ann.page.evaluate(BROKEN_NAMES) == [], f"a phone {width} wide"
        await page.add_style_tag(content=".cast-list .who b { display: block; width: 1.5em }")
        assert any(fault.startswith("broken ") for fault in await page.evaluate(BROKEN_NAMES))
        await page.evaluate("document.head.lastElementChild.remove()")


@in_browser
async def test_a_narrow_page_of_the_gm_folds_what_is_seldom_wanted(worst: Room) -> None:
    """One line of tools, and all of them by one more tap; keys work either way."""
    gm = worst.gm
    async with resized(gm.page):
        await gm.page.set_viewport_size({"width": 390, "height": 844})
        bar = gm.page.locator(".tools")
        box = await bar.bounding_box()
        assert box is not None
        assert box["height"] <= 2 * LEAST
        await expect(bar.locator("text=House rules")).to_be_hidden()
        await gm.page.keyboard.press("r")
        await expect(gm.page.locator("#house")).to_be_visible()
        await gm.page.keyboard.press("Escape")
        for is_open in (True, False):
            await bar.locator(".more-tools").click()
            await gm.all_answered()
            await expect(bar.locator("text=House rules")).to_be_visible(visible=is_open)


@in_browser
async def test_an_upright_tv_is_not_half_empty(worst: Room) -> None:
    tv = await on_the_wall(worst)
    await tv.page.set_viewport_size({"width": 768, "height": 1024})
    await tv.page.locator(".tv .roster").wait_for(timeout=2 * PATIENCE)
    assert await tv.page.evaluate(USED) > 0.6


@pytest.mark.parametrize(
    ("row", "alone"),
    [
        (("button", "button", "button"), (2,)),
        (("button", "button wide", "button", "button"), (0,)),
        (("fact", "fact"), ()),
        (("chip short", "chip short", "chip short"), ()),
        (("button count", "gauge", "button count"), ()),
    ],
)
def test_what_would_stand_alone_in_half_a_row_fills_it(row: tuple[str, ...], alone: tuple[int, ...]) -> None:
    shown = list(filled(Item(str(nth), "", classes=classes) for nth, classes in enumerate(row)))
    assert [item.key for item in shown] == [str(nth) for nth in range(len(row))]
    assert tuple(nth for nth, item in enumerate(shown) if "fill" in item.classes.split()) == alone


@in_browser
async def test_nothing_moves_where_the_device_asks_for_it(worst: Room) -> None:
    """Neither in a fight nor by any rule of our own; where nobody asks, something does."""
    tv = await on_the_wall(worst)
    for seen in (tv, worst.ann, worst.gm):
        await seen.page.emulate_media(reduced_motion="no-preference")
        assert await moving(seen.page), "something moves"
        await seen.page.emulate_media(reduced_motion="reduce")
        still = await moving(seen.page)
        assert not still, "\n".join(still)
        await seen.page.emulate_media(reduced_motion="no-preference")


@in_browser
async def test_the_measures_find_what_is_wrong(worst: Room) -> None:
    """A button that is too small, one that is too wide and words too faint, planted on a real page."""
    page = worst.ann.page
    await page.evaluate(
        """() => {
          const planted = document.createElement('div');
          planted.id = 'planted';
          planted.innerHTML = '<button style="width: 40px; height: 47px">Small</button>'
            + '<p style="width: 200vw">Wide</p><p style="color: #777; background: #888">Faint</p>';
          document.body.append(planted);
        }"""
    )
    assert [one for one in await page.evaluate(TOO_SMALL, LEAST) if "40 × 47" in one]
    assert [one for one in await page.evaluate(TOO_WIDE) if "Wide" in one]
    assert [one for one in await too_faint(page, CONTRAST[""], "here") if "Faint" in one]
    await page.evaluate("document.getElementById('planted').remove()")
    assert [one for one in await page.evaluate(TOO_WIDE) if "Wide" in one] == []
