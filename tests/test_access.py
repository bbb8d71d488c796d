"""Who comes in, who sits where, and who may see what."""

import sqlite3
import stat
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from webapp.access import Access
from webapp.names import device_label, host_cookie_name, seat_cookie_name
from webapp.refused import Refused
from webapp.rules.viewer import Role, Viewer
from webapp.seats import is_on_paper
from webapp.store import EntryRow, Store, TableRow

IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Mobile Safari/604.1"
ANDROID = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/120.0 Mobile Safari/537.36"
WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/120.0 Safari/537.36"
START = datetime(2024, 5, 4, 20, 15, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def wait(self, **much: int) -> None:
        self.now += timedelta(**much)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "gritboard.sqlite3") as store:
        for number in ("1", "2"):
            code = "BCDFG" + "HJ"[int(number) - 1]
            store.add_table(TableRow("t" + number, code, "Table " + number, ("squad",), START), {})
        yield store


@pytest.fixture
def access(store: Store, clock: Clock, tmp_path: Path) -> Access:
    return Access(store, clock, tmp_path / "host-secret")


@pytest.fixture
def table(store: Store) -> TableRow:
    found = store.table("t1")
    assert found is not None
    return found


def seat_id(access: Access, token: str) -> str:
    found = access.seat_of("t1", token)
    assert found is not None
    return found[0].id


def admitted(access: Access, token: str) -> bool | None:
    """None when the token means nothing any more."""
    found = access.seat_of("t1", token)
    return None if found is None else found[1].admitted


# the host


def test_host_secret_is_made_once_and_kept_from_others(access: Access, store: Store, tmp_path: Path) -> None:
    path = tmp_path / "host-secret"
    again = Access(store, Clock(), path)
    assert again.host_secret == access.host_secret == path.read_text()
    assert len(access.host_secret) >= 43
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_empty_secret_file_is_no_secret(store: Store, clock: Clock, tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("\n")
    access = Access(store, clock, tmp_path / "empty")
    assert len(access.host_secret) >= 43
    assert access.host_cookie("") is None


def test_secret_is_exchanged_for_a_cookie(access: Access, store: Store, tmp_path: Path) -> None:
    token = access.host_cookie(access.host_secret)
    assert token is not None
    assert token != access.host_secret
    assert access.is_host(token)
    assert Access(store, Clock(), tmp_path / "host-secret").is_host(token)


def test_nothing_else_makes_a_host(access: Access) -> None:
    player = access.sit_new("t1", "Ann", IPHONE)
    assert access.host_cookie("wrong") is None
    assert access.host_cookie("ä" + access.host_secret) is None
    for token in (None, "", "x", player, access.host_secret):
        assert not access.is_host(token)


def test_tokens_are_not_in_the_data_file(access: Access, store: Store) -> None:
    tokens = [access.host_cookie(access.host_secret) or "", access.sit_new("t1", "Ann", IPHONE)]
    tokens.append(access.link(access.seats.at("t1")[0].id, add=True))
    with closing(sqlite3.connect(store.path)) as connection:
        dump = "\n".join(connection.iterdump())
    assert not [token for token in [*tokens, access.host_secret] if token in dump]


# the door


def test_codes_are_easy_to_read_and_new(access: Access) -> None:
    codes = {access.new_code() for _ in range(50)}
    assert len(codes) == 50
    assert all(len(code) == 6 and not set(code) & set("AEIOULQV01") for code in codes)


@pytest.mark.parametrize("typed", ["BCDFGH", "bcdfgh", " bcd-fgh ", "BCD FGH"])
def test_code_is_found_however_it_is_typed(access: Access, table: TableRow, typed: str) -> None:
    assert access.knock(typed, "10.0.0.7") == table


@pytest.mark.parametrize("typed", ["", "BCDFG", "BCDFGHX", "%", "B" * 100_000])
def test_unknown_code_is_refused(access: Access, typed: str) -> None:
    with pytest.raises(Refused, match="no table with this code"):
        access.knock(typed, "10.0.0.7")


def test_guessing_is_held_back_for_one_address(access: Access, clock: Clock) -> None:
    for _ in range(10):
        with pytest.raises(Refused, match="no table"):
            access.knock("XXXXXX", "10.0.0.7")
    for code in ("XXXXXX", "BCDFGH"):
        with pytest.raises(Refused, match="wait a minute"):
            access.knock(code, "10.0.0.7")
    assert access.knock("BCDFGH", "10.0.0.8").id == "t1"
    clock.wait(seconds=60)
    assert access.knock("BCDFGH", "10.0.0.7").id == "t1"


def test_guessing_is_held_back_for_all_together(access: Access, clock: Clock) -> None:
    for number in range(100):
        with pytest.raises(Refused, match="no table"):
            access.knock("XXXXXX", f"10.0.1.{number}")
    with pytest.raises(Refused, match="wait a minute"):
        access.knock("BCDFGH", "10.0.0.7")
    clock.wait(seconds=60)
    assert access.knock("BCDFGH", "10.0.0.7").id == "t1"


def test_right_codes_are_never_held_back(access: Access) -> None:
    assert {access.knock("BCDFGH", "10.0.0.7").id for _ in range(200)} == {"t1"}


# sitting down


def test_new_seat_is_admitted_at_once(access: Access) -> None:
    token = access.sit_new("t1", "  Ann \n the\tBold  ", IPHONE)
    found = access.seat_of("t1", token)
    assert found is not None
    seat, device = found
    assert (seat.name, seat.table, seat.real_dice, seat.orders) == ("Ann the Bold", "t1", False, {})
    assert (device.admitted, device.label, device.seat) == (True, "iPhone", seat.id)
    assert access.seats.at("t1") == [seat]
    assert access.waiting("t1") == []


def test_token_is_good_at_its_own_table_only(access: Access) -> None:
    token = access.sit_new("t1", "Ann", IPHONE)
    assert access.seat_of("t2", token) is None
    for wrong in (None, "", "x", token + "x"):
        assert access.seat_of("t1", wrong) is None


@pytest.mark.parametrize("name", ["", "   ", "\u200b\u202e", "A" * 41])
def test_names_have_limits(access: Access, name: str) -> None:
    with pytest.raises(Refused):
        access.sit_new("t1", name, IPHONE)
    assert access.seats.at("t1") == []


def test_invisible_letters_make_no_other_name(access: Access) -> None:
    access.sit_new("t1", "Zoe\u0308", IPHONE)
    assert access.seats.at("t1")[0].name == "Zoë"
    for name in ("zoë", "ZOË", "Z\u200boë", " Zoë\u202e"):
        with pytest.raises(Refused, match="already somebody called"):
            access.sit_new("t1", name, ANDROID)
    access.sit_new("t2", "Zoë", ANDROID)


def test_table_has_room_for_forty_seats(access: Access) -> None:
    for number in range(40):
        access.sit_new("t1", f"Player {number}", IPHONE)
    with pytest.raises(Refused, match="no room"):
        access.sit_new("t1", "One more", IPHONE)
    assert [seat.name for seat in access.seats.at("t1")] == [f"Player {number}" for number in range(40)]


def test_new_seat_leaves_the_old_one_free(access: Access) -> None:
    first = access.sit_new("t1", "Ann", IPHONE)
    second = access.sit_new("t1", "Bob", IPHONE, first)
    assert admitted(access, first) is None
    assert [access.seats.is_free(seat) for seat in access.seats.at("t1")] == [True, False]
    assert admitted(access, second)


def test_refused_seat_keeps_the_old_one(access: Access) -> None:
    token = access.sit_new("t1", "Ann", IPHONE)
    with pytest.raises(Refused):
        access.sit_new("t1", "ann", IPHONE, token)
    assert admitted(access, token)


def test_free_seat_is_taken_at_once_and_a_taken_one_is_not(access: Access) -> None:
    seat = seat_id(access, access.sit_new("t1", "Ann", IPHONE))
    with pytest.raises(Refused, match="let you in as Ann"):
        access.sit_free("t1", seat, ANDROID)
    access.seats.leave(seat)
    token = access.sit_free("t1", seat, ANDROID)
    assert seat_id(access, token) == seat
    assert admitted(access, token)


def test_seats_of_other_tables_cannot_be_taken(access: Access) -> None:
    seat = seat_id(access, access.sit_new("t1", "Ann", IPHONE))
    access.seats.leave(seat)
    for wrong in (seat, "nobody", ""):
        with pytest.raises(Refused, match="seat is gone"):
            access.sit_free("t2", wrong, ANDROID)
        with pytest.raises(Refused, match="seat is gone"):
            access.ask_for("t2", wrong, ANDROID)


# the GM's say


def test_taken_seat_waits_for_the_gm_who_swaps_devices(access: Access) -> None:
    old = access.sit_new("t1", "Ann", IPHONE)
    new = access.ask_for("t1", seat_id(access, old), ANDROID)
    [waiting] = access.waiting("t1")
    assert (waiting.label, admitted(access, new), admitted(access, old)) == ("Android", False, True)
    access.admit(waiting.id)
    assert (admitted(access, new), admitted(access, old)) == (True, None)
    assert access.waiting("t1") == []


def test_gm_may_add_a_device_beside_the_old_one(access: Access) -> None:
    old = access.sit_new("t1", "Ann", IPHONE)
    new = access.ask_for("t1", seat_id(access, old), ANDROID)
    access.admit(access.waiting("t1")[0].id, add=True)
    assert (admitted(access, new), admitted(access, old)) == (True, True)


def test_admitting_one_device_ends_the_others_that_wait(access: Access) -> None:
    seat = seat_id(access, access.sit_new("t1", "Ann", IPHONE))
    first, second = access.ask_for("t1", seat, ANDROID), access.ask_for("t1", seat, WINDOWS)
    access.admit(next(device.id for device in access.waiting("t1") if device.label == "Windows"))
    assert (admitted(access, first), admitted(access, second)) == (None, True)
    assert access.waiting("t1") == []


def test_refused_device_is_gone(access: Access) -> None:
    seat = seat_id(access, access.sit_new("t1", "Ann", IPHONE))
    token = access.ask_for("t1", seat, ANDROID)
    [waiting] = access.waiting("t1")
    access.refuse(waiting.id)
    assert admitted(access, token) is None
    with pytest.raises(Refused, match="no longer waits"):
        access.admit(waiting.id)
    access.refuse(waiting.id)


def test_second_tap_on_admit_or_refuse_does_no_harm(access: Access) -> None:
    seat = seat_id(access, access.sit_new("t1", "Ann", IPHONE))
    token = access.ask_for("t1", seat, ANDROID)
    [waiting] = access.waiting("t1")
    access.admit(waiting.id, add=True)
    access.admit(waiting.id)
    access.refuse(waiting.id)
    assert admitted(access, token)
    assert len(access.devices("t1")) == 2


def test_asking_again_replaces_the_first_request(access: Access) -> None:
    seat = seat_id(access, access.sit_new("t1", "Ann", IPHONE))
    first = access.ask_for("t1", seat, ANDROID)
    access.ask_for("t1", seat, ANDROID, first)
    assert len(access.waiting("t1")) == 1


def test_waiting_devices_have_a_limit(access: Access) -> None:
    seat = seat_id(access, access.sit_new("t1", "Ann", IPHONE))
    for _ in range(19):
        access.ask_for("t1", seat, ANDROID)
    with pytest.raises(Refused, match="Too many devices"):
        access.ask_for("t1", seat, ANDROID)
    assert len(access.waiting("t1")) == 19


def test_asking_for_a_free_seat_needs_no_gm(access: Access) -> None:
    seat = seat_id(access, access.sit_new("t1", "Ann", IPHONE))
    access.seats.leave(seat)
    assert admitted(access, access.ask_for("t1", seat, ANDROID))


def test_gm_ends_one_device(access: Access) -> None:
    token = access.sit_new("t1", "Ann", IPHONE)
    [device] = access.devices("t1")
    access.end_device(device.id)
    access.end_device(device.id)
    assert admitted(access, token) is None
    assert [seat.name for seat in access.seats.at("t1")] == ["Ann"]


# links


@pytest.mark.parametrize("add", [True, False])
def test_link_moves_or_adds_a_device_once(access: Access, add: bool) -> None:
    old = access.sit_new("t1", "Ann", IPHONE)
    link = access.link(seat_id(access, old), add=add)
    leads_to = access.link_leads_to(link)
    assert leads_to is not None
    assert leads_to.name == "Ann"
    code, new = access.redeem(link, ANDROID)
    assert code == "BCDFGH"
    assert (admitted(access, new), admitted(access, old)) == (True, True if add else None)
    with pytest.raises(Refused, match="used already"):
        access.redeem(link, WINDOWS)
    assert access.link_leads_to(link) is None
    assert admitted(access, new)


def test_link_is_good_for_ten_minutes(access: Access, clock: Clock) -> None:
    token = access.sit_new("t1", "Ann", IPHONE)
    link = access.link(seat_id(access, token), add=False)
    clock.wait(minutes=10)
    assert access.link_leads_to(link) is None
    with pytest.raises(Refused, match="too old"):
        access.redeem(link, ANDROID)
    assert admitted(access, token)


def test_link_ends_with_its_seat(access: Access) -> None:
    seat = seat_id(access, access.sit_new("t1", "Ann", IPHONE))
    link = access.link(seat, add=True)
    access.seats.leave(seat)
    with pytest.raises(Refused):
        access.redeem(link, ANDROID)
    other = access.link(seat, add=True)
    access.seats.remove(seat)
    for wrong in (other, "", "x"):
        with pytest.raises(Refused):
            access.redeem(wrong, ANDROID)
    with pytest.raises(Refused):
        access.link(seat, add=True)


def test_link_takes_the_browser_from_its_old_seat(access: Access) -> None:
    ann, bob = access.sit_new("t1", "Ann", IPHONE), access.sit_new("t1", "Bob", ANDROID)
    _, token = access.redeem(access.link(seat_id(access, ann), add=True), ANDROID, bob)
    assert admitted(access, bob) is None
    assert seat_id(access, token) == seat_id(access, ann)


def test_own_link_on_the_same_browser_keeps_it_seated(access: Access) -> None:
    ann = access.sit_new("t1", "Ann", IPHONE)
    _, token = access.redeem(access.link(seat_id(access, ann), add=False), IPHONE, ann)
    assert admitted(access, token)
    assert len(access.devices("t1")) == 1


# seats


def test_seats_are_changed_and_kept(access: Access, store: Store, tmp_path: Path) -> None:
    seat = seat_id(access, access.sit_new("t1", "Ann", IPHONE))
    access.sit_new("t1", "Bob", ANDROID)
    access.seats.rename(seat, " Anna ")
    access.seats.set_real_dice(seat, True)
    access.seats.set_order(seat, "parry", "always")
    access.seats.set_order(seat, "spend", "never")
    access.seats.set_order(seat, "parry", None)
    found = Access(store, Clock(), tmp_path / "host-secret").seats.at("t1")[0]
    assert (found.name, found.real_dice, found.orders) == ("Anna", True, {"spend": "never"})


def test_renaming_keeps_names_apart(access: Access) -> None:
    seat = seat_id(access, access.sit_new("t1", "Ann", IPHONE))
    access.sit_new("t1", "Bob", ANDROID)
    for name in ("BOB", "", "x" * 41):
        with pytest.raises(Refused):
            access.seats.rename(seat, name)
    access.seats.rename(seat, "ANN")
    assert [found.name for found in access.seats.at("t1")] == ["ANN", "Bob"]


def test_gone_seats_cannot_be_changed(access: Access) -> None:
    seat = seat_id(access, access.sit_new("t1", "Ann", IPHONE))
    access.seats.remove(seat)
    access.seats.remove(seat)
    access.seats.leave(seat)
    assert access.seats.at("t1") == []
    assert access.devices("t1") == []
    with pytest.raises(Refused, match="seat is gone"):
        access.seats.rename(seat, "Anna")


def test_last_seen_follows_the_clock(access: Access, clock: Clock) -> None:
    token = access.sit_new("t1", "Ann", IPHONE)
    clock.wait(seconds=59)
    access.seat_of("t1", token)
    assert access.devices("t1")[0].last_seen == START
    clock.wait(seconds=1)
    access.seat_of("t1", token)
    assert access.devices("t1")[0].last_seen == clock.now


def test_log_of_a_removed_seat_stays(access: Access, store: Store) -> None:
    seat = seat_id(access, access.sit_new("t1", "Ann", IPHONE))
    entry = EntryRow(id="e1", number=1, at=START, seat=seat, move={}, thread="e1")
    store.commit("t1", on=0, entry=entry, bodies={})
    access.seats.remove(seat)
    assert store.entries("t1") == [entry]


def test_changes_are_told_after_they_are_saved(access: Access) -> None:
    heard: list[tuple[str, list[str], int]] = []

    def hear(table: str) -> None:
        heard.append((table, [seat.name for seat in access.seats.at(table)], len(access.waiting(table))))

    access.changed.append(hear)
    seat = seat_id(access, access.sit_new("t1", "Ann", IPHONE))
    access.ask_for("t1", seat, ANDROID)
    access.admit(access.waiting("t1")[0].id)
    access.seats.rename(seat, "Anna")
    access.seats.leave(seat)
    access.seats.remove(seat)
    assert heard == [
        ("t1", ["Ann"], 0),
        ("t1", ["Ann"], 1),
        ("t1", ["Ann"], 0),
        ("t1", ["Anna"], 0),
        ("t1", ["Anna"], 0),
        ("t1", [], 0),
    ]
    with pytest.raises(Refused):
        access.sit_free("t1", seat, IPHONE)
    assert len(heard) == 6


# who sees what


def test_viewer_by_page_and_cookie(access: Access, table: TableRow) -> None:
    host = access.host_cookie(access.host_secret)
    ann, bob = access.sit_new("t1", "Ann", IPHONE), access.sit_new("t1", "Bob", ANDROID)
    ann_seat, bob_seat = seat_id(access, ann), seat_id(access, bob)
    waiting = access.ask_for("t1", ann_seat, WINDOWS)
    foreign = access.sit_new("t2", "Eve", WINDOWS)

    screen, gm = Viewer(role=Role.SCREEN), Viewer(role=Role.GM)
    as_ann, as_bob = (Viewer(role=Role.PLAYER, seat=seat) for seat in (ann_seat, bob_seat))

    for host_token in (None, host, "x"):
        for seat_token in (None, ann, waiting, "x"):
            for as_ in (None, ann_seat, "screen", "gm"):
                assert access.viewer("screen", table, host_token, seat_token, as_=as_) == screen

    for seat_token in (None, ann, waiting, foreign):
        assert access.viewer("gm", table, host, seat_token) == gm
        assert access.viewer("gm", table, host, seat_token, as_=bob_seat) == as_bob
        assert access.viewer("play", table, host, seat_token, as_=bob_seat) == as_bob
        assert access.viewer("gm", table, host, seat_token, as_="screen") == screen
        for page in ("gm", "play"):
            for as_ in ("gm", "nobody", seat_id_of_other_table(access)):
                assert access.viewer(page, table, host, seat_token, as_=as_) is None

    for host_token in (None, "x"):
        assert access.viewer("play", table, host_token, ann) == as_ann
        for seat_token in (None, ann, bob, waiting, foreign):
            assert access.viewer("gm", table, host_token, seat_token) is None
            for page in ("gm", "play"):
                for as_ in (ann_seat, bob_seat, "screen", "gm", ""):
                    assert access.viewer(page, table, host_token, seat_token, as_=as_) is None
        for seat_token in (None, waiting, foreign, "x"):
            assert access.viewer("play", table, host_token, seat_token) is None

    assert access.viewer("play", table, host, ann) == as_ann
    assert access.viewer("play", table, host, None) is None
    assert access.viewer("admin", table, host, ann) is None


def seat_id_of_other_table(access: Access) -> str:
    return access.seats.at("t2")[0].id


def test_cookies_are_told_apart_by_table() -> None:
    assert seat_cookie_name("BCDFGH") != seat_cookie_name("BCDFGJ") != host_cookie_name()


@pytest.mark.parametrize(
    ("user_agent", "label"),
    [
        (IPHONE, "iPhone"),
        (ANDROID, "Android"),
        (WINDOWS, "Windows"),
        ("Mozilla/5.0 (iPad; CPU OS 16_0 like Mac OS X)", "iPad"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)", "Mac"),
        ("Mozilla/5.0 (X11; CrOS x86_64 14541.0.0)", "Chromebook"),
        ("Mozilla/5.0 (X11; Linux x86_64)", "Linux"),
        ("", "Browser"),
    ],
)
def test_devices_have_short_labels(user_agent: str, label: str) -> None:
    assert device_label(user_agent) == label


# a form that is sent twice, and too many of them


def test_the_same_form_gives_the_same_token(access: Access) -> None:
    key = access.new_key()
    assert access.token_of(key, "t1", "Ann") == access.token_of(key, "t1", "Ann")
    others = [access.token_of(key, "t1", "Ben"), access.token_of(key, "t2", "Ann"), access.token_of(key, "t1A", "nn")]
    others.append(access.token_of(access.new_key(), "t1", "Ann"))
    assert len({access.token_of(key, "t1", "Ann"), *others}) == 5


@pytest.mark.parametrize("key", ["", "short", "x" * 81])
def test_a_form_without_a_sound_key_is_never_the_same(access: Access, key: str) -> None:
    assert access.token_of(key, "t1", "Ann") is None


def test_a_token_from_a_form_seats_its_browser(access: Access) -> None:
    token = access.token_of(access.new_key(), "t1", "\ud800")
    assert access.sit_new("t1", "Ann", IPHONE, fresh=token) == token
    assert admitted(access, str(token))


def test_one_phone_cannot_fill_the_table(access: Access, clock: Clock) -> None:
    for address in ("10.0.0.7", "127.0.0.1"):
        for _ in range(12):
            access.refuse_crowd("t1", address)
            access.note_newcomer("t1", address)
    with pytest.raises(Refused, match="ask the GM"):
        access.refuse_crowd("t1", "10.0.0.7")
    for table, address in (("t1", "10.0.0.8"), ("t2", "10.0.0.7"), ("t1", "127.0.0.1"), ("t1", "")):
        access.refuse_crowd(table, address)
    clock.wait(minutes=61)
    access.refuse_crowd("t1", "10.0.0.7")


# seats on paper


def test_a_seat_on_paper_has_no_phone_and_is_not_for_the_taking(access: Access) -> None:
    seat = access.seats.add_on_paper("t1", " Tom ")
    assert (seat.name, is_on_paper(seat), access.seats.is_free(seat)) == ("Tom", True, False)
    with pytest.raises(Refused, match="already"):
        access.sit_free("t1", seat.id, IPHONE)
    for name in ("TOM", "", "x" * 41):
        with pytest.raises(Refused):
            access.seats.add_on_paper("t1", name)


@pytest.mark.parametrize("way", ["admitted", "by link"])
def test_a_phone_that_comes_ends_the_paper(access: Access, way: str) -> None:
    seat = access.seats.add_on_paper("t1", "Tom").id
    assert admitted(access, access.ask_for("t1", seat, IPHONE)) is False
    if way == "admitted":
        access.admit(access.waiting("t1")[0].id)
    else:
        access.redeem(access.link(seat, add=False), IPHONE)
    assert not is_on_paper(access.seats.at("t1")[0])
    assert not access.waiting("t1")


def test_paper_and_standing_orders_keep_apart(access: Access) -> None:
    seat = seat_id(access, access.sit_new("t1", "Ann", IPHONE))
    access.seats.set_order(seat, "parry", "never")
    for on in (True, False):
        access.seats.set_on_paper(seat, on)
        assert is_on_paper(access.seats.at("t1")[0]) is on
        assert access.seats.at("t1")[0].orders["parry"] == "never"
