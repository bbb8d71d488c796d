"""A browser without a browser: speaks to a NiceGUI server as its script does, and can also misbehave.

    async with NGClient(base) as client:
        await client.open("/")
        await client.send_move({"move": "table.hello"})
        await client.wait_for(lambda c: c.find(text="hello"))

Everything that ever came over the wire is in `received`, for searches after secrets.
"""

import asyncio
import contextlib
import json
import re
import uuid
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, TypeVar
from urllib.parse import urlencode, urlsplit

import aiohttp
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

Json = Any
Element = dict[str, Any]
ResultT = TypeVar("ResultT")

ELEMENTS = re.compile(r"parseElements\(String\.raw`(.*?)`\)", re.DOTALL)
QUERY = re.compile(r"query: (\{.*?\}),\n", re.DOTALL)
ACKNOWLEDGED = re.compile(r"43(\d+)(.*)", re.DOTALL)
ESCAPES = (("&#36;", "$"), ("&#96;", "`"), ("&gt;", ">"), ("&lt;", "<"), ("&amp;", "&"))
ACKNOWLEDGE_SECONDS = 3.0


class NGClient:
    """One page in one browser tab. Cookies are kept from answer to answer."""

    patience = 10.0  # seconds for each answer

    def __init__(
        self,
        base: str,
        *,
        cookies: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        tab_id: str | None = None,
    ) -> None:
        self.base = base.rstrip("/")
        self.session = aiohttp.ClientSession(cookies=cookies, cookie_jar=aiohttp.CookieJar(unsafe=True))
        self.headers = dict(headers or {})
        self.tab_id = tab_id or str(uuid.uuid4())
        self.document_id = str(uuid.uuid4())
        self.status = 0
        self.html = ""
        self.client_id = ""
        self.elements: dict[str, Element] = {}
        self.received: list[str] = []
        self.messages: list[tuple[str, Json]] = []
        self.refusal: str | None = None
        self._query: dict[str, Json] = {}
        self._next_message_id = 0
        self._socket: ClientConnection | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._answers: dict[int, asyncio.Future[list[Json]]] = {}
        self._answer_id = 0
        self._changed = asyncio.Event()

    async def __aenter__(self) -> "NGClient":
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    # --- the page ----------------------------------------------------------------------------------

    @property
    def cookies(self) -> dict[str, str]:
        return {cookie.key: cookie.value for cookie in self.session.cookie_jar}

    @property
    def is_connected(self) -> bool:
        return self._socket is not None and bool(self._tasks) and not self._tasks[0].done()

    async def open(self, path: str = "/") -> "NGClient":
        await self.get(path)
        assert await self.connect(), f"the server refused the socket: {self.refusal}"
        return self

    async def get(self, path: str = "/") -> str:
        """Load a page; its elements are then in `elements`."""
        headers = {"Accept": "text/html", **self.headers}
        async with self.session.get(self.base + path, headers=headers) as response:
            self.status = response.status
            self.html = await response.text()
        self.received.append(self.html)
        self._read_page()
        return self.html

    async def post(self, path: str, form: Mapping[str, str]) -> aiohttp.ClientResponse:
        """Send a plain form, as the join page does; redirects are not followed."""
        async with self.session.post(
            self.base + path, data=dict(form), headers=self.headers, allow_redirects=False
        ) as response:
            self.received.append(await response.text())
        return response

    def _read_page(self) -> None:
        query, elements = QUERY.search(self.html), ELEMENTS.search(self.html)
        if query is None or elements is None:
            return
        text = query.group(1).replace("'", '"').replace("True", "true").replace("False", "false")
        self._query = json.loads(text)
        self.client_id = self._query["client_id"]
        self._next_message_id = int(self._query["next_message_id"])
        self.elements = json.loads(_unescape(elements.group(1)))

    # --- the socket --------------------------------------------------------------------------------

    async def connect(self) -> bool:
        """Open the page's socket; False if the server refuses the handshake (see `refusal`)."""
        self._socket = await connect(
            self._socket_address(),
            max_size=None,
            ping_interval=None,
            open_timeout=self.patience,
            additional_headers=self._socket_headers(),
        )
        await self._socket.recv()
        await self._socket.send("40")
        while True:
            text = str(await asyncio.wait_for(self._socket.recv(), self.patience))
            if text.startswith("44"):
                self.refusal = text[2:]
                return False
            if text.startswith("40"):
                break
            await self._take(text)
        self._tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._acknowledge())]
        return True

    def _socket_address(self) -> str:
        implicit = "true" if self._query.get("implicit_handshake") else "false"
        query = {
            **self._query,
            "next_message_id": self._next_message_id,
            "document_id": self.document_id,
            "tab_id": self.tab_id,
            "old_tab_id": "",
            "implicit_handshake": implicit,
            "EIO": 4,
            "transport": "websocket",
        }
        return f"ws://{urlsplit(self.base).netloc}/_nicegui_ws/socket.io/?{urlencode(query)}"

    def _socket_headers(self) -> dict[str, str]:
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return {**self.headers, **({"Cookie": cookie} if cookie else {})}

    async def _read(self) -> None:
        assert self._socket is not None
        with contextlib.suppress(WebSocketException, OSError):
            async for text in self._socket:
                await self._take(str(text))
        self._changed.set()

    async def _acknowledge(self) -> None:
        with contextlib.suppress(WebSocketException, OSError):
            while True:
                await asyncio.sleep(ACKNOWLEDGE_SECONDS)
                acknowledged = {"client_id": self.client_id, "next_message_id": self._next_message_id}
                await self.emit("ack", acknowledged)

    async def _take(self, text: str) -> None:
        self.received.append(text)
        if text == "2":
            await self.send_raw("3")
        elif answered := ACKNOWLEDGED.match(text):
            answer = self._answers.pop(int(answered.group(1)), None)
            if answer is not None and not answer.done():
                answer.set_result(json.loads(answered.group(2)))
        elif text.startswith("42"):
            self._take_event(*json.loads(text[2:]))

    def _take_event(self, name: str, payload: Json) -> None:
        number = payload.pop("_id", None) if isinstance(payload, dict) else None
        if number is not None:
            if number < self._next_message_id:
                return
            self._next_message_id = number + 1
        if name == "update":
            self._update(payload)
        self.messages.append((name, payload))
        self._changed.set()

    def _update(self, changes: dict[str, Element | None]) -> None:
        for key, element in changes.items():
            if element is None:
                self.elements.pop(key, None)
            else:
                self.elements[key] = element

    # --- sending -----------------------------------------------------------------------------------

    async def send_move(self, move: dict[str, Json], tap: str | None = None) -> dict[str, Json]:
        """Make a move as a tap does; the answer of the table."""
        message = {"client_id": self.client_id, "tap": tap or str(uuid.uuid4()), "age": 0, "move": move}
        answer: dict[str, Json] = await self.ask("gritboard", message)
        return answer

    async def ask(self, name: str, *arguments: Json) -> Json:
        """Emit an event and wait for what its handler returns."""
        self._answer_id += 1
        answer = self._answers[self._answer_id] = asyncio.get_running_loop().create_future()
        await self.send_raw(f"42{self._answer_id}" + json.dumps([name, *arguments]))
        values = await asyncio.wait_for(answer, self.patience)
        return values[0] if values else None

    async def emit(self, name: str, *arguments: Json) -> None:
        await self.send_raw("42" + json.dumps([name, *arguments]))

    async def send_raw(self, text: str | bytes) -> None:
        assert self._socket is not None
        await self._socket.send(text)

    async def fire(self, element_id: str, event: str = "click", arguments: list[Json] | None = None) -> Json:
        """Fire a listener that the server put on an element, as NiceGUI's script does."""
        return await self.ask("event", self.event_message(element_id, event, arguments))

    def event_message(
        self, element_id: str, event: str = "click", arguments: list[Json] | None = None
    ) -> dict[str, Json]:
        for listener in self.elements[element_id].get("events", []):
            if listener["type"] == event:
                return {
                    "id": int(element_id),
                    "client_id": self.client_id,
                    "listener_id": listener["listener_id"],
                    "args": [json.dumps(value) for value in ([{}] if arguments is None else arguments)],
                }
        raise KeyError(f"element {element_id} does not listen to {event}")

    async def go(self, path: str) -> None:
        """Follow a link to another sub page."""
        await self.fire("0", "sub_pages_navigate", [path])

    # --- looking -----------------------------------------------------------------------------------

    def find_all(self, *, text: str | None = None, contains: str | None = None, tag: str | None = None) -> list[str]:
        """Ids of elements with this text or label, or with this somewhere in text, label or HTML."""
        found = []
        for key, element in self.elements.items():
            texts = _texts(element)
            if tag is not None and element.get("tag") != tag:
                continue
            if text is not None and text not in texts:
                continue
            if contains is not None and not any(contains in candidate for candidate in texts):
                continue
            found.append(key)
        return found

    def find(self, *, text: str | None = None, contains: str | None = None, tag: str | None = None) -> str | None:
        found = self.find_all(text=text, contains=contains, tag=tag)
        return found[0] if found else None

    def has_received(self, secret: str) -> bool:
        return any(secret in text for text in self.received)

    async def wait_for(self, condition: Callable[["NGClient"], ResultT], timeout: float | None = None) -> ResultT:
        """Wait until the condition gives something true; what it gave."""
        async with asyncio.timeout(timeout or self.patience):
            while not (result := condition(self)):
                self._changed.clear()
                await self._changed.wait()
            return result

    # --- leaving -----------------------------------------------------------------------------------

    async def drop(self) -> None:
        """Cut the connection without a word, like a phone that leaves the Wi-Fi."""
        await self._end_tasks()
        if self._socket is not None:
            self._socket.transport.abort()

    async def close(self) -> None:
        await self._end_tasks()
        if self._socket is not None:
            await self._socket.close()
        await self.session.close()

    async def _end_tasks(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []


def _unescape(text: str) -> str:
    for escaped, plain in ESCAPES:
        text = text.replace(escaped, plain)
    return text


def _texts(element: Element) -> list[str]:
    props = element.get("props") or {}
    candidates = (element.get("text"), *(props.get(key) for key in ("label", "text", "innerHTML", "name")))
    return [str(candidate) for candidate in candidates if candidate is not None]
