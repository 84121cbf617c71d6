"""What a client has sent before it closes its connection is served, as on Apache Kafka."""

from collections.abc import Iterator

import pytest

from ottla.protocol.generated import list_offsets_request
from ottla.protocol.generated.fetch_request import FetchRequest
from ottla.protocol.generated.list_offsets_request import ListOffsetsRequest
from ottla.protocol.generated.produce_request import PartitionData, ProduceRequest, TopicData
from tests.support.batches import batch_of
from tests.support.kit_broker import KitBroker
from tests.support.partition_requests import FETCH_BY_NAME, create, fetch_of
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
