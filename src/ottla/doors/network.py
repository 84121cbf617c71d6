"""Connections.

The owner of a connection is a `BufferedOwner`: the callbacks of `asyncio.BufferedProtocol`, so that on a real socket no
adapter stands between the event loop and the broker. It talks back through a `Link`.
"""

from collections.abc import Callable
from typing import Any, Protocol

from ottla.doors.disk import Buffer, FileSlice


class Link(Protocol):
    """The sending side of one connection. Calls never block; what the peer does not take yet is queued in order."""

    def send(self, data: Buffer) -> None:
        """`data` may be reused by the caller as soon as this returns."""

    def send_parts(self, parts: list[Buffer | FileSlice]) -> None:
        """Sends buffers and parts of files one after another. The files must stay open until `unsent_size` is 0."""

    @property
    def unsent_size(self) -> int:
        """Bytes queued because the peer reads too slowly."""

    @property
    def held_size(self) -> int:
        """Those of them that take memory: not the parts of files."""

    @property
    def peer_host(self) -> str: ...

    @property
    def peer_port(self) -> int: ...

    def on_writable(self) -> None:
        """Called by the owner in `resume_writing`: sends what is queued, as far as there is room."""

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...

    def close(self) -> None:
        """Sends what is queued, then closes."""

    def abort(self) -> None:
        """Closes at once."""


class BufferedOwner(Protocol):
    def connection_made(self, transport: Any) -> None:
        """`transport` is turned into a Link by `Network.link`."""

    def get_buffer(self, sizehint: int) -> bytearray | memoryview: ...

    def buffer_updated(self, nbytes: int) -> None: ...

    def eof_received(self) -> bool | None:
        """The peer sends no more. True: the owner still has responses, and closes the link itself."""

    def connection_lost(self, exc: Exception | None) -> None: ...

    def pause_writing(self) -> None:
        """The link has bytes that the peer did not take."""

    def resume_writing(self) -> None:
        """The peer may take more: the owner must call `Link.on_writable`. It may go on when `Link.unsent_size` is 0."""


class Listener(Protocol):
    @property
    def port(self) -> int: ...

    async def start(self) -> None:
        """Takes connections from now on; before, they are refused, or wait where the system queues them."""

    async def close(self) -> None:
        """Takes no more connections; those that exist go on."""


class Network(Protocol):
    async def listen(
        self, host: str, port: int, make_owner: Callable[[], BufferedOwner], *, backlog: int = 512
    ) -> Listener:
        """Takes the address, so that its port is known; connections are accepted after `Listener.start`."""

    async def connect(self, host: str, port: int, owner: BufferedOwner) -> None:
        """Raises OSError when the peer cannot be reached; otherwise `owner.connection_made` has been called."""

    def link(self, transport: Any) -> Link: ...
