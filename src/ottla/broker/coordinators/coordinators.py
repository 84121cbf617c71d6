"""The shards that live on the partitions of one internal topic: groups, or transactions."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import lru_cache, partial
from typing import Any, NamedTuple

from ottla.broker.execution.tasks import Tasks
from ottla.broker.metadata.cache import MetadataCache
from ottla.broker.partitions.partitions import Partitions
from ottla.broker.shards.shard_host import ShardHost
from ottla.broker.shards.shard_log import PartitionShardLog
from ottla.broker.storage.faults import StorageFaults
from ottla.broker.storage.flusher import Flusher
from ottla.coordination.shard import RecordCodec, Shard
from ottla.doors.clock import Clock
from ottla.log.files.disk_errors import is_out_of_files
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import CorruptLog, Refused, RemoteProtocolError
from ottla.model.hashing import coordinator_partition
from ottla.model.topic import TopicPartition
from ottla.replication.partition_leader import PartitionLeader

_log = logging.getLogger(__name__)
_RELOAD_S = 1.0
#: Java's hash of a string is a loop over its characters, and every request of a group asks for it.
_partition_of = lru_cache(maxsize=8192)(coordinator_partition)


class Hosting(NamedTuple):
    """What the shards of a node run on."""

    metadata: MetadataCache
    partitions: Partitions
    clock: Clock
    flusher: Flusher
    faults: StorageFaults
    tasks: Tasks


class Coordinators:
    """Owned by the node, one for each internal topic. A shard is loaded when its partition becomes ours."""

    def __init__(
        self,
        hosting: Hosting,
        topic: str,
        make_shard: Callable[[int], tuple[Shard, RecordCodec]],
        create_topic: Callable[[], Awaitable[None]],
    ) -> None:
        self._hosting = hosting
        self._metadata = hosting.metadata
        self.topic = topic
        self._make_shard = make_shard
        self._create_topic = create_topic
        self._hosts: dict[int, ShardHost] = {}

    def hosts(self) -> list[ShardHost]:
        return [host for _, host in sorted(self._hosts.items())]

    def partition_for(self, key: str) -> int | None:
        """Which partition coordinates `key`; None while the topic does not exist."""
        topic = self._metadata.image.topic(self.topic)
        return None if topic is None else _partition_of(key, topic.partition_count)

    def host_for(self, key: str) -> ShardHost:
        """The shard that knows `key`, or the refusal that sends the client to look for it."""
        topic = self._metadata.image.topics.by_name.get(self.topic)
        if topic is None:
            raise Refused(ErrorCode.COORDINATOR_NOT_AVAILABLE, f"{self.topic} does not exist yet")
        partition = _partition_of(key, len(topic.partitions))
        return self._hosts.get(partition) or self.host_at(partition)

    def host_at(self, partition: int) -> ShardHost:
        host = self._hosts.get(partition)
        if host is None and self._hosting.partitions.get(self.topic, partition) is not None:
            host = self._hosts.get(partition)
        if host is None:
            raise Refused(ErrorCode.NOT_COORDINATOR)
        return host

    def find_host(self, partition: int) -> ShardHost | None:
        return self._hosts.get(partition)

    async def ensure_topic(self) -> None:
        """Creates the internal topic on first use."""
        if self._metadata.image.topic(self.topic) is None:
            await self._create_topic()

    # -- the partitions of the topic

    def partition_led(self, leader: PartitionLeader) -> None:
        if leader.topic_partition.topic == self.topic:
            self.led(leader)

    def partition_lost(self, topic_partition: TopicPartition) -> None:
        if topic_partition.topic == self.topic:
            self.lost(topic_partition.partition)

    def led(self, leader: PartitionLeader) -> None:
        """A partition of the topic is ours now, or in a new leader epoch."""
        index = leader.topic_partition.partition
        shard, codec = self._make_shard(index)
        hosting = self._hosting
        log = PartitionShardLog(leader, hosting.flusher)
        name = f"{self.topic}-{index}"
        host = ShardHost(name, shard, SkippingCodec(codec, name), log, hosting.clock)
        host.on_disk_failed = partial(hosting.faults.io_failed, leader.topic_partition)
        self.lost(index)
        self._hosts[index] = host
        if leader.log.end_offset == leader.log.log_start_offset:
            host.activate()
        else:
            hosting.tasks.spawn(self._load(host), name=f"load {host.name}")

    def lost(self, index: int) -> None:
        host = self._hosts.pop(index, None)
        if host is not None:
            host.unload()

    def close(self) -> None:
        for index in list(self._hosts):
            self.lost(index)

    async def _load(self, host: ShardHost) -> None:
        started_ms = self._hosting.clock.monotonic_ms()
        try:
            await host.load()
        except Exception as error:  # noqa: BLE001  clients must not get COORDINATOR_LOAD_IN_PROGRESS forever
            self._not_loaded(host, error)
            return
        _log.info("%s loaded in %d ms", host.name, self._hosting.clock.monotonic_ms() - started_ms)

    def _not_loaded(self, host: ShardHost, error: Exception) -> None:
        host.unload()
        if isinstance(error, OSError | CorruptLog):
            index = next(index for index, known in self._hosts.items() if known is host)
            self._hosting.faults.log_failed((self.topic, index), error)
            if is_out_of_files(error):
                asyncio.get_running_loop().call_later(_RELOAD_S, self._load_again, index, host)
        else:
            message = f"{host.name} cannot be loaded; what it coordinates is refused until a restart"
            asyncio.get_running_loop().call_exception_handler({"message": message, "exception": error})

    def _load_again(self, index: int, host: ShardHost) -> None:
        leader = self._hosting.partitions.get(self.topic, index)
        if self._hosts.get(index) is host and leader is not None:
            self.led(leader)


class SkippingCodec:
    """Skips records that are invalid. Whoever may write to the topic may send such a record; it must not take
    the groups, or the transactions, of its whole partition away.
    """

    def __init__(self, codec: RecordCodec, name: str) -> None:
        # Every commit is encoded: not through a frame of ours.
        self.encode = codec.encode
        self._codec = codec
        self._name = name
        self._skipped_count = 0

    def decode(self, key: bytes | None, value: bytes | None) -> Any | None:
        try:
            return self._codec.decode(key, value)
        except RemoteProtocolError as error:
            self._skipped_count += 1
            if self._skipped_count == 1:
                _log.warning("%s: a record is invalid and is skipped, as are others like it: %s", self._name, error)
            return None
