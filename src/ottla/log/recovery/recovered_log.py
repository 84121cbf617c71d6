"""What opening a partition's directory finds: a PartitionLog is built from it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from ottla.config.topic_options import TopicOptions
from ottla.log.leader_epochs import LeaderEpochs
from ottla.log.producers.producer_state import ProducerStates
from ottla.log.producers.snapshots import Snapshots
from ottla.log.segments.log_directory import LogDirectory
from ottla.log.segments.segment_list import SegmentList
from ottla.model.topic import TopicPartition


@dataclass(slots=True)
class RecoveryReport:
    """What opening a log had to do; for the operator."""

    #: Bytes whose checksums were verified.
    checked_bytes: int = 0
    #: Bytes at the end that were no whole batches and were cut off, and why.
    cut_bytes: int = 0
    cut_reason: str | None = None
    #: Base offsets of segments whose indexes were rebuilt.
    rebuilt_indexes: list[int] = field(default_factory=list)
    #: Files to remove after `file.delete.delay.ms`.
    removed_paths: list[str] = field(default_factory=list)
    #: Names that mean nothing here; they were left alone.
    unknown_names: list[str] = field(default_factory=list)


#: Shared by the many logs that opened without a finding.
NOTHING_FOUND = RecoveryReport()


@dataclass(slots=True)
class RecoveredLog:
    topic_partition: TopicPartition
    topic_id: bytes | None
    options: TopicOptions
    directory: LogDirectory
    segments: SegmentList
    snapshots: Snapshots
    epochs: LeaderEpochs
    producers: ProducerStates
    log_start_offset: int
    end_offset: int
    high_watermark: int
    recovery_point: int
    report: RecoveryReport
    has_new_metadata: bool
    jitter_below: Callable[[int], int] | None
