"""What was asked for somebody who is gone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.play import GM, SCREEN, Bench, EvenDice
from tests.support.wild import seen_by
from webapp.rules.state import Habits
from webapp.store import Store


def test_an_undone_hero_takes_all_that_was_asked_for_it_along(bench: Bench) -> None:
    sheets = {"squad": {"hp": {"now": 9, "full": 9}, "will": 2, "weakness": "Vain"}}
    made = bench.do({"move": "table.make_hero", "name": "Dot", "sheets": sheets}, "dot")
    dot = bench.state.characters()[2].id
    bench.do({"move": "squad.ask_for_cash", "actor": dot, "purpose": "Training"}, "dot")
    bench.do({"move": "squad.bring_in_weakness", "actor": dot}, "dot")
    assert len(bench.state.questions()) == 2
    assert bench.undo(made).ok
    assert bench.state.questions() == []
    assert seen_by(bench, GM)


def test_a_removed_hero_takes_all_that_was_asked_for_it_along_and_undo_brings_it_back(bench: Bench) -> None:
    bench.do({"move": "table.edit", "actor": "Ann", "game_id": "squad", "values": {"will": 2, "weakness": "Vain"}})
    bench.do({"move": "squad.ask_for_cash", "actor": "Ann", "purpose": "Training"}, "ann")
    bench.do({"move": "squad.bring_in_weakness", "actor": "Ann"}, "ann")
    before = bench.bodies()
    bench.do({"move": "table.remove_character", "character": "Ann"})
    assert bench.state.questions() == []
    assert bench.undo().ok
    assert bench.bodies() == before


@pytest.mark.parametrize("order", ["ask", "any"])
@pytest.mark.parametrize(
    "gone",
    [
        {"move": "table.remove_character", "character": "Rat"},
        {"move": "table.leave_fight", "character": "Rat"},
        {"move": "table.damage", "plus": 99, "shares": {"Rat": "full"}},
    ],
    ids=lambda move: str(move["move"]),
)
def test_a_second_try_at_surprise_goes_with_the_last_who_could_be_surprised(
    store: Store, order: str, gone: dict[str, Any]
) -> None:
    bench = Bench(store, dice=EvenDice())
    bench.crowd.of["ann"] = Habits(orders={"reroll": order})
    bench.hero("Ann", will=2)
    bench.foe("Rat", hp=5, monster=12)
    bench.do({"move": "table.start_fight"})
    bench.do({"move": "squad.surprise", "ambush": True})
    assert bench.state.questions()
    bench.do(gone)
    assert [one for one in bench.state.questions() if one.addressee == bench.ids["Ann"]] == []
    assert bench.undo().ok
    assert bench.state.questions()


def test_a_second_try_at_surprise_can_be_kept_when_an_undo_takes_the_last_foe_away(store: Store) -> None:
    bench = Bench(store, dice=EvenDice())
    bench.hero("Ann", will=2)
    bench.foe("Cat", monster=12)
    bench.do({"move": "table.start_fight"})
    bench.foe("Rat", monster=12)
    appears = bench.table.entries[-1]
    bench.do({"move": "table.leave_fight", "character": "Cat"})
    bench.do({"move": "squad.surprise", "ambush": True})
    assert bench.undo(appears, way="what can").ok
    for who in (GM, "ann", SCREEN):
        assert seen_by(bench, who)
    for question in bench.state.questions():
        assert [choice.id for choice in question.choices(bench.state)] == ["keep"]
    bench.do({"move": "table.tray", "dice": {"6": 1}})
    assert bench.state.questions() == []


def test_what_a_rule_set_would_go_on_with_goes_when_it_is_taken_out(store: Store) -> None:
    bench = Bench(store, games=("squad", "dread"))
    bench.crowd.of["ann"] = Habits(real_dice=True)
    bench.hero("Ann", will=2)
    bench.do({"move": "squad.task", "actor": "Ann", "attribute": "TUF", "difficulty": 4}, "ann")
    bench.do({"move": "squad.call_task", "attribute": "TUF", "difficulty": 4, "heroes": ["Ann"]})
    assert [question.kind() for question in bench.state.questions()] == ["table.faces", "squad.called_task"]
    bench.do({"move": "table.set_games", "games": ["dread"]})
    assert bench.state.questions() == []
    assert bench.undo().ok
    assert len(bench.state.questions()) == 2


def test_free_blow_question_goes_with_whoever_broke_off(bench: Bench) -> None:
    bench.do({"move": "squad.break_off", "actor": "Ann"}, "ann")
    assert [question.addressee for question in bench.state.questions()] == [None]
    bench.do({"move": "table.leave_fight", "character": "Ann"})
    assert bench.state.questions() == []
    assert bench.up == "Thug"


def test_an_undone_foe_takes_a_second_try_against_it_along(bench: Bench) -> None:
    bench.do({"move": "table.end_fight"})
    bench.foe("Brute", monster=12)
    added = bench.table.entries[-1]
    bench.do({"move": "table.edit", "actor": "Ann", "game_id": "squad", "values": {"will": 2}})
    bench.do({"move": "squad.task", "actor": "Ann", "attribute": "TUF", "against": "Brute"}, "ann", faces=[5])
    assert len(bench.state.questions()) == 1
    assert bench.undo(added).ok
    assert bench.state.questions() == []
    assert seen_by(bench, GM)
