"""A client that sends small requests at a steady pace, in a process of its own, and reports how long each waited.

Its requests are due at fixed times, and a wait counts from when the request was due. It has so many connections that a
request does not queue behind the one before it: its wait is the broker's.
"""

import multiprocessing
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import repeat
from multiprocessing.connection import Connection
from typing import NamedTuple

from benchmarks.broker_node import BrokerNode
from benchmarks.raw_client import batch_of, connections, produce_frame, produced_offset
from benchmarks.request_loop import OpenLoop, Schedule
from benchmarks.topics import create_topic, delete_topic, fresh_name

_REQUESTS_PER_S = 250
_CONNECTIONS = 50
_COUNT_MAX = 10**9
_REPORT, _END = "report", "end"


class Peer(NamedTuple):
    port: int


class Bystander:
    """Lives from `standing_by` to its end."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe

    def waits_s(self) -> list[float]:
        """Of all requests since the last report, those in flight included; at least one."""
        self._pipe.send(_REPORT)
        response: list[float] | str = self._pipe.recv()
        if isinstance(response, str):
            raise RuntimeError(f"the bystander: {response}")
        return response

    def longest_wait_ms(self, work: Callable[[], object]) -> float:
        """While the work is done."""
        self.waits_s()
        work()
        return max(self.waits_s()) * 1e3

    def end(self) -> None:
        self._pipe.send(_END)


@contextmanager
def standing_by(node: BrokerNode) -> Iterator[Bystander]:
    topic = fresh_name("bystander")
    create_topic(node, topic)
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_stand_by, args=(theirs, Peer(node.port), topic), daemon=True)
    process.start()
    bystander = Bystander(ours)
    try:
        # The first report comes when the process has started and is connected.
        bystander.waits_s()
        yield bystander
        bystander.end()
    finally:
        process.join(10)
        process.kill()
    delete_topic(node, topic)


def _stand_by(pipe: Connection, peer: Peer, topic: str) -> None:
    frames = [repeat(produce_frame(topic, 0, batch_of(1, 100))) for _ in range(_CONNECTIONS)]
    try:
        with connections(peer, _CONNECTIONS) as clients:
            _send_until_end(pipe, OpenLoop(clients, frames, partial(produced_offset, topic=topic)))
    except (OSError, RuntimeError) as error:
        pipe.send(str(error))


def _send_until_end(pipe: Connection, loop: OpenLoop) -> None:
    while True:
        schedule = Schedule(_REQUESTS_PER_S, _COUNT_MAX, began=time.perf_counter())
        loop.step(schedule)
        while not pipe.poll():
            loop.step(schedule)
        if pipe.recv() == _END:
            return
        loop.drain()
        pipe.send(loop.latencies_s)
        loop.latencies_s = []
