"""A fifth rule set, dropped in beside those that ship: all that a table does, it does with this one too."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from tests.fifth import RULESET
from tests.support.ngclient import NGClient
from tests.support.play import GM, SCREEN, Bench, EvenDice, viewer
from tests.support.server import ServerProcess, running
from tests.support.wild import seen_by
from webapp.projection.picture import Picture
from webapp.rules.blocks import Button, Menu
from webapp.rules.dice import Dice
from webapp.rules.document import Duty, body_of
from webapp.rules.forms import inputs
from webapp.rules.games import shipped
from webapp.rules.nights import Rest
from webapp.rules.ruleset import Rulebook
from webapp.rules.state import Habits
from webapp.store import Store

SHIPPED = shipped()
BOOK = Rulebook([*SHIPPED.games.values(), RULESET])
ALONE = ("lanterns",)
STACKS = [ALONE, *(("lanterns", game) for game in SHIPPED.games), ("lanterns", *SHIPPED.games)]
SECRET = "Qxzzy the Unspeakable"
ANN = {"actor": "Ann"}


@pytest.fixture(params=STACKS, ids="+".join)
def bench(store: Store, request: pytest.FixtureRequest) -> Bench:
    return at_table(store, request.param)


@pytest.fixture
def alone(store: Store) -> Bench:
    return at_table(store, ALONE)


def at_table(store: Store, games: tuple[str, ...], dice: Dice | None = None) -> Bench:
    """Ann, whom her player drives, and a moth; with whatever else is played at the table."""
    bench = Bench(store, games=games, book=BOOK, dice=dice)
    bench.hero("Ann", steady=4)
    bench.foe("Moth", steady=2)
    return bench


def light(bench: Bench, who: str = "Ann") -> int:
    left: int = bench.sheet(who).light.now
    return left


def button(bench: Bench, place: str, as_: str = "ann") -> Button:
    menus = [
        block
        for _, blocks in Picture(bench.table, viewer(as_)).blocks(bench.ids["Ann"])
        for block in blocks
        if isinstance(block, Menu) and block.key == f"lanterns.{place}"
    ]
    return menus[0].tabs[0].buttons[0]


# --- on the bench ------------------------------------------------------------------------------------------


def test_its_sheet_is_a_part_of_the_card_and_a_form(bench: Bench) -> None:
    card = Picture(bench.table, viewer("ann")).card(bench.ids["Ann"])
    assert card is not None
    assert "Lanterns" in [title for title, _ in card.sections]
    assert [field.name for field in inputs(bench.sheet("Ann"))] == [
        "steady",
        *(f"{track}.{end}" for track in ("breath", "light", "lanterns") for end in ("now", "full")),
    ]
    bench.do({"move": "table.edit", **ANN, "game_id": "lanterns", "values": {"steady": 6, "light.now": 2}}, "ann")
    assert (bench.sheet("Ann").steady, light(bench)) == (6, 2)
    refused = {"move": "table.edit", **ANN, "game_id": "lanterns", "values": {"steady": 10}}
    assert bench.refused(refused, "ann") == "Steady can be 9 at most."
    bench.do({"move": "table.adjust", **ANN, "game_id": "lanterns", "path": ["light", "now"], "amount": 2}, "ann")
    assert light(bench) == 4


def test_its_button_says_the_odds_and_is_pressed(bench: Bench) -> None:
    offered = button(bench, "dice")
    assert offered.chance == Fraction(4, 6)
    bench.do(offered.move, "ann", faces=[3])
    assert bench.words("ann") == ["Ann tries: 7, done."]
    assert bench.undo(as_="ann").ok


def test_its_question_is_answered_from_the_seat_and_undone(bench: Bench) -> None:
    bench.do({"move": "lanterns.try", **ANN}, "ann", faces=[1])
    [asked] = Picture(bench.table, viewer("ann")).questions()
    assert [(choice.id, choice.chance, choice.price) for choice in asked.choices] == [
        ("keep", None, None),
        ("spend", Fraction(4, 6), "1 left"),
    ]
    bench.answer("spend", "ann", faces=[6])
    assert bench.words() == ["Ann tries: 10, done."]
    assert bench.sheet("Ann").lanterns.now == 0
    assert bench.undo(as_="ann").ok
    assert bench.sheet("Ann").lanterns.now == 1
    assert bench.question.id == asked.id


def test_its_question_is_passed_by_and_asked_only_where_there_is_a_choice(bench: Bench) -> None:
    bench.do({"move": "lanterns.try", **ANN}, "ann", faces=[1])
    big = Picture(bench.table, viewer(GM)).big_button()
    assert big is not None
    assert big.label == "It stays as it fell · go on"
    bench.do(big.move)
    assert bench.state.questions() == []
    bench.do({"move": "table.edit", **ANN, "game_id": "lanterns", "values": {"lanterns.now": 0}})
    bench.do({"move": "lanterns.try", **ANN}, "ann", faces=[1])
    assert bench.state.questions() == []


def test_its_dice_are_told_by_hand(bench: Bench) -> None:
    bench.crowd.of["ann"] = Habits(real_dice=True)
    bench.table.tell()
    bench.do({"move": "lanterns.try", **ANN}, "ann")
    [asked] = Picture(bench.table, viewer("ann")).questions()
    assert (asked.ask, asked.dice) == ("Roll d6: a try against 7.", (6,))
    bench.tell(1, as_="ann")
    bench.answer("spend", "ann")
    bench.tell(5, as_="ann")
    assert bench.words() == ["Ann tries: 9, done."]
    assert [roll.by_hand for line in bench.lines() for roll in line.rolls] == [True]


def test_a_hidden_foe_of_it_is_in_nobodys_picture(bench: Bench) -> None:
    hidden = bench.foe(SECRET, hidden=True)
    for person in ("ann", "s3", SCREEN):
        page = seen_by(bench, person)
        assert SECRET not in page
        assert hidden not in page
    assert SECRET in seen_by(bench, GM)
    try_it = {"move": "lanterns.try", **ANN}
    assert bench.refused({**try_it, "target": SECRET}, "ann") == bench.refused({**try_it, "target": "nobody"}, "ann")


@pytest.mark.parametrize("games", STACKS, ids="+".join)
def test_a_night_asks_what_it_asks_and_fills_the_lantern(store: Store, games: tuple[str, ...]) -> None:
    bench = at_table(store, games, EvenDice())
    bench.do({"move": "table.edit", **ANN, "game_id": "lanterns", "values": {"light.now": 0, "breath.now": 1}})
    picture = Picture(bench.table, viewer(GM))
    night = next(block for block in picture.gm_blocks() if block.key == "night")
    assert "how.oil" in [field.name for field in getattr(night, "fields", ())]
    bench.do({"move": "table.rest", "hours": 2, "how": {"oil": False}})
    assert (light(bench), bench.sheet("Ann").breath.now) == (0, 3)
    [*_, told] = picture.preview(Rest(resting=(bench.ids["Ann"],)))
    assert "the lantern is filled" in bench.sight().words(told.value)
    bench.do({"move": "table.rest", "hours": 2, "resting": ["Ann"]})
    assert light(bench) == 4


def test_it_takes_part_in_a_fight_under_the_gms_own_order(alone: Bench) -> None:
    assert [alone.state.has(duty) for duty in Duty] == ["lanterns", "lanterns", "table", "table"]
    alone.do({"move": "table.start_fight"})
    assert alone.up == "Ann"
    assert light(alone) == 4
    shove = button(alone, "fight")
    assert shove.chance == "likely"
    alone.do(shove.move, "ann", faces=[4])
    assert alone.words("ann") == ["Ann tries: 8, done.", "Moth is shoved, badly hurt."]
    assert button(alone, "fight").chance == Fraction(5, 6)
    alone.do({"move": "table.done", **ANN}, "ann")
    assert (alone.up, light(alone)) == ("Moth", 3)
    alone.next()
    assert light(alone, "Moth") == 3


def test_one_side_is_down_by_its_health_and_the_dark_costs_a_point(alone: Bench) -> None:
    alone.do({"move": "table.edit_table", "key": "lanterns.house/lanterns", "values": {"burns": 4}})
    alone.do({"move": "table.start_fight"})
    done = alone.do({"move": "table.done", **ANN}, "ann")
    assert alone.words(of=done) == ["Ann is done.", "Ann's light goes out."]
    assert button(alone, "dice").chance == Fraction(3, 6)
    alone.do({"move": "table.edit", "actor": "Moth", "game_id": "lanterns", "values": {"breath.now": 1}})
    alone.do({"move": "lanterns.try", **ANN, "target": "Moth"}, "ann", faces=[3])
    assert alone.words()[-1] == "Moth is shoved, 0 of 5 left."
    big = Picture(alone.table, viewer(GM)).big_button()
    assert big is not None
    assert big.label == "One side is left: end the fight"


def test_its_dark_lies_on_the_rolls_of_every_other_rule_set(store: Store) -> None:
    bench = Bench(store, games=("lanterns", "squad"), book=BOOK)
    bench.hero("Ann", lanterns={"light": {"now": 0, "full": 4}}, squad={"hp": 9})
    entry = bench.do({"move": "squad.task", **ANN, "attribute": "TUF", "difficulty": 4}, "ann", faces=[4])
    [roll] = [roll for line in bench.lines(of=entry) for roll in line.rolls]
    assert (roll.total, roll.verdict) == (3, False)
    assert "−1 in the dark" in roll.modifiers


def test_it_comes_to_a_table_and_goes_and_comes_back_from_the_store(store: Store) -> None:
    bench = Bench(store, games=("squad",), book=BOOK)
    bench.hero("Ann")
    bench.do({"move": "table.set_games", "games": ["squad", "lanterns"]})
    assert bench.sheet("Ann", "lanterns").light.now == 4
    bench.do(
        {
            "move": "table.share_out",
            "tests": "lanterns",
            "blows": "lanterns",
            "fear": "table",
            "order": "table",
            "turn": "one slot",
        }
    )
    bench.do({"move": "lanterns.try", **ANN}, "ann", faces=[1])
    before = bench.table._bodies()
    bench.reopen()
    assert bench.table._bodies() == before
    assert all(body_of(BOOK.document(key, body)) == body for key, body in before.items())
    bench.do({"move": "table.set_games", "games": ["squad"]})
    assert bench.state.questions() == []
    assert bench.refused({"move": "lanterns.try", **ANN}, "ann") == "This table does not play that."


# --- on pages ----------------------------------------------------------------------------------------------


class Server(ServerProcess):
    def __init__(self, folder: Path) -> None:
        self.folder, self.dice = folder, folder / "dice.json"
        self.lay()
        environment = {"GRITBOARD_DATA": str(folder), "STORY_DICE": str(self.dice)}
        super().__init__("tests.support.fifth_server", folder / "server.log", environment)

    def lay(self, *faces: int) -> None:
        self.dice.write_text(json.dumps(faces))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(Server(tmp_path_factory.mktemp("fifth"))) as server:
        yield server


class Cellar:
    """The sample table of Lanterns with its GM, a player and the TV."""

    def __init__(self, server: Server, exits: AsyncExitStack) -> None:
        self.server, self._exits = server, exits

    async def open(self) -> None:
        self.gm = await self.browser("/host/" + (self.server.folder / "host-secret").read_text())
        assert self.gm.find(contains="Lanterns") is not None
        await did(self.gm, {"move": "page.new_sample", "sample": "cellar"})
        links = await self.gm.wait_for(screens)
        self.code = links[0].split("/")[2]
        self.ann = await self.browser()
        await self.ann.post(f"/join/{self.code}", {"name": "Ann"})
        await self.ann.open(f"/t/{self.code}/play")
        self.tv = await self.browser(f"/t/{self.code}/screen")

    async def browser(self, path: str | None = None) -> NGClient:
        client = await self._exits.enter_async_context(NGClient(self.server.base))
        return client if path is None else await client.open(path)


@pytest_asyncio.fixture
async def cellar(server: Server) -> AsyncIterator[Cellar]:
    async with AsyncExitStack() as exits:
        cellar = Cellar(server, exits)
        await cellar.open()
        yield cellar


def offered(client: NGClient, kind: str) -> list[dict[str, Any]]:
    sent = [element.get("props", {}).get("data-move") for element in client.elements.values()]
    return [move for move in (json.loads(one) for one in sent if one) if move["move"] == kind]


def screens(client: NGClient) -> list[str]:
    found = [str((element.get("props") or {}).get("href", "")) for element in client.elements.values()]
    return [href for href in found if href.endswith("/screen")]


async def did(client: NGClient, move: dict[str, Any]) -> None:
    answer = await client.send_move(move)
    assert answer["ok"], f"{move} was refused: {answer['say']}"


async def sees(client: NGClient, words: str) -> None:
    await client.wait_for(lambda c: c.find(contains=words) is not None)


async def test_it_is_played_on_the_gms_page_on_a_phone_and_on_the_tv(cellar: Cellar) -> None:
    gm, ann = cellar.gm, cellar.ann
    secret = {"move": "table.add_characters", "name": SECRET, "sheets": {"lanterns": {}}, "hidden": True}
    await did(gm, secret)
    await did(ann, offered(ann, "table.claim")[0])
    tries = await ann.wait_for(lambda c: offered(c, "lanterns.try"))
    cellar.server.lay(1, 6)
    await did(ann, tries[0])
    await sees(ann, "Spend a lantern to roll again?")
    await sees(gm, "It stays as it fell")
    spend = next(move for move in offered(ann, "table.answer") if move["choice"] == "spend")
    await did(ann, spend)
    await sees(ann, "Wick tries: 10, done.")
    await sees(gm, "Wick tries: 10, done.")
    await sees(cellar.tv, "Wick")
    await did(gm, {"move": "table.start_fight"})
    await ann.wait_for(lambda c: [move for move in offered(c, "lanterns.try") if "target" in move])
    await did(ann, offered(ann, "table.done")[0])
    await sees(ann, "Wick is done.")
    await did(ann, {"move": "page.edit", "character": tries[0]["actor"]})
    await sees(ann, "Save what I changed")
    assert gm.has_received(SECRET)
    assert not ann.has_received(SECRET)
    assert not cellar.tv.has_received(SECRET)
