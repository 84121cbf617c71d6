"""One transactional producer on a plain socket, and batches that are copied as they are, with new producer fields."""

import struct
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from benchmarks.raw_client import CLIENT_ID, RawClient, RequestFailed
from ottla.protocol.exchange import decode_response, encode_request
from ottla.protocol.generated import produce_request, txn_offset_commit_request
from ottla.protocol.generated.end_txn_request import EndTxnRequest
from ottla.protocol.generated.init_producer_id_request import InitProducerIdRequest
from ottla.protocol.generated.produce_request import ProduceRequest
from ottla.protocol.generated.txn_offset_commit_request import TxnOffsetCommitRequest
from ottla.records.batch import ATTRIBUTES_POSITION, TRANSACTIONAL_BIT, patch_checksum, read_header
from ottla.records.builder import Record, build_batch

_PRODUCE_VERSION = 12
#: Coordinator not there yet, or still busy with the markers of the transaction before.
#: 19 is how a produce request says 51 (Kafka does the same for clients that know no better).
_TRY_AGAIN = (14, 15, 16, 19, 51)
_TRY_LIMIT_S = 60
_PAUSE_S = 0.001
_IN_FLIGHT = 5
_PRODUCER_FIELDS = struct.Struct(">qhi")
_PRODUCER_POSITION = 43


class Identity(NamedTuple):
    producer_id: int
    epoch: int


class TransactionalProducer:
    """Commits everything it sends. Its epoch grows with each transaction (KIP-890), so sequences start anew."""

    def __init__(self, client: RawClient, transactional_id: str) -> None:
        self._client = client
        self._id = transactional_id
        request = InitProducerIdRequest(transactional_id=transactional_id, transaction_timeout_ms=60_000)
        answer = self._patiently(request, 4, "init producer id")
        self.identity = Identity(answer.producer_id, answer.producer_epoch)

    def transact(self, topic: str, partitions: int) -> None:
        """One transaction with one small record for each partition."""
        record = [Record(0, int(time.time() * 1000), None, b"v" * 100)]
        batch = bytes(
            build_batch(
                record,
                producer_id=self.identity.producer_id,
                producer_epoch=self.identity.epoch,
                base_sequence=0,
                is_transactional=True,
            )
        )
        data = [produce_request.PartitionData(index=index, records=batch) for index in range(partitions)]
        self._patiently(self._produce_request(topic, data), _PRODUCE_VERSION, "produce")
        self.commit()

    def send(self, topic: str, batches: Sequence[bytearray]) -> None:
        """All batches to partition 0. The first one alone: it may have to wait for the transaction before."""
        first = [produce_request.PartitionData(index=0, records=batches[0])]
        self._patiently(self._produce_request(topic, first), _PRODUCE_VERSION, "produce")
        send_batches(self._client, topic, batches[1:], self._id)

    def commit_offset(self, group: str, topic: str, offset: int) -> None:
        partition = txn_offset_commit_request.Partitions(
            partition_index=0, committed_offset=offset, committed_metadata=""
        )
        request = TxnOffsetCommitRequest(
            transactional_id=self._id, group_id=group, producer_id=self.identity.producer_id,
            producer_epoch=self.identity.epoch, generation_id=-1, member_id="",
            topics=[txn_offset_commit_request.Topics(name=topic, partitions=[partition])],
        )  # fmt: skip
        self._patiently(request, 5, "commit offsets in a transaction")

    def commit(self) -> None:
        request = EndTxnRequest(
            transactional_id=self._id, producer_id=self.identity.producer_id, producer_epoch=self.identity.epoch,
            committed=True,
        )  # fmt: skip
        answer = self._patiently(request, 5, "end transaction")
        self.identity = Identity(answer.producer_id, answer.producer_epoch)

    def _produce_request(self, topic: str, data: list[produce_request.PartitionData]) -> ProduceRequest:
        return produce_of(topic, data, self._id)

    def _patiently(self, request: Any, version: int, what: str) -> Any:
        limit = time.monotonic() + _TRY_LIMIT_S
        while True:
            answer = self._client.call(request, version)
            code = first_error(answer)
            if not code:
                return answer
            if code not in _TRY_AGAIN or time.monotonic() > limit:
                raise RequestFailed(what, code)
            time.sleep(_PAUSE_S)


def first_error(answer: Any) -> int:
    """The first error code of an answer, wherever its kind of answer has it."""
    if hasattr(answer, "responses"):
        codes = [one.error_code for topic in answer.responses for one in topic.partition_responses]
    elif hasattr(answer, "topics"):
        codes = [one.error_code for topic in answer.topics for one in topic.partitions]
    else:
        codes = [answer.error_code]
    return next((code for code in codes if code), 0)


def produce_of(topic: str, data: list[produce_request.PartitionData], transactional_id: str | None) -> ProduceRequest:
    topics = [produce_request.TopicData(name=topic, partition_data=data)]
    return ProduceRequest(transactional_id=transactional_id, acks=-1, timeout_ms=30_000, topic_data=topics)


def send_batches(
    client: RawClient, topic: str, batches: Sequence[bytearray], transactional_id: str | None = None
) -> None:
    """Each batch in a request of its own, some in flight."""

    def receive() -> None:
        code = first_error(decode_response(0, _PRODUCE_VERSION, bytes(client.receive()))[1])
        if code:
            raise RequestFailed(f"produce to {topic}", code)

    waiting = 0
    for batch in batches:
        data = [produce_request.PartitionData(index=0, records=batch)]
        client.send(encode_request(1, CLIENT_ID, _PRODUCE_VERSION, produce_of(topic, data, transactional_id)))
        waiting += 1
        if waiting == _IN_FLIGHT:
            receive()
            waiting -= 1
    for _ in range(waiting):
        receive()


def copied_batches(records: memoryview, identity: Identity | None) -> list[bytearray]:
    """The whole batches in `records`; with an identity they become part of its transaction."""
    batches, position, sequence = [], 0, 0
    while position + 61 <= len(records):
        header = read_header(records, position)
        if position + header.size > len(records):
            break
        batch = bytearray(records[position : position + header.size])
        batch[:8] = bytes(8)  # a producer counts from 0; the CRC does not cover the offset
        if identity is not None:
            _PRODUCER_FIELDS.pack_into(batch, _PRODUCER_POSITION, identity.producer_id, identity.epoch, sequence)
            batch[ATTRIBUTES_POSITION + 1] |= TRANSACTIONAL_BIT
            patch_checksum(batch, 0, len(batch))
            sequence += header.record_count
        batches.append(batch)
        position += header.size
    return batches
