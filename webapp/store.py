"""Everything that is saved. The only module that knows the database."""

import errno
import json
import logging
import os
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self, TypeVar

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import (
    URL,
    Connection,
    Engine,
    Index,
    UniqueConstraint,
    bindparam,
    create_engine,
    event,
    insert,
    text,
)
from sqlalchemy.dialects.sqlite import insert as upsert
from sqlalchemy.exc import DatabaseError, IntegrityError
from sqlmodel import Field, Session, SQLModel, col, delete, select, update

Body = dict[str, Any]
ValueT = TypeVar("ValueT")

MOST_READ = 1000

IN_ORDER_OF_ARRIVAL = text("rowid")  # a stamp may be the same twice, and clocks are set back
MIGRATIONS = Path(__file__).resolve().parent / "migrations"
PATIENCE = 1000  # milliseconds that the table stands still while another program holds the file

log = logging.getLogger(__name__)


class StoreProblem(Exception):
    """Why the data cannot be opened or saved, as one sentence for the host."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class NotSaved(StoreProblem):
    """Why a tap came to nothing, as one sentence for the one who tapped; all is as it was."""


class StaleRevision(RuntimeError):
    """A commit was made on another revision than the stored one: a bug, never a player's mistake."""


class UnknownEntry(LookupError):
    """A commit names an entry that this table does not have."""


class Repeated(Exception):
    """This tap was carried out before; `answer` is what it was answered then."""

    def __init__(self, answer: Body) -> None:
        super().__init__("this tap was carried out before")
        self.answer = answer


# --- what leaves this module ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TableRow:
    id: str
    code: str
    name: str
    games: tuple[str, ...]
    created: datetime
    revision: int = 0


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One entry of a table's log. `number` is the revision that it made: `commit` sets it."""

    id: str
    number: int
    at: datetime
    seat: str | None
    move: Body
    thread: str
    lines: list[Any] = field(default_factory=list)
    changes: list[Any] = field(default_factory=list)
    settles: list[str] = field(default_factory=list)
    undoes: list[str] = field(default_factory=list)
    undone_by: str | None = None
    answer: Body = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Seat:
    id: str
    table: str
    name: str
    created: datetime
    real_dice: bool = False
    orders: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Device:
    id: str
    seat: str
    table: str
    admitted: bool
    label: str
    last_seen: datetime


@dataclass(frozen=True, slots=True)
class Link:
    """A one-time link that seats the device which redeems it."""

    seat: str
    add: bool
    until: datetime


# --- what is in the file -------------------------------------------------------------------------


class StoredTable(SQLModel, table=True):
    __tablename__ = "game_table"

    id: str = Field(primary_key=True)
    code: str = Field(unique=True)
    name: str
    games: str
    created: str
    revision: int


class StoredDocument(SQLModel, table=True):
    __tablename__ = "document"

    table_id: str = Field(primary_key=True, foreign_key="game_table.id", ondelete="CASCADE")
    key: str = Field(primary_key=True)
    body: str


class StoredEntry(SQLModel, table=True):
    __tablename__ = "entry"
    __table_args__ = (
        UniqueConstraint("table_id", "number", name="entry_number"),
        Index("entry_thread", "table_id", "thread"),
    )

    table_id: str = Field(primary_key=True, foreign_key="game_table.id", ondelete="CASCADE")
    id: str = Field(primary_key=True)
    number: int
    at: str
    seat: str | None
    move: str
    thread: str
    lines: str
    changes: str
    settles: str
    undoes: str
    undone_by: str | None
    answer: str


class StoredTap(SQLModel, table=True):
    __tablename__ = "tap"

    table_id: str = Field(primary_key=True, foreign_key="game_table.id", ondelete="CASCADE")
    seat: str = Field(primary_key=True)
    tap: str = Field(primary_key=True)
    answer: str


class StoredSeat(SQLModel, table=True):
    __tablename__ = "seat"
    __table_args__ = (UniqueConstraint("table_id", "name_key", name="seat_name"),)

    id: str = Field(primary_key=True)
    table_id: str = Field(foreign_key="game_table.id", ondelete="CASCADE")
    name: str
    name_key: str
    created: str
    real_dice: bool
    orders: str


class StoredDevice(SQLModel, table=True):
    __tablename__ = "device"

    id: str = Field(primary_key=True)
    token: str = Field(unique=True)
    seat_id: str = Field(foreign_key="seat.id", ondelete="CASCADE", index=True)
    table_id: str = Field(foreign_key="game_table.id", ondelete="CASCADE", index=True)
    admitted: bool
    label: str
    last_seen: str


class StoredLink(SQLModel, table=True):
    __tablename__ = "link"

    token: str = Field(primary_key=True)
    seat_id: str = Field(foreign_key="seat.id", ondelete="CASCADE", index=True)
    adds: bool
    until: str


class StoredHost(SQLModel, table=True):
    __tablename__ = "host"

    token: str = Field(primary_key=True)
    created: str


METADATA = SQLModel.metadata

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
_new_body = upsert(StoredDocument)
WRITTEN = _new_body.on_conflict_do_update(index_elements=["table_id", "key"], set_={"body": _new_body.excluded.body})


# --- what can be wrong with a disk -----------------------------------------------------------------

NO_ROOM = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))
ROOM = 256 * 1024  # with less than this left, a disk that fails is a disk that is full
IN_PLAY = {
    sqlite3.SQLITE_FULL: "the disk is full. Make room on the laptop, then tap again.",
    sqlite3.SQLITE_BUSY: "another program holds the data file. Close it on the laptop, then tap again.",
    sqlite3.SQLITE_READONLY: "the data file can't be written. Make it writable on the laptop, then tap again.",
    sqlite3.SQLITE_IOERR: "the laptop's disk does not answer. Look after it, then tap again.",
    sqlite3.SQLITE_CORRUPT: "the data file is damaged. End Gritboard on the laptop, and put back a copy.",
}
SAME = {
    sqlite3.SQLITE_LOCKED: sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN: sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_PERM: sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_NOTADB: sqlite3.SQLITE_CORRUPT,
}


def _what(error: BaseException, folder: Path) -> int:
    """One of the numbers of IN_PLAY, or 0 for what nobody thought of."""
    if isinstance(error, OSError):
        return sqlite3.SQLITE_FULL if error.errno in NO_ROOM else sqlite3.SQLITE_READONLY
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_IOERR and _room(folder) < ROOM:
        return sqlite3.SQLITE_FULL
    return SAME.get(code, code if code in IN_PLAY else 0)


def _room(folder: Path) -> int:
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return sys.maxsize


def problem_at_start(error: BaseException, path: Path) -> StoreProblem:
    """Why the data can't be opened, and what the host can do."""
    match _what(error, path.parent):
        case sqlite3.SQLITE_FULL:
            return StoreProblem(f"There is no room left on the disk of {path.parent}: make room, then start again.")
        case sqlite3.SQLITE_BUSY:
            return StoreProblem(f"Another program holds {path}: close it, then start again.")
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_IOERR:
            return StoreProblem(
                f"Gritboard can't keep its data in {path.parent}: "
                "make that a folder it can write in, or name another with --data."
            )
    return _broken(path)


def _broken(path: Path) -> StoreProblem:
    return StoreProblem(f"{path} is damaged: put back a copy of it, or move it away to start anew.")


def _problem_in_play(error: DatabaseError, path: Path) -> NotSaved:
    what = _what(error.orig or error, path.parent)
    words = IN_PLAY.get(what, "something went wrong with the data. End Gritboard on the laptop, then start it again.")
    log.error("Nothing was saved: %s (%s)", words, error.orig)
    return NotSaved(f"Nothing was saved: {words}")


# --- opening -------------------------------------------------------------------------------------


class FileLock:
    """Held while the data file is open; the system lets go of it when the process ends, however it ends."""

    def __init__(self, path: Path) -> None:
        self._file: IO[str] = path.open("a+")
        try:
            self._take()
        except OSError as error:
            self._file.close()
            if error.errno not in (errno.EACCES, errno.EAGAIN, getattr(errno, "EDEADLK", errno.EAGAIN)):
                raise
            raise StoreProblem(
                f"Gritboard is already running with the data in {path.parent}: "
                "use that one, or end it before you start another."
            ) from error

    def _take(self) -> None:
        if sys.platform == "win32":
            import msvcrt

            self._file.seek(0)
            msvcrt.locking(self._file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def release(self) -> None:
        self._file.close()


def open_engine(path: Path, *, foreign_keys: bool = True) -> Engine:
    engine = create_engine(URL.create("sqlite", database=str(path)))
    enforced = "ON" if foreign_keys else "OFF"

    @event.listens_for(engine, "connect")
    def _(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # the driver's own BEGIN would leave out reads and schema changes
        for pragma in (
            f"busy_timeout={PATIENCE}",
            "journal_mode=WAL",
            "synchronous=FULL",
            f"foreign_keys={enforced}",
        ):
            connection.execute(f"PRAGMA {pragma}").close()

    @event.listens_for(engine, "begin")
    def _(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


# a text in the middle may be damaged and the file still be sound
GARBLED = """
    SELECT 1 FROM document WHERE NOT json_valid(body)
    UNION ALL SELECT 1 FROM entry WHERE NOT (json_valid(move) AND json_valid(lines) AND json_valid(changes))
    LIMIT 1
"""


def _check(path: Path) -> None:
    """Says what is wrong with the file before anything writes to it: what is refused stays as it is."""
    if path.exists() and not path.is_file():
        raise StoreProblem(
            f"{path} is in the way of the data file: move it away, or name another folder with --data."
        )
    rest = path.with_name(f"{path.name}-wal")
    if not path.exists():
        if rest.exists() and rest.stat().st_size:  # SQLite would throw it away
            raise StoreProblem(f"{path} is gone, but {rest.name} is not: put back a copy, or move that away too.")
        return
    with path.open("r+b") as file:  # SQLite would not mind if it could only be read
        start = file.read(16)
    if not start:
        raise StoreProblem(f"{path} is empty: put back a copy of it, or move it away to start anew.")
    if start != b"SQLite format 3\x00":
        raise StoreProblem(
            f"{path} is not Gritboard's data, or is damaged: put back a copy of it, or move it away to start anew."
        )
    with closing(_reader(path)) as connection:
        _check_content(connection, path)


def _reader(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=PATIENCE / 1000)
    connection.execute("PRAGMA query_only=ON").close()
    return connection


def _check_content(connection: sqlite3.Connection, path: Path) -> None:
    if connection.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
        raise _broken(path)
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not tables:
        return
    if not {"alembic_version", "game_table"} <= tables:
        raise StoreProblem(f"{path} belongs to another program: move it away, or name another folder with --data.")
    known = {script.revision for script in ScriptDirectory.from_config(migration_config()).walk_revisions()}
    if not {stored for (stored,) in connection.execute("SELECT version_num FROM alembic_version")} <= known:
        raise StoreProblem(f"{path} was written by a newer Gritboard: start that one, or update this one.")
    if connection.execute(GARBLED).fetchone() is not None:
        raise _broken(path)


def migration_config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def migrate(path: Path) -> None:
    """Brings the file to the newest form, whole or not at all; keeps a copy of how it was."""
    config = migration_config()
    newest = ScriptDirectory.from_config(config).get_current_head()
    logging.getLogger("alembic").setLevel(logging.WARNING)
    # SQLite changes a table by making it anew: with foreign keys enforced all that hangs on it would be gone
    engine = open_engine(path, foreign_keys=False)
    try:
        with engine.execution_options(writes=True).begin() as connection:
            stored = MigrationContext.configure(connection).get_current_revision()
        if stored == newest:
            return
        if stored is not None:
            keep_copy(path, f"before-{newest}")
        with engine.execution_options(writes=True).begin() as connection:
            config.attributes["connection"] = connection
            _upgrade(connection, config, path)
    finally:
        engine.dispose()


def _upgrade(connection: Connection, config: Config, path: Path) -> None:
    try:
        command.upgrade(config, "head")
        if connection.exec_driver_sql("PRAGMA foreign_key_check").first() is not None:
            raise RuntimeError("a migration took something away that other rows hang on")
    except Exception as error:
        if _what(getattr(error, "orig", error), path.parent):
            raise
        log.error("a migration failed: %r", error)
        raise StoreProblem(
            f"{path} could not be made ready for this Gritboard and is as it was: start the Gritboard you had before."
        ) from error


def keep_copy(path: Path, ending: str) -> Path:
    """The data as it is now, in one file beside it; half a copy never bears the name."""
    copy, half = path.with_name(f"{path.name}.{ending}"), path.with_name(f"{path.name}.half")
    half.unlink(missing_ok=True)
    try:
        with closing(_reader(path)) as source, closing(sqlite3.connect(half)) as target:
            source.backup(target)
        os.replace(half, copy)
    except BaseException:
        half.unlink(missing_ok=True)
        raise
    return copy


# --- rows and texts ------------------------------------------------------------------------------


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _table_row(stored: StoredTable) -> TableRow:
    return TableRow(
        id=stored.id,
        code=stored.code,
        name=stored.name,
        games=tuple(json.loads(stored.games)),
        created=datetime.fromisoformat(stored.created),
        revision=stored.revision,
    )


def _entry_row(stored: StoredEntry) -> EntryRow:
    return EntryRow(
        id=stored.id,
        number=stored.number,
        at=datetime.fromisoformat(stored.at),
        seat=stored.seat,
        move=json.loads(stored.move),
        thread=stored.thread,
        lines=json.loads(stored.lines),
        changes=json.loads(stored.changes),
        settles=json.loads(stored.settles),
        undoes=json.loads(stored.undoes),
        undone_by=stored.undone_by,
        answer=json.loads(stored.answer),
    )


def _entry_values(entry: EntryRow, number: int) -> dict[str, Any]:
    return {
        "number": number,
        "at": entry.at.isoformat(),
        "seat": entry.seat,
        "move": _text(entry.move),
        "thread": entry.thread,
        "lines": _text(entry.lines),
        "changes": _text(entry.changes),
        "settles": _text(entry.settles),
        "undoes": _text(entry.undoes),
        "undone_by": entry.undone_by,
        "answer": _text(entry.answer),
    }


def _seat(stored: StoredSeat) -> Seat:
    return Seat(
        id=stored.id,
        table=stored.table_id,
        name=stored.name,
        created=datetime.fromisoformat(stored.created),
        real_dice=stored.real_dice,
        orders=json.loads(stored.orders),
    )


def _device(stored: StoredDevice) -> Device:
    return Device(
        id=stored.id,
        seat=stored.seat_id,
        table=stored.table_id,
        admitted=stored.admitted,
        label=stored.label,
        last_seen=datetime.fromisoformat(stored.last_seen),
    )


def name_key(name: str) -> str:
    """Two names with the same key are the same name to people."""
    return name.casefold()


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


class _Transactions:
    """Short transactions on one engine; what goes wrong with the disk is told in one sentence."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.engine = engine = open_engine(path)
        self._writer = engine.execution_options(writes=True)
        self._file = _identity(path)

    @contextmanager
    def reading(self) -> Iterator[Session]:
        with self._told(), Session(self.engine, expire_on_commit=False) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        if _identity(self.path) != self._file:  # SQLite would go on in a file that nobody finds again
            raise NotSaved("Nothing was saved: the data file is gone. Put it back on the laptop, then tap again.")
        with self._told(), Session(self._writer, expire_on_commit=False) as session, session.begin():
            yield session

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except IntegrityError:
            raise  # not the disk's fault: what was to be saved breaks a promise
        except DatabaseError as error:
            raise _problem_in_play(error, self.path) from error


class Store:
    """All tables of one data file. Every call is one short transaction; no call awaits anything."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = FileLock(path.parent / "gritboard.lock")
        except OSError as error:
            raise problem_at_start(error, path) from error
        try:
            self._open()
        except BaseException:
            self._lock.release()
            raise
        self._transactions = _Transactions(path)
        self.people = People(self._transactions)

    def _open(self) -> None:
        try:
            _check(self.path)
            migrate(self.path)
        except (OSError, sqlite3.DatabaseError) as error:
            raise problem_at_start(error, self.path) from error
        except DatabaseError as error:
            raise problem_at_start(error.orig or error, self.path) from error

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
            return [_table_row(stored) for stored in found]

    def table(self, table: str) -> TableRow | None:
        with self._transactions.reading() as session:
            stored = session.get(StoredTable, table)
            return None if stored is None else _table_row(stored)

    def table_by_code(self, code: str) -> TableRow | None:
        with self._transactions.reading() as session:
            stored = session.exec(select(StoredTable).where(StoredTable.code == code)).first()
            return None if stored is None else _table_row(stored)

    def add_table(self, row: TableRow, bodies: Mapping[str, Body]) -> None:
        """A table with its first documents."""
        with self._transactions.writing() as session:
            session.add(
                StoredTable(
                    id=row.id,
                    code=row.code,
                    name=row.name,
                    games=_text(row.games),
                    created=row.created.isoformat(),
                    revision=row.revision,
                )
            )
            session.flush()
            _write_bodies(session, row.id, bodies)

    def update_table(self, table: str, *, name: str | None = None, games: Iterable[str] | None = None) -> None:
        """What the list of tables shows; no entry, no revision."""
        values: dict[str, Any] = {}
        if name is not None:
            values["name"] = name
        if games is not None:
            values["games"] = _text(list(games))
        if values:
            with self._transactions.writing() as session:
                session.exec(update(StoredTable).where(col(StoredTable.id) == table).values(**values))

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
            return _revision(session, table)

    def entries(self, table: str, *, before: int | None = None, most: int = 200) -> list[EntryRow]:
        """The last entries, or the last ones before a number; the newest stands last."""
        query = select(StoredEntry).where(StoredEntry.table_id == table)
        if before is not None:
            query = query.where(StoredEntry.number < before)
        query = query.order_by(col(StoredEntry.number).desc()).limit(most)
        with self._transactions.reading() as session:
            return [_entry_row(stored) for stored in session.exec(query)][::-1]

    def entry(self, table: str, entry_id: str) -> EntryRow | None:
        with self._transactions.reading() as session:
            stored = session.get(StoredEntry, (table, entry_id))
            return None if stored is None else _entry_row(stored)

    def entries_of_thread(self, table: str, thread: str) -> list[EntryRow]:
        query = select(StoredEntry).where(StoredEntry.table_id == table, StoredEntry.thread == thread)
        with self._transactions.reading() as session:
            return [_entry_row(stored) for stored in session.exec(query.order_by(col(StoredEntry.number)))]

    def entries_since(self, table: str, number: int) -> list[EntryRow]:
        """The entry of this number and all later ones."""
        query = select(StoredEntry).where(StoredEntry.table_id == table, StoredEntry.number >= number)
        with self._transactions.reading() as session:
            return [_entry_row(stored) for stored in session.exec(query.order_by(col(StoredEntry.number)))]

    def tapped(self, table: str, seat: str | None, tap: str) -> Body | None:
        """What a tap that was carried out was answered. The GM's taps have no seat."""
        with self._transactions.reading() as session:
            return _tapped(session, table, seat, tap)

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
                _keep_tap(session, table, entry, tap)
            number = _raise_revision(session, table, on)
            _write_bodies(session, table, bodies)
            for marked, undone_by in (marks or {}).items():
                _change_entry(session, table, marked, {"undone_by": undone_by})
            values = _entry_values(entry, number)
            if replaces:
                _change_entry(session, table, entry.id, values)
            else:
                session.connection().execute(insert(StoredEntry), {"table_id": table, "id": entry.id, **values})
        return number


def _revision(session: Session, table: str) -> int:
    found = session.exec(select(StoredTable.revision).where(StoredTable.id == table)).first()
    if found is None:
        raise LookupError(f"there is no table {table}")
    return found


def _raise_revision(session: Session, table: str, on: int) -> int:
    raised = session.connection().execute(RAISED, {"table": table, "on": on, "raised": on + 1})
    if raised.rowcount != 1:
        stored = _revision(session, table)
        raise StaleRevision(f"table {table} is at revision {stored}, the commit was made on {on}")
    return on + 1


def _write_bodies(session: Session, table: str, bodies: Mapping[str, Body | None]) -> None:
    gone = [key for key, body in bodies.items() if body is None]
    if gone:
        session.exec(
            delete(StoredDocument).where(col(StoredDocument.table_id) == table, col(StoredDocument.key).in_(gone))
        )
    rows = [{"table_id": table, "key": key, "body": _text(body)} for key, body in bodies.items() if body is not None]
    if rows:
        session.connection().execute(WRITTEN, rows)


def _change_entry(session: Session, table: str, entry_id: str, values: Mapping[str, Any]) -> None:
    statement = update(StoredEntry).where(col(StoredEntry.table_id) == table, col(StoredEntry.id) == entry_id)
    if session.connection().execute(statement.values(**values)).rowcount != 1:
        raise UnknownEntry(f"table {table} has no entry {entry_id}")


def _tapped(session: Session, table: str, seat: str | None, tap: str) -> Body | None:
    stored = session.connection().scalar(TAPPED, {"table": table, "seat": seat or "", "tap": tap})
    answer: Body | None = None if stored is None else json.loads(stored)
    return answer


def _keep_tap(session: Session, table: str, entry: EntryRow, tap: str) -> None:
    kept = {"table_id": table, "seat": entry.seat or "", "tap": tap, "answer": _text(entry.answer)}
    if session.connection().execute(NEW_TAP, kept).rowcount == 0:
        raise Repeated(_tapped(session, table, entry.seat, tap) or {})


class NameTaken(Exception):
    """Another seat of the table has this name."""


class People:
    """Seats, devices, links and hosts. Tokens are known here only as hashes.

    Every page asks who it is before it draws, so what was read is kept until somebody here is changed.
    """

    def __init__(self, transactions: _Transactions) -> None:
        self._transactions = transactions
        self._read: dict[tuple[str, ...], Any] = {}

    def forget(self) -> None:
        """What was read may have changed."""
        self._read.clear()

    def _once(self, key: tuple[str, ...], read: Callable[[Session], ValueT]) -> ValueT:
        if key not in self._read:
            if len(self._read) >= MOST_READ:  # whoever asks with ever new tokens fills no memory
                self.forget()
            with self._transactions.reading() as session:
                self._read[key] = read(session)
        found: ValueT = self._read[key]
        return found

    @contextmanager
    def _writing(self) -> Iterator[Session]:
        try:
            with self._transactions.writing() as session:
                yield session
        finally:
            self.forget()

    # seats

    def seats(self, table: str) -> list[Seat]:
        """In the order they sat down."""

        def read(session: Session) -> list[Seat]:
            query = select(StoredSeat).where(StoredSeat.table_id == table).order_by(IN_ORDER_OF_ARRIVAL)
            return [_seat(stored) for stored in session.exec(query)]

        return list(self._once(("seats", table), read))

    def seat(self, seat: str) -> Seat | None:
        with self._transactions.reading() as session:
            stored = session.get(StoredSeat, seat)
            return None if stored is None else _seat(stored)

    def add_seat(self, seat: Seat, device: Device | None, token: str) -> None:
        """A new seat with its first device, if it has one."""
        stored = StoredSeat(
            id=seat.id,
            table_id=seat.table,
            name=seat.name,
            name_key=name_key(seat.name),
            created=seat.created.isoformat(),
            real_dice=seat.real_dice,
            orders=_text(seat.orders),
        )
        with self._writing() as session:
            session.add(stored)
            _flush_name(session, seat.name)
            if device is not None:
                session.add(_stored_device(device, token))

    def change_seat(self, seat: str, change: Callable[[Seat], Seat]) -> Seat | None:
        """Reads, changes and writes a seat in one go; None when it is gone."""
        with self._writing() as session:
            stored = session.get(StoredSeat, seat)
            if stored is None:
                return None
            changed = change(_seat(stored))
            stored.name, stored.name_key = changed.name, name_key(changed.name)
            stored.real_dice, stored.orders = changed.real_dice, _text(changed.orders)
            _flush_name(session, changed.name)
            return changed

    def remove_seat(self, seat: str) -> None:
        with self._writing() as session:
            session.exec(delete(StoredSeat).where(col(StoredSeat.id) == seat))

    # devices

    def devices(self, table: str) -> list[Device]:

        def read(session: Session) -> list[Device]:
            query = select(StoredDevice).where(StoredDevice.table_id == table).order_by(IN_ORDER_OF_ARRIVAL)
            return [_device(stored) for stored in session.exec(query)]

        return list(self._once(("devices", table), read))

    def device(self, device: str) -> Device | None:
        with self._transactions.reading() as session:
            stored = session.get(StoredDevice, device)
            return None if stored is None else _device(stored)

    def device_by_token(self, table: str, token: str) -> tuple[Seat, Device] | None:
        def read(session: Session) -> tuple[Seat, Device] | None:
            query = (
                select(StoredSeat, StoredDevice)
                .join(StoredDevice, col(StoredDevice.seat_id) == StoredSeat.id)
                .where(StoredDevice.token == token, StoredDevice.table_id == table)
            )
            found = session.exec(query).first()
            return None if found is None else (_seat(found[0]), _device(found[1]))

        return self._once(("token", table, token), read)

    def add_device(self, device: Device, token: str, *, alone: bool = False) -> None:
        """`alone` ends the seat's other devices."""
        with self._writing() as session:
            if alone:
                _end_devices(session, device.seat, but=None)
            session.add(_stored_device(device, token))

    def admit_device(self, device: str, *, alone: bool) -> Device | None:
        with self._writing() as session:
            stored = session.get(StoredDevice, device)
            if stored is None:
                return None
            if alone:
                _end_devices(session, stored.seat_id, but=device)
            stored.admitted = True
            return _device(stored)

    def seen_device(self, device: str, at: datetime) -> None:
        with self._writing() as session:
            statement = update(StoredDevice).where(col(StoredDevice.id) == device)
            session.exec(statement.values(last_seen=at.isoformat()))

    def end_device(self, device: str) -> None:
        with self._writing() as session:
            session.exec(delete(StoredDevice).where(col(StoredDevice.id) == device))

    def end_devices(self, seat: str) -> None:
        with self._writing() as session:
            _end_devices(session, seat, but=None)
            session.exec(delete(StoredLink).where(col(StoredLink.seat_id) == seat))

    # links

    def add_link(self, link: Link, token: str) -> None:
        stored = StoredLink(token=token, seat_id=link.seat, adds=link.add, until=link.until.isoformat())
        with self._writing() as session:
            session.add(stored)

    def link(self, token: str) -> Link | None:
        with self._transactions.reading() as session:
            stored = session.get(StoredLink, token)
            return None if stored is None else _link(stored)

    def use_link(self, token: str, device: Device, device_token: str, *, alone: bool) -> bool:
        """Turns the link into a device; False when another device was quicker."""
        with self._writing() as session:
            used = session.connection().execute(delete(StoredLink).where(col(StoredLink.token) == token))
            if used.rowcount != 1:
                return False
            if alone:
                _end_devices(session, device.seat, but=None)
            session.add(_stored_device(device, device_token))
            return True

    # hosts

    def add_host(self, token: str, created: datetime) -> None:
        with self._writing() as session:
            session.add(StoredHost(token=token, created=created.isoformat()))

    def is_host(self, token: str) -> bool:
        return self._once(("host", token), lambda session: session.get(StoredHost, token) is not None)


def _flush_name(session: Session, name: str) -> None:
    try:
        session.flush()
    except IntegrityError as error:
        if "name_key" in str(error.orig):
            raise NameTaken(name) from error
        raise


def _link(stored: StoredLink) -> Link:
    return Link(seat=stored.seat_id, add=stored.adds, until=datetime.fromisoformat(stored.until))


def _stored_device(device: Device, token: str) -> StoredDevice:
    return StoredDevice(
        id=device.id,
        token=token,
        seat_id=device.seat,
        table_id=device.table,
        admitted=device.admitted,
        label=device.label,
        last_seen=device.last_seen.isoformat(),
    )


def _end_devices(session: Session, seat: str, *, but: str | None) -> None:
    statement = delete(StoredDevice).where(col(StoredDevice.seat_id) == seat)
    if but is not None:
        statement = statement.where(col(StoredDevice.id) != but)
    session.exec(statement)
