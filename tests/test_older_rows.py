"""Rows that are no longer kept at hand: the log leafs back to them, and a number still says where it comes from."""

from __future__ import annotations

import pytest

from tests.support.play import GM, Bench, EvenDice, viewer
from webapp import log
from webapp.projection.picture import Picture
from webapp.projection.told import LogRow
from webapp.store import Store

HP = {"move": "table.adjust", "game_id": "squad", "path": ["hp", "now"]}


@pytest.fixture
def bench(store: Store, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """Ann was hurt, a ghost was hurt unseen, and much has happened since."""
    monkeypatch.setattr(log, "KEPT", 5)
    bench = Bench(store)
    bench.hero("Ann", hp=15)
    bench.foe("Ghost", hp=9, monster=4, hidden=True)
    bench.do(HP | {"actor": "Ann", "amount": -3})
    bench.do(HP | {"actor": "Ghost", "amount": -2})
    much_happens(bench)
    return bench


def much_happens(bench: Bench) -> None:
    for _ in range(12):
        bench.do({"move": "table.tray", "dice": {"6": 1}}, faces=(3,))


def why(bench: Bench, who: str, block: str, as_: str = GM) -> tuple[str, ...]:
    return Picture(bench.table, viewer(as_)).because({"card": bench.ids[who], "block": block})


def rows(bench: Bench, most: int, as_: str = GM) -> tuple[LogRow, ...]:
    return Picture(bench.table, viewer(as_)).log(most)


def test_a_number_says_where_it_comes_from_however_long_ago(bench: Bench) -> None:
    assert not any(entry.move["move"] == "table.adjust" for entry in bench.table.entries)
    for who in (GM, "ann"):
        assert why(bench, "Ann", "squad.hp", who)[:3] == (
            "HP: 12 of 15",
            "Lately, the latest first:",
            "15 → 12: Ann: HP 15 → 12 (−3).",
        )
    assert why(bench, "Ghost", "squad.hp")[2] == "9 → 7: Ghost: HP 9 → 7 (−2)."
    assert why(bench, "Ghost", "squad.hp", "ann") == ()


def test_what_was_undone_long_ago_is_no_reason(bench: Bench) -> None:
    hurt = next(row for row in rows(bench, 40) if "Ann: HP" in row.lines[0].words)
    assert bench.table.undo(hurt.id, viewer(GM)).ok
    much_happens(bench)
    assert why(bench, "Ann", "squad.hp")[1] == "Nothing in the log has changed it: it stands as it was made."


def test_the_log_leafs_back_beyond_what_is_kept_at_hand(bench: Bench) -> None:
    everything = [row.id for row in bench.store.entries(bench.table.id)]
    assert [row.id for row in rows(bench, 10)] == everything[-10:]
    shown = [row.id for row in rows(bench, 100)]
    assert shown == [id for id in everything if id in shown]
    assert any("Ann: HP" in line.words for row in rows(bench, 100) for line in row.lines)
    assert not any("Ghost" in line.words for row in rows(bench, 100, "ann") for line in row.lines)
    much_happens(bench)
    assert [row.id for row in rows(bench, 100)][: len(shown)] == shown
    bench.reopen()
    assert [row.id for row in rows(bench, 100)][: len(shown)] == shown


def test_an_old_row_that_is_undone_is_shown_so(bench: Bench) -> None:
    hurt = next(row for row in rows(bench, 100) if "Ann: HP" in row.lines[0].words)
    assert bench.table.undo(hurt.id, viewer(GM)).ok
    much_happens(bench)
    assert next(row for row in rows(bench, 100) if row.id == hurt.id).undone_by == "Gm"
    assert bench.hp("Ann") == 15


@pytest.fixture
def long_ago(store: Store, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """A rat's blow, Ann's parry, and a roll of her own: so long ago that no row is at hand."""
    monkeypatch.setattr(log, "KEPT", 5)
    bench = Bench(store, dice=EvenDice())
    bench.hero("Ann", devices={"sword": "melee d8"})
    bench.foe("Rat", monster=8, devices={"bite": "melee d8"})
    bench.fight(Ann=3, Rat=8)
    bench.attack("Rat", "Ann", "bite")
    bench.answer("sword", "ann")
    bench.do({"move": "table.tray", "dice": {"6": 1}}, "ann")
    return bench


@pytest.mark.parametrize("looked", [True, False], ids=["seen when it was new", "seen for the first time"])
def test_a_row_long_ago_says_the_same_of_its_undo_as_when_it_was_new(long_ago: Bench, looked: bool) -> None:
    new = {who: rows(long_ago, 60, who) for who in (GM, "ann") if looked}
    for _ in range(9):
        long_ago.do({"move": "table.tray", "dice": {"6": 1}})
    later = {who: rows(long_ago, 60, who) for who in (GM, "ann")}
    long_ago.reopen()
    assert later == {who: rows(long_ago, 60, who) for who in (GM, "ann")}
    parry, own = (row for row in later["ann"] if row.by == "Ann")
    blow = next(row for row in later[GM] if "attacks" in row.lines[0].words)
    assert (parry.may_undo, own.may_undo) == (False, True)
    assert blow.also == (parry.lines[0].words,)
    assert all(later[who][: len(held)] == held for who, held in new.items())
    assert not long_ago.table.undo(parry.id, viewer("ann")).ok
    assert long_ago.table.undo(own.id, viewer("ann")).ok


def test_taps_that_became_one_row_still_go_on_with_the_act_they_settled(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last Will Point is counted off, and on again: the second try that the GM's roll offered is gone."""
    monkeypatch.setattr(log, "KEPT", 5)
    bench = Bench(store, dice=EvenDice())
    bench.hero("Ann", tuf=4, will=1)
    bench.do({"move": "squad.task", "actor": "Ann", "attribute": "TUF", "difficulty": 4})
    assert bench.question.kind() == "squad.reroll"
    for amount in (-1, 1):
        bench.do(
            {"move": "table.adjust", "actor": "Ann", "game_id": "squad", "path": ["will"], "amount": amount}, "ann"
        )
    counted = bench.table.entries[-1]
    assert bench.state.questions() == []
    assert not bench.table.may_undo(counted, viewer("ann"))
    for _ in range(4):
        bench.do({"move": "table.tray", "dice": {"6": 1}})
    bench.reopen()
    assert counted.id == bench.table.entries[0].id
    assert not bench.table.may_undo(counted, viewer("ann"))
