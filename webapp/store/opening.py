"""Taking hold of a data file, and making it ready; only one Gritboard at a time has it."""

import errno
import sqlite3
import sys
from pathlib import Path
from typing import IO

from sqlalchemy.exc import DatabaseError

from webapp.store.checking import check
from webapp.store.migrating import migrate
from webapp.store.troubles import StoreProblem, problem_at_start

HELD = (errno.EACCES, errno.EAGAIN, getattr(errno, "EDEADLK", errno.EAGAIN))


class FileLock:
    """Held while the data file is open; the system lets go of it when the process ends, however it ends."""

    def __init__(self, path: Path) -> None:
        self._file: IO[str] = path.open("a+")
        try:
            self._take()
        except OSError as error:
            self._file.close()
            if error.errno not in HELD:
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


def take_hold(path: Path) -> FileLock:
    """The lock of a file that is sound and of the newest form."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(path.parent / "gritboard.lock")
    except OSError as error:
        raise problem_at_start(error, path) from error
    try:
        _make_ready(path)
    except BaseException:
        lock.release()
        raise
    return lock


def _make_ready(path: Path) -> None:
    try:
        check(path)
        migrate(path)
    except (OSError, sqlite3.DatabaseError) as error:
        raise problem_at_start(error, path) from error
    except DatabaseError as error:
        raise problem_at_start(error.orig or error, path) from error
