"""The addresses of this computer by which phones may reach it, the likeliest first."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import ifaddr

# Names of adapters that lead to no phone: containers, virtual machines and tunnels.
VIRTUAL = re.compile(
    r"docker|^br-|^veth|virbr|vbox|virtualbox|vmnet|vmware|hyper-v|vethernet|wsl|podman|^cni|^lxc|^lxd|flannel|"
    r"^tun|^tap|^utun|^wg|wireguard|tailscale|zerotier|^zt|^ppp|vpn|hamachi|bluetooth|^awdl|^llw|^bridge",
    re.IGNORECASE,
)
WIRELESS = re.compile(r"^wl|wi-?fi|wlan|wireless|^en0$|^ap\d", re.IGNORECASE)
KEPT = timedelta(seconds=5)
HOMES = [ipaddress.IPv4Network(home) for home in ("192.168.0.0/16", "10.0.0.0/8", "172.16.0.0/12")]


@dataclass(frozen=True, slots=True)
class Adapter:
    name: str
    address: str


class Addresses:
    """Where this computer is served, looked up anew every few seconds: a laptop changes its Wi-Fi."""

    def __init__(self, port: int, clock: Callable[[], datetime], look_up: Callable[[], list[str]]) -> None:
        self._port = port
        self._clock = clock
        self._look_up = look_up
        self._known: list[str] = []
        self._until = datetime.min.replace(tzinfo=UTC)

    def __call__(self) -> list[str]:
        if self._clock() >= self._until:
            self._known = [f"http://{address}:{self._port}" for address in self._look_up()]
            self._until = self._clock() + KEPT
        return list(self._known)


def lan_addresses() -> list[str]:
    return ranked(_adapters(), _way_out()) or ["127.0.0.1"]


def ranked(adapters: Iterable[Adapter], way_out: str | None) -> list[str]:
    """A real network before containers and tunnels, the one that leads out first, Wi-Fi before cable, homes first."""

    def likelihood(adapter: Adapter) -> tuple[bool, bool, bool, int, int]:
        address = ipaddress.IPv4Address(adapter.address)
        home = next((nth for nth, net in enumerate(HOMES) if address in net), len(HOMES))
        virtual = VIRTUAL.search(adapter.name) is not None
        wireless = WIRELESS.search(adapter.name) is not None
        return virtual, adapter.address != way_out, not wireless, home, int(address)

    return list(dict.fromkeys(one.address for one in sorted(filter(_is_usable, adapters), key=likelihood)))


def _is_usable(adapter: Adapter) -> bool:
    address = ipaddress.IPv4Address(adapter.address)
    return not (address.is_loopback or address.is_link_local or address.is_unspecified or address.is_multicast)


def _adapters() -> list[Adapter]:
    return [
        Adapter(str(adapter.nice_name), ip.ip)
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
        if isinstance(ip.ip, str)
    ]


def _way_out() -> str | None:
    """The address that the system would speak from. Choosing a peer for UDP sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        return str(probe.getsockname()[0])
