"""What a LogStore reports: checkpoint files to write, directories to describe."""

from collections.abc import Callable
from typing import NamedTuple

from ottla.log.partition_log import PartitionLog
from ottla.log.store.checkpoints import CLEANER_OFFSETS, HIGH_WATERMARKS, LOG_START_OFFSETS, RECOVERY_POINTS
from ottla.log.store.store_directory import StoreDirectory
from ottla.model.topic import TopicPartition


class CheckpointJob:
    """The content of all checkpoint files as of one moment; touches no log when it runs."""

    def __init__(self) -> None:
        self._wanted: dict[int, tuple[StoreDirectory, dict[str, dict[TopicPartition, int]]]] = {}
        #: Directories that could not be written, and why.
        self.failures: list[tuple[str, OSError]] = []
        self._lowered: list[tuple[StoreDirectory, PartitionLog]] = []
        #: Partitions that had left each directory before the content was put together.
        self._former: dict[int, list[TopicPartition]] = {}
        #: Notes that the files make superfluous.
        self._notes: list[tuple[StoreDirectory, Callable[[], None]]] = []

    def add(self, directory: StoreDirectory, kept: dict[str, dict[TopicPartition, int]]) -> None:
        self._wanted[id(directory)] = (directory, kept)
        self._former[id(directory)] = list(directory.former)

    def replaces_note(self, directory: StoreDirectory, remove: Callable[[], None]) -> None:
        self._notes.append((directory, remove))

    def note(self, directory: StoreDirectory, topic_partition: TopicPartition, log: PartitionLog) -> None:
        entry = self._wanted.get(id(directory))
        if entry is None:
            return
        offsets = entry[1]
        if log.recovery_point < directory.written_recovery_point(topic_partition):
            self._lowered.append((directory, log))
        offsets[RECOVERY_POINTS][topic_partition] = log.recovery_point
        offsets[HIGH_WATERMARKS][topic_partition] = log.high_watermark
        # Otherwise the base offset of the first segment is it.
        if log.log_start_offset > log.segments.first_base_offset:
            offsets[LOG_START_OFFSETS][topic_partition] = log.log_start_offset
        else:
            offsets[LOG_START_OFFSETS].pop(topic_partition, None)

    def note_cleaned(self, directory: StoreDirectory, topic_partition: TopicPartition, cleaned_to: int) -> None:
        entry = self._wanted.get(id(directory))
        if entry is not None:
            entry[1][CLEANER_OFFSETS][topic_partition] = cleaned_to

    def keep_only(self, name: str) -> None:
        """Writes one of the files and leaves the others as they are."""
        self._wanted = {key: (directory, {name: files[name]}) for key, (directory, files) in self._wanted.items()}
        self._lowered.clear()
        self._former.clear()
        self._notes.clear()

    def run(self) -> None:
        """May run in a thread. `done` must be called afterwards, where the logs are used."""
        for key, (directory, offsets) in self._wanted.items():
            try:
                directory.write_checkpoints(offsets, sync_names=bool(self._former.get(key)))
            except OSError as error:
                self.failures.append((directory.path, error))

    def done(self) -> None:
        """What the files contain now needs no note any more; what they do not contain any more is forgotten."""
        failed = [path for path, _ in self.failures]
        for key, (directory, _) in self._wanted.items():
            if directory.path not in failed:
                directory.forgotten(self._former.get(key, ()))
        for directory, remove in self._notes:
            if directory.path not in failed:
                remove()
        for directory, log in self._lowered:
            if directory.path not in failed:
                log.recovery_point_saved()


class LogReport(NamedTuple):
    topic_partition: TopicPartition
    size_bytes: int
    #: A copy that is to replace the replica in another directory; then `offset_lag` is what it misses.
    is_future: bool
    offset_lag: int


class DirectoryReport(NamedTuple):
    path: str
    directory_id: bytes
    #: Why the directory is offline; None while it works.
    failure: str | None
    total_bytes: int
    usable_bytes: int
    logs: list[LogReport]

    @classmethod
    def of(cls, directory: StoreDirectory, logs: list[LogReport]) -> "DirectoryReport":
        failure = directory.failure
        if failure is None:
            try:
                usage = directory.disk.usage(directory.path)
                return cls(directory.path, directory.directory_id, None, usage.total_bytes, usage.usable_bytes, logs)
            except OSError as error:
                failure = str(error)
        return cls(directory.path, directory.directory_id, failure, -1, -1, [])
