"""Whether a file is sound data of Gritboard."""

import sqlite3
from contextlib import closing
from pathlib import Path

from webapp.store.connections import open_reader
from webapp.store.migrating import known_revisions
from webapp.store.troubles import StoreProblem, broken

# a text in the middle may be damaged and the file still be sound
GARBLED = """
    SELECT 1 FROM document WHERE NOT json_valid(body)
    UNION ALL SELECT 1 FROM entry WHERE NOT (json_valid(move) AND json_valid(lines) AND json_valid(changes))
    LIMIT 1
"""


def check(path: Path) -> None:
    """Says what is wrong with the file before anything writes to it: what is refused stays as it is."""
    if not path.exists():
        _check_nothing_is_left(path)
        return
    if not path.is_file():
        raise StoreProblem(
            f"{path} is in the way of the data file: move it away, or name another folder with --data."
        )
    _check_start(path)
    with closing(open_reader(path)) as connection:
        _check_content(connection, path)


def _check_nothing_is_left(path: Path) -> None:
    rest = path.with_name(f"{path.name}-wal")
    if rest.exists() and rest.stat().st_size:  # SQLite would throw it away
        raise StoreProblem(f"{path} is gone, but {rest.name} is not: put back a copy, or move that away too.")


def _check_start(path: Path) -> None:
    with path.open("r+b") as file:  # SQLite would not mind if it could only be read
        start = file.read(16)
    if not start:
        raise StoreProblem(f"{path} is empty: put back a copy of it, or move it away to start anew.")
    if start != b"SQLite format 3\x00":
        raise StoreProblem(
            f"{path} is not Gritboard's data, or is damaged: put back a copy of it, or move it away to start anew."
        )


def _check_content(connection: sqlite3.Connection, path: Path) -> None:
    if connection.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
        raise broken(path)
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not tables:
        return
    if not {"alembic_version", "game_table"} <= tables:
        raise StoreProblem(f"{path} belongs to another program: move it away, or name another folder with --data.")
    if (
        not {stored for (stored,) in connection.execute("SELECT version_num FROM alembic_version")}
        <= known_revisions()
    ):
        raise StoreProblem(f"{path} was written by a newer Gritboard: start that one, or update this one.")
    if connection.execute(GARBLED).fetchone() is not None:
        raise broken(path)
