"""The longest wait of a bystander while others ask the broker for something large, and while nobody does."""

import time
from collections.abc import Callable, Mapping
from functools import partial
from itertools import repeat

from benchmarks.broker_node import BrokerNode
from benchmarks.bystander import Bystander, standing_by
from benchmarks.family import Family, Load, Put
from benchmarks.host_memory import touch
from benchmarks.raw_client import (
    CLIENT_ID,
    FETCH_VERSION,
    RawClient,
    batch_of,
    fetch_frame,
    fetched,
    produce_frame,
    produced_offset,
    records_that_fit,
)
from benchmarks.request_loop import pipeline
from benchmarks.results import Row, at_most
from benchmarks.topics import (
    METADATA_VERSION,
    create_topic,
    fresh_name,
    partition_directories,
    remove_topic,
    request_topic,
)
from benchmarks.waiting import wait_for
from ottla.model.error_codes import ErrorCode
from ottla.protocol.exchange import encode_request
from ottla.protocol.generated import fetch_request, metadata_request
from ottla.protocol.generated.fetch_request import FetchRequest
from ottla.protocol.generated.metadata_request import MetadataRequest
from ottla.protocol.message import Message
from ottla.records.batch import HEADER_SIZE

#: A node that has just started is slower than an idle one.
_SETTLE_S = 3.0
_IDLE_S = 3.0
_UNKNOWN = 9000
_LARGE_REQUESTS = 20
_LAGGING_READS = 200
_ROLLS_BYTES = 200 << 20
_SMALL_SEGMENT = 1 << 20
_IN_FLIGHT = 16
#: What the bystander may wait, on a machine that does nothing else.
_WAIT = at_most(100, is_absolute=True)


def rows(load: Load) -> list[Row]:
    many, few = f"{load.stall_partitions:,}", f"{load.stall_partitions // 5:,}"
    title = "longest wait of a bystander"
    return [
        Row("stalls.idle", f"{title}: idle", "max ms"),
        Row("stalls.fetch", f"{title}: Fetch of {_UNKNOWN:,} unknown partitions", "max ms", _WAIT),
        Row("stalls.metadata", f"{title}: Metadata of {_UNKNOWN:,} unknown topics", "max ms", _WAIT),
        Row("stalls.create", f"{title}: {many} partitions are created", "max ms", _WAIT),
        Row("stalls.response", f"CreateTopics with {few} partitions until the response", "ms", at_most(1.0)),
        Row("stalls.delete", f"{title}: {many} partitions are deleted", "max ms", _WAIT),
        Row("stalls.rolls", f"{title}: 200 segments of 1 MiB are filled", "max ms", _WAIT),
        Row("stalls.lagging", f"{title}: a full segment is read at {_LAGGING_READS} places", "max ms", _WAIT),
        Row("stalls.removal", f"{title}: a topic of {load.stall_gb:g} GiB is deleted", "max ms", _WAIT),
    ]


def measure(node: BrokerNode, load: Load, put: Put) -> None:
    node.reset()
    try:
        node.start()
        with standing_by(node) as bystander:
            time.sleep(_SETTLE_S)
            _watch(bystander, put, {"stalls.idle": lambda: time.sleep(_IDLE_S)})
            put("stalls.response", _creation_ms(node, load.stall_partitions // 5))
            _watch(bystander, put, _requests_and_partitions(node, load))
        topic, end_offset = _filled_topic(node, load)
        # What was just written is in memory; a consumer that lags behind finds its segments closed.
        node.stop()
        node.start()
        with standing_by(node) as bystander:
            lagging = {
                "stalls.lagging": partial(_read_everywhere, node, topic, end_offset),
                "stalls.removal": partial(remove_topic, node, topic),
            }
            time.sleep(_SETTLE_S)
            _watch(bystander, put, lagging)
    finally:
        node.stop()


Works = Mapping[str, Callable[[], object]]


def _watch(bystander: Bystander, put: Put, works: Works) -> None:
    for key, work in works.items():
        put(key, bystander.longest_wait_ms(work))


def _requests_and_partitions(node: BrokerNode, load: Load) -> Works:
    many, rolled = fresh_name("many"), fresh_name("rolled")
    create_topic(node, rolled, configs={"segment.bytes": str(_SMALL_SEGMENT)})
    return {
        "stalls.fetch": partial(_repeat, node, _fetch_of_unknown(node)),
        "stalls.metadata": partial(_repeat, node, _metadata_of_unknown(node)),
        "stalls.create": partial(_create, node, many, load.stall_partitions),
        "stalls.delete": partial(remove_topic, node, many),
        "stalls.rolls": partial(_fill, node, rolled, 64 * 1024, _ROLLS_BYTES),
    }


# -- large requests


def _fetch_of_unknown(node: BrokerNode) -> bytes:
    partitions = [fetch_request.Partitions(partition=index) for index in range(_UNKNOWN)]
    request = FetchRequest(topics=[fetch_request.Topics(topic=fresh_name("unknown"), partitions=partitions)])
    with RawClient(node) as client:
        response = client.call(request, FETCH_VERSION)
    codes = [partition.error_code for topic in response.responses for partition in topic.partitions]
    return _checked_frame(request, FETCH_VERSION, [response.error_code or code for code in codes])


def _metadata_of_unknown(node: BrokerNode) -> bytes:
    topics = [metadata_request.Topics(name=f"unknown-topic-{index}") for index in range(_UNKNOWN)]
    request = MetadataRequest(topics=topics, allow_auto_topic_creation=False)
    with RawClient(node) as client:
        response = client.call(request, METADATA_VERSION)
    return _checked_frame(request, METADATA_VERSION, [topic.error_code for topic in response.topics])


def _checked_frame(request: Message, version: int, codes: list[int]) -> bytes:
    """The frame of a request whose response was as expected: for each element that it is unknown."""
    if codes != [ErrorCode.UNKNOWN_TOPIC_OR_PARTITION] * _UNKNOWN:
        raise RuntimeError(f"{type(request).__name__}: {len(codes)} elements with the error codes {sorted(set(codes))}")
    return bytes(encode_request(1, CLIENT_ID, version, request))


def _repeat(node: BrokerNode, frame: bytes) -> None:
    with RawClient(node) as client:
        pipeline(client, repeat(frame, _LARGE_REQUESTS), len, in_flight=1)


# -- many partitions, many bytes


def _creation_ms(node: BrokerNode, partitions: int) -> float:
    topic = fresh_name("few")
    with RawClient(node) as client:
        began = time.perf_counter()
        request_topic(client, topic, partitions)
        took = time.perf_counter() - began
    remove_topic(node, topic)
    return took * 1e3


def _create(node: BrokerNode, topic: str, partitions: int) -> None:
    """Returns when the directories are there."""
    with RawClient(node) as client:
        request_topic(client, topic, partitions)
    wait_for(lambda: len(partition_directories(node, topic)) == partitions, f"directories of {topic}")


def _filled_topic(node: BrokerNode, load: Load) -> tuple[str, int]:
    """A topic with one full segment, and its end offset."""
    topic = fresh_name("large")
    size = int(load.stall_gb * (1 << 30))
    # Batches of 4 KiB give the indexes of the segment as many entries as they can have.
    create_topic(node, topic, configs={"segment.bytes": str(size - (1 << 20))})
    touch(size)
    return topic, _fill(node, topic, 4096, size)


def _fill(node: BrokerNode, topic: str, batch_bytes: int, size: int) -> int:
    """Writes so many bytes; gives the offset after them."""
    batch = batch_of(records_that_fit(batch_bytes - HEADER_SIZE, 1000), 1000)
    frames = repeat(produce_frame(topic, 0, batch), size // len(batch) + 1)
    with RawClient(node) as client:
        pipeline(client, frames, partial(produced_offset, topic=topic), in_flight=_IN_FLIGHT)
        client.send(fetch_frame(topic, 0, 0, max_bytes=1, max_wait_ms=0))
        return fetched(client.receive(), topic, 0).high_watermark


def _read_everywhere(node: BrokerNode, topic: str, end_offset: int) -> None:
    with RawClient(node) as client:
        for index in range(_LAGGING_READS):
            offset = end_offset * index // _LAGGING_READS
            client.send(fetch_frame(topic, 0, offset, max_bytes=4096))
            fetched(client.receive(), topic, offset)


FAMILY = Family("stalls", "partitions-and-stalls", rows, measure, needs_own_node=True)
