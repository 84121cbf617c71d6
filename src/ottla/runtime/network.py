"""Sockets: listening, connecting, and the streams that come out of both."""

import asyncio
import errno
import logging
import socket
import sys
from collections.abc import Callable

from ottla.doors.network import BufferedOwner, Link
from ottla.model.addresses import LOOPBACK_V4, LOOPBACK_V6
from ottla.runtime.congestion import prepare_connecting, prepare_listening, settle_accepted
from ottla.runtime.early_sockets import EarlySockets
from ottla.runtime.event_loop import poller_of
from ottla.runtime.poller import Poller
from ottla.runtime.stream import SocketStream

_log = logging.getLogger(__name__)

#: The process or the machine has no more of something: trying again at once would only burn time.
_EXHAUSTED = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
_RETRY_S = 1.0
#: Those that are refused are closed before the next ones come: a storm must not use up the open files.
_ACCEPTS_PER_ITERATION = 32


class SocketListener:
    """Has its addresses from the start; takes connections between `start` and `close`."""

    def __init__(
        self,
        network: "SocketNetwork",
        sockets: list[socket.socket],
        make_owner: Callable[[], BufferedOwner],
        backlog: int,
    ) -> None:
        self._network = network
        self._sockets = sockets
        self._make_owner = make_owner
        self._backlog = backlog
        self._loop = asyncio.get_running_loop()
        self.port: int = sockets[0].getsockname()[1]

    async def start(self) -> None:
        for listening in self._sockets:
            listening.listen(self._backlog)
            self._watch(listening)

    async def close(self) -> None:
        for listening in self._sockets:
            self._loop.remove_reader(listening)
            listening.close()
        self._sockets.clear()

    def _watch(self, listening: socket.socket) -> None:
        if listening in self._sockets:
            self._loop.add_reader(listening, self._accept, listening)

    def _accept(self, listening: socket.socket) -> None:
        for _ in range(_ACCEPTS_PER_ITERATION):
            try:
                accepted, address = listening.accept()
            except (BlockingIOError, InterruptedError):
                return
            except ConnectionAbortedError:
                continue
            except OSError as error:
                if error.errno not in _EXHAUSTED:
                    raise
                _log.error("cannot accept connections: %s; retrying in %.0f s", error, _RETRY_S)
                self._loop.remove_reader(listening)
                self._loop.call_later(_RETRY_S, self._watch, listening)
                return
            settle_accepted(accepted, address[0])
            self._network.open_stream(accepted, self._make_owner())


class SocketNetwork:
    """Socket buffers of -1 are left to the system."""

    def __init__(
        self, *, early: EarlySockets | None = None, send_buffer_bytes: int = -1, receive_buffer_bytes: int = -1
    ) -> None:
        self._early = early or EarlySockets()
        self._send_buffer_bytes = send_buffer_bytes
        self._receive_buffer_bytes = receive_buffer_bytes
        self._poller: Poller | None = None

    async def listen(
        self, host: str, port: int, make_owner: Callable[[], BufferedOwner], *, backlog: int = 512
    ) -> SocketListener:
        if host == "localhost":
            sockets = self._loopback_sockets(port)
        else:
            early = self._early.take(host, port)
            sockets = [early] if early is not None else await _bound_sockets(host, port)
        return SocketListener(self, sockets, make_owner, backlog)

    def _loopback_sockets(self, port: int) -> list[socket.socket]:
        """Both loopback addresses with one port: a client may try either of them first. Raises OSError.

        Where the system has no IPv6, or another process got the port that the system chose, IPv4 is enough.
        """
        found = self._early.take(LOOPBACK_V4, port) or _bound_socket(socket.AF_INET, (LOOPBACK_V4, port))
        chosen_port = found.getsockname()[1]
        try:
            second = self._early.take(LOOPBACK_V6, port) or _bound_socket(socket.AF_INET6, (LOOPBACK_V6, chosen_port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE and port:
                found.close()
                raise
            return [found]
        return [found, second]

    async def connect(self, host: str, port: int, owner: BufferedOwner) -> None:
        self.open_stream(await _connected_socket(host, port), owner)

    def open_stream(self, sock: socket.socket, owner: BufferedOwner) -> None:
        sock.setblocking(False)
        if sock.family in (socket.AF_INET, socket.AF_INET6):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self._send_buffer_bytes > 0:
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, self._send_buffer_bytes)
            if self._receive_buffer_bytes > 0:
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, self._receive_buffer_bytes)
        if self._poller is None:
            self._poller = poller_of(asyncio.get_running_loop())
        SocketStream(sock, owner, self._poller).start()

    def link(self, transport: object) -> Link:
        assert isinstance(transport, SocketStream)
        return transport


async def _bound_sockets(host: str, port: int) -> list[socket.socket]:
    """One for each address of the host; "" means all addresses of the machine. Raises OSError."""
    found: list[socket.socket] = []
    try:
        for family, _, _, _, address in await _addresses(host, port, flags=socket.AI_PASSIVE):
            found.append(_bound_socket(family, address))
    except OSError:
        for opened in found:
            opened.close()
        raise
    return found


def _bound_socket(family: int, address: tuple[object, ...]) -> socket.socket:
    """Raises OSError."""
    opened = socket.socket(family, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            # IPv4 has a socket of its own.
            opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        prepare_listening(opened)
        opened.bind(address)
        opened.setblocking(False)
    except OSError as error:
        opened.close()
        raise OSError(error.errno, f"cannot listen on {address[0]}:{address[1]}: {error.strerror}") from None
    return opened


async def _connected_socket(host: str, port: int) -> socket.socket:
    """Tries the addresses one after another; raises the last one's OSError."""
    loop = asyncio.get_running_loop()
    failure = OSError(f"{host} has no address")
    for family, kind, protocol, _, address in await _addresses(host, port):
        opened = socket.socket(family, kind, protocol)
        opened.setblocking(False)
        prepare_connecting(opened, str(address[0]))
        try:
            await loop.sock_connect(opened, address)
        except OSError as error:
            opened.close()
            failure = error
        except BaseException:
            opened.close()
            raise
        else:
            return opened
    raise failure


_AddressInfo = tuple[int, int, int, str, tuple[object, ...]]


async def _addresses(host: str, port: int, *, flags: int = 0) -> list[_AddressInfo]:
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=flags)
    return list(dict.fromkeys(found))
