"""The metadata log of a node that is its own quorum: load it, lead it, publish what it commits, cut it with snapshots.

The files are those of any quorum: an epoch for each start, an fsync before each response. It is a `MetadataStore`.
"""

from __future__ import annotations

import asyncio
import logging
import posixpath
from collections import deque
from itertools import pairwise
from typing import Any

from ottla.broker.controller.metadata_store import ImageListener, QuorumStatus, QuorumVoter
from ottla.broker.execution.time_slices import TimeSlices
from ottla.broker.shards.shard_host import ShardHost
from ottla.broker.shards.shard_log import PartitionShardLog
from ottla.broker.storage.flusher import Flusher
from ottla.config.broker_options import BrokerOptions
from ottla.config.rows import MAX_LONG
from ottla.config.topic_options import TopicOptions
from ottla.controller.feature_levels import unsupported_level
from ottla.controller.requests import ControllerRequest, long_operation_of, operation_of
from ottla.controller.shard import ControllerShard
from ottla.doors.world import World
from ottla.log.partition.append_rules import AppendOrigin
from ottla.log.partition_log import PartitionLog
from ottla.metadata import quorum_state, snapshot_files
from ottla.metadata.image import EMPTY_IMAGE, MetadataImage
from ottla.metadata.image_builder import ImageBuilder
from ottla.metadata.record_frame import MetadataRecordCodec
from ottla.model.errors import InvalidConfig
from ottla.protocol.generated.feature_level_record import FeatureLevelRecord
from ottla.protocol.generated.leader_change_message import LeaderChangeMessage, Voters
from ottla.records.control import build_control_batch
from ottla.replication.partition_leader import PartitionLeader

_log = logging.getLogger(__name__)


class QuorumOfOne:
    """Owned by the node: opened before everything else, closed last."""

    def __init__(
        self,
        world: World,
        flusher: Flusher,
        slices: TimeSlices,
        node_id: int,
    ) -> None:
        self._world = world
        self._slices = slices
        #: Held while an operation decides in slices: what it has read must not change before it is carried out.
        self._lock = asyncio.Lock()
        self._node_id = node_id
        self._flusher = flusher
        #: Set by `start`.
        self.log: PartitionLog
        self.epoch = 0
        self._snapshot_end_offset = 0
        self._bytes_at_snapshot = 0
        self._snapshot_at_ms = world.clock.monotonic_ms()
        self._listeners: list[ImageListener] = []
        self._leader: PartitionLeader | None = None
        self._controller: ControllerShard | None = None
        self._host: ShardHost | None = None
        #: What clients and the broker's other parts see: it moves only when records are committed.
        self.image: MetadataImage = EMPTY_IMAGE
        self._uncommitted: deque[tuple[int, MetadataImage]] = deque()

    @property
    def host(self) -> ShardHost:
        assert self._host is not None
        return self._host

    @property
    def controller(self) -> ControllerShard:
        assert self._controller is not None
        return self._controller

    @property
    def leader(self) -> PartitionLeader:
        assert self._leader is not None
        return self._leader

    @property
    def removed_topic_ids(self) -> dict[bytes, None]:
        return self.controller.removed_topic_ids

    @property
    def delete_delay_ms(self) -> int:
        return self.log.options.file_delete_delay_ms

    def listen(self, listener: ImageListener) -> None:
        self._listeners.append(listener)

    def status(self) -> QuorumStatus:
        now_ms = self._world.clock.now_ms()
        voter = QuorumVoter(self._node_id, self.log.end_offset, now_ms, now_ms)
        return QuorumStatus(self._node_id, self.epoch, self.leader.high_watermark, [voter])

    # -- requests

    async def submit(self, request: ControllerRequest) -> Any:
        operation = operation_of(request)
        if operation is None:
            return await self._submit_long(request)
        async with self._lock:
            outcome = self.host.run(lambda now: operation(self.controller, request, now))
        return await outcome

    async def _submit_long(self, request: ControllerRequest) -> Any:
        """Other operations wait while this one decides, other requests do not."""
        async with self._lock:
            decision = await self._slices.finish(long_operation_of(request)(self.controller, request))
            outcome = self.host.run(lambda now: decision)
        return await outcome

    # -- life

    def start(
        self,
        log: PartitionLog,
        options: BrokerOptions,
        *,
        cluster_id: str,
        directory_id: bytes,
    ) -> None:
        """Loads the newest snapshot and the log behind it, then becomes the leader of a new epoch.

        Raises InvalidConfig, before anything is written, for metadata of a release that is not supported.
        """
        self.log = log
        self._controller = ControllerShard(
            node_id=self._node_id,
            cluster_id=cluster_id,
            options=options,
            rng=self._world.rng,
            image=self._load_snapshot(),
            # A directory that Kafka's storage tool has formatted brings its own first records.
            first_records=snapshot_files.load_bootstrap(self._world.disk, posixpath.dirname(log.directory)),
            is_single_node=True,
        )
        state = quorum_state.read(self._world.disk, self.log.directory)
        latest = max(self.log.epochs.latest, state.leader_epoch if state is not None else 0, 0)
        # Each start is an epoch of its own: a request that an earlier process left open cannot be mistaken for ours.
        self.epoch = latest + 1
        self._leader = PartitionLeader(self.log, self.epoch, on_flush_wanted=self._flush)
        shard_log = PartitionShardLog(self.leader, self._flusher, origin=AppendOrigin.RAFT_LEADER)
        codec = MetadataRecordCodec()
        self._host = ShardHost("__cluster_metadata-0", self._controller, codec, shard_log, self._world.clock)
        self._bytes_at_snapshot = self.log.size_bytes - self._bytes_from(self._snapshot_end_offset)
        for batch in shard_log.batches_from(self._snapshot_end_offset):
            self._host.replay(batch)
            self._refuse(self._controller.unsupported_level())
        self._refuse(self._controller.unsupported_first_level())
        self._take_leadership(state, cluster_id, directory_id)
        # Everything that was read back was committed by an earlier run, or is ours alone to commit.
        self._advance_controller()
        self.image = self._controller.image
        self.leader.watch(self._publish)
        self._host.on_applied = self._remember
        self._host.activate()

    def _load_snapshot(self) -> MetadataImage:
        found = snapshot_files.load_newest(self._world.disk, self.log.directory)
        if found is None:
            return EMPTY_IMAGE
        builder = ImageBuilder(EMPTY_IMAGE)
        for record in found.records:
            builder.apply(record, found.end_offset - 1, found.timestamp_ms, found.epoch)
            # Levels come first in a snapshot: what follows may be in a form that this release does not know.
            if isinstance(record, FeatureLevelRecord):
                self._refuse(unsupported_level(builder.features))
        self._snapshot_end_offset = found.end_offset
        if self.log.end_offset < found.end_offset:
            self.log.truncate_fully_at(found.end_offset)
        snapshot_files.remove_unfinished(self._world.disk, self.log.directory)
        return builder.build()

    def _refuse(self, problem: str | None) -> None:
        if problem is not None:
            raise InvalidConfig([f"{self.log.directory}: {problem}, use that release or another directory"])

    def _take_leadership(self, state: quorum_state.QuorumState | None, cluster_id: str, directory_id: bytes) -> None:
        quorum_state.write(
            self._world.disk,
            self.log.directory,
            quorum_state.QuorumState(
                leader_id=self._node_id,
                leader_epoch=self.epoch,
                data_version=state.data_version if state is not None else 0,
                cluster_id=cluster_id,
                voter_ids=(self._node_id,),
            ),
        )
        self.log.assign_leader_epoch(self.epoch)
        now_ms = self._world.clock.now_ms()
        voter = Voters(voter_id=self._node_id, voter_directory_id=directory_id)
        change = LeaderChangeMessage(leader_id=self._node_id, voters=[voter], granting_voters=[])
        batch = build_control_batch(change, timestamp_ms=now_ms, leader_epoch=self.epoch)
        self.leader.append(batch, now_ms, origin=AppendOrigin.RAFT_LEADER)

    def _flush(self, leader: PartitionLeader) -> None:
        self._flusher.want(leader.log, leader.flushed)

    def _advance_controller(self) -> None:
        self.controller.advance_to(self.log.end_offset - 1, self._world.clock.now_ms(), self.epoch)

    def _remember(self) -> None:
        self._uncommitted.append((self.log.end_offset, self.controller.image))

    def _publish(self) -> None:
        committed = self.leader.high_watermark
        newest: MetadataImage | None = None
        while self._uncommitted and self._uncommitted[0][0] <= committed:
            newest = self._uncommitted.popleft()[1]
        if newest is not None:
            before, self.image = self.image, newest
            for listener in self._listeners:
                listener(before, newest)

    async def snapshot_if_due(self, max_new_bytes: int, max_age_ms: int) -> None:
        """Writes a snapshot of the published image, in a thread. An age of 0 is no limit."""
        now_ms = self._world.clock.monotonic_ms()
        image = self.image
        end_offset = image.offset + 1
        if end_offset <= self._snapshot_end_offset:
            return
        is_old = 0 < max_age_ms <= now_ms - self._snapshot_at_ms
        if not is_old and self.log.size_bytes - self._bytes_at_snapshot < max_new_bytes:
            return
        self._snapshot_at_ms = now_ms
        size_bytes = self.log.size_bytes
        await self._world.executor.run(
            snapshot_files.write, self._world.disk, self.log.directory, image, end_offset, self.epoch
        )
        self._snapshot_end_offset = end_offset
        self._bytes_at_snapshot = size_bytes
        _log.info("metadata snapshot up to offset %d written", end_offset)

    def retire(self, retention_bytes: int, retention_ms: int) -> list[str]:
        """Deletes old snapshots, and the log before the oldest one that stays; -1 is no limit.

        As in Kafka both limits are soft: the newest snapshot and the log behind it always stay. Returns paths of files
        to remove after a delay.
        """
        disk, log = self._world.disk, self.log
        snapshots = snapshot_files.describe(disk, log.directory)
        snapshot_bytes = sum(snapshot.size_bytes for snapshot in snapshots)
        oldest_ms = self._world.clock.now_ms() - retention_ms
        removed: list[str] = []
        for snapshot, following in pairwise(snapshots):
            is_surplus = 0 <= retention_bytes < snapshot_bytes + log.size_bytes
            if not is_surplus and not (retention_ms >= 0 and snapshot.timestamp_ms < oldest_ms):
                break
            removed += self._retire_log_before(following.end_offset)
            disk.remove(snapshot.path)
            snapshot_bytes -= snapshot.size_bytes
        if snapshots and 0 <= retention_bytes < snapshot_bytes + log.size_bytes:
            if log.segments.active.base_offset < snapshots[-1].end_offset:
                # Kafka's default size of a segment is ten times the limit. Closed now, this one can go later.
                log.roll()
            removed += self._retire_log_before(log.log_start_offset)
        return removed

    def _retire_log_before(self, offset: int) -> list[str]:
        self.log.advance_log_start_offset(offset)
        size_bytes = self.log.size_bytes
        removed = self.log.retire_segments(self._world.clock.now_ms())
        self._bytes_at_snapshot -= size_bytes - self.log.size_bytes
        return removed

    def _bytes_from(self, offset: int) -> int:
        log = self.log
        found = log.read(offset, MAX_LONG, end_offset=log.end_offset, at_least_one_batch=False)
        in_its_segment = 0 if found is None else found.size
        return in_its_segment + sum(segment.size for segment in log.segments if segment.base_offset > offset)


def metadata_log_options(options: BrokerOptions) -> TopicOptions:
    """The metadata log flushes before each response and is cut by snapshots, never by retention."""
    values = {
        "segment.bytes": str(options.metadata_log_segment_bytes),
        "segment.ms": str(max(1, options.metadata_log_segment_ms)),
        "file.delete.delay.ms": str(max(0, options.internal_metadata_delete_delay_millis)),
        "flush.messages": "1",
        "retention.ms": "-1",
        "retention.bytes": "-1",
        "max.message.bytes": str(16 * 1024 * 1024),
    }
    if options.internal_metadata_log_segment_bytes is not None:
        values["internal.segment.bytes"] = str(options.internal_metadata_log_segment_bytes)
    return TopicOptions(values)
