"""The two hot methods of a stream: what comes in, and what goes out while nothing waits before it."""

import errno
import os
import socket
from collections import deque
from typing import Final

from ottla.doors.disk import Buffer, FileSlice
from ottla.doors.network import BufferedOwner
from ottla.twins import compiled_twin

_GONE: Final = errno.ECONNRESET


class QuickStream:
    """The upper half of SocketStream, which has everything that is rare.

    The compiled twin does one thing more: it fills the `inbox` of an owner that has one, and lets it answer what can go
    the short way. The owner is called only for the rest.
    """

    __slots__ = ("_is_reading", "_owner", "_queue", "_receive", "descriptor")

    def __init__(self, sock: socket.socket, owner: BufferedOwner) -> None:
        self._receive = sock.recv_into
        self.descriptor = sock.fileno()
        self._owner = owner
        #: What the peer has not taken yet.
        self._queue: deque[Buffer | FileSlice] = deque()
        self._is_reading = True

    def on_readable(self) -> None:
        if not self._is_reading:
            # Called all the same: the peer is gone for good.
            self._lose(OSError(_GONE, os.strerror(_GONE)))
            return
        try:
            count = self._receive(self._owner.get_buffer(-1))
        except (BlockingIOError, InterruptedError):
            return
        except OSError as error:
            self._lose(error)
            return
        if count:
            self._owner.buffer_updated(count)
        else:
            self._end_of_input()

    def send(self, data: Buffer) -> None:
        if self._queue:
            self._keep(data, 0)
            return
        try:
            sent = os.write(self.descriptor, data)
        except (BlockingIOError, InterruptedError):
            sent = 0
        except OSError as error:
            self._lose(error)
            return
        if sent != len(data):
            self._keep(data, sent)

    # -- the lower half

    def _keep(self, data: Buffer, sent: int) -> None:
        """Queues what the peer has not taken."""
        raise NotImplementedError

    def _end_of_input(self) -> None:
        raise NotImplementedError

    def _lose(self, error: OSError | None) -> None:
        raise NotImplementedError


_twin = compiled_twin("ottla.runtime._quick_stream")
if _twin is not None:
    QuickStream = _twin.QuickStream  # type: ignore[misc]
