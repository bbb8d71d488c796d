"""Plus and minus, and what an undo puts back."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.play import GM, SCREEN, Bench, hurt, viewer
from tests.support.wild import seen_by
from webapp.rules.document import Notice
from webapp.rules.encounter import Phase
from webapp.rules.state import Habits


def test_taps_within_two_seconds_are_one_row(bench: Bench) -> None:
    before, rows = bench.bodies(), len(bench.table.entries)
    for _ in range(3):
        bench.do(hurt("Ann", 1), "ann")
        bench.passes(1.5)
    assert len(bench.table.entries) == rows + 1
    assert bench.words() == ["Ann: HP 15 → 12 (−3)."]
    bench.reopen()
    assert bench.undo(as_="ann").ok
    assert bench.bodies() == before


@pytest.mark.parametrize(
    "second",
    [
        pytest.param((hurt("Ann", 1), "ann", 2.1), id="later than two seconds"),
        pytest.param((hurt("Ann", 1), GM, 0), id="by another person"),
        pytest.param((hurt("Ben", 1), GM, 0), id="on another character"),
        pytest.param((hurt("Ann", 1) | {"path": ["will"], "amount": 1}, "ann", 0), id="on another number"),
    ],
)
def test_other_taps_are_rows_of_their_own(bench: Bench, second: tuple[dict[str, Any], str, float]) -> None:
    move, as_, seconds = second
    bench.do(hurt("Ann", 1), "ann")
    rows = len(bench.table.entries)
    bench.passes(seconds)
    bench.do(move, as_)
    assert len(bench.table.entries) == rows + 1


def test_a_tap_after_the_undo_of_one_is_a_row_of_its_own(bench: Bench) -> None:
    bench.do(hurt("Ann", 1))
    bench.undo()
    bench.do(hurt("Ann", 1))
    assert bench.hp("Ann") == 14
    bench.undo()
    assert bench.hp("Ann") == 15


def test_plus_and_minus_that_cancel_out_leave_a_row_that_changes_nothing(bench: Bench) -> None:
    bench.do(hurt("Ann", 1))
    entry = bench.do(hurt("Ann", -1))
    assert entry.changes == ()
    assert bench.undo().ok
    assert bench.hp("Ann") == 15


def test_taps_merge_only_while_each_says_one_thing(bench: Bench) -> None:
    """The tap that brings somebody down while up may move the turn on."""
    bench.passes_on("Ann", "Thug")
    assert bench.up == "Rat"
    bench.do(hurt("Rat", 3))
    bench.do(hurt("Rat", 1))
    assert bench.up == "Ann"
    assert bench.undo().ok
    assert bench.up == "Rat"


@pytest.mark.parametrize("amount", [99, 999])
def test_a_number_stops_at_its_limit_with_a_sentence(bench: Bench, amount: int) -> None:
    will = {"move": "table.adjust", "actor": "Ann", "game_id": "squad", "path": ["will"], "amount": 50}
    bench.do(will)
    assert bench.refused(will | {"amount": amount}) == "Will can be 99 at most."
    bench.do(hurt("Ann", amount))
    assert bench.hp("Ann") == 0
    assert bench.refused(hurt("Ann", 1)) == "It is at 0 already: it goes no further."


def test_a_shorter_track_takes_what_is_above_its_end_and_undo_gives_it_back(bench: Bench) -> None:
    bench.do({"move": "table.edit", "actor": "Ann", "game_id": "squad", "values": {"hp.full": 10}})
    assert bench.sheet("Ann").hp.model_dump() == {"now": 10, "full": 10}
    bench.undo()
    assert bench.sheet("Ann").hp.model_dump() == {"now": 15, "full": 15}


def test_undo_of_the_last_row_and_of_that_undo(bench: Bench) -> None:
    before = bench.bodies()
    row = bench.attack("Ann", "Thug", "sword", faces=[8, 7, 3])
    after = bench.bodies()
    assert before != after
    assert bench.undo().ok
    assert bench.bodies() == before
    assert bench.words() == ["Undone: Ann attacks Thug with Sword: 8 against 4 (half of Thug's monster die), a hit."]
    assert bench.undo().ok
    assert bench.bodies() == after
    assert [entry.undone_by for entry in bench.table.entries if entry.id == row.id] == [None]


def test_an_undone_row_is_not_undone_twice(bench: Bench) -> None:
    row = bench.do(hurt("Ann", 1))
    bench.undo(row)
    reply = bench.undo(row)
    assert (reply.ok, reply.say) == (False, "That is undone already.")


def test_undo_of_a_blow_takes_its_answer_with_it(asked: Bench) -> None:
    attack = asked.table.entries[-1]
    asked.answer("hit", "ann", faces=[6, 2])
    assert asked.undo(attack).ok
    assert asked.hp("Ann") == 15
    assert asked.state.questions() == []
    assert asked.up == "Thug"


def test_undo_of_an_answer_opens_its_question_again(asked: Bench) -> None:
    question = asked.question
    asked.answer("hit", "ann", faces=[6, 2])
    assert asked.undo().ok
    assert asked.question == question
    asked.answer("sword", "ann", faces=[5, 6, 6])
    assert asked.hp("Ann") == 15


def test_undo_of_next_opens_the_question_it_passed_by(asked: Bench) -> None:
    asked.next(faces=[6, 2])
    asked.undo()
    assert asked.question.addressee == asked.ids["Ann"]
    assert list(asked.state.all(Notice)) == []


def test_what_waits_again_is_told_to_nobody_as_decided(asked: Bench) -> None:
    """In whatever order the decision and what put its notice away are taken back."""
    decided = asked.answer("hit", faces=[3, 2])
    seen = asked.do(hurt("Ann", 1), "ann")
    assert asked.undo(decided).ok
    assert asked.undo(seen).ok
    assert asked.question.kind() == "squad.parry"
    assert list(asked.state.all(Notice)) == []


def test_a_hit_in_the_middle_is_undone_by_its_difference(asked: Bench) -> None:
    hit = asked.table.entries[-1]
    asked.answer("hit", "ann", faces=[6, 2])
    asked.attack("Rat", "Ann", "bite", faces=[4])
    asked.answer("hit", "ann", faces=[4, 1])
    asked.next()
    assert (asked.hp("Ann"), asked.up) == (8, "Ben")
    assert asked.undo(hit).ok
    assert (asked.hp("Ann"), asked.up) == (12, "Ben")
    assert asked.order() == ["6 Thug", "2 Ben", "1 Thug"], "the thug may strike again"


def test_what_is_put_back_stays_within_the_track_and_says_so(bench: Bench) -> None:
    hit = bench.do(hurt("Ann", 5))
    bench.passes(60)
    bench.do(hurt("Ann", -3))
    assert bench.undo(hit).ok
    assert bench.hp("Ann") == 15
    assert bench.words() == ["Undone: Ann: HP 15 → 10 (−5). (as far as it goes)"]


def test_who_went_down_and_got_up_by_undo_has_the_chances_back(bench: Bench) -> None:
    blow = bench.attack("Ann", "Rat", "sword", faces=[8, 4])
    assert bench.order() == ["6 Thug", "3 Ann", "2 Ben", "1 Thug"]
    bench.passes_on("Thug")
    assert bench.undo(blow).ok
    assert "4 Rat" in bench.order()
    assert bench.up is not None


def test_an_undo_leaves_nobody_who_is_gone_on_the_clock(bench: Bench) -> None:
    """Who is up was added in the row that is undone: the turn goes to the next."""
    bench.do({"move": "table.end_fight"})
    bench.foe("Brute", monster=12)
    added = bench.table.entries[-1]
    bench.fight(Ann=8, Brute=12)
    assert bench.up == "Brute"
    assert bench.undo(added).ok
    assert bench.up == "Ann"
    assert bench.order() == ["8 Ann", "3 Ann"]
    assert seen_by(bench, GM)


def in_the_way(bench: Bench) -> Any:
    """A row that has been overwritten since: the die was set twice."""
    for die in (10, 12):
        bench.do({"move": "table.edit", "actor": "Ann", "game_id": "squad", "values": {"tuf": die, "hp.full": die}})
    return bench.table.entries[-2]


def test_undo_asks_which_way_when_something_is_in_the_way(bench: Bench) -> None:
    row = in_the_way(bench)
    before = bench.everything()
    reply = bench.undo(row)
    assert (reply.ok, reply.ways) == (False, True)
    assert reply.say is not None
    assert "go back to before this row (2 rows)" in reply.say
    assert bench.everything() == before, "leaving it is no move at all"


def test_undo_can_put_back_what_can_be_put_back(bench: Bench) -> None:
    row = in_the_way(bench)
    assert bench.undo(row, way="what can").ok
    assert bench.sheet("Ann").tuf == 12


def test_undo_can_go_back_to_before_the_row(bench: Bench) -> None:
    before = bench.bodies()
    row = in_the_way(bench)
    after = bench.bodies()
    assert bench.undo(row, way="back").ok
    assert bench.bodies() == before
    assert bench.undo().ok
    assert bench.bodies() == after
    assert [entry.undone_by for entry in bench.table.entries[-4:-2]] == [None, None]


def test_going_back_beyond_an_undo_comes_to_the_same_place(bench: Bench) -> None:
    before = bench.bodies()
    first = bench.do({"move": "table.rename", "actor": "Ann", "name": "Anna"})
    second = bench.do(hurt("Ben", 3))
    bench.undo(second)
    middle = bench.bodies()
    assert bench.undo(first, way="back").ok
    assert bench.bodies() == before
    assert bench.undo().ok
    assert bench.bodies() == middle
    marks = {entry.id: entry.undone_by for entry in bench.table.entries}
    assert (marks[first.id], marks[second.id]) == (None, bench.table.entries[-3].id)


def test_undo_of_undo_of_undo_marks_the_rows_that_count(bench: Bench) -> None:
    row = bench.do(hurt("Ann", 3))
    left, marked = [], []
    for _ in range(5):
        bench.undo()
        left.append(bench.hp("Ann"))
        marked.append(next(entry for entry in bench.table.entries if entry.id == row.id).undone_by is not None)
    assert left == [15, 12, 15, 12, 15]
    assert marked == [True, False, True, False, True]


def test_players_undo_their_own_threads_alone(bench: Bench) -> None:
    own = bench.do(hurt("Ann", 1), "ann")
    bens = bench.do(hurt("Ben", 1), "ben")
    gms = bench.do(hurt("Ann", 1))
    for row in (bens, gms):
        reply = bench.undo(row, "ann")
        assert (reply.ok, reply.say) == (False, "That is not yours to undo: ask the GM.")
    assert bench.undo(own, "ann").ok
    assert bench.undo(as_="ann").ok, "their own undo too"
    for nobody in ("", SCREEN):
        assert not bench.undo(own, nobody).ok
    assert bench.undo(bens).ok


def test_a_thread_in_which_somebody_else_answered_is_the_gms_to_undo(bench: Bench) -> None:
    bench.do({"move": "table.assign", "character": "Thug", "seats": ["eve"]})
    bench.crowd.of["eve"] = Habits(orders={"parry": "ask"})
    blow = bench.attack("Ann", "Thug", "sword", as_="ann", faces=[6])
    assert bench.table.may_undo(blow, viewer("ann"))
    bench.answer("arm", "eve", faces=[7, 5, 2])
    assert not bench.table.may_undo(blow, viewer("ann"))
    assert bench.undo(blow).ok


def test_players_go_back_over_nobody_elses_rows_and_learn_nothing_of_them(bench: Bench) -> None:
    def rename(name: str, as_: str) -> Any:
        return bench.do({"move": "table.rename", "actor": "Ann", "name": name}, as_)

    own = rename("Anna", "ann")
    rename("Anne", GM)
    reply = bench.undo(own, "ann")
    assert reply.ways
    assert reply.say == "Something has changed since. Put back what can be, or leave it and ask the GM?"
    assert not bench.undo(own, "ann", way="back").ok
    assert bench.undo(own, way="back").ok


def test_the_clock_goes_back_with_the_round_and_never_without(bench: Bench) -> None:
    def end_of_round() -> Any:
        while bench.phase is Phase.TURNS:
            assert bench.up is not None
            bench.passes_on(bench.up)
        return bench.table.entries[-1]

    last = end_of_round()
    begun = bench.next()
    assert (bench.state.clock.minutes, bench.battle.round) == (6, 2)
    assert bench.undo(last).ok
    assert (bench.state.clock.minutes, bench.battle.round) == (6, 2)
    bench.undo()
    assert bench.undo(begun).ok
    assert (bench.state.clock.minutes, bench.battle.round) == (0, 1)


def test_initiative_undone_in_the_middle_of_a_round_can_be_rolled_again(bench: Bench) -> None:
    bench.do({"move": "table.end_fight"})
    bench.do({"move": "table.start_fight"})
    rolled = bench.do({"move": "squad.initiative", "actor": "Ann"}, "ann", faces=[8])
    bench.next(faces=[3, 6, 4])
    bench.next()
    assert bench.undo(rolled, "ann").ok
    assert "squad.initiative" in seen_by(bench, "ann")
    bench.do({"move": "squad.initiative", "actor": "Ann"}, "ann", faces=[2])
    assert bench.order() == ["6 Thug", "4 Rat", "3 Ben", "2 Ann", "1 Thug"]


def test_a_second_fight_never_comes_back_beside_a_running_one(bench: Bench) -> None:
    ended = bench.do({"move": "table.end_fight"})
    bench.do({"move": "table.start_fight"})
    reply = bench.undo(ended)
    assert (reply.ok, reply.say) == (False, "Another fight is going on: end that one first.")


def test_an_undone_removal_brings_everything_back(asked: Bench) -> None:
    before = asked.bodies()
    asked.do({"move": "table.remove_character", "character": "Ann"})
    assert asked.up == "Rat"
    asked.reopen()
    assert asked.undo().ok
    assert asked.bodies() == before


def test_no_question_comes_back_of_an_act_that_is_undone(bench: Bench) -> None:
    """Ann's second try lapsed with the thug's chance; both are taken back, the older row first."""
    bench.do({"move": "table.edit", "actor": "Ann", "game_id": "squad", "values": {"will": 1}})
    missed = bench.attack("Ann", "Thug", "sword", as_="ann", faces=[1])
    assert bench.question.kind() == "squad.reroll"
    later = bench.do({"move": "table.done", "actor": "Thug"})
    assert bench.state.questions() == []
    assert bench.undo(missed).ok
    assert bench.undo(later).ok
    assert bench.state.questions() == []
    assert bench.undo().ok
    assert bench.undo().ok
