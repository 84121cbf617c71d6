"""One client connection: bytes to frames, frames through the pipeline, responses in request order.

Kafka's clients depend on responses in request order, so one request of a connection is in progress at a time; the next
frame waits in the receive buffer, and when that is full the socket is not read any more (back-pressure). A request that
can be served now is served inline, without a task.

The receive buffer is used again and again: handlers get views into it and patch record batches in place. It is never
moved or overwritten while a request is in progress.
"""

from __future__ import annotations

import asyncio
import logging
import struct
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ottla.broker.execution.tasks import Tasks
from ottla.broker.network.connections import Connections
from ottla.broker.network.limits import FRAME_BYTES_WITHOUT_RECORDS
from ottla.broker.network.refusals import RefusalLog, printable
from ottla.broker.network.request_memory import FREE_BYTES, RequestMemory, State, new_buffer
from ottla.broker.requests.context import RequestContext
from ottla.broker.requests.deferred import Deferred
from ottla.broker.requests.pipeline import Pending, Pipeline, RequestFailed
from ottla.broker.requests.registry import Entry
from ottla.broker.requests.repeated_produce import ProduceEnvelopes
from ottla.doors.clock import Clock
from ottla.doors.network import Link, Network
from ottla.model.errors import RemoteProtocolError
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.frames import MIN_REQUEST_SIZE, FrameBuffer, WrongFrameSize
from ottla.protocol.parts import PartedBuffer
from ottla.protocol.wire import TooManyElements
from ottla.security.principal import ANONYMOUS

_log = logging.getLogger(__name__)

_SIZE_AND_KEY = struct.Struct(">ih")
_FIRST_BUFFER_SIZE = 4 * 1024
#: A buffer grows for so many requests of the same size. Of small ones more are read, while other connections wait.
_REQUESTS_A_READ = 4
#: So many requests of one connection are served, then others have their turn: hardly more fit into a first buffer.
_TURN = range(256)
_STOPPING = "the broker stops"
_CLIENT_IS_GONE = "the client has closed it"
_UNCHANGED: Any = object()


class ServerParts(NamedTuple):
    """What the connections of a node share."""

    clock: Clock
    network: Network
    connections: Connections
    memory: RequestMemory
    refusals: RefusalLog
    tasks: Tasks
    #: Called with each connection that is gone.
    on_closed: Callable[[Any], None]


class Connection(asyncio.BufferedProtocol):
    """Owned by the network layer; registered with the broker from connection_made to connection_lost."""

    def __init__(self, server: ServerParts, listener_name: str, pipeline: Pipeline) -> None:
        self._server = server
        self.pipeline = pipeline
        self.listener_name = listener_name
        self.principal = ANONYMOUS
        self._link: Link | None = None
        self.peer_host = ""
        self.peer_port = 0
        self._frames = FrameBuffer(
            bytearray(_FIRST_BUFFER_SIZE), MIN_REQUEST_SIZE, server.connections.limits.frame_bytes
        )
        #: Produce requests that this client repeats.
        self.envelopes = ProduceEnvelopes()
        #: Each of them holds the next request: one is in progress, responses wait for the peer, nothing more is taken.
        self._pending: Deferred | asyncio.Task[Any] | None = None
        self._is_congested = False
        self._is_closed = False
        #: One of them does; kept by `_hold`, because every request asks.
        self._is_held = False
        self._is_reading_paused = False
        self._is_draining = False
        #: The client sends no more: the connection closes when everything is served.
        self._is_ending = False
        #: The event loop will call `_resume`: the next request is not served inside of whoever has responded, or before
        #: other connections have had their turn.
        self._will_resume = False
        #: Since the last sweep, which knows the time: reading the clock for every request costs more than it is worth.
        self._is_active = False
        #: A whole request was received.
        self.has_sent_request = False
        self.opened_ms = self.last_active_ms = self.last_progress_ms = server.clock.monotonic_ms()

    @property
    def apis(self) -> Mapping[int, Entry]:
        return self.pipeline.handlers

    # -- callbacks of the network

    def connection_made(self, transport: Any) -> None:
        link = self._server.network.link(transport)
        self._link = link
        self.peer_host = link.peer_host
        self.peer_port = link.peer_port
        refusal, delay_ms = self._server.connections.admit(self)
        if refusal is not None:
            self._log_refusal(refusal)
            self.abort()
        elif delay_ms:
            self._hold(is_congested=True)
            self.opened_ms += delay_ms
            asyncio.get_running_loop().call_later(delay_ms / 1000, self._delay_is_over)

    def _delay_is_over(self) -> None:
        self._hold(is_congested=False)
        self._resume()

    def _hold(
        self, *, pending: Any = _UNCHANGED, is_congested: bool | None = None, is_closed: bool | None = None
    ) -> None:
        """Changes what holds the next request."""
        if pending is not _UNCHANGED:
            self._pending = pending
        if is_congested is not None:
            self._is_congested = is_congested
        if is_closed is not None:
            self._is_closed = is_closed
        self._is_held = self._pending is not None or self._is_congested or self._is_closed

    def get_buffer(self, sizehint: int) -> memoryview:
        # Never empty: with a full buffer the socket is not read.
        frames = self._frames
        end = frames.end
        if frames.start == end and self._pending is None:
            # Every request is served: the next one gets the front of the buffer.
            frames.start = frames.end = 0
            return frames.view
        return frames.view[end:]

    def buffer_updated(self, nbytes: int) -> None:
        frames = self._frames
        frames.end += nbytes
        self._is_active = True
        if not self._is_held:
            self._serve_frames()
        if frames.end == frames.size and (self._is_held or self._will_resume or not self._make_room()):
            self._pause_reading()

    def _pause_reading(self) -> None:
        if not self._is_reading_paused and self._link is not None:
            self._is_reading_paused = True
            self._link.pause_reading()

    def eof_received(self) -> bool | None:
        # What was sent before is served first, as on Kafka: with acks=0 a client waits for nothing when it closes.
        self._is_ending = True
        if isinstance(self._pending, Deferred):
            self._pending.respond_now()
        return not self._is_closed and (self._is_held or self._will_resume)

    def connection_lost(self, exc: Exception | None) -> None:
        pending = self._pending
        self._hold(pending=None, is_closed=True)
        # Both refer to this connection: it would be freed by the garbage collector only, with its buffer.
        self._link = None
        self.envelopes.clear()
        self._server.connections.forget(self)
        self._server.on_closed(self)
        self._server.memory.give_back(self)
        if isinstance(pending, Deferred):
            pending.abandon()
        elif pending is not None:
            pending.cancel()

    def pause_writing(self) -> None:
        """A peer that does not read its responses is sent no more of them: its next request waits."""
        self._hold(is_congested=True)
        self.last_progress_ms = self._server.clock.monotonic_ms()

    def resume_writing(self) -> None:
        link = self._link
        if link is None:
            return
        self.last_progress_ms = self._server.clock.monotonic_ms()
        # Also for a connection that closes: its last responses are sent before.
        link.on_writable()
        if not link.unsent_size:
            self._hold(is_congested=False)
            self._resume()

    # -- limits, called by the sweep of `Connections`

    def take_activity(self) -> bool:
        """Whether something has come since this was asked last."""
        was_active, self._is_active = self._is_active, False
        return was_active

    @property
    def is_working(self) -> bool:
        return self._pending is not None

    def unsent_size(self) -> int:
        return self._link.unsent_size if self._link is not None else 0

    def held_size(self) -> int:
        """Memory that unsent responses take."""
        return self._link.held_size if self._link is not None else 0

    def close(self, reason: str) -> None:
        if self._is_closed:
            return
        self._hold(is_closed=True)
        _log.info("closing the connection of %s:%d: %s", self.peer_host, self.peer_port, reason)
        if self._link is not None:
            self._link.close()

    def drain(self) -> None:
        """The broker stops: the request in progress is served, nothing else is taken."""
        if self._pending is None:
            self.close(_STOPPING)
            return
        self._is_draining = True
        self._pause_reading()
        if isinstance(self._pending, Deferred):
            self._pending.respond_now()

    def abort(self) -> None:
        self._hold(is_closed=True)
        if self._link is not None:
            self._link.abort()

    def release_spare_memory(self) -> None:
        """An idle connection keeps a small buffer only."""
        frames = self._frames
        if frames.waiting_size or self._pending is not None:
            return
        self.envelopes.clear()
        if frames.size > _FIRST_BUFFER_SIZE:
            frames.use(bytearray(_FIRST_BUFFER_SIZE), 0)
            self._server.memory.give_back(self)

    def request_state(self) -> State:
        return State(self._pending, self._frames.start, self._frames.waiting_size)

    def memory_granted(self, size: int) -> None:
        self._frames.grow(new_buffer(size))
        self._resume()

    # -- frames

    def _serve_frames(self) -> None:
        frames = self._frames
        pipeline = self.pipeline
        try:
            for _ in _TURN:
                if self._is_held or (frame := frames.next_frame()) is None:
                    break
                self.has_sent_request = True
                outcome = pipeline.serve(frame, self)
                if type(outcome) is Pending:
                    self._await(outcome)
                elif outcome is not None:
                    self._transmit(outcome)
                if frames.start == frames.end:
                    break
            else:
                self._will_resume_soon()
        except RequestFailed as failure:
            self._fail(failure)
        except RemoteProtocolError as error:
            self._refuse(error)
        if frames.size > FREE_BYTES:
            self._spare_memory()

    def _spare_memory(self) -> None:
        """A large buffer with nothing in it may be what others wait for."""
        if self._frames.start == self._frames.end and self._pending is None:
            self._server.memory.response_sent(self)

    def _make_room(self) -> bool:
        """Called with a full buffer: moves what is left to the front, or takes a larger one. False: not now."""
        frames = self._frames
        size = frames.size
        memory = self._server.memory
        larger = 0
        if frames.waiting_size > size // 2:
            announced, api_key = _SIZE_AND_KEY.unpack_from(frames.view, frames.start)
            if announced > FRAME_BYTES_WITHOUT_RECORDS and api_key != ApiKey.PRODUCE:
                self._refuse(WrongFrameSize(announced, MIN_REQUEST_SIZE, FRAME_BYTES_WITHOUT_RECORDS))
                return False
            larger = memory.larger_size(size, announced + 4)
        elif frames.announced_size * _REQUESTS_A_READ > size:
            # They are pipelined, and more have come than fit: those read together are answered together.
            larger = memory.roomier_size(size)
        if larger <= size:
            frames.compact()
            return True
        if larger > FREE_BYTES and not memory.take(self, larger):
            return False
        frames.grow(new_buffer(larger))
        return True

    # -- responses that come later

    def _await(self, pending: Pending) -> None:
        context, work = pending
        if isinstance(work, Deferred):
            self._hold(pending=work)
            work.listen(lambda response: self._finish(response, context))
            if (self._is_ending or self._is_draining) and self._pending is work:
                work.respond_now()
            return
        name = f"{ApiKey(context.api_key).name} of {self.peer_host}:{self.peer_port}"
        task = self._server.tasks.spawn(work, name=name)
        self._hold(pending=task)
        task.add_done_callback(lambda done: self._task_done(done, context))

    def _task_done(self, task: asyncio.Task[Any], context: RequestContext[Any]) -> None:
        if task.cancelled():
            self._hold(pending=None)
            self.abort()
            return
        error = task.exception()
        if error is None:
            self._finish(task.result(), context)
            return
        self._hold(pending=None)
        if isinstance(error, RequestFailed):
            self._fail(error)
        elif isinstance(error, RemoteProtocolError):
            self._refuse(error)
        else:
            self._log_failure(context, error)
            self.abort()

    def _finish(self, response: Any, context: RequestContext[Any]) -> None:
        self._hold(pending=None)
        if type(response) is Deferred:
            # Only the decoding is done.
            if self._link is None:
                response.abandon()
            else:
                self._await(Pending(context, response))
            return
        if self._is_closed:
            return
        try:
            out = self.pipeline.respond(response, context)
        except RequestFailed as failure:
            self._fail(failure)
            return
        if out is not None:
            self._transmit(out)
        if self._is_draining:
            self.close(_STOPPING)
        if self._frames.start == self._frames.end:
            self._resume()
        else:
            # Whoever has responded may be in the middle of a loop that the next request would change.
            self._will_resume_soon()

    def _will_resume_soon(self) -> None:
        if not self._will_resume:
            self._will_resume = True
            asyncio.get_running_loop().call_soon(self._resume_later)

    def _resume_later(self) -> None:
        self._will_resume = False
        self._resume()

    def _resume(self) -> None:
        if self._is_held:
            return
        frames = self._frames
        if frames.start < frames.end:
            self._serve_frames()
        elif frames.size > FREE_BYTES:
            self._spare_memory()
        if self._is_held or self._will_resume:
            return
        if self._is_ending:
            self.close(_CLIENT_IS_GONE)
        elif self._is_reading_paused and (not frames.is_full or self._make_room()):
            self._is_reading_paused = False
            if self._link is not None:
                self._link.resume_reading()

    # -- sending

    def _transmit(self, out: bytes | bytearray) -> None:
        """The link reports a peer that does not read its responses by `pause_writing`."""
        link = self._link
        if link is None:
            return
        if type(out) is PartedBuffer and out.cuts:
            # Its cuts are parts of files.
            link.send_parts(out.parts())  # type: ignore[arg-type]
        else:
            link.send(out)

    # -- when things go wrong

    def _refuse(self, error: RemoteProtocolError) -> None:
        if isinstance(error, WrongFrameSize):
            self._log_refusal(f"{error}{_foreign_protocol(self._frames)}")
        else:
            hint = " (ottla.request.elements.max)" if isinstance(error, TooManyElements) else ""
            self._log_refusal(f"{error}{hint}")
        self.abort()

    def _fail(self, failure: RequestFailed) -> None:
        self._log_failure(failure.context, failure.__cause__)
        self.abort()

    def _log_failure(self, context: RequestContext[Any], error: BaseException | None) -> None:
        _log.error(
            "%s v%d of client %r at %s:%d (correlation id %d) failed; its connection is closed",
            ApiKey(context.api_key).name,
            context.version,
            printable(context.client_id or ""),
            self.peer_host,
            self.peer_port,
            context.correlation_id,
            exc_info=error,
        )

    def _log_refusal(self, reason: str) -> None:
        self._server.refusals.log(_log, f"{self.peer_host}:{self.peer_port}", reason)


def _foreign_protocol(frames: FrameBuffer) -> str:
    """A hint for those who speak to the wrong port."""
    head = bytes(frames.view[frames.start : frames.start + 4])
    if head[:2] == b"\x16\x03":
        return " (this looks like TLS: the listener speaks plaintext)"
    if head in (b"GET ", b"POST", b"HEAD", b"PUT "):
        return " (this looks like HTTP: the listener speaks Kafka's protocol)"
    return ""
