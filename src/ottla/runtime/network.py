"""Sockets: asyncio's transports for readiness and overflow, direct system calls for the usual case.

An answer goes straight to the socket with `write` or `sendfile` when nothing is queued; only what the peer does not
take at once passes through the transport. Of a file, at most one chunk at a time is read into memory for a slow peer.
"""

import asyncio
import errno
import os
import socket
import sys
from collections import deque
from collections.abc import Callable
from typing import Any

from ottla.doors.disk import Buffer, FileSlice
from ottla.doors.network import BufferedOwner
from ottla.runtime.early_sockets import EarlySockets

#: Of a file that the peer reads slowly, this much is handed to the transport at a time.
_OVERFLOW_CHUNK = 64 * 1024
#: Up to this size an answer with parts of files is read and sent as one piece.
_SMALL_ANSWER = 16 * 1024
_SENDFILE_WORKS = sys.platform == "linux"


class SocketLink:
    """The sending side of one TCP connection. Owned by the connection; lives as long as its transport."""

    __slots__ = (
        "_closing",
        "_descriptor",
        "_is_clogged",
        "_queue",
        "_queued_size",
        "_socket",
        "_transport",
        "peer_host",
        "peer_port",
    )

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        sock = transport.get_extra_info("socket")
        # asyncio hands out a wrapper without `send`; other loops may have nothing behind it, then heads go at once.
        self._socket: socket.socket | None = getattr(sock, "_sock", None) if hasattr(socket, "MSG_MORE") else None
        self._descriptor: int = -1 if transport.get_extra_info("sslcontext") else sock.fileno()
        self._queue: deque[Buffer | FileSlice] = deque()
        self._queued_size = 0
        self._closing = False
        #: Something waits, here or in the transport. Without it, `send` need not ask the transport each time.
        self._is_clogged = False
        peer = transport.get_extra_info("peername") or ("", 0)
        self.peer_host: str = peer[0]
        self.peer_port: int = peer[1]
        # The transport calls pause_writing as soon as it holds a byte and resume_writing when it is empty:
        # that is the owner's signal to go on with `on_writable`.
        transport.set_write_buffer_limits(high=0)

    @property
    def unsent_size(self) -> int:
        return self._queued_size + self._transport.get_write_buffer_size() if self._is_clogged else 0

    def send(self, data: Buffer) -> None:
        if self._is_clogged or self._descriptor < 0:
            self._enqueue(bytes(data))
            return
        try:
            sent = os.write(self._descriptor, data)
        except BlockingIOError:
            sent = 0
        except OSError as error:
            self._broken(error)
            return
        if sent != len(data):
            self._transport.write(bytes(memoryview(data)[sent:]))
            self._look()

    def send_parts(self, parts: list[Buffer | FileSlice]) -> None:
        if sum(part.size if isinstance(part, FileSlice) else len(part) for part in parts) <= _SMALL_ANSWER:
            # One read and one write in one packet: for little data cheaper than sendfile, and the peer wakes once.
            try:
                data = b"".join(_bytes_of(part) for part in parts)
            except OSError as error:
                self._broken(error)
            else:
                self.send(data)
            return
        for part in parts:
            if isinstance(part, FileSlice):
                self._queue.append(part)
                self._queued_size += part.size
            elif len(part):
                self._queue.append(part)
                self._queued_size += len(part)
        self._drain()
        # What could not go now must not point into a buffer that the caller will use again.
        if self._queue:
            self._queue = deque(p if isinstance(p, FileSlice | bytes) else bytes(p) for p in self._queue)

    def on_writable(self) -> None:
        self._drain()

    def pause_reading(self) -> None:
        if not self._transport.is_closing():
            self._transport.pause_reading()

    def resume_reading(self) -> None:
        if not self._transport.is_closing():
            self._transport.resume_reading()

    def close(self) -> None:
        self._closing = True
        if not self._queue:
            self._transport.close()

    def abort(self) -> None:
        self._queue.clear()
        self._queued_size = 0
        self._is_clogged = False
        self._transport.abort()

    def _enqueue(self, data: bytes) -> None:
        self._queue.append(data)
        self._queued_size += len(data)
        self._drain()

    def _drain(self) -> None:
        queue = self._queue
        transport = self._transport
        while queue and not transport.get_write_buffer_size():
            part = queue.popleft()
            if isinstance(part, FileSlice):
                self._queued_size -= part.size
                self._send_slice(part)
            else:
                self._queued_size -= len(part)
                self._send_buffer(part)
        if self._closing and not queue:
            transport.close()
        self._look()

    def _look(self) -> None:
        self._is_clogged = bool(self._queue) or self._transport.get_write_buffer_size() > 0

    def _send_buffer(self, data: Buffer) -> None:
        sent = 0
        if self._descriptor >= 0:
            try:
                sent = self._write_before_more(data) if self._queue else os.write(self._descriptor, data)
            except BlockingIOError:
                sent = 0
            except OSError as error:
                self._broken(error)
                return
        if sent != len(data):
            self._transport.write(bytes(memoryview(data)[sent:]))

    def _write_before_more(self, data: Buffer) -> int:
        """Holds a packet back that the next part will fill: a head of 60 bytes must not wake the peer by itself."""
        if self._socket is None:
            return os.write(self._descriptor, data)
        sent: int = self._socket.send(data, socket.MSG_MORE)
        return sent

    def _send_slice(self, part: FileSlice) -> None:
        file, position, size = part
        source = file.descriptor() if self._descriptor >= 0 and _SENDFILE_WORKS else None
        if source is not None:
            try:
                while size:
                    sent = os.sendfile(self._descriptor, source, position, size)
                    if sent == 0:
                        self._broken(OSError(errno.EIO, "the file ends before the slice", file.path))
                        return
                    position += sent
                    size -= sent
                return
            except BlockingIOError:
                pass
            except OSError as error:
                self._broken(error)
                return
        self._overflow_slice(file, position, size, part)

    def _overflow_slice(self, file: Any, position: int, size: int, part: FileSlice) -> None:
        """Hands one chunk to the transport and queues the rest for when the peer has taken it."""
        data = file.read_at(position, min(size, _OVERFLOW_CHUNK))
        if not data:
            self._broken(OSError(errno.EIO, "the file ends before the slice", part.file.path))
            return
        size -= len(data)
        if size:
            self._queue.appendleft(FileSlice(file, position + len(data), size))
            self._queued_size += size
        self._transport.write(data)

    def _broken(self, error: OSError) -> None:
        """The peer is gone, or the stream can no longer be continued: a half-sent answer ends the connection."""
        self._queue.clear()
        self._queued_size = 0
        self._is_clogged = False
        self._transport.abort()


def _bytes_of(part: Buffer | FileSlice) -> Buffer:
    if not isinstance(part, FileSlice):
        return part
    data = part.file.read_at(part.position, part.size)
    if len(data) != part.size:
        raise OSError(errno.EIO, "the file ends before the slice", part.file.path)
    return data


class SocketListener:
    def __init__(self, server: asyncio.Server) -> None:
        self._server = server
        self.port: int = server.sockets[0].getsockname()[1]

    async def start(self) -> None:
        await self._server.start_serving()

    async def close(self) -> None:
        # Not wait_closed: since Python 3.12 it waits for every open connection as well.
        self._server.close()


class SocketNetwork:
    def __init__(
        self, *, early: EarlySockets | None = None, send_buffer_bytes: int = -1, receive_buffer_bytes: int = -1
    ) -> None:
        self._early = early or EarlySockets()
        self._send_buffer_bytes = send_buffer_bytes
        self._receive_buffer_bytes = receive_buffer_bytes

    async def listen(
        self, host: str, port: int, make_owner: Callable[[], BufferedOwner], *, backlog: int = 512
    ) -> SocketListener:
        loop = asyncio.get_running_loop()
        factory: Callable[[], Any] = make_owner
        early = self._early.take(host, port)
        if early is not None:
            return SocketListener(await loop.create_server(factory, sock=early, backlog=backlog, start_serving=False))
        server = await loop.create_server(
            factory, host or None, port, backlog=backlog, reuse_address=True, start_serving=False
        )
        return SocketListener(server)

    async def connect(self, host: str, port: int, owner: BufferedOwner) -> None:
        protocol: Any = owner
        await asyncio.get_running_loop().create_connection(lambda: protocol, host, port)

    def link(self, transport: asyncio.Transport) -> SocketLink:
        sock = transport.get_extra_info("socket")
        if sock is not None and sock.family in (socket.AF_INET, socket.AF_INET6):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self._send_buffer_bytes > 0:
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, self._send_buffer_bytes)
            if self._receive_buffer_bytes > 0:
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, self._receive_buffer_bytes)
        return SocketLink(transport)
