"""One outgoing Kafka connection: connect, agree on versions, log in, send requests, receive responses in order.

Used by the client library and by brokers among themselves. Requests may be pipelined; Kafka sends responses in request
order on a connection, so they are matched from a queue and their correlation ids are only checked. A request without a
response in time closes the channel: what would arrive later could not be trusted to be in time either.

TLS is done by the network (`ottla.runtime.tls`): a channel does not know of it.
"""

import asyncio
import contextlib
import struct
from collections import deque
from typing import Any, NamedTuple, Self

from ottla.doors.network import Link, Network
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import RemoteProtocolError
from ottla.protocol.api_keys import ApiKey, api
from ottla.protocol.exchange import decode_response, encode_request
from ottla.protocol.generated.api_versions_request import ApiVersionsRequest
from ottla.protocol.generated.api_versions_response import ApiVersionsResponse
from ottla.protocol.header import read_correlation_id
from ottla.protocol.message import Message
from ottla.protocol.parts import BytesPart, PartedBuffer
from ottla.protocol.wire import Buffer
from ottla.runtime.response_frames import ResponseFrames
from ottla.runtime.sasl_login import SaslLogin
from ottla.security.sasl import LoginFailed
from ottla.version import VERSION

_CODE = struct.Struct(">h")
_CORRELATION_LIMIT = 1 << 31
#: A session is renewed when this share of its lifetime has passed, as Kafka's own clients do it.
_RENEW_AFTER = 0.85


class RequestTimedOut(TimeoutError):
    """No response in time. Whether the request was carried out is not known."""


class UnsupportedVersion(Exception):
    """The broker does not serve this API in a version that we know."""


class VersionRange(NamedTuple):
    min_version: int
    max_version: int


class _Waiting(NamedTuple):
    correlation_id: int
    api_key: int
    version: int
    response: "asyncio.Future[Message]"
    timer: asyncio.TimerHandle


class Channel(asyncio.BufferedProtocol):
    """Created by `connect`; closed by its owner, by the peer, or by a response that is late or invalid.

    The records of a response are views of received bytes: they may be kept, and then keep that memory.
    """

    def __init__(
        self,
        network: Network,
        *,
        client_id: str | None,
        request_timeout_ms: int,
        max_frame_bytes: int,
        login: SaslLogin | None,
    ) -> None:
        self.client_id = client_id
        self.versions: dict[int, VersionRange] = {}
        #: Finalized feature levels of the cluster, as the broker reported them when the channel was opened.
        self.features: dict[str, int] = {}
        self._network = network
        self._request_timeout_ms = request_timeout_ms
        self._login = login
        self._link: Link | None = None
        self._waiting: deque[_Waiting] = deque()
        self._next_correlation_id = 0
        self._received = ResponseFrames(max_frame_bytes)
        self._failure: Exception | None = None
        self._loop = asyncio.get_running_loop()
        self._lost = self._loop.create_future()
        self._room: asyncio.Future[None] | None = None
        #: Requests that wait until the session is renewed; None while it is valid.
        self._held: list[tuple[PartedBuffer, _Waiting | None]] | None = None
        self._renewal: asyncio.Task[None] | None = None
        self._renewal_timer: asyncio.TimerHandle | None = None
        self._throttled_until_s = 0.0

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
        login: SaslLogin | None = None,
    ) -> Self:
        """Raises OSError when there is no connection, LoginFailed, and what `ask` raises when there is no agreement."""
        channel = cls(
            network,
            client_id=client_id,
            request_timeout_ms=request_timeout_ms,
            max_frame_bytes=max_frame_bytes,
            login=login,
        )
        async with asyncio.timeout(connect_timeout_ms / 1000):
            await network.connect(host, port, channel)
        try:
            await channel._agree_on_versions()
            if login is not None:
                channel._renew_after(await login.log_in(channel.ask))
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
        return self._send(request, version, timeout_ms, may_wait=True)

    def send_without_response(self, request: Message, version: int | None = None) -> None:
        """Produce with acks=0."""
        self._open_link()
        frame = self._encoded(request, version)[0]
        if self._held is not None:
            self._held.append((frame, None))
        else:
            self._put(frame)

    def _send(
        self, request: Message, version: int | None, timeout_ms: int | None, *, may_wait: bool
    ) -> "asyncio.Future[Message]":
        self._open_link()
        frame, correlation_id, version = self._encoded(request, version)
        response: asyncio.Future[Message] = self._loop.create_future()
        limit_ms = self._request_timeout_ms if timeout_ms is None else timeout_ms
        timer = self._loop.call_later(limit_ms / 1000, self._timed_out, type(request).__name__, limit_ms)
        waiting = _Waiting(correlation_id, request.API_KEY, version, response, timer)
        if may_wait and self._held is not None:
            self._held.append((frame, waiting))
        else:
            self._waiting.append(waiting)
            self._put(frame)
        return response

    def _encoded(self, request: Message, version: int | None) -> tuple[PartedBuffer, int, int]:
        if version is None:
            version = self.version_for(type(request))
        correlation_id = self._take_correlation_id()
        return encode_request(correlation_id, self.client_id, version, request), correlation_id, version

    def _put(self, frame: PartedBuffer) -> None:
        link = self._open_link()
        if frame.cuts:
            parts: list[Any] = [part.data if isinstance(part, BytesPart) else part for part in frame.parts()]
            link.send_parts(parts)
        else:
            link.send(frame)

    async def has_room(self) -> None:
        """Waits while the peer takes bytes more slowly than they are sent, or has asked to wait (KIP-219)."""
        while self._room is not None:
            await asyncio.shield(self._room)
        left_s = self.throttle_left_s
        if left_s > 0:
            await asyncio.sleep(left_s)

    @property
    def throttle_left_s(self) -> float:
        """For how long the broker has asked for no further requests on this connection."""
        return max(0.0, self._throttled_until_s - self._loop.time())

    @property
    def is_clogged(self) -> bool:
        """Whether bytes wait because the peer takes them more slowly than they are sent."""
        return self._room is not None

    def version_for(self, request: type[Message], max_version: int = 32767) -> int:
        """The newest version that both sides know, up to `max_version`."""
        ours = api(request.API_KEY)
        theirs = self.versions.get(request.API_KEY)
        if theirs is None:
            raise UnsupportedVersion(f"the broker does not serve {ours.name}")
        version = min(ours.last_stable, theirs.max_version, max_version)
        if version < max(ours.min_version, theirs.min_version):
            raise UnsupportedVersion(
                f"{ours.name}: the broker serves versions {theirs.min_version} to {theirs.max_version}, "
                f"we know {ours.min_version} to {ours.last_stable}"
            )
        return version

    @property
    def in_flight_count(self) -> int:
        return len(self._waiting) + len(self._held or ())

    @property
    def is_open(self) -> bool:
        return self._link is not None and self._failure is None

    def close(self) -> None:
        """Sends what is queued and closes; whoever waits for a response gets a ConnectionError."""
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
        request = ApiVersionsRequest(client_software_name="ottla", client_software_version=VERSION)
        response = await self.ask(request, ApiVersionsRequest.MAX_VERSION)
        if response.error_code == ErrorCode.UNSUPPORTED_VERSION:
            # An older broker has responded in version 0, with the range of ApiVersions that it serves.
            listed = {row.api_key: row.max_version for row in response.api_keys}
            response = await self.ask(request, min(listed.get(ApiKey.API_VERSIONS, 0), ApiVersionsRequest.MAX_VERSION))
        if response.error_code != ErrorCode.NONE:
            raise RemoteProtocolError(f"the broker refuses ApiVersions with error code {response.error_code}")
        self.versions = {row.api_key: VersionRange(row.min_version, row.max_version) for row in response.api_keys}
        self.features = {row.name: row.max_version_level for row in response.finalized_features}

    # the session (KIP-368)

    def _renew_after(self, lifetime_ms: int) -> None:
        if lifetime_ms > 0:
            self._renewal_timer = self._loop.call_later(lifetime_ms * _RENEW_AFTER / 1000, self._begin_renewal)

    def _begin_renewal(self) -> None:
        """Other requests wait meanwhile: the broker takes nothing but the login between its first and last message."""
        self._held = []
        self._renewal = self._loop.create_task(self._renew(), name="renew SASL session")

    async def _renew(self) -> None:
        assert self._login is not None
        try:
            lifetime_ms = await self._login.log_in(self._ask_first)
        except (LoginFailed, OSError, RemoteProtocolError, UnsupportedVersion) as error:
            self._give_up(error)
            return
        held, self._held = self._held or [], None
        for frame, waiting in held:
            if self._failure is None:
                if waiting is not None:
                    self._waiting.append(waiting)
                self._put(frame)
        self._renew_after(lifetime_ms)

    async def _ask_first(self, request: Message, version: int | None) -> Any:
        return await self._send(request, version, None, may_wait=False)

    # called by the network

    def connection_made(self, transport: Any) -> None:
        self._link = self._network.link(transport)

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._received.free()

    def buffer_updated(self, nbytes: int) -> None:
        self._received.filled(nbytes)
        try:
            while self._failure is None and (frame := self._received.next_frame()) is not None:
                self._take_response(frame)
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
            if self._link.unsent_size:
                # The peer has taken a part: nobody would say again that the rest waits.
                return
        self._let_writers_go()

    def _let_writers_go(self) -> None:
        if self._room is not None and not self._room.done():
            self._room.set_result(None)
        self._room = None

    def _take_response(self, frame: memoryview) -> None:
        if not self._waiting:
            raise RemoteProtocolError("a response without a request")
        waiting = self._waiting.popleft()
        waiting.timer.cancel()
        try:
            response = _decode_response(waiting, frame)
        except RemoteProtocolError as error:
            if not waiting.response.done():
                waiting.response.set_exception(error)
            raise
        throttle_ms = getattr(response, "throttle_time_ms", 0)
        if throttle_ms > 0:
            self._throttled_until_s = max(self._throttled_until_s, self._loop.time() + throttle_ms / 1000)
        if not waiting.response.done():
            waiting.response.set_result(response)

    # ends

    def _timed_out(self, name: str, limit_ms: int) -> None:
        self._give_up(RequestTimedOut(f"{name}: no response within {limit_ms} ms"))

    def _give_up(self, error: Exception) -> None:
        if self._link is not None:
            self._link.abort()
        self._fail(error)

    def _fail(self, error: Exception) -> None:
        if self._failure is None:
            self._failure = error
        self._let_writers_go()
        self._end_renewal()
        held, self._held = self._held or [], None
        in_flight = [*self._waiting, *(waiting for _, waiting in held if waiting is not None)]
        self._waiting.clear()
        for waiting in in_flight:
            waiting.timer.cancel()
            if waiting.response.done():
                continue
            if isinstance(self._failure, RequestTimedOut | RemoteProtocolError | LoginFailed):
                waiting.response.set_exception(self._failure)
            else:
                waiting.response.set_exception(_connection_error(self._failure))

    def _end_renewal(self) -> None:
        if self._renewal_timer is not None:
            self._renewal_timer.cancel()
        if self._renewal is not None and self._renewal is not _current_task():
            self._renewal.cancel()


def _decode_response(waiting: _Waiting, frame: Buffer) -> Message:
    correlation_id = read_correlation_id(frame)
    if correlation_id != waiting.correlation_id:
        raise RemoteProtocolError(f"response {correlation_id} where {waiting.correlation_id} was due")
    if waiting.api_key == ApiKey.API_VERSIONS and _refuses_version(frame):
        response, _ = ApiVersionsResponse.decode(frame, 4, 0)
        return response
    return decode_response(waiting.api_key, waiting.version, frame)[1]


def _refuses_version(frame: Buffer) -> bool:
    return len(frame) >= 6 and _CODE.unpack_from(frame, 4)[0] == ErrorCode.UNSUPPORTED_VERSION


def _current_task() -> "asyncio.Task[Any] | None":
    with contextlib.suppress(RuntimeError):
        return asyncio.current_task()
    return None


def _connection_error(cause: Exception) -> ConnectionError:
    error = ConnectionError(str(cause) or type(cause).__name__)
    error.__cause__ = cause
    return error
