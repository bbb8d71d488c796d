"""Willpower for tests: one sample of each of its moves, and a table at which people tap about."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from tests.support.play import Bench, EvenDice
from webapp.projection.picture import Picture
from webapp.rules.asking import Faces
from webapp.rules.blocks import Form, Input, Menu
from webapp.rules.document import Character
from webapp.rules.games import shipped
from webapp.rules.next_step import what_next
from webapp.rules.viewer import Role, Viewer
from webapp.store import Store

Message = dict[str, Any]
ANN = {"actor": "Ann"}
SWORD = {"sword": {"name": "Sword", "die": 8}, "bow": {"name": "Bow", "die": 6, "ranged": True}}
LIGHT = {"light": {"name": "Light"}}


def a_willpower_fight(bench: Bench) -> None:
    """Ann is up before the enemy; then the rat, then Ben. Cat sits idle without a player, a ghost hides."""
    bench.hero("Ann", weapons=SWORD, spells=LIGHT)
    bench.hero("Ben")
    bench.hero("Cat", seat="")
    bench.foe("Rat", damage=3)
    bench.foe("Ghost", damage=3, hidden=True)
    bench.fight(Ann=3, Rat=2, Ben=1)


def a_willpower_table(store: Store) -> Bench:
    bench = Bench(store, dice=EvenDice(), game="willpower")
    a_willpower_fight(bench)
    return bench


def _no_initiative(bench: Bench) -> Message:
    bench.do({"move": "table.end_fight"})
    bench.do({"move": "table.start_fight"})
    return {}


def _edit(bench: Bench, who: str, values: dict[str, Any]) -> Message:
    bench.do({"move": "table.edit", "actor": who, "game_id": "willpower", "values": values})
    return {}


def _rat_is_up(bench: Bench) -> Message:
    bench.do({"move": "table.done", **ANN})
    return {}


SAMPLES: dict[str, Callable[[Bench], Message]] = {
    "willpower.test": lambda bench: {**ANN, "attribute": "guts", "against": "Rat"},
    "willpower.call_test": lambda bench: {"attribute": "guts", "heroes": ["Ben"]},
    "willpower.face_it": lambda bench: {"foe": "Rat"},
    "willpower.initiative": lambda bench: _no_initiative(bench) | ANN,
    "willpower.roll_initiative": _no_initiative,
    "willpower.act": lambda bench: {**ANN, "does": "move"},
    "willpower.attack": lambda bench: {**ANN, "target": "Rat", "weapon": "sword"},
    "willpower.cast": lambda bench: {**ANN, "spell": "light"},
    "willpower.grant_action": lambda bench: {"character": "Ann"},
    "willpower.foe_attacks": lambda bench: _rat_is_up(bench) | {"foe": "Rat", "target": "Ben"},
    "willpower.foes_act": lambda bench: _rat_is_up(bench) | {"attacks": [{"foe": "Rat", "target": "Ben"}]},
    "willpower.tend": lambda bench: _edit(bench, "Ben", {"states": {"bleeding": 0}}) | {**ANN, "patient": "Ben"},
    "willpower.help_up": lambda bench: _edit(bench, "Cat", {"hp.now": 0}) | {**ANN, "patient": "Cat"},
    "willpower.pick_up": lambda bench: _edit(bench, "Ann", {"weapons.sword.dropped": True}) | ANN,
    "willpower.set_state": lambda bench: {"character": "Ben", "state": "shaken", "on": True},
    "willpower.take": lambda bench: {**ANN, "what": "weapon", "id": "spear"},
    "willpower.drop": lambda bench: {**ANN, "what": "weapon", "id": "sword"},
}


class Taps:
    """People who tap whatever their page offers, with a seed."""

    def __init__(self, bench: Bench, seed: int) -> None:
        self.bench = bench
        self.any = random.Random(seed)
        self.book = shipped()

    def one(self) -> tuple[Message, str]:
        """A move and who makes it."""
        state = self.bench.state
        questions = state.questions()
        if questions and self.any.random() < 0.6:
            return self._answer(self.any.choice(questions))
        if self.any.random() < 0.25:
            seen = what_next(state)
            return ({"move": "table.next", "seen": seen} if seen else {"move": "table.start_fight"}), "gm"
        if self.any.random() < 0.08:
            return self._by_the_gm(), "gm"
        found = self.any.choice(state.characters())
        person = self.any.choice(["gm", *found.seats])
        ready = self.offered(found, person)
        return (self.any.choice(ready), person) if ready else self.one()

    def offered(self, character: Character, person: str) -> list[Message]:
        viewer = Viewer(role=Role.GM) if person == "gm" else Viewer(role=Role.PLAYER, seat=person)
        blocks: list[Any] = [
            one for _, found in Picture(self.bench.table, viewer).blocks(character.id) for one in found
        ]
        if person == "gm":
            blocks += self.book.games["willpower"].gm_blocks(self.bench.state)
        return [move for block in blocks if isinstance(block, Menu | Form) for move in self._moves(block)]

    def _moves(self, block: Menu | Form) -> list[Message]:
        if isinstance(block, Menu):
            buttons = [one for tab in block.tabs for button in tab.buttons for one in button.variants()]
            return [dict(button.move) for button in buttons if button.why_not is None]
        move = dict(block.move)
        for blank in block.fields:
            if blank.name.endswith("[]"):
                move.setdefault(blank.name[:-2], []).extend([blank.value] if self.any.random() < 0.7 else [])
            else:
                move[blank.name] = self._filled(blank)
        return [move]

    def _filled(self, blank: Input) -> Any:
        if blank.options:
            return self.any.choice(blank.options)[0] or None
        if blank.kind == "number":
            return self.any.randint(blank.lowest or 0, blank.highest or 9)
        return self.any.random() < 0.5 if blank.kind == "switch" else "Something else"

    def _answer(self, question: Any) -> tuple[Message, str]:
        if isinstance(question, Faces):
            faces = [self.any.randint(1, side) for side in question.wanted]
            move: Message = {"move": "table.tell_faces", "question": question.id, "faces": faces}
        else:
            choice = self.any.choice(question.choices(self.bench.state)).id
            move = {"move": "table.answer", "question": question.id, "choice": choice}
        seats = self.bench.state.character(question.addressee).seats if question.addressee else []
        return move, seats[0] if seats and self.any.random() < 0.8 else "gm"

    def _by_the_gm(self) -> Message:
        someone = self.any.choice(self.bench.state.characters()).id
        about = {"actor": someone, "game_id": "willpower"}
        values = self.any.choice(
            [
                {"willpower": 4},
                {"states": {}},
                {"states": {"bleeding": 0}},
                {"level": 5},
                {"hp.now": 3},
                {"hand": "x"},
            ]
        )
        moves: list[Message] = [
            {"move": "table.adjust", **about, "path": ["hp", "now"], "amount": self.any.choice([-20, -2, 9])},
            {"move": "table.edit", **about, "values": values},
            {"move": "table.leave_fight", "character": someone},
            {"move": "table.join_fight", "character": someone},
            {"move": "table.reveal", "character": someone, "hidden": self.any.random() < 0.3},
            {"move": "table.period_over", "period": self.any.choice(["scene", "day"])},
            {"move": "table.end_fight"},
        ]
        if len(self.bench.state.characters()) > 4:
            moves.append({"move": "table.remove_character", "character": someone})
        return self.any.choice(moves)
