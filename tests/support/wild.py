"""Random play: everybody taps whatever their page offers, and now and then what no page would send."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from tests.support.play import BOOK, GM, SCREEN, Bench, Message, power_body, viewer
from webapp.projection.picture import Picture
from webapp.rules.asking import Faces
from webapp.rules.blocks import Form, Input, Menu, Place
from webapp.rules.dice import SeededDice
from webapp.rules.document import Character, Side, body_of
from webapp.rules.fights_view import fight_view
from webapp.rules.lines_view import line_view
from webapp.rules.next_step import what_next
from webapp.rules.question import Question
from webapp.rules.questions_view import question_view
from webapp.rules.sight import Sight
from webapp.rules.state import Habits
from webapp.store import Store
from webapp.table import Reply

SEATS = ("s1", "s2")
PEOPLE = (GM, *SEATS)
STRANGERS = ("s3", "", SCREEN)
SECRET = "Lurker"
JUNK: tuple[Any, ...] = (
    None,
    "",
    "x" * 5000,
    "\ud800",
    "{who.name}",
    -1,
    0,
    10**12,
    1.5,
    True,
    [],
    {},
    [[]],
    {"a": {}},
)


class Wild:
    """One table at which people with a seed tap about."""

    def __init__(self, store: Store, seed: int) -> None:
        self.seed = seed
        self.any = random.Random(seed)
        self.bench = Bench(store, dice=SeededDice(seed), house=self._house())
        self.starts = {side: [one for one in BOOK.games["squad"].starts() if one.side is side] for side in Side}
        for seat in SEATS:
            order = self.any.choice(["ask", "ask", "best", "never"])
            orders = {"parry": order, "reroll": self.any.choice(["ask", "any", "never"])}
            self.bench.crowd.of[seat] = Habits(real_dice=self.any.random() < 0.3, orders=orders)
        self.secrets = 0
        self.set_the_table()

    def _house(self) -> dict[str, Any]:
        return {
            "initiative": self.any.choice(["STW", "ATN"]),
            "parry": self.any.random() < 0.9,
            "parry_effect": self.any.choice(["device_alone", "device_die_reduces"]),
            "device_wear": self.any.choice(["rank", "none"]),
            "new_initiative": self.any.choice(["each_round", "keep"]),
            "rest_hp": self.any.choice(["d2", "1", "2"]),
            "streak_overlap": self.any.random() < 0.3,
        }

    def set_the_table(self) -> None:
        for seat in (*SEATS, "s1"):
            self.bench.do(self._hero(), seat)
        for copies in (2, 1):
            self.bench.do(self._foes(copies=copies, hidden=False))
        self.bench.do(self._foes(hidden=True))
        if self.any.random() < 0.3:
            by_hand = {"gm_rolls_by_hand": True}
            self.bench.do({"move": "table.edit_table", "key": "table.settings/table", "values": by_hand})
        self.bench.do({"move": "table.start_fight"})

    def _sheet(self, side: Side) -> Message:
        """A quick start, for heroes with some more to play with."""
        body = dict(self.any.choice(self.starts[side]).body)
        if side is Side.HERO:
            kinds = self.any.sample(["healing d6 2", "mental d10 1", "ranged d8 3", "other d6 1"], k=2)
            body |= {
                "first_aid": True,
                "powers": {f"p{nth}": power_body("Power", one) for nth, one in enumerate(kinds)},
            }
        return {"squad": body}

    def _hero(self) -> Message:
        return {"move": "table.make_hero", "name": "Hero", "sheets": self._sheet(Side.HERO)}

    def _foes(self, **more: Any) -> Message:
        name = self.any.choice(["Thug", "Rat"])
        if more.get("hidden", True):
            self.secrets += 1
            name = f"{SECRET}{self.secrets}!"
        return {"move": "table.add_characters", "name": name, "sheets": self._sheet(Side.FOE), **more}

    # --- tapping

    def fight_on(self) -> tuple[Message, str, Reply]:
        """A tap that belongs to the fight."""
        return self._sent(*self._fighting())

    def anything(self) -> tuple[Message, str, Reply]:
        """Any tap at all, by anybody; also forged ones."""
        kind = self.any.choices(
            (self._fighting, self._beside_the_fight, self._about_the_table, self._by_hand, self._forged),
            weights=(62, 8, 12, 8, 10),
        )[0]
        return self._sent(*kind())

    def _sent(self, move: Message, as_: str) -> tuple[Message, str, Reply]:
        self.bench.passes(self.any.choice([0.5, 3, 60]))
        return move, as_, self.bench.table.do(move, viewer(as_))

    def _fighting(self) -> tuple[Message, str]:
        questions = self.bench.state.questions()
        if questions and self.any.random() < 0.7:
            return self._answering(self.any.choice(questions))
        ready = self.buttons(fight=True)
        if not ready or self.any.random() < 0.2:
            if self.bench.state.fight() is None and not questions:
                return self.any.choice([{"move": "table.start_fight"}, self._foes(hidden=False), self._hero()]), GM
            return {"move": "table.next", "seen": what_next(self.bench.state)}, GM
        return self.any.choice(ready)

    def _beside_the_fight(self) -> tuple[Message, str]:
        ready = self.buttons(fight=False)
        if ready and self.any.random() < 0.8:
            return self.any.choice(ready)
        dice = {self.any.choice([4, 6, 20]): self.any.randint(1, 3)}
        return {"move": "table.tray", "dice": dice, "secret": self.any.random() < 0.5}, self.any.choice(PEOPLE)

    def _answering(self, question: Question) -> tuple[Message, str]:
        if isinstance(question, Faces) and self.any.random() < 0.8:
            faces = [self.any.randint(1, side) for side in question.wanted]
            move: Message = {"move": "table.tell_faces", "question": question.id, "faces": list(faces)}
        else:
            choice = self.any.choice(question.choices(self.bench.state))
            move = {"move": "table.answer", "question": question.id, "choice": choice.id}
            if choice.amounts is not None and self.any.random() < 0.9:
                move["amount"] = self.any.randint(*choice.amounts)
        return move, self._player_of(question.addressee)

    def _player_of(self, who: str | None) -> str:
        seats = self.bench.state.character(who).seats if who else []
        return seats[0] if seats and self.any.random() < 0.8 else GM

    def buttons(self, *, fight: bool) -> list[tuple[Message, str]]:
        """What one card offers now, to whom: of who is up, mostly."""
        fighting = self.bench.state.fight()
        up = fighting and fighting.active and fighting.active.rpartition(":")[0]
        who = up if up and self.any.random() < 0.8 else self._someone()
        found = self.bench.state.find(Character, who)
        if found is None:
            return []
        person = self.any.choice([GM, *found.seats])
        return [
            (move, person)
            for block in self.offered(found, person)
            if (block.place is Place.FIGHT) is fight
            for move in self.moves(block)
        ]

    def offered(self, character: Character, person: str) -> list[Menu | Form]:
        """The blocks of this card, and what the GM may do for the whole table."""
        picture = Picture(self.bench.table, viewer(person))
        blocks = [one for _, found in picture.blocks(character.id) for one in found]
        if person == GM:
            blocks += BOOK.games["squad"].gm_blocks(self.bench.state)
        return [block for block in blocks if isinstance(block, Menu | Form)]

    def moves(self, block: Menu | Form) -> list[Message]:
        """What can be sent from it, with its switch off or on, or its blanks filled in."""
        if isinstance(block, Form):
            move = dict(block.move)
            for blank in block.fields:
                move[blank.name] = self._filled(blank)
            return [move]
        buttons = [button for tab in block.tabs for button in tab.buttons]
        buttons = [variant for button in buttons for variant in button.variants()]
        return [dict(button.move) for button in buttons if button.why_not is None]

    def _filled(self, blank: Input) -> Any:
        if blank.options:
            return self.any.choice(blank.options)[0]
        if blank.kind == "number":
            return self.any.randint(blank.lowest or 0, blank.highest or 99)
        return self.any.random() < 0.5 if blank.kind == "switch" else "Something else"

    def _about_the_table(self) -> tuple[Message, str]:
        someone = self._someone()
        foe = {"character": someone}
        move: Callable[[], Message] = self.any.choice(
            [
                lambda: self._foes(copies=self.any.choice([1, 2]), alias=self.any.choice(["", "Shape"])),
                lambda: {"move": "table.remove_character", **foe},
                lambda: {"move": "table.reveal", **foe, "hidden": self.any.random() < 0.5},
                lambda: {"move": "table.join_fight", **foe},
                lambda: {"move": "table.leave_fight", **foe},
                lambda: {"move": "table.assign", **foe, "seats": self.any.choice([[], ["s1"], ["s2"], ["s1", "s2"]])},
                lambda: {"move": self.any.choice(["table.start_fight", "table.end_fight"])},
                lambda: {
                    "move": "table.edit_table",
                    "key": "squad.house/squad",
                    "values": self._one_of(self._house()),
                },
                lambda: {
                    "move": "table.edit_table",
                    "key": "table.settings/table",
                    "values": {"hide_figures": self.any.random() < 0.5},
                },
                self._damage,
            ]
        )
        return move(), GM

    def _damage(self) -> Message:
        shares = {self._someone(): self.any.choice(["full", "half", "none"]) for _ in range(3)}
        how = {"mental": self.any.random() < 0.2}
        each = self.any.random() < 0.5
        return {"move": "table.damage", "dice": self.any.choice([0, 2]), "plus": 2, "each": each, "how": how} | {
            "shares": shares
        }

    def _by_hand(self) -> tuple[Message, str]:
        who = self._someone()
        about: Message = {"actor": who, "game_id": "squad"}
        path, amount = self.any.choice([["hp", "now"], ["will"]]), self.any.choice([-99, -3, -1, 1, 3, 99, 999])
        values = self.any.choice(
            [
                {"tuf": self.any.choice([4, 6, 12])},
                {"hp.full": self.any.choice([1, 5, 20])},
                {"condition": self.any.choice(["fit", "dying", "stable", "dead", "broken down", "out of the fight"])},
                {"surprised": self.any.random() < 0.5},
                {"will": self.any.choice([0, 1, 99])},
                {"weakness": "Vain"},
                {"initiative": self.any.choice([None, 1, 12])},
                {"devices": {}},
                {"devices": {"blade": {"name": "Blade", "make": "melee", "die": 4}}},
                {"devices.blade.broken": True},
                {"monster": self.any.choice([None, 4, 12])},
            ]
        )
        move: Message = self.any.choice(
            [
                {"move": "table.adjust", **about, "path": path, "amount": amount},
                {"move": "table.adjust", **about, "path": path, "amount": amount},
                {"move": "table.edit", **about, "values": values},
                {"move": "table.rename", "actor": who, "name": self.any.choice(["Pip", "Rat"])},
                {"move": "table.noted", "actor": who},
                self._hero(),
                {"move": "table.claim", "character": who},
            ]
        )
        return move, self._player_of(who if self.bench.state.find(Character, who) else None)

    def _forged(self) -> tuple[Message, str]:
        """Somebody else's move, one of yesterday, or one that is broken."""
        past = [entry.move for entry in self.bench.table.entries if entry.move["move"] in BOOK.steps]
        ready = [*self.buttons(fight=True), *self.buttons(fight=False)]
        move = dict(self.any.choice(past if not ready or self.any.random() < 0.5 else [move for move, _ in ready]))
        if self.any.random() < 0.7:
            move[self.any.choice([*move, "nonsense"])] = self.any.choice(JUNK)
        return move, self.any.choice([*PEOPLE, *STRANGERS])

    def _someone(self) -> str:
        return self.any.choice([one.id for one in self.bench.state.characters()] or ["nobody"])

    def _one_of(self, values: dict[str, Any]) -> dict[str, Any]:
        name = self.any.choice(list(values))
        return {name: values[name]}


def seen_by(bench: Bench, person: str, *, entries: int = 5) -> str:
    """All that may reach a page of this person, as one text."""
    sight = Sight(bench.state, viewer(person))
    picture = Picture(bench.table, viewer(person))
    views: list[Any] = list(picture.cards())
    views += [block for one in picture.cards() for _, blocks in picture.blocks(one.id) for block in blocks]
    fight = sight.state.fight()
    if fight is not None:
        views.append(fight_view(sight, fight))
    views += [question_view(sight, question) for question in sight.state.questions()]
    lines = [line for entry in bench.table.entries[-entries:] for line in entry.lines]
    views += [seen for line in lines if (seen := line_view(sight, line)) is not None]
    return "\n".join(json.dumps(body_of(view), ensure_ascii=False, default=str) for view in views)


def shown(bench: Bench) -> set[str]:
    """Ids of all in sight, and the names they go by openly."""
    open_now = [one for one in bench.state.characters() if not one.hidden]
    return {one.id for one in open_now} | {one.name for one in open_now if not one.alias}


def secrets(bench: Bench, ever_shown: set[str]) -> set[str]:
    """Names and ids at this table that have never been in sight."""
    everybody = bench.state.characters()
    words = {one.id for one in everybody} | {one.name for one in everybody if SECRET in one.name}
    return words - ever_shown
