"""Writes a new migration: the difference between the newest one and the models of the store."""

import sys
import tempfile
from pathlib import Path

from alembic import command

from webapp.store import migrate, migration_config, open_engine


def main(message: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "empty.sqlite3"
        migrate(path)
        engine = open_engine(path)
        with engine.begin() as connection:
            config = migration_config()
            config.attributes["connection"] = connection
            command.revision(config, message, autogenerate=True)
        engine.dispose()


if __name__ == "__main__":
    main(" ".join(sys.argv[1:]) or sys.exit("Say in a few words what the migration changes."))
