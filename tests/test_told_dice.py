"""Dice thrown on the table and told to Gritboard."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.play import Bench
from webapp.rules.asking import Faces
from webapp.rules.encounter import Phase
from webapp.rules.next_step import next_label
from webapp.rules.questions_view import question_view
from webapp.rules.state import Habits
from webapp.rules.text import render
from webapp.store import Store


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
