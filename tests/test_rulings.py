"""Golden cases of each rule set, kept as data beside this file.

A ruling: `given` sheets (with `initiative` they are in a fight, with these numbers), `house` rules, what
people `play`, the `dice` in the order they fall; then the sheets, the outcomes, the order, and what is asked.
A play is a move, `{ answer = "…" }` of the oldest question (with an `amount` where it takes one) or
`{ next = true }`; `refused` expects a refusal with these words in it. `orders` are standing orders by seat, that
of parries when it is one word. `open` names who is still asked. Dice are written with their size, "d8=4"; all
of them must fall. `rolls` are all rolls as a player checks them: what, what was added, the total. Where several
`games` are played, `given` and `then` name the sheets of each by its game.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel, ConfigDict

from tests.support.play import BOOK, GM, Bench
from webapp.rules.document import Line, Side, body_of
from webapp.rules.lines_view import roll_view
from webapp.rules.next_step import what_next
from webapp.rules.roll import Roll
from webapp.rules.state import Habits
from webapp.rules.text import number
from webapp.store import Store

RULINGS = Path(__file__).parent / "rulings"
STATEMENTS = {
    "squad": [f"S-{n:02}" for n in range(1, 63)],
    "dread": [f"F-{n:02}" for n in range(1, 22)],
    "stack": ["K-1", "K-2", "K-3", "K-4"],
    "willpower": [f"W-{n:02}" for n in range(1, 42)],
    "pools": [f"D-{n:02}" for n in range(1, 69)],
}
READINGS = {
    "squad": [f"B2-{n}" for n in range(1, 33)],
    "dread": [f"B3-{n}" for n in range(1, 21)],
    "willpower": [f"B0-{n}" for n in range(1, 25)],
    "pools": [f"B1-{n}" for n in range(1, 32) if n != 26],  # 26 and 32 leave nothing to play
    "stack": [],
}
WORKED = {
    "squad": [f"SV-{n:02}" for n in range(1, 12)],
    "dread": [f"FV-{n:02}" for n in range(1, 10)],
    "willpower": [f"WV-{n:02}" for n in range(1, 12)],
    "pools": [f"RV-{n:02}" for n in range(1, 13)],
    "stack": [],
}
DEFENDING = {"pools": "defend"}


class Ruling(BaseModel):
    model_config = ConfigDict(extra="forbid")

    covers: list[str]
    why: str
    games: tuple[str, ...] = ()
    given: dict[str, dict[str, Any]]
    house: dict[str, Any] = {}
    orders: dict[str, str | dict[str, str]] = {}
    play: list[dict[str, Any]]
    dice: list[str] = []
    outcomes: list[str] = []
    difficulties: list[int] | None = None
    rolls: list[str] | None = None
    then: dict[str, dict[str, Any]] = {}
    order: list[str] | None = None
    round: int | None = None
    minutes: int | None = None
    open: list[str] = []


class Rulings(BaseModel):
    """`judgement` says of what is the GM's to judge what the screen offers for it."""

    model_config = ConfigDict(extra="forbid")

    ruling: list[Ruling]
    judgement: dict[str, str] = {}

    @property
    def covered(self) -> set[str]:
        return {id for ruling in self.ruling for id in ruling.covers}


BOOKS = {
    path.stem: Rulings.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    for path in sorted(RULINGS.glob("*.toml"))
}
CASES = [pytest.param(game, ruling, id=ruling.why) for game, book in BOOKS.items() for ruling in book.ruling]


@pytest.mark.parametrize(("game", "ruling"), CASES)
def test_a_ruling_comes_out_as_written(game: str, ruling: Ruling, store: Store) -> None:
    bench = set_up(game, ruling, store)
    bench.script.faces += [int(die.partition("=")[2]) for die in ruling.dice]
    said = [line for play in ruling.play for line in played(bench, play)]
    bench.script.done()

    assert bench.script.thrown == ruling.dice
    assert [line.outcome for line in said if line.outcome and counts(ruling, line.outcome)] == ruling.outcomes
    if ruling.difficulties is not None:
        asks = [roll.ask for line in said for roll in line.rolls]
        assert [ask.target for ask in asks if ask.target is not None] == ruling.difficulties
    if ruling.rolls is not None:
        assert [checked(bench, roll) for roll in all_rolls(said)] == ruling.rolls
    for who, wanted in ruling.then.items():
        for name, sheet in wanted.items() if ruling.games else [(game, wanted)]:
            assert_within(bench.named(sheet), body_of(bench.sheet(who, name)), f"{who}.{name}")
    asked = [question.addressee for question in bench.state.questions()]
    assert [bench.names[who] if who else GM for who in asked] == ruling.open
    if ruling.order is not None:
        assert bench.order() == ruling.order
    assert ruling.round in (None, bench.state.fight() and bench.battle.round)
    assert ruling.minutes in (None, bench.state.clock.minutes)


@pytest.mark.parametrize(("game", "ruling"), CASES)
def test_a_ruling_that_is_taken_back_leaves_no_trace(game: str, ruling: Ruling, store: Store) -> None:
    bench = set_up(game, ruling, store)
    before, played_before = bench.bodies(), len(bench.table.entries)
    bench.script.faces += [int(die.partition("=")[2]) for die in ruling.dice]
    for play in ruling.play:
        played(bench, play)
    for entry in reversed(bench.table.entries[played_before:]):
        if next(one for one in bench.table.entries if one.id == entry.id).undone_by is None:
            assert bench.undo(entry).ok
    assert without_notices(bench.bodies()) == without_notices(before)


def without_notices(bodies: dict[str, Any]) -> dict[str, Any]:
    """What was decided for one who was away stays told."""
    return {key: body for key, body in bodies.items() if not key.startswith("table.notice/")}


def set_up(game: str, ruling: Ruling, store: Store) -> Bench:
    bench = Bench(store, games=ruling.games or (game,), house=ruling.house)
    about = DEFENDING.get(game, "parry")
    for seat, order in ruling.orders.items():
        bench.crowd.of[seat] = Habits(orders={about: order} if isinstance(order, str) else order)
    numbers = {}
    for name, given in ruling.given.items():
        sheet = {key: value for key, value in given.items() if key not in ("initiative", "side", "hidden")}
        hidden = given.get("hidden", False)
        if given.get("side") == Side.FOE or "monster" in given:
            bench.foe(name, hidden=hidden, **sheet)
        else:
            bench.hero(name, hidden=hidden, **sheet)
        if "initiative" in given:
            numbers[name] = given["initiative"]
    if numbers:
        bench.fight(**numbers)
    return bench


def all_rolls(said: list[Line]) -> list[Roll]:
    """Each roll once, though a call shows it again when it is turned over."""
    found: list[Roll] = []
    for line in said:
        found += [roll for roll in line.rolls if roll not in found]
    return found


def checked(bench: Bench, roll: Roll) -> str:
    """ "soak +2 charisma, −1 scared = 3"."""
    view = roll_view(bench.sight(), roll)
    return " ".join([view.what, *([", ".join(view.modifiers)] if view.modifiers else []), "=", number(view.total)])


def played(bench: Bench, play: dict[str, Any]) -> tuple[Line, ...]:
    match play:
        case {"next": True}:
            return entry_lines(bench, {"move": "table.next", "seen": what_next(bench.state)}, GM)
        case {"answer": _, "refused": words}:
            assert words in bench.refused(answer(bench, play), addressee(bench))
            return ()
        case {"answer": _}:
            return entry_lines(bench, answer(bench, play), addressee(bench))
        case {"refused": words}:
            assert words in bench.refused({key: held for key, held in play.items() if key != "refused"})
            return ()
    return entry_lines(bench, {key: held for key, held in play.items() if key != "by"}, play.get("by", GM))


def entry_lines(bench: Bench, move: dict[str, Any], as_: str) -> tuple[Line, ...]:
    reply = bench.send(move, as_)
    assert reply.ok, f"{move} was refused: {reply.say}"
    return bench.table.entries[-1].lines


def answer(bench: Bench, play: dict[str, Any]) -> dict[str, Any]:
    """The choice "rat:bite" is the rat's, by its id."""
    choice = ":".join(bench.ids.get(part, part) for part in play["answer"].split(":"))
    return {"move": "table.answer", "question": bench.question.id, "choice": choice, "amount": play.get("amount")}


def addressee(bench: Bench) -> str:
    """The seat of the one who is asked."""
    who = bench.question.addressee
    seats = [] if who is None else bench.state.character(who).seats
    return seats[0] if seats else GM


def assert_within(wanted: Any, found: Any, where: str) -> None:
    """All that is wanted is found; a track is compared by what is left of it."""
    if isinstance(wanted, dict):
        for name, value in wanted.items():
            assert_within(value, found[name], f"{where}.{name}")
    elif isinstance(found, dict) and found.keys() == {"now", "full"}:
        assert found["now"] == wanted, where
    else:
        assert found == wanted, where


@pytest.mark.parametrize("game", BOOKS)
def test_every_statement_has_a_ruling_or_a_reason_to_have_none(game: str) -> None:
    book = BOOKS[game]
    without = [id for id in STATEMENTS[game] if id not in book.covered | book.judgement.keys()]
    assert without == []
    assert all(len(reason) > 20 for reason in book.judgement.values())


@pytest.mark.parametrize("game", BOOKS)
def test_rulings_name_only_what_there_is(game: str) -> None:
    known = {*STATEMENTS[game], *READINGS[game], *WORKED[game]}
    assert BOOKS[game].covered | BOOKS[game].judgement.keys() <= known


@pytest.mark.parametrize("game", BOOKS)
def test_every_reading_and_worked_example_has_a_ruling(game: str) -> None:
    assert [id for id in (*READINGS[game], *WORKED[game]) if id not in BOOKS[game].covered] == []


def switches() -> Iterator[Any]:
    for game, book in BOOKS.items():
        if game not in BOOK.games:
            continue
        house = BOOK.games[game].house
        for name, field in house.model_fields.items():
            if name != "id" and not _is_table(field.annotation):
                for value in values_of(field.annotation) or [field.default]:
                    yield pytest.param(book, name, value, field.default, id=f"{game} {name} {value}")


def _is_table(kind: Any) -> bool:
    """A table of dice faces is edited row by row; it is no switch."""
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def values_of(kind: Any) -> list[Any]:
    """None of a plain number: its default and one ruling that names it are enough."""
    if kind is bool:
        return [True, False]
    if kind is int:
        return []
    if isinstance(kind, type) and issubclass(kind, Enum):
        return [member.value for member in kind]
    assert get_args(kind), f"how many values has {kind}?"
    return list(get_args(kind))


@pytest.mark.parametrize(("book", "name", "value", "default"), list(switches()))
def test_every_value_of_a_house_rule_has_a_ruling_that_names_it(
    book: Rulings, name: str, value: Any, default: Any
) -> None:
    assert value == default or any(ruling.house.get(name) == value for ruling in book.ruling)
    assert any(name in ruling.house for ruling in book.ruling)


def counts(ruling: Ruling, outcome: str) -> bool:
    """Streaks are compared by the rulings about streaks; elsewhere they come and go with the faces."""
    return not outcome.startswith("will ") or bool({"S-61", "S-62"} & set(ruling.covers))
