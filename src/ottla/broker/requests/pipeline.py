"""The one path of every request: decode, who is it, may it, quota, handler, count, response.

    frame ─► decode ─► who ─► guards: may it, quota ─► handler ─► count ─► response
                        │                                 │
                        └ the connection's principal      └ a response, a Deferred, a coroutine, or None (acks=0)

Nothing goes around it. What repeats may have its decoding and encoding cached (`repeated_produce`), never a decision.
A `Guard` sees each decoded request before its handler, and responds itself or proceeds, at once or later: the place
for request-level authorization and quotas. What concerns single topics or groups is asked by the handlers themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import CoroutineType
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from ottla.broker.execution.time_slices import Failed
from ottla.broker.requests.context import ClientConnection, RequestContext
from ottla.broker.requests.deferred import Deferred
from ottla.broker.requests.large_messages import LARGE_FRAME_BYTES, Encoded, LargeFrame, LargeMessages, RequestLimits
from ottla.broker.requests.registry import Entry, Handler
from ottla.broker.requests.repeated_produce import ProduceEnvelopes
from ottla.model.errors import RemoteProtocolError
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.exchange import encode_response
from ottla.protocol.header import RequestHeader, read_request_header

_PRODUCE: Final = int(ApiKey.PRODUCE)
_new = tuple.__new__  # half the time of calling a NamedTuple

#: A handler that is given the rest of the path: it proceeds there, at once or later, or responds itself.
Guard: TypeAlias = "Callable[[Any, RequestContext[Any], Handler], Any]"


class Counters:
    """What a node counts about its requests."""

    __slots__ = ("requests",)

    def __init__(self) -> None:
        #: Served requests by api key.
        self.requests = [0] * (max(ApiKey) + 1)


class Pending(NamedTuple):
    """A response that comes later."""

    context: RequestContext[Any]
    work: Any


class RequestFailed(Exception):
    """A bug: a handler raised, or its response cannot be encoded. The cause is attached."""

    def __init__(self, context: RequestContext[Any]) -> None:
        super().__init__(f"{ApiKey(context.api_key).name} v{context.version}")
        self.context = context


class Client(ClientConnection, Protocol):
    """A connection whose produce requests may repeat."""

    envelopes: ProduceEnvelopes


class Pipeline:
    """Owned by a listener of the node, shared by its connections."""

    def __init__(
        self,
        handlers: Mapping[int, Entry],
        services: Any,
        *,
        messages: LargeMessages,
        limits: RequestLimits,
        counters: Counters,
    ) -> None:
        """`services` are handed to the handlers, in the context of each request."""
        self._limits = limits
        self._services = services
        self._messages = messages
        #: What this listener serves.
        self.handlers = handlers
        self._counters = counters
        #: The guards and then the handler; None without guards.
        self._guarded: Handler | None = None

    def add_guard(self, guard: Guard) -> None:
        """It sees requests before the guards that were added earlier. `request` is None where it was not decoded."""
        rest = self._guarded or _call_handler
        self._guarded = lambda request, context: guard(request, context, rest)

    def serve(self, frame: memoryview, connection: Client) -> Any:
        """The encoded response, or Pending, or None when the client expects no response.

        Raises RemoteProtocolError when the request cannot be read or is not served, and RequestFailed.
        """
        repeated = connection.envelopes.find(frame)
        if repeated is None:
            request, context = self._decode(frame, connection)
            if type(request) is LargeFrame:
                return Pending(context, self._serve_large(request, context))
        else:
            request, context = repeated.request, repeated.context
        result = self._handle(request, context)
        # By exact type: an isinstance check against an abstract class costs a microsecond.
        kind = type(result)
        if kind is Deferred or kind is CoroutineType:
            return _new(Pending, (context, result))
        return self.respond(result, context)

    async def _serve_large(self, frame: LargeFrame, context: RequestContext[Any]) -> Any:
        """What the handler of a large request gives; a response is encoded. Raises as `serve` does."""
        messages = self._messages
        result = self._handle(await messages.decode(frame, context), context)
        if type(result) is CoroutineType:
            result = await result
        if result is None or type(result) in (Deferred, Encoded, Failed):
            return result
        taken = [result]
        del result
        return await messages.encode(taken, context)

    def _handle(self, request: Any, context: RequestContext[Any]) -> Any:
        """What the handler gives: a response, a Deferred, a coroutine, or None. Raises RequestFailed."""
        try:
            handle = self._guarded or context.entry.handler
            return handle(request, context)
        except Exception as error:  # the one place where a bug in a handler ends: at its connection
            raise RequestFailed(context) from error

    def respond(self, response: Any, context: RequestContext[Any]) -> bytes | bytearray | None:
        """The encoded response. Raises RequestFailed."""
        self._counters.requests[context.entry.api_key] += 1
        repeated = context.repeated
        if repeated is not None:
            encoded = repeated.encoded(response)
            if encoded is not None:
                return encoded
        if response is None:
            return None
        if type(response) is Encoded:
            return response.data
        if type(response) is Failed:
            raise RequestFailed(context) from response.error
        try:
            return encode_response(context.correlation_id, context.entry.api_key, context.version, response)
        except Exception as error:  # a response that cannot be encoded is a bug in its handler
            raise RequestFailed(context) from error

    def _decode(self, frame: memoryview, connection: Client) -> tuple[Any, RequestContext[Any]]:
        header, position = read_request_header(frame)
        api_key, version, correlation_id, client_id = header
        entry = self.handlers.get(api_key)
        if entry is None or not entry.min_version <= version <= entry.max_version:
            return None, self._context_of_unknown(entry, header, connection)
        context = RequestContext(self._services, connection, entry, version, correlation_id, client_id)
        if len(frame) > LARGE_FRAME_BYTES and api_key != _PRODUCE:
            return LargeFrame(frame, position), context
        # Bytes behind the body are ignored, as Kafka ignores them: librdkafka 2.16 sends three too many when it asks
        # for the metadata of all topics.
        request, stop = entry.decode(frame, position, version, self._limits.max_request_elements)
        if api_key == _PRODUCE and stop == len(frame):
            kept = connection.envelopes.keep(frame, request, context)
            if kept is not None:
                return request, kept.context
        return request, context

    def _context_of_unknown(
        self, entry: Entry | None, header: RequestHeader, connection: Client
    ) -> RequestContext[Any]:
        if entry is None or entry.fallback is None:
            raise RemoteProtocolError(f"api key {header.api_key} version {header.api_version} is not served")
        # A client that knows newer versions than we do must get a response that it can read: version 0.
        return RequestContext(self._services, connection, entry.fallback, 0, header.correlation_id, header.client_id)


def _call_handler(request: Any, context: RequestContext[Any]) -> Any:
    return context.entry.handler(request, context)
