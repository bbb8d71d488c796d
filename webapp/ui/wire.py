"""The wire between browsers and the table. The only module that touches private parts of NiceGUI.

Its other half is `static/gritboard.js`. A tap is one message `{client_id, tap, age, move}`, answered by
`{"ok": bool, "say": str | None}`. Two more keys concern the browser only: `retry` (send it again in a
moment) and `stale` (the server no longer knows this page: load it anew, then send again).
"""

import asyncio
import hashlib
import inspect
import ipaddress
import json
import logging
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Literal

import socketio  # type: ignore[import-untyped]
from nicegui import Client, app, background_tasks, core, ui
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from webapp.settings import static_folder

Message = dict[str, Any]
Answer = dict[str, Any]
Receiver = Callable[[str, Message], Awaitable[Answer] | Answer]
ClientHook = Callable[[str], None]

EVENT = "gritboard"
YEAR = 365 * 24 * 3600
ALIVE_PATH = "/_alive"
SIZE_LIMIT = 16 * 1024
TAP_LENGTH_LIMIT = 64
RATE_PER_SECOND = 20.0
BURST = 40.0
REMEMBERED_TAPS = 256
PACKETS = frozenset("0123456")
PAGE_EVENTS = ("event", "ack", "log", "javascript_response")

HANG_UPS = ((RuntimeError, "No response returned."), (KeyError, "REQUEST_METHOD"))

log = logging.getLogger(__name__)


def install(receive: Receiver, *, hosts: Collection[str] = ()) -> None:
    """Open the wire; to be called once while the app is built, before `ui.run`.

    `hosts` are names under which the table may be reached, beside IP addresses, localhost and `*.local`.
    """
    _pages.clear()
    core.sio.on(EVENT, _mover(receive))
    for name in PAGE_EVENTS:
        _replace_handler(name, _guarded_page_event)
    _replace_handler("handshake", _guarded_handshake)
    _replace_handler("connect", _guarded_connect)
    _guard_packets()
    core.sio.eio.cors_allowed_origins = None  # the page's own origin only; NiceGUI ships "*"
    app.add_middleware(HostGuard, hosts=frozenset(name.lower() for name in hosts))
    logging.getLogger("uvicorn.error").addFilter(is_no_hang_up)
    app.on_connect(_forget_twins)
    app.on_disconnect(_forget_later)
    app.on_delete(_forget_page)
    if page_script() not in Client.shared_head_html:
        ui.add_head_html(page_script(), shared=True)


# --- what pages and doors need ---------------------------------------------------------------------


def versioned(name: str) -> str:
    """The address of a static file, which changes with its content."""
    digest = hashlib.sha256((static_folder() / name).read_bytes()).hexdigest()
    return f"/static/{name}?v={digest[:12]}"


def page_script() -> str:
    return f'<script defer src="{versioned("gritboard.js")}"></script>'


def connected(client_id: str) -> bool:
    client = Client.instances.get(client_id)
    return client is not None and client.has_socket_connection


def on_connect(hook: ClientHook) -> None:
    """Called at every connect of a page, also when it comes back after a drop."""
    app.on_connect(lambda client: hook(client.id))


def on_disconnect(hook: ClientHook) -> None:
    """Called when a page has lost its last socket; it may come back."""

    def call(client: Client) -> None:
        if not client.has_socket_connection:
            hook(client.id)

    app.on_disconnect(call)


def on_delete(hook: ClientHook) -> None:
    """Called when the server forgets a page for good."""
    app.on_delete(lambda client: hook(client.id))


def toast(client_id: str, text: str, kind: Literal["say", "refused"] = "say") -> None:
    """Show a sentence now. Never waits for a browser that is away."""
    if connected(client_id):
        _push(client_id, {"toast": text, "kind": kind})


def nudge(client_id: str) -> None:
    """Flash the page and let the phone buzz, if it is there."""
    if connected(client_id):
        _push(client_id, {"nudge": True})


def _push(client_id: str, data: Message) -> None:
    background_tasks.create(core.sio.emit(EVENT, data, room=client_id), name=f"push to {client_id}")


# --- moves -----------------------------------------------------------------------------------------


class _Bucket:
    """A token bucket: so many at once, then so many a second."""

    def __init__(self) -> None:
        self._tokens = BURST
        self._filled_at = time.monotonic()

    def take(self) -> bool:
        now = time.monotonic()
        self._tokens = min(BURST, self._tokens + (now - self._filled_at) * RATE_PER_SECOND)
        self._filled_at = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


@dataclass
class _Page:
    moves: _Bucket = field(default_factory=_Bucket)
    events: _Bucket = field(default_factory=_Bucket)
    running: dict[str, asyncio.Future[Answer]] = field(default_factory=dict)
    seen: OrderedDict[str, None] = field(default_factory=OrderedDict)

    def is_repeat(self, tap: str) -> bool:
        if tap in self.seen:
            return True
        self.seen[tap] = None
        if len(self.seen) > REMEMBERED_TAPS:
            self.seen.popitem(last=False)
        return False


_pages: dict[str, _Page] = {}

NOT_UNDERSTOOD: Answer = {"ok": False, "say": "The table did not understand that."}
TOO_LONG: Answer = {"ok": False, "say": "That is too long to send."}
TOO_FAST: Answer = {"ok": False, "say": "Too fast. It is sent again in a moment.", "retry": True}
OUT_OF_DATE: Answer = {
    "ok": False,
    "say": "This page is out of date. Reload it.",
    "final": False,
    "stale": True,
}
FAILED: Answer = {"ok": False, "say": "Something went wrong at the table. Look at the log, then try again."}


def _mover(receive: Receiver) -> Callable[..., Awaitable[Answer]]:
    async def on_move(sid: str, *arguments: object) -> Answer:
        message = arguments[0] if arguments else None
        if not isinstance(message, dict):
            return NOT_UNDERSTOOD
        client_id = _own_client(sid, message)
        if client_id is None:
            return OUT_OF_DATE
        page = _pages.setdefault(client_id, _Page())
        if not page.moves.take():
            return TOO_FAST
        problem = _problem(message)
        if problem is not None:
            log.warning("a malformed move from page %s", client_id)
            return problem
        return await _once(page, receive, client_id, message)

    return on_move


def _own_client(sid: str, message: Message) -> str | None:
    """The page a message speaks for, provided that it came over a socket of that page."""
    client_id = message.get("client_id")
    if not isinstance(client_id, str) or client_id not in Client.instances:
        return None
    return client_id if client_id in core.sio.rooms(sid) else None


def _problem(message: Message) -> Answer | None:
    try:
        size = len(json.dumps(message, ensure_ascii=False).encode())
    except (ValueError, TypeError, RecursionError):  # bytes, lone surrogates, far too deep
        return NOT_UNDERSTOOD
    if size > SIZE_LIMIT:
        return TOO_LONG
    tap, age, move = message.get("tap"), message.get("age"), message.get("move")
    sound = (
        isinstance(tap, str)
        and 0 < len(tap) <= TAP_LENGTH_LIMIT
        and isinstance(age, int | float)
        and not isinstance(age, bool)
        and isinstance(move, dict)
    )
    return None if sound else NOT_UNDERSTOOD


async def _once(page: _Page, receive: Receiver, client_id: str, message: Message) -> Answer:
    """A repeat that arrives while the first is still being carried out shares its answer."""
    tap: str = message["tap"]
    running = page.running.get(tap)
    if running is None:
        running = asyncio.ensure_future(_carry_out(receive, client_id, message))
        page.running[tap] = running
        running.add_done_callback(lambda _: page.running.pop(tap, None))
    return await asyncio.shield(running)


async def _carry_out(receive: Receiver, client_id: str, message: Message) -> Answer:
    try:
        answer = receive(client_id, message)
        return await answer if inspect.isawaitable(answer) else answer
    except Exception:
        log.exception("a move could not be carried out")
        return FAILED


# --- NiceGUI's own messages ------------------------------------------------------------------------


def _replace_handler(name: str, guard: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
    original = inspect.unwrap(core.sio.handlers["/"][name])
    core.sio.on(name, guard(original))


def _guarded_page_event(original: Callable[..., None]) -> Callable[..., str]:
    """Only for its own page, each tap once, not too fast; malformed input is one line in the log."""

    @wraps(original)
    def on_page_event(sid: str, *arguments: object) -> str:
        message = arguments[0] if arguments else None
        client_id = _own_client(sid, message) if isinstance(message, dict) else None
        if client_id is None or not isinstance(message, dict):
            return "forbidden"
        page = _pages.setdefault(client_id, _Page())
        if not page.events.take():
            return "slow"
        tap = message.pop("tap", None)
        if isinstance(tap, str) and page.is_repeat(tap[:TAP_LENGTH_LIMIT]):
            return "repeat"
        try:
            original(sid, message)
        except Exception as error:
            log.warning("malformed page event from %s: %s", client_id, type(error).__name__)
            return "malformed"
        return "ok"

    return on_page_event


def _guarded_handshake(original: Callable[..., Awaitable[bool]]) -> Callable[..., Awaitable[bool]]:
    @wraps(original)
    async def on_handshake(sid: str, *arguments: object) -> bool:
        try:
            return await original(sid, *arguments)
        except Exception as error:
            log.warning("malformed handshake: %s", type(error).__name__)
            return False

    return on_handshake


def _guarded_connect(original: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
    @wraps(original)
    async def on_connect(sid: str, environ: dict[str, Any], credentials: object = None) -> None:
        try:
            await original(sid, environ, credentials)
        except socketio.exceptions.ConnectionRefusedError:
            raise
        except Exception as error:
            log.warning("malformed connect: %s", type(error).__name__)
            raise socketio.exceptions.ConnectionRefusedError("Implicit handshake failed") from None

    return on_connect


def _guard_packets() -> None:
    original = inspect.unwrap(core.sio.eio.handlers["message"])

    @wraps(original)
    async def on_packet(sid: str, data: object) -> None:
        try:
            await original(sid, data)
        except Exception as error:
            log.warning("malformed packet: %s", type(error).__name__)

    core.sio.eio.on("message", on_packet)


# --- pages that are gone ---------------------------------------------------------------------------


def _forget_twins(client: Client) -> None:
    """A reload leaves its old page behind, kept for half an hour: forget it once the new one is here."""
    tab_id = client._pinned_tab_id
    twins = [other for other in Client.instances.values() if tab_id and other._pinned_tab_id == tab_id]
    if any(twin.has_socket_connection for twin in twins):
        for twin in twins:
            if not twin.has_socket_connection:
                _forget(twin.id)


def _forget(client_id: str) -> None:
    client = Client.instances.get(client_id)
    if client is None:
        return
    for document_id in list(client._delete_tasks):
        client._cancel_delete_task(document_id)
    client.delete()


def _forget_later(client: Client) -> None:
    asyncio.get_running_loop().call_soon(_forget_twins, client)  # NiceGUI still has to start its own timer


def _forget_page(client: Client) -> None:
    _pages.pop(client.id, None)


# --- the door --------------------------------------------------------------------------------------


class HostGuard:
    """Refuse unknown host names, so that a page elsewhere cannot read ours by DNS rebinding."""

    def __init__(self, app: ASGIApp, hosts: Collection[str] = ()) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
        elif not host_is_ours(Headers(scope=scope).get("host", ""), self._hosts):
            await _refuse(scope, receive, send)
        elif scope["type"] == "http" and scope["path"] == ALIVE_PATH:
            await Response(status_code=204, headers={"Cache-Control": "no-store"})(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._app(scope, _only_packets(receive), send)
        else:
            await self._app(scope, receive, send)


def is_no_hang_up(record: logging.LogRecord) -> bool:
    """A browser that leaves while something still loads is no error, though the libraries log it as one."""
    error = record.exc_info[1] if record.exc_info else None
    return error is None or (type(error), *error.args) not in HANG_UPS


def _only_packets(receive: Receive) -> Receive:
    """Whoever sends a frame that is no packet has hung up: the library would fall over it."""

    async def received() -> Message:
        message = await receive()
        text = message.get("text")
        if message["type"] == "websocket.receive" and text is not None and text[:1] not in PACKETS:
            log.warning("malformed frame: not a packet")
            return {"type": "websocket.disconnect", "code": 1003}
        return dict(message)

    return received


def host_is_ours(host: str, hosts: Collection[str] = ()) -> bool:
    name = _host_name(host)
    if name == "localhost" or name.endswith(".local") or name in hosts:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _host_name(host: str) -> str:
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].rstrip(".")


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "http":
        text = "This name is not known here. Use the address the table shows."
        await PlainTextResponse(text, status_code=421)(scope, receive, send)
        return
    await receive()
    await send({"type": "websocket.close", "code": 1008})
