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
        self.network = Network.FINE
        self.port = 0
        self._target_port = target_port
        self._connections: list[Connection] = []
        self._server: asyncio.Server | None = None

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
            writer.transport.abort()
            return
        connection = Connection(writer)
        self._connections.append(connection)
        await self._until_fine(connection)
        try:
            target_reader, target_writer = await asyncio.open_connection("127.0.0.1", self._target_port)
        except OSError:
            connection.reset()
            return
        connection.writers.append(target_writer)
        await asyncio.gather(
            self._pump(connection, reader, target_writer),
            self._pump(connection, target_reader, writer),
        )

    async def _pump(self, connection: Connection, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                await self._until_fine(connection)
                if not connection.is_dead:
                    writer.write(data)
                    await writer.drain()
        if not connection.is_dead:
            writer.close()

    async def _until_fine(self, connection: Connection) -> None:
        while self.network is Network.SWALLOWS and not connection.is_dead:
            await asyncio.sleep(0.02)
