"""The log of a shard: what its host asks of it, and a partition that gives it."""

from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol, TypeAlias

from ottla.broker.storage.flusher import Flusher
from ottla.log.partition.append_rules import AppendOrigin
from ottla.records.batch import BatchHeader
from ottla.records.builder import build_batch
from ottla.records.control import read_marker
from ottla.records.reader import iterate_batches, iterate_records
from ottla.records.record import Record, RecordLists
from ottla.replication.partition_leader import PartitionLeader

#: Of one record.
KeyAndValue: TypeAlias = tuple[bytes | None, bytes | None]

_READ_BYTES = 1024 * 1024
_MAX_DECOMPRESSED_BYTES = 64 * 1024 * 1024


class LoadedBatch(NamedTuple):
    """What one batch of the shard's partition holds: records, or the end of a transaction."""

    records: list[Record]
    producer_id: int
    producer_epoch: int
    is_transactional: bool
    #: True or False for a commit or abort marker; None for an ordinary batch.
    marker_commits: bool | None


class ShardLog(Protocol):
    """The shard's partition, as the host sees it."""

    def append(self, pairs: list[KeyAndValue], now_ms: int, producer_id: int, producer_epoch: int) -> int:
        """Appends one batch of records of now; gives its base offset. Without a transaction `producer_id` is -1.

        Raises OSError or Refused; then nothing was appended.
        """

    @property
    def committed_end_offset(self) -> int:
        """Records below are safe and may be acknowledged."""

    @property
    def end_offset(self) -> int: ...

    def on_committed(self, listener: Callable[[], None]) -> None:
        """`listener` is called whenever `committed_end_offset` has moved."""

    def join_flush(self, append: Callable[[], None]) -> bool:
        """Has `append` called right before the next flush. False where appends are committed without one."""

    def batches(self) -> Iterator[LoadedBatch]:
        """Everything in the partition, from its start to its end."""


class PartitionShardLog:
    """A `ShardLog`, owned by a ShardHost. Appends are committed when the leader's high watermark has passed them."""

    def __init__(
        self,
        leader: PartitionLeader,
        flusher: Flusher,
        *,
        origin: AppendOrigin = AppendOrigin.COORDINATOR,
    ) -> None:
        self.leader = leader
        self._flusher = flusher
        self._origin = origin

    @property
    def committed_end_offset(self) -> int:
        return self.leader.log.high_watermark

    @property
    def end_offset(self) -> int:
        return self.leader.log.end_offset

    def append(self, pairs: list[KeyAndValue], now_ms: int, producer_id: int, producer_epoch: int) -> int:
        batch = build_batch(
            RecordLists.of_pairs(pairs, now_ms),
            producer_id=producer_id,
            producer_epoch=producer_epoch,
            is_transactional=producer_id >= 0,
        )
        base_offset, _, _, _ = self.leader.append(batch, now_ms, self._origin)
        return base_offset

    def on_committed(self, listener: Callable[[], None]) -> None:
        self.leader.watch(listener)

    def join_flush(self, append: Callable[[], None]) -> bool:
        if not self.leader.log.flushes_before_ack:
            return False
        self._flusher.join(append)
        return True

    def batches(self) -> Iterator[LoadedBatch]:
        return self.batches_from(self.leader.log.log_start_offset)

    def batches_from(self, offset: int) -> Iterator[LoadedBatch]:
        log = self.leader.log
        while offset < log.end_offset:
            data = log.read_bytes(offset, _READ_BYTES, end_offset=log.end_offset)
            if not data:
                break
            next_offset = offset
            for position, header in iterate_batches(data, allow_partial=True):
                next_offset = header.next_offset
                if header.last_offset >= offset:
                    yield _loaded(data, position, header)
            if next_offset <= offset:
                break
            offset = next_offset


def _loaded(data: bytes, position: int, header: BatchHeader) -> LoadedBatch:
    records = list(iterate_records(data, position, header, max_decompressed_bytes=_MAX_DECOMPRESSED_BYTES))
    marker = None
    if header.is_control:
        marker = read_marker(records[0]) if records and header.producer_id >= 0 else None
        records = []
    return LoadedBatch(
        records,
        header.producer_id,
        header.producer_epoch,
        header.is_transactional,
        None if marker is None else marker.is_commit,
    )
