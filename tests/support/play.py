"""A live table for tests: people by name, dice known beforehand, a clock that stands still.

Characters are called by their names everywhere: a name in a move becomes that character's id.
Sheets are written as people say them, see `sheet_body`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import combinations, count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.support.samples_pools import pools_body
from webapp.history import Entry
from webapp.rules.dice import Dice, ScriptedDice
from webapp.rules.document import Body, Character, Line, Side
from webapp.rules.encounter import Encounter, Phase, phase_of
from webapp.rules.games import shipped
from webapp.rules.lines_view import LineView, line_view
from webapp.rules.next_step import what_next
from webapp.rules.question import Question
from webapp.rules.ruleset import Rulebook
from webapp.rules.sight import Sight
from webapp.rules.state import Habits, State
from webapp.rules.viewer import Role, Viewer
from webapp.store import Store, TableRow
from webapp.table import Reply, Table, first_documents

GM = "gm"
SCREEN = "screen"
BOOK = shipped()
Message = dict[str, Any]
STACKS = [games for size in range(1, len(BOOK.games) + 1) for games in combinations(BOOK.games, size)]
ALL_GAMES = ("squad", "dread", "pools", "willpower")
HERO = {"tuf": 8, "stw": 8, "atn": 8, "hp": 15}  # of Shadow Squad
FOE = {"monster": 8, "hp": 12}
NUMBERS = {"squad": "initiative", "pools": "priority", "willpower": "initiative"}
SHEET_BODIES: dict[str, Callable[..., Body]] = {"pools": pools_body}
_tables = count()


@contextmanager
def quick_store() -> Iterator[Store]:
    """A store for one module of tests, in memory where there is such a folder: every save waits for the disk."""
    memory = Path("/dev/shm")
    with (
        TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as folder,
        Store(Path(folder) / "tables.db") as store,
    ):
        yield store


class NotedDice(ScriptedDice):
    """Scripted, and keeps what was thrown: "d8=4"."""

    def __init__(self, faces: Iterable[int] = ()) -> None:
        super().__init__(faces)
        self.thrown: list[str] = []

    def _one(self, sides: int) -> int:
        face = super()._one(sides)
        self.thrown.append(f"d{sides}={face}")
        return face


class EvenDice:
    """Every die shows half of its sides."""

    def throw(self, sides: Sequence[int]) -> tuple[int, ...]:
        return tuple(side // 2 for side in sides)


class Crowd:
    """Who sits at the table. Habits by seat; those of GM, where given, are for everybody without a seat."""

    def __init__(self) -> None:
        self.of: dict[str, Habits] = {}

    def habits(self, seats: Mapping[str, list[str]]) -> Mapping[str | None, Habits]:
        found: dict[str | None, Habits] = {}
        if GM in self.of:
            found[None] = self.of[GM]
        for who, own in seats.items():
            if own or GM in self.of:
                found[who] = self.of.get(own[0] if own else GM, Habits())
        return found

    def name(self, seat: str) -> str:
        return seat.capitalize()


def viewer(name: str) -> Viewer:
    """The GM, the screen, or the player whose seat has this name; "" is a player without a seat."""
    match name:
        case "gm":
            return Viewer(role=Role.GM)
        case "screen":
            return Viewer(role=Role.SCREEN)
    return Viewer(role=Role.PLAYER, seat=name or None)


class Bench:
    """One table over a store of its own or a shared one. Times, ids and (unless handed in) dice are scripted."""

    def __init__(
        self,
        store: Store,
        *,
        dice: Dice | None = None,
        game: str = "squad",
        games: tuple[str, ...] = (),
        house: Mapping[str, Any] | None = None,
        book: Rulebook = BOOK,
    ) -> None:
        """`house` are house rules of the first game."""
        self.book = book
        self.games = games or (game,)
        self.game = game = self.games[0]
        self.store = store
        self.crowd = Crowd()
        self.script = NotedDice()
        self.dice: Dice = dice or self.script
        self.now = datetime(2024, 5, 4, 20, 15, tzinfo=UTC)
        self.ids: dict[str, str] = {}
        self.names: dict[str, str] = {}
        number = next(_tables)
        self._new_ids: Iterator[str] = (f"id{n:05}" for n in count(1))
        self._row = TableRow(
            id=f"t{number}", code=f"CODE{number}", name="The Old Mill", games=self.games, created=self.now
        )
        store.add_table(self._row, first_documents(book, self._row.name, self.games))
        self.table = self._open()
        key = f"{game}.house/{game}"
        values = {name: value for name, value in (house or {}).items() if self.bodies()[key][name] != value}
        if values:
            self.do({"move": "table.edit_table", "key": key, "values": values})

    def _open(self) -> Table:
        row = self.store.table(self._row.id)
        assert row is not None
        return Table(
            row,
            rulebook=self.book,
            store=self.store,
            persons=self.crowd,
            dice=self.dice,
            clock=lambda: self.now,
            new_ids=self._new_ids,
        )

    def reopen(self, store: Store | None = None) -> None:
        """The table as it comes back from the store, as after a crash."""
        self.store = store or self.store
        self.table = self._open()

    def passes(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)

    # --- people

    def hero(self, name: str, *, seat: str | None = None, **sheet: Any) -> str:
        """A hero driven from `seat`, the hero's own small-letter name when not given; "" for nobody's."""
        made = self.add(name, Side.HERO, **sheet)
        seats = [name.lower() if seat is None else seat] if seat != "" else []
        if seats:
            self.do({"move": "table.assign", "character": name, "seats": seats})
        return made

    def foe(self, name: str, *, hidden: bool = False, alias: str = "", **sheet: Any) -> str:
        return self.add(name, Side.FOE, hidden=hidden, alias=alias, **sheet)

    def add(self, name: str, side: Side, *, hidden: bool = False, alias: str = "", **sheet: Any) -> str:
        self.do(
            {
                "move": "table.add_characters",
                "name": name,
                "side": side.value,
                "sheets": self._sheets(sheet),
                "hidden": hidden,
                "alias": alias,
            },
            by_name=False,
        )
        made = max(self.state.all(Character), key=lambda one: one.order).id
        self.ids[name], self.names[made] = made, name
        return made

    def _sheets(self, said: dict[str, Any]) -> dict[str, Body]:
        """What is said of the first game's sheet, or of the sheets of several games by their names."""
        several = bool(said) and all(name in self.book.games and isinstance(one, dict) for name, one in said.items())
        by_game = said if several else {self.game: said}
        return {game: body_for(game, sheet) if game in NUMBERS else sheet for game, sheet in by_game.items()}

    def fight(self, **initiative: int) -> None:
        """Those named begin a fight with these numbers; others stay out of it."""
        self.do({"move": "table.start_fight", "members": list(initiative)})
        for who, number in initiative.items():
            values = {NUMBERS[self.game]: number}
            self.do({"move": "table.edit", "actor": who, "game_id": self.game, "values": values})

    # --- acting

    def send(self, move: Mapping[str, Any], as_: str = GM, *, tap: str | None = None, by_name: bool = True) -> Reply:
        return self.table.do(self.named(dict(move)) if by_name else move, viewer(as_), tap=tap)

    def do(
        self,
        move: Mapping[str, Any],
        as_: str = GM,
        *,
        faces: Iterable[int] = (),
        tap: str | None = None,
        by_name: bool = True,
    ) -> Entry:
        """A move that is accepted and uses up these faces."""
        self.script.faces += faces
        reply = self.send(move, as_, tap=tap, by_name=by_name)
        assert reply.ok, f"{move} was refused: {reply.say}"
        self.script.done()
        return self.table.entries[-1]

    def refused(self, move: Mapping[str, Any], as_: str = GM) -> str:
        """The sentence a move is refused with; nothing has changed."""
        before = self.everything()
        reply = self.send(move, as_)
        assert not reply.ok, f"{move} was accepted"
        assert self.everything() == before
        assert reply.say
        return reply.say

    def attack(self, actor: str, target: str, device: str = "", *, as_: str = GM, faces: Iterable[int] = ()) -> Entry:
        move = {"move": "squad.attack", "actor": actor, "target": target, "device": device}
        return self.do(move, as_, faces=faces)

    def next(self, *, faces: Iterable[int] = ()) -> Entry:
        return self.do({"move": "table.next", "seen": what_next(self.state)}, faces=faces)

    def passes_on(self, *people: str) -> None:
        """These, as they come up, let their chances go."""
        for who in people:
            self.do({"move": "table.done", "actor": who})

    def answer(self, choice: str, as_: str = GM, *, amount: int | None = None, faces: Iterable[int] = ()) -> Entry:
        """Answers the oldest open question."""
        move = {"move": "table.answer", "question": self.question.id, "choice": choice, "amount": amount}
        return self.do(move, as_, faces=faces)

    def tell(self, *told: int, as_: str = GM, faces: Iterable[int] = ()) -> Entry:
        """Tells the dice that the oldest open question waits for."""
        return self.do({"move": "table.tell_faces", "question": self.question.id, "faces": told}, as_, faces=faces)

    def undo(self, entry: Entry | None = None, as_: str = GM, *, way: str | None = None) -> Reply:
        return self.table.undo((entry or self.table.entries[-1]).id, viewer(as_), way=way)

    def named(self, value: Any) -> Any:
        """The same with ids in place of the names of characters."""
        match value:
            case dict():
                return {
                    self.ids.get(key, key): held if key in ("name", "move", "seats") else self.named(held)
                    for key, held in value.items()
                }
            case list() | tuple():
                return [self.named(held) for held in value]
            case str():
                return self.ids.get(value, value)
        return value

    # --- looking

    @property
    def state(self) -> State:
        return self.table.state

    @property
    def question(self) -> Question:
        return self.state.questions()[0]

    @property
    def battle(self) -> Encounter:
        fight = self.state.fight()
        assert fight is not None
        return fight

    @property
    def phase(self) -> Phase:
        return phase_of(self.battle, self.state.slots())

    @property
    def up(self) -> str | None:
        """Who is up, by name."""
        active = self.battle.active
        return None if active is None else self.names[active.rpartition(":")[0]]

    def order(self) -> list[str]:
        """The chances that are left this round, "8 Ann", a held one in brackets."""
        return [
            f"({slot.number} {self.names[slot.character]})"
            if slot.waits
            else f"{slot.number} {self.names[slot.character]}"
            for slot in self.state.slots()
            if not slot.spent
        ]

    def sheet(self, who: str, game: str = "") -> Any:
        return self.state.sheet(self.book.games[game or self.game].sheet, self.ids[who])

    def hp(self, who: str) -> int:
        left: int = self.sheet(who).hp.now
        return left

    def sight(self, as_: str = GM) -> Sight:
        return Sight(self.state, viewer(as_))

    def lines(self, as_: str = GM, *, of: Entry | None = None) -> list[LineView]:
        """What this person reads of an entry, the last one when not given."""
        lines: tuple[Line, ...] = (of or self.table.entries[-1]).lines
        return [seen for line in lines if (seen := line_view(self.sight(as_), line)) is not None]

    def words(self, as_: str = GM, *, of: Entry | None = None) -> list[str]:
        return [line.words for line in self.lines(as_, of=of)]

    def bodies(self) -> dict[str, Body]:
        """All documents as they are in the store."""
        return self.store.documents(self.table.id)

    def everything(self) -> tuple[Any, ...]:
        """All that a refused move must leave alone, in memory and in the store."""
        return (
            self.store.table(self.table.id),
            self.bodies(),
            self.store.entries(self.table.id),
            self.table.revision,
            self.table._bodies(),
            list(self.table.entries),
        )


# --- sheets as people say them -----------------------------------------------------------------------------


def body_for(game: str, said: Mapping[str, Any]) -> Body:
    return SHEET_BODIES[game](**said) if game in SHEET_BODIES else sheet_body(**said)


def sheet_body(**said: Any) -> Body:
    """The body of a sheet: `hp=12` or `hp="3 of 12"`; devices as in `{"sword": "melee d10"}`."""
    said = {"hp": 15, **said}
    return {name: _field(name, value) for name, value in said.items()}


def _field(name: str, value: Any) -> Any:
    match name, value:
        case "hp", int():
            return {"now": value, "full": value}
        case "hp", str():
            now, full = value.split(" of ")
            return {"now": int(now), "full": int(full)}
        case "devices", dict():
            return {id: device_body(id, device) for id, device in value.items()}
        case "powers", dict():
            return {id: power_body(id, power) for id, power in value.items()}
    return value


def power_body(id: str, said: Any) -> Body:
    """ "mental d10" (one use), "healing d6 3", "other d6 0 of 2"."""
    if isinstance(said, dict):
        return said
    kind, die, *uses = said.split()
    now, full = (uses or ["1"])[0], (uses or ["1"])[-1]
    return {"name": id.capitalize(), "kind": kind, "die": int(die[1:]), "uses": {"now": int(now), "full": int(full)}}


def device_body(id: str, said: Any) -> Body:
    """ "melee d10", "armour d6 off", "melee lifts TUF", "shield d4 broken"."""
    if isinstance(said, dict):
        return said
    make, *rest = said.split()
    body: dict[str, Any] = {"name": id.capitalize(), "make": make}
    words = iter(rest)
    for word in words:
        match word:
            case "lifts":
                body["lifts"] = next(words)
            case "off":
                body["worn"] = False
            case "broken":
                body["broken"] = True
            case _:
                assert re.fullmatch(r"d\d+", word), f"what is {word!r}?"
                body["die"] = int(word[1:])
    return body


def hurt(who: str, by: int) -> dict[str, Any]:
    return {"move": "table.adjust", "actor": who, "game_id": "squad", "path": ["hp", "now"], "amount": -by}
