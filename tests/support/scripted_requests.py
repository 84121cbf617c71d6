"""Requests that say themselves how they are served, and the handler that does so: for tests of connections."""

import asyncio
import struct
from collections import defaultdict
from collections.abc import Callable
from enum import IntEnum, auto
from types import SimpleNamespace
from typing import Any, NamedTuple

from ottla.broker.requests.context import RequestContext
from ottla.broker.requests.deferred import Deferred
from ottla.broker.requests.large_messages import Encoded
from ottla.broker.requests.pipeline import Counters, Pipeline
from ottla.broker.requests.registry import Entry
from ottla.doors.disk import File, FileSlice
from ottla.model.errors import RemoteProtocolError
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.parts import PartedBuffer
from ottla.protocol.wire import MAX_ELEMENTS
from tests.support.virtual_time import time_passes

#: Produce, which is decoded on the loop at any size: api key, version, correlation id, no client id.
_HEADER = struct.Struct(">hhih")
_BODY = struct.Struct(">bi")
_SIZE_AND_NUMBER = struct.Struct(">ii")


class Kind(IntEnum):
    AT_ONCE = auto()
    NO_RESPONSE = auto()
    DEFERRED = auto()
    DEFERRED_AND_DONE = auto()
    #: Takes all its time unless it is asked to respond now.
    LONG_POLL = auto()
    COROUTINE = auto()
    COROUTINE_OF_A_DEFERRED = auto()
    LARGE_RESPONSE = auto()
    PART_OF_A_FILE = auto()
    # These end their connection.
    FAILS = auto()
    FAILS_LATER = auto()
    CANNOT_BE_ENCODED = auto()
    UNREADABLE = auto()
    NOT_KAFKA = auto()


ORDINARY = [kind for kind in Kind if kind < Kind.FAILS]
FATAL = [kind for kind in Kind if kind >= Kind.FAILS]


class Request(NamedTuple):
    """`amount` is the size of what a response carries, or for how many milliseconds it is worked on."""

    number: int
    kind: Kind
    amount: int
    #: Bytes behind the body, which are ignored. At least one, or the request could be kept as one that repeats.
    padding_size: int

    def frame(self) -> bytes:
        if self.kind is Kind.NOT_KAFKA:
            return b"GET "
        header = _HEADER.pack(ApiKey.PRODUCE, 0, self.number, -1)
        body = _BODY.pack(self.kind, self.amount) + bytes([self.number & 0xFF]) * self.padding_size
        return struct.pack(">i", len(header) + len(body)) + header + body

    def response(self, content: bytes) -> bytes:
        """As its client must get it; `content` is that of the file."""
        if self.kind is Kind.NO_RESPONSE or self.kind in FATAL:
            return b""
        body = content[self.number : self.number + self.amount] if self.kind is Kind.PART_OF_A_FILE else self.filling
        return _SIZE_AND_NUMBER.pack(4 + len(body), self.number) + body

    @property
    def filling(self) -> bytes:
        return bytes([self.number & 0xFF]) * self.amount if self.kind is Kind.LARGE_RESPONSE else b""


class Asked(NamedTuple):
    """A request as it is decoded: with its frame, which must not change while the request is in progress."""

    request: Request
    frame: memoryview

    @property
    def is_intact(self) -> bool:
        return bytes(self.frame) == self.request.frame()[4:]


class ScriptedService:
    """A real pipeline around handlers that follow their requests."""

    def __init__(self, file: File) -> None:
        self._file = file
        #: By host: the numbers of its requests, as their handler got them.
        self.served: defaultdict[str, list[int]] = defaultdict(list)
        #: What handlers work on, by host and number; a client that is gone must not leave anything here.
        self.in_progress: dict[tuple[str, int], Kind] = {}
        self.damaged: list[tuple[str, int]] = []
        self._handlers: dict[Kind, Callable[[Asked, RequestContext[Any]], Any]] = {
            Kind.NO_RESPONSE: self._do_not_respond,
            Kind.DEFERRED: self._defer,
            Kind.DEFERRED_AND_DONE: self._defer_nothing,
            Kind.LONG_POLL: self._defer,
            Kind.COROUTINE: self._work,
            Kind.COROUTINE_OF_A_DEFERRED: self._work,
            Kind.FAILS: _fail,
            Kind.FAILS_LATER: self._work,
            Kind.CANNOT_BE_ENCODED: self._defer,
        }
        entry = Entry(ApiKey.PRODUCE, 0, 0, 0, self._handle)
        entry.decode = _decode
        limits: Any = SimpleNamespace(max_request_elements=MAX_ELEMENTS)
        unused: Any = None
        self.pipeline = Pipeline({entry.api_key: entry}, None, messages=unused, limits=limits, counters=Counters())

    def _handle(self, asked: Asked, context: RequestContext[Any]) -> Any:
        self.served[context.client_host].append(asked.request.number)
        return self._handlers.get(asked.request.kind, self._response)(asked, context)

    def _response(self, asked: Asked, context: RequestContext[Any]) -> Any:
        request = asked.request
        if not asked.is_intact:
            self.damaged.append((context.client_host, request.number))
        if request.kind is Kind.CANNOT_BE_ENCODED:
            return object()
        out = PartedBuffer(_SIZE_AND_NUMBER.pack(0, request.number) + request.filling)
        if request.kind is Kind.PART_OF_A_FILE:
            out.cuts.append((len(out), FileSlice(self._file, request.number, request.amount)))
        out[:4] = struct.pack(">i", out.total_size - 4)
        return Encoded(out)

    def _do_not_respond(self, asked: Asked, context: RequestContext[Any]) -> None:
        self._response(asked, context)

    def _defer(self, asked: Asked, context: RequestContext[Any]) -> Deferred:
        key = (context.client_host, asked.request.number)

        def forget() -> None:
            self.in_progress.pop(key, None)

        def respond() -> None:
            if not deferred.is_done:
                forget()
                deferred.resolve(self._response(asked, context))

        is_poll = asked.request.kind is Kind.LONG_POLL
        deferred = Deferred(forget, respond if is_poll else None)
        self.in_progress[key] = asked.request.kind
        asyncio.get_running_loop().call_later(asked.request.amount / 1000, respond)
        return deferred

    def _defer_nothing(self, asked: Asked, context: RequestContext[Any]) -> Deferred:
        deferred = Deferred()
        deferred.resolve(self._response(asked, context))
        return deferred

    async def _work(self, asked: Asked, context: RequestContext[Any]) -> Any:
        key = (context.client_host, asked.request.number)
        self.in_progress[key] = asked.request.kind
        try:
            if asked.request.amount:
                await time_passes(asked.request.amount / 1000)
        finally:
            self.in_progress.pop(key, None)
        if asked.request.kind is Kind.FAILS_LATER:
            _fail(asked, context)
        is_decoded_only = asked.request.kind is Kind.COROUTINE_OF_A_DEFERRED
        return self._defer(asked, context) if is_decoded_only else self._response(asked, context)


def _fail(asked: Asked, context: RequestContext[Any]) -> None:
    raise RuntimeError(f"request {asked.request.number} fails, as it says")


def _decode(frame: memoryview, position: int, version: int, max_elements: int) -> tuple[Asked, int]:
    _, _, number, _ = _HEADER.unpack_from(frame)
    kind, amount = _BODY.unpack_from(frame, position)
    stop = position + _BODY.size
    request = Request(number, Kind(kind), amount, len(frame) - stop)
    if request.kind is Kind.UNREADABLE:
        raise RemoteProtocolError(f"request {number} is one that cannot be read")
    return Asked(request, frame), stop
