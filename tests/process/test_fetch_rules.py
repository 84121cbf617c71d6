"""What a fetch responds to, and when, in cases that no library of today makes."""

from collections.abc import Iterator
from typing import Any

import pytest

from ottla.model.error_codes import ErrorCode
from ottla.protocol.generated import fetch_request, list_offsets_request
from ottla.protocol.generated.fetch_request import FetchRequest
from ottla.protocol.generated.list_offsets_request import ListOffsetsRequest
from tests.support.batches import batch_of
from tests.support.kit_broker import KitBroker
from tests.support.partition_requests import FETCH_BY_NAME, create, fetch_of, produce
from tests.support.transactional_client import READ_COMMITTED, TransactionalClient
from tests.support.wire import Wire

TOPIC = "orders"
#: Longer than a test waits for a response.
FOREVER_MS = 600_000
MAX_TIMESTAMP = -3


@pytest.fixture
def broker() -> Iterator[KitBroker]:
    with KitBroker() as running:
        yield running


@pytest.fixture
def wire(broker: KitBroker) -> Iterator[Wire]:
    with Wire(broker) as connection:
        yield connection


def fetched_bytes(wire: Wire, offset: int, *, min_bytes: int, max_bytes: int, partition_bytes: int = 1 << 24) -> int:
    topics = [fetch_of(TOPIC, offset, max_bytes=partition_bytes)]
    request = FetchRequest(max_wait_ms=FOREVER_MS, min_bytes=min_bytes, max_bytes=max_bytes, topics=topics)
    return len(wire.ask(request, FETCH_BY_NAME).responses[0].partitions[0].records)


def test_what_the_response_has_room_for_is_enough(wire: Wire) -> None:
    create(wire, TOPIC)
    batch = batch_of(b"v" * 50_000)
    for _ in range(4):
        produce(wire, TOPIC, batch)

    assert fetched_bytes(wire, 0, min_bytes=150_000, max_bytes=100_000) == 100_000


def test_a_fetch_at_the_end_of_a_segment_does_not_wait_for_what_the_next_segment_has(wire: Wire) -> None:
    create(wire, TOPIC, segment_bytes=str(1 << 20))
    batch = batch_of(b"v" * 300_000)
    for _ in range(7):
        produce(wire, TOPIC, batch)

    assert fetched_bytes(wire, 2, min_bytes=500_000, max_bytes=1 << 24) == len(batch)


def test_a_fetch_does_not_wait_beside_a_batch_that_is_too_large_for_its_partition(wire: Wire) -> None:
    create(wire, TOPIC, 2)
    small, large = batch_of(b"v" * 50_000), batch_of(b"v" * 200_000)
    produce(wire, TOPIC, small)
    produce(wire, TOPIC, large, partition=1)

    topics = [fetch_of(TOPIC, 0, partition=index, max_bytes=100_000) for index in range(2)]
    request = FetchRequest(max_wait_ms=FOREVER_MS, min_bytes=100_000, max_bytes=1 << 24, topics=topics)
    answer = wire.ask(request, FETCH_BY_NAME).responses[0]

    assert [len(part.records) for part in answer.partitions] == [len(small), 0]


def test_a_partition_that_is_not_there_does_not_end_the_wait_for_the_others(broker: KitBroker, wire: Wire) -> None:
    create(wire, TOPIC)
    topics = [fetch_of(TOPIC, 0, partition=9), fetch_of(TOPIC, 0)]

    wire.send(FetchRequest(max_wait_ms=FOREVER_MS, min_bytes=1, max_bytes=1 << 20, topics=topics), FETCH_BY_NAME)
    with Wire(broker) as other:
        produce(other, TOPIC, batch_of(b"v"))

    answers = [each for topic in wire.next_response(FetchRequest, FETCH_BY_NAME).responses for each in topic.partitions]
    assert {each.partition_index: (each.error_code, bool(each.records)) for each in answers} == {
        0: (ErrorCode.NONE, True),
        9: (ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, False),
    }


def test_a_fetch_of_nothing_that_is_there_does_not_wait(wire: Wire) -> None:
    request = FetchRequest(max_wait_ms=FOREVER_MS, min_bytes=1, max_bytes=1 << 20, topics=[fetch_of(TOPIC, 0)])

    [topic] = wire.ask(request, FETCH_BY_NAME).responses

    assert topic.partitions[0].error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION


def test_a_diverging_epoch_is_told_in_a_session_too(wire: Wire) -> None:
    create(wire, TOPIC)
    produce(wire, TOPIC, batch_of(*[b"v"] * 5))
    session_id = 0

    def diverging(session_epoch: int) -> Any:
        nonlocal session_id
        wanted = fetch_request.Partitions(
            partition=0, current_leader_epoch=-1, fetch_offset=100, last_fetched_epoch=0, partition_max_bytes=1000
        )
        request = FetchRequest(
            max_wait_ms=0,
            min_bytes=1,
            session_id=session_id,
            session_epoch=session_epoch,
            topics=[fetch_request.Topics(topic=TOPIC, partitions=[wanted])],
        )
        answer = wire.ask(request, FETCH_BY_NAME)
        session_id = answer.session_id
        return [part.diverging_epoch.end_offset for topic in answer.responses for part in topic.partitions]

    assert [diverging(epoch) for epoch in range(3)] == [[5]] * 3


def test_the_largest_timestamp_is_looked_for_among_what_the_reader_may_see(broker: KitBroker, wire: Wire) -> None:
    create(wire, TOPIC)
    producer = TransactionalClient(broker, "writer")
    producer.starts()
    assert not producer.sends(TOPIC, 0, b"open")

    def found(isolation_level: int) -> int:
        asked = list_offsets_request.Partitions(partition_index=0, timestamp=MAX_TIMESTAMP)
        topics = [list_offsets_request.Topics(name=TOPIC, partitions=[asked])]
        request = ListOffsetsRequest(replica_id=-1, isolation_level=isolation_level, topics=topics)
        offset: int = wire.ask(request, 7).topics[0].partitions[0].offset
        return offset

    assert (found(0), found(READ_COMMITTED)) == (0, -1)
