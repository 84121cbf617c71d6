"""A Kafka client on a plain socket: it costs the same for every peer, and next to nothing.

Produce v7 and Fetch v11 on the fast paths: the last versions with fixed positions, so a response is checked with one
`struct` call. Everything else goes through the generated codec by `RawClient.call`.
"""

import os
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from types import TracebackType
from typing import Any, NamedTuple, Protocol, Self

from benchmarks.broker_node import HOST
from ottla.protocol.exchange import decode_response, encode_request
from ottla.protocol.generated import fetch_request, produce_request
from ottla.protocol.generated.fetch_request import FetchRequest
from ottla.protocol.generated.produce_request import ProduceRequest
from ottla.protocol.message import Message
from ottla.records.batch import HEADER_SIZE, read_header
from ottla.records.builder import Record, build_batch

PRODUCE_VERSION = 7
FETCH_VERSION = 11
CLIENT_ID = "benchmark"
RESPONSE_TIMEOUT_S = 300
_SIZE = struct.Struct(">i")
_PRODUCED = struct.Struct(">hq")
_FETCHED = struct.Struct(">hqqqi")


class RequestFailed(RuntimeError):
    """The response has an error code."""

    def __init__(self, what: str, code: int) -> None:
        super().__init__(f"{what}: error code {code}")
        self.code = code


def check_code(what: str, code: int) -> None:
    if code:
        raise RequestFailed(what, code)


class Listening(Protocol):
    """A broker, or what another process knows of one."""

    @property
    def port(self) -> int: ...


class RawClient:
    """One connection. All responses are read into one buffer: a view is valid until the next response."""

    def __init__(self, node: Listening, buffer_bytes: int = 64 * 1024) -> None:
        self.socket = socket.create_connection((HOST, node.port), timeout=RESPONSE_TIMEOUT_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._buffer = bytearray(buffer_bytes)
        self._view = memoryview(self._buffer)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self.socket.close()

    def send(self, frame: bytes | bytearray) -> None:
        self.socket.sendall(frame)

    def receive(self) -> memoryview:
        """The next response, without its size."""
        self._fill(4)
        (size,) = _SIZE.unpack_from(self._buffer)
        if size > len(self._buffer):
            self._buffer = bytearray(size)
            self._view = memoryview(self._buffer)
        self._fill(size)
        return self._view[:size]

    def call(self, request: Message, version: int) -> Any:
        """Sends the request and waits for its response."""
        self.send(encode_request(1, CLIENT_ID, version, request))
        return decode_response(request.API_KEY, version, bytes(self.receive()))[1]

    def _fill(self, size: int) -> None:
        filled = 0
        while filled < size:
            count = self.socket.recv_into(self._view[filled:size])
            if not count:
                raise ConnectionError("the broker has closed the connection")
            filled += count


@contextmanager
def connections(node: Listening, count: int) -> Iterator[list[RawClient]]:
    """So many connections for small responses, closed at the end."""
    with ExitStack() as stack:
        yield [stack.enter_context(RawClient(node, buffer_bytes=4096)) for _ in range(count)]


# -- produce


def batch_of(count: int, value_bytes: int, *, key: Callable[[int], bytes] | None = None) -> bytes:
    """A batch of records with incompressible values."""
    value = os.urandom(value_bytes)
    now_ms = int(time.time() * 1000)
    records = [Record(index, now_ms, key(index) if key else None, value) for index in range(count)]
    return bytes(build_batch(records))


def records_that_fit(batch_bytes: int, value_bytes: int) -> int:
    """How many records of this size make a batch of about `batch_bytes`; eight bytes of each are framing."""
    return max(1, batch_bytes // (value_bytes + 8))


def produce_frame(topic: str, partition: int, batch: bytes, acks: int = 1) -> bytes:
    data = produce_request.TopicData(
        name=topic, partition_data=[produce_request.PartitionData(index=partition, records=batch)]
    )
    request = ProduceRequest(acks=acks, timeout_ms=30_000, topic_data=[data])
    return bytes(encode_request(1, CLIENT_ID, PRODUCE_VERSION, request))


def produced_offset(response: memoryview, topic: str) -> int:
    """The base offset of the batch. Positions: correlation id, count, name, count, index, then the code."""
    code, base_offset = _PRODUCED.unpack_from(response, 18 + len(topic))
    check_code(f"produce to {topic}", code)
    return int(base_offset)


# -- fetch


class Fetched(NamedTuple):
    records: memoryview
    high_watermark: int
    next_offset: int


def fetch_frame(topic: str, partition: int, offset: int, *, max_bytes: int = 1 << 20, max_wait_ms: int = 500) -> bytes:
    wanted = fetch_request.Partitions(partition=partition, fetch_offset=offset, partition_max_bytes=max_bytes)
    request = FetchRequest(
        max_wait_ms=max_wait_ms, min_bytes=1, max_bytes=max_bytes,
        topics=[fetch_request.Topics(topic=topic, partitions=[wanted])],
    )  # fmt: skip
    return bytes(encode_request(1, CLIENT_ID, FETCH_VERSION, request))


def fetched(response: memoryview, topic: str, offset: int) -> Fetched:
    """The records, and the next offset to fetch: after the last whole batch, or `offset` when there is none."""
    at = 28 + len(topic)
    code, high_watermark, _, _, aborted = _FETCHED.unpack_from(response, at)
    check_code(f"fetch from {topic}", code)
    at += _FETCHED.size + 16 * max(0, aborted) + 4
    (size,) = _SIZE.unpack_from(response, at)
    records = response[at + 4 : at + 4 + max(0, size)]
    return Fetched(records, high_watermark, _offset_after(records, offset))


def _offset_after(records: memoryview, offset: int) -> int:
    position = 0
    while position + HEADER_SIZE <= len(records):
        header = read_header(records, position)
        if position + header.size > len(records):
            break
        offset = header.next_offset
        position += header.size
    return offset


# -- several connections at once


def run_in_threads(work: Sequence[Callable[[], object]]) -> float:
    """Runs each in a thread of its own; the seconds until the last has ended. The first failure is raised."""
    failures: list[BaseException] = []

    def run(one: Callable[[], object]) -> None:
        try:
            one()
        except (OSError, RuntimeError, ValueError) as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(one,), daemon=True) for one in work]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    return time.perf_counter() - began
