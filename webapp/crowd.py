"""How often somebody came of late."""

import ipaddress
from collections import deque
from collections.abc import Callable
from datetime import datetime, timedelta


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


def is_this_computer(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
