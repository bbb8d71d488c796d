"""Random tables of the table's own and of its rule sets."""

from __future__ import annotations

import pytest

from tests.support.play import ALL_GAMES, BOOK, GM, HERO, Bench, viewer
from webapp.projection.picture import Picture
from webapp.rules.document import Side
from webapp.store import Store

WEATHER = {"move": "table.keep_table", "name": "Weather", "lines": "1-3 Rain\n4-5 Fog\n6 Sun"}


def test_a_table_of_ones_own_is_kept_rolled_and_thrown_away(store: Store) -> None:
    bench = Bench(store)
    bench.hero("Ann", squad=HERO)
    bench.do(WEATHER)
    (found,) = Picture(bench.table, viewer(GM)).tables()
    assert Picture(bench.table, viewer("ann")).tables() == ()
    bench.do({"move": "table.roll_table", "table": found.id}, faces=[5])
    assert bench.words() == ["Weather, 5: Fog"]
    assert "no such table" in bench.refused({"move": "table.roll_table", "table": found.id}, "ann")
    bench.do({**WEATHER, "table": found.id, "shared": True})
    bench.do({"move": "table.roll_table", "table": found.id, "secret": True}, as_="ann", faces=[6])
    assert bench.words("ann") == ["Weather, 6: Sun"]
    assert bench.words("ben") == []
    bench.do({"move": "table.throw_table_away", "table": found.id})
    assert Picture(bench.table, viewer(GM)).tables() == ()
    bench.undo()
    assert len(Picture(bench.table, viewer(GM)).tables()) == 1


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"lines": "1 Rain\nFog"}, "no number"),
        ({"lines": "1-3 Rain\n3 Fog"}, "twice"),
        ({"lines": "7 Rain"}, "can't show 7"),
        ({"lines": "2 Rain", "count": 1, "sides": 1}, "at least 2"),
        ({"lines": "1 Rain", "count": 2}, "can't show 1"),
        ({"lines": "  "}, "empty"),
        ({"table": "nobody's"}, "no such table"),
        ({"lines": "\n".join("Rain" for _ in range(101)), "sides": 100, "count": 2}, "100 rows"),
        ({"lines": "1 " + "x" * 201}, "200 letters"),
    ],
)
def test_a_table_that_cannot_be_read_is_refused(store: Store, wrong: dict[str, object], words: str) -> None:
    assert words in Bench(store).refused({**WEATHER, **wrong})


def test_lines_without_numbers_are_counted(store: Store) -> None:
    bench = Bench(store)
    bench.do({**WEATHER, "lines": "Rain\nFog\nSun", "sides": 3})
    (found,) = Picture(bench.table, viewer(GM)).tables()
    assert [(row.lowest, row.words) for row in found.rows] == [(1, "Rain"), (2, "Fog"), (3, "Sun")]


def test_the_rule_sets_show_their_own_tables(store: Store) -> None:
    bench = Bench(store, games=ALL_GAMES)
    shown = {table.id: table for table in Picture(bench.table, viewer("ann")).tables()}
    assert list(shown) == ["pools.parts", "willpower.panic", "willpower.chaos"]
    assert all(table.row(face) is not None for table in shown.values() for face in range(1, table.dice[0] + 1))
    bench.do({"move": "table.roll_table", "table": "pools.parts"}, as_="ann", faces=[1])
    assert bench.words() == ["Body parts, 1: Head"]


def test_every_rule_set_has_a_side_for_heroes_and_foes() -> None:
    for game in BOOK.games.values():
        assert {start.side for start in game.starts()} == set(Side), game.id
