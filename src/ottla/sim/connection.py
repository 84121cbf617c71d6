"""One simulated TCP connection: two transports, joined by a stream in each direction.

A stream keeps its bytes in order and loses none while the connection lives; when it breaks, a prefix has arrived.
Bytes are chopped at random places. What the peer does not read fills its window, then queues up at the sender.
"""

import contextvars
import errno
import os
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

from ottla.doors.disk import Buffer, FileSlice
from ottla.sim.loop import SimLoop
from ottla.sim.network_path import Path
from ottla.sim.process import SimProcess
from ottla.sim.trace import Trace

Address: TypeAlias = tuple[str, int]

#: Ends a stream; stands behind the last byte.
_END = b""
WINDOWS_BYTES = (16384, 65536, 65536, 1 << 20)
MAX_SEGMENT_BYTES = 65536


class Net(Protocol):
    """What a connection asks of the network that it is in."""

    loop: SimLoop
    context: contextvars.Context
    trace: Trace
    connections: "dict[int, Connection]"
    orphaned: "dict[str, list[SimTransport]]"

    def path(self, source: str, target: str) -> Path: ...


class Stream:
    """One direction: queue of the sender -> in flight -> window of the receiver."""

    def __init__(self, net: Net, source: "SimTransport", target: "SimTransport") -> None:
        self._loop = net.loop
        self._net_context = net.context
        self._path = net.path(source.own_address[0], target.own_address[0])
        self._rng = self._path.rng
        self._window_bytes = self._rng.one_of(WINDOWS_BYTES)
        self._source = source
        self._target = target
        self._queue: deque[bytes | FileSlice] = deque()
        self.queued_size = 0
        self._in_flight: deque[tuple[float, bytes]] = deque()
        self._arrived: deque[bytes] = deque()
        self._outstanding_size = 0
        self._last_arrival = 0.0
        self._has_timer = False
        self._is_ending = False
        self.is_broken = False
        self._path.streams.append(self._resume)

    # the sender's side

    def put(self, parts: list[Buffer | FileSlice]) -> None:
        for part in parts:
            size = part.size if isinstance(part, FileSlice) else len(part)
            if size:
                self._queue.append(part if isinstance(part, FileSlice) else bytes(part))
                self.queued_size += size
        self._fill_window()

    def end(self) -> None:
        """Everything queued is sent, then the peer sees the end of the stream."""
        self._is_ending = True
        self._fill_window()

    @property
    def held_size(self) -> int:
        """Of what is queued, the bytes that are in memory."""
        return sum(len(part) for part in self._queue if not isinstance(part, FileSlice))

    def _fill_window(self) -> None:
        while self._queue and not self.is_broken:
            room = self._window_bytes - self._outstanding_size
            # A sender that fills every small gap ends up with segments of one byte; TCP avoids it the same way.
            if room < min(self._window_bytes // 2, self.queued_size):
                break
            data = self._take(min(room, MAX_SEGMENT_BYTES))
            if data is None:
                self._source.abort()
                return
            self._outstanding_size += len(data)
            self._transmit(data)
        if self._is_ending and not self._queue and not self.is_broken:
            self._is_ending = False
            self._transmit(_END)

    def _take(self, room: int) -> bytes | None:
        """Up to `room` bytes from the queue; None when a file ends before its slice."""
        part = self._queue.popleft()
        if isinstance(part, FileSlice):
            data = part.file.read_at(part.position, min(part.size, room))
            rest = FileSlice(part.file, part.position + len(data), part.size - len(data))
            if not data:
                return None
            if rest.size:
                self._queue.appendleft(rest)
        else:
            data = part[:room]
            if len(part) > room:
                self._queue.appendleft(part[room:])
        self.queued_size -= len(data)
        return data

    def _transmit(self, data: bytes) -> None:
        for piece in self._chopped(data):
            arrival = max(self._last_arrival, self._loop.time() + self._path.delay_s())
            if self._path.bytes_per_ms is not None:
                arrival += len(piece) / self._path.bytes_per_ms / 1000
            self._last_arrival = arrival
            self._in_flight.append((arrival, piece))
        self._wait_for_arrival()

    def _chopped(self, data: bytes) -> list[bytes]:
        if len(data) < 2 or self._rng.below(4):
            return [data]
        cuts = sorted(self._rng.below(len(data)) for _ in range(self._rng.between(1, 3)))
        pieces = [data[start:end] for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True)]
        return [piece for piece in pieces if piece]

    # under way

    def _resume(self) -> None:
        """The path is open again."""
        if self._in_flight and not self._has_timer and not self.is_broken:
            self._wait_for_arrival()

    def _wait_for_arrival(self) -> None:
        if self._has_timer or not self._in_flight:
            return
        self._has_timer = True
        when = max(self._in_flight[0][0], self._loop.time())
        self._loop.call_at(when, self._arrive, context=self._net_context)

    def _arrive(self) -> None:
        self._has_timer = False
        if self.is_broken or not self._path.is_open:
            return
        now = self._loop.time() + 1e-9
        while self._in_flight and self._in_flight[0][0] <= now:
            self._arrived.append(self._in_flight.popleft()[1])
        self._wait_for_arrival()
        if self._target.is_lost:
            self._source.refused_by_peer()
        else:
            self._target.wake_reader()

    def break_off(self, *, keep_arrived: bool) -> None:
        """No more bytes. `keep_arrived`: what the receiver's kernel has can still be read."""
        self.is_broken = True
        self._in_flight.clear()
        self._queue.clear()
        self.queued_size = 0
        if not keep_arrived:
            self._arrived.clear()

    def deliver_a_prefix(self) -> None:
        """Of what is in flight a random part arrives now."""
        for _ in range(self._rng.below(len(self._in_flight) + 1)):
            self._arrived.append(self._in_flight.popleft()[1])

    def retire(self) -> None:
        if self._resume in self._path.streams:
            self._path.streams.remove(self._resume)

    # the receiver's side

    @property
    def has_arrived(self) -> bool:
        return bool(self._arrived)

    @property
    def has_unread_bytes(self) -> bool:
        return self.has_arrived and self._arrived[0] != _END

    def read(self) -> bytes:
        return self._arrived.popleft()

    def unread(self, data: bytes) -> None:
        self._arrived.appendleft(data)

    def taken(self, size: int) -> None:
        """The receiver has read `size` bytes: the window opens."""
        self._outstanding_size -= size
        before = self.queued_size
        self._fill_window()
        if before and not self.queued_size:
            self._source.notify_drained()


class SimTransport:
    """One end of a connection: asyncio's transport for the owner's callbacks, and the owner's Link."""

    def __init__(
        self, connection: "Connection", process: SimProcess, owner: Any, own_address: Address, peer_address: Address
    ) -> None:
        self._connection = connection
        self.process = process
        self._owner = owner
        self.own_address = own_address
        self.peer_address = peer_address
        self.outgoing: Stream
        self.incoming: Stream
        self._reads = False
        self._is_reader_awake = False
        self._is_writing_paused = False
        self._is_closing = False
        self._is_lost = False

    def accept(self, make_owner: Callable[[], Any]) -> None:
        if self._is_lost:
            return
        self._owner = make_owner()
        self._owner.connection_made(self)
        self.begin_reading()

    def begin_reading(self) -> None:
        if not self._is_closing:
            self._reads = True
            self.wake_reader()

    # Link

    @property
    def unsent_size(self) -> int:
        return self.outgoing.queued_size

    @property
    def held_size(self) -> int:
        return self.outgoing.held_size

    @property
    def peer_host(self) -> str:
        return self.peer_address[0]

    @property
    def peer_port(self) -> int:
        return self.peer_address[1]

    def send(self, data: Buffer) -> None:
        self.send_parts([data])

    def send_parts(self, parts: list[Buffer | FileSlice]) -> None:
        if self._is_closing or self._is_lost or not self.process.is_alive:
            return
        self._connection.note_sent(self, parts)
        self.outgoing.put(parts)
        if self.outgoing.queued_size and not self._is_writing_paused:
            self._is_writing_paused = True
            self._owner.pause_writing()

    def on_writable(self) -> None:
        pass

    def pause_reading(self) -> None:
        self._reads = False

    def resume_reading(self) -> None:
        if not self._is_closing:
            self._reads = True
            self.wake_reader()

    def close(self) -> None:
        if self._is_closing or self._is_lost or not self.process.is_alive:
            return
        self._is_closing = True
        self._reads = False
        if not self.outgoing.queued_size:
            self._end()

    def _end(self) -> None:
        """A kernel that has bytes which nobody will read resets the connection: what it has sent may not arrive."""
        if self.incoming.has_unread_bytes:
            self._connection.reset(by=self)
        else:
            self.outgoing.end()
            self.lose(None)

    def abort(self) -> None:
        if not self._is_lost and self.process.is_alive:
            self._is_closing = True
            self._connection.reset(by=self)

    # what else asyncio's transports can

    def is_closing(self) -> bool:
        return self._is_closing or self._is_lost

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return {"peername": self.peer_address, "sockname": self.own_address}.get(name, default)

    def get_write_buffer_size(self) -> int:
        return self.outgoing.queued_size

    # called by the streams

    @property
    def is_lost(self) -> bool:
        return self._is_lost

    def refused_by_peer(self) -> None:
        """Bytes reached a socket that its owner has closed: the peer's kernel responds with a reset."""
        self.outgoing.break_off(keep_arrived=False)
        self.lose(ConnectionResetError(errno.ECONNRESET, os.strerror(errno.ECONNRESET)))

    def notify_drained(self) -> None:
        self.process.call_soon(self._drained)

    def _drained(self) -> None:
        if self._is_lost or self.outgoing.queued_size:
            return
        if self._is_writing_paused:
            self._is_writing_paused = False
            self._owner.resume_writing()
        if self._is_closing:
            self._end()

    def wake_reader(self) -> None:
        if self._reads and not self._is_reader_awake and self.incoming.has_arrived:
            self._is_reader_awake = True
            self.process.call_soon(self._read)

    def _read(self) -> None:
        """One piece per iteration of the loop, as a real loop reads once per readiness."""
        self._is_reader_awake = False
        if not self._reads or self._is_lost or not self.incoming.has_arrived:
            return
        data = self.incoming.read()
        if data == _END:
            self._connection.note_end(self)
            if not self._owner.eof_received():
                self.close()
            return
        buffer = self._owner.get_buffer(-1)
        size = min(len(buffer), len(data))
        if size == 0:
            raise RuntimeError("get_buffer() returned an empty buffer")
        memoryview(buffer)[:size] = data[:size]
        if size < len(data):
            self.incoming.unread(data[size:])
        self.incoming.taken(size)
        self._owner.buffer_updated(size)
        self.wake_reader()

    def lose(self, error: Exception | None) -> None:
        """The connection is over for this end; its owner is notified once, soon."""
        if self._is_lost:
            return
        self._is_lost = True
        self._reads = False
        self._connection.end_lost(self)
        if self._owner is not None:
            self.process.call_soon(self._owner.connection_lost, error)


class Connection:
    def __init__(self, net: Net, number: int) -> None:
        self._net = net
        self.number = number
        self.ends: list[SimTransport] = []
        self._lost_count = 0

    def join(self, client: SimTransport, server: SimTransport) -> None:
        self.ends = [client, server]
        client.outgoing = server.incoming = Stream(self._net, client, server)
        server.outgoing = client.incoming = Stream(self._net, server, client)
        for end in self.ends:
            end.process.on_death.append(lambda end=end: self._process_died(end))  # type: ignore[misc]

    @property
    def hosts(self) -> list[str]:
        return [end.own_address[0] for end in self.ends]

    def note_sent(self, end: SimTransport, parts: list[Buffer | FileSlice]) -> None:
        size = sum(part.size if isinstance(part, FileSlice) else len(part) for part in parts)
        self._net.trace.event("send", self.number, end.own_address[0], size)

    def note_end(self, end: SimTransport) -> None:
        self._net.trace.event("end", self.number, end.own_address[0])

    def reset(self, by: SimTransport | None = None) -> None:
        """Breaks the connection. Each peer may still read a prefix of what was sent to it, then sees the reset."""
        error = ConnectionResetError(errno.ECONNRESET, os.strerror(errno.ECONNRESET))
        for end in self.ends:
            if end is by:
                end.incoming.break_off(keep_arrived=False)
                end.lose(None)
            else:
                self._reset_end(end, error)

    def _reset_end(self, end: SimTransport, error: Exception) -> None:
        end.incoming.deliver_a_prefix()
        end.wake_reader()
        end.incoming.break_off(keep_arrived=True)
        delay_s = self._net.path(end.peer_address[0], end.own_address[0]).delay_s()
        self._net.loop.call_later(delay_s, end.lose, error, context=self._net.context)

    def _process_died(self, end: SimTransport) -> None:
        """The kernel closes a dead process's sockets: what it had sent still arrives, then an end or a reset."""
        if self.number not in self._net.connections:
            return
        peer = self.ends[1] if end is self.ends[0] else self.ends[0]
        was_read = not end.incoming.has_arrived
        end.lose(None)
        if was_read and not end.outgoing.queued_size:
            end.outgoing.end()
        else:
            self._reset_end(peer, ConnectionResetError(errno.ECONNRESET, os.strerror(errno.ECONNRESET)))

    def vanish(self, host: str) -> None:
        """The machine is gone without FIN or RST. Its peer learns of it only by sending or by a time limit."""
        for end in self.ends:
            end.outgoing.break_off(keep_arrived=True)
            if end.own_address[0] != host:
                self._net.orphaned.setdefault(host, []).append(end)
        self._forget()

    def end_lost(self, end: SimTransport) -> None:
        self._lost_count += 1
        if self._lost_count == 2:
            self._forget()

    def _forget(self) -> None:
        self._net.connections.pop(self.number, None)
        for end in self.ends:
            end.outgoing.retire()
