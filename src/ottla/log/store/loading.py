"""Opens the logs that are in the log directories of a node, and keeps track of those that cannot be opened."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Final

from ottla.config.topic_options import TopicOptions
from ottla.doors.clock import Clock
from ottla.doors.disk import Disk
from ottla.doors.rng import Rng
from ottla.log.files import partition_metadata
from ottla.log.files.disk_errors import is_transient
from ottla.log.partition.flush import FlushJob, run_together
from ottla.log.partition_log import PartitionLog
from ottla.log.segments.segment_cache import SegmentCache
from ottla.log.store.checkpoints import CLEANER_OFFSETS, NOTHING_SAVED, SavedOffsets
from ottla.log.store.clean_shutdown import LastEnd
from ottla.log.store.directory_set import DirectorySet
from ottla.log.store.log_moves import LogMoves
from ottla.log.store.partition_directory import DirectoryKind
from ottla.log.store.placed_logs import METADATA_PARTITION, PlacedLogs
from ottla.log.store.recovery_notes import RecoveryNotes
from ottla.log.store.removals import Removals
from ottla.log.store.store_directory import FoundDirectory, StoreDirectory
from ottla.model.errors import CorruptLog, RemoteProtocolError
from ottla.model.topic import TopicPartition

OptionsFor = Callable[[str], TopicOptions]
#: Whether the cluster has this partition, of a topic with this id.
Known = Callable[[TopicPartition, bytes | None], bool]

#: For what an earlier run left to be removed, when the topic's own delay is unknown.
LEFTOVER_DELAY_MS: Final = 60_000
#: Each has some small files open meanwhile.
_FLUSHED_TOGETHER: Final = 16


class LogOpener:
    """Opens logs with what all logs of a node share."""

    def __init__(self, disk: Disk, cache: SegmentCache, rng: Rng, clock: Clock) -> None:
        self._disk = disk
        self._cache = cache
        self._rng = rng
        self._clock = clock
        self.notes = RecoveryNotes()
        #: Called when the names of a log's new files should become durable soon (`PartitionLog.on_names_wanted`).
        self.on_names_wanted: Callable[[PartitionLog], None] | None = None

    def open(
        self,
        directory: StoreDirectory,
        path: str,
        topic_partition: TopicPartition,
        options: TopicOptions,
        topic_id: bytes | None,
        saved: SavedOffsets = NOTHING_SAVED,
    ) -> PartitionLog:
        """Raises CorruptLog and OSError."""
        log = PartitionLog.open(
            self._disk,
            path,
            topic_partition,
            options,
            topic_id=topic_id,
            now_ms=self._clock.now_ms(),
            clean=directory.last_run.end is LastEnd.CLEAN,
            has_lost_pages=directory.has_lost_pages,
            recovery_point=saved.recovery_point,
            log_start_offset=saved.log_start_offset,
            high_watermark=saved.high_watermark,
            cache=self._cache,
            jitter_below=self._rng.below,
        )
        log.on_names_wanted = self.on_names_wanted
        self.notes.note(topic_partition, log.recovery)
        return log


class Unopened:
    """Directories of partitions that are here but could not be opened: damaged, without room, or two of one name.

    Nothing of them is deleted while the metadata has their topic. But like every other partition they belong to a topic
    id, not to a name: when the topic is deleted they go, and at a start those of another topic are put aside.
    """

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._places: dict[TopicPartition, list[FoundDirectory]] = {}

    def add(self, *places: FoundDirectory) -> None:
        for place in places:
            known = self._places.setdefault(place.partition.topic_partition, [])
            if place not in known:
                known.append(place)

    def of(self, topic_partition: TopicPartition) -> list[FoundDirectory]:
        """Those in directories that work."""
        return [place for place in self._places.get(topic_partition, ()) if place.directory.is_online]

    def forget(self, topic_partition: TopicPartition) -> None:
        self._places.pop(topic_partition, None)

    def partitions(self) -> list[TopicPartition]:
        return list(self._places)

    def strays_of(self, topic_partition: TopicPartition, known: Known) -> list[FoundDirectory]:
        """Those that surely belong to a topic that the cluster does not know."""
        return [
            place
            for place in self.of(topic_partition)
            if not known(topic_partition, partition_metadata.read(self._disk, place.path))
        ]


class LogLoading:
    """A part of LogStore."""

    def __init__(
        self,
        directories: DirectorySet,
        placed: PlacedLogs,
        opener: LogOpener,
        moves: LogMoves,
        removals: Removals,
        cache: SegmentCache,
        disk: Disk,
        clock: Clock,
    ) -> None:
        self._directories = directories
        self._placed = placed
        self._opener = opener
        self._moves = moves
        self._removals = removals
        self._cache = cache
        self._clock = clock
        self.unopened = Unopened(disk)
        #: Of the offline partitions, those whose disk was full when they were to be opened.
        self._waiting_for_room: dict[TopicPartition, FoundDirectory] = {}
        self.is_done = False

    def run(self, options_for: OptionsFor, on_failed: Callable[[PartitionLog, OSError], object]) -> None:
        """Opens every partition. One that cannot be opened goes offline, and the others are opened.

        What recovery has opened stays open until it is flushed: that is done here when descriptors are short, and
        `on_failed` is called for a log whose flush failed.
        """
        found: list[FoundDirectory] = []
        for directory in self._directories.online():
            try:
                found += directory.partition_directories()
            except OSError as error:
                directory.fail(error)
        for place in self._moves.settle(found):
            if self._cache.is_full:
                for log, failure in flush_all(self._placed.logs.values()):
                    on_failed(log, failure)
                self._cache.close_unused()
            if place.directory.is_online:
                self._load(place, options_for)
        for directory in self._directories.all():
            directory.note_former(partial(self.is_in, directory))
        self._opener.notes.sum_up(self._directories.last_end)
        self.is_done = True

    def is_in(self, directory: StoreDirectory, topic_partition: TopicPartition) -> bool:
        if topic_partition == METADATA_PARTITION:
            return directory is self._directories.for_metadata
        return self._placed.homes.get(topic_partition) is directory or topic_partition in directory.twins

    def note_loaded(self) -> None:
        """Directories whose logs are all open need not be checked again at the next start."""
        for directory in self._directories.all():
            if directory.is_online and self._placed.has_all_of(directory):
                directory.loaded()

    def _load(self, found: FoundDirectory, options_for: OptionsFor) -> None:
        directory, (topic_partition, kind) = found.directory, found.partition
        if topic_partition == METADATA_PARTITION or kind is DirectoryKind.STRAY:
            return
        if kind is DirectoryKind.DELETE:
            self._removals.add(found.path, self._clock.now_ms() + LEFTOVER_DELAY_MS)
            return
        placed = self._placed
        if topic_partition in placed.homes:
            home = placed.homes[topic_partition]
            reason = f"{found.path} and {home.path} both hold the partition"
            directory.twins[topic_partition] = None
            self.unopened.add(FoundDirectory(home, f"{home.path}/{topic_partition}", found.partition), found)
            placed.take_offline(topic_partition, reason)
            return
        placed.homes[topic_partition] = directory
        try:
            saved = self._moves.newer_than(directory.saved(topic_partition), found.path)
            options = options_for(topic_partition.topic)
            log = self._opener.open(directory, found.path, topic_partition, options, None, saved)
        except (CorruptLog, RemoteProtocolError, OSError) as error:
            directory.log_not_opened(error)
            self.unopened.add(found)
            placed.take_offline(topic_partition, str(error))
            if is_transient(error):
                self._waiting_for_room[topic_partition] = found
            return
        placed.logs[topic_partition] = log
        cleaned_to = directory.checkpoints[CLEANER_OFFSETS].get(topic_partition)
        if cleaned_to is not None:
            placed.cleaner_offsets[topic_partition] = cleaned_to
        self._removals.add_all(log.recovery.removed_paths, self._clock.now_ms() + log.options.file_delete_delay_ms)

    def load_again(self, options_for: OptionsFor) -> list[TopicPartition]:
        """Retries what found no room before; returns the partitions that are here now."""
        waiting, self._waiting_for_room = self._waiting_for_room, {}
        loaded = []
        for topic_partition, found in waiting.items():
            if not found.directory.is_online or topic_partition not in self._placed.offline:
                continue
            if found.directory.missing_bytes():
                # To open a log takes time: not before there is a chance.
                self._waiting_for_room[topic_partition] = found
                continue
            self.reload(found, options_for)
            if topic_partition in self._placed.logs:
                loaded.append(topic_partition)
        if loaded:
            self.note_loaded()
        return loaded

    def reload(self, found: FoundDirectory, options_for: OptionsFor) -> None:
        topic_partition = found.partition.topic_partition
        self.forget_offline(topic_partition)
        found.directory.twins.pop(topic_partition, None)
        self._load(found, options_for)

    def forget_offline(self, topic_partition: TopicPartition) -> None:
        self.unopened.forget(topic_partition)
        self._waiting_for_room.pop(topic_partition, None)
        self._placed.forget_offline(topic_partition)


def flush_all(logs: Iterable[PartitionLog]) -> list[tuple[PartitionLog, OSError]]:
    """Waits for the device, for some of them at a time; gives those that have failed. What cannot begin is left out."""
    failed = []
    jobs = ((log, job) for log in list(logs) if (job := _flush_job_of(log)) is not None)
    while some := list(islice(jobs, _FLUSHED_TOGETHER)):
        outcomes = run_together([job for _, job in some])
        for (log, job), outcome in zip(some, outcomes, strict=True):
            error = log.flush_ended(job, outcome)
            if error is not None and log.is_failed:
                failed.append((log, error))
    return failed


def _flush_job_of(log: PartitionLog) -> FlushJob | None:
    with suppress(OSError):
        return log.flush_job()
    return None
