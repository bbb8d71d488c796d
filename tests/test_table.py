"""The live table: once and for all, undone and redone, asked and answered, seen and unseen."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.support.play import GM, SCREEN, Bench, EvenDice, power_body, viewer
from tests.support.wild import seen_by
from webapp.projection.picture import Picture
from webapp.rules.asking import Faces
from webapp.rules.blocks import Button, Menu
from webapp.rules.document import Notice
from webapp.rules.encounter import Phase
from webapp.rules.fights_view import fight_view
from webapp.rules.lines_view import line_view
from webapp.rules.next_step import next_label, what_next
from webapp.rules.questions_view import question_view
from webapp.rules.state import Habits
from webapp.rules.text import render
from webapp.store import NotSaved, Store

SECRET = "Nightshade"

UNWRITABLE = "There is a value in it that can't be written down. Enter another."


def hurt(who: str, by: int) -> dict[str, Any]:
    return {"move": "table.adjust", "actor": who, "game_id": "squad", "path": ["hp", "now"], "amount": -by}


# --- exactly once ------------------------------------------------------------------------------------------


def test_a_tap_sent_twice_counts_once_and_is_answered_the_same(bench: Bench) -> None:
    first = bench.send(hurt("Ann", 2), "ann", tap="tap 1")
    again = bench.send(hurt("Ann", 2), "ann", tap="tap 1")
    assert first == again
    assert bench.hp("Ann") == 13


def test_a_tap_counts_once_although_the_server_was_killed_in_between(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    with Store(path) as store:
        bench = Bench(store)
        bench.hero("Ann")
        first = bench.send(hurt("Ann", 2), "ann", tap="tap 1")
    with Store(path) as store:
        bench.reopen(store)
        assert bench.send(hurt("Ann", 2), "ann", tap="tap 1") == first
        assert bench.hp("Ann") == 13


def test_taps_of_two_people_with_the_same_id_are_two_taps(bench: Bench) -> None:
    bench.send(hurt("Ann", 2), "ann", tap="tap 1")
    bench.send(hurt("Ann", 2), GM, tap="tap 1")
    assert bench.hp("Ann") == 11


def test_a_refused_tap_may_be_sent_again_when_it_is_possible(bench: Bench) -> None:
    attack = {"move": "table.done", "actor": "Ben"}
    assert not bench.send(attack, "ben", tap="tap 1").ok
    bench.passes_on("Ann", "Thug", "Rat")
    assert bench.up == "Ann"
    bench.passes_on("Ann")
    assert bench.send(attack, "ben", tap="tap 1").ok


def test_an_undo_sent_twice_undoes_once(bench: Bench) -> None:
    row = bench.do(hurt("Ann", 2))
    first = bench.table.undo(row.id, viewer(GM), tap="undo")
    assert bench.table.undo(row.id, viewer(GM), tap="undo") == first
    assert bench.hp("Ann") == 15
    assert len([entry for entry in bench.table.entries if entry.undoes]) == 1


def test_an_undo_sent_again_after_all_that_it_undid_came_back_is_answered_as_the_first_time(bench: Bench) -> None:
    row = bench.do({"move": "table.rename", "actor": "Ann", "name": "Ada"})
    first = bench.table.undo(row.id, viewer(GM), tap="undo")
    assert first.ok
    assert bench.undo().ok
    bench.do({"move": "table.rename", "actor": "Ann", "name": "Zed"})
    assert bench.table.undo(row.id, viewer(GM)).ways
    assert bench.table.undo(row.id, viewer(GM), tap="undo") == first


def test_nothing_is_told_before_it_is_saved_and_a_page_that_fails_stops_nobody(bench: Bench) -> None:
    told: list[int] = []

    def fails() -> None:
        raise RuntimeError("a page broke")

    bench.table.changed += [fails, lambda: told.append(bench.store.revision(bench.table.id))]
    bench.do(hurt("Ann", 1))
    assert told == [bench.table.revision]


def test_what_could_not_be_saved_did_not_happen(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    before = bench.everything()

    def full(*_: Any, **__: Any) -> int:
        raise NotSaved("Nothing was saved: the disk is full.")

    with monkeypatch.context() as broken:
        broken.setattr(bench.store, "commit", full)
        assert bench.refused(hurt("Ann", 1)) == "Nothing was saved: the disk is full."
    assert bench.everything() == before
    bench.do(hurt("Ann", 1))
    assert bench.hp("Ann") == 14


def test_a_hero_of_an_older_table_gets_a_few_words_for_the_door(bench: Bench) -> None:
    """From its player or the GM; a name alone is no other act than renaming."""
    ann = {"move": "table.introduce", "actor": "Ann", "name": "Ann", "line": "never late"}
    bench.do(ann, "ann")
    assert "That is how it stands" in bench.refused(ann, "ann")
    assert bench.refused({**ann, "line": ""}, "ben")
    assert bench.state.character(bench.ids["Ann"]).line == "never late"
    bench.do({**ann, "name": "Ada"})
    assert bench.words()[-1] == "Ann is now called Ada."
    (form,) = Picture(bench.table, viewer("ann")).introduction(bench.ids["Ann"])
    assert [one.value for one in form.fields] == ["Ada", "never late"]
    assert Picture(bench.table, viewer("ben")).introduction(bench.ids["Ann"]) == ()
    assert Picture(bench.table, viewer(GM)).introduction(bench.ids["Rat"]) == ()


# --- questions ---------------------------------------------------------------------------------------------


def test_a_late_answer_is_told_what_the_gm_decided(asked: Bench) -> None:
    question = asked.question.id
    asked.next(faces=[6, 2])
    late = {"move": "table.answer", "question": question, "choice": "sword"}
    assert asked.refused(late, "ann") == "Too late: the GM let it hit. Ann takes 4 damage (6 − 2), 11 of 15 left."
    assert asked.refused(late, "ben") == asked.refused(late, GM) == "That is decided already."


def test_a_late_answer_after_a_restart_is_told_the_same(asked: Bench) -> None:
    question = asked.question.id
    asked.next(faces=[6, 2])
    asked.reopen()
    assert asked.refused({"move": "table.answer", "question": question, "choice": "hit"}, "ann").startswith(
        "Too late"
    )


def test_what_was_decided_waits_on_the_phone_until_it_is_read(asked: Bench) -> None:
    asked.next(faces=[6, 2])
    assert [notice.id for notice in asked.state.all(Notice)] == [asked.ids["Ann"]]
    asked.do({"move": "table.noted", "actor": "Ann"}, "ann")
    assert list(asked.state.all(Notice)) == []


def test_what_was_decided_is_put_away_by_the_next_act_of_that_player_alone(asked: Bench) -> None:
    asked.next(faces=[6, 2])
    asked.do(hurt("Ann", 1))
    asked.do(hurt("Ben", 1), "ben")
    assert [notice.id for notice in asked.state.all(Notice)] == [asked.ids["Ann"]]
    asked.do(hurt("Ann", 1), "ann")
    assert list(asked.state.all(Notice)) == []


def test_what_was_decided_since_stands_in_no_undo_s_way(asked: Bench) -> None:
    asked.next(faces=[6, 2])
    own = asked.do(hurt("Ann", 1), "ann")
    asked.attack("Rat", "Ann", "bite", faces=[4])
    asked.next(faces=[3, 2])
    (notice,) = asked.state.all(Notice)
    assert asked.undo(own).ok
    assert list(asked.state.all(Notice)) == [notice]


def test_an_answer_of_ones_own_leaves_no_notice(asked: Bench) -> None:
    asked.answer("hit", "ann", faces=[6, 2])
    assert list(asked.state.all(Notice)) == []


def test_a_question_stands_after_a_restart(asked: Bench) -> None:
    before = asked.question
    asked.reopen()
    assert asked.question == before
    asked.answer("sword", "ann", faces=[5, 6, 6])
    assert asked.hp("Ann") == 15


def test_an_answer_that_is_none_of_the_choices_is_refused(asked: Bench) -> None:
    assert (
        asked.refused({"move": "table.answer", "question": asked.question.id, "choice": "vest"}, "ann")
        == "That is not one of the choices."
    )


def test_only_those_who_may_answer_see_what_may_be_answered(asked: Bench) -> None:
    views = {seat: question_view(asked.sight(seat), asked.question) for seat in (GM, "ann", "ben", SCREEN)}
    assert {seat: view.ask for seat, view in views.items()} == dict.fromkeys(
        views, "Thug hits Ann with 5. 2 more may still strike this round. Parry?"
    )
    assert {seat: [choice.id for choice in view.choices] for seat, view in views.items()} == {
        GM: ["hit", "sword", "arm"],
        "ann": ["hit", "sword", "arm"],
        "ben": [],
        SCREEN: [],
    }


def test_a_blow_of_somebody_who_was_removed_is_withdrawn(asked: Bench) -> None:
    asked.do({"move": "table.remove_character", "character": "Thug"})
    assert asked.state.questions() == []
    assert asked.up == "Rat"


def test_the_gm_gets_past_a_roll_that_became_impossible(bench: Bench) -> None:
    bench.crowd.of["ann"] = Habits(real_dice=True)
    powers = {"mend": power_body("mend", "healing d6 2")}
    bench.do({"move": "table.edit", "actor": "Ann", "game_id": "squad", "values": {"powers": powers, "hp.now": 9}})
    bench.do({"move": "squad.use_power", "actor": "Ann", "power": "mend", "patient": "Ann"}, "ann")
    bench.do({"move": "squad.drop", "actor": "Ann", "what": "power", "id": "mend"})
    told = {"move": "table.tell_faces", "question": bench.question.id, "faces": [5]}
    assert bench.refused(told, "ann") == "There is no such power on the sheet."
    bench.next(faces=[5])
    assert bench.words()[0] == "That can't be done any more: There is no such power on the sheet."
    assert (bench.state.questions(), bench.hp("Ann")) == ([], 9)


def test_a_parry_with_a_device_that_is_gone_meanwhile_can_be_passed_by(asked: Bench) -> None:
    asked.crowd.of["ann"] = Habits(real_dice=True)
    asked.answer("sword", "ann")
    asked.tell(8, as_="ann", faces=[6])
    asked.do({"move": "table.edit", "actor": "Ann", "game_id": "squad", "values": {"devices": {}}})
    asked.next(faces=[4])
    assert asked.words()[0] == "That can't be done any more: There is no such device on the sheet."
    assert asked.state.questions() == []
    assert asked.hp("Ann") == 15


# --- the big button ----------------------------------------------------------------------------------------


def test_next_says_what_it_will_do(bench: Bench) -> None:
    def label() -> str:
        return render(next_label(bench.state), bench.sight())

    said = [label()]
    bench.do({"move": "table.done", "actor": "Ann"})
    said.append(label())
    bench.attack("Thug", "Ann", "club", faces=[5])
    said.append(label())
    bench.next(faces=[1, 1])
    bench.passes_on("Rat", "Ann", "Ben", "Thug")
    said.append(label())
    assert said == [
        "8: end Ann's turn",
        "6: Thug attacks Ann with Club",
        "No parry · go on",
        "Start round 2",
    ]


def test_next_pressed_for_what_is_past_is_refused(bench: Bench) -> None:
    shown = what_next(bench.state)
    bench.do({"move": "table.done", "actor": "Ann"}, "ann")
    stale = {"move": "table.next", "seen": shown}
    assert bench.refused(stale) == "The table has moved on. Look at the button again."


def test_next_pressed_twice_goes_on_once(bench: Bench) -> None:
    shown = what_next(bench.state)
    assert bench.send({"move": "table.next", "seen": shown}).ok
    assert not bench.send({"move": "table.next", "seen": shown}).ok
    assert bench.up == "Thug"


def test_next_for_an_open_question_does_not_answer_another(asked: Bench) -> None:
    shown = what_next(asked.state)
    asked.answer("hit", "ann", faces=[1, 1])
    asked.attack("Rat", "Ben", "bite", faces=[4])
    assert not asked.send({"move": "table.next", "seen": shown}).ok
    assert len(asked.state.questions()) == 1


# --- plus and minus ----------------------------------------------------------------------------------------


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


# --- undo --------------------------------------------------------------------------------------------------


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


# --- the unseen --------------------------------------------------------------------------------------------


@pytest.fixture
def ambush(store: Store) -> Bench:
    """A hidden foe is up; it shares its name with another one that hides, and stands in the order."""
    bench = Bench(store)
    bench.hero("Ann", tuf=8, devices={"sword": "melee d8"})
    bench.foe("Rat", monster=4, hp=4)
    bench.foe(SECRET, hidden=True, monster=8, devices={"needle": "melee d6"})
    bench.fight(**{"Ann": 3, "Rat": 2, SECRET: 8})
    return bench


def test_nothing_of_the_hidden_is_in_any_players_or_screens_view(ambush: Bench) -> None:
    assert ambush.up == SECRET
    ambush.do({"move": "table.edit", "actor": SECRET, "game_id": "squad", "values": {"weakness": SECRET}})
    for person in ("ann", "ben", "", SCREEN):
        page = seen_by(ambush, person, entries=99)
        assert "Ann" in page
        for secret in (SECRET, ambush.ids[SECRET], "Needle"):
            assert secret not in page, person
    assert all(secret in seen_by(ambush, GM, entries=99) for secret in (SECRET, "Needle"))


def test_a_hidden_turn_leaves_no_gap_and_stops_no_clock(ambush: Bench) -> None:
    fight = ambush.battle
    for person in ("ann", SCREEN):
        view = fight_view(ambush.sight(person), fight)
        assert [(slot.number, slot.name) for slot in view.slots] == [(3, "Ann"), (2, "Rat")]
        assert view.up is None
    ambush.next()
    ambush.next()
    assert (ambush.up, ambush.order()) == (SECRET, [f"3 {SECRET}", "2 Rat"])
    assert fight_view(ambush.sight("ann"), ambush.battle).up_name == "Ann"


def test_a_blow_from_hiding_says_one_thing_to_the_gm_and_another_to_all(ambush: Bench) -> None:
    move = {"move": "squad.attack", "actor": SECRET, "target": "Ann", "device": "needle", "stay_hidden": True}
    ambush.do(move, faces=[6])
    assert ambush.words("ann") == ambush.words(SCREEN) == []
    question = question_view(ambush.sight("ann"), ambush.question)
    assert question.ask == "Something hits Ann with 6. 1 more may still strike this round. Parry?"
    ambush.answer("hit", "ann", faces=[5])
    assert ambush.words("ann") == ambush.words(SCREEN) == ["Something strikes Ann: −5, 10 of 15 left."]
    assert ambush.words() == ["Ann takes 5 damage, 10 of 15 left.", "Something strikes Ann: −5, 10 of 15 left."]
    assert SECRET not in seen_by(ambush, "ann", entries=2)


def test_a_parried_blow_from_hiding_tells_no_damage(ambush: Bench) -> None:
    move = {"move": "squad.attack", "actor": SECRET, "target": "Ann", "device": "needle", "stay_hidden": True}
    ambush.do(move, faces=[6])
    ambush.answer("sword", "ann", faces=[6, 5, 5])
    assert ambush.words("ann") == [
        "Ann parries with Sword: 6 against 6, parried.",
        "Something strikes Ann's Sword.",
    ]


def test_a_hidden_fighter_who_is_asked_looks_like_the_gm(ambush: Bench) -> None:
    ambush.do({"move": "table.assign", "character": SECRET, "seats": ["eve"]})
    ambush.crowd.of["eve"] = Habits(real_dice=True)
    move = {"move": "squad.attack", "actor": SECRET, "target": "Ann", "device": "needle", "stay_hidden": True}
    ambush.do(move, "eve")
    for person in ("ann", SCREEN):
        view = question_view(ambush.sight(person), ambush.question)
        assert (view.addressee, view.name, view.choices, view.dice) == (None, "GM", (), ())
    assert question_view(ambush.sight("eve"), ambush.question).dice == (8,)


def test_an_attack_reveals_unless_the_gm_says_otherwise(ambush: Bench) -> None:
    ambush.attack(SECRET, "Ann", "needle", faces=[1])
    assert ambush.words("ann")[0] == f"{SECRET} comes into sight."
    assert fight_view(ambush.sight("ann"), ambush.battle).slots[0].name == SECRET


def test_revealing_opens_no_old_line(ambush: Bench) -> None:
    said = [entry for entry in ambush.table.entries if any(line.audience.kind == "gm" for line in entry.lines)]
    ambush.do({"move": "table.reveal", "character": SECRET})
    assert said
    for entry in said:
        secret = [line for line in entry.lines if line.audience.kind == "gm"]
        assert [line_view(ambush.sight("ann"), line) for line in secret] == [None] * len(secret)


def test_an_alias_covers_the_true_name_in_every_line(store: Store) -> None:
    bench = Bench(store)
    bench.foe(SECRET, alias="A shape", monster=4)
    bench.do({"move": "table.rename", "actor": SECRET, "name": f"{SECRET} the Second"})
    bench.do({"move": "table.remove_character", "character": SECRET})
    bench.undo()
    for person in ("ann", SCREEN):
        assert SECRET not in seen_by(bench, person, entries=99)
        assert "A shape leaves the table." in bench.words(person, of=bench.table.entries[-2])


def test_letters_tell_apart_only_those_in_sight_and_stay(store: Store) -> None:
    bench = Bench(store)
    for _ in range(2):
        bench.foe("Thug", monster=6)
    bench.foe("Thug", monster=6, hidden=True)
    third = bench.ids["Thug"]
    letters = {one.letter for one in bench.state.characters()}
    assert letters == {"A", "B", ""}
    bench.do({"move": "table.reveal", "character": third})
    assert bench.state.character(third).letter == "C"
    bench.do({"move": "table.reveal", "character": third, "hidden": True})
    bench.foe("Thug", monster=6)
    assert bench.state.character(bench.ids["Thug"]).letter == "D", "C comes back with its letter"


def test_newcomers_of_a_fight_hide_unless_the_table_says_otherwise(bench: Bench) -> None:
    sheets = {"squad": {"hp": {"now": 4, "full": 4}}}
    dog = {"move": "table.add_characters", "name": "Dog", "sheets": sheets}
    bench.do(dog)
    assert bench.state.characters()[-1].hidden
    assert bench.words(SCREEN) == []
    values = {"newcomers_hidden": False}
    bench.do({"move": "table.edit_table", "key": "table.settings/table", "values": values})
    bench.do(dog)
    assert not bench.state.characters()[-1].hidden
    assert bench.words(SCREEN) == ["Dog appears.", "Dog joins the fight."]


def test_hidden_figures_are_shown_to_the_gm_alone(bench: Bench) -> None:
    values = {"hide_figures": True}
    bench.do({"move": "table.edit_table", "key": "table.settings/table", "values": values})
    bench.attack("Ann", "Thug", "sword", as_="ann", faces=[3])
    (line,) = bench.lines("ann")
    assert "3 against ? (half" in line.words
    assert (line.rolls[0].target, line.rolls[0].chance) == ("? (half of Thug's monster die)", None)
    assert "3 against 4 (half" in bench.words()[0]


# --- dice on the table -------------------------------------------------------------------------------------


@pytest.fixture
def by_hand(bench: Bench) -> Bench:
    bench.crowd.of["ann"] = Habits(real_dice=True)
    return bench


def test_an_attack_with_real_dice_asks_for_faces_and_goes_the_same_way(by_hand: Bench) -> None:
    by_hand.attack("Ann", "Thug", "sword", as_="ann")
    assert isinstance(by_hand.question, Faces)
    assert by_hand.question.wanted == (8,)
    assert by_hand.sheet("Ann").spent == (0,), "the chance is used, nothing has fallen yet"
    assert by_hand.words("ann") == []
    by_hand.tell(6, as_="ann", faces=[5])
    assert by_hand.question.wanted == (8,), "the damage is hers as well"
    by_hand.tell(7, as_="ann")
    assert by_hand.state.questions() == []
    assert by_hand.sheet("Thug").hp.now == 3
    assert (by_hand.up, by_hand.sheet("Ann").spent) == ("Thug", (0,))
    rolls = [
        roll.by_hand
        for entry in by_hand.table.entries[-2:]
        for line in by_hand.lines(of=entry)
        for roll in line.rolls
    ]
    assert rolls == [True, False, True]


def test_told_dice_and_thrown_dice_come_to_the_same(store: Store) -> None:
    def played(real: bool) -> list[str]:
        bench = Bench(store)
        bench.crowd.of["ann"] = Habits(real_dice=real)
        bench.hero("Ann", devices={"sword": "melee d8", "vest": "armour d6"})
        bench.foe("Thug", monster=8, devices={"club": "melee d6"})
        bench.fight(Ann=3, Thug=8)
        start = len(bench.table.entries)
        bench.attack("Thug", "Ann", "club", faces=[5])
        if real:
            bench.answer("hit", "ann", faces=[6])
            bench.tell(2, as_="ann")
        else:
            bench.answer("hit", "ann", faces=[6, 2])
        return [words for entry in bench.table.entries[start:] for words in bench.words(of=entry)]

    assert played(real=True) == played(real=False)


def test_a_roll_by_hand_stands_after_a_restart(by_hand: Bench) -> None:
    by_hand.attack("Ann", "Thug", "sword", as_="ann")
    by_hand.reopen()
    assert question_view(by_hand.sight("ann"), by_hand.question).dice == (8,)
    by_hand.tell(6, as_="ann", faces=[5])
    by_hand.reopen()
    by_hand.tell(7, as_="ann")
    assert by_hand.sheet("Thug").hp.now == 3


def test_the_gm_may_roll_for_them_with_next(by_hand: Bench) -> None:
    by_hand.attack("Ann", "Thug", "sword", as_="ann")
    assert render(next_label(by_hand.state), by_hand.sight()) == "Roll for them · go on"
    by_hand.next(faces=[6, 5, 7])
    assert by_hand.sheet("Thug").hp.now == 3
    assert by_hand.up == "Thug"


def test_a_player_may_have_them_rolled(by_hand: Bench) -> None:
    by_hand.do({"move": "squad.task", "actor": "Ann", "attribute": "TUF", "difficulty": 4}, "ann")
    by_hand.answer("roll", "ann", faces=[4])
    assert by_hand.words("ben") == ["Ann rolls TUF: 4 against 4, success."]


@pytest.mark.parametrize(
    ("faces", "say"),
    [
        ([9], "A d8 can't show 9."),
        ([0], "A d8 can't show 0."),
        ([], "Tell 1 dice."),
        ([4, 4], "Tell 1 dice."),
        ([2.5], "Faces must be a whole number."),
    ],
)
def test_wrong_faces_are_refused(by_hand: Bench, faces: list[Any], say: str) -> None:
    by_hand.attack("Ann", "Thug", "sword", as_="ann")
    told = {"move": "table.tell_faces", "question": by_hand.question.id, "faces": faces}
    assert by_hand.refused(told, "ann") == say
    assert by_hand.refused({**told, "faces": [4]}, "ben") == "That is not yours to decide."


def test_dice_told_twice_count_once(by_hand: Bench) -> None:
    by_hand.do({"move": "squad.task", "actor": "Ann", "attribute": "TUF", "difficulty": 4}, "ann")
    told = {"move": "table.tell_faces", "question": by_hand.question.id, "faces": [4]}
    by_hand.do(told, "ann")
    assert by_hand.refused(told, "ann") == "That is decided already."


def test_undo_takes_back_a_roll_by_hand_with_all_that_was_told(by_hand: Bench) -> None:
    before = by_hand.bodies()
    attack = by_hand.attack("Ann", "Thug", "sword", as_="ann")
    by_hand.tell(6, as_="ann", faces=[5])
    by_hand.tell(7, as_="ann")
    assert by_hand.undo(attack, "ann").ok
    assert by_hand.bodies() == before


def test_initiative_of_many_asks_each_with_real_dice_and_rolls_for_the_rest(by_hand: Bench) -> None:
    by_hand.do({"move": "table.end_fight"})
    by_hand.do({"move": "table.start_fight"})
    by_hand.next(faces=[3, 6, 2])
    assert [question.addressee for question in by_hand.state.questions()] == [by_hand.ids["Ann"]]
    assert by_hand.phase is Phase.ORDER
    by_hand.tell(8, as_="ann")
    assert by_hand.order() == ["8 Ann", "6 Thug", "3 Ann", "3 Ben", "2 Rat", "1 Thug"]


# --- what no page would send -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "say"),
    [
        (None, "This table knows no such move."),
        ([], "This table knows no such move."),
        ({"move": ["table.next"]}, "This table knows no such move."),
        ({"move": "table.undo"}, "This table knows no such move."),
        ({"move": "table.adjust"}, "Actor is missing: fill it in."),
        ({"move": "table.rename", "actor": "x", "name": "  "}, "Name can't be empty: fill it in."),
        ({"move": "table.rename", "actor": "x", "name": "n" * 41}, "Name is too long: 40 letters at most."),
        ({"move": "table.rename", "actor": "x", "name": "\ud800"}, "Name can't be empty: fill it in."),
        (
            {"move": "table.adjust", "actor": "x", "game_id": "squad", "path": ["will"], "amount": 1000},
            "Amount can be 999 at most.",
        ),
        ({"move": "table.adjust", "actor": "x", "game_id": "squad", "path": [], "amount": 1}, None),
        ({"move": "table.next", "seen": 3, "more": True}, None),
        ({"move": "table.rest", "how": {"x": float("nan")}}, UNWRITABLE),
        ({"move": "table.edit_table", "key": "squad.house/squad", "values": {"x": ["\ud800"]}}, UNWRITABLE),
    ],
)
def test_a_message_no_page_sends_gets_one_sentence(bench: Bench, message: Any, say: str | None) -> None:
    before = bench.everything()
    reply = bench.table.do(message, viewer(GM))
    assert not reply.ok
    assert reply.say if say is None else reply.say == say
    assert bench.everything() == before


@pytest.mark.parametrize("id", ["arm", "hit", "", "a.b", "x" * 41])
def test_a_device_has_an_id_that_can_be_chosen(bench: Bench, id: str) -> None:
    values = {"devices": {id: {"name": "Club", "make": "melee", "die": 6}}}
    assert bench.refused({"move": "table.edit", "actor": "Ann", "game_id": "squad", "values": values})


def test_what_is_said_of_somebody_and_the_name_they_go_by_turn_nothing_round(bench: Bench) -> None:
    said = {"name": "\u202eMask", "alias": "\u2066A\nshape", "line": "\u202eA liar\x00 by trade"}
    bench.do({"move": "table.add_characters", "sheets": {}, **said}, by_name=False)
    mask = bench.state.characters()[-1]
    assert (mask.name, mask.alias, mask.line) == ("Mask", "A shape", "A liar by trade")
    bench.do({"move": "table.disguise", "character": mask.id, "alias": "\u202eAnother"})
    assert bench.state.characters()[-1].alias == "Another"


def test_what_the_fight_keeps_is_the_gms_to_edit(bench: Bench) -> None:
    edit = {"move": "table.edit", "actor": "Ann", "game_id": "squad", "values": {"initiative": 12}}
    assert bench.refused(edit, "ann") == "Only the GM changes that by hand."
    bench.do(edit)
    assert bench.order()[0] == "12 Ann"


# --- what is asked for somebody who is gone ----------------------------------------------------------------


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


# --- chances against foes ----------------------------------------------------------------------------------


def attack_buttons(bench: Bench, who: str, as_: str) -> tuple[Menu, list[Button]]:
    blocks = [block for _, own in Picture(bench.table, viewer(as_)).blocks(bench.ids[who]) for block in own]
    menu = next(block for block in blocks if isinstance(block, Menu) and block.key == "squad.attack")
    return menu, [button for tab in menu.tabs for button in tab.buttons]


def test_chances_are_rough_until_the_first_blow_unless_the_gm_says_otherwise(bench: Bench) -> None:
    def told(as_: str = "ann") -> object:
        return attack_buttons(bench, "Ann", as_)[1][0].chance

    exact, thug = told(GM), {"move": "table.disguise", "character": "Thug"}
    assert isinstance(exact, Fraction)
    assert isinstance(told(), str)
    bench.do({**thug, "odds": "exact"})
    assert told() == exact
    bench.do({**thug, "odds": "own die only"})
    assert re.fullmatch(r"d\d+", str(told()))
    bench.do(thug)
    blow = bench.attack("Ann", "Thug", "sword", as_="ann", faces=[1])
    assert bench.state.character(bench.ids["Thug"]).known
    bench.undo(blow)
    assert not bench.state.character(bench.ids["Thug"]).known


def test_hidden_figures_leave_the_own_die(bench: Bench) -> None:
    values = {"hide_figures": True}
    bench.do({"move": "table.edit_table", "key": "table.settings/table", "values": values})
    assert re.fullmatch(r"d\d+", str(attack_buttons(bench, "Ann", "ann")[1][0].chance))
    assert isinstance(attack_buttons(bench, "Ann", GM)[1][0].chance, Fraction)


def test_a_hidden_foe_may_attack_and_stay_hidden(ambush: Bench) -> None:
    menu, buttons = attack_buttons(ambush, SECRET, GM)
    assert [(key, ambush.sight().words(label)) for key, label in menu.switches] == [("stay_hidden", "Stay hidden")]
    unseen = buttons[0].switched["stay_hidden"]
    assert unseen.move == {**buttons[0].move, "stay_hidden": True}
    ambush.script.faces += [1]
    assert ambush.table.do(unseen.move, viewer(GM)).ok
    hidden = ambush.state.character(ambush.ids[SECRET])
    assert hidden.hidden
    assert not hidden.known


def test_a_disguise_takes_letters_along_that_would_give_it_away(store: Store) -> None:
    bench = Bench(store)
    for _ in range(2):
        bench.foe("Thug", monster=6)
    second = bench.ids["Thug"]
    bench.do({"move": "table.reveal", "character": second, "hidden": True})
    bench.do({"move": "table.disguise", "character": second, "alias": "A shape"})
    bench.do({"move": "table.reveal", "character": second})
    assert bench.sight("ann").name(second) == "A shape"
    bench.do({"move": "table.disguise", "character": second})
    assert bench.words("ann") == ["A shape turns out to be Thug B."]
