"""A TCP proxy that misbehaves as Wi-Fi and sleeping phones do."""

import asyncio
import contextlib
from enum import Enum


class Network(Enum):
    FINE = "fine"
    REFUSES = "refuses"  # new connections are reset
    SWALLOWS = "swallows"  # connections stay open, nothing comes through


class Connection:
    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self.is_dead = False
        self.writers = [writer]

    def reset(self) -> None:
        self.is_dead = True
        for writer in self.writers:
            writer.transport.abort()


class Proxy:
    """`async with Proxy(target_port) as proxy:`, then change `proxy.network` as the weather does."""

    def __init__(self, target_port: int) -> None:
        self.port = 0
        self.refused = 0  # connections, so far
        self.hangs_websockets = False  # those to come
        self._network = Network.FINE
        self._flows = asyncio.Event()
        self._flows.set()
        self._target_port = target_port
        self._connections: list[Connection] = []
        self._server: asyncio.Server | None = None

    @property
    def network(self) -> Network:
        return self._network

    @network.setter
    def network(self, network: Network) -> None:
        self._network = network
        if network is Network.SWALLOWS:
            self._flows.clear()
        else:
            self._flows.set()

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def __aenter__(self) -> "Proxy":
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        self.reset_all()

    def reset_all(self) -> None:
        """Cut every connection; both ends notice."""
        for connection in self._connections:
            connection.reset()
        self._connections.clear()

    def strand_all(self) -> None:
        """Every connection of now stays half open for good: nobody notices, nothing comes through."""
        for connection in self._connections:
            connection.is_dead = True

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.network is Network.REFUSES:
            self.refused += 1
            writer.transport.abort()
            return
        connection = Connection(writer)
        self._connections.append(connection)
        said = await self._outlasts_the_hole(reader)
        if said is None:
            connection.reset()
            return
        try:
            target_reader, target_writer = await asyncio.open_connection("127.0.0.1", self._target_port)
        except OSError:
            connection.reset()
            return
        connection.writers.append(target_writer)
        if said and not connection.is_dead:
            target_writer.write(said)
        await asyncio.gather(
            self._pump(connection, reader, target_writer),
            self._pump(connection, target_reader, writer),
        )

    async def _outlasts_the_hole(self, reader: asyncio.StreamReader) -> bytes | None:
        """What was said into the hole. None: it was given up meanwhile, so the other side never hears of it."""
        said = b""
        flows = asyncio.ensure_future(self._flows.wait())
        while not self._flows.is_set():
            reading = asyncio.ensure_future(self._read(reader))
            await asyncio.wait({flows, reading}, return_when=asyncio.FIRST_COMPLETED)
            if not reading.done():
                reading.cancel()
            elif not reading.result():
                flows.cancel()
                return None
            else:
                said += reading.result()
        await flows
        return said

    async def _read(self, reader: asyncio.StreamReader) -> bytes:
        try:
            return await reader.read(65536)
        except OSError:
            return b""

    async def _pump(self, connection: Connection, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await self._read(reader):
                await self._flows.wait()
                if self.hangs_websockets and b"Upgrade: websocket" in data:
                    connection.is_dead = True
                if not connection.is_dead:
                    writer.write(data)
                    await writer.drain()
        if not connection.is_dead:
            writer.close()
