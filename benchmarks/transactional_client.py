"""One transactional producer on a plain socket, and batches that are copied as they are, with new producer fields."""

import time
from collections.abc import Sequence
from typing import Any

from benchmarks.producer_identity import Identity, init_producer
from benchmarks.raw_client import CLIENT_ID, RawClient, check_code
from benchmarks.request_loop import pipeline
from benchmarks.waiting import COORDINATOR_NOT_READY, retry
from ottla.model.error_codes import ErrorCode
from ottla.protocol.exchange import decode_response, encode_request
from ottla.protocol.generated import produce_request, txn_offset_commit_request
from ottla.protocol.generated.end_txn_request import EndTxnRequest
from ottla.protocol.generated.produce_request import ProduceRequest
from ottla.protocol.generated.txn_offset_commit_request import TxnOffsetCommitRequest
from ottla.records.batch import HEADER_SIZE, patch_producer, read_header
from ottla.records.builder import Record, build_batch

_PRODUCE_VERSION = 12
#: The coordinator is not ready, or still writes the markers of the transaction before. A produce response reports that
#: as NOT_ENOUGH_REPLICAS, as Apache Kafka does for clients that do not know CONCURRENT_TRANSACTIONS.
_RETRIABLE = (*COORDINATOR_NOT_READY, ErrorCode.NOT_ENOUGH_REPLICAS, ErrorCode.CONCURRENT_TRANSACTIONS)


class TransactionalProducer:
    """Commits everything it sends. Its epoch grows with each transaction (KIP-890), so sequences start anew."""

    def __init__(self, client: RawClient, transactional_id: str) -> None:
        self._client = client
        self._id = transactional_id
        self.identity = init_producer(client, transactional_id)

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
        self._produce(topic, data)
        self.commit()

    def send(self, topic: str, batches: Sequence[bytearray]) -> None:
        """All batches to partition 0. The first one alone: it may have to wait for the transaction before."""
        self._produce(topic, [produce_request.PartitionData(index=0, records=batches[0])])
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
        self._call(request, 5, "commit offsets in a transaction")

    def commit(self) -> None:
        request = EndTxnRequest(
            transactional_id=self._id, producer_id=self.identity.producer_id, producer_epoch=self.identity.epoch,
            committed=True,
        )  # fmt: skip
        response = self._call(request, 5, "end transaction")
        self.identity = Identity(response.producer_id, response.producer_epoch)

    def _produce(self, topic: str, data: list[produce_request.PartitionData]) -> None:
        self._call(_produce_request(topic, data, self._id), _PRODUCE_VERSION, "produce")

    def _call(self, request: Any, version: int, what: str) -> Any:
        def attempt() -> Any:
            response = self._client.call(request, version)
            check_code(what, first_error(response))
            return response

        return retry(attempt, _RETRIABLE, timeout_s=60, pause_s=0.001)


def first_error(response: Any) -> int:
    """The first error code of a response, wherever its kind of response has it."""
    if hasattr(response, "responses"):
        codes = [one.error_code for topic in response.responses for one in topic.partition_responses]
    elif hasattr(response, "topics"):
        codes = [one.error_code for topic in response.topics for one in topic.partitions]
    else:
        codes = [response.error_code]
    return next((code for code in codes if code), 0)


def _produce_request(
    topic: str, data: list[produce_request.PartitionData], transactional_id: str | None
) -> ProduceRequest:
    topics = [produce_request.TopicData(name=topic, partition_data=data)]
    return ProduceRequest(transactional_id=transactional_id, acks=-1, timeout_ms=30_000, topic_data=topics)


def send_batches(
    client: RawClient, topic: str, batches: Sequence[bytearray], transactional_id: str | None = None
) -> None:
    """Each batch in a request of its own, some in flight."""

    def check(response: memoryview) -> None:
        check_code(f"produce to {topic}", first_error(decode_response(0, _PRODUCE_VERSION, bytes(response))[1]))

    data = ([produce_request.PartitionData(index=0, records=batch)] for batch in batches)
    requests = (_produce_request(topic, each, transactional_id) for each in data)
    pipeline(client, (encode_request(1, CLIENT_ID, _PRODUCE_VERSION, request) for request in requests), check)


def copied_batches(records: memoryview, identity: Identity | None) -> list[bytearray]:
    """The whole batches in `records`; with an identity they become part of its transaction."""
    batches, position, sequence = [], 0, 0
    while position + HEADER_SIZE <= len(records):
        header = read_header(records, position)
        if position + header.size > len(records):
            break
        batch = bytearray(records[position : position + header.size])
        batch[:8] = bytes(8)  # a producer counts from 0; the CRC does not cover the offset
        if identity is not None:
            patch_producer(batch, 0, len(batch), identity.producer_id, identity.epoch, sequence, True)
            sequence += header.record_count
        batches.append(batch)
        position += header.size
    return batches
