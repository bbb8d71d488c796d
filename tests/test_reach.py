"""Whether phones can reach this computer: its addresses, the first to come, the Wi-Fi on the poster."""

import logging
import stat
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pydantic import ValidationError

from webapp.addresses import Adapter, Addresses, ranked
from webapp.reach import Reach
from webapp.ui.wire import is_no_hang_up
from webapp.wifi import Wifi, WifiNote

OWN = ["http://192.168.1.20:8463", "http://172.17.0.1:8463"]


@pytest.mark.parametrize(
    ("adapters", "way_out", "first"),
    [
        ({"docker0": "172.17.0.1", "wlan0": "192.168.1.20"}, None, "192.168.1.20"),
        ({"br-4f1c": "192.168.16.1", "eth0": "10.0.0.4"}, None, "10.0.0.4"),
        ({"tun0": "10.8.0.2", "wlp3s0": "192.168.178.30"}, "10.8.0.2", "192.168.178.30"),
        ({"tailscale0": "100.80.1.2", "en0": "172.20.10.2"}, None, "172.20.10.2"),
        ({"vEthernet (WSL)": "172.30.0.1", "Wi-Fi": "10.1.2.3"}, None, "10.1.2.3"),
        ({"VirtualBox Host-Only Ethernet Adapter": "192.168.56.1", "Ethernet": "10.1.2.3"}, None, "10.1.2.3"),
        ({"eth0": "192.168.1.5", "wlan0": "192.168.1.6"}, None, "192.168.1.6"),
        ({"eth0": "192.168.1.5", "wlan0": "192.168.7.6"}, "192.168.1.5", "192.168.1.5"),
        ({"eth0": "8.8.4.4", "eth1": "192.168.7.6"}, None, "192.168.7.6"),
    ],
)
def test_the_likeliest_address_is_first(adapters: dict[str, str], way_out: str | None, first: str) -> None:
    found = ranked([Adapter(name, address) for name, address in adapters.items()], way_out)
    assert found[0] == first
    assert sorted(found) == sorted(adapters.values())


def test_addresses_that_no_phone_could_use_are_left_out() -> None:
    adapters = [Adapter("lo", "127.0.0.1"), Adapter("eth0", "169.254.3.4"), Adapter("eth1", "10.0.0.4")]
    assert ranked([*adapters, *adapters], None) == ["10.0.0.4"]


def test_another_wifi_is_noticed() -> None:
    now, found = [datetime(2024, 5, 4, 20, 15, tzinfo=UTC)], [["10.0.0.4"], ["192.168.1.20", "10.0.0.4"]]
    addresses = Addresses(8463, lambda: now[0], lambda: found.pop(0))
    for _ in range(2):
        assert addresses() == ["http://10.0.0.4:8463"]
    now[0] += timedelta(seconds=5)
    assert addresses() == ["http://192.168.1.20:8463", "http://10.0.0.4:8463"]


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "", "testclient", "192.168.1.20", "::ffff:172.17.0.1"])
def test_this_computer_itself_is_no_phone(address: str) -> None:
    reach = Reach(lambda: OWN)
    reach.changed.append(lambda: pytest.fail("nobody came"))
    reach.came(address)
    assert not reach.seen


def test_the_first_from_elsewhere_is_told_once() -> None:
    reach, told = Reach(lambda: OWN), []
    reach.changed.append(lambda: told.append(reach.seen))
    for address in ("127.0.0.1", "192.168.1.44", "192.168.1.45"):
        reach.came(address)
    assert told == [True]


def test_the_wifi_is_kept_for_the_host_alone(tmp_path: Path) -> None:
    note, told = WifiNote(tmp_path / "wifi.json"), []
    note.changed.append(lambda: told.append(note.wifi))
    wifi = Wifi(name="Old Mill", password="swordfish77")
    for _ in range(2):
        note.write(wifi)
    assert told == [wifi, wifi]
    assert WifiNote(tmp_path / "wifi.json").wifi == wifi
    if sys.platform != "win32":
        assert stat.S_IMODE((tmp_path / "wifi.json").stat().st_mode) == 0o600
    note.forget()
    assert WifiNote(tmp_path / "wifi.json").wifi is note.wifi is None


def test_a_spoilt_note_is_typed_again(tmp_path: Path) -> None:
    (tmp_path / "wifi.json").write_text('{"name": 5')
    assert WifiNote(tmp_path / "wifi.json").wifi is None


def test_what_a_camera_reads() -> None:
    assert Wifi(name="Mill;5G", password='a"b:cdefgh').code() == 'WIFI:T:WPA;S:Mill\\;5G;P:a\\"b\\:cdefgh;;'
    assert Wifi(name="Café").code() == "WIFI:S:Café;;"


@pytest.mark.parametrize(
    "typed",
    [
        {"name": ""},
        {"name": "   "},
        {"name": "é" * 17},
        {"name": "A\nB"},
        {"name": "Mill", "password": "short"},
        {"name": "Mill", "password": "x" * 64},
        {"name": "Mill", "password": "a\x00bcdefgh"},
        {"name": ["Mill"]},
        {"name": "Mill", "more": 1},
    ],
)
def test_what_is_no_wifi(typed: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Wifi.model_validate(typed)


@pytest.mark.parametrize(
    ("error", "logged"),
    [
        (RuntimeError("No response returned."), False),
        (KeyError("REQUEST_METHOD"), False),
        (RuntimeError("else"), True),
        (KeyError("else"), True),
        (ValueError("No response returned."), True),
        (None, True),
    ],
)
def test_a_browser_that_hangs_up_is_no_error(error: Exception | None, logged: bool) -> None:
    told = None if error is None else (type(error), error, None)
    record = logging.LogRecord("uvicorn.error", logging.ERROR, "", 0, "Exception in ASGI application", (), told)
    assert is_no_hang_up(record) is logged
