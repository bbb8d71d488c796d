"""Whole fights of the sample table, played by simple people; what an evening costs is printed, not asserted.

`GRITBOARD_FIGHTS=200 pytest tests/test_evenings.py -s` plays two hundred and prints the figures per fight.
"""

from __future__ import annotations

import os
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from tests.support.play import BOOK, Bench, viewer
from webapp.history import undoing
from webapp.rules.blocks import Button, Menu
from webapp.rules.dice import SeededDice
from webapp.rules.document import Side
from webapp.rules.next_step import what_next
from webapp.rules.question import Choice, Question
from webapp.store import Store

FIGHTS = int(os.environ.get("GRITBOARD_FIGHTS", "6"))
DISTANCES = (1, 4, 8)
MOST_ACTS = 400


class Evening:
    """One fight: every player acts on their own chance, every question is answered, the GM presses Next."""

    def __init__(self, store: Store, seed: int) -> None:
        self.bench = Bench(store, dice=SeededDice(seed))
        self.counts: Counter[str] = Counter()
        self.undoable: Counter[int] = Counter()
        self.hits: Counter[int] = Counter()
        sample = BOOK.games["squad"].samples()[0]
        for side, name, copies, sheets in sample.cast:
            move = {"move": "table.add_characters", "side": side.value, "name": name, "copies": copies}
            self._do("gm", {**move, "sheets": sheets})
        self.heroes = {one.id: one.name.lower() for one in self.bench.state.characters(Side.HERO)}
        for who, seat in self.heroes.items():
            self._do("gm", {"move": "table.assign", "character": who, "seats": [seat]})
        self._do("gm", {"move": "table.start_fight"})

    def play(self) -> None:
        for _ in range(MOST_ACTS):
            if self._is_over():
                return
            self._once()
            self._look_back()
        raise AssertionError("the fight never ends")

    def _once(self) -> None:
        state = self.bench.state
        waiting = [question for question in state.questions() if question.holds_up]
        if waiting:
            self._answer(waiting[0])
            return
        chips = [question for question in state.questions() if question.kind() == "squad.reroll"]
        if chips:
            self._answer(chips[0])
            return
        acting = self._hero_up()
        if acting is None:
            self.counts["GM clicks"] += 1
            self._do("gm", {"move": "table.next", "seen": what_next(state)})
        else:
            self._do(self.heroes[acting], self._best_act(acting))

    def _answer(self, question: Question) -> None:
        choices = question.choices(self.bench.state)
        self.counts["questions"] += 1
        self.counts[question.kind()] += 1
        self.counts["pointless questions"] += not _has_a_point(question, choices)
        seat = self.heroes.get(question.addressee or "", "gm")
        if seat == "gm":
            self.counts["stops that need the GM"] += 1
            self.counts["GM clicks"] += 1
        best = max((one for one in choices if one.switch is None), key=lambda one: one.chance or Fraction(0))
        wanted = best.id if (best.chance or 0) >= Fraction(1, 4) else question.default
        self._do(seat, {"move": "table.answer", "question": question.id, "choice": wanted})

    def _hero_up(self) -> str | None:
        fight = self.bench.state.fight()
        if fight is None or not fight.settled or fight.active is None:
            return None
        who = fight.active.rpartition(":")[0]
        return who if who in self.heroes else None

    def _best_act(self, who: str) -> dict[str, Any]:
        """First aid for the dying, else the likeliest blow there is."""
        menus = self._menus(who)
        for key in ("squad.aid", "squad.attack"):
            buttons = [one for menu in menus if menu.key == key for tab in menu.tabs for one in tab.buttons]
            able = [one for one in buttons if one.why_not is None]
            if able:
                return max(able, key=_chance).move
        return next(one for menu in menus if menu.key == "squad.wait" for one in menu.tabs[0].buttons).move

    def _menus(self, who: str) -> list[Menu]:
        state = self.bench.state
        found = BOOK.acts(state, state.character(who))
        return [block for _, acts in found for block in acts if isinstance(block, Menu)]

    def _is_over(self) -> bool:
        order, state = self.bench.state.order(), self.bench.state
        sides = {one.side for one in state.characters() if order.can_act(state, one.id)}
        return len(sides) < 2

    def _look_back(self) -> None:
        """Could the hit that is now so many rows old still be put back without a question?"""
        entries = [entry for entry in self.bench.table.entries if entry.undone_by is None]
        for distance in DISTANCES:
            entry = entries[-1 - distance] if len(entries) > distance else None
            if entry is None or not any(line.outcome == "hurt" for line in entry.lines):
                continue
            rows = [row for row in entries if row.thread == entry.thread and row.number >= entry.number]
            plan = undoing(rows, self.bench.bodies(), lambda key: BOOK.documents[key.partition("/")[0]])
            self.hits[distance] += 1
            self.undoable[distance] += not plan.in_the_way

    def _do(self, seat: str, move: dict[str, Any]) -> None:
        before = len(self.bench.table.entries)
        reply = self.bench.table.do(move, viewer(seat))
        assert reply.ok, (reply.say, move)
        self.counts["rows"] += len(self.bench.table.entries) - before


def _has_a_point(question: Question, choices: tuple[Choice, ...]) -> bool:
    others = [choice for choice in choices if choice.id != question.default and choice.why_not is None]
    return bool(others) and any(choice.chance is None or choice.chance > 0 for choice in others)


def _chance(button: Button) -> Fraction:
    return button.chance if isinstance(button.chance, Fraction) else Fraction(0)


@pytest.mark.timeout(1800)
def test_a_fight_is_never_stuck_and_asks_nothing_that_is_pointless(store: Store) -> None:
    total: Counter[str] = Counter()
    hits: Counter[int] = Counter()
    undoable: Counter[int] = Counter()
    for seed in range(FIGHTS):
        evening = Evening(store, seed)
        evening.play()
        total += evening.counts
        hits += evening.hits
        undoable += evening.undoable
        for one in evening.bench.state.characters():
            hp = evening.bench.state.sheet(BOOK.games["squad"].sheet, one.id).hp
            assert 0 <= hp.now <= hp.full
    for what in ("rows", "questions", "pointless questions", "stops that need the GM", "GM clicks"):
        print(f"{what:24} {total[what] / FIGHTS:6.1f} per fight")
    for distance in DISTANCES:
        share = undoable[distance] / max(1, hits[distance])
        print(f"hits undoable {distance} rows later {share:6.1%} of {hits[distance]}")
    assert total["pointless questions"] == 0
    assert total["squad.reroll"] > 0
    assert total["squad.reroll_now"] > 0
