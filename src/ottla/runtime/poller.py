"""How streams learn that their sockets can be read or written."""

import asyncio
import logging
from collections.abc import Callable
from typing import Protocol

_log = logging.getLogger(__name__)

#: So many small responses wait for each other at most.
SENT_TOGETHER = 4


class Watched(Protocol):
    """What a poller calls. The socket is nonblocking."""

    @property
    def descriptor(self) -> int: ...

    def on_readable(self) -> None: ...

    def on_ready_to_write(self) -> None: ...

    def send_held(self) -> None:
        """Sends what waits in the outbox."""

    def abort(self) -> None: ...


class Outbox:
    """Small responses of one round: those of one stream in one piece, those of a few streams at a time.

    To send is to wake the peer, which costs more than the copy, most of all where a virtual machine has to be left for
    it. Of several sends in a row only the first pays the full price. Nothing waits for work that takes long: whoever
    begins some calls `send` first.
    """

    __slots__ = ("_streams", "is_open")

    def __init__(self) -> None:
        self._streams: list[Watched] = []
        #: A round is in progress.
        self.is_open = False

    def add(self, stream: Watched) -> None:
        self._streams.append(stream)
        if len(self._streams) >= SENT_TOGETHER:
            self.send()

    def send(self) -> None:
        for stream in self._streams:
            try:
                stream.send_held()
            except Exception:  # noqa: BLE001  see `end_after_bug`
                end_after_bug(stream)
        self._streams.clear()

    def close(self) -> None:
        """The round is over."""
        self.is_open = False
        self.send()


class Poller(Protocol):
    @property
    def outbox(self) -> Outbox: ...

    def watch(self, stream: Watched, *, reads: bool, writes: bool) -> None:
        """Replaces what was watched of this stream; with neither it is forgotten."""


class LoopPoller:
    """Works on any event loop. The one of `ottla.runtime.event_loop` is faster."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        #: Each stream is a round of its own.
        self.outbox = Outbox()

    def watch(self, stream: Watched, *, reads: bool, writes: bool) -> None:
        if reads:
            self._loop.add_reader(stream.descriptor, self._serve, stream, stream.on_readable)
        else:
            self._loop.remove_reader(stream.descriptor)
        if writes:
            self._loop.add_writer(stream.descriptor, self._serve, stream, stream.on_ready_to_write)
        else:
            self._loop.remove_writer(stream.descriptor)

    def _serve(self, stream: Watched, callback: Callable[[], None]) -> None:
        self.outbox.is_open = True
        try:
            callback()
        except Exception:  # noqa: BLE001  see `end_after_bug`
            end_after_bug(stream)
        finally:
            self.outbox.close()


def end_after_bug(stream: Watched) -> None:
    """A bug in the owner of one connection ends that connection, not the loop. Called while it is handled."""
    _log.exception("a connection failed and is closed")
    stream.abort()
