"""A copy of the data, made while it may be in use."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from webapp.store.connections import open_reader


def keep_copy(path: Path, ending: str) -> Path:
    """The data as it is now, in one file beside it; half a copy never bears the name."""
    copy, half = path.with_name(f"{path.name}.{ending}"), path.with_name(f"{path.name}.half")
    half.unlink(missing_ok=True)
    try:
        with closing(open_reader(path)) as source, closing(sqlite3.connect(half)) as target:
            source.backup(target)
        os.replace(half, copy)
    except BaseException:
        half.unlink(missing_ok=True)
        raise
    return copy
