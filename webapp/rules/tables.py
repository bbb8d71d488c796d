"""Random tables: the GM's own, and those of the rule sets in play; rolled in the open or in secret."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Annotated

from pydantic import Field, StringConstraints

from webapp.rules.document import Audience, Document, Name
from webapp.rules.errors import RuleError
from webapp.rules.move import Leave, Move
from webapp.rules.roll import Ask, Roll
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, text
from webapp.rules.tray import in_secret
from webapp.rules.values import READABLE, Frozen
from webapp.rules.viewer import Role

MOST_TABLES, MOST_ROWS = 60, 100
GONE = text("There is no such table.")
ROW = re.compile(r"^(\d{1,3})(?:\s*[-–−]\s*(\d{1,3}))?[.:)]?\s+(\S.*)$")

Sides = Annotated[int, Field(ge=2, le=100)]
HowMany = Annotated[int, Field(ge=1, le=6)]
Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200), READABLE]
Lines = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=8000)]


class Row(Frozen):
    """What the totals from `lowest` to `highest` bring."""

    lowest: int
    highest: int
    words: Words


class RandomTable(Document):
    """A table of the GM's own. `shared`: players see it and may roll on it."""

    name: Name
    dice: tuple[Sides, ...] = (6,)
    rows: tuple[Row, ...] = ()
    shared: bool = False

    @property
    def shown(self) -> ShownTable:
        return ShownTable(id=self.id, name=text("{name}", name=self.name), dice=self.dice, rows=self.rows)


class ShownTable(Frozen):
    """A table as it can be read and rolled; those of rule sets have "game.table" for an id."""

    id: str
    name: Text
    dice: tuple[int, ...]
    rows: tuple[Row, ...]

    @property
    def pool(self) -> str:
        return pool_of(self.dice)

    def row(self, total: int) -> Row | None:
        return next((row for row in self.rows if row.lowest <= total <= row.highest), None)


def pool_of(dice: tuple[int, ...]) -> str:
    count = "" if len(dice) == 1 else str(len(dice))
    return f"{count}d{dice[0]}"


def tables(state: State, *, all_of_them: bool) -> tuple[ShownTable, ...]:
    """Those of the rule sets in play, then the GM's own; for players only what is shared."""
    games = (state.rulebook.games[name] for name in state.settings.games)
    own = sorted(state.all(RandomTable), key=lambda table: table.name.lower())
    of_games = tuple(table for game in games for table in game.tables(state))
    return (*of_games, *(table.shown for table in own if table.shared or all_of_them))


class RollTable(Move):
    """One roll on a table; a secret one is for the GM's eyes."""

    by = Leave.SEATED
    table: Annotated[str, Field(max_length=80)]
    secret: bool = False

    def refusal(self, state: State) -> Text | None:
        found = next((one for one in tables(state, all_of_them=True) if one.id == self.table), None)
        return GONE if found is None else None

    def apply(self, scene: Scene) -> None:
        is_gm = scene.viewer.role is Role.GM
        found = next((one for one in tables(scene, all_of_them=is_gm) if one.id == self.table), None)
        if found is None:
            raise RuleError(GONE)
        ask = Ask(what=found.name, dice=found.dice)
        roll = Roll(ask=ask, faces=scene.fair.throw(found.dice))
        row = found.row(roll.total)
        words = "nothing stands there" if row is None else row.words
        audience = in_secret(scene) if self.secret else Audience.EVERYBODY
        sentence = text("{table}, {total}: {words}", table=found.name, total=roll.total, words=words)
        scene.say(sentence, roll, audience=audience)


class KeepTable(Move):
    """The GM writes a table of their own, a row a line: "1 Rain", "2-3 Fog". With `table` an old one anew."""

    by = Leave.GM
    table: Annotated[str, Field(max_length=40)] = ""
    name: Name
    count: HowMany = 1
    sides: Sides = 6
    lines: Lines
    shared: bool = False

    def refusal(self, state: State) -> Text | None:
        if self.table and state.find(RandomTable, self.table) is None:
            return GONE
        if not self.table and len(list(state.all(RandomTable))) >= MOST_TABLES:
            return text("A table keeps {most} random tables at most.", most=MOST_TABLES)
        return None

    def apply(self, scene: Scene) -> None:
        dice = (self.sides,) * self.count
        id, rows = self.table or scene.new_id(), _rows(self.lines, dice)
        body = RandomTable(id=id, name=self.name, dice=dice, rows=rows, shared=self.shared)
        if self.table:
            scene.replace(body)
        else:
            scene.add(body)
        audience = Audience.EVERYBODY if self.shared else Audience.GM
        scene.say(text("A table is kept: {name}.", name=self.name), audience=audience)


class ThrowTableAway(Move):
    by = Leave.GM
    table: Annotated[str, Field(max_length=40)]

    def refusal(self, state: State) -> Text | None:
        return GONE if state.find(RandomTable, self.table) is None else None

    def apply(self, scene: Scene) -> None:
        found = scene.get(RandomTable, self.table)
        scene.remove(found)
        audience = Audience.EVERYBODY if found.shared else Audience.GM
        scene.say(text("The table {name} is thrown away.", name=found.name), audience=audience)


def _rows(lines: str, dice: tuple[int, ...]) -> tuple[Row, ...]:
    """A row a line; lines without numbers are counted. RuleError with the line that can't be read."""
    given = [line.strip() for line in lines.splitlines() if line.strip()]
    if len(given) > MOST_ROWS:
        raise RuleError("A table has {most} rows at most.", most=MOST_ROWS)
    numbered = [ROW.match(line) for line in given]
    lowest, highest = len(dice), sum(dice)
    if not any(numbered):
        rows = [_row(lowest + nth, lowest + nth, words) for nth, words in enumerate(given)]
    else:
        for line, match in zip(given, numbered, strict=True):
            if match is None:
                raise RuleError('This row has no number: "{line}". Write "3 Fog" or "4-6 Rain".', line=line[:60])
        found = [match.groups() for match in numbered if match is not None]
        rows = [_row(int(first), int(last or first), words) for first, last, words in found]
    return _checked(rows, lowest, highest, pool_of(dice))


def _row(lowest: int, highest: int, words: str) -> Row:
    if len(words) > 200:
        raise RuleError("A row is too long: 200 letters at most.")
    return Row(lowest=min(lowest, highest), highest=max(lowest, highest), words=words)


def _checked(rows: list[Row], lowest: int, highest: int, pool: str) -> tuple[Row, ...]:
    """In order, each total once, none that the dice can't show."""
    rows = sorted(rows, key=lambda row: row.lowest)
    outside = next((row for row in rows if row.lowest < lowest or row.highest > highest), None)
    if outside is not None:
        raise RuleError("{pool} can't show {number}.", pool=pool, number=_beyond(outside, lowest))
    for before, after in pairwise(rows):
        if after.lowest <= before.highest:
            raise RuleError("{number} stands there twice.", number=after.lowest)
    return tuple(rows)


def _beyond(row: Row, lowest: int) -> int:
    return row.lowest if row.lowest < lowest else row.highest


DOCUMENTS: tuple[type[Document], ...] = (RandomTable,)
MOVES: tuple[type[Move], ...] = (RollTable, KeepTable, ThrowTableAway)
