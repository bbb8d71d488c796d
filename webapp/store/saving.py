"""All tables of one data file: their documents and their logs."""

import json
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from sqlmodel import col, delete, func, select

from webapp.store.commits import (
    change_entry,
    earlier_answer,
    keep_tap,
    raise_revision,
    rewrite_entry,
    stored_revision,
    write_bodies,
    write_entry,
)
from webapp.store.connections import Transactions
from webapp.store.opening import take_hold
from webapp.store.people import People
from webapp.store.rows import Body, EntryRow, TableRow
from webapp.store.stored import IN_ORDER_OF_ARRIVAL, StoredDocument, StoredEntry, StoredTable

Among = Literal["lines", "changes"]


class Store:
    """All tables of one data file. Every call is one short transaction; no call awaits anything."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = take_hold(path)
        self._transactions = Transactions(path)
        self.people = People(self._transactions)

    def close(self) -> None:
        self._transactions.engine.dispose()
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # tables

    def tables(self) -> list[TableRow]:
        """Oldest first."""
        with self._transactions.reading() as session:
            found = session.exec(select(StoredTable).order_by(IN_ORDER_OF_ARRIVAL))
            return [stored.row() for stored in found]

    def table(self, table: str) -> TableRow | None:
        with self._transactions.reading() as session:
            stored = session.get(StoredTable, table)
            return None if stored is None else stored.row()

    def table_by_code(self, code: str) -> TableRow | None:
        with self._transactions.reading() as session:
            stored = session.exec(select(StoredTable).where(StoredTable.code == code)).first()
            return None if stored is None else stored.row()

    def add_table(self, row: TableRow, bodies: Mapping[str, Body]) -> None:
        """A table with its first documents."""
        with self._transactions.writing() as session:
            session.add(StoredTable.of(row))
            session.flush()
            write_bodies(session, row.id, bodies)

    def remove_table(self, table: str) -> None:
        """With its documents, log, seats and devices, for ever."""
        with self._transactions.writing() as session:
            session.exec(delete(StoredTable).where(col(StoredTable.id) == table))
        self.people.forget()

    # documents and log

    def documents(self, table: str) -> dict[str, Body]:
        """Every document of a table by its key "kind/id"."""
        with self._transactions.reading() as session:
            found = session.exec(select(StoredDocument).where(StoredDocument.table_id == table))
            return {stored.key: json.loads(stored.body) for stored in found}

    def revision(self, table: str) -> int:
        with self._transactions.reading() as session:
            return stored_revision(session, table)

    def entries(self, table: str, *, before: int | None = None, most: int = 200) -> list[EntryRow]:
        """The last entries, or the last ones before a number; the newest stands last."""
        query = select(StoredEntry).where(StoredEntry.table_id == table)
        if before is not None:
            query = query.where(StoredEntry.number < before)
        query = query.order_by(col(StoredEntry.number).desc()).limit(most)
        with self._transactions.reading() as session:
            return [stored.row() for stored in session.exec(query)][::-1]

    def entries_that_hold(
        self, table: str, words: str, *, among: Among, before: int, since: int = 0, most: int = 50
    ) -> list[EntryRow]:
        """Earlier entries with these words in their lines or their changes; the newest stands first."""
        query = select(StoredEntry).where(
            StoredEntry.table_id == table,
            StoredEntry.number < before,
            StoredEntry.number >= since,
            func.instr(getattr(StoredEntry, among), words) > 0,
        )
        query = query.order_by(col(StoredEntry.number).desc()).limit(most)
        with self._transactions.reading() as session:
            return [stored.row() for stored in session.exec(query)]

    def entry(self, table: str, entry_id: str) -> EntryRow | None:
        with self._transactions.reading() as session:
            stored = session.get(StoredEntry, (table, entry_id))
            return None if stored is None else stored.row()

    def entries_of_thread(self, table: str, thread: str) -> list[EntryRow]:
        query = select(StoredEntry).where(StoredEntry.table_id == table, StoredEntry.thread == thread)
        with self._transactions.reading() as session:
            return [stored.row() for stored in session.exec(query.order_by(col(StoredEntry.number)))]

    def entries_since(self, table: str, number: int) -> list[EntryRow]:
        """The entry of this number and all later ones."""
        query = select(StoredEntry).where(StoredEntry.table_id == table, StoredEntry.number >= number)
        with self._transactions.reading() as session:
            return [stored.row() for stored in session.exec(query.order_by(col(StoredEntry.number)))]

    def tapped(self, table: str, seat: str | None, tap: str) -> Body | None:
        """What a tap that was carried out was answered. The GM's taps have no seat."""
        with self._transactions.reading() as session:
            return earlier_answer(session, table, seat, tap)

    def commit(
        self,
        table: str,
        *,
        on: int,
        entry: EntryRow,
        bodies: Mapping[str, Body | None],
        marks: Mapping[str, str | None] | None = None,
        tap: str | None = None,
        replaces: bool = False,
    ) -> int:
        """One move, whole or not at all; returns the new revision.

        Written are the changed bodies (None deletes), who undid the marked entries, and the entry itself;
        its number becomes the new revision. `replaces` rewrites the entry of the same id. A tap is kept with
        the entry's answer under the entry's seat.
        """
        with self._transactions.writing() as session:
            if tap is not None:
                keep_tap(session, table, entry, tap)
            number = raise_revision(session, table, on)
            write_bodies(session, table, bodies)
            for marked, undone_by in (marks or {}).items():
                change_entry(session, table, marked, {"undone_by": undone_by})
            write = rewrite_entry if replaces else write_entry
            write(session, table, entry, number)
        return number
