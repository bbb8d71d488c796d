"""What can be wrong with a disk or a data file, told in one sentence."""

import errno
import logging
import shutil
import sqlite3
import sys
from pathlib import Path

from sqlalchemy.exc import DatabaseError

log = logging.getLogger(__name__)

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


class StoreProblem(Exception):
    """Why the data cannot be opened or saved, as one sentence for the host."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class NotSaved(StoreProblem):
    """Why a tap came to nothing, as one sentence for the one who tapped; all is as it was."""


def disk_trouble(error: BaseException, folder: Path) -> int:
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
    match disk_trouble(error, path.parent):
        case sqlite3.SQLITE_FULL:
            return StoreProblem(f"There is no room left on the disk of {path.parent}: make room, then start again.")
        case sqlite3.SQLITE_BUSY:
            return StoreProblem(f"Another program holds {path}: close it, then start again.")
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_IOERR:
            return StoreProblem(
                f"Gritboard can't keep its data in {path.parent}: "
                "make that a folder it can write in, or name another with --data."
            )
    return broken(path)


def broken(path: Path) -> StoreProblem:
    return StoreProblem(f"{path} is damaged: put back a copy of it, or move it away to start anew.")


def problem_in_play(error: DatabaseError, path: Path) -> NotSaved:
    trouble = disk_trouble(error.orig or error, path.parent)
    words = IN_PLAY.get(
        trouble, "something went wrong with the data. End Gritboard on the laptop, then start it again."
    )
    log.error("Nothing was saved: %s (%s)", words, error.orig)
    return NotSaved(f"Nothing was saved: {words}")
