"""What is saved, as everybody else sees it."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

Body = dict[str, Any]


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


def name_key(name: str) -> str:
    """Two names with the same key are the same name to people."""
    return name.casefold()
