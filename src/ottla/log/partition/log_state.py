"""What the parts of one partition's log share: its segments, producers and leader epochs, and its offsets."""

from ottla.log.files.small_files import replace_file
from ottla.log.recovery.recovered_log import RecoveredLog
from ottla.log.segments.log_directory import LEADER_EPOCHS


class LogState:
    """The data of a PartitionLog, without the work. Its parts are given this and nothing more.

    log_start_offset <= last_stable_offset <= high_watermark <= end_offset, and recovery_point <= end_offset. They are
    plain attributes because every append and every read uses them.
    """

    def __init__(self, found: RecoveredLog) -> None:
        self.topic_partition = found.topic_partition
        self.topic_id = found.topic_id
        self.options = found.options
        self.log_directory = found.directory
        self.segments = found.segments
        self.snapshots = found.snapshots
        self.epochs = found.epochs
        self.producers = found.producers
        self.log_start_offset = found.log_start_offset
        self.end_offset = found.end_offset
        self.high_watermark = found.high_watermark
        #: Everything below is on the device.
        self.recovery_point = found.recovery_point
        #: Why this log takes no more appends; None while it does.
        self.failure: OSError | None = None
        #: Every append waits for a flush (`flush.messages=1`).
        self.flushes_before_ack = False
        #: Raised by every truncation: the result of a flush that was begun before it is ignored.
        self.generation = 0
        #: Files that were taken away by steps that were not finished: the next retention reports them.
        self.unreported_paths: list[str] = []

    @property
    def directory(self) -> str:
        return self.log_directory.path

    @property
    def is_failed(self) -> bool:
        return self.failure is not None

    @property
    def size_bytes(self) -> int:
        return self.segments.size_bytes

    @property
    def last_stable_offset(self) -> int:
        """Below it every transaction is decided: the end for read_committed readers."""
        offset = self.producers.first_unstable_offset
        if offset >= self.high_watermark:
            return self.high_watermark
        return offset if offset > self.log_start_offset else self.log_start_offset

    def advance_high_watermark(self, offset: int) -> bool:
        """True when it moved. Never goes back, never passes the end."""
        if offset > self.end_offset:
            offset = self.end_offset
        if offset <= self.high_watermark:
            return False
        self.high_watermark = offset
        if self.producers.undecided:
            self.producers.on_high_watermark(offset)
        return True

    def move_start(self, offset: int) -> None:
        """What is below `offset` does not count any more."""
        self.log_start_offset = offset
        self.epochs.truncate_from_start(offset)
        if self.high_watermark < offset:
            self.advance_high_watermark(offset)

    def write_failed(self, error: OSError) -> None:
        """The active segment is as it was, unless it could not be truncated either: then the log has failed."""
        if self.segments.active.is_broken:
            self.failure = error

    def save_epochs(self, *, sync: bool = True) -> None:
        """Writes `leader-epoch-checkpoint`. Raises OSError."""
        directory = self.log_directory
        replace_file(directory.disk, f"{directory.path}/{LEADER_EPOCHS}", self.epochs.encoded(), sync=sync)
        if sync:
            self.sync_directory()
        self.epochs.is_dirty = False

    def sync_directory(self) -> None:
        """Waits for the device. Raises OSError."""
        self.log_directory.disk.sync_directory(self.log_directory.path)
