"""What is in the data file, and how a row becomes that and comes back."""

import json
from datetime import datetime
from typing import Any, Self

from sqlalchemy import Index, UniqueConstraint, text
from sqlmodel import Field, SQLModel

from webapp.store.rows import Device, EntryRow, Link, Seat, TableRow, name_key

METADATA = SQLModel.metadata
IN_ORDER_OF_ARRIVAL = text("rowid")  # a stamp may be the same twice, and clocks are set back


def text_of(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


class StoredTable(SQLModel, table=True):
    __tablename__ = "game_table"

    id: str = Field(primary_key=True)
    code: str = Field(unique=True)
    name: str
    games: str
    created: str
    revision: int

    @classmethod
    def of(cls, row: TableRow) -> Self:
        return cls(
            id=row.id,
            code=row.code,
            name=row.name,
            games=text_of(row.games),
            created=row.created.isoformat(),
            revision=row.revision,
        )

    def row(self) -> TableRow:
        return TableRow(
            id=self.id,
            code=self.code,
            name=self.name,
            games=tuple(json.loads(self.games)),
            created=datetime.fromisoformat(self.created),
            revision=self.revision,
        )


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

    def row(self) -> EntryRow:
        return EntryRow(
            id=self.id,
            number=self.number,
            at=datetime.fromisoformat(self.at),
            seat=self.seat,
            move=json.loads(self.move),
            thread=self.thread,
            lines=json.loads(self.lines),
            changes=json.loads(self.changes),
            settles=json.loads(self.settles),
            undoes=json.loads(self.undoes),
            undone_by=self.undone_by,
            answer=json.loads(self.answer),
        )


def entry_values(entry: EntryRow, number: int) -> dict[str, Any]:
    """The columns of an entry, but for whose and which it is."""
    return {
        "number": number,
        "at": entry.at.isoformat(),
        "seat": entry.seat,
        "move": text_of(entry.move),
        "thread": entry.thread,
        "lines": text_of(entry.lines),
        "changes": text_of(entry.changes),
        "settles": text_of(entry.settles),
        "undoes": text_of(entry.undoes),
        "undone_by": entry.undone_by,
        "answer": text_of(entry.answer),
    }


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

    @classmethod
    def of(cls, seat: Seat) -> Self:
        return cls(
            id=seat.id,
            table_id=seat.table,
            name=seat.name,
            name_key=name_key(seat.name),
            created=seat.created.isoformat(),
            real_dice=seat.real_dice,
            orders=text_of(seat.orders),
        )

    def row(self) -> Seat:
        return Seat(
            id=self.id,
            table=self.table_id,
            name=self.name,
            created=datetime.fromisoformat(self.created),
            real_dice=self.real_dice,
            orders=json.loads(self.orders),
        )

    def change(self, seat: Seat) -> None:
        """All that may change about somebody who sits."""
        self.name, self.name_key = seat.name, name_key(seat.name)
        self.real_dice, self.orders = seat.real_dice, text_of(seat.orders)


class StoredDevice(SQLModel, table=True):
    __tablename__ = "device"

    id: str = Field(primary_key=True)
    token: str = Field(unique=True)
    seat_id: str = Field(foreign_key="seat.id", ondelete="CASCADE", index=True)
    table_id: str = Field(foreign_key="game_table.id", ondelete="CASCADE", index=True)
    admitted: bool
    label: str
    last_seen: str

    @classmethod
    def of(cls, device: Device, token: str) -> Self:
        return cls(
            id=device.id,
            token=token,
            seat_id=device.seat,
            table_id=device.table,
            admitted=device.admitted,
            label=device.label,
            last_seen=device.last_seen.isoformat(),
        )

    def row(self) -> Device:
        return Device(
            id=self.id,
            seat=self.seat_id,
            table=self.table_id,
            admitted=self.admitted,
            label=self.label,
            last_seen=datetime.fromisoformat(self.last_seen),
        )


class StoredLink(SQLModel, table=True):
    __tablename__ = "link"

    token: str = Field(primary_key=True)
    seat_id: str = Field(foreign_key="seat.id", ondelete="CASCADE", index=True)
    adds: bool
    until: str

    @classmethod
    def of(cls, link: Link, token: str) -> Self:
        return cls(token=token, seat_id=link.seat, adds=link.add, until=link.until.isoformat())

    def row(self) -> Link:
        return Link(seat=self.seat_id, add=self.adds, until=datetime.fromisoformat(self.until))


class StoredHost(SQLModel, table=True):
    __tablename__ = "host"

    token: str = Field(primary_key=True)
    created: str
