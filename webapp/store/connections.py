"""How the data file is read and written: short transactions of one engine."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DatabaseError, IntegrityError
from sqlmodel import Session

from webapp.store.troubles import NotSaved, problem_in_play

PATIENCE = 1000  # milliseconds that the table stands still while another program holds the file


def open_engine(path: Path, *, foreign_keys: bool = True) -> Engine:
    engine = create_engine(URL.create("sqlite", database=str(path)))
    enforced = "ON" if foreign_keys else "OFF"
    pragmas = (f"busy_timeout={PATIENCE}", "journal_mode=WAL", "synchronous=FULL", f"foreign_keys={enforced}")

    @event.listens_for(engine, "connect")
    def _(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # the driver's own BEGIN would leave out reads and schema changes
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}").close()

    event.listen(engine, "begin", _begin)
    return engine


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def open_reader(path: Path) -> sqlite3.Connection:
    """For whoever only looks; nothing is written, not even by mistake."""
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=PATIENCE / 1000)
    connection.execute("PRAGMA query_only=ON").close()
    return connection


class Transactions:
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
            raise problem_in_play(error, self.path) from error


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
