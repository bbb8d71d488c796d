"""Has anything but this computer reached it yet? Told by the first request that comes from elsewhere."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable

from starlette.types import ASGIApp, Receive, Scope, Send


class Reach:
    """`changed` is called once, at the first request from another address than the computer's own."""

    def __init__(self, own: Callable[[], list[str]]) -> None:
        self.seen = False
        self.changed: list[Callable[[], None]] = []
        self._own = own

    def came(self, address: str) -> None:
        if self.seen or not self._is_elsewhere(address):
            return
        self.seen = True
        for callback in tuple(self.changed):
            callback()

    def _is_elsewhere(self, address: str) -> bool:
        try:
            found = ipaddress.ip_address(address.removeprefix("::ffff:"))
        except ValueError:
            return False
        own = {url.rpartition("/")[2].rpartition(":")[0] for url in self._own()}
        return not found.is_loopback and str(found) not in own


class Doorbell:
    """Rings at every request; what it is about does not matter."""

    def __init__(self, app: ASGIApp, reach: Reach) -> None:
        self._app = app
        self._reach = reach

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client")
        if client:
            self._reach.came(client[0])
        await self._app(scope, receive, send)
