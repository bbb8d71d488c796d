"""Mixed tables: some roll on the table and tell the faces, for others the program throws."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.play import BOOK, GM, SCREEN, Bench
from webapp.history import Entry
from webapp.rules.asking import Faces
from webapp.rules.encounter import Phase
from webapp.rules.next_step import next_label
from webapp.rules.questions_view import question_view
from webapp.rules.state import Habits
from webapp.rules.text import render
from webapp.store import Store


@pytest.fixture
def mixed(store: Store) -> Bench:
    """Ann rolls by hand, Ben lets the program throw; the GM rolls by hand for a thug (8) and a rat (2)."""
    bench = Bench(store)
    bench.hero(
        "Ann",
        tuf=8,
        will=3,
        first_aid=True,
        devices={"sword": "melee d8", "vest": "armour d6", "coat": "armour d4"},
        powers={"mend": "healing d10 2"},
    )
    bench.hero("Ben", tuf=8, will=3, devices={"axe": "melee d10", "vest": "armour d6"})
    bench.foe("Thug", monster=8, hp=10, devices={"club": "melee d6", "vest": "armour d4"})
    bench.foe("Rat", monster=4, hp=4, devices={"bite": "melee d4"})
    bench.crowd.of["ann"] = Habits(real_dice=True)
    gm_by_hand(bench, True)
    return bench


def gm_by_hand(bench: Bench, by_hand: bool) -> None:
    values = {"gm_rolls_by_hand": by_hand}
    bench.do({"move": "table.edit_table", "key": "table.settings/table", "values": values})


def wanted(bench: Bench) -> list[tuple[str, tuple[int, ...]]]:
    """Who is asked for which dice, oldest first."""
    asked = [one for one in bench.state.questions() if isinstance(one, Faces)]
    return [(bench.names[one.addressee] if one.addressee else GM, one.wanted) for one in asked]


def rolled(bench: Bench, since: Entry) -> list[tuple[str, tuple[int, ...], bool]]:
    """All rolls after this row: what for, the faces, by hand or not."""
    entries = [entry for entry in bench.table.entries if entry.number > since.number]
    rolls = [roll for entry in entries for line in entry.lines for roll in line.rolls]
    return [(render(roll.ask.what, bench.sight()), roll.faces, roll.by_hand) for roll in rolls]


class Chain:
    """Tells faces, one throw after the other, and checks that just those are asked of just that person."""

    def __init__(self, bench: Bench, *, reload: bool) -> None:
        self.bench = bench
        self.reload = reload

    def tell(self, who: str, dice: tuple[int, ...], *faces: int, thrown: tuple[int, ...] = ()) -> None:
        if self.reload:
            self.bench.reopen()
        assert wanted(self.bench)[0] == (who, dice)
        seats = self.bench.state.character(self.bench.ids[who]).seats
        as_ = seats[0] if seats else GM
        for other in {GM, "ann", "ben", SCREEN} - {as_, GM}:
            assert question_view(self.bench.sight(other), self.bench.question).dice == ()
        self.bench.tell(*faces, as_=as_, faces=thrown)


@pytest.mark.parametrize("reload", [False, True], ids=["", "reloaded before each"])
def test_a_blow_asks_the_attacker_the_defender_and_the_attacker_again(mixed: Bench, reload: bool) -> None:
    mixed.fight(Ann=8, Thug=6, Rat=2, Ben=1)
    chain, start = Chain(mixed, reload=reload), mixed.table.entries[-1]
    mixed.attack("Ann", "Thug", "sword", as_="ann")
    chain.tell("Ann", (8,), 5)
    chain.tell("Thug", (8,), 4)
    chain.tell("Ann", (8,), 7)
    chain.tell("Thug", (4,), 3)
    assert wanted(mixed) == []
    assert (mixed.hp("Thug"), mixed.up) == (6, "Thug")
    assert [by_hand for *_, by_hand in rolled(mixed, start)] == [True, True, True, True]


@pytest.mark.parametrize("reload", [False, True], ids=["", "reloaded before each"])
def test_a_blow_of_the_gm_at_one_by_hand_who_parries_raised_and_rolls_again(mixed: Bench, reload: bool) -> None:
    mixed.fight(Thug=8, Ann=4, Ben=2)
    chain, start = Chain(mixed, reload=reload), mixed.table.entries[-1]
    mixed.next()
    chain.tell("Thug", (8,), 6)
    mixed.answer("raised sword", "ann")
    chain.tell("Ann", (10,), 3)
    mixed.answer("again", "ann")
    chain.tell("Ann", (10,), 5)
    chain.tell("Thug", (6,), 6)
    chain.tell("Ann", (6,), 2)
    chain.tell("Ann", (4,), 1)
    assert (mixed.hp("Ann"), mixed.sheet("Ann").will, mixed.sheet("Ann").parried) == (12, 1, 1)
    assert [faces for _, faces, _ in rolled(mixed, start)] == [(6,), (3,), (5,), (6,), (2,), (1,)]


def test_at_one_blow_one_rolls_by_hand_and_the_other_does_not(mixed: Bench) -> None:
    gm_by_hand(mixed, False)
    mixed.fight(Thug=8, Ann=4, Rat=2)
    chain, start = Chain(mixed, reload=True), mixed.table.entries[-1]
    mixed.script.faces += [5]
    mixed.attack("Thug", "Ann", "club")
    mixed.answer("sword", "ann")
    chain.tell("Ann", (8,), 6, thrown=(4,))
    chain.tell("Ann", (8,), 1)
    assert [(faces, by_hand) for _, faces, by_hand in rolled(mixed, start)] == [
        ((5,), False),
        ((6,), True),
        ((4,), False),
        ((1,), True),
    ]
    assert mixed.sheet("Ann").devices["sword"].die == 6


def test_several_foes_at_one_number_are_asked_one_after_the_other(mixed: Bench) -> None:
    mixed.fight(Thug=4, Rat=4, Ann=2, Ben=1)
    chain = Chain(mixed, reload=True)
    mixed.next()
    assert wanted(mixed) == [("Thug", (8,)), ("Rat", (4,))]
    chain.tell("Thug", (8,), 1)
    chain.tell("Rat", (4,), 4)
    mixed.answer("hit", "ben")
    mixed.script.faces += [6]
    chain.tell("Rat", (4,), 4)
    assert mixed.hp("Ben") == 15
    assert mixed.up == "Ann"


def test_initiative_and_surprise_are_asked_of_each_and_thrown_for_the_others(mixed: Bench) -> None:
    mixed.do({"move": "table.start_fight"})
    mixed.do({"move": "squad.surprise", "ambush": False}, faces=[3])
    assert wanted(mixed) == [("Ann", (8,))]
    mixed.tell(4, as_="ann")
    assert (mixed.sheet("Ann").surprised, mixed.sheet("Ben").surprised) == (False, True)
    mixed.answer("keep", "ben")
    mixed.do({"move": "squad.initiative", "actor": "Ann"}, "ann")
    assert wanted(mixed) == [("Ann", (8,))]
    mixed.next(faces=[8])
    assert mixed.phase is Phase.ORDER
    mixed.next(faces=[7])
    assert wanted(mixed) == [("Thug", (8,)), ("Rat", (4,))]
    mixed.tell(6)
    mixed.tell(2)
    assert mixed.order() == ["8 Ann", "7 Ben", "6 Thug", "3 Ann", "2 Ben", "2 Rat", "1 Thug"]


def test_first_aid_healing_and_a_task_by_hand_and_the_rest_is_the_gms(mixed: Bench) -> None:
    mixed.do({"move": "table.adjust", "actor": "Ben", "game_id": "squad", "path": ["hp", "now"], "amount": -15})
    chain, start = Chain(mixed, reload=True), mixed.table.entries[-1]
    mixed.do({"move": "squad.first_aid", "actor": "Ann", "patient": "Ben", "raised": True}, "ann")
    chain.tell("Ann", (10,), 4)
    mixed.do({"move": "squad.use_power", "actor": "Ann", "power": "mend", "patient": "Ben"}, "ann")
    chain.tell("Ann", (10,), 9)
    mixed.do({"move": "squad.task", "actor": "Ann", "attribute": "ATN", "difficulty": 6}, "ann")
    chain.tell("Ann", (8,), 5)
    mixed.answer("again", "ann")
    chain.tell("Ann", (8,), 6)
    mixed.do({"move": "table.adjust", "actor": "Ann", "game_id": "squad", "path": ["hp", "now"], "amount": -5})
    mixed.do({"move": "table.rest", "hours": 16})
    assert wanted(mixed) == [(GM, (2, 2)), (GM, (2, 2))], "each resting hero has dice of their own"
    mixed.tell(1, 2)
    assert wanted(mixed) == [(GM, (2, 2))]
    mixed.tell(1, 2)
    assert (wanted(mixed), mixed.hp("Ben")) == ([], 12)
    assert all(by_hand for *_, by_hand in rolled(mixed, start))
    assert mixed.sheet("Ann").will == 1


def test_streaks_count_told_faces_like_thrown_ones(mixed: Bench) -> None:
    for _ in range(2):
        mixed.do({"move": "squad.task", "actor": "Ann", "attribute": "TUF", "difficulty": 4}, "ann")
        mixed.tell(8, as_="ann")
    assert mixed.sheet("Ann").will == 4
    mixed.do({"move": "squad.task", "actor": "Ann", "attribute": "TUF", "difficulty": 4}, "ann")
    mixed.answer("roll", "ann", faces=[8])
    assert (mixed.sheet("Ann").will, mixed.sheet("Ann").streak) == (4, "high")


def test_what_the_program_throws_for_somebody_is_not_marked_by_hand(mixed: Bench) -> None:
    """Armour of d6 and d4: the first is told, the second thrown for her."""
    mixed.fight(Thug=8, Ann=4, Ben=2)
    start = mixed.table.entries[-1]
    mixed.attack("Thug", "Ann", "club")
    mixed.answer("roll", faces=[6])
    mixed.answer("hit", "ann")
    mixed.tell(6)
    mixed.tell(2, as_="ann")
    mixed.reopen()
    assert wanted(mixed) == [("Ann", (4,))]
    mixed.answer("roll", "ann", faces=[1])
    assert [(faces, by_hand) for _, faces, by_hand in rolled(mixed, start)] == [
        ((6,), False),
        ((6,), True),
        ((2,), True),
        ((1,), False),
    ]


def test_thrown_first_and_told_then(mixed: Bench) -> None:
    mixed.fight(Thug=8, Ann=4, Ben=2)
    start = mixed.table.entries[-1]
    mixed.attack("Thug", "Ann", "club")
    mixed.tell(6)
    mixed.answer("hit", "ann")
    mixed.tell(6)
    mixed.answer("roll", "ann", faces=[2])
    assert question_view(mixed.sight("ann"), mixed.question).dice == (4,)
    mixed.tell(1, as_="ann")
    assert [(faces, by_hand) for _, faces, by_hand in rolled(mixed, start)] == [
        ((6,), True),
        ((6,), True),
        ((2,), False),
        ((1,), True),
    ]


def test_next_rolls_for_everybody_and_goes_on_as_one_row(mixed: Bench) -> None:
    mixed.fight(Ann=8, Thug=6, Ben=2)
    mixed.attack("Ann", "Thug", "sword", as_="ann")
    assert render(next_label(mixed.state), mixed.sight()) == "Roll for them · go on"
    entry = mixed.next(faces=[5, 4, 7, 3])
    assert mixed.hp("Thug") == 6
    assert [roll.by_hand for line in entry.lines for roll in line.rolls] == [False] * 4


def test_a_die_that_changed_while_it_was_asked_for_is_asked_for_again(mixed: Bench) -> None:
    mixed.do({"move": "squad.task", "actor": "Ann", "attribute": "TUF", "difficulty": 4}, "ann")
    mixed.do({"move": "table.edit", "actor": "Ann", "game_id": "squad", "values": {"tuf": 6}})
    mixed.tell(8, as_="ann")
    assert wanted(mixed) == [("Ann", (6,))]
    mixed.tell(5, as_="ann")
    assert mixed.words("ben") == ["Ann rolls TUF: 5 against 4, success."]


def test_the_gm_withdraws_a_roll_that_has_begun(mixed: Bench) -> None:
    mixed.fight(Ann=8, Thug=6, Ben=2)
    before = mixed.bodies()
    row = mixed.attack("Ann", "Thug", "sword", as_="ann")
    mixed.tell(5, as_="ann")
    mixed.tell(4)
    assert mixed.undo(row).ok
    assert mixed.bodies() == before
    assert (wanted(mixed), mixed.up) == ([], "Ann")


def test_a_hit_by_hand_can_be_undone_from_the_middle(mixed: Bench) -> None:
    mixed.fight(Ann=8, Thug=6, Ben=2)
    mixed.attack("Ann", "Thug", "sword", as_="ann")
    mixed.tell(5, as_="ann")
    answered = mixed.tell(4)
    mixed.tell(7, as_="ann")
    mixed.tell(3)
    assert mixed.hp("Thug") == 6
    assert mixed.undo(answered).ok
    assert wanted(mixed) == [("Thug", (8,))]
    mixed.tell(5)
    mixed.tell(7, as_="ann")
    assert mixed.hp("Thug") == 10, "this time it was parried"


def test_by_hand_and_thrown_come_to_the_same(store: Store) -> None:
    """A whole round, played twice with the same faces."""

    def played(by_hand: bool) -> tuple[list[str], Any]:
        bench = Bench(store)
        bench.hero("Ann", tuf=8, will=1, devices={"sword": "melee d8", "vest": "armour d6"})
        bench.foe("Thug", monster=8, hp=12, devices={"club": "melee d6"})
        bench.crowd.of["ann"] = Habits(real_dice=by_hand)
        if by_hand:
            gm_by_hand(bench, True)
        bench.fight(Ann=8, Thug=7)
        faces = [3, 5, 4, 7, 6, 5, 3, 4, 2]
        start = bench.table.entries[-1]
        bench.script.faces += [] if by_hand else faces
        told = iter(faces)
        bench.send({"move": "squad.attack", "actor": "Ann", "target": "Thug", "device": "sword"}, "ann")
        for _ in range(40):
            questions = bench.state.questions()
            if not questions and bench.sheet("Thug").spent:
                break
            if questions and isinstance(questions[0], Faces):
                bench.tell(next(told))
            elif questions:
                bench.send(
                    {"move": "table.answer", "question": questions[0].id, "choice": CHOICES[questions[0].kind()]}
                )
            else:
                bench.send({"move": "squad.attack", "actor": "Thug", "target": "Ann", "device": "club"})
        lines = [
            bench.sight().words(line.sentence)
            for entry in bench.table.entries
            if entry.number > start.number
            for line in entry.lines
        ]
        return lines, (bench.sheet("Ann").model_dump(exclude={"id", "fought"}), bench.hp("Thug"))

    assert played(True) == played(False)


CHOICES = {"squad.reroll": "again", "squad.parry": "sword", "squad.reroll_now": "keep"}
assert set(CHOICES) <= set(BOOK.documents)
