"""What one commit writes, inside its transaction."""

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import bindparam, insert
from sqlalchemy.dialects.sqlite import insert as upsert
from sqlmodel import Session, col, delete, select, update

from webapp.store.rows import Body, EntryRow
from webapp.store.stored import StoredDocument, StoredEntry, StoredTable, StoredTap, entry_values, text_of

# what every tap needs, made once
RAISED = (
    update(StoredTable)
    .where(col(StoredTable.id) == bindparam("table"), col(StoredTable.revision) == bindparam("on"))
    .values(revision=bindparam("raised"))
)
TAPPED = select(StoredTap.answer).where(
    StoredTap.table_id == bindparam("table"), StoredTap.seat == bindparam("seat"), StoredTap.tap == bindparam("tap")
)
NEW_TAP = upsert(StoredTap).on_conflict_do_nothing()
NEW_ENTRY = insert(StoredEntry)
_new_body = upsert(StoredDocument)
WRITTEN = _new_body.on_conflict_do_update(index_elements=["table_id", "key"], set_={"body": _new_body.excluded.body})


class StaleRevision(RuntimeError):
    """A commit was made on another revision than the stored one: a bug, never a player's mistake."""


class UnknownEntry(LookupError):
    """A commit names an entry that this table does not have."""


class Repeated(Exception):
    """This tap was carried out before; `answer` is what it was answered then."""

    def __init__(self, answer: Body) -> None:
        super().__init__("this tap was carried out before")
        self.answer = answer


def stored_revision(session: Session, table: str) -> int:
    found = session.exec(select(StoredTable.revision).where(StoredTable.id == table)).first()
    if found is None:
        raise LookupError(f"there is no table {table}")
    return found


def raise_revision(session: Session, table: str, on: int) -> int:
    raised = session.connection().execute(RAISED, {"table": table, "on": on, "raised": on + 1})
    if raised.rowcount != 1:
        stored = stored_revision(session, table)
        raise StaleRevision(f"table {table} is at revision {stored}, the commit was made on {on}")
    return on + 1


def write_bodies(session: Session, table: str, bodies: Mapping[str, Body | None]) -> None:
    gone = [key for key, body in bodies.items() if body is None]
    if gone:
        session.exec(
            delete(StoredDocument).where(col(StoredDocument.table_id) == table, col(StoredDocument.key).in_(gone))
        )
    rows = [
        {"table_id": table, "key": key, "body": text_of(body)} for key, body in bodies.items() if body is not None
    ]
    if rows:
        session.connection().execute(WRITTEN, rows)


def change_entry(session: Session, table: str, entry_id: str, values: Mapping[str, Any]) -> None:
    statement = update(StoredEntry).where(col(StoredEntry.table_id) == table, col(StoredEntry.id) == entry_id)
    if session.connection().execute(statement.values(**values)).rowcount != 1:
        raise UnknownEntry(f"table {table} has no entry {entry_id}")


def earlier_answer(session: Session, table: str, seat: str | None, tap: str) -> Body | None:
    stored = session.connection().scalar(TAPPED, {"table": table, "seat": seat or "", "tap": tap})
    answer: Body | None = None if stored is None else json.loads(stored)
    return answer


def keep_tap(session: Session, table: str, entry: EntryRow, tap: str) -> None:
    kept = {"table_id": table, "seat": entry.seat or "", "tap": tap, "answer": text_of(entry.answer)}
    if session.connection().execute(NEW_TAP, kept).rowcount == 0:
        raise Repeated(earlier_answer(session, table, entry.seat, tap) or {})


def write_entry(session: Session, table: str, entry: EntryRow, number: int) -> None:
    values = {"table_id": table, "id": entry.id, **entry_values(entry, number)}
    session.connection().execute(NEW_ENTRY, values)


def rewrite_entry(session: Session, table: str, entry: EntryRow, number: int) -> None:
    change_entry(session, table, entry.id, entry_values(entry, number))
