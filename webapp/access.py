"""Who is at the table: code, seat, device and host, made into a viewer. No accounts, no framework."""

import hashlib
import hmac
import secrets
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from webapp.crowd import Recent, is_this_computer
from webapp.names import device_label, tidy_code
from webapp.refused import Refused
from webapp.rules.viewer import Role, Viewer
from webapp.seats import Seats, seat_gone
from webapp.store import Device, Link, NotSaved, Seat, Store, StoreProblem, TableRow
from webapp.tokens import hashed, kept_secret, new_code, new_id, new_token

__all__ = ["Access", "Device", "NotSaved", "Seat", "StoreProblem"]

DEVICES_PER_SEAT = 20
LINK_LIFE = timedelta(minutes=10)
KNOCK_WINDOW = timedelta(minutes=1)
KNOCKS_PER_ADDRESS = 10
KNOCKS_OF_ALL = 100
NEWCOMER_WINDOW = timedelta(hours=1)
NEWCOMERS_PER_ADDRESS = 12
NEWCOMERS_OF_ALL = 200
KEY_LENGTHS = range(16, 81)
SEEN_EVERY = timedelta(minutes=1)


class Access:
    """`table` and `seat` are ids everywhere; `changed` is called with the table's id after any change."""

    def __init__(self, store: Store, clock: Callable[[], datetime], secret_file: Path) -> None:
        self._store = store
        self._people = store.people
        self._clock = clock
        self._wrong_codes = Recent(clock, KNOCK_WINDOW, each=KNOCKS_PER_ADDRESS, of_all=KNOCKS_OF_ALL)
        self._newcomers: dict[str, Recent] = {}
        self.host_secret = kept_secret(secret_file)
        self.changed: list[Callable[[str], None]] = []
        self.seats = Seats(store.people, clock, self._tell)

    def _tell(self, table: str) -> None:
        for callback in tuple(self.changed):
            callback(table)

    # the host

    def host_cookie(self, secret: str) -> str | None:
        """The token for a host's cookie, in exchange for the host secret."""
        if not secrets.compare_digest(secret.encode(), self.host_secret.encode()):
            return None
        token = new_token()
        self._people.add_host(hashed(token), self._clock())
        return token

    def is_host(self, token: str | None) -> bool:
        return token is not None and self._people.is_host(hashed(token))

    # the door

    def new_code(self) -> str:
        """A table's code that no other table has."""
        while True:
            code = new_code()
            if self._store.table_by_code(code) is None:
                return code

    def knock(self, code: str, address: str) -> TableRow:
        """The table with this code. Each page with a code in its address asks here: none can be guessed."""
        if self._wrong_codes.too_many(address):
            raise Refused("Too many wrong codes: wait a minute, then try again.")
        table = self._store.table_by_code(tidy_code(code))
        if table is None:
            self._wrong_codes.note(address)
            raise Refused("There is no table with this code: look at the code once more.")
        return table

    def refuse_crowd(self, table: str, address: str) -> None:
        """One phone can fill neither the table nor the list of those who wait. This computer itself may."""
        if not is_this_computer(address) and self._recent_at(table).too_many(address):
            raise Refused("Too many seats were asked for from this phone: ask the GM.")

    def note_newcomer(self, table: str, address: str) -> None:
        if not is_this_computer(address):
            self._recent_at(table).note(address)

    def _recent_at(self, table: str) -> Recent:
        fresh = Recent(self._clock, NEWCOMER_WINDOW, each=NEWCOMERS_PER_ADDRESS, of_all=NEWCOMERS_OF_ALL)
        return self._newcomers.setdefault(table, fresh)

    def new_key(self) -> str:
        """For a form that seats somebody, so that sending it twice is one seat."""
        return secrets.token_hex(16)

    def token_of(self, key: str, *filled_in: str) -> str | None:
        """The same form, filled in alike, gives the same token; nobody but its browser knows the key."""
        if len(key) not in KEY_LENGTHS:
            return None
        told = "\0".join((key, *filled_in)).encode(errors="replace")
        return hmac.new(self.host_secret.encode(), told, hashlib.sha256).hexdigest()

    # sitting down; each returns the token for the seat's cookie. `token` is the cookie that the browser had:
    # a browser has one seat at a table, so the old one is left. `fresh` is the token to give it, if that is known.

    def sit_new(
        self,
        table: str,
        name: str,
        user_agent: str,
        token: str | None = None,
        *,
        fresh: str | None = None,
        on_paper: bool = False,
    ) -> str:
        seat = self.seats.new(table, name, on_paper=on_paper)
        given = fresh or new_token()
        self.seats.add(seat, self._new_device(seat, user_agent, admitted=True), hashed(given))
        self._leave_behind(table, token)
        self._tell(table)
        return given

    def sit_free(
        self, table: str, seat: str, user_agent: str, token: str | None = None, *, fresh: str | None = None
    ) -> str:
        """Takes a seat that nobody's device holds."""
        found = self.seats.known(table, seat)
        if not self.seats.is_free(found):
            raise Refused(f"Somebody sits there already: ask the GM to let you in as {found.name}.")
        return self._add_device(found, user_agent, admitted=True, old_token=token, fresh=fresh)

    def ask_for(
        self, table: str, seat: str, user_agent: str, token: str | None = None, *, fresh: str | None = None
    ) -> str:
        """Takes a taken seat once the GM admits the device; until then it waits."""
        found = self.seats.known(table, seat)
        others = [device for device in self._people.devices(table) if device.seat == seat]
        if len(others) >= DEVICES_PER_SEAT:
            raise Refused(f"Too many devices wait for {found.name} already: ask the GM.")
        return self._add_device(found, user_agent, admitted=self.seats.is_free(found), old_token=token, fresh=fresh)

    def _new_device(self, seat: Seat, user_agent: str, *, admitted: bool) -> Device:
        return Device(
            id=new_id(),
            seat=seat.id,
            table=seat.table,
            admitted=admitted,
            label=device_label(user_agent),
            last_seen=self._clock(),
        )

    def _add_device(
        self, seat: Seat, user_agent: str, *, admitted: bool, old_token: str | None, fresh: str | None
    ) -> str:
        token = fresh or new_token()
        self._people.add_device(self._new_device(seat, user_agent, admitted=admitted), hashed(token))
        self._leave_behind(seat.table, old_token)
        self._tell(seat.table)
        return token

    def _leave_behind(self, table: str, token: str | None) -> None:
        if token is not None:
            found = self._people.device_by_token(table, hashed(token))
            if found is not None:
                self._people.end_device(found[1].id)

    # the GM's say

    def waiting(self, table: str) -> list[Device]:
        return [device for device in self._people.devices(table) if not device.admitted]

    def devices(self, table: str) -> list[Device]:
        """All that hold a seat or wait for one."""
        return self._people.devices(table)

    def admit(self, device: str, *, add: bool = False) -> None:
        """Lets a waiting device in; the seat's other devices end unless it is added to them."""
        found = self._people.device(device)
        if found is not None and found.admitted:
            return
        admitted = self._people.admit_device(device, alone=not add)
        if admitted is None:
            raise Refused("This device no longer waits.")
        self.seats.off_paper(admitted.seat)
        self._tell(admitted.table)

    def refuse(self, device: str) -> None:
        found = self._people.device(device)
        if found is not None and not found.admitted:
            self.end_device(device)

    def end_device(self, device: str) -> None:
        """Its cookie means nothing from now on; the seat stays."""
        found = self._people.device(device)
        if found is not None:
            self._people.end_device(device)
            self._tell(found.table)

    # moving to another device

    def link(self, seat: str, *, add: bool) -> str:
        """A token that seats one device within ten minutes: beside the seat's others, or in their place."""
        if self._people.seat(seat) is None:
            raise seat_gone()
        token = new_token()
        self._people.add_link(Link(seat=seat, add=add, until=self._clock() + LINK_LIFE), hashed(token))
        return token

    def link_leads_to(self, link: str) -> Seat | None:
        """Whom a link would seat; for the page that asks before it joins."""
        found = self._people.link(hashed(link))
        if found is None or found.until <= self._clock():
            return None
        return self._people.seat(found.seat)

    def redeem(self, link: str, user_agent: str, token: str | None = None) -> tuple[str, str]:
        """The table's code and the token for the seat's cookie there."""
        found = self._people.link(hashed(link))
        seat = self.link_leads_to(link)
        table = None if seat is None else self._store.table(seat.table)
        if found is None or seat is None or table is None:
            raise _link_gone()
        given = new_token()
        device = self._new_device(seat, user_agent, admitted=True)
        if not self._people.use_link(hashed(link), device, hashed(given), alone=not found.add):
            raise _link_gone()
        self.seats.off_paper(seat.id)
        self._leave_behind(table.id, token)
        self._tell(table.id)
        return table.code, given

    # who is it

    def seat_of(self, table: str, token: str | None) -> tuple[Seat, Device] | None:
        """Also for a device that is not admitted yet."""
        found = self._people.device_by_token(table, hashed(token)) if token is not None else None
        if found is not None and self._clock() - found[1].last_seen >= SEEN_EVERY:
            with suppress(NotSaved):  # nobody is kept out for that
                self._people.seen_device(found[1].id, self._clock())
        return found

    def viewer(
        self,
        page: str,
        table: TableRow,
        host_token: str | None,
        seat_token: str | None,
        *,
        as_: str | None = None,
    ) -> Viewer | None:
        """What a page may show: the screen's view to anybody, a seat's to its devices, the GM's to hosts.

        `as_` is a host's wish for a narrower view: a seat's id or "screen".
        """
        if page == "screen":
            return Viewer(role=Role.SCREEN, seat=None)
        if page not in ("gm", "play"):
            return None
        if as_ is not None:
            return self._narrowed(table, as_) if self.is_host(host_token) else None
        if page == "gm":
            return Viewer(role=Role.GM, seat=None) if self.is_host(host_token) else None
        found = self.seat_of(table.id, seat_token)
        return Viewer(role=Role.PLAYER, seat=found[0].id) if found is not None and found[1].admitted else None

    def _narrowed(self, table: TableRow, as_: str) -> Viewer | None:
        if as_ == "screen":
            return Viewer(role=Role.SCREEN, seat=None)
        found = self._people.seat(as_)
        if found is None or found.table != table.id:
            return None
        return Viewer(role=Role.PLAYER, seat=found.id)


def _link_gone() -> Refused:
    return Refused("This link was used already or is too old: ask for a new one.")
