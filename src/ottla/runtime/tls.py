"""TLS between a network and the owners of its connections.

`TlsNetwork` is a Network door around another one: owners and channels notice nothing but the delay of the handshake.
The bytes are encrypted in memory (`ssl.SSLObject`), so that any network can be below, the simulated one too.
"""

import asyncio
import contextlib
import ssl
from collections.abc import Callable
from typing import Any

from ottla.doors.disk import Buffer, FileSlice
from ottla.doors.network import BufferedOwner, Link, Listener, Network

_RECEIVE_BYTES = 64 * 1024
_FILE_CHUNK_BYTES = 64 * 1024


class TlsNetwork:
    """Encrypts all connections. For listening, `context` must be a server's."""

    def __init__(self, network: Network, context: ssl.SSLContext) -> None:
        self._network = network
        self._context = context

    async def listen(
        self, host: str, port: int, make_owner: Callable[[], BufferedOwner], *, backlog: int = 512
    ) -> Listener:
        return await self._network.listen(host, port, lambda: self._stream(make_owner(), None), backlog=backlog)

    async def connect(self, host: str, port: int, owner: BufferedOwner) -> None:
        """Raises OSError, of which ssl.SSLError is one: among them a certificate that is not valid for `host`."""
        stream = self._stream(owner, host)
        await self._network.connect(host, port, stream)
        try:
            # Shielded: whoever gives up must not end it, the connection below fails it when it is gone.
            await asyncio.shield(stream.handshake)
        except BaseException:
            stream.abort()
            raise

    def link(self, transport: Any) -> Link:
        assert isinstance(transport, TlsStream)
        return transport

    def _stream(self, owner: BufferedOwner, server_name: str | None) -> "TlsStream":
        return TlsStream(self._network, owner, self._context, server_name)


class TlsStream:
    """One connection: the owner of the encrypted one below, the Link of the owner above."""

    def __init__(
        self, network: Network, owner: BufferedOwner, context: ssl.SSLContext, server_name: str | None
    ) -> None:
        self._network = network
        self._owner = owner
        self._incoming = ssl.MemoryBIO()
        self._outgoing = ssl.MemoryBIO()
        self._tls = context.wrap_bio(
            self._incoming, self._outgoing, server_side=server_name is None, server_hostname=server_name
        )
        self._buffer = bytearray(_RECEIVE_BYTES)
        self._link: Link | None = None
        self._is_reading = True
        #: The peer has closed the connection below: what is not decrypted yet is the last.
        self._is_cut = False
        #: The owner knows that the peer sends no more.
        self._has_ended = False
        #: Nothing more is sent.
        self._is_closed = False
        #: Done when the owner has the connection.
        self.handshake: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    # called by the network below

    def connection_made(self, transport: Any) -> None:
        self._link = self._network.link(transport)
        self._shake_hands()

    def get_buffer(self, sizehint: int) -> bytearray:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        if self._has_ended:
            # RFC 8446 ignores what comes behind the end. Nobody would read it, and so it would stay in memory.
            return
        self._incoming.write(memoryview(self._buffer)[:nbytes])
        if not self.handshake.done():
            self._shake_hands()
        if self.handshake.done() and self._is_reading:
            self._deliver()

    def eof_received(self) -> bool | None:
        if not self.handshake.done():
            self._fail_handshake(ConnectionError("the peer closed the connection during the TLS handshake"))
            return None
        self._is_cut = True
        self._deliver()
        return not self._is_closed

    def connection_lost(self, exc: Exception | None) -> None:
        self._is_closed = self._has_ended = True
        if not self.handshake.done():
            self._fail_handshake(exc or ConnectionError("the peer closed the connection during the TLS handshake"))
        elif self.handshake.exception() is None:
            self._owner.connection_lost(exc)
        # The two refer to each other: only the garbage collector would free them, with their buffers.
        self._link = None

    def pause_writing(self) -> None:
        if self.handshake.done():
            self._owner.pause_writing()

    def resume_writing(self) -> None:
        if self.handshake.done():
            self._owner.resume_writing()
        else:
            self.on_writable()

    # the handshake

    def _shake_hands(self) -> None:
        try:
            self._tls.do_handshake()
        except ssl.SSLWantReadError:
            self._flush()
            return
        except (ssl.SSLError, ssl.CertificateError) as error:
            # The alert carries the reason to the peer.
            self._flush()
            self._fail_handshake(error)
            self.close()
            return
        self._flush()
        self.handshake.set_result(None)
        self._owner.connection_made(self)

    def _fail_handshake(self, error: Exception) -> None:
        # Its frames refer to this stream, which would refer to them.
        self.handshake.set_exception(error.with_traceback(None))
        # A server has nobody who waits for it.
        self.handshake.exception()

    def _deliver(self) -> None:
        while self._is_reading and not self._has_ended:
            buffer = self._owner.get_buffer(-1)
            try:
                # With a buffer it is the number of bytes.
                count: Any = self._tls.read(len(buffer), buffer)  # type: ignore[arg-type]
            except ssl.SSLWantReadError:
                if not self._is_cut:
                    break
                count = 0
            except ssl.SSLZeroReturnError:
                count = 0
            except ssl.SSLError:
                self.abort()
                return
            if not count:
                self._end_of_input()
                return
            self._owner.buffer_updated(count)
        # The peer may have asked for new keys: the response is in the outgoing bytes.
        self._flush()

    def _end_of_input(self) -> None:
        """An owner that still has responses may send them: only one direction has ended."""
        self._has_ended = True
        if not self._owner.eof_received():
            self.close()

    # the link

    def send(self, data: Buffer) -> None:
        if data and not self._is_closed:
            self._tls.write(data)
            self._flush()

    def send_parts(self, parts: list[Buffer | FileSlice]) -> None:
        for part in parts:
            if isinstance(part, FileSlice):
                self._send_slice(part)
            else:
                self.send(part)

    def _send_slice(self, part: FileSlice) -> None:
        position, end = part.position, part.position + part.size
        while position < end:
            data = b""
            with contextlib.suppress(OSError):
                data = part.file.read_at(position, min(_FILE_CHUNK_BYTES, end - position))
            if not data:
                # What the header of the response announces cannot be sent any more.
                self.abort()
                return
            self.send(data)
            position += len(data)

    def _flush(self) -> None:
        if self._outgoing.pending and self._link is not None:
            self._link.send(self._outgoing.read())

    @property
    def unsent_size(self) -> int:
        return self._link.unsent_size if self._link is not None else 0

    @property
    def held_size(self) -> int:
        return self._link.held_size if self._link is not None else 0

    @property
    def peer_host(self) -> str:
        return self._link.peer_host if self._link is not None else ""

    @property
    def peer_port(self) -> int:
        return self._link.peer_port if self._link is not None else 0

    def on_writable(self) -> None:
        if self._link is not None:
            self._link.on_writable()

    def pause_reading(self) -> None:
        self._is_reading = False
        if self._link is not None:
            self._link.pause_reading()

    def resume_reading(self) -> None:
        self._is_reading = True
        if self._link is not None:
            self._link.resume_reading()
            # What was decrypted partly before the pause is not announced again by the network.
            asyncio.get_running_loop().call_soon(self._deliver)

    def close(self) -> None:
        """Sends what is queued and the end of the TLS session, then closes."""
        self._is_closed = self._has_ended = True
        with contextlib.suppress(ssl.SSLError):
            self._tls.unwrap()
        self._flush()
        if self._link is not None:
            self._link.close()

    def abort(self) -> None:
        self._is_closed = self._has_ended = True
        if self._link is not None:
            self._link.abort()
