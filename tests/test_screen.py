"""The TV: its named states, the act in hand and its odds, what fits on it, and what the GM's key takes off it."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from fractions import Fraction
from typing import Any

import pytest
import pytest_asyncio
from markupsafe import Markup
from playwright.async_api import Browser, Page, expect

from tests.support.ngclient import NGClient
from tests.support.open_table import OpenServer, OpenTable, melee, offered, sheet_of
from tests.support.play import GM, SCREEN, Bench, viewer
from webapp.pages.play.notices import NOBODY, cry
from webapp.projection.picture import Picture
from webapp.rules.document import Side
from webapp.rules.lines_view import RollView
from webapp.rules.odds import chance, standing
from webapp.rules.roll import Ask, Keep, Roll, Wins
from webapp.rules.text import text
from webapp.settings import static_folder
from webapp.store import Store
from webapp.ui import tv
from webapp.ui.face import face, initials
from webapp.ui.fight import countdown
from webapp.ui.markup import ribbon

SIZES = ((1920, 1080), (1366, 768), (1280, 720), (1080, 1920), (768, 1024))
BODY_TEXT, CONTRAST, MOST_STEPS = 28, 7, 20
CSS = (static_folder() / "gritboard.css").read_text(encoding="utf-8")
LONG = "Ordensschwester Philippa Rindfleischetik"
SECRET = "Qxzzy the Unspeakable"
DYING = {"hp.now": 0, "condition": "dying", "bleeds": 2}


# --- the act in hand, and its odds -------------------------------------------------------------------


@pytest.fixture
def bench(store: Store) -> Bench:
    bench = Bench(store)
    bench.hero("Ann", tuf=8, devices={"knife": "melee d6"})
    bench.foe("Rat", monster=4, devices={"teeth": "melee d4"})
    bench.fight(Ann=9, Rat=3)
    return bench


def seen(bench: Bench, who: str = SCREEN) -> Picture:
    return Picture(bench.table, viewer(who))


def test_the_act_names_who_strikes_whom_and_its_newest_verdict(bench: Bench) -> None:
    bench.attack("Ann", "Rat", as_="ann", faces=[5, 3])
    act = seen(bench).act()
    assert act is not None
    assert act.by is not None
    assert (act.by.name, [one.name for one in act.to]) == ("Ann", ["Rat"])
    assert act.line is not None
    assert act.line.rolls[-1].verdict is not None
    assert act.after


def test_a_roll_that_stands_for_an_earlier_one_says_so(store: Store) -> None:
    bench = Bench(store)
    bench.hero("Ann", tuf=8, will=2, devices={"knife": "melee d6"})
    bench.foe("Rat", monster=8)
    bench.fight(Ann=9, Rat=3)
    bench.attack("Ann", "Rat", as_="ann", faces=[1])
    first = seen(bench).act()
    assert first is not None
    assert "re-rolled" not in tv.thrown(first)
    bench.answer("again", "ann", faces=[2])
    act = seen(bench).act()
    assert act is not None
    assert act.line is not None
    assert [roll.again for roll in act.line.rolls] == [True]
    assert tv.thrown(act).count("re-rolled") == 2, "beside the dice, and in how they came about"


def test_a_blow_s_damage_stays_large_whatever_is_rolled_after_it(store: Store) -> None:
    bench = Bench(store, game="pools")
    bench.hero("Ann", martial=2, attacks={"axe": "martial 4"})
    bench.foe("Rat", grit=9, threshold=1, parts=["head", "torso"])
    bench.fight(Ann=8, Rat=5)
    strike = {"move": "pools.strike", "actor": "Ann", "attack": "axe", "target": "Rat"}
    bench.do(strike, "ann", faces=[9, 8, 7])
    bench.answer("all", "ann", faces=[9, 9, 9, 9, 6])
    act = seen(bench).act()
    assert act is not None
    shown = tv.thrown(act)
    assert "damage" in shown[: shown.index("throw")]
    assert "Injury" in shown
    assert "Serious Injury" in shown


def test_damage_is_larger_than_the_armour_and_tells_whom_it_hits(store: Store) -> None:
    bench = Bench(store)
    for hero in ("Ann", "Ben"):
        bench.hero(hero, tuf=4, devices={"vest": "armour d6", "sword": "melee d6"})
    for foe in ("Rat", "Dog"):
        bench.foe(foe, monster=8, devices={"teeth": "melee d6"})
    bench.fight(Ann=1, Ben=1, Rat=5, Dog=5)
    bench.next(faces=[4, 4])
    bench.next(faces=[5, 1, 5, 1])
    act = seen(bench).act()
    assert act is not None
    assert act.by is not None
    assert (act.by.name, [one.name for one in act.to]) == ("Dog", ["Ben"])
    shown = tv.thrown(act)
    assert "damage" in shown[: shown.index("throw")]


def test_everybody_s_initiative_is_no_act(bench: Bench) -> None:
    bench.do({"move": "table.end_fight"})
    bench.do({"move": "table.start_fight"})
    assert [len(line.rolls) for line in bench.lines(SCREEN, of=bench.next(faces=[3, 2])) if line.rolls] == [1, 1]
    assert seen(bench).act() is None


@pytest.mark.parametrize("armour", [False, True])
def test_what_comes_to_many_is_told_of_each_and_the_blow_before_it_is_old(store: Store, armour: bool) -> None:
    bench = Bench(store)
    for hero in ("Ann", "Ben"):
        bench.hero(hero, hp=15, devices={"vest": "armour d6"} if armour else {})
    bench.foe("Rat", monster=12)
    bench.fight(Rat=9, Ann=1, Ben=1)
    bench.attack("Rat", "Ann", faces=[1])
    fire = {"move": "table.damage", "what": "Fire", "dice": 1, "sides": 4, "plus": 4}
    bench.do(
        bench.named(fire | {"shares": {"Ann": "full", "Ben": "full", "Rat": "full"}}), faces=[2, *[1, 1] * armour]
    )
    picture = seen(bench)
    assert picture.act() is None
    told = picture.turned_over()
    assert told is not None
    assert told.title == "Fire: d4 + 4 makes 6"
    left = 10 if armour else 9
    assert [(one.name, one.side) for one in told.results] == [
        ("Ann", Side.HERO),
        ("Ben", Side.HERO),
        ("Rat", Side.FOE),
    ]
    assert all(f"{left} of 15 left" in one.words for one in told.results[:2])
    assert face("Rat", Side.FOE) in tv.turned(told)


def test_those_alone_who_could_help_are_named_on_the_wall(store: Store) -> None:
    bench = Bench(store)
    bench.hero("Ann", stw=8, first_aid=True)
    bench.hero("Ben", stw=8)
    bench.hero("Cy", tuf=4)
    bench.do(
        {
            "move": "table.edit",
            "actor": "Cy",
            "game_id": "squad",
            "values": {"hp.now": 0, "condition": "dying", "bleeds": 2},
        }
    )
    cards = [card for card in seen(bench).cards() if card.side is Side.HERO]
    shown = tv.dying(cards, None, {})
    helpers, others = shown.split("The others")
    assert "Ann" in helpers
    assert "Ben" not in helpers
    assert "Ben" in others


def test_the_ribbon_of_a_phone_keeps_its_own_step_in_sight(store: Store) -> None:
    bench = Bench(store)
    for who in ("Ann", "Ben"):
        bench.hero(who, tuf=4)
    bench.do({"move": "table.damage", "what": "Fire", "plus": 1, "shares": {"Ann": "full", "Ben": "full"}})
    ribbons = {who: seen(bench, who).ribbon() for who in ("ann", "ben", "gm", "screen")}
    owns = {who: None if one is None or one.own is None else one.done[one.own] for who, one in ribbons.items()}
    assert owns == {"ann": "Ann takes 1", "ben": "Ben takes 1", "gm": None, "screen": None}
    assert '<span class="step own">Ann takes 1</span>' in ribbon(ribbons["ann"])


def test_the_others_health_stays_on_the_wall_while_somebody_dies(store: Store) -> None:
    bench = Bench(store)
    bench.hero("Ann", stw=8, hp=9, first_aid=True)
    bench.hero("Ben", stw=8, hp=7)
    bench.hero("Cy", tuf=4)
    bench.do({"move": "table.edit", "actor": "Cy", "game_id": "squad", "values": DYING})
    shown = tv.dying([card for card in seen(bench).cards() if card.side is Side.HERO], None, {})
    assert shown.index("Who can help") < shown.index("9 of 9 left") < shown.index("The others")
    assert shown.index("The others") < shown.index("7 of 7 left")


def test_a_phone_tells_of_somebody_else_s_hero_who_is_dying(store: Store) -> None:
    """Who, how long, and what its own hero can do about it; of others' chances nothing."""
    bench = Bench(store)
    bench.hero("Ann", stw=8, first_aid=True)
    bench.hero("Ben", stw=8)
    bench.hero("Cy", tuf=4)
    bench.foe("Rat", monster=4, hp=4)
    bench.do({"move": "table.edit", "actor": "Cy", "game_id": "squad", "values": DYING})
    assert told_of(bench, "ann") == "Cy is dying: 2 rounds left You can help: first aid, 38 %"
    assert told_of(bench, "ben") == "Cy is dying: 2 rounds left Ann can help"
    assert told_of(bench, "cy") is None
    assert told_of(bench, "screen") is None
    bench.do({"move": "table.edit", "actor": "Ann", "game_id": "squad", "values": {"first_aid": False}})
    assert told_of(bench, "ann") == f"Cy is dying: 2 rounds left {NOBODY}"


def told_of(bench: Bench, who: str) -> str | None:
    picture = seen(bench, who)
    cries = [cry(card, card.cry, picture.fight(), alone=True) for card in picture.cards() if card.cry is not None]
    return Markup(" ").join(cries).replace("</h2>", " ").striptags() if cries else None


def test_a_foe_who_is_down_is_in_nobody_s_face(store: Store) -> None:
    bench = Bench(store)
    bench.hero("Ann", tuf=8)
    bench.hero("Ben", tuf=8)
    bench.foe("Rat", monster=4, hp=4)
    bench.foe("Cat", monster=4, hp=4)
    bench.fight(Ann=8, Ben=7, Rat=3, Cat=2)
    bench.do({"move": "table.tie", "character": "Ann", "to": "Rat"})
    bench.do({"move": "table.tie", "character": "Ben", "to": "Cat"})
    bench.do({"move": "table.edit", "actor": "Rat", "game_id": "squad", "values": {"hp.now": 0}})
    for who in ("gm", "ann", "screen"):
        fight = seen(bench, who).fight()
        assert fight is not None
        assert fight.knots == (("Ben", "Cat"),)


@pytest.mark.parametrize(("will", "how", "odds"), [(1, "first aid with a Will Point", 17), (0, "first aid", 0)])
def test_whoever_can_help_only_with_a_raised_die_is_told_of_it(store: Store, will: int, how: str, odds: int) -> None:
    bench = Bench(store)
    bench.hero("Ann", stw=4, will=will, first_aid=True)
    bench.hero("Cy", tuf=4)
    dying = {"hp.now": 0, "condition": "dying", "bleeds": 2}
    bench.do({"move": "table.edit", "actor": "Cy", "game_id": "squad", "values": dying})
    (plight,) = [card.plight for card in seen(bench, "cy").cards() if card.plight is not None]
    (helper,) = plight.helpers
    assert (helper.how, round(100 * Fraction(str(helper.chance)))) == (how, odds)


def test_whoever_is_out_of_sight_has_no_name_in_an_act(store: Store) -> None:
    bench = Bench(store)
    bench.hero("Ann", tuf=8, devices={"knife": "melee d6"})
    bench.foe(SECRET, hidden=True, monster=12, devices={"needle": "melee d6"})
    bench.fight(**{"Ann": 3, SECRET: 8})
    strike = {"move": "squad.attack", "actor": SECRET, "device": "needle", "target": "Ann", "stay_hidden": True}
    bench.do(strike, faces=[11, 1])
    for act in (seen(bench).act(), seen(bench, "ann").act()):
        assert act is None or act.by is None or act.by.name != SECRET
    gm_s = seen(bench, "gm").act()
    assert gm_s is not None
    assert gm_s.by is not None
    assert gm_s.by.name == SECRET


def test_a_roll_against_a_foe_whose_figures_are_not_told_has_no_needle(bench: Bench) -> None:
    bench.do({"move": "table.disguise", "character": "Rat", "odds": "rough"})
    bench.do({"move": "squad.task", "actor": "Ann", "attribute": "TUF", "difficulty": 4}, "ann", faces=[5])
    open_act = seen(bench).act()
    assert open_act is not None
    assert open_act.line is not None
    assert open_act.line.rolls[0].margin == 1
    told = open_act.line.rolls[0].model_copy(update={"chance": None, "fell": None, "margin": None})
    assert tv.needle(open_act.line.rolls[0])
    assert not tv.needle(told)
    assert not tv.needle(told.model_copy(update={"chance": "likely"}))


@pytest.mark.parametrize(
    ("dice", "wins", "target", "bonus", "keep"),
    [
        ((8,), Wins.AT_LEAST, 4, 0, Keep.ALL),
        ((6, 6), Wins.AT_LEAST, 8, 1, Keep.ALL),
        ((20,), Wins.UNDER, 11, 0, Keep.ALL),
        ((20, 20), Wins.UNDER, 11, -2, Keep.HIGHEST),
        ((4,), Wins.AT_LEAST, 9, 0, Keep.ALL),
    ],
)
def test_the_needle_stands_on_the_side_of_the_verdict(
    dice: tuple[int, ...], wins: Wins, target: int, bonus: int, keep: Keep
) -> None:
    what = text("a roll")
    ask = Ask(what=what, dice=dice, wins=wins, target=target - bonus, keep=keep)
    faces = [()]
    for side in dice:
        faces = [(*before, face) for before in faces for face in range(1, side + 1)]  # type: ignore[misc]
    odds = chance(ask)
    where = [(standing(roll, odds), roll.success) for roll in (Roll(ask=ask, faces=one) for one in faces)]
    assert all((at < odds) is made and 0 < at < 1 for at, made in where)
    assert sum(made for _, made in where) == odds * len(faces)


def test_a_natural_face_keeps_the_needle_on_its_side() -> None:
    ask = Ask(what=text("a roll"), dice=(20,), wins=Wins.UNDER, target=25, never=20, always=1)
    odds = chance(ask)
    assert odds == Fraction(19, 20)
    assert standing(Roll(ask=ask, faces=(20,)), odds) > odds
    assert standing(Roll(ask=ask, faces=(1,)), odds) < odds


def roll_view(**told: Any) -> RollView:
    body = {"what": "a roll", "dice": ((8, 5, True),), "modifiers": (), "total": 5, "target": "4", "by_hand": False}
    return RollView(**{**body, "verdict": True, "chance": Fraction(2, 3), "fell": 40.0, "margin": 1, **told})


@pytest.mark.parametrize(
    ("verdict", "margin", "words"),
    [
        (True, 1, "made it by one"),
        (True, 0, "just made it"),
        (True, 13, "made it by 13"),
        (True, None, "made it"),
        (False, -1, "missed by one"),
        (False, -2, "missed by two"),
        (False, None, "missed it"),
    ],
)
def test_how_near_it_was(verdict: bool, margin: int | None, words: str) -> None:
    view = roll_view(verdict=verdict, margin=margin)
    assert tv.by_how_much(view) == words
    shown = tv.needle(view)
    assert words in shown
    assert "67\u00a0%" in shown
    assert "--fell:40.0%" in shown


def test_the_order_grows_where_few_come_and_never_beyond_its_column() -> None:
    sizes = [tv.grown(lines) for lines in range(2 * tv.ROOM)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == tv.MOST_GROWN
    assert sizes[-1] == 1
    assert all(tv.BOX * grow + lines * grow**2 <= tv.COLUMN + 1 for lines, grow in enumerate(sizes) if grow > 1)


def test_however_many_come_at_the_next_number_some_are_named(bench: Bench) -> None:
    """Also when all that could be said of them takes more room than there is."""
    fight = seen(bench).fight()
    assert fight is not None
    slots = tuple(
        fight.slots[0].model_copy(update={"id": str(n), "name": f"Long name of a beast {n}", "state": "coming"})
        for n in range(15)
    )
    shown = tv.order(fight.model_copy(update={"slots": (fight.slots[0], *slots)}), {})
    assert "Long name of a beast 0" in shown
    assert re.search(r"and \d+ more", shown)


def test_a_rest_is_what_it_brought(bench: Bench) -> None:
    bench.do({"move": "table.end_fight"})
    bench.do({"move": "table.edit", "actor": "Ann", "game_id": "squad", "values": {"hp.now": 4}})
    assert seen(bench).rest() is None
    bench.do({"move": "table.rest", "hours": 8}, faces=[2])
    rest = seen(bench).rest()
    assert rest is not None
    assert rest.title == "8 hours of rest."
    assert any(words.startswith("Ann gets") for words in rest.words)
    bench.do({"move": "table.tray", "dice": {"6": 1}}, "ann", faces=[3])
    assert seen(bench).rest() is None


def test_only_a_hero_s_last_rounds_are_told(bench: Bench) -> None:
    dying = {"hp.now": 0, "condition": "dying", "bleeds": 3}
    for who in ("Ann", "Rat"):
        bench.do({"move": "table.edit", "actor": who, "game_id": "squad", "values": dying})
    told = {card.name: card.dying for card in seen(bench).cards()}
    assert told == {"Ann": 3, "Rat": None}


def test_a_death_is_told_with_the_blow_that_led_to_it(bench: Bench) -> None:
    assert seen(bench).fallen() is None
    bench.do({"move": "table.edit", "actor": "Ann", "game_id": "squad", "values": {"hp.now": 2}})
    while bench.up != "Rat":
        bench.next()
    bench.attack("Rat", "Ann", faces=[4])
    bench.next(faces=[4])
    blow = next(words for words in bench.words(SCREEN) if "0 of" in words)
    assert seen(bench).fallen() is None
    bench.do({"move": "table.end_fight"})
    bench.do({"move": "table.edit", "actor": "Ann", "game_id": "squad", "values": {"bleeds": 1}})
    bench.do({"move": "table.period_over", "period": "round"})
    lost = seen(bench).fallen()
    assert lost is not None
    assert [(one.name, one.words) for one in lost.heroes] == [("Ann", blow)]
    bench.undo()
    assert seen(bench).fallen() is None


@pytest.mark.parametrize(("game", "first"), [("squad", "9"), ("dread", "1"), ("willpower", "before the enemy")])
def test_the_order_has_the_same_numbers_or_words_on_every_screen(store: Store, game: str, first: str) -> None:
    bench = Bench(store, game=game)
    for hero in ("Ann", "Ben"):
        bench.hero(hero)
    strong: dict[str, Any] = {"damage": 2} if game == "willpower" else {}
    bench.foe("Rat", **strong)
    if game == "dread":
        bench.do({"move": "table.start_fight"})
    else:
        bench.fight(**({"Ann": 9, "Ben": 5, "Rat": 3} if game == "squad" else {"Ann": 1, "Ben": 3, "Rat": 2}))
    places = []
    for who in (GM, SCREEN):
        fight, cards = seen(bench, who).fight(), {card.id: card for card in seen(bench, who).cards()}
        assert fight is not None
        drawn = countdown(fight, cards) if who == GM else tv.order(fight, cards)
        places.append(re.findall(r'<span class="(?:number|place)">([^<]+)</span>', str(drawn)))
    assert places[0] == places[1]
    assert places[0][0] == first


# --- the GM's key ------------------------------------------------------------------------------------


def test_a_covered_screen_is_shown_nothing_and_the_players_all(bench: Bench) -> None:
    bench.attack("Ann", "Rat", as_="ann", faces=[5, 3])
    before = seen(bench, "ann").log()
    bench.do({"move": "table.curtain", "value": "curtain"})
    covered = seen(bench)
    assert not any((covered.cards(), covered.calls(), covered.log()))
    assert not any((covered.fight(), covered.ribbon(), covered.act(), covered.last_roll(), covered.rest()))
    assert covered.turned_over() is None
    players = seen(bench, "ann")
    assert players.cards()
    assert players.log() == before
    assert players.ribbon() is not None
    assert bench.refused({"move": "table.curtain", "value": "curtain"}) == "The TV stands like that already."
    bench.undo()
    assert seen(bench).cards()


def test_only_the_gm_has_the_key(bench: Bench) -> None:
    said = bench.send({"move": "table.curtain", "value": "pause"}, "ann")
    assert (said.ok, said.say) == (False, "Only the GM can do that.")
    bench.do({"move": "table.curtain", "value": "pause"})
    assert seen(bench).cover() == "pause"
    assert seen(bench).cards()


# --- the page ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenServer]:
    server = OpenServer(tmp_path_factory.mktemp("screen"))
    server.start()
    yield server
    server.stop()
    assert "Traceback" not in server.log(), server.log()[-3000:]


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


# --- what can be read from four metres ---------------------------------------------------------------

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


# --- faces -------------------------------------------------------------------------------------------


def test_a_face_is_small_silent_and_always_the_same() -> None:
    for side in Side:
        drawn = face(LONG, side)
        assert drawn == face(LONG, side)
        assert 'aria-hidden="true"' in drawn
        assert len(drawn.encode()) < 1200
    assert face(LONG, Side.HERO) != face(LONG, Side.FOE)


def test_a_hundred_names_have_faces_of_their_own() -> None:
    for side in Side:
        drawn = {re.sub(r"<text.*?</text>", "", face(f"Somebody{nth}", side)) for nth in range(100)}
        assert len(drawn) > 95


@pytest.mark.parametrize(
    ("name", "letters"),
    [("Vex", "V"), ("Brother Salt", "BS"), ("Thug A", "TA"), ("ölga von der Au", "ÖA"), ("<b>", "B"), ("…", "?")],
)
def test_initials(name: str, letters: str) -> None:
    assert initials(name) == letters
    assert f">{letters}</text>" in face(name)


def test_those_of_a_kind_look_alike_but_for_their_letter() -> None:
    assert str(face("Ghoul A", Side.FOE)).replace(">GA<", ">GB<") == face("Ghoul B", Side.FOE)
