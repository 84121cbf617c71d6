"""The owner of one end of a connection, for tests of networks."""

import asyncio
from typing import Any

from ottla.doors.network import Link, Network


class LinkOwner(asyncio.BufferedProtocol):
    """Collects what arrives. `buffer_size` is small on purpose: pieces must be joined."""

    def __init__(self, network: Network, buffer_size: int = 100) -> None:
        self._network = network
        self._buffer = bytearray(buffer_size)
        self.link: Link
        self.received = bytearray()
        self.made = asyncio.Event()
        self.lost = asyncio.Event()
        self.error: Exception | None = None
        self.saw_end = False
        self.paused = asyncio.Event()
        self.arrived = asyncio.Event()

    def connection_made(self, transport: Any) -> None:
        self.link = self._network.link(transport)
        self.made.set()

    def get_buffer(self, sizehint: int) -> bytearray:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        self.received += self._buffer[:nbytes]
        self.arrived.set()

    def eof_received(self) -> bool | None:
        self.saw_end = True
        return None

    def connection_lost(self, exc: Exception | None) -> None:
        self.error = exc
        self.lost.set()

    def pause_writing(self) -> None:
        self.paused.set()

    def resume_writing(self) -> None:
        self.link.on_writable()

    def held_bytes(self) -> int:
        return self.link.held_size

    async def has(self, size: int) -> bytes:
        while len(self.received) < size:
            self.arrived.clear()
            await asyncio.wait_for(self.arrived.wait(), 20)
        return bytes(self.received)
