"""Fear alone at a table and beside another game."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from tests.support.fear import FAILS, NO_SOAK, call, haunted, page
from tests.support.play import BOOK, GM, SCREEN, Bench, Message, viewer
from webapp.projection.picture import Picture
from webapp.rules.blocks import Menu, Place
from webapp.rules.calls import Call
from webapp.rules.document import Side, body_of
from webapp.rules.games.dread.fear import Resist
from webapp.rules.games.dread.sheet import Attribute
from webapp.store import Store


@pytest.fixture
def bench(store: Store) -> Bench:
    return haunted(store)


def test_alone_it_has_no_health_and_every_page_can_be_drawn(bench: Bench) -> None:
    for person in (GM, "ann", "", SCREEN):
        picture = Picture(bench.table, viewer(person))
        assert {card.health for card in picture.cards()} == {""}
        assert page(bench, person)
    bench.do({"move": "table.start_fight"})
    for person in (GM, "ann", "", SCREEN):
        fight = Picture(bench.table, viewer(person)).fight()
        assert fight is not None
        assert page(bench, person)


def test_all_quick_starts_and_frights_fit_the_sheet_and_the_ages(store: Store) -> None:
    game, bench = BOOK.games["dread"], Bench(store, game="dread")
    ages = {4: 8, 6: 14, 8: 17, 10: 20}
    for start in game.starts():
        bench.add(start.name, start.side, **start.body)
        sheet = bench.sheet(start.name)
        if start.side is Side.HERO:
            age = ages[sheet.die]
            ranks = [sheet.willpower, sheet.manipulation, *sheet.skills.values()]
            assert sum(ranks) <= age
            assert max(ranks) <= age // 4
            assert sum(sheet.attribute(one) - 1 for one in Attribute) <= 10
    heroes = [start for start in game.starts() if start.side is Side.HERO]
    assert {start.body["die"] for start in heroes} == ages.keys()
    frights = [start.body for start in game.starts() if start.side is Side.FOE]
    assert len(frights) >= 8
    assert all("terrible" in body or "scares_with" in body or "manipulation" in body for body in frights)
    for person in (GM, SCREEN):
        assert page(bench, person)


def test_the_sample_table_can_be_set_up(store: Store) -> None:
    bench = Bench(store, game="dread")
    (sample,) = BOOK.games["dread"].samples()
    for side, name, copies, sheets in sample.cast:
        bench.do({"move": "table.add_characters", "side": side, "name": name, "copies": copies, "sheets": sheets})
    assert len(bench.state.characters()) == len(sample.cast)


def sights(bench: Bench) -> dict[str, Message]:
    """What of a fight's foes the GM may have everybody see, at once."""
    found = [one for one in Picture(bench.table, viewer(GM)).gm_blocks() if one.key == "dread.sights"]
    menus = [one for one in found if isinstance(one, Menu) and one.place is Place.FIGHT]
    return {bench.sight().words(button.label): button.move for menu in menus for button in menu.tabs[0].buttons}


def test_in_a_fight_the_sight_of_a_foe_is_at_hand(bench: Bench) -> None:
    assert sights(bench) == {}
    bench.do({"move": "table.start_fight"})
    (label,) = sights(bench)
    assert label == "Verger: fear 6"
    bench.do(sights(bench)[label])
    assert {one.addressee for one in bench.state.questions()} == {bench.ids["Ann"], bench.ids["Ben"]}


def test_in_a_fight_of_fear_alone_a_turn_is_for_scaring(bench: Bench) -> None:
    def places() -> set[Place]:
        menus = Picture(bench.table, viewer("ann")).blocks(bench.ids["Ann"])
        own = [one for _, blocks in menus for one in blocks if isinstance(one, Menu)]
        return {one.place for one in own if one.key == "dread.scare"}

    assert places() == {Place.DICE}
    bench.do({"move": "table.start_fight"})
    assert places() == {Place.FIGHT}


@pytest.fixture
def fighting(store: Store) -> Bench:
    bench = Bench(store)
    bench.hero("Ann", tuf=8)
    bench.foe("Rat", monster=8)
    bench.fight(Ann=8, Rat=2)
    return bench


def games(*names: str) -> Message:
    return {"move": "table.set_games", "games": list(names)}


def test_fear_comes_to_a_running_table_goes_and_comes_back_without_loss(fighting: Bench) -> None:
    bench = fighting
    before = bench.table._bodies()
    bench.do(games("squad", "dread"))
    for who in ("Ann", "Rat"):
        assert bench.sheet(who, "dread").fear == "none"
    assert bench.undo().ok
    assert bench.table._bodies() == before
    bench.do(games("squad", "dread"))
    bench.do({"move": "dread.call_fear", "difficulty": 4}, faces=())
    bench.answer("roll", "ann", faces=(*FAILS, *NO_SOAK))
    bench.foe("Dog", squad={"monster": 4, "hp": 4})
    held = body_of(bench.sheet("Ann", "dread"))
    bench.do(games("squad"))
    assert "scared" not in page(bench, GM).split("LogRow")[0]
    bench.attack("Ann", "Rat", faces=(4, 1, 1))
    assert bench.table.entries[-1].lines[0].rolls[0].ask.modifiers == ()
    bench.refused({"move": "table.edit", "actor": "Ann", "game_id": "dread", "values": {"charisma": 3}})
    assert bench.refused({"move": "dread.call_fear", "difficulty": 4}) == "This table does not play that."
    bench.do(games("squad", "dread"))
    assert body_of(bench.sheet("Ann", "dread")) == held
    assert bench.sheet("Dog", "dread").fear == "none"


def test_the_dead_are_not_asked_with_everybody(fighting: Bench) -> None:
    bench = fighting
    bench.hero("Ben")
    bench.do(games("squad", "dread"))
    bench.do({"move": "table.edit", "actor": "Ann", "game_id": "squad", "values": {"hp.now": 0, "condition": "dead"}})
    call(bench)
    assert [one.addressee for one in bench.state.questions()] == [bench.ids["Ben"]]


def test_taken_out_its_questions_and_its_call_go_with_it(fighting: Bench) -> None:
    bench = fighting
    bench.do(games("squad", "dread"))
    call(bench)
    bench.do(games("squad"))
    assert bench.state.questions() == []
    assert not list(bench.state.all(Call))
    assert bench.undo().ok
    assert isinstance(bench.question, Resist)
    assert page(bench, "ann")


def test_undone_it_leaves_no_question_behind(fighting: Bench) -> None:
    bench = fighting
    added = bench.do(games("squad", "dread"))
    call(bench)
    assert bench.undo(added, way="what can").ok
    assert bench.state.questions() == []
    for person in (GM, "ann", SCREEN):
        assert page(bench, person)
    bench.do({"move": "table.end_fight"})


def test_a_fight_that_comes_back_to_a_table_without_an_order_is_the_gm_s_to_order(store: Store) -> None:
    bench = Bench(store, games=("squad", "dread"))
    bench.hero("Ann", squad={"tuf": 8}, dread={})
    bench.foe("Rat", squad={"monster": 8}, dread={})
    bench.fight(Ann=8, Rat=2)
    assert bench.refused(games("dread")).startswith("End the fight first")
    ended = bench.do({"move": "table.end_fight"})
    bench.do(games("dread"))
    assert bench.undo(ended).ok
    assert bench.order() == ["2 Ann", "1 Rat"]
    bench.do({"move": "table.done", "actor": "Ann"})
    assert bench.up == "Rat"


def test_a_stacked_roll_names_where_its_penalty_comes_from_in_the_odds_too(store: Store) -> None:
    bench = Bench(store, games=("squad", "dread"))
    bench.hero("Ann", squad={"tuf": 8}, dread={"fear": "panicked"})
    picture = Picture(bench.table, viewer("ann"))
    offered = [block for _, blocks in picture.blocks(picture.own()[0].id) for block in blocks]
    tasks = next(block for block in offered if block.key == "squad.task")
    assert tasks.type == "menu"
    easy = tasks.tabs[0].buttons[0]
    assert easy.chance == Fraction(5, 8), "a d8 − 2 against 2"
    assert json.dumps(easy.move)
