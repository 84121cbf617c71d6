"""Crowds of hostile peers: memory stays bounded, and a normal client is served meanwhile."""

import contextlib
import selectors
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from tests.support.broker_process import BrokerProcess, StartBroker
from tests.support.raw_frames import (
    all_metadata_frame,
    api_versions_frame,
    ask,
    assert_serves,
    connect_from,
    is_closed,
    read_frame,
)
from tests.support.topics import create_topic
from tests.support.transactional_client import committed_values
from tests.support.waiting import eventually

MIB = 1 << 20
pytestmark = pytest.mark.timeout(300)
CROWD = "127.0.0.66"
#: For connections that shall stay, however long a busy machine takes to open them all.
LONG_MS = "600000"
POOL = 64 * MIB
#: Small buffers of the crowd, one frame beyond the pool, one being copied, and the allocator's leavings.
MARGIN = 64 * MIB


class NormalClient:
    """Produces and reads back all the time, small records and large ones; counts what it gets through."""

    def __init__(self, broker: BrokerProcess, sizes: tuple[int, ...]) -> None:
        self._broker = broker
        self._sizes = sizes
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.sent: list[bytes] = []
        self.problem: str | None = None

    def __enter__(self) -> "NormalClient":
        create_topic(self._broker, "normal")
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(60)
        assert self.problem is None, self.problem
        assert [value[:20] for value in committed_values(self._broker, "normal")] == self.sent

    def _run(self) -> None:
        from confluent_kafka import Producer

        producer = Producer(
            {"bootstrap.servers": self._broker.address, "linger.ms": 0, "message.max.bytes": 4 * MIB, "log_level": 0}
        )
        while not self._stop.is_set() and self.problem is None:
            for size in self._sizes:
                value = b"%d " % len(self.sent) + bytes(size)
                producer.produce("normal", value, partition=0, on_delivery=self._note(value))
            if producer.flush(30):
                self.problem = "a record of the normal client was not taken within 30 s"
            self._stop.wait(0.02)

    def _note(self, value: bytes) -> Callable[[object, object], None]:
        def note(error: object, _: object) -> None:
            if error is not None:
                self.problem = f"a record of the normal client was refused: {error}"
            self.sent.append(value[:20])

        return note

    def gets_on(self, *, within_s: float = 30) -> None:
        """Returns when the client got some more records through."""
        goal = len(self.sent) + 3 * len(self._sizes)
        eventually(
            lambda: len(self.sent) >= goal or self.problem, within_s=within_s, what="the normal client is served"
        )


@contextlib.contextmanager
def crowd(broker: BrokerProcess, count: int) -> Iterator[list[socket.socket]]:
    connections = [connect_from(CROWD, broker) for _ in range(count)]
    try:
        yield connections
    finally:
        for connection in connections:
            connection.close()


def push(connections: list[socket.socket], data: bytes, *, for_s: float) -> list[int]:
    """Sends the same bytes on all connections at once, as far as the broker reads; how far each one came."""
    selector = selectors.DefaultSelector()
    view = memoryview(data)
    sent = [0] * len(connections)
    for number, connection in enumerate(connections):
        connection.setblocking(False)
        selector.register(connection, selectors.EVENT_WRITE, number)
    deadline = time.monotonic() + for_s
    while selector.get_map() and time.monotonic() < deadline:
        for key, _ in selector.select(0.2):
            number = key.data
            try:
                sent[number] += connections[number].send(view[sent[number] : sent[number] + 256 * 1024])
            except BlockingIOError:
                continue
            except OSError:
                selector.unregister(key.fileobj)
                continue
            if sent[number] == len(data):
                selector.unregister(key.fileobj)
    selector.close()
    return sent


def large_frame(size: int) -> bytes:
    """A Produce request (v3, acks 1) of one partition that does not exist; its records are zeros."""
    head = struct.pack(">hhihh", 0, 3, 1, -1, -1) + struct.pack(">hi", 1, 1000)
    topic = struct.pack(">ih", 1, 7) + b"nowhere" + struct.pack(">ii", 1, 0)
    records = size - len(head) - len(topic) - 4
    return struct.pack(">i", size) + head + topic + struct.pack(">i", records) + bytes(records)


def test_large_requests_of_many_connections_share_a_pool(start_broker: StartBroker) -> None:
    """200 connections send 8 MiB each at the same time: all are answered, never with more memory than the pool."""
    broker = start_broker(queued_max_request_bytes=str(POOL), log_retention_check_interval_ms="1000")
    assert_serves(broker)
    before = broker.resident_bytes()
    peak = Peak(broker)
    frame = large_frame(8 * MIB)

    with peak, NormalClient(broker, (100,)) as normal, crowd(broker, 200) as connections:
        sent = push(connections, frame, for_s=120)
        assert sent == [len(frame)] * 200, "everybody gets through in the end"
        for connection in connections:
            connection.settimeout(30)
            assert struct.unpack_from(">i", read_frame(connection)) == (1,)
        normal.gets_on()

    assert peak.bytes - before < POOL + MARGIN


def test_connections_that_hold_all_request_memory_and_stop_do_not_stop_others(start_broker: StartBroker) -> None:
    """200 connections announce a large request, send most of it and then no more."""
    broker = start_broker(queued_max_request_bytes=str(POOL))
    assert_serves(broker)
    before = broker.resident_bytes()
    peak = Peak(broker)
    most = large_frame(16 * MIB)[: 12 * MIB]

    with peak, crowd(broker, 200) as connections:
        push(connections, most, for_s=4)
        with NormalClient(broker, (100, 600_000)) as normal:
            normal.gets_on(within_s=60)

        assert broker.resident_bytes() - before < POOL + MARGIN
        eventually(lambda: "others wait for the memory" in broker.output(), what="those that stopped are cut")
    assert peak.bytes - before < POOL + MARGIN


class Peak:
    """The most memory the broker had, looked at again and again."""

    def __init__(self, broker: BrokerProcess) -> None:
        self._broker = broker
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.bytes = 0

    def _run(self) -> None:
        while not self._stop.wait(0.02):
            self.bytes = max(self.bytes, self._broker.resident_bytes())

    def __enter__(self) -> "Peak":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()


def test_a_thousand_connections_that_announce_the_largest_request_take_nothing(start_broker: StartBroker) -> None:
    broker = start_broker(ottla_first_request_timeout_ms=LONG_MS)
    assert_serves(broker)
    before = broker.resident_bytes()

    with crowd(broker, 1000) as connections:
        for connection in connections:
            connection.sendall(struct.pack(">ihhih", 100 * MIB, 0, 7, 1, -1) + b"x" * 100)
        with NormalClient(broker, (100, 600_000)) as normal:
            normal.gets_on()
        assert broker.resident_bytes() - before < 64 * MIB


def test_a_thousand_slow_senders_disturb_nobody(start_broker: StartBroker) -> None:
    """One byte at a time: each gets as far as its first request may take, then it is closed."""
    broker = start_broker(ottla_first_request_timeout_ms="3000")
    frame = api_versions_frame()

    with NormalClient(broker, (100,)) as normal, crowd(broker, 1000) as connections:
        for byte in frame[:-1]:
            for connection in connections:
                with contextlib.suppress(ConnectionError):
                    connection.send(bytes([byte]))
        normal.gets_on()
        assert all(is_closed(connection) for connection in connections)

    assert_serves(broker)


def test_a_thousand_idle_connections_keep_memory_flat(start_broker: StartBroker) -> None:
    broker = start_broker(ottla_first_request_timeout_ms=LONG_MS)
    with crowd(broker, 1000) as connections:
        for connection in connections:
            ask(connection, api_versions_frame())
        resident = broker.resident_bytes()

        with NormalClient(broker, (100,)) as normal:
            for _ in range(10):
                normal.gets_on()
                for connection in connections[::50]:
                    ask(connection, api_versions_frame())

        assert broker.resident_bytes() - resident < 16 * MIB
        assert all(ask(connection, api_versions_frame()) for connection in connections), "idle is not gone"


def test_peers_that_never_read_stop_at_what_the_kernel_holds(start_broker: StartBroker) -> None:
    broker = start_broker(ottla_send_stall_timeout_ms="1000", socket_send_buffer_bytes="65536")
    assert_serves(broker)
    before = broker.resident_bytes()

    with NormalClient(broker, (100,)) as normal, crowd(broker, 10) as connections:
        for connection in connections:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        push(connections, api_versions_frame() * 1_000_000, for_s=60)
        normal.gets_on()
        assert broker.resident_bytes() - before < 64 * MIB
        eventually(lambda: broker.output().count("does not read its responses") == 10, what="each of them is cut")


def test_a_crowd_that_takes_no_large_answers_is_thinned_out(start_broker: StartBroker) -> None:
    """Each holds a part of one answer of 26 KB and would be patient for ever; together they may hold 200 KB."""
    broker = start_broker(
        ottla_unsent_responses_max_bytes="200000",
        ottla_send_stall_timeout_ms="600000",
        socket_send_buffer_bytes="16384",
    )
    create_topic(broker, "wide", partition_count=1000)
    request = all_metadata_frame()

    with NormalClient(broker, (100,)) as normal, crowd(broker, 40) as connections:
        for connection in connections:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.sendall(request * 60)
        eventually(lambda: cut_count(broker) >= 5, within_s=60, what="the slowest are cut")
        normal.gets_on()

        assert cut_count(broker) < 40, "the others are within the limit"


def cut_count(broker: BrokerProcess) -> int:
    return broker.output().count("reads its responses the slowest")


@pytest.mark.parametrize("kind", ["closed at once", "with noise"])
def test_a_storm_of_connections_is_weathered(start_broker: StartBroker, kind: str) -> None:
    broker = start_broker()
    assert_serves(broker)
    before = broker.resident_bytes()
    descriptors = broker.descriptor_count()

    with NormalClient(broker, (100,)) as normal:
        for _ in range(3000):
            with connect_from(CROWD, broker) as connection:
                if kind == "with noise":
                    connection.sendall(b"\0\0\0\x20" + b"\xff" * 40)
        normal.gets_on()

    assert broker.resident_bytes() - before < 32 * MIB
    eventually(lambda: broker.descriptor_count() < descriptors + 20, what="no connection is left open")
    assert len(broker.output().splitlines()) < 200, "the log is not flooded"
