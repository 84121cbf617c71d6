"""Clients of the stories about storage: what an administrator asks for, and a producer that insists on each value."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from ottla.protocol.generated import alter_replica_log_dirs_request as alter_dirs
from ottla.protocol.generated import delete_records_request, delete_topics_request, describe_log_dirs_request
from ottla.records.builder import Record, build_batch
from ottla.sim.client import ACKS_ALL, EARLIEST, LATEST, SimClient
from ottla.sim.clock import WALL_START_MS
from ottla.sim.history import Acked, History, Read, Sent
from ottla.sim.producer import CLIENT_ERRORS

_RETRY_S = 0.1
_BY_NAME = 5


class StorageClient(SimClient):
    """Each call is repeated until the broker has done what was asked: it may be starting."""

    async def retry(self, ask: Callable[[], Awaitable[ErrorCode]], *done: ErrorCode) -> None:
        while True:
            try:
                if await ask() in (ErrorCode.NONE, *done):
                    return
            except CLIENT_ERRORS:
                self.close()
            await asyncio.sleep(_RETRY_S)

    async def create(self, topic: str, config: dict[str, str]) -> None:
        await self.retry(lambda: self.create_topic(topic, 1, config), ErrorCode.TOPIC_ALREADY_EXISTS)

    async def delete_topic(self, topic: str) -> None:
        request = delete_topics_request.DeleteTopicsRequest(topic_names=[topic], timeout_ms=5_000)

        async def ask() -> ErrorCode:
            return ErrorCode((await self._ask(request, _BY_NAME)).responses[0].error_code)

        await self.retry(ask, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)

    async def delete_records(self, partition: TopicPartition, offset: int, *done: ErrorCode) -> None:
        wanted = delete_records_request.Partitions(partition.partition, offset)
        topic = delete_records_request.Topics(partition.topic, [wanted])

        async def ask() -> ErrorCode:
            response = await self._ask(delete_records_request.DeleteRecordsRequest([topic], 5_000))
            return ErrorCode(response.topics[0].partitions[0].error_code)

        await self.retry(ask, *done)

    async def move(self, partition: TopicPartition, directory: str) -> None:
        """Until the replica is in the directory and nowhere else."""
        topic = alter_dirs.Topics(partition.topic, [partition.partition])
        request = alter_dirs.AlterReplicaLogDirsRequest([alter_dirs.Dirs(directory, [topic])])

        async def ask() -> ErrorCode:
            if await self._directories_of(partition) == [directory]:
                return ErrorCode.NONE
            await self._ask(request)
            return ErrorCode.REQUEST_TIMED_OUT

        await self.retry(ask)

    async def _directories_of(self, partition: TopicPartition) -> list[str]:
        response = await self._ask(describe_log_dirs_request.DescribeLogDirsRequest(topics=None))
        return [
            result.log_dir
            for result in response.results
            for topic in result.topics
            if topic.name == partition.topic
            for found in topic.partitions
            if found.partition_index == partition.partition
        ]

    async def read_from_start(self, partition: TopicPartition) -> tuple[int, list[Read]]:
        """The log start offset, and everything from there on."""
        start: list[int] = []
        reads: list[Read] = []

        async def ask() -> ErrorCode:
            reads.clear()
            code, offset = await self.list_offset(*partition, EARLIEST)
            start[:] = [offset]
            code = max(code, (latest := await self.list_offset(*partition, LATEST))[0])
            while code == ErrorCode.NONE and offset < latest[1]:
                fetched: Any = await self.fetch(*partition, offset, max_wait_ms=0)
                code, offset = fetched.code, fetched.next_offset
                reads.extend(Read("reader", partition, record.offset, record.value) for record in fetched.records)
            return code

        await self.retry(ask)
        return start[0], reads


class RetryingWriter:
    """An idempotent producer of one partition, one batch at a time; each is sent until it is acked."""

    def __init__(self, name: str, client: StorageClient, partition: TopicPartition, history: History) -> None:
        self._name = name
        self._client = client
        self._partition = partition
        self._history = history
        self._producer_id = -1
        self._sequence = 0

    async def write(self, value: bytes, key: bytes | None = None) -> None:
        if self._producer_id < 0:
            await self._client.retry(self._get_producer_id)
        self._history.sent[value] = Sent(self._name, self._partition, self._sequence, True)
        batch = build_batch(
            [Record(0, WALL_START_MS + self._sequence, key, value)],
            producer_id=self._producer_id,
            producer_epoch=0,
            base_sequence=self._sequence,
        )
        self._sequence += 1
        await self._client.retry(lambda: self._send(bytes(batch), value))

    async def _get_producer_id(self) -> ErrorCode:
        code, self._producer_id, _ = await self._client.init_producer_id()
        return code

    async def _send(self, batch: bytes, value: bytes) -> ErrorCode:
        await self._client.connected()
        sent = self._client.send_batch(*self._partition, batch, acks=ACKS_ALL)
        assert sent is not None
        outcome = await sent
        if outcome.code == ErrorCode.NONE:
            self._history.acked.append(Acked(self._name, self._partition, outcome.base_offset, (value,), True))
        elif outcome.code == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER:
            self._history.found("producer-refused", f"{value[:40]!r} on {self._partition} got {outcome.code.name}")
            return ErrorCode.NONE
        return outcome.code
