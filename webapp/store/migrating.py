"""How an older data file becomes a newer one."""

import logging
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine

from webapp.store.connections import open_engine
from webapp.store.copying import keep_copy
from webapp.store.troubles import StoreProblem, disk_trouble

MIGRATIONS = Path(__file__).resolve().parent.parent / "migrations"

log = logging.getLogger(__name__)


def migration_config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def known_revisions() -> set[str]:
    """All forms of the file that this Gritboard can read."""
    return {script.revision for script in ScriptDirectory.from_config(migration_config()).walk_revisions()}


def migrate(path: Path) -> None:
    """Brings the file to the newest form, whole or not at all; keeps a copy of how it was."""
    logging.getLogger("alembic").setLevel(logging.WARNING)
    # SQLite changes a table by making it anew: with foreign keys enforced all that hangs on it would be gone
    engine = open_engine(path, foreign_keys=False)
    try:
        _migrate(engine.execution_options(writes=True), path)
    finally:
        engine.dispose()


def _migrate(engine: Engine, path: Path) -> None:
    config = migration_config()
    newest = ScriptDirectory.from_config(config).get_current_head()
    with engine.begin() as connection:
        stored = MigrationContext.configure(connection).get_current_revision()
    if stored == newest:
        return
    if stored is not None:
        keep_copy(path, f"before-{newest}")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        _upgrade(connection, config, path)


def _upgrade(connection: Connection, config: Config, path: Path) -> None:
    try:
        command.upgrade(config, "head")
        if connection.exec_driver_sql("PRAGMA foreign_key_check").first() is not None:
            raise RuntimeError("a migration took something away that other rows hang on")
    except Exception as error:
        if disk_trouble(getattr(error, "orig", error), path.parent):
            raise
        log.error("a migration failed: %r", error)
        raise StoreProblem(
            f"{path} could not be made ready for this Gritboard and is as it was: start the Gritboard you had before."
        ) from error
