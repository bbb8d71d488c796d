"""A timer of a view."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Alarm:
    """Rings once, at the earliest of the times it was set to; whoever leaves its view stops it."""

    def __init__(self, ring: Callable[[], None]) -> None:
        self._ring = ring
        self._timer: asyncio.TimerHandle | None = None

    def set(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        at = loop.time() + seconds
        if self._timer is None or at < self._timer.when():
            self.stop()
            self._timer = loop.call_at(at, self._now)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _now(self) -> None:
        self._timer = None
        self._ring()
