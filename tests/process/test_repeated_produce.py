"""Produce requests that repeat get the responses that they would get one by one."""

import socket
import struct
from collections.abc import Callable
from random import Random

import pytest

from ottla.protocol.exchange import decode_response, encode_request
from ottla.protocol.generated.api_versions_request import ApiVersionsRequest
from ottla.protocol.generated.create_topics_request import Configs, CreateTopicsRequest
from ottla.protocol.generated.create_topics_request import Topics as NewTopic
from ottla.protocol.generated.delete_topics_request import DeleteTopicsRequest
from ottla.protocol.generated.delete_topics_request import Topics as OldTopic
from ottla.protocol.generated.produce_request import PartitionData, ProduceRequest, TopicData
from ottla.protocol.message import Message
from ottla.records.builder import build_batch
from ottla.records.record import Record
from tests.support.broker_process import BrokerProcess
from tests.support.raw_frames import read_frame

StartBroker = Callable[..., BrokerProcess]
NOW_MS = 1_794_000_000_000


class Peer:
    def __init__(self, broker: BrokerProcess) -> None:
        self._socket: socket.socket = broker.connect()
        self._correlation_id = 0
        self.topic_ids: dict[str, bytes] = {}

    def ask(self, version: int, request: Message) -> Message:
        self.send(version, request)
        return self.receive(version, request.API_KEY)

    def send(self, version: int, request: Message) -> None:
        self._correlation_id += 1
        self._socket.sendall(encode_request(self._correlation_id, "producer", version, request))

    def send_bytes(self, data: bytes) -> None:
        self._socket.sendall(data)

    def receive(self, version: int, api_key: int) -> Message:
        return decode_response(api_key, version, read_frame(self._socket))[1]

    def create(self, name: str, **configs: str) -> None:
        settings = [Configs(name=key.replace("_", "."), value=value) for key, value in configs.items()]
        topic = NewTopic(name=name, num_partitions=2, replication_factor=1, configs=settings)
        answer = self.ask(7, CreateTopicsRequest(topics=[topic], timeout_ms=10_000))
        self.topic_ids[name] = answer.topics[0].topic_id  # type: ignore[attr-defined]

    def produce(
        self, version: int, name: str, batch: bytearray, *, partition: int = 0, acks: int = 1
    ) -> tuple[int, int]:
        """Error code and base offset."""
        answer = self.ask(version, self.request(version, name, batch, partition=partition, acks=acks))
        one = answer.responses[0].partition_responses[0]  # type: ignore[attr-defined]
        return one.error_code, one.base_offset

    def request(
        self, version: int, name: str, batch: bytearray, *, partition: int = 0, acks: int = 1
    ) -> ProduceRequest:
        data = PartitionData(index=partition, records=batch)
        by_id = {"topic_id": self.topic_ids[name]} if version >= 13 else {"name": name}
        return ProduceRequest(acks=acks, timeout_ms=5000, topic_data=[TopicData(partition_data=[data], **by_id)])


def batch_of(count: int = 1, size: int = 10, **more: int) -> bytearray:
    return build_batch([Record(index, NOW_MS, b"k", b"v" * size, ()) for index in range(count)], **more)


@pytest.fixture
def peer(start_broker: StartBroker) -> Peer:
    return Peer(start_broker())


@pytest.mark.parametrize("version", range(3, 14))
@pytest.mark.parametrize("acks", [1, -1])
def test_offsets_rise_by_the_records_of_each_batch(peer: Peer, version: int, acks: int) -> None:
    peer.create("orders")

    answers = [peer.produce(version, "orders", batch_of(count), acks=acks) for count in (1, 2, 300, 3)]

    assert answers == [(0, 0), (0, 1), (0, 3), (0, 303)]


def test_partitions_and_sizes_alternate(peer: Peer) -> None:
    peer.create("orders")

    answers = [
        peer.produce(9, "orders", batch_of(1, size), partition=number % 2)
        for number, size in enumerate((1, 1, 100, 200, 20_000, 40_000, 300_000, 10))
    ]

    assert answers == [(0, number // 2) for number in range(8)]


def test_a_bad_batch_is_refused_and_a_good_one_goes_on(peer: Peer) -> None:
    peer.create("orders")
    torn = batch_of()
    torn[-1] ^= 1

    answers = [
        peer.produce(7, "orders", batch) for batch in (batch_of(), torn, batch_of(), bytearray(b"x"), batch_of())
    ]

    assert [code for code, _ in answers] == [0, 2, 0, 87, 0]
    assert [offset for code, offset in answers if code == 0] == [0, 1, 2]


def test_a_batch_larger_than_a_segment_is_refused_by_its_own_name(peer: Peer) -> None:
    peer.create("orders", segment_bytes="1048576", max_message_bytes="3000000")

    answers = [peer.produce(7, "orders", batch_of(1, size)) for size in (10, 10, 1_500_000, 10)]

    assert answers == [(0, 0), (0, 1), (18, -1), (0, 2)]


def test_a_repeated_batch_of_an_idempotent_producer_gets_its_old_offset(peer: Peer) -> None:
    peer.create("orders")
    first, second = (batch_of(producer_id=7, producer_epoch=0, base_sequence=number) for number in (0, 1))

    answers = [peer.produce(8, "orders", bytearray(batch)) for batch in (first, second, second, first)]

    assert answers == [(0, 0), (0, 1), (0, 1), (0, 0)]


def test_a_deleted_topic_is_gone_for_requests_that_repeat_too(peer: Peer) -> None:
    peer.create("orders")
    assert [peer.produce(7, "orders", batch_of())[0] for _ in range(3)] == [0, 0, 0]

    peer.ask(6, DeleteTopicsRequest(topics=[OldTopic(name="orders")], timeout_ms=10_000))
    assert peer.produce(7, "orders", batch_of())[0] == 3

    peer.create("orders")
    assert peer.produce(7, "orders", batch_of()) == (0, 0)


def test_a_topic_that_flushes_first_responds_after_the_flush(peer: Peer) -> None:
    peer.create("safe", flush_messages="1")

    assert [peer.produce(7, "safe", batch_of(), acks=-1) for _ in range(3)] == [(0, 0), (0, 1), (0, 2)]


def test_pipelined_batches_get_their_responses_in_order(peer: Peer) -> None:
    peer.create("orders")
    for number in range(200):
        peer.send(7, peer.request(7, "orders", batch_of(), partition=number % 2))

    answers = [peer.receive(7, 0).responses[0].partition_responses[0] for _ in range(200)]  # type: ignore[attr-defined]

    assert [(one.index, one.base_offset) for one in answers] == [(number % 2, number // 2) for number in range(200)]


@pytest.mark.parametrize("seed", range(4))
def test_however_the_bytes_are_cut_the_responses_are_the_same(peer: Peer, seed: int) -> None:
    """Half frames, several at once, buffers that are full in the middle of one; other requests between them."""
    peer.create("orders")
    random = Random(seed)
    torn = batch_of()
    torn[-1] ^= 1
    expected: list[tuple[int, int, int]] = []
    ends = [0, 0]
    stream = bytearray()
    for number in range(120):
        partition = random.randrange(2)
        count = random.choice([1, 1, 1, 7])
        size = random.choice([1, 100, 1000, 5_000, 70_000])
        batch, is_good = (batch_of(count, size), True) if random.randrange(6) else (bytearray(torn), False)
        expected.append((partition, 0, ends[partition]) if is_good else (partition, 2, -1))
        ends[partition] += count if is_good else 0
        stream += encode_request(number, "producer", 7, peer.request(7, "orders", batch, partition=partition))
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
            peer.receive(0, ApiVersionsRequest.API_KEY)
            continue
        one = peer.receive(7, 0).responses[0].partition_responses[0]  # type: ignore[attr-defined]
        assert (one.index, one.error_code, one.base_offset) == (partition, code, base_offset)


def test_more_topics_in_one_request_are_all_appended(peer: Peer) -> None:
    peer.create("orders")
    peer.create("bills")
    peer.produce(7, "orders", batch_of())
    both = peer.request(7, "orders", batch_of())
    both.topic_data += peer.request(7, "bills", batch_of()).topic_data

    answer = peer.ask(7, both)

    offsets = {
        topic.name: topic.partition_responses[0].base_offset
        for topic in answer.responses  # type: ignore[attr-defined]
    }
    assert offsets == {"orders": 1, "bills": 0}


def test_a_frame_that_only_looks_alike_is_not_taken_for_one(peer: Peer) -> None:
    """The same envelope with a wrong length of records."""
    peer.create("orders")
    peer.produce(7, "orders", batch_of())
    frame = bytearray(encode_request(99, "producer", 7, peer.request(7, "orders", batch_of())))
    position = len(frame) - len(batch_of()) - 4
    struct.pack_into(">i", frame, position, 5)
    peer.send_bytes(frame)

    answer = peer.receive(7, 0)

    assert answer.responses[0].partition_responses[0].error_code == 87  # type: ignore[attr-defined]
    assert peer.produce(7, "orders", batch_of()) == (0, 1)
