"""Latency of small requests while the broker compacts another topic: cleaning must not hold up the rest."""

import random
import threading
import time

from benchmarks.broker_node import BrokerNode
from benchmarks.bystander import standing_by
from benchmarks.family import Family, Load, Put
from benchmarks.host_memory import touch
from benchmarks.raw_client import RawClient, batch_of, produce_frame, produced_offset
from benchmarks.results import Row, at_most, percentile
from benchmarks.topics import create_topic, delete_topic, fresh_name, size_on_disk

_RECORDS_PER_BATCH = 1000
_KEYS = 5000
_BATCHES = 20
_FILL_MB_PER_S = 20
_COMPACTED = {
    "cleanup.policy": "compact",
    "segment.bytes": str(8 << 20),
    "min.cleanable.dirty.ratio": "0.01",
    "min.compaction.lag.ms": "0",
}


def rows(load: Load) -> list[Row]:
    title = "one 100 B record per request while another topic is compacted"
    return [
        Row("compaction.p50", title, "p50 ms"),
        Row("compaction.p99", title, "p99 ms", at_most(0.5)),
        Row("compaction.max", title, "max ms"),
        Row("compaction.cleaned", "removed by compaction meanwhile", "MB"),
    ]


def measure(node: BrokerNode, load: Load, put: Put) -> None:
    topic = fresh_name("compacted")
    create_topic(node, topic, configs=_COMPACTED)
    touch(int(load.compaction_seconds * _FILL_MB_PER_S * 1e6))
    filler = Filler(node, topic)
    with standing_by(node) as bystander:
        filler.start()
        time.sleep(load.compaction_seconds)
        waits = bystander.waits_s()
        written = filler.finish()
    put("compaction.p50", percentile(waits, 0.5) * 1e3)
    put("compaction.p99", percentile(waits, 0.99) * 1e3)
    put("compaction.max", max(waits) * 1e3)
    put("compaction.cleaned", (written - size_on_disk(node, topic)) / 1e6)
    delete_topic(node, topic)


class Filler:
    """Writes to the compacted topic at a steady pace, the same few keys over and over."""

    def __init__(self, node: BrokerNode, topic: str) -> None:
        choose = random.Random(7)
        self._node = node
        self._topic = topic
        self._batches = [
            batch_of(_RECORDS_PER_BATCH, 100, key=lambda index: b"key-%d" % choose.randrange(_KEYS))
            for _ in range(_BATCHES)
        ]
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._fill, daemon=True)
        self._written = 0
        self._failure: Exception | None = None

    def start(self) -> None:
        self._thread.start()

    def finish(self) -> int:
        """Stops writing; the bytes that were written."""
        self._is_over.set()
        self._thread.join()
        if self._failure is not None:
            raise RuntimeError(f"writing to the compacted topic: {self._failure}") from self._failure
        return self._written

    def _fill(self) -> None:
        began = time.perf_counter()
        frames = [produce_frame(self._topic, 0, batch) for batch in self._batches]
        try:
            with RawClient(self._node) as client:
                while not self._is_over.is_set():
                    for frame in frames:
                        client.send(frame)
                        produced_offset(client.receive(), self._topic)
                        self._written += len(frame)
                        ahead = self._written / (_FILL_MB_PER_S * 1e6) - (time.perf_counter() - began)
                        if ahead > 0:
                            time.sleep(ahead)
        except (OSError, RuntimeError) as error:
            self._failure = error


FAMILY = Family("compaction", "partitions-and-stalls", rows, measure)
