"""Who is at the table: code, seat, device and host, made into a viewer. No accounts, no framework."""

import hashlib
import hmac
import ipaddress
import os
import secrets
import unicodedata
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from webapp.rules.viewer import Role, Viewer
from webapp.store import Device, Link, NameTaken, NotSaved, Seat, Store, StoreProblem, TableRow, name_key

__all__ = ["Access", "Device", "NotSaved", "Refused", "Seat", "StoreProblem", "host_cookie_name", "seat_cookie_name"]

LETTERS = "BCDFGHJKMNPRSTWXYZ"  # no look-alikes, and no vowels, so that no code spells a word
CODE_LENGTH = 6
NAME_LENGTH = 40
SEATS_PER_TABLE = 40
DEVICES_PER_SEAT = 20
LINK_LIFE = timedelta(minutes=10)
KNOCK_WINDOW = timedelta(minutes=1)
KNOCKS_PER_ADDRESS = 10
KNOCKS_OF_ALL = 100
NEWCOMER_WINDOW = timedelta(hours=1)
NEWCOMERS_PER_ADDRESS = 12
NEWCOMERS_OF_ALL = 200
KEY_LENGTHS = range(16, 81)
ON_PAPER = {"seat": "paper"}
SEEN_EVERY = timedelta(minutes=1)

DEVICE_LABELS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "CrOS": "Chromebook",
    "Windows": "Windows",
    "Macintosh": "Mac",
    "Linux": "Linux",
}


class Refused(Exception):
    """Why somebody may not come in or sit there, as one sentence for them."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def host_cookie_name() -> str:
    return "gritboard_host"


def seat_cookie_name(code: str) -> str:
    return f"gritboard_seat_{code}"


def device_label(user_agent: str) -> str:
    """A short word by which the GM tells a phone from a laptop."""
    return next((label for mark, label in DEVICE_LABELS.items() if mark in user_agent), "Browser")


def tidy_name(name: str) -> str:
    """Without line breaks and other invisible characters; raises when nothing, or too much, is left."""
    spaced = " ".join(unicodedata.normalize("NFC", name).split())
    tidy = "".join(letter for letter in spaced if letter.isprintable()).strip()
    if not tidy:
        raise Refused("Please give a name.")
    if len(tidy) > NAME_LENGTH:
        raise Refused(f"Please keep the name to {NAME_LENGTH} letters.")
    return tidy


def tidy_code(code: str) -> str:
    """As people type it: small letters, spaces and hyphens do not matter."""
    return "".join(letter for letter in code[:40].upper() if letter.isalnum())


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _new_token() -> str:
    return secrets.token_urlsafe(32)


def _kept_secret(path: Path) -> str:
    """The secret in the file, made at the first start and readable by the host alone."""
    if path.exists():
        kept = path.read_text(encoding="ascii", errors="ignore").strip()
        if kept:
            return kept
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    secret = _new_token()
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(secret)
    return secret


class Recent:
    """How often something happened of late: by one address, and by all together."""

    def __init__(self, clock: Callable[[], datetime], window: timedelta, *, each: int, of_all: int) -> None:
        self._clock = clock
        self._window = window
        self._each = each
        self._of_all = of_all
        self._recent: deque[tuple[datetime, str]] = deque(maxlen=of_all)

    def too_many(self, address: str) -> bool:
        oldest = self._clock() - self._window
        while self._recent and self._recent[0][0] <= oldest:
            self._recent.popleft()
        own = sum(1 for _, other in self._recent if other == address)
        return own >= self._each or len(self._recent) >= self._of_all

    def note(self, address: str) -> None:
        self._recent.append((self._clock(), address))


class Access:
    """`table` and `seat` are ids everywhere; `changed` is called with the table's id after any change."""

    def __init__(self, store: Store, clock: Callable[[], datetime], secret_file: Path) -> None:
        self._store = store
        self._people = store.people
        self._clock = clock
        self._wrong_codes = Recent(clock, KNOCK_WINDOW, each=KNOCKS_PER_ADDRESS, of_all=KNOCKS_OF_ALL)
        self._newcomers: dict[str, Recent] = {}
        self.host_secret = _kept_secret(secret_file)
        self.changed: list[Callable[[str], None]] = []

    def _tell(self, table: str) -> None:
        for callback in tuple(self.changed):
            callback(table)

    # the host

    def host_cookie(self, secret: str) -> str | None:
        """The token for a host's cookie, in exchange for the host secret."""
        if not secrets.compare_digest(secret.encode(), self.host_secret.encode()):
            return None
        token = _new_token()
        self._people.add_host(_hash(token), self._clock())
        return token

    def is_host(self, token: str | None) -> bool:
        return token is not None and self._people.is_host(_hash(token))

    # the door

    def new_code(self) -> str:
        """A table's code that no other table has."""
        while True:
            code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
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
        if not _is_own(address) and self._recent_at(table).too_many(address):
            raise Refused("Too many seats were asked for from this phone: ask the GM.")

    def note_newcomer(self, table: str, address: str) -> None:
        if not _is_own(address):
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
        seat = self._new_seat(table, name, on_paper=on_paper)
        new_token = fresh or _new_token()
        self._add_seat(seat, self._new_device(seat, user_agent, admitted=True), _hash(new_token))
        self._leave_behind(table, token)
        self._tell(table)
        return new_token

    def add_paper_seat(self, table: str, name: str) -> Seat:
        """A seat for somebody without a phone: the GM drives."""
        seat = self._new_seat(table, name, on_paper=True)
        self._add_seat(seat, None, "")
        self._tell(table)
        return seat

    def _new_seat(self, table: str, name: str, *, on_paper: bool) -> Seat:
        tidy = tidy_name(name)
        seats = self.seats(table)
        if any(name_key(seat.name) == name_key(tidy) for seat in seats):
            raise _name_taken(tidy)
        if len(seats) >= SEATS_PER_TABLE:
            raise Refused("This table has no room for another seat: ask the GM.")
        orders = dict(ON_PAPER) if on_paper else {}
        return Seat(id=_new_id(), table=table, name=tidy, created=self._clock(), orders=orders)

    def _add_seat(self, seat: Seat, device: Device | None, token: str) -> None:
        try:
            self._people.add_seat(seat, device, token)
        except NameTaken as error:
            raise _name_taken(seat.name) from error

    def sit_free(
        self, table: str, seat: str, user_agent: str, token: str | None = None, *, fresh: str | None = None
    ) -> str:
        """Takes a seat that nobody's device holds."""
        found = self._known_seat(table, seat)
        if not self.is_free(found):
            raise Refused(f"Somebody sits there already: ask the GM to let you in as {found.name}.")
        return self._add_device(found, user_agent, admitted=True, old_token=token, fresh=fresh)

    def ask_for(
        self, table: str, seat: str, user_agent: str, token: str | None = None, *, fresh: str | None = None
    ) -> str:
        """Takes a taken seat once the GM admits the device; until then it waits."""
        found = self._known_seat(table, seat)
        others = [device for device in self._people.devices(table) if device.seat == seat]
        if len(others) >= DEVICES_PER_SEAT:
            raise Refused(f"Too many devices wait for {found.name} already: ask the GM.")
        return self._add_device(found, user_agent, admitted=self.is_free(found), old_token=token, fresh=fresh)

    def is_free(self, seat: Seat) -> bool:
        if is_on_paper(seat):
            return False
        return not any(device.seat == seat.id and device.admitted for device in self._people.devices(seat.table))

    def _known_seat(self, table: str, seat: str) -> Seat:
        found = self._people.seat(seat)
        if found is None or found.table != table:
            raise Refused("This seat is gone: pick another one.")
        return found

    def _new_device(self, seat: Seat, user_agent: str, *, admitted: bool) -> Device:
        return Device(
            id=_new_id(),
            seat=seat.id,
            table=seat.table,
            admitted=admitted,
            label=device_label(user_agent),
            last_seen=self._clock(),
        )

    def _add_device(
        self, seat: Seat, user_agent: str, *, admitted: bool, old_token: str | None, fresh: str | None
    ) -> str:
        token = fresh or _new_token()
        self._people.add_device(self._new_device(seat, user_agent, admitted=admitted), _hash(token))
        self._leave_behind(seat.table, old_token)
        self._tell(seat.table)
        return token

    def _leave_behind(self, table: str, token: str | None) -> None:
        if token is not None:
            found = self._people.device_by_token(table, _hash(token))
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
        self._off_paper(admitted.seat)
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
            raise Refused("This seat is gone: pick another one.")
        token = _new_token()
        self._people.add_link(Link(seat=seat, add=add, until=self._clock() + LINK_LIFE), _hash(token))
        return token

    def link_leads_to(self, link: str) -> Seat | None:
        """Whom a link would seat; for the page that asks before it joins."""
        found = self._people.link(_hash(link))
        if found is None or found.until <= self._clock():
            return None
        return self._people.seat(found.seat)

    def redeem(self, link: str, user_agent: str, token: str | None = None) -> tuple[str, str]:
        """The table's code and the token for the seat's cookie there."""
        found = self._people.link(_hash(link))
        seat = self.link_leads_to(link)
        table = None if seat is None else self._store.table(seat.table)
        if found is None or seat is None or table is None:
            raise _link_gone()
        new_token = _new_token()
        device = self._new_device(seat, user_agent, admitted=True)
        if not self._people.use_link(_hash(link), device, _hash(new_token), alone=not found.add):
            raise _link_gone()
        self._off_paper(seat.id)
        self._leave_behind(table.id, token)
        self._tell(table.id)
        return table.code, new_token

    # who is it

    def seat_of(self, table: str, token: str | None) -> tuple[Seat, Device] | None:
        """Also for a device that is not admitted yet."""
        found = self._people.device_by_token(table, _hash(token)) if token is not None else None
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

    # seats

    def seats(self, table: str) -> list[Seat]:
        """In the order they sat down."""
        return self._people.seats(table)

    def rename_seat(self, seat: str, name: str) -> None:
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

    def _off_paper(self, seat: str) -> None:
        """A phone has come for it."""
        self._people.change_seat(seat, lambda old: replace(old, orders=_without_paper(old)))

    def _change(self, seat: str, change: Callable[[Seat], Seat]) -> None:
        changed = self._people.change_seat(seat, change)
        if changed is None:
            raise Refused("This seat is gone: pick another one.")
        self._tell(changed.table)

    def leave(self, seat: str) -> None:
        """Ends the seat's devices and links; the seat stays free for whoever comes back."""
        found = self._people.seat(seat)
        if found is not None:
            self._people.end_devices(seat)
            self._tell(found.table)

    def remove_seat(self, seat: str) -> None:
        found = self._people.seat(seat)
        if found is not None:
            self._people.remove_seat(seat)
            self._tell(found.table)


def _is_own(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def is_on_paper(seat: Seat) -> bool:
    """Its player has no phone at the table: the GM drives."""
    return ON_PAPER.items() <= seat.orders.items()


def _without_paper(seat: Seat) -> dict[str, str]:
    return {name: value for name, value in seat.orders.items() if name not in ON_PAPER}


def _new_id() -> str:
    return secrets.token_hex(8)


def _name_taken(name: str) -> Refused:
    return Refused(f"There is already somebody called {name}: pick that seat, or add a letter.")


def _link_gone() -> Refused:
    return Refused("This link was used already or is too old: ask for a new one.")
