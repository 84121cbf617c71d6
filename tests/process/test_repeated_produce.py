"""Produce requests that repeat get the responses that they would get one by one."""

import struct
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from ottla.model.error_codes import ErrorCode
from ottla.protocol.exchange import encode_request
from ottla.protocol.generated.api_versions_request import ApiVersionsRequest
from ottla.protocol.generated.delete_topics_request import DeleteTopicsRequest
from ottla.protocol.generated.delete_topics_request import Topics as OldTopic
from ottla.protocol.generated.produce_request import PartitionData, ProduceRequest, TopicData
from tests.support.batches import batch_of
from tests.support.kit_broker import AnyBroker, KitBroker
from tests.support.partition_requests import create
from tests.support.wire import Wire


class RawProducer(Wire):
    """A producer that builds its requests itself. Names of topics become ids where a version wants that."""

    def __init__(self, broker: AnyBroker) -> None:
        super().__init__(broker, "producer")
        self.topic_ids: dict[str, bytes] = {}

    def create(self, name: str, **configs: str) -> None:
        self.topic_ids[name] = create(self, name, 2, **configs)

    def produce(
        self, version: int, name: str, batch: bytearray, *, partition: int = 0, acks: int = 1
    ) -> tuple[int, int]:
        """Error code and base offset."""
        response = self.ask(self.request(version, name, batch, partition=partition, acks=acks), version)
        one = response.responses[0].partition_responses[0]
        return one.error_code, one.base_offset

    def request(
        self, version: int, name: str, batch: bytearray, *, partition: int = 0, acks: int = 1
    ) -> ProduceRequest:
        data = PartitionData(index=partition, records=batch)
        topic = TopicData(topic_id=self.topic_ids[name]) if version >= 13 else TopicData(name=name)
        topic.partition_data = [data]
        return ProduceRequest(acks=acks, timeout_ms=5000, topic_data=[topic])


def batch(count: int = 1, size: int = 10, **more: Any) -> bytearray:
    return batch_of(*[b"v" * size] * count, **more)


@pytest.fixture
def peer() -> Iterator[RawProducer]:
    with KitBroker() as broker, RawProducer(broker) as connected:
        yield connected


@pytest.mark.parametrize("version", range(3, 14))
@pytest.mark.parametrize("acks", [1, -1])
def test_offsets_rise_by_the_records_of_each_batch(peer: RawProducer, version: int, acks: int) -> None:
    peer.create("orders")

    answers = [peer.produce(version, "orders", batch(count), acks=acks) for count in (1, 2, 300, 3)]

    assert answers == [(0, 0), (0, 1), (0, 3), (0, 303)]


def test_partitions_and_sizes_alternate(peer: RawProducer) -> None:
    peer.create("orders")

    answers = [
        peer.produce(9, "orders", batch(1, size), partition=number % 2)
        for number, size in enumerate((1, 1, 100, 200, 20_000, 40_000, 300_000, 10))
    ]

    assert answers == [(0, number // 2) for number in range(8)]


def test_a_bad_batch_is_refused_and_a_good_one_goes_on(peer: RawProducer) -> None:
    peer.create("orders")
    torn = batch()
    torn[-1] ^= 1

    answers = [peer.produce(7, "orders", each) for each in (batch(), torn, batch(), bytearray(b"x"), batch())]

    assert [code for code, _ in answers] == [0, 2, 0, 87, 0]
    assert [offset for code, offset in answers if code == 0] == [0, 1, 2]


def test_a_batch_larger_than_a_segment_is_refused_by_its_own_name(peer: RawProducer) -> None:
    peer.create("orders", segment_bytes="1048576", max_message_bytes="3000000")

    answers = [peer.produce(7, "orders", batch(1, size)) for size in (10, 10, 1_500_000, 10)]

    assert answers == [(0, 0), (0, 1), (18, -1), (0, 2)]


def test_a_repeated_batch_of_an_idempotent_producer_gets_its_old_offset(peer: RawProducer) -> None:
    peer.create("orders")
    first, second = (batch(producer=(7, 0, number)) for number in (0, 1))

    answers = [peer.produce(8, "orders", bytearray(each)) for each in (first, second, second, first)]

    assert answers == [(0, 0), (0, 1), (0, 1), (0, 0)]


def test_a_deleted_topic_is_gone_for_requests_that_repeat_too(peer: RawProducer) -> None:
    peer.create("orders")
    assert [peer.produce(7, "orders", batch())[0] for _ in range(3)] == [0, 0, 0]

    peer.ask(DeleteTopicsRequest(topics=[OldTopic(name="orders")], timeout_ms=10_000), 6)
    assert peer.produce(7, "orders", batch())[0] == 3

    peer.create("orders")
    assert peer.produce(7, "orders", batch()) == (0, 0)


def test_a_topic_that_flushes_first_responds_after_the_flush(peer: RawProducer) -> None:
    peer.create("safe", flush_messages="1")

    assert [peer.produce(7, "safe", batch(), acks=-1) for _ in range(3)] == [(0, 0), (0, 1), (0, 2)]


def test_pipelined_batches_get_their_responses_in_order(peer: RawProducer) -> None:
    peer.create("orders")
    for number in range(200):
        peer.send(peer.request(7, "orders", batch(), partition=number % 2), 7)

    answers = [peer.next_response(ProduceRequest, 7).responses[0].partition_responses[0] for _ in range(200)]

    assert [(one.index, one.base_offset) for one in answers] == [(number % 2, number // 2) for number in range(200)]


@pytest.mark.parametrize("seed", range(4))
def test_however_the_bytes_are_cut_the_responses_are_the_same(peer: RawProducer, seed: int) -> None:
    """Half frames, several at once, buffers that are full in the middle of one; other requests between them."""
    peer.create("orders")
    random = Random(seed)
    torn = batch()
    torn[-1] ^= 1
    expected: list[tuple[int, int, int]] = []
    ends = [0, 0]
    stream = bytearray()
    for number in range(120):
        partition = random.randrange(2)
        count = random.choice([1, 1, 1, 7])
        size = random.choice([1, 100, 1000, 5_000, 70_000])
        chosen, is_good = (batch(count, size), True) if random.randrange(6) else (bytearray(torn), False)
        expected.append((partition, 0, ends[partition]) if is_good else (partition, 2, -1))
        ends[partition] += count if is_good else 0
        stream += encode_request(number, "producer", 7, peer.request(7, "orders", chosen, partition=partition))
        if not random.randrange(10):
            stream += encode_request(number, "producer", 0, ApiVersionsRequest())
            expected.append((-1, 0, -1))

    position = 0
    while position < len(stream):
        cut = random.choice([1, 4, 50, 300, 4096, 4097, 65_536, 200_000])
        peer.send_bytes(stream[position : position + cut])
        position += cut

    for partition, code, base_offset in expected:
        if partition < 0:
            peer.next_response(ApiVersionsRequest, 0)
            continue
        one = peer.next_response(ProduceRequest, 7).responses[0].partition_responses[0]
        assert (one.index, one.error_code, one.base_offset) == (partition, code, base_offset)


def test_more_topics_in_one_request_are_all_appended(peer: RawProducer) -> None:
    peer.create("orders")
    peer.create("bills")
    peer.produce(7, "orders", batch())
    both = peer.request(7, "orders", batch())
    both.topic_data += peer.request(7, "bills", batch()).topic_data

    answer = peer.ask(both, 7)

    offsets = {topic.name: topic.partition_responses[0].base_offset for topic in answer.responses}
    assert offsets == {"orders": 1, "bills": 0}


def test_a_frame_that_only_looks_alike_is_not_taken_for_one(peer: RawProducer) -> None:
    """The same envelope with a wrong length of records."""
    peer.create("orders")
    peer.produce(7, "orders", batch())
    frame = bytearray(encode_request(99, "producer", 7, peer.request(7, "orders", batch())))
    position = len(frame) - len(batch()) - 4
    struct.pack_into(">i", frame, position, 5)
    peer.send_bytes(frame)

    answer = peer.next_response(ProduceRequest, 7)

    assert answer.responses[0].partition_responses[0].error_code == 87
    assert peer.produce(7, "orders", batch()) == (0, 1)


def test_a_refusal_tells_no_time_of_an_earlier_request(peer: RawProducer) -> None:
    peer.create("stamped", **{"message.timestamp.type": "LogAppendTime"})
    damaged = batch()
    damaged[-1] ^= 1

    times = []
    for each in (batch(), batch(), damaged):
        response = peer.ask(peer.request(8, "stamped", each), 8)
        one = response.responses[0].partition_responses[0]
        times.append((one.error_code, one.log_append_time_ms > 0))

    assert times == [(0, True), (0, True), (ErrorCode.CORRUPT_MESSAGE, False)]
