"""The metadata log of a node that is its own quorum: load it, lead it, publish what it commits, cut it with snapshots.

Local mode is a quorum of one: the same files, an epoch for each start, an fsync before each answer (reliability rule 2).
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from ottla.broker.flusher import Flusher
from ottla.broker.shard_host import ShardHost
from ottla.broker.shard_log import PartitionShardLog
from ottla.controller.shard import ControllerShard
from ottla.coordination.shard import Decision, Now, RecordOrigin
from ottla.doors.world import World
from ottla.log.partition_log import AppendOrigin, PartitionLog
from ottla.metadata import quorum_state, snapshot_files
from ottla.metadata.image import EMPTY_IMAGE, MetadataImage
from ottla.metadata.image_builder import ImageBuilder
from ottla.metadata.record_frame import MetadataRecordCodec
from ottla.records.control import build_leader_change_batch
from ottla.replication.partition_leader import PartitionLeader

_log = logging.getLogger(__name__)

#: Told of each committed change: the image before and after.
ImageListener = Callable[[MetadataImage, MetadataImage], None]


class PublishingShard:
    """The controller shard, plus the image that brokers see: it moves only when records are committed."""

    def __init__(self, controller: ControllerShard, image: MetadataImage) -> None:
        self.controller = controller
        self.image = image
        self._uncommitted: list[tuple[Any, RecordOrigin]] = []

    def apply(self, record: Any, origin: RecordOrigin) -> None:
        self.controller.apply(record, origin)
        self._uncommitted.append((record, origin))

    def apply_marker(self, producer_id: int, producer_epoch: int, *, committed: bool) -> None:
        """Nobody writes transactions of producers to the metadata log."""

    def on_loaded(self, now: Now) -> Decision[None]:
        return self.controller.on_loaded(now)

    def on_unloaded(self) -> None:
        self.controller.on_unloaded()

    def publish(self, committed_end_offset: int, epoch: int) -> tuple[MetadataImage, MetadataImage] | None:
        """Takes what is committed into the image; None when nothing was."""
        ready = [pair for pair in self._uncommitted if pair[1].offset < committed_end_offset]
        if not ready:
            return None
        self._uncommitted = self._uncommitted[len(ready) :]
        builder = ImageBuilder(self.image)
        for record, origin in ready:
            builder.apply(record, origin.offset, origin.timestamp_ms, epoch)
        before, self.image = self.image, builder.build()
        return before, self.image


class MetadataStore:
    """Owned by the node: opened before everything else, closed last."""

    def __init__(
        self, world: World, log: PartitionLog, flusher: Flusher, node_id: int, cluster_id: str, directory_id: bytes
    ) -> None:
        self._world = world
        self._node_id = node_id
        self._cluster_id = cluster_id
        self._directory_id = directory_id
        self._flusher = flusher
        self.log = log
        self.epoch = 0
        self._snapshot_end_offset = 0
        self._bytes_at_snapshot = 0
        self._listeners: list[ImageListener] = []
        self._leader: PartitionLeader | None = None
        self._shard: PublishingShard | None = None
        self._host: ShardHost | None = None

    @property
    def host(self) -> ShardHost:
        assert self._host is not None
        return self._host

    @property
    def controller(self) -> ControllerShard:
        assert self._shard is not None
        return self._shard.controller

    @property
    def image(self) -> MetadataImage:
        assert self._shard is not None
        return self._shard.image

    @property
    def leader(self) -> PartitionLeader:
        assert self._leader is not None
        return self._leader

    def listen(self, listener: ImageListener) -> None:
        self._listeners.append(listener)

    def start(self, controller: ControllerShard) -> None:
        """Loads the newest snapshot and the log behind it, then becomes the leader of a new epoch."""
        image = EMPTY_IMAGE._replace(cluster_id=self._cluster_id, controller_id=self._node_id)
        shard = PublishingShard(controller, image)
        self._shard = shard
        self._load_snapshot(shard)
        self._take_leadership()
        shard_log = PartitionShardLog(self.leader, self._world.clock, origin=AppendOrigin.RAFT)
        self._host = ShardHost("__cluster_metadata-0", shard, MetadataRecordCodec(), shard_log, self._world.clock)
        for batch in shard_log.batches_from(self._snapshot_end_offset):
            self._host.replay(batch)
        # Everything that was read back was committed by an earlier life, or is ours alone to commit.
        self.leader.watch(self._publish)
        shard.publish(self.log.end_offset, self.epoch)
        self._host.activate()

    def _load_snapshot(self, shard: PublishingShard) -> None:
        found = snapshot_files.load_newest(self._world.disk, self.log.directory)
        if found is None:
            return
        self._snapshot_end_offset = found.end_offset
        for record in found.records:
            shard.apply(record, RecordOrigin(found.end_offset - 1, found.timestamp_ms))
        if self.log.end_offset < found.end_offset:
            self.log.truncate_fully_at(found.end_offset)

    def _take_leadership(self) -> None:
        """Each start is an epoch of its own: what an earlier life left unanswered cannot be mistaken for ours."""
        state = quorum_state.read(self._world.disk, self.log.directory)
        latest = max(self.log.epochs.latest_epoch, state.leader_epoch if state is not None else 0, 0)
        self.epoch = latest + 1
        quorum_state.write(
            self._world.disk,
            self.log.directory,
            quorum_state.QuorumState(
                leader_id=self._node_id,
                leader_epoch=self.epoch,
                data_version=state.data_version if state is not None else 0,
                cluster_id=self._cluster_id,
                voter_ids=(self._node_id,),
            ),
        )
        self.log.assign_leader_epoch(self.epoch)
        self._leader = PartitionLeader(self.log, self.epoch, on_flush_wanted=self._flush)
        batch = build_leader_change_batch(
            leader_id=self._node_id, voter_ids=[self._node_id], timestamp_ms=self._world.clock.now_ms()
        )
        self._leader.append(batch, self._world.clock.now_ms(), origin=AppendOrigin.RAFT)

    def _flush(self, leader: PartitionLeader) -> None:
        self._flusher.want(leader.log, leader.flushed)

    def _publish(self) -> None:
        assert self._shard is not None
        changed = self._shard.publish(self.leader.high_watermark, self.epoch)
        if changed is not None:
            for listener in self._listeners:
                listener(*changed)

    def snapshot_if_due(self, max_new_bytes: int) -> None:
        """Writes a snapshot of the published image and lets go of the log before it."""
        if self.log.size_bytes - self._bytes_at_snapshot < max_new_bytes:
            return
        image = self.image
        end_offset = image.offset + 1
        snapshot_files.write(self._world.disk, self.log.directory, image, end_offset, self.epoch)
        self._snapshot_end_offset = end_offset
        self.log.advance_log_start_offset(end_offset)
        self._bytes_at_snapshot = self.log.size_bytes
        snapshot_files.remove_older(self._world.disk, self.log.directory, end_offset)
        _log.info("metadata snapshot up to offset %d written", end_offset)
