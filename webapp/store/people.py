"""Who sits at a table: seats, devices, links and hosts."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, TypeVar

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, delete, select, update

from webapp.store.connections import Transactions
from webapp.store.rows import Device, Link, Seat
from webapp.store.stored import IN_ORDER_OF_ARRIVAL, StoredDevice, StoredHost, StoredLink, StoredSeat

ValueT = TypeVar("ValueT")

MOST_READ = 1000


class NameTaken(Exception):
    """Another seat of the table has this name."""


class People:
    """Seats, devices, links and hosts. Tokens are known here only as hashes.

    Every page asks who it is before it draws, so what was read is kept until somebody here is changed.
    """

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions
        self._read: dict[tuple[str, ...], Any] = {}

    def forget(self) -> None:
        """What was read may have changed."""
        self._read.clear()

    def _once(self, key: tuple[str, ...], read: Callable[[Session], ValueT]) -> ValueT:
        if key not in self._read:
            if len(self._read) >= MOST_READ:  # whoever asks with ever new tokens fills no memory
                self.forget()
            with self._transactions.reading() as session:
                self._read[key] = read(session)
        found: ValueT = self._read[key]
        return found

    @contextmanager
    def _writing(self) -> Iterator[Session]:
        try:
            with self._transactions.writing() as session:
                yield session
        finally:
            self.forget()

    # seats

    def seats(self, table: str) -> list[Seat]:
        """In the order they sat down."""

        def read(session: Session) -> list[Seat]:
            query = select(StoredSeat).where(StoredSeat.table_id == table).order_by(IN_ORDER_OF_ARRIVAL)
            return [stored.row() for stored in session.exec(query)]

        return list(self._once(("seats", table), read))

    def seat(self, seat: str) -> Seat | None:
        with self._transactions.reading() as session:
            stored = session.get(StoredSeat, seat)
            return None if stored is None else stored.row()

    def add_seat(self, seat: Seat, device: Device | None, token: str) -> None:
        """A new seat with its first device, if it has one."""
        with self._writing() as session:
            session.add(StoredSeat.of(seat))
            _flush_name(session, seat.name)
            if device is not None:
                session.add(StoredDevice.of(device, token))

    def change_seat(self, seat: str, change: Callable[[Seat], Seat]) -> Seat | None:
        """Reads, changes and writes a seat in one go; None when it is gone."""
        with self._writing() as session:
            stored = session.get(StoredSeat, seat)
            if stored is None:
                return None
            changed = change(stored.row())
            stored.change(changed)
            _flush_name(session, changed.name)
            return changed

    def remove_seat(self, seat: str) -> None:
        with self._writing() as session:
            session.exec(delete(StoredSeat).where(col(StoredSeat.id) == seat))

    # devices

    def devices(self, table: str) -> list[Device]:
        def read(session: Session) -> list[Device]:
            query = select(StoredDevice).where(StoredDevice.table_id == table).order_by(IN_ORDER_OF_ARRIVAL)
            return [stored.row() for stored in session.exec(query)]

        return list(self._once(("devices", table), read))

    def device(self, device: str) -> Device | None:
        with self._transactions.reading() as session:
            stored = session.get(StoredDevice, device)
            return None if stored is None else stored.row()

    def device_by_token(self, table: str, token: str) -> tuple[Seat, Device] | None:
        def read(session: Session) -> tuple[Seat, Device] | None:
            query = (
                select(StoredSeat, StoredDevice)
                .join(StoredDevice, col(StoredDevice.seat_id) == StoredSeat.id)
                .where(StoredDevice.token == token, StoredDevice.table_id == table)
            )
            found = session.exec(query).first()
            return None if found is None else (found[0].row(), found[1].row())

        return self._once(("token", table, token), read)

    def add_device(self, device: Device, token: str, *, alone: bool = False) -> None:
        """`alone` ends the seat's other devices."""
        with self._writing() as session:
            if alone:
                _end_devices(session, device.seat, but=None)
            session.add(StoredDevice.of(device, token))

    def admit_device(self, device: str, *, alone: bool) -> Device | None:
        with self._writing() as session:
            stored = session.get(StoredDevice, device)
            if stored is None:
                return None
            if alone:
                _end_devices(session, stored.seat_id, but=device)
            stored.admitted = True
            return stored.row()

    def seen_device(self, device: str, at: datetime) -> None:
        with self._writing() as session:
            statement = update(StoredDevice).where(col(StoredDevice.id) == device)
            session.exec(statement.values(last_seen=at.isoformat()))

    def end_device(self, device: str) -> None:
        with self._writing() as session:
            session.exec(delete(StoredDevice).where(col(StoredDevice.id) == device))

    def end_devices(self, seat: str) -> None:
        with self._writing() as session:
            _end_devices(session, seat, but=None)
            session.exec(delete(StoredLink).where(col(StoredLink.seat_id) == seat))

    # links

    def add_link(self, link: Link, token: str) -> None:
        with self._writing() as session:
            session.add(StoredLink.of(link, token))

    def link(self, token: str) -> Link | None:
        with self._transactions.reading() as session:
            stored = session.get(StoredLink, token)
            return None if stored is None else stored.row()

    def use_link(self, token: str, device: Device, device_token: str, *, alone: bool) -> bool:
        """Turns the link into a device; False when another device was quicker."""
        with self._writing() as session:
            used = session.connection().execute(delete(StoredLink).where(col(StoredLink.token) == token))
            if used.rowcount != 1:
                return False
            if alone:
                _end_devices(session, device.seat, but=None)
            session.add(StoredDevice.of(device, device_token))
            return True

    # hosts

    def add_host(self, token: str, created: datetime) -> None:
        with self._writing() as session:
            session.add(StoredHost(token=token, created=created.isoformat()))

    def is_host(self, token: str) -> bool:
        return self._once(("host", token), lambda session: session.get(StoredHost, token) is not None)


def _flush_name(session: Session, name: str) -> None:
    try:
        session.flush()
    except IntegrityError as error:
        if "name_key" in str(error.orig):
            raise NameTaken(name) from error
        raise


def _end_devices(session: Session, seat: str, *, but: str | None) -> None:
    statement = delete(StoredDevice).where(col(StoredDevice.seat_id) == seat)
    if but is not None:
        statement = statement.where(col(StoredDevice.id) != but)
    session.exec(statement)
