"""A small Kafka client for simulated workloads: one broker, one connection, no hidden retries.

It reports exactly what happened to each request, which is what checkers need; retrying is left to the workload.
Workloads use it through `LogClient`, so another client can take its place.
"""

import asyncio
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from ottla.doors.network import Network
from ottla.model.error_codes import ErrorCode
from ottla.protocol.generated import (
    create_topics_request,
    fetch_request,
    list_offsets_request,
    metadata_request,
    produce_request,
)
from ottla.protocol.generated.init_producer_id_request import InitProducerIdRequest
from ottla.records.batch import is_intact
from ottla.records.errors import CorruptRecord
from ottla.records.reader import iterate_batches, iterate_records
from ottla.runtime.channel import Channel

ACKS_ALL = -1
LATEST = -1
EARLIEST = -2
#: From these versions on, topics are named by their ids.
_PRODUCE_BY_ID = 13
_FETCH_BY_ID = 13


class ProduceOutcome(NamedTuple):
    code: ErrorCode
    base_offset: int


class CorruptFetch(Exception):
    """The broker sent bytes that are no record batches, or not intact."""


class FetchedRecord(NamedTuple):
    offset: int
    value: bytes


class Fetched(NamedTuple):
    code: ErrorCode
    records: list[FetchedRecord]
    log_start_offset: int
    last_stable_offset: int
    high_watermark: int
    next_offset: int


class LogClient(Protocol):
    """What producers, consumers and readers of the workloads need of a client."""

    async def create_topic(self, name: str, partition_count: int, configs: Mapping[str, str]) -> ErrorCode: ...

    async def init_producer_id(self) -> tuple[ErrorCode, int, int]: ...

    async def connected(self) -> None: ...

    def send_batch(
        self, topic: str, partition: int, batch: bytes, *, acks: int
    ) -> "asyncio.Future[ProduceOutcome] | None": ...

    async def learn_topic_id(self, topic: str) -> ErrorCode: ...

    async def fetch(
        self, topic: str, partition: int, offset: int, *, max_wait_ms: int = 500, max_bytes: int = 1 << 20
    ) -> Fetched: ...

    async def list_offset(self, topic: str, partition: int, timestamp_ms: int) -> tuple[ErrorCode, int]: ...

    def close(self) -> None: ...


class SimClient:
    """Implements `LogClient`. Connects when it is needed, and again after the connection is lost."""

    def __init__(
        self, network: Network, host: str, port: int, name: str, *, by_topic_id: bool, timeout_ms: int = 5_000
    ) -> None:
        self._network = network
        self._address = (host, port)
        self._name = name
        self._by_topic_id = by_topic_id
        self._timeout_ms = timeout_ms
        self._channel: Channel | None = None
        self._topic_ids: dict[str, bytes] = {}

    async def connected(self) -> None:
        """Raises OSError, or a ProtocolError, when there is no connection to be had."""
        if self._channel is None or not self._channel.is_open:
            self._channel = await Channel.connect(
                self._network, *self._address, client_id=self._name, request_timeout_ms=self._timeout_ms
            )

    def close(self) -> None:
        if self._channel is not None:
            self._channel.close()

    async def _ask(self, request: Any, version: int | None = None) -> Any:
        await self.connected()
        assert self._channel is not None
        return await self._channel.ask(request, version)

    async def create_topic(self, name: str, partition_count: int, configs: Mapping[str, str]) -> ErrorCode:
        topic = create_topics_request.Topics(
            name=name,
            num_partitions=partition_count,
            replication_factor=1,
            configs=[create_topics_request.Configs(key, value) for key, value in configs.items()],
        )
        response = await self._ask(create_topics_request.CreateTopicsRequest([topic], self._timeout_ms))
        return ErrorCode(response.topics[0].error_code)

    async def init_producer_id(self) -> tuple[ErrorCode, int, int]:
        response = await self._ask(InitProducerIdRequest(transactional_id=None, transaction_timeout_ms=60_000))
        return ErrorCode(response.error_code), response.producer_id, response.producer_epoch

    async def learn_topic_id(self, topic: str) -> ErrorCode:
        if not self._by_topic_id or topic in self._topic_ids:
            return ErrorCode.NONE
        request = metadata_request.MetadataRequest(
            topics=[metadata_request.Topics(name=topic)], allow_auto_topic_creation=False
        )
        response = await self._ask(request)
        code = ErrorCode(response.topics[0].error_code)
        if code == ErrorCode.NONE:
            self._topic_ids[topic] = response.topics[0].topic_id
        return code

    def send_batch(
        self, topic: str, partition: int, batch: bytes, *, acks: int
    ) -> "asyncio.Future[ProduceOutcome] | None":
        """Sends on the open connection, now. None for acks=0: there is no response."""
        if self._channel is None:
            raise ConnectionError("not connected")
        data = produce_request.TopicData(
            topic_id=self._topic_ids.get(topic, bytes(16)),
            name=topic,
            partition_data=[produce_request.PartitionData(partition, batch)],
        )
        request = produce_request.ProduceRequest(None, acks, self._timeout_ms // 2, [data])
        version = self._channel.version_for(produce_request.ProduceRequest)
        if topic not in self._topic_ids:
            version = min(version, _PRODUCE_BY_ID - 1)
        if acks == 0:
            self._channel.send_without_response(request, version)
            return None
        return asyncio.ensure_future(_outcome(self._channel.send(request, version)))

    async def fetch(
        self, topic: str, partition: int, offset: int, *, max_wait_ms: int = 500, max_bytes: int = 1 << 20
    ) -> Fetched:
        await self.connected()
        assert self._channel is not None
        wanted = fetch_request.Partitions(partition, fetch_offset=offset, partition_max_bytes=max_bytes)
        request = fetch_request.FetchRequest(
            max_wait_ms=max_wait_ms,
            min_bytes=1,
            max_bytes=max_bytes,
            topics=[fetch_request.Topics(self._topic_ids.get(topic, bytes(16)), topic, [wanted])],
        )
        version = self._channel.version_for(fetch_request.FetchRequest)
        if topic not in self._topic_ids:
            version = min(version, _FETCH_BY_ID - 1)
        response: Any = await self._channel.ask(request, version)
        if response.error_code:
            return Fetched(ErrorCode(response.error_code), [], -1, -1, -1, offset)
        return _fetched(response.responses[0].partitions[0], offset)

    async def list_offset(self, topic: str, partition: int, timestamp_ms: int) -> tuple[ErrorCode, int]:
        wanted = list_offsets_request.Partitions(partition, timestamp=timestamp_ms)
        request = list_offsets_request.ListOffsetsRequest(
            replica_id=-1, topics=[list_offsets_request.Topics(topic, [wanted])]
        )
        partition_response = (await self._ask(request)).topics[0].partitions[0]
        return ErrorCode(partition_response.error_code), partition_response.offset


async def _outcome(waiting: "asyncio.Future[Any]") -> ProduceOutcome:
    partition_response = (await waiting).responses[0].partition_responses[0]
    return ProduceOutcome(ErrorCode(partition_response.error_code), partition_response.base_offset)


def _fetched(partition: Any, offset: int) -> Fetched:
    data = partition.records or b""
    records: list[FetchedRecord] = []
    next_offset = offset
    try:
        for position, header in iterate_batches(data, allow_partial=True):
            if not is_intact(data, position, header):
                raise CorruptFetch(f"wrong checksum at offset {header.base_offset}")
            next_offset = max(next_offset, header.next_offset)
            # A batch may begin before the offset that was asked for.
            records.extend(
                FetchedRecord(record.offset, record.value or b"")
                for record in iterate_records(data, position, header)
                if record.offset >= offset
            )
    except CorruptRecord as error:
        raise CorruptFetch(str(error)) from error
    return Fetched(
        ErrorCode(partition.error_code),
        records,
        partition.log_start_offset,
        partition.last_stable_offset,
        partition.high_watermark,
        next_offset,
    )
