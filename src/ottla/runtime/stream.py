"""One TCP connection: reads into the owner's buffer, sends straight to the socket.

A response goes out with `send` or `sendfile` when nothing is queued; small ones to requests that came together, and
those of a few other streams, are sent together (`Outbox`). What the peer does not take at once waits in order. Parts of
files wait as what they are, so a slow reader costs no memory for them.
"""

import asyncio
import errno
import os
import socket
import sys
from collections import deque
from collections.abc import Iterable, Iterator

from ottla.doors.disk import Buffer, FileSlice
from ottla.doors.network import BufferedOwner
from ottla.runtime.poller import Poller
from ottla.runtime.system_calls import WOULD_BLOCK, receive, send

#: Where the system has no sendfile for sockets, this much of a file is in memory at a time.
_CHUNK = 64 * 1024
#: The size of the pieces in which bytes wait: memory comes back with each that has gone out.
_PIECE = 256 * 1024
#: Up to this size a response with parts of files is read and sent as one piece.
_SMALL_RESPONSE = 16 * 1024
#: So many bytes of responses wait for each other at most: a peer that does not read them must be noticed.
_HELD_BYTES_MAX = 64 * 1024
#: To serve what comes in a larger piece takes long.
_LARGE_READ = 16 * 1024
_SENDFILE_WORKS = sys.platform == "linux"
#: Holds a packet back that the next part will fill: a head of 60 bytes must not wake the peer by itself.
_MORE = getattr(socket, "MSG_MORE", 0)


class SocketStream:
    """Owns its socket from the first call to the last; the owner gets `connection_lost` exactly once."""

    __slots__ = (
        "_held",
        "_is_clogged",
        "_is_closing",
        "_is_lost",
        "_is_reading",
        "_loop",
        "_outbox",
        "_owner",
        "_poller",
        "_queue",
        "_socket",
        "_watched",
        "descriptor",
        "peer_host",
        "peer_port",
        "unsent_size",
    )

    def __init__(self, sock: socket.socket, owner: BufferedOwner, poller: Poller) -> None:
        self.descriptor = sock.fileno()
        self._owner = owner
        #: What the peer has not taken yet.
        self._queue: deque[Buffer | FileSlice] = deque()
        self._is_reading = True
        self._loop = asyncio.get_running_loop()
        self._socket = sock
        self._poller = poller
        self._outbox = poller.outbox
        #: Waits in the outbox; then nothing is queued.
        self._held: bytes | bytearray | None = None
        #: Bytes queued because the peer reads too slowly.
        self.unsent_size = 0
        #: What the poller was asked for last: reading, writing.
        self._watched = (False, False)
        self._is_clogged = False
        self._is_closing = False
        self._is_lost = False
        self.peer_host, self.peer_port = _peer_of(sock)

    def start(self) -> None:
        """Notifies the owner, then reads."""
        self._owner.connection_made(self)
        if not self._is_lost:
            self._watch()

    # -- called by the poller

    def on_readable(self) -> None:
        if not self._is_reading:
            # Called all the same: the peer is gone for good.
            self._lose(_system_error(errno.ECONNRESET))
            return
        count = receive(self.descriptor, self._owner.get_buffer(-1))
        if count > 0:
            if count > _LARGE_READ:
                self._outbox.send()
            self._owner.buffer_updated(count)
        elif count == 0:
            self._end_of_input()
        elif count not in WOULD_BLOCK:
            self._lose(_system_error(-count))

    def _end_of_input(self) -> None:
        is_kept = self._owner.eof_received()
        self._is_reading = False
        if is_kept:
            self._watch()
        else:
            self.close()

    def on_ready_to_write(self) -> None:
        self._owner.resume_writing()

    # -- the link

    def send(self, data: Buffer) -> None:
        if not self._outbox.is_open or len(data) > _SMALL_RESPONSE or self._queue:
            self.send_held()
            self._send_now(data)
        elif self._held is None:
            # A copy of what the owner may use again.
            self._held = data if type(data) is bytes else bytes(data)
            self._outbox.add(self)
        else:
            self._hold_more(self._held, data)

    def _hold_more(self, held: bytes | bytearray, data: Buffer) -> None:
        """Another response of the same round: requests were pipelined."""
        if type(held) is not bytearray:
            held = self._held = bytearray(held)
        held += data
        if len(held) >= _HELD_BYTES_MAX:
            self.send_held()

    def send_held(self) -> None:
        held = self._held
        if held is not None:
            self._held = None
            sent = send(self.descriptor, held)
            if sent != len(held):
                self._keep(held, sent)

    def _send_now(self, data: Buffer) -> None:
        if self._queue:
            self._keep(data, 0)
            return
        sent = send(self.descriptor, data)
        if sent != len(data):
            self._keep(data, sent)

    def _keep(self, data: Buffer, sent: int) -> None:
        """What the peer has not taken; `sent` may be a negative errno."""
        if sent < 0:
            if sent not in WOULD_BLOCK:
                self._lose(_system_error(-sent))
                return
            sent = 0
        is_first = not self._queue
        self._queue.extend(_pieces(memoryview(data)[sent:]))
        self.unsent_size += len(data) - sent
        if is_first:
            self._watch()

    @property
    def held_size(self) -> int:
        """Of `unsent_size` the bytes that take memory."""
        return sum(len(part) for part in self._queue if not isinstance(part, FileSlice))

    def send_parts(self, parts: list[Buffer | FileSlice]) -> None:
        size = 0
        for part in parts:
            size += part.size if isinstance(part, FileSlice) else len(part)
        if size <= _SMALL_RESPONSE:
            self._send_joined(parts)
            return
        self._outbox.send()
        if self._is_lost:
            return
        self.unsent_size += size
        if self._queue:
            # The poller empties it: the owner was told to pause, and has to be told when it may go on.
            self._queue.extend(piece for part in parts for piece in _owned(part))
            return
        self._queue.extend(parts)
        self._drain()
        # What could not go now must not point into a buffer that the caller will use again.
        if self._queue:
            self._queue = deque(piece for part in self._queue for piece in _owned(part))

    def _send_joined(self, parts: list[Buffer | FileSlice]) -> None:
        """One read and one write in one packet: for little data cheaper than sendfile, and the peer wakes once."""
        try:
            data = b"".join([_bytes_of(part) if isinstance(part, FileSlice) else part for part in parts])
        except OSError as error:
            self._lose(error)
        else:
            self.send(data)

    def on_writable(self) -> None:
        self._drain()

    def pause_reading(self) -> None:
        if self._is_reading and not self._is_closing:
            self._is_reading = False
            self._watch()

    def resume_reading(self) -> None:
        if not self._is_reading and not self._is_closing:
            self._is_reading = True
            self._watch()

    def close(self) -> None:
        """Sends what waits, then closes."""
        self.send_held()
        self._is_closing = True
        self._is_reading = False
        if self._queue:
            self._watch()
        else:
            self._lose(None)

    def abort(self) -> None:
        # What only waits for the end of the round counts as sent: these requests were served.
        self.send_held()
        self._lose(None)

    # -- sending

    def _drain(self) -> None:
        """Sends what the peer takes. Of a response of 1 MiB that is usually all."""
        queue = self._queue
        try:
            while queue:
                part = queue[0]
                if isinstance(part, FileSlice):
                    size = part.size
                    sent = self._send_slice(part) if size else 0
                else:
                    size = len(part)
                    sent = self._socket.send(part, _MORE if len(queue) > 1 else 0)
                self.unsent_size -= sent
                if sent < size:
                    queue[0] = _rest_of(part, sent)
                    break
                queue.popleft()
        except (BlockingIOError, InterruptedError):
            pass
        except OSError as error:
            # The peer is gone, or the stream cannot be continued: a response sent in part ends the connection.
            self._lose(error)
            return
        if self._is_closing and not queue:
            self._lose(None)
        elif queue or self._is_clogged:
            self._watch()

    def _send_slice(self, part: FileSlice) -> int:
        source = part.file.descriptor() if _SENDFILE_WORKS else None
        if source is not None:
            sent = os.sendfile(self.descriptor, source, part.position, part.size)
        else:
            sent = self._socket.send(part.file.read_at(part.position, min(part.size, _CHUNK)))
        if not sent:
            raise OSError(errno.EIO, "the file ends before the slice", part.file.path)
        return sent

    # -- the end

    def _watch(self) -> None:
        if self._is_lost:
            return
        has_queue = bool(self._queue)
        wanted = (self._is_reading, has_queue)
        if wanted != self._watched:
            self._watched = wanted
            self._poller.watch(self, reads=self._is_reading, writes=has_queue)
        if has_queue and not self._is_clogged:
            self._owner.pause_writing()
        self._is_clogged = has_queue

    def _lose(self, error: OSError | None) -> None:
        if self._is_lost:
            return
        self._poller.watch(self, reads=False, writes=False)
        # The number may soon be somebody else's: nothing of ours may be written there.
        self.descriptor = -1
        self._is_lost = self._is_closing = True
        self._is_reading = False
        self._queue.clear()
        self._held = None
        self.unsent_size = 0
        # Not at once: the owner may be in the middle of something.
        self._loop.call_soon(self._finish, error)

    def _finish(self, error: OSError | None) -> None:
        try:
            self._owner.connection_lost(error)
        finally:
            self._socket.close()


def _system_error(code: int) -> OSError:
    return OSError(code, os.strerror(code))


def _peer_of(sock: socket.socket) -> tuple[str, int]:
    try:
        name = sock.getpeername()
    except OSError:
        # Gone already: the first read will fail.
        return "", 0
    # A pair of sockets without addresses has no tuple.
    return (name[0], name[1]) if isinstance(name, tuple) else ("", 0)


def _pieces(data: memoryview) -> Iterator[bytes]:
    """A copy. In pieces, because the rest of one that went out in part is copied once more."""
    for start in range(0, len(data), _PIECE):
        yield bytes(data[start : start + _PIECE])


def _owned(part: Buffer | FileSlice) -> Iterable[Buffer | FileSlice]:
    if isinstance(part, FileSlice) or (isinstance(part, bytes) and len(part) <= _PIECE):
        return (part,)
    return _pieces(memoryview(part))


def _rest_of(part: Buffer | FileSlice, sent: int) -> Buffer | FileSlice:
    if isinstance(part, FileSlice):
        return FileSlice(part.file, part.position + sent, part.size - sent)
    return bytes(memoryview(part)[sent:])


def _bytes_of(part: FileSlice) -> bytes:
    data = part.file.read_at(part.position, part.size)
    if len(data) != part.size:
        raise OSError(errno.EIO, "the file ends before the slice", part.file.path)
    return data
