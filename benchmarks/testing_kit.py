"""A broker for a test: how long until clients can use it. Ottla in the process of the tests, Apache Kafka as it is."""

import statistics
import time

from benchmarks.broker_node import BrokerNode
from benchmarks.family import Family, Load, Put
from benchmarks.ottla_broker import OttlaBroker
from benchmarks.results import Row, at_most

_STARTS = 21
_READY_MS_MAX = 50.0


def rows(load: Load) -> list[Row]:
    return [
        Row(
            "testing.ready",
            "a broker for a test, until it accepts clients (ours: `ottla.testing` in memory)",
            "ms",
            at_most(_READY_MS_MAX, is_absolute=True),
        )
    ]


def measure(node: BrokerNode, load: Load, put: Put) -> None:
    put("testing.ready", _in_process_ms() if isinstance(node, OttlaBroker) else _process_ms(node))


def _in_process_ms() -> float:
    """The median of starts in this process; the first one, which loads the code, does not count."""
    from ottla.testing import Broker

    Broker().close()
    took: list[float] = []
    for _ in range(_STARTS):
        began = time.perf_counter()
        broker = Broker()
        took.append((time.perf_counter() - began) * 1000)
        broker.close()
    return statistics.median(took)


def _process_ms(node: BrokerNode) -> float:
    node.reset()
    try:
        began = node.launch()
        node.await_port()
        return (time.perf_counter() - began) * 1000
    finally:
        node.stop()


FAMILY = Family("testing", "throughput-and-latency", rows, measure, needs_own_node=True)
