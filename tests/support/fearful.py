"""Random play at a table where fear is at home too, and now and then leaves it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.support.play import GM, Message
from tests.support.wild import Wild
from webapp.rules.calls import Call


class FearfulWild(Wild):
    def set_the_table(self) -> None:
        super().set_the_table()
        self.bench.do({"move": "table.set_games", "games": ["squad", "dread"]})
        self.bench.do(self._rules())
        for one in self.bench.state.characters():
            toughness = self.any.choice([0, 0, 1, 3])
            if toughness:
                values = {"toughness": toughness}
                self.bench.do({"move": "table.edit", "actor": one.id, "game_id": "dread", "values": values})

    def _rules(self) -> Message:
        values: dict[str, Any] = {
            "crit_rule": self.any.choice(["minus_max", "plus1_and_minus_max", "fail_by_5", "gm"]),
            "insanity_when": self.any.choice(["at_once", "deferred"]),
            "boxes": self.any.choice([4, 6, 9]),
        }
        return {"move": "table.edit_table", "key": "dread.house/dread", "values": values}

    def _about_the_table(self) -> tuple[Message, str]:
        return super()._about_the_table() if self.any.random() < 0.3 else self._of_fear()

    def _of_fear(self) -> tuple[Message, str]:
        who = self._someone()
        everybody = [one.id for one in self.bench.state.characters()]
        some = self.any.sample(everybody, min(len(everybody), 3))
        calls = [call.id for call in self.bench.state.all(Call)] or ["none"]
        call, difficulty = self.any.choice(calls), self.any.choice([-1, 2, 4, 6, 9])
        for_gm: list[Callable[[], Message]] = [
            lambda: {"move": "dread.call_fear", "difficulty": difficulty, "secret": self.any.random() < 0.3},
            lambda: {"move": "dread.call_fear", "difficulty": difficulty, "characters": some},
            lambda: {"move": "table.turn_over", "call": call},
            lambda: {"move": "table.let_go", "call": call, "character": who},
            lambda: {"move": self.any.choice(["dread.calm", "dread.settle", "dread.safe"])},
            lambda: {"move": "dread.award_toughness", "character": who},
            lambda: {"move": "table.period_over", "period": self.any.choice(["scene", "session"])},
            lambda: {"move": "table.set_games", "games": self.any.choice([["squad"], ["squad", "dread"]])},
            self._rules,
        ]
        for_all: list[Callable[[], Message]] = [
            lambda: {"move": "dread.scare", "actor": who, "targets": some},
            lambda: {"move": "dread.tell_fear", "actor": who, "total": self.any.randint(-5, 9)},
            lambda: {"move": "dread.tell_fear", "actor": who, "total": 3, "difficulty": difficulty, "critical": True},
            lambda: {"move": "dread.check", "actor": who, "attribute": "agility", "difficulty": difficulty},
            lambda: self._count(who),
        ]
        if self.any.random() < 0.6:
            return self.any.choice(for_gm)(), GM
        return self.any.choice(for_all)(), self._player_of(who)

    def _count(self, who: str) -> Message:
        path = self.any.choice(["temporary", "permanent", "toughness", "used"])
        amount = self.any.choice([-3, -1, 1, 4])
        return {"move": "table.adjust", "actor": who, "game_id": "dread", "path": [path], "amount": amount}
