"""The transaction shards of this node, and how the rest of the broker asks them."""

from __future__ import annotations

import contextlib

from ottla.broker.controller.client import ControllerClient
from ottla.broker.controller.producer_ids import ProducerIds
from ottla.broker.coordinators.coordinators import Coordinators, Hosting
from ottla.broker.coordinators.marker_writer import MarkerWriter
from ottla.broker.coordinators.markers import MarkerLog
from ottla.broker.metadata.dynamic_config import DynamicConfig
from ottla.broker.shards.shard_host import ShardHost
from ottla.broker.storage.retention_clock import RetentionClock
from ottla.coordination.shard import RecordCodec, Shard
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.topic import TRANSACTION_STATE
from ottla.replication.partition_leader import PartitionLeader
from ottla.transactions.records import TransactionCodec
from ottla.transactions.settings import TransactionSettings
from ottla.transactions.shard import TransactionShard
from ottla.transactions.transaction import TransactionVersion

_FEATURE = "transaction.version"


class TransactionCoordinators(Coordinators):
    """Owned by the node."""

    def __init__(
        self,
        hosting: Hosting,
        controller: ControllerClient,
        config: DynamicConfig,
        retention_clock: RetentionClock,
        producer_ids: ProducerIds,
        markers: MarkerLog,
    ) -> None:
        super().__init__(
            hosting, TRANSACTION_STATE, self._new_shard, lambda: controller.create_internal(TRANSACTION_STATE)
        )
        self._config = config
        self._retention_clock = retention_clock
        self._producer_ids = producer_ids
        self._markers = MarkerWriter(markers, hosting.partitions, hosting.metadata, hosting.tasks)

    def shard_for(self, transactional_id: str) -> tuple[ShardHost, TransactionShard]:
        """Raises Refused where another node coordinates the id, or nobody yet."""
        host = self.host_for(transactional_id)
        self._markers.complete(host, transactional_id)
        shard = host.shard
        assert isinstance(shard, TransactionShard)
        return host, shard

    async def free_shard_for(self, transactional_id: str) -> tuple[ShardHost, TransactionShard]:
        """As `shard_for`. Waits a moment while the markers of the id's last transaction are brought to the device: the
        client would be refused with CONCURRENT_TRANSACTIONS and come again later.
        """
        host, shard = self.shard_for(transactional_id)
        if shard.is_decided(transactional_id):
            timeout_s = self._config.options.add_partitions_to_txn_retry_backoff_max_ms / 1000
            await self._markers.until_safe(host, transactional_id, timeout_s)
            host, shard = self.shard_for(transactional_id)
        return host, shard

    async def stock_producer_ids(self) -> None:
        """Before operations that may need one. Where none can be had, the shard refuses, but only if it needs one."""
        with contextlib.suppress(Refused):
            await self._producer_ids.stock()

    def led(self, leader: PartitionLeader) -> None:
        super().led(leader)
        host = self.find_host(leader.topic_partition.partition)
        if host is not None and host.state == "active":
            self._markers.serve(host)

    def close(self) -> None:
        self._markers.complete_all()
        super().close()

    def partition_led(self, leader: PartitionLeader) -> None:
        super().partition_led(leader)
        self.partition_opened(leader)

    def partition_opened(self, leader: PartitionLeader) -> None:
        """Any partition of this node, with whatever its log shows."""
        if leader.log.producers.open_transactions:
            for host in self.hosts():
                self._markers.restore_now(host, leader)

    async def _load(self, host: ShardHost) -> None:
        host.before_active = lambda: self._markers.restore(host)
        await super()._load(host)
        if host.state == "active":
            self._markers.serve(host)

    def _new_shard(self, index: int) -> tuple[Shard, RecordCodec]:
        options = self._config.options
        registration = self._metadata.image.partition(TRANSACTION_STATE, index)
        settings = TransactionSettings(
            max_timeout_ms=options.transaction_max_timeout_ms,
            id_expiration_ms=options.transactional_id_expiration_ms,
            believed_ms=self._retention_clock.believed_ms,
        )
        coordinator_epoch = registration.leader_epoch if registration is not None else 0
        shard = TransactionShard(settings, self._new_producer_id, coordinator_epoch, self._finalised_version)
        return shard, TransactionCodec(self._finalised_version)

    def _finalised_version(self) -> TransactionVersion:
        """Looked up for each decision, so that a changed feature counts with the image that has it."""
        return TransactionVersion(min(self._metadata.image.feature_level(_FEATURE), TransactionVersion.TV2))

    def _new_producer_id(self) -> int:
        producer_id = self._producer_ids.take_now()
        if producer_id is None:
            # Operations do not wait: the client retries while the next block is allocated.
            self._hosting.tasks.spawn(self.stock_producer_ids(), name="stock producer ids")
            raise Refused(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS, "no producer id available")
        return producer_id
