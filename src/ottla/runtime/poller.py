"""How streams learn that their sockets can be read or written."""

import asyncio
import logging
from typing import Protocol

_log = logging.getLogger(__name__)


class Watched(Protocol):
    """What a poller calls. The socket is nonblocking."""

    @property
    def descriptor(self) -> int: ...

    def on_readable(self) -> None: ...

    def on_ready_to_write(self) -> None: ...

    def abort(self) -> None: ...


class Poller(Protocol):
    def watch(self, stream: Watched, *, reads: bool, writes: bool) -> None:
        """Replaces what was watched of this stream; with neither it is forgotten."""


class LoopPoller:
    """Works on any event loop. The one of `ottla.runtime.event_loop` is faster."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def watch(self, stream: Watched, *, reads: bool, writes: bool) -> None:
        if reads:
            self._loop.add_reader(stream.descriptor, serve_events, stream, 1, 0)
        else:
            self._loop.remove_reader(stream.descriptor)
        if writes:
            self._loop.add_writer(stream.descriptor, serve_events, stream, 0, 1)
        else:
            self._loop.remove_writer(stream.descriptor)


def serve_events(stream: Watched, reads: int, writes: int) -> None:
    """A bug in the owner of one connection ends that connection, not the loop."""
    try:
        if reads:
            stream.on_readable()
        if writes:
            stream.on_ready_to_write()
    except Exception:  # noqa: BLE001  see above
        _log.exception("a connection failed and is closed")
        stream.abort()
