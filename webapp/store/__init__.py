"""Everything that is saved. The only package that knows the database."""

from webapp.store.commits import Repeated, StaleRevision, UnknownEntry
from webapp.store.connections import open_engine
from webapp.store.copying import keep_copy
from webapp.store.migrating import migrate, migration_config
from webapp.store.people import NameTaken, People
from webapp.store.rows import Device, EntryRow, Link, Seat, TableRow, name_key
from webapp.store.saving import Among, Store
from webapp.store.stored import METADATA
from webapp.store.troubles import NotSaved, StoreProblem, problem_at_start

__all__ = [
    "METADATA",
    "Among",
    "Device",
    "EntryRow",
    "Link",
    "NameTaken",
    "NotSaved",
    "People",
    "Repeated",
    "Seat",
    "StaleRevision",
    "Store",
    "StoreProblem",
    "TableRow",
    "UnknownEntry",
    "keep_copy",
    "migrate",
    "migration_config",
    "name_key",
    "open_engine",
    "problem_at_start",
]
