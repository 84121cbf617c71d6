"""How long a bystander waits at most while the broker does something large for somebody else."""

import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.broker_node import BrokerNode
from benchmarks.bystander import Bystander, standing_by
from benchmarks.family import Family, Load, Put
from benchmarks.host_memory import touch
from benchmarks.raw_client import (
    RawClient,
    RequestFailed,
    batch_of,
    fetch_frame,
    fetched,
    produce_frame,
    produced_offset,
    records_that_fit,
)
from benchmarks.results import Row, at_most
from benchmarks.topics import create_topic, delete_topic, fresh_name
from ottla.protocol.generated import create_topics_request
from ottla.protocol.generated.create_topics_request import CreateTopicsRequest

_IDLE_S = 2.0
_REMOVAL_LIMIT_S = 120
_LAGGING_READS = 200
_ROLLS_BYTES = 200 << 20
_SMALL_SEGMENT = 1 << 20
_CREATE_VERSION = 4
#: What the bystander may wait, on a machine that does nothing else.
_WAIT = at_most(100, is_absolute=True)


def rows(load: Load) -> list[Row]:
    many, few = f"{load.stall_partitions:,}", f"{load.stall_partitions // 5:,}"
    title = "longest wait of a bystander"
    return [
        Row("stalls.idle", f"{title}: idle", "max ms"),
        Row("stalls.create", f"{title}: {many} partitions are created", "max ms", _WAIT),
        Row("stalls.response", f"CreateTopics with {few} partitions until the response", "ms", at_most(1.0)),
        Row("stalls.delete", f"{title}: {many} partitions are deleted", "max ms", _WAIT),
        Row("stalls.rolls", f"{title}: 200 segments of 1 MiB are filled", "max ms", _WAIT),
        Row("stalls.lagging", f"{title}: a full segment is read at {_LAGGING_READS} places", "max ms", _WAIT),
        Row("stalls.removal", f"{title}: {load.stall_gb:g} GB are removed", "max ms", _WAIT),
    ]


def measure(node: BrokerNode, load: Load, put: Put) -> None:
    node.reset()
    try:
        node.start()
        with standing_by(node) as bystander:
            time.sleep(_IDLE_S)
            put("stalls.idle", bystander.longest_wait_ms())
            _create_and_delete(node, load, bystander, put)
            _roll(node, bystander, put)
        name, end_offset = _filled(node, load)
        # What was just written is in memory: a lagging consumer finds it closed.
        node.stop()
        node.start()
        with standing_by(node) as bystander:
            _read(node, name, end_offset, bystander, put)
            _remove(node, name, bystander, put)
    finally:
        node.stop()


def _create_and_delete(node: BrokerNode, load: Load, bystander: Bystander, put: Put) -> None:
    name = fresh_name("few")
    put("stalls.response", _create(node, name, load.stall_partitions // 5) * 1e3)
    delete_topic(node, name)
    _await_removal(node, name)
    name = fresh_name("many")
    bystander.reset()
    _create(node, name, load.stall_partitions)
    _await(lambda: len(_directories(node, name)) == load.stall_partitions, f"directories of {name}")
    put("stalls.create", bystander.longest_wait_ms())
    delete_topic(node, name)
    _await_removal(node, name)
    put("stalls.delete", bystander.longest_wait_ms())


def _roll(node: BrokerNode, bystander: Bystander, put: Put) -> None:
    name = fresh_name("rolls")
    create_topic(node, name, configs={"segment.bytes": str(_SMALL_SEGMENT)})
    bystander.reset()
    _fill(node, name, 64 * 1024, _ROLLS_BYTES)
    put("stalls.rolls", bystander.longest_wait_ms())
    delete_topic(node, name)


def _filled(node: BrokerNode, load: Load) -> tuple[str, int]:
    """A topic with one full segment, and its end offset."""
    name = fresh_name("large")
    size = int(load.stall_gb * (1 << 30))
    # Batches of 4 KiB give the indexes of the segment as many entries as they can have.
    create_topic(node, name, configs={"segment.bytes": str(size - (1 << 20))})
    touch(size)
    return name, _fill(node, name, 4096, size)


def _read(node: BrokerNode, name: str, end_offset: int, bystander: Bystander, put: Put) -> None:
    bystander.reset()
    with RawClient(node) as client:
        for index in range(_LAGGING_READS):
            offset = end_offset * index // _LAGGING_READS
            client.send(fetch_frame(name, 0, offset, max_bytes=4096))
            fetched(client.receive(), name, offset)
    put("stalls.lagging", bystander.longest_wait_ms())


def _remove(node: BrokerNode, name: str, bystander: Bystander, put: Put) -> None:
    bystander.reset()
    delete_topic(node, name)
    _await_removal(node, name)
    put("stalls.removal", bystander.longest_wait_ms())


def _create(node: BrokerNode, name: str, partitions: int) -> float:
    """Seconds until the response."""
    topic = create_topics_request.Topics(name=name, num_partitions=partitions, replication_factor=1)
    with RawClient(node) as client:
        began = time.perf_counter()
        answer = client.call(CreateTopicsRequest(topics=[topic], timeout_ms=120_000), _CREATE_VERSION)
        took = time.perf_counter() - began
    if answer.topics[0].error_code:
        raise RequestFailed(f"create topic {name}", answer.topics[0].error_code)
    return took


def _fill(node: BrokerNode, name: str, batch_bytes: int, size: int) -> int:
    """Writes so many bytes with several requests in flight; gives the offset of the last batch."""
    batch = batch_of(records_that_fit(batch_bytes - 61, 1000), 1000)
    frame = produce_frame(name, 0, batch)
    count, in_flight = size // len(batch) + 1, 16
    with RawClient(node) as client:
        for sent in range(count + in_flight):
            if sent < count:
                client.send(frame)
            if sent >= in_flight:
                base_offset = produced_offset(client.receive(), name)
    return base_offset


def _directories(node: BrokerNode, name: str) -> list[Path]:
    return list((node.directory / "data").glob(f"{name}-*"))


def _await_removal(node: BrokerNode, name: str) -> None:
    _await(lambda: not _directories(node, name), f"removal of {name}")


def _await(condition: Callable[[], bool], what: str) -> None:
    limit = time.monotonic() + _REMOVAL_LIMIT_S
    while not condition():
        if time.monotonic() > limit:
            raise RuntimeError(f"{what}: not within {_REMOVAL_LIMIT_S} s")
        time.sleep(0.05)


FAMILY = Family("stalls", rows, measure, needs_own_node=True, rounds_max=2)
