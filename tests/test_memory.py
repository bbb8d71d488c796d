"""What was worked out once and kept is what would be worked out now."""

from collections.abc import Callable
from functools import partial
from random import Random

import pytest

from tests.support.play import BOOK, Bench, quick_store, viewer
from webapp.projection.picture import Picture
from webapp.rules.dice import SeededDice
from webapp.rules.document import Side
from webapp.rules.memory import MOST, RECENT, Memory
from webapp.rules.next_step import what_next
from webapp.rules.state import State


def test_a_part_that_turns_out_the_same_leaves_what_was_made_of_it() -> None:
    memory, worked_out, numbers = Memory(), [], {"a": 3}

    def note(what: str, value: Callable[[], int]) -> Callable[[], int]:
        def work_out() -> int:
            worked_out.append(what)
            return value()

        return work_out

    def read() -> int:
        memory.note("number", "a")
        return numbers["a"] % 2

    def ask() -> int:
        return memory.recall("whole", note("whole", lambda: 10 + memory.recall("odd", note("odd", read))))

    assert ask() == ask() == 11
    assert worked_out == ["whole", "odd"]
    numbers["a"] = 5
    memory.forget([("number", "a")])
    assert ask() == 11
    assert worked_out == ["whole", "odd", "odd"]
    numbers["a"] = 6
    memory.forget([("number", "a")])
    assert ask() == 10


def seen(bench: Bench, names: list[str]) -> list[object]:
    found: list[object] = []
    for name in names:
        picture = Picture(bench.table, viewer(name))
        cards = picture.cards()
        found += [cards, picture.fight(), picture.questions(), picture.log(), picture.ribbon(), picture.big_button()]
        found += [picture.gm_blocks(), picture.act(), picture.heard()]
        found += [picture.blocks(card.id) for card in cards]
    return found


def afresh(bench: Bench, names: list[str]) -> list[object]:
    table, kept = bench.table, bench.table._state
    table._state = State(table.rulebook, table._documents, kept.all_habits)
    try:
        return seen(bench, names)
    finally:
        table._state = kept


@pytest.mark.parametrize("most", [MOST, 300])
def test_whatever_happens_pages_show_what_stands(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webapp.table.Memory", lambda: Memory(most))
    with quick_store() as store:
        bench = Bench(store, dice=SeededDice(7))
        for side, name, copies, sheets in BOOK.games["squad"].samples()[0].cast:
            move = {"move": "table.add_characters", "side": side, "name": name, "copies": copies, "sheets": sheets}
            assert bench.table.do(move, viewer("gm")).ok
        heroes = bench.state.characters(Side.HERO)
        for one in heroes:
            bench.table.do({"move": "table.assign", "character": one.id, "seats": [one.name]}, viewer("gm"))
        names = ["gm", heroes[0].name, heroes[1].name]
        bench.table.do({"move": "table.start_fight"}, viewer("gm"))
        for act in range(20):
            before = bench.table.revision
            bench.table.do({"move": "table.next", "seen": what_next(bench.state)}, viewer("gm"))
            if act % 4 == 3:
                hidden = {"move": "table.reveal", "character": heroes[act % 4].id, "hidden": act % 8 == 3}
                bench.table.do(hidden, viewer("gm"))
            assert bench.table.revision > before
            assert seen(bench, names) == afresh(bench, names)


def test_a_change_casts_doubt_on_what_was_made_of_it_and_on_nothing_else() -> None:
    memory, worked_out, numbers = Memory(), [], {"a": 1, "b": 2}

    def number(name: str) -> int:
        def read() -> int:
            worked_out.append(name)
            memory.note("number", name)
            return numbers[name]

        return memory.recall(name, read)

    def both() -> int:
        def add() -> int:
            worked_out.append("both")
            return number("a") + number("b")

        return memory.recall("both", add)

    assert (both(), number("b")) == (3, 2)
    worked_out.clear()
    numbers["a"] = 5
    memory.forget([("number", "a")])
    assert (number("b"), worked_out) == (2, [])
    assert (both(), worked_out) == (7, ["a", "both"])
    memory.forget([("number", None)])
    assert (both(), worked_out) == (7, ["a", "both"]), "a read of one is no read of all"


def test_what_makes_no_sense_any_more_is_left_out_by_whoever_no_longer_asks_for_it() -> None:
    memory, numbers = Memory(), {"a": 1, "b": 2}

    def number(name: str) -> int:
        def read() -> int:
            memory.note("number", name)
            return numbers[name]

        return memory.recall(name, read)

    def all_of_them() -> int:
        def add() -> int:
            memory.note("number", None)
            return sum(number(name) for name in list(numbers))

        return memory.recall("all", add)

    assert all_of_them() == 3
    del numbers["a"]
    memory.forget([("number", "a")])
    assert all_of_them() == 2


def test_room_is_made_of_what_nobody_asks_for_and_nothing_is_made_of() -> None:
    memory, worked_out = Memory(most=60), []

    def part(nth: int) -> int:
        def read() -> int:
            worked_out.append(nth)
            memory.note("number", str(nth))
            return nth

        return memory.recall(nth, read)

    def whole() -> int:
        return memory.recall("whole", lambda: part(0) + part(1))

    whole()
    part(2)
    for nth in range(RECENT + 1):
        memory.forget([("time", str(nth))])
        whole()
    for nth in range(3, 63):
        part(nth)
    worked_out.clear()
    assert (whole(), part(2), worked_out) == (1, 2, [2])
    memory.forget([("number", "0")])
    whole()
    assert worked_out == [2, 0]


def test_room_is_made_too_where_all_that_is_new_is_part_of_what_was_there_before() -> None:
    memory = Memory(most=60)

    def newest(nth: int) -> int:
        memory.note("log", None)
        return memory.recall(("row", nth), lambda: nth)

    for nth in range(1000):
        memory.forget([("log", None)])
        assert memory.recall("page", partial(newest, nth)) == nth
    assert len(memory._kept) <= 2 * (RECENT + 60)


@pytest.mark.parametrize("seed", range(10))
def test_however_often_room_is_made_what_is_recalled_is_what_stands(seed: int) -> None:
    any_of = Random(seed)
    memory, numbers = Memory(most=40), dict.fromkeys(range(40), 0)

    def number(nth: int) -> int:
        def read() -> int:
            memory.note("number", str(nth))
            return numbers[nth] % 3

        return memory.recall(("number", nth), read)

    def added(first: int, many: int) -> int:
        return memory.recall(
            ("sum", first, many), lambda: sum(number(nth % 40) for nth in range(first, first + many))
        )

    for _ in range(600):
        changed = any_of.sample(sorted(numbers), any_of.randrange(3))
        for nth in changed:
            numbers[nth] += any_of.choice((1, 3))
        memory.forget([("number", str(nth)) for nth in changed])
        first, many = any_of.randrange(40), any_of.randrange(1, 5)
        assert added(first, many) == sum(numbers[nth % 40] % 3 for nth in range(first, first + many))
