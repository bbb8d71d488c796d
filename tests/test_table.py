"""The live table: once and for all, undone and redone, asked and answered, seen and unseen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.play import GM, SCREEN, Bench, hurt, power_body, viewer
from webapp.projection.picture import Picture
from webapp.rules.document import Notice
from webapp.rules.next_step import next_label, what_next
from webapp.rules.questions_view import question_view
from webapp.rules.state import Habits
from webapp.rules.text import render
from webapp.store import NotSaved, Store

UNWRITABLE = "There is a value in it that can't be written down. Enter another."


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
        views, "Thug hits Ann with 5: damage d6, less d6 of Vest. 2 more may still strike this round. Parry?"
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
