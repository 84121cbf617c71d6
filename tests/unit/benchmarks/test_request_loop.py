"""Closed and open loops of requests, and the schedule of the open one."""

import socketserver
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import repeat
from typing import NamedTuple

import pytest
from benchmarks.raw_client import RawClient
from benchmarks.request_loop import Schedule, closed_loop, open_loop, pipeline

FRAME = struct.pack(">i", 5) + b"frame"
RESPONSE = struct.pack(">i", 2) + b"ok"


class EchoNode(NamedTuple):
    """Sends a response to each frame; its CPU time is constant."""

    port: int
    received: list[bytes]

    def cpu_seconds(self) -> float:
        return 1.0


@pytest.fixture
def node() -> Iterator[EchoNode]:
    with echo_server() as found:
        yield found


@contextmanager
def echo_server() -> Iterator[EchoNode]:
    received: list[bytes] = []

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            while size := self.rfile.read(4):
                received.append(self.rfile.read(*struct.unpack(">i", size)))
                self.wfile.write(RESPONSE)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield EchoNode(server.server_address[1], received)
        server.shutdown()
        thread.join()


def test_requests_are_due_at_fixed_times() -> None:
    schedule = Schedule(rate=4, count=3, began=10.0)

    assert [schedule.take(10.0), schedule.take(10.0)] == [10.0, None]
    assert schedule.next_due == 10.25
    assert [schedule.take(10.25), schedule.take(10.5), schedule.take(99.0)] == [10.25, 10.5, None]
    assert schedule.next_due is None


def test_requests_that_could_not_be_sent_in_time_keep_their_due_time() -> None:
    schedule = Schedule(rate=100, count=1000, began=0.0)
    schedule.take(0.0)

    after_a_stall = [schedule.take(0.03) for _ in range(4)]

    assert after_a_stall == [0.01, 0.02, 0.03, None]


def test_waiting_ends_when_the_next_request_is_due() -> None:
    schedule = Schedule(rate=10, count=2, began=0.0)
    schedule.take(0.0)

    assert schedule.wait_s(0.075) == pytest.approx(0.025)
    assert schedule.wait_s(0.2) == 0.0


def test_an_open_loop_sends_exactly_what_is_due(node: EchoNode) -> None:
    done = open_loop(node, [repeat(FRAME) for _ in range(3)], len, rate=10_000, seconds=0.02)

    assert len(done.latencies_s) == len(node.received) == 200
    assert min(done.latencies_s) > 0


def test_a_closed_loop_has_a_response_for_each_request(node: EchoNode) -> None:
    done = closed_loop(node, [repeat(FRAME) for _ in range(3)], len, seconds=0.01)

    assert len(done.latencies_s) == len(node.received) >= 3
    assert done.cpu_us == 0.0


def test_each_connection_sends_its_own_frames(node: EchoNode) -> None:
    frames = [repeat(struct.pack(">i", 1) + name) for name in (b"a", b"b")]

    closed_loop(node, frames, len, seconds=0.01)

    assert set(node.received) == {b"a", b"b"}


def test_a_response_that_is_no_success_ends_the_loop(node: EchoNode) -> None:
    def check(response: memoryview) -> None:
        raise RuntimeError("no success")

    with pytest.raises(RuntimeError, match="no success"):
        open_loop(node, [repeat(FRAME)], check, rate=1000, seconds=1)


@pytest.mark.parametrize("count", [0, 2, 7])
def test_a_pipeline_has_a_response_for_each_frame(node: EchoNode, count: int) -> None:
    responses: list[bytes] = []
    with RawClient(node) as client:
        pipeline(client, repeat(FRAME, count), lambda response: responses.append(bytes(response)), in_flight=3)

    assert responses == [b"ok"] * count
