"""One client connection: bytes to frames, frames to handlers, answers in request order.

Kafka's clients depend on answers in request order, so one request of a connection is worked on at a time; the next
frame waits in the receive buffer, and when that is full the socket is not read any more (back-pressure). A request that
can be answered now is answered inline; no task is made for it.

The receive buffer is used again and again: handlers get views into it and patch record batches in place. It is never
moved or overwritten while a request is being worked on.
"""

from __future__ import annotations

import asyncio
import logging
import struct
from collections.abc import Coroutine, Mapping
from types import CoroutineType
from typing import TYPE_CHECKING, Any

from ottla.broker.connection_limits import FRAME_BYTES_WITHOUT_RECORDS
from ottla.broker.context import RequestContext
from ottla.broker.deferred import Deferred
from ottla.broker.inbox import Inbox
from ottla.broker.produce_lane import learn
from ottla.broker.refusals import printable
from ottla.broker.request_memory import FREE_BYTES, State, new_buffer
from ottla.doors.network import Link
from ottla.model.errors import RemoteProtocolError
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.exchange import encode_response
from ottla.protocol.generated.produce_response import ProduceResponse
from ottla.protocol.header import read_request_header

if TYPE_CHECKING:
    from ottla.broker.node import BrokerNode
    from ottla.broker.registry import Entry

_log = logging.getLogger(__name__)

_SIZE = struct.Struct(">i")
_SIZE_AND_KEY = struct.Struct(">ih")
_SMALLEST_FRAME = 8
_FIRST_BUFFER_SIZE = 4 * 1024
_STOPPING = "the broker stops"


class Connection(asyncio.BufferedProtocol):
    """Owned by the network layer; registered with the broker from connection_made to connection_lost."""

    def __init__(self, broker: BrokerNode, listener_name: str, handlers: Mapping[int, Entry]) -> None:
        self._broker = broker
        self.listener_name = listener_name
        #: What this listener serves.
        self.handlers = handlers
        self._link: Link | None = None
        self.peer_host = ""
        self.peer_port = 0
        #: Streams that are compiled fill it themselves.
        self.inbox = Inbox(_FIRST_BUFFER_SIZE, broker.limits.frame_bytes)
        self._pending: Deferred | asyncio.Task[Any] | None = None
        self._is_reading_paused = False
        self._is_draining = False
        #: A whole request has come.
        self.has_asked = False
        self.opened_ms = self.last_active_ms = self.last_progress_ms = broker.clock.monotonic_ms()

    # -- callbacks of the network

    def connection_made(self, transport: Any) -> None:
        link = self._broker.world.network.link(transport)
        self._link = link
        self.peer_host = link.peer_host
        self.peer_port = link.peer_port
        refusal, delay_ms = self._broker.connections.admit(self)
        if refusal is not None:
            self._log_refusal(refusal)
            self.abort()
        elif delay_ms:
            self.inbox.is_congested = True
            self.opened_ms += delay_ms
            asyncio.get_running_loop().call_later(delay_ms / 1000, self._delay_is_over)

    def _delay_is_over(self) -> None:
        self.inbox.is_congested = False
        self._go_on()

    def get_buffer(self, sizehint: int) -> memoryview:
        # Never empty: with a full buffer the socket is not read.
        inbox = self.inbox
        return inbox.view[inbox.end :]

    def buffer_updated(self, nbytes: int) -> None:
        inbox = self.inbox
        inbox.end += nbytes
        inbox.is_active = True
        if not inbox.is_held:
            self._process()
        if inbox.end == len(inbox.buffer) and (inbox.is_held or not self._make_room()):
            self._pause_reading()

    def _pause_reading(self) -> None:
        if not self._is_reading_paused and self._link is not None:
            self._is_reading_paused = True
            self._link.pause_reading()

    def eof_received(self) -> bool | None:
        return None

    def connection_lost(self, exc: Exception | None) -> None:
        self.inbox.is_closed = True
        self._broker.connections.forget(self)
        self._broker.request_memory.give_back(self)
        pending = self._pending
        self._pending = None
        if isinstance(pending, Deferred):
            pending.abandon()
        elif pending is not None:
            pending.cancel()

    def pause_writing(self) -> None:
        """A peer that does not read its answers is sent no more of them: its next request waits."""
        self.inbox.is_congested = True
        self.last_progress_ms = self._broker.clock.monotonic_ms()

    def resume_writing(self) -> None:
        link = self._link
        if link is None:
            return
        self.last_progress_ms = self._broker.clock.monotonic_ms()
        # Also of a connection that closes: what it was answered is sent before.
        link.on_writable()
        if not link.unsent_size:
            self.inbox.is_congested = False
            self._go_on()

    # -- limits, called by the sweep of `Connections`

    def take_activity(self) -> bool:
        """Whether something has come since this was asked last."""
        was_active = self.inbox.is_active
        self.inbox.is_active = False
        return was_active

    @property
    def is_working(self) -> bool:
        return self.inbox.is_busy

    def unsent_size(self) -> int:
        return self._link.unsent_size if self._link is not None else 0

    def held_size(self) -> int:
        """Memory that unsent answers take."""
        return self._link.held_size if self._link is not None else 0

    def close(self, reason: str) -> None:
        if self.inbox.is_closed:
            return
        self.inbox.is_closed = True
        _log.info("closing the connection of %s:%d: %s", self.peer_host, self.peer_port, reason)
        if self._link is not None:
            self._link.close()

    def drain(self) -> None:
        """The broker stops: what is in work is answered, nothing else is taken."""
        if not self.inbox.is_busy:
            self.close(_STOPPING)
            return
        self._is_draining = True
        self._pause_reading()
        if isinstance(self._pending, Deferred):
            self._pending.hurry()

    def abort(self) -> None:
        self.inbox.is_closed = True
        if self._link is not None:
            self._link.abort()

    def release_spare_memory(self) -> None:
        """An idle connection keeps a small buffer only."""
        inbox = self.inbox
        if inbox.start == inbox.end and not inbox.is_busy and len(inbox.buffer) > _FIRST_BUFFER_SIZE:
            inbox.use(bytearray(_FIRST_BUFFER_SIZE), 0)
            self._broker.request_memory.give_back(self)

    def request_state(self) -> State:
        return State(self._pending, self.inbox.start, self.inbox.end - self.inbox.start)

    def memory_granted(self, size: int) -> None:
        self._grow(size)
        self._go_on()

    # -- frames

    def _process(self) -> None:
        inbox = self.inbox
        view = inbox.view
        # Answers of the short way are sent together: a pipelining producer is woken once, not for each of them.
        answers = bytearray()
        while not inbox.is_held:
            first = inbox.start + 4
            if inbox.end < first:
                break
            (size,) = _SIZE.unpack_from(view, inbox.start)
            if size < _SMALLEST_FRAME or size > inbox.frame_limit:
                self._refuse_frame(size, inbox.frame_limit)
                return
            stop = first + size
            if inbox.end < stop:
                break
            inbox.start = stop
            answer = inbox.serve(first, stop)
            if answer is not None:
                if stop == inbox.end and not answers:
                    # The only one, the usual case: sent as it is, before the lane uses its buffer again.
                    answers = answer
                    break
                answers += answer
                continue
            answers = self._emptied(answers)
            self._serve(view[first:stop])
        if answers:
            self._send(answers)
        if inbox.start == inbox.end and not inbox.is_busy:
            self._empty_inbox()

    def _empty_inbox(self) -> None:
        """Everything that came is answered."""
        inbox = self.inbox
        inbox.start = inbox.end = 0
        if len(inbox.buffer) > FREE_BYTES:
            self._broker.request_memory.answered(self)

    def _refuse_frame(self, size: int, limit: int) -> None:
        head = bytes(self.inbox.view[self.inbox.start : self.inbox.start + 4])
        hint = ""
        if head[:2] == b"\x16\x03":
            hint = " (this looks like TLS: the listener speaks plaintext)"
        elif head in (b"GET ", b"POST", b"HEAD", b"PUT "):
            hint = " (this looks like HTTP: the listener speaks Kafka's protocol)"
        self._broker.counters.bad_frames += 1
        self._log_refusal(f"frame of {size} bytes, allowed are {_SMALLEST_FRAME} to {limit}{hint}")
        self.abort()

    def _make_room(self) -> bool:
        """Called with a full buffer: moves what is left to the front, or takes a larger one. False: not now."""
        inbox = self.inbox
        left = inbox.end - inbox.start
        size = len(inbox.buffer)
        memory = self._broker.request_memory
        larger = 0
        if left > size // 2:
            announced, api_key = _SIZE_AND_KEY.unpack_from(inbox.view, inbox.start)
            if announced > FRAME_BYTES_WITHOUT_RECORDS and api_key != ApiKey.PRODUCE:
                self._refuse_frame(announced, FRAME_BYTES_WITHOUT_RECORDS)
                return False
            larger = memory.larger_size(size, announced + 4)
        if larger <= size:
            inbox.view[:left] = inbox.view[inbox.start : inbox.end]
            inbox.start, inbox.end = 0, left
            return True
        if larger > FREE_BYTES and not memory.take(self, larger):
            return False
        self._grow(larger)
        return True

    def _grow(self, size: int) -> None:
        inbox = self.inbox
        left = inbox.end - inbox.start
        fresh = new_buffer(size)
        fresh[:left] = inbox.view[inbox.start : inbox.end]
        inbox.use(fresh, left)

    # -- requests

    def _serve(self, frame: memoryview) -> None:
        self.has_asked = True
        try:
            header, position = read_request_header(frame)
            entry = self.handlers.get(header.api_key)
            if entry is None or not entry.min_version <= header.api_version <= entry.max_version:
                self._serve_unknown(header.api_key, header.api_version, header.correlation_id)
                return
            # Bytes behind the body are ignored, as Kafka ignores them: librdkafka 2.16 sends three too many when it
            # asks for the metadata of all topics.
            request, _ = entry.decode(frame, position, header.api_version)
        except RemoteProtocolError as error:
            self._broker.counters.bad_requests += 1
            self._log_refusal(str(error))
            self.abort()
            return
        context = RequestContext(
            self._broker, self, header.api_key, header.api_version, header.correlation_id, header.client_id
        )
        try:
            result = entry.handler(request, context)
        except Exception:  # noqa: BLE001  the one place where a bug in a handler ends: at its connection
            self._fail(context)
            return
        # By exact type, the most frequent first: an isinstance check against an abstract class costs a microsecond.
        kind = type(result)
        if kind is Deferred:
            self._await_deferred(result, context)
        elif kind is CoroutineType:
            self._await_task(result, context)
        elif result is not None:
            self._answer(context, result)
            if kind is ProduceResponse:
                learn(self.inbox, request, context, frame, result)

    def _serve_unknown(self, api_key: int, version: int, correlation_id: int) -> None:
        if api_key == ApiKey.API_VERSIONS:
            # Trap T2: a client that knows newer versions than we do must get an answer it can read.
            from ottla.broker.handlers.api_versions import unsupported_version

            self._transmit(encode_response(correlation_id, api_key, 0, unsupported_version(self.handlers)))
            return
        self._log_refusal(f"api key {api_key} version {version} is not served")
        self.abort()

    def _await_deferred(self, deferred: Deferred, context: RequestContext) -> None:
        self.inbox.is_busy = True
        self._pending = deferred
        deferred.listen(lambda response: self._finish(context, response))

    def _await_task(self, work: Coroutine[Any, Any, Any], context: RequestContext) -> None:
        self.inbox.is_busy = True
        task = self._broker.spawn(work, name=f"{ApiKey(context.api_key).name} of {self.peer_host}:{self.peer_port}")
        self._pending = task
        task.add_done_callback(lambda done: self._task_done(done, context))

    def _task_done(self, task: asyncio.Task[Any], context: RequestContext) -> None:
        if task.cancelled():
            self.inbox.is_busy = False
            self.abort()
            return
        error = task.exception()
        if error is not None:
            self.inbox.is_busy = False
            self._fail(context, error)
            return
        self._finish(context, task.result())

    def _finish(self, context: RequestContext, response: Any) -> None:
        self._pending = None
        self.inbox.is_busy = False
        if self.inbox.is_closed:
            return
        if response is not None:
            self._answer(context, response)
        if self._is_draining:
            self.close(_STOPPING)
        self._go_on()

    def _go_on(self) -> None:
        inbox = self.inbox
        if inbox.is_held:
            return
        if inbox.start < inbox.end:
            self._process()
        else:
            self._empty_inbox()
        if not self._is_reading_paused or inbox.is_held or self._link is None:
            return
        if self.inbox.end < len(self.inbox.buffer) or self._make_room():
            self._is_reading_paused = False
            self._link.resume_reading()

    # -- answers

    def _answer(self, context: RequestContext, response: Any) -> None:
        try:
            out = encode_response(context.correlation_id, context.api_key, context.version, response)
        except Exception:  # noqa: BLE001  an answer that cannot be written is a bug in its handler
            self._fail(context)
            return
        self._transmit(out)

    def _transmit(self, out: Any) -> None:
        link = self._link
        if link is None:
            return
        if out.cuts:
            parts: list[Any] = []
            begin = 0
            with memoryview(out) as view:
                for position, records in out.cuts:
                    parts.append(bytes(view[begin:position]))
                    parts.extend(records.slices)
                    begin = position
                parts.append(bytes(view[begin:]))
            link.send_parts(parts)
            self._note_unsent(link)
        else:
            self._send(out)

    def _send(self, data: bytearray) -> None:
        link = self._link
        if link is not None:
            link.send(data)
            self._note_unsent(link)

    def _emptied(self, answers: bytearray) -> bytearray:
        if answers:
            self._send(answers)
            return bytearray()
        return answers

    def _note_unsent(self, link: Link) -> None:
        if link.unsent_size:
            # A peer that does not read its answers is sent no more of them: its next request waits.
            self.inbox.is_congested = True
            self.last_progress_ms = self._broker.clock.monotonic_ms()

    # -- when things go wrong

    def _fail(self, context: RequestContext, error: BaseException | None = None) -> None:
        self._broker.counters.failed_requests += 1
        _log.error(
            "%s v%d of client %r at %s:%d (correlation id %d) failed; its connection is closed",
            ApiKey(context.api_key).name,
            context.version,
            printable(context.client_id or ""),
            self.peer_host,
            self.peer_port,
            context.correlation_id,
            exc_info=error if error is not None else True,
        )
        self.abort()

    def _log_refusal(self, reason: str) -> None:
        self._broker.refusals.log(_log, f"{self.peer_host}:{self.peer_port}", reason)
