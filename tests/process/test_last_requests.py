"""What a client has sent before its connection closes is served, as on Apache Kafka."""

from collections.abc import Iterator

import pytest

from ottla.log.partition.append_rules import MAX_RECORDS_IN_PLACE
from ottla.protocol.generated import list_offsets_request
from ottla.protocol.generated.fetch_request import FetchRequest
from ottla.protocol.generated.list_offsets_request import ListOffsetsRequest
from ottla.protocol.generated.produce_request import PartitionData, ProduceRequest, TopicData
from tests.support.batches import batch_of
from tests.support.kit_broker import KitBroker
from tests.support.partition_requests import FETCH_BY_NAME, create, fetch_of, produce
from tests.support.waiting import eventually
from tests.support.wire import Wire

TOPIC = "orders"
#: More than are appended without a look at the time.
PARTITIONS = 100
LATEST = -1
_VERSION = 9


@pytest.fixture
def broker() -> Iterator[KitBroker]:
    with KitBroker() as running, Wire(running) as wire:
        create(wire, TOPIC, PARTITIONS)
        yield running


def produce_request(acks: int, count: int = PARTITIONS) -> ProduceRequest:
    data = [PartitionData(index=index, records=bytes(batch_of(b"value"))) for index in range(count)]
    return ProduceRequest(acks=acks, timeout_ms=5_000, topic_data=[TopicData(name=TOPIC, partition_data=data)])


def end_offsets(broker: KitBroker) -> int:
    """The sum of all."""
    asked = [list_offsets_request.Partitions(partition_index=index, timestamp=LATEST) for index in range(PARTITIONS)]
    with Wire(broker) as wire:
        topics = [list_offsets_request.Topics(name=TOPIC, partitions=asked)]
        answer = wire.ask(ListOffsetsRequest(replica_id=-1, topics=topics), 6)
    return sum(each.offset for each in answer.topics[0].partitions)


def test_requests_without_acks_are_appended_when_their_client_closes(broker: KitBroker) -> None:
    with Wire(broker) as gone:
        for _ in range(100):
            gone.send(produce_request(acks=0), _VERSION)

    eventually(lambda: end_offsets(broker) == 100 * PARTITIONS)


def test_responses_come_though_the_client_sends_no_more(broker: KitBroker) -> None:
    """That of a long poll, and what is behind it."""
    asked = [fetch_of(TOPIC, 0)]
    with Wire(broker) as wire:
        wire.send(FetchRequest(max_wait_ms=60_000, min_bytes=1, max_bytes=1 << 20, topics=asked), FETCH_BY_NAME)
        wire.send(produce_request(acks=1, count=1), _VERSION)
        wire.finish_sending()

        assert not wire.next_response(FetchRequest, FETCH_BY_NAME).error_code
        answer = wire.next_response(ProduceRequest, _VERSION).responses[0]
        assert {each.error_code for each in answer.partition_responses} == {0}
        with pytest.raises(ConnectionError, match="closed"):
            wire.next_response(ProduceRequest, _VERSION)


def test_a_client_that_reads_slowly_gets_all_responses_though_it_sends_no_more(broker: KitBroker) -> None:
    """They are more than the sockets hold: requests wait until the client has read."""
    batch = batch_of(*[b"v" * 100_000] * 9)
    asked = FetchRequest(max_wait_ms=0, min_bytes=1, max_bytes=1 << 23, topics=[fetch_of(TOPIC, 0, max_bytes=1 << 23)])
    with Wire(broker) as wire:
        for _ in range(8):
            assert produce(wire, TOPIC, batch)[0] == 0
        for _ in range(20):
            wire.send(asked, FETCH_BY_NAME)
        wire.finish_sending()

        for _ in range(20):
            answer = wire.next_response(FetchRequest, FETCH_BY_NAME)
            assert len(answer.responses[0].partitions[0].records) == 8 * len(batch)


def test_responses_come_though_the_next_request_cannot_be_read(broker: KitBroker) -> None:
    """It comes in one piece with the one before it, which was appended: a client that does not know sends it again."""
    with Wire(broker) as wire:
        wire.send(produce_request(acks=1, count=1), _VERSION, and_bytes=b"\xff\xff\xff\xff")

        answer = wire.next_response(ProduceRequest, _VERSION).responses[0]
        assert [each.error_code for each in answer.partition_responses] == [0]
        with pytest.raises(ConnectionError, match="closed"):
            wire.next_response(ProduceRequest, _VERSION)


def test_a_request_whose_batches_are_committed_when_the_last_is_checked_gets_its_response(broker: KitBroker) -> None:
    """The check of one takes long; meanwhile the others are flushed, and nobody tells of them again."""
    large = batch_of(*[b"v"] * (MAX_RECORDS_IN_PLACE + 1))
    batches = {"flushed": batch_of(b"value"), "compacted": large}
    data = [TopicData(name=name, partition_data=[PartitionData(0, batch)]) for name, batch in batches.items()]
    with Wire(broker) as wire:
        create(wire, "flushed", flush_messages="1")
        create(wire, "compacted", cleanup_policy="compact")
        # Longer than the test waits for a response.
        answer = wire.ask(ProduceRequest(acks=-1, timeout_ms=600_000, topic_data=data), _VERSION)

    assert [topic.partition_responses[0].error_code for topic in answer.responses] == [0, 0]
