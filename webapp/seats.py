"""Who has a seat at a table, and what is set for each. `table` and `seat` are ids everywhere."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from webapp.names import tidy_name
from webapp.refused import Refused
from webapp.store import Device, NameTaken, People, Seat, name_key
from webapp.tokens import new_id

SEATS_PER_TABLE = 40
ON_PAPER = {"seat": "paper"}


class Seats:
    """`tell` is called with the table's id after any change."""

    def __init__(self, people: People, clock: Callable[[], datetime], tell: Callable[[str], None]) -> None:
        self._people = people
        self._clock = clock
        self._tell = tell

    def at(self, table: str) -> list[Seat]:
        """In the order they sat down."""
        return self._people.seats(table)

    def known(self, table: str, seat: str) -> Seat:
        found = self._people.seat(seat)
        if found is None or found.table != table:
            raise seat_gone()
        return found

    def is_free(self, seat: Seat) -> bool:
        if is_on_paper(seat):
            return False
        return not any(device.seat == seat.id and device.admitted for device in self._people.devices(seat.table))

    def add_on_paper(self, table: str, name: str) -> Seat:
        """A seat for somebody without a phone: the GM drives."""
        seat = self.new(table, name, on_paper=True)
        self.add(seat, None, "")
        self._tell(table)
        return seat

    def new(self, table: str, name: str, *, on_paper: bool) -> Seat:
        tidy = tidy_name(name)
        seats = self.at(table)
        if any(name_key(seat.name) == name_key(tidy) for seat in seats):
            raise _name_taken(tidy)
        if len(seats) >= SEATS_PER_TABLE:
            raise Refused("This table has no room for another seat: ask the GM.")
        orders = dict(ON_PAPER) if on_paper else {}
        return Seat(id=new_id(), table=table, name=tidy, created=self._clock(), orders=orders)

    def add(self, seat: Seat, device: Device | None, token: str) -> None:
        try:
            self._people.add_seat(seat, device, token)
        except NameTaken as error:
            raise _name_taken(seat.name) from error

    def rename(self, seat: str, name: str) -> None:
        tidy = tidy_name(name)
        try:
            self._change(seat, lambda old: replace(old, name=tidy))
        except NameTaken as error:
            raise _name_taken(tidy) from error

    def set_real_dice(self, seat: str, on: bool) -> None:
        self._change(seat, lambda old: replace(old, real_dice=on))

    def set_order(self, seat: str, name: str, value: str | None) -> None:
        """A standing order of a seat; None takes it back."""

        def change(old: Seat) -> Seat:
            kept = {key: order for key, order in old.orders.items() if key != name}
            return replace(old, orders=kept if value is None else kept | {name: value})

        self._change(seat, change)

    def set_on_paper(self, seat: str, on: bool) -> None:
        self._change(seat, lambda old: replace(old, orders=_without_paper(old) | (ON_PAPER if on else {})))

    def off_paper(self, seat: str) -> None:
        """A phone has come for it."""
        self._people.change_seat(seat, lambda old: replace(old, orders=_without_paper(old)))

    def _change(self, seat: str, change: Callable[[Seat], Seat]) -> None:
        changed = self._people.change_seat(seat, change)
        if changed is None:
            raise seat_gone()
        self._tell(changed.table)

    def leave(self, seat: str) -> None:
        """Ends the seat's devices and links; the seat stays free for whoever comes back."""
        found = self._people.seat(seat)
        if found is not None:
            self._people.end_devices(seat)
            self._tell(found.table)

    def remove(self, seat: str) -> None:
        found = self._people.seat(seat)
        if found is not None:
            self._people.remove_seat(seat)
            self._tell(found.table)


def is_on_paper(seat: Seat) -> bool:
    """Its player has no phone at the table: the GM drives."""
    return ON_PAPER.items() <= seat.orders.items()


def _without_paper(seat: Seat) -> dict[str, str]:
    return {name: value for name, value in seat.orders.items() if name not in ON_PAPER}


def _name_taken(name: str) -> Refused:
    return Refused(f"There is already somebody called {name}: pick that seat, or add a letter.")


def seat_gone() -> Refused:
    return Refused("This seat is gone: pick another one.")
