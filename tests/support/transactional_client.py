"""A transactional producer of the newest generation (TV2), step by step, so that a test can stop between any two."""

import time
from typing import Any

from ottla.client import Admin, Consumer, OffsetSpec, RequestRefused, TopicPartition
from ottla.model.error_codes import ErrorCode
from ottla.protocol.generated import find_coordinator_request, produce_request
from ottla.protocol.generated.end_txn_request import EndTxnRequest
from ottla.protocol.generated.end_txn_response import EndTxnResponse
from ottla.protocol.generated.init_producer_id_request import InitProducerIdRequest
from ottla.records.builder import build_batch
from ottla.records.record import Record
from tests.support.kit_broker import AnyBroker
from tests.support.waiting import eventually
from tests.support.wire import Wire

READ_COMMITTED = 1
TRY_AGAIN = {
    ErrorCode.CONCURRENT_TRANSACTIONS,
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
    ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_COORDINATOR,
    ErrorCode.NOT_ENOUGH_REPLICAS,
}


class TransactionalClient:
    """Connects anew with `reconnect`; what it knows of its producer id, epoch and sequences stays."""

    def __init__(self, broker: AnyBroker, transactional_id: str, *, timeout_ms: int = 60_000) -> None:
        self._broker = broker
        self.transactional_id = transactional_id
        self.timeout_ms = timeout_ms
        self.producer_id, self.epoch = -1, -1
        self._sequences: dict[tuple[str, int], int] = {}
        self.wire = Wire(broker)

    def reconnect(self) -> None:
        self.wire.close()
        self.wire = Wire(self._broker)

    def starts(self) -> None:
        request = find_coordinator_request.FindCoordinatorRequest(key_type=1, coordinator_keys=[self.transactional_id])
        self.wire.ask(request, 4)
        init = InitProducerIdRequest(transactional_id=self.transactional_id, transaction_timeout_ms=self.timeout_ms)
        answer = eventually(lambda: _if_decided(self.wire.ask(init, 5)))
        assert answer.error_code == ErrorCode.NONE
        self._goes_on_as(answer.producer_id, answer.producer_epoch)

    def _goes_on_as(self, producer_id: int, epoch: int) -> None:
        if (producer_id, epoch) != (self.producer_id, self.epoch):
            self._sequences.clear()
        self.producer_id, self.epoch = producer_id, epoch

    def sends(self, topic: str, partition: int, value: bytes, *, version: int = 12) -> ErrorCode:
        sequence = self._sequences.get((topic, partition), 0)
        batch = build_batch(
            [Record(0, int(time.time() * 1000), None, value, ())],
            producer_id=self.producer_id,
            producer_epoch=self.epoch,
            base_sequence=sequence,
            is_transactional=True,
        )
        code = self.sends_batch(topic, partition, bytes(batch), version=version)
        if code is ErrorCode.NONE:
            self._sequences[topic, partition] = sequence + 1
        return code

    def sends_batch(self, topic: str, partition: int, batch: bytes, *, version: int = 12) -> ErrorCode:
        request = produce_request.ProduceRequest(
            transactional_id=self.transactional_id,
            acks=-1,
            timeout_ms=10_000,
            topic_data=[
                produce_request.TopicData(
                    name=topic, partition_data=[produce_request.PartitionData(index=partition, records=batch)]
                )
            ],
        )
        return ErrorCode(self.wire.ask(request, version).responses[0].partition_responses[0].error_code)

    def ends(self, *, committed: bool, version: int = 5) -> EndTxnResponse:
        request = EndTxnRequest(
            transactional_id=self.transactional_id,
            producer_id=self.producer_id,
            producer_epoch=self.epoch,
            committed=committed,
        )
        answer: EndTxnResponse = self.wire.ask(request, version)
        return answer

    def commits(self) -> None:
        """As a client does it: again until the coordinator has decided, then on with the new epoch."""
        self.ends_surely(committed=True)

    def ends_surely(self, *, committed: bool) -> None:
        answer = eventually(lambda: _if_decided(self.ends(committed=committed)))
        assert answer.error_code == ErrorCode.NONE, ErrorCode(answer.error_code).name
        self._goes_on_as(answer.producer_id, answer.producer_epoch)


def _if_decided(answer: Any) -> Any:
    return None if answer.error_code in TRY_AGAIN else answer


def state_of(broker: AnyBroker, transactional_id: str) -> str:
    with Admin(bootstrap_servers=broker.address) as admin:
        try:
            return admin.describe_transactions([transactional_id])[transactional_id].state
        except RequestRefused as refusal:
            return refusal.code.name if refusal.code is not None else str(refusal)


def committed_values(broker: AnyBroker, topic: str, partition: int = 0) -> list[bytes]:
    """What a read_committed reader is shown."""
    asked = TopicPartition(topic, partition)
    with Consumer(bootstrap_servers=broker.address, isolation_level="read_committed") as consumer:
        consumer.assign([asked])
        consumer.seek_to_beginning()
        end = consumer.end_offsets([asked])[asked]
        values: list[bytes] = []
        while consumer.position(asked) < end:
            values += [record.value or b"" for record in consumer.poll(timeout_ms=20)]
    return values


def end_offset(broker: AnyBroker, topic: str, *, isolation_level: int, partition: int = 0) -> int:
    """The last stable offset for read_committed, else the high watermark."""
    asked = TopicPartition(topic, partition)
    with Admin(bootstrap_servers=broker.address) as admin:
        found = admin.list_offsets({asked: OffsetSpec.LATEST}, read_committed=isolation_level == READ_COMMITTED)
    return found[asked].offset
