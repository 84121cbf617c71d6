"""A client that sends small requests at a steady pace, in a process of its own, and notes its longest wait."""

import multiprocessing
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import NamedTuple

from benchmarks.broker_node import BrokerNode
from benchmarks.raw_client import RawClient, batch_of, produce_frame, produced_offset
from benchmarks.topics import create_topic, fresh_name

_GAP_S = 0.002
_RESET, _REPORT, _END = "reset", "report", "end"


class Peer(NamedTuple):
    port: int


class Bystander:
    """Lives from `standing_by` to its end."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe

    def reset(self) -> None:
        """Forgets the longest wait so far."""
        self._ask(_RESET)

    def longest_wait_ms(self) -> float:
        """Since the last reset."""
        return self._ask(_REPORT) * 1e3

    def end(self) -> None:
        self._pipe.send(_END)

    def _ask(self, order: str) -> float:
        self._pipe.send(order)
        answer: float | str = self._pipe.recv()
        if isinstance(answer, str):
            raise RuntimeError(f"the bystander: {answer}")
        return answer


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
        # The first order is taken when the connection is there.
        bystander.reset()
        yield bystander
        bystander.end()
    finally:
        process.join(10)
        process.kill()


def _stand_by(pipe: Connection, peer: Peer, topic: str) -> None:
    frame = produce_frame(topic, 0, batch_of(1, 100))
    try:
        with RawClient(peer) as client:
            longest_s = 0.0
            while True:
                order = pipe.recv() if pipe.poll() else None
                if order == _END:
                    return
                if order is not None:
                    pipe.send(longest_s)
                    longest_s = 0.0
                began = time.perf_counter()
                client.send(frame)
                produced_offset(client.receive(), topic)
                longest_s = max(longest_s, time.perf_counter() - began)
                time.sleep(_GAP_S)
    except (OSError, RuntimeError) as error:
        pipe.send(str(error))
