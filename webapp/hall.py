"""All that one running Gritboard holds: its tables, its people, and who is connected."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from itertools import chain

from webapp.access import Access, Seat
from webapp.reach import Reach
from webapp.rules.dice import Dice
from webapp.rules.errors import RuleError
from webapp.rules.people import AddCharacters
from webapp.rules.ruleset import Rulebook, Sample
from webapp.rules.state import Habits
from webapp.rules.values import free_name
from webapp.rules.viewer import Role, Viewer
from webapp.store import NotSaved, Store, StoreProblem, TableRow
from webapp.table import GM_SEAT, Table, first_documents
from webapp.wifi import WifiNote

__all__ = ["Hall", "Presence", "SeatedPersons", "TableRow", "random_ids"]


class Presence(StrEnum):
    """What became of a seat's pages."""

    HERE = "here"
    ASLEEP = "asleep"
    GONE = "gone"


class SeatedPersons:
    """The seats of one table, as the rules and the log ask for them."""

    def __init__(self, access: Access, table: str) -> None:
        self._access = access
        self._table = table
        self._seats: dict[str, Seat] | None = None

    def forget(self) -> None:
        self._seats = None

    def seats(self) -> Mapping[str, Seat]:
        if self._seats is None:
            self._seats = {seat.id: seat for seat in self._access.seats.at(self._table)}
        return self._seats

    def habits(self, seats: Mapping[str, list[str]]) -> Mapping[str | None, Habits]:
        return {who: self._habits(own) for who, own in seats.items() if own}

    def name(self, seat: str) -> str:
        if seat == GM_SEAT:
            return "GM"
        found = self.seats().get(seat)
        return "somebody gone" if found is None else found.name

    def _habits(self, own: Collection[str]) -> Habits:
        sitting = [seat for name in own if (seat := self.seats().get(name)) is not None]
        orders = dict(chain.from_iterable(seat.orders.items() for seat in sitting))
        return Habits(real_dice=any(seat.real_dice for seat in sitting), orders=orders)


class Hall:
    """Opens tables once and keeps them; `presence` tells what became of a seat's pages, and since when."""

    def __init__(
        self,
        store: Store,
        access: Access,
        rulebook: Rulebook,
        *,
        dice: Dice,
        clock: Callable[[], datetime],
        addresses: Callable[[], list[str]],
        wifi: WifiNote,
    ) -> None:
        self.access = access
        self.rulebook = rulebook
        self.clock = clock
        self.addresses = addresses
        self.wifi = wifi
        self.reach = Reach(lambda: self.addresses())
        self.presence: Callable[[str], tuple[Presence, datetime | None]] = lambda seat: (Presence.GONE, None)
        self._store = store
        self._dice = dice
        self._tables: dict[str, Table] = {}
        self._persons: dict[str, SeatedPersons] = {}
        access.changed.append(self._people_changed)

    def rows(self) -> list[TableRow]:
        return self._store.tables()

    def last_played(self, row: TableRow) -> datetime:
        """Of a table that can't be read: when it was made."""
        try:
            entries = self.table(row).entries
        except StoreProblem:
            return row.created
        return entries[-1].at if entries else row.created

    def row(self, code: str) -> TableRow | None:
        return self._store.table_by_code(code)

    def table(self, row: TableRow) -> Table:
        if row.id not in self._tables:
            persons = self._persons.setdefault(row.id, SeatedPersons(self.access, row.id))
            current = self._store.table(row.id) or row
            self._tables[row.id] = Table(
                current,
                rulebook=self.rulebook,
                store=self._store,
                persons=persons,
                dice=self._dice,
                clock=self.clock,
                new_ids=random_ids(),
            )
        return self._tables[row.id]

    def new_table(self, name: str, games: tuple[str, ...], *, tap: str | None = None) -> TableRow:
        """A RuleError says in a sentence what is wrong with the name or the games. One tap makes one table."""
        table = secrets.token_hex(8) if tap is None else sha256(tap.encode()).hexdigest()[:16]
        made = self._store.table(table)
        if made is not None:
            return made
        bodies = first_documents(self.rulebook, name, games)
        row = TableRow(
            id=table,
            code=self.access.new_code(),
            name=name.strip(),
            games=games,
            created=self.clock(),
            revision=0,
        )
        self._store.add_table(row, bodies)
        return row

    def samples(self) -> tuple[Sample, ...]:
        return self.rulebook.samples

    def new_sample(self, sample_id: str, *, tap: str | None = None) -> TableRow | None:
        """A table that is ready to play; None when there is no such sample."""
        sample = next((sample for sample in self.samples() if sample.id == sample_id), None)
        if sample is None:
            return None
        name = free_name(sample.name, {row.name for row in self.rows()}, between=" ")
        row = self.new_table(name, sample.games, tap=tap)
        table = self.table(row)
        if table.revision == 0:
            for side, name, copies, sheets in sample.cast:
                move = {"move": AddCharacters.kind(), "side": side.value, "name": name, "sheets": sheets}
                reply = table.do({**move, "copies": copies, "line": sample.lines.get(name, "")}, Viewer(role=Role.GM))
                if not reply.ok:
                    self._take_back(row)
                    raise RuleError(reply.say or "")
        return row

    def _take_back(self, row: TableRow) -> None:
        """A table that could not be made whole."""
        self._tables.pop(row.id, None)
        with suppress(NotSaved):
            self._store.remove_table(row.id)

    def seats(self, table: str) -> Mapping[str, Seat]:
        return self._persons.setdefault(table, SeatedPersons(self.access, table)).seats()

    def last_seen(self, table: str, seat: str) -> datetime | None:
        """When a device of this seat last came by, to the minute."""
        return max((one.last_seen for one in self.access.devices(table) if one.seat == seat), default=None)

    def _people_changed(self, table: str) -> None:
        if table in self._persons:
            self._persons[table].forget()
        if table in self._tables:
            self._tables[table].tell()


def random_ids() -> Iterator[str]:
    """Ids that nobody can guess or count."""
    while True:
        yield secrets.token_hex(8)
