"""One outgoing Kafka connection: connect, agree on versions, ask, get the answers in order.

Used by the client library and by brokers among themselves. Requests may be pipelined; Kafka answers in request order on
a connection, so answers are matched from a queue and their correlation ids are only checked. A request that is not
answered in time closes the channel: what would arrive later could not be trusted to be in time either.
"""

import asyncio
import struct
from collections import deque
from typing import Any, NamedTuple, Self

from ottla import __version__
from ottla.doors.network import Link, Network
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import RemoteProtocolError
from ottla.protocol.api_keys import ApiKey, api
from ottla.protocol.exchange import decode_response, encode_request
from ottla.protocol.generated.api_versions_request import ApiVersionsRequest
from ottla.protocol.generated.api_versions_response import ApiVersionsResponse
from ottla.protocol.header import read_correlation_id
from ottla.protocol.message import Message

_SIZE = struct.Struct(">i")
_CODE = struct.Struct(">h")
_FIRST_BUFFER_BYTES = 64 * 1024
_CORRELATION_LIMIT = 1 << 31


class RequestTimedOut(TimeoutError):
    """No answer in time. Whether the request was carried out is not known."""


class UnsupportedVersion(Exception):
    """The broker does not serve this API in a version that we know."""


class VersionRange(NamedTuple):
    min_version: int
    max_version: int


class _Waiting(NamedTuple):
    correlation_id: int
    api_key: int
    version: int
    answer: "asyncio.Future[Message]"
    timer: asyncio.TimerHandle


class Channel(asyncio.BufferedProtocol):
    """Made by `Channel.connect`; closed by its owner, by the peer, or by an answer that is late or makes no sense."""

    def __init__(
        self, network: Network, *, client_id: str | None, request_timeout_ms: int, max_frame_bytes: int
    ) -> None:
        self.client_id = client_id
        self.versions: dict[int, VersionRange] = {}
        self._network = network
        self._request_timeout_ms = request_timeout_ms
        self._max_frame_bytes = max_frame_bytes
        self._link: Link | None = None
        self._waiting: deque[_Waiting] = deque()
        self._next_correlation_id = 0
        self._buffer = bytearray(_FIRST_BUFFER_BYTES)
        self._start = 0
        self._end = 0
        self._failure: Exception | None = None
        self._lost = asyncio.get_running_loop().create_future()
        self._room: asyncio.Future[None] | None = None

    @classmethod
    async def connect(
        cls,
        network: Network,
        host: str,
        port: int,
        *,
        client_id: str | None = None,
        connect_timeout_ms: int = 10_000,
        request_timeout_ms: int = 30_000,
        max_frame_bytes: int = 256 * 1024 * 1024,
    ) -> Self:
        """Raises OSError when there is no connection, and what `ask` raises when there is no agreement."""
        channel = cls(
            network, client_id=client_id, request_timeout_ms=request_timeout_ms, max_frame_bytes=max_frame_bytes
        )
        async with asyncio.timeout(connect_timeout_ms / 1000):
            await network.connect(host, port, channel)
        try:
            await channel._agree_on_versions()
        except BaseException:
            channel.abort()
            raise
        return channel

    # asking

    async def ask(self, request: Message, version: int | None = None, *, timeout_ms: int | None = None) -> Any:
        """Sends a request and waits for its response.

        Raises ConnectionError when the connection is lost, RequestTimedOut, UnsupportedVersion, or a ProtocolError.
        """
        return await self.send(request, version, timeout_ms=timeout_ms)

    def send(
        self, request: Message, version: int | None = None, *, timeout_ms: int | None = None
    ) -> "asyncio.Future[Message]":
        """Sends now, so that the order of calls is the order on the wire; the future has the response."""
        link = self._open_link()
        if version is None:
            version = self.version_for(type(request))
        correlation_id = self._take_correlation_id()
        frame = encode_request(correlation_id, self.client_id, version, request)
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Message] = loop.create_future()
        limit_ms = self._request_timeout_ms if timeout_ms is None else timeout_ms
        timer = loop.call_later(limit_ms / 1000, self._timed_out, type(request).__name__, limit_ms)
        self._waiting.append(_Waiting(correlation_id, request.API_KEY, version, answer, timer))
        link.send(frame)
        return answer

    def tell(self, request: Message, version: int | None = None) -> None:
        """Sends a request that has no response (Produce with acks=0)."""
        link = self._open_link()
        if version is None:
            version = self.version_for(type(request))
        link.send(encode_request(self._take_correlation_id(), self.client_id, version, request))

    async def has_room(self) -> None:
        """Waits while the peer takes bytes more slowly than they are sent."""
        if self._room is not None:
            await asyncio.shield(self._room)

    def version_for(self, request: type[Message]) -> int:
        """The newest version that both sides know."""
        ours = api(request.API_KEY)
        theirs = self.versions.get(request.API_KEY)
        if theirs is None:
            raise UnsupportedVersion(f"the broker does not serve {ours.name}")
        version = min(ours.last_stable, theirs.max_version)
        if version < max(ours.min_version, theirs.min_version):
            raise UnsupportedVersion(
                f"{ours.name}: the broker serves versions {theirs.min_version} to {theirs.max_version}, "
                f"we know {ours.min_version} to {ours.last_stable}"
            )
        return version

    @property
    def in_flight_count(self) -> int:
        return len(self._waiting)

    @property
    def is_open(self) -> bool:
        return self._link is not None and self._failure is None

    def close(self) -> None:
        """Sends what is queued and closes; whoever waits for an answer gets a ConnectionError."""
        if self._link is not None:
            self._link.close()
        self._fail(ConnectionError("the channel was closed"))

    def abort(self) -> None:
        if self._link is not None:
            self._link.abort()
        self._fail(ConnectionError("the channel was closed"))

    async def closed(self) -> None:
        """Waits until the connection is gone."""
        await asyncio.shield(self._lost)

    def _open_link(self) -> Link:
        if self._failure is not None:
            raise ConnectionError(f"the channel is closed: {self._failure}") from self._failure
        if self._link is None:
            raise ConnectionError("the channel is not connected")
        return self._link

    def _take_correlation_id(self) -> int:
        correlation_id = self._next_correlation_id
        self._next_correlation_id = (correlation_id + 1) % _CORRELATION_LIMIT
        return correlation_id

    # versions

    async def _agree_on_versions(self) -> None:
        request = ApiVersionsRequest(client_software_name="ottla", client_software_version=__version__)
        response = await self.ask(request, ApiVersionsRequest.MAX_VERSION)
        if response.error_code == ErrorCode.UNSUPPORTED_VERSION:
            # An older broker has answered in version 0, with the range of ApiVersions that it serves.
            listed = {row.api_key: row.max_version for row in response.api_keys}
            response = await self.ask(request, min(listed.get(ApiKey.API_VERSIONS, 0), ApiVersionsRequest.MAX_VERSION))
        if response.error_code != ErrorCode.NONE:
            raise RemoteProtocolError(f"the broker refuses ApiVersions with error code {response.error_code}")
        self.versions = {row.api_key: VersionRange(row.min_version, row.max_version) for row in response.api_keys}

    # told by the network

    def connection_made(self, transport: Any) -> None:
        self._link = self._network.link(transport)

    def get_buffer(self, sizehint: int) -> memoryview:
        if self._end == len(self._buffer):
            self._make_room()
        return memoryview(self._buffer)[self._end :]

    def buffer_updated(self, nbytes: int) -> None:
        self._end += nbytes
        try:
            while self._failure is None and self._take_frame():
                pass
        except RemoteProtocolError as error:
            self._give_up(error)

    def eof_received(self) -> bool | None:
        return None

    def connection_lost(self, exc: Exception | None) -> None:
        self._fail(exc if exc is not None else ConnectionError("the peer closed the connection"))
        if not self._lost.done():
            self._lost.set_result(None)

    def pause_writing(self) -> None:
        self._room = asyncio.get_running_loop().create_future()

    def resume_writing(self) -> None:
        if self._link is not None:
            self._link.on_writable()
        self._let_writers_go()

    def _let_writers_go(self) -> None:
        if self._room is not None and not self._room.done():
            self._room.set_result(None)
        self._room = None

    # frames

    def _make_room(self) -> None:
        """Moves what is left to the front; a frame that is larger than the buffer makes it grow as bytes arrive."""
        rest = self._buffer[self._start : self._end]
        size = max(_FIRST_BUFFER_BYTES, 2 * len(rest))
        self._buffer = bytearray(size)
        self._buffer[: len(rest)] = rest
        self._start, self._end = 0, len(rest)

    def _take_frame(self) -> bool:
        if self._end - self._start < 4:
            return False
        (size,) = _SIZE.unpack_from(self._buffer, self._start)
        if not 4 <= size <= self._max_frame_bytes:
            raise RemoteProtocolError(f"a frame of {size} bytes")
        stop = self._start + 4 + size
        if stop > self._end:
            return False
        # A copy: the records of the answer are views of it and may be kept.
        frame = bytes(memoryview(self._buffer)[self._start + 4 : stop])
        self._start = stop
        if self._start == self._end:
            self._start = self._end = 0
        self._answer(frame)
        return True

    def _answer(self, frame: bytes) -> None:
        if not self._waiting:
            raise RemoteProtocolError("an answer that nobody has asked for")
        waiting = self._waiting.popleft()
        waiting.timer.cancel()
        try:
            response = _decode_answer(waiting, frame)
        except RemoteProtocolError as error:
            if not waiting.answer.done():
                waiting.answer.set_exception(error)
            raise
        if not waiting.answer.done():
            waiting.answer.set_result(response)

    # ends

    def _timed_out(self, name: str, limit_ms: int) -> None:
        self._give_up(RequestTimedOut(f"{name}: no answer within {limit_ms} ms"))

    def _give_up(self, error: Exception) -> None:
        if self._link is not None:
            self._link.abort()
        self._fail(error)

    def _fail(self, error: Exception) -> None:
        if self._failure is None:
            self._failure = error
        self._let_writers_go()
        while self._waiting:
            waiting = self._waiting.popleft()
            waiting.timer.cancel()
            if waiting.answer.done():
                continue
            if isinstance(self._failure, RequestTimedOut | RemoteProtocolError):
                waiting.answer.set_exception(self._failure)
            else:
                waiting.answer.set_exception(_connection_error(self._failure))


def _decode_answer(waiting: _Waiting, frame: bytes) -> Message:
    correlation_id = read_correlation_id(frame)
    if correlation_id != waiting.correlation_id:
        raise RemoteProtocolError(f"answer {correlation_id} where {waiting.correlation_id} was due")
    if waiting.api_key == ApiKey.API_VERSIONS and _refuses_version(frame):
        response, _ = ApiVersionsResponse.decode(frame, 4, 0)
        return response
    return decode_response(waiting.api_key, waiting.version, frame)[1]


def _refuses_version(frame: bytes) -> bool:
    return len(frame) >= 6 and _CODE.unpack_from(frame, 4)[0] == ErrorCode.UNSUPPORTED_VERSION


def _connection_error(cause: Exception) -> ConnectionError:
    error = ConnectionError(str(cause) or type(cause).__name__)
    error.__cause__ = cause
    return error
