"""A transactional producer (TV2 or TV1) for simulated workloads: each request is sent again until its outcome is known.

A transfer writes the same number to several partitions in one transaction. What became of it is noted as committed,
aborted, or unknown: exactly what the checker needs to distinguish a torn transaction from a refused one.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any, Final

from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from ottla.protocol.generated import (
    add_partitions_to_txn_request,
    fetch_request,
    list_offsets_request,
    produce_request,
)
from ottla.protocol.generated.add_partitions_to_txn_request import AddPartitionsToTxnRequest
from ottla.protocol.generated.end_txn_request import EndTxnRequest
from ottla.protocol.generated.find_coordinator_request import FindCoordinatorRequest
from ottla.protocol.generated.init_producer_id_request import InitProducerIdRequest
from ottla.records.batch import read_header
from ottla.records.builder import build_batch
from ottla.records.reader import iterate_batches, iterate_records
from ottla.records.record import Record
from ottla.sim.client import ACKS_ALL, LATEST, SimClient
from ottla.sim.clock import WALL_START_MS
from ottla.sim.producer import CLIENT_ERRORS

READ_UNCOMMITTED: Final = 0
READ_COMMITTED: Final = 1
_TRANSACTION: Final = 1
_RETRY_S = 0.05
_BY_NAME: Final = 12
#: The last versions that a client of before KIP-890 speaks.
_TV1_ADD: Final = 3
_TV1_PRODUCE: Final = 11
_TV1_END: Final = 4

#: Whoever gets one of these may ask the same again.
TRY_AGAIN = frozenset(
    {
        ErrorCode.CONCURRENT_TRANSACTIONS,
        ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
        ErrorCode.COORDINATOR_NOT_AVAILABLE,
        ErrorCode.NOT_COORDINATOR,
        ErrorCode.NOT_ENOUGH_REPLICAS,
        ErrorCode.KAFKA_STORAGE_ERROR,
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ErrorCode.REQUEST_TIMED_OUT,
        ErrorCode.LEADER_NOT_AVAILABLE,
    }
)


class Fenced(Exception):
    """Another producer has started, or the coordinator has aborted the transaction."""


class TransactionalSimClient(SimClient):
    """The requests of transactions, one by one. `knows_tv2` False: as a client of before KIP-890 makes them."""

    knows_tv2 = True

    async def find_coordinator(self, transactional_id: str) -> None:
        """Raises ConnectionError when there is none: whoever asks makes its topic, and that may have failed."""
        response = await self._ask(FindCoordinatorRequest(key_type=_TRANSACTION, coordinator_keys=[transactional_id]))
        if response.coordinators[0].error_code:
            raise ConnectionError(ErrorCode(response.coordinators[0].error_code).name)

    async def init_transactional(self, transactional_id: str, timeout_ms: int) -> tuple[ErrorCode, int, int]:
        request = InitProducerIdRequest(transactional_id=transactional_id, transaction_timeout_ms=timeout_ms)
        response = await self._ask(request)
        return ErrorCode(response.error_code), response.producer_id, response.producer_epoch

    async def send_transactional(self, transactional_id: str, partition: TopicPartition, batch: bytes) -> ErrorCode:
        if not self.knows_tv2:
            header = read_header(batch)
            code = await self.add_partition(transactional_id, (header.producer_id, header.producer_epoch), partition)
            if code is not ErrorCode.NONE:
                return code
        data = produce_request.TopicData(
            name=partition.topic, partition_data=[produce_request.PartitionData(partition.partition, batch)]
        )
        request = produce_request.ProduceRequest(transactional_id, ACKS_ALL, 2_000, [data])
        response = await self._ask(request, _BY_NAME if self.knows_tv2 else _TV1_PRODUCE)
        return ErrorCode(response.responses[0].partition_responses[0].error_code)

    async def add_partition(
        self, transactional_id: str, producer: tuple[int, int], partition: TopicPartition
    ) -> ErrorCode:
        topic = add_partitions_to_txn_request.V3AndBelowTopics(name=partition.topic, partitions=[partition.partition])
        request = AddPartitionsToTxnRequest(
            v3_and_below_transactional_id=transactional_id,
            v3_and_below_producer_id=producer[0],
            v3_and_below_producer_epoch=producer[1],
            v3_and_below_topics=[topic],
        )
        response = await self._ask(request, _TV1_ADD)
        results = response.results_by_topic_v3_and_below[0].results_by_partition
        return ErrorCode(results[0].partition_error_code)

    async def end_transaction(
        self, transactional_id: str, producer: tuple[int, int], *, committed: bool
    ) -> tuple[ErrorCode, int, int]:
        """The code, and the producer id and epoch to continue with."""
        request = EndTxnRequest(transactional_id, *producer, committed)
        if not self.knows_tv2:
            return ErrorCode((await self._ask(request, _TV1_END)).error_code), *producer
        response = await self._ask(request)
        return ErrorCode(response.error_code), response.producer_id, response.producer_epoch

    async def end_offset(self, partition: TopicPartition, isolation_level: int) -> int:
        asked = list_offsets_request.Partitions(partition.partition, timestamp=LATEST)
        request = list_offsets_request.ListOffsetsRequest(
            replica_id=-1,
            isolation_level=isolation_level,
            topics=[list_offsets_request.Topics(partition.topic, [asked])],
        )
        partition_response = (await self._ask(request)).topics[0].partitions[0]
        if partition_response.error_code:
            raise ConnectionError(ErrorCode(partition_response.error_code).name)
        offset: int = partition_response.offset
        return offset

    async def committed_values(self, partition: TopicPartition) -> list[bytes]:
        """All that a read_committed reader is shown."""
        asked = fetch_request.Partitions(partition.partition, fetch_offset=0, partition_max_bytes=1 << 24)
        request = fetch_request.FetchRequest(
            max_wait_ms=0,
            max_bytes=1 << 24,
            isolation_level=READ_COMMITTED,
            topics=[fetch_request.Topics(topic=partition.topic, partitions=[asked])],
        )
        partition_response = (await self._ask(request, _BY_NAME)).responses[0].partitions[0]
        if partition_response.error_code:
            raise ConnectionError(ErrorCode(partition_response.error_code).name)
        return visible_values(partition_response)


def visible_values(partition: Any) -> list[bytes]:
    return [bytes(record.value or b"") for record in visible_records(partition)]


def visible_records(partition: Any) -> list[Record]:
    """Leaves out the data of aborted transactions, as every client does."""
    aborted = sorted((each.first_offset, each.producer_id) for each in partition.aborted_transactions or ())
    skipped: dict[int, None] = {}
    records: list[Record] = []
    data = partition.records or b""
    for position, header in iterate_batches(data, allow_partial=True):
        while aborted and aborted[0][0] <= header.last_offset:
            skipped[aborted.pop(0)[1]] = None
        if header.is_control:
            skipped.pop(header.producer_id, None)
        elif not (header.is_transactional and header.producer_id in skipped):
            records += iterate_records(data, position, header)
    return records


class TransferProducer:
    """Owned by a workload. `outcomes`: by number, whether it was committed; None: no response arrived."""

    def __init__(
        self,
        client: TransactionalSimClient,
        transactional_id: str,
        partitions: list[TopicPartition],
        *,
        timeout_ms: int,
    ) -> None:
        self._client = client
        self._id = transactional_id
        self._partitions = partitions
        self._timeout_ms = timeout_ms
        self._producer: tuple[int, int] | None = None
        self._sequences: dict[TopicPartition, int] = {}
        self.outcomes: dict[bytes, bool | None] = {}

    async def transfer(self, value: bytes, *, committed: bool) -> None:
        try:
            await self.write(value)
            await self.end(value, committed=committed)
        except Fenced:
            self._producer = None

    def use_transactional_id(self, transactional_id: str) -> None:
        """As another program would; call it between transactions."""
        self._id = transactional_id
        self._producer = None

    async def abandon(self, value: bytes) -> None:
        """Writes and never ends the transaction: only its timeout does."""
        with contextlib.suppress(Fenced):
            await self.write(value)
        self._producer = None

    async def write(self, value: bytes) -> None:
        self.outcomes[value] = False
        if self._producer is None:
            await self._start()
        for partition in self._partitions:
            await self._send(partition, value)

    async def end(self, value: bytes, *, committed: bool) -> None:
        if committed:
            self.outcomes[value] = None
        self.outcomes[value] = await self._end(committed)

    async def _start(self) -> None:
        await self._until_known(self._found)
        code, producer_id, epoch = await self._until_known(
            lambda: self._client.init_transactional(self._id, self._timeout_ms)
        )
        if code is not ErrorCode.NONE:
            raise Fenced(code.name)
        self._set_producer(producer_id, epoch)

    async def _found(self) -> tuple[ErrorCode, int, int]:
        await self._client.find_coordinator(self._id)
        return ErrorCode.NONE, -1, -1

    def _set_producer(self, producer_id: int, epoch: int) -> None:
        if self._producer != (producer_id, epoch):
            self._producer = (producer_id, epoch)
            self._sequences.clear()

    def _record(self, value: bytes) -> Record:
        return Record(0, WALL_START_MS, None, value, ())

    async def _send(self, partition: TopicPartition, value: bytes) -> None:
        assert self._producer is not None
        sequence = self._sequences.get(partition, 0)
        batch = bytes(
            build_batch(
                [self._record(value)],
                producer_id=self._producer[0],
                producer_epoch=self._producer[1],
                base_sequence=sequence,
                is_transactional=True,
            )
        )

        async def send() -> tuple[ErrorCode, int, int]:
            return await self._client.send_transactional(self._id, partition, bytes(batch)), -1, -1

        code, _, _ = await self._until_known(send)
        if code is not ErrorCode.NONE:
            raise Fenced(code.name)
        self._sequences[partition] = sequence + 1

    async def _end(self, committed: bool) -> bool:
        """What was decided. A transaction that timed out meanwhile was decided without us."""
        assert self._producer is not None
        producer = self._producer
        code, producer_id, epoch = await self._until_known(
            lambda: self._client.end_transaction(self._id, producer, committed=committed)
        )
        if code is ErrorCode.INVALID_TXN_STATE:
            self._producer = None
            return not committed
        if code is not ErrorCode.NONE:
            raise Fenced(code.name)
        self._set_producer(producer_id, epoch)
        return committed

    async def _until_known(
        self, ask: Callable[[], Awaitable[tuple[ErrorCode, int, int]]]
    ) -> tuple[ErrorCode, int, int]:
        """Asks until the response is one that does not ask to retry."""
        while True:
            try:
                response = await ask()
            except CLIENT_ERRORS:
                await asyncio.sleep(_RETRY_S)
                continue
            if response[0] not in TRY_AGAIN:
                return response
            await asyncio.sleep(_RETRY_S)
