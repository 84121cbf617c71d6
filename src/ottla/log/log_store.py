"""All logs of one node, in all its log directories.

    store = LogStore(disk=..., directories=[...], node_id=..., rng=..., clock=...)
    cluster_id = store.open_directories(None)         lock, identity, how the last run ended
    metadata_log = store.open_metadata_log(options)   not one of `store.logs`
    store.load_logs(options_for)                      opens every partition; recovers after a crash
    store.put_aside(...)                              what the metadata does not know
    store.finish_loading()                            forgets what is not here any more, resumes moves
    ...
    store.close(clean=True)                           flush, checkpoints, the mark of a clean stop

Which partitions should exist is the metadata's business: a partition is created without a sync, because after a power
loss it is simply created again. Checkpoint files know partitions by name only, and a name may be used again: so one is
created, or moved here, only when no file has an entry of an earlier partition of its name (`is_free`).
"""

import contextlib
import logging
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple

from ottla.config.topic_options import TopicOptions
from ottla.doors.clock import Clock
from ottla.doors.disk import Disk
from ottla.doors.rng import Rng
from ottla.log.checkpoints import CLEANER_OFFSETS, NOTHING_SAVED, SavedOffsets
from ottla.log.clean_shutdown import NO_BROKER_EPOCH, LastEnd
from ottla.log.directory_set import DirectorySet
from ottla.log.disk_errors import passes
from ottla.log.log_moves import LogMoves
from ottla.log.log_upkeep import LogUpkeep, flush_all
from ottla.log.partition_directory import DirectoryKind, directory_name
from ottla.log.partition_log import PartitionLog
from ottla.log.recovery_notes import RecoveryNotes
from ottla.log.removals import RemovalJob, Removals
from ottla.log.reserve import RESERVE_BYTES
from ottla.log.segment_cache import SegmentCache
from ottla.log.store_directory import FoundDirectory, StoreDirectory
from ottla.log.store_reports import CheckpointJob, DirectoryReport, LogReport
from ottla.log.unopened import Unopened
from ottla.model.errors import CorruptLog, RemoteProtocolError, check
from ottla.model.topic import CLUSTER_METADATA, TopicPartition

_log = logging.getLogger(__name__)

METADATA_PARTITION = TopicPartition(CLUSTER_METADATA, 0)
METADATA_TOPIC_ID = bytes(15) + b"\x01"
#: For what an earlier run left to be removed, when nobody knows the topic's own delay any more.
_LEFTOVER_DELAY_MS = 60_000
#: How long a stop may spend on files that only Kafka needs; the next one goes on where this one ended.
_INDEX_FILES_MS = 1_000


class _Place(NamedTuple):
    log: PartitionLog
    directory: StoreDirectory


class LogStore:
    """Owned by the node; the only one that makes, renames and removes partition directories."""

    def __init__(
        self,
        *,
        disk: Disk,
        directories: Sequence[str],
        node_id: int,
        rng: Rng,
        clock: Clock,
        metadata_directory: str | None = None,
        cache: SegmentCache | None = None,
        reserve_bytes: int = RESERVE_BYTES,
    ) -> None:
        self._disk = disk
        self._node_id = node_id
        self._rng = rng
        self._clock = clock
        self._cache = cache or SegmentCache()
        self._directories = DirectorySet(disk, directories, metadata_directory, reserve_bytes)
        self.logs: dict[TopicPartition, PartitionLog] = {}
        #: Partitions that are here but cannot be used, and why.
        self.offline: dict[TopicPartition, str] = {}
        self._unopened = Unopened(disk)
        #: Of these, those whose disk was full when they were to be opened.
        self._waiting_for_room: dict[TopicPartition, FoundDirectory] = {}
        #: Up to where each compacted log is clean; kept by the cleaner.
        self.cleaner_offsets: dict[TopicPartition, int] = {}
        self.metadata_log: PartitionLog | None = None
        self._homes: dict[TopicPartition, StoreDirectory] = {}
        self._removals = Removals(disk)
        self._recovery_notes = RecoveryNotes()
        self.moves = LogMoves(disk, self._open_log, clock.now_ms)
        self._broker_epoch = NO_BROKER_EPOCH
        self._is_loaded = False
        #: Called when the names of a log's new files should become durable soon (`LogUpkeep.on_names_wanted`).
        self.on_names_wanted: Callable[[LogUpkeep], None] | None = None

    # start

    def open_directories(self, cluster_id: str | None) -> str:
        """Takes all directories and returns the id of the cluster: the given one, the one found, or a new one.

        Raises InUse when another process has a directory, InvalidConfig when one belongs to another node, OSError when
        none works. NoRoom: one is full; nothing is taken, and it may be retried.
        """
        return self._directories.take(cluster_id, self._node_id, self._rng)

    def open_metadata_log(self, options: TopicOptions) -> PartitionLog:
        """Raises OSError or CorruptLog: a node without its metadata cannot run."""
        directory = self._directories.for_metadata
        if directory.failure is not None:
            raise OSError(f"the directory of the metadata log is offline: {directory.failure}")
        path = f"{directory.path}/{METADATA_PARTITION}"
        saved = directory.saved(METADATA_PARTITION)
        self.metadata_log = self._open_log(directory, path, METADATA_PARTITION, options, METADATA_TOPIC_ID, saved)
        return self.metadata_log

    def load_logs(self, options_for: Callable[[str], TopicOptions]) -> None:
        """Opens every partition. One that cannot be opened goes offline, and the others go on."""
        found: list[FoundDirectory] = []
        for directory in self._directories.online():
            try:
                found += directory.partition_directories()
            except OSError as error:
                directory.fail(error)
        for place in self.moves.settle(found):
            if self._cache.is_full:
                self._flush_loaded()
            if place.directory.is_online:
                self._load(place, options_for)
        for directory in self._directories.all():
            directory.note_former(partial(self._is_in, directory))
        self._recovery_notes.sum_up(self.last_end)
        self._is_loaded = True

    def _flush_loaded(self) -> None:
        """What recovery has opened stays open until it is flushed, and descriptors are short."""
        for log, error in flush_all(self.logs.values()):
            self.mark_directory_failed(log, error)
        self._cache.close_unused()

    def finish_loading(self) -> list[tuple[str, OSError]]:
        """To be called when strays have been put aside; directories that failed meanwhile, as `write_checkpoints`."""
        self._note_loaded()
        failures = self.write_checkpoints() if any(d.former for d in self._directories.online()) else []
        self.moves.resume(self.logs, self._homes)
        return failures

    def _is_in(self, directory: StoreDirectory, topic_partition: TopicPartition) -> bool:
        if topic_partition == METADATA_PARTITION:
            return directory is self._directories.for_metadata
        return self._homes.get(topic_partition) is directory or topic_partition in directory.twins

    def _note_loaded(self) -> None:
        for directory in self._directories.all():
            if directory.is_online and self._has_all_of(directory):
                directory.loaded()

    def _has_all_of(self, directory: StoreDirectory) -> bool:
        """No log of the directory has failed to open."""
        return not any(self._homes.get(topic_partition) is directory for topic_partition in self.offline)

    def _load(self, found: FoundDirectory, options_for: Callable[[str], TopicOptions]) -> None:
        directory, (topic_partition, kind) = found.directory, found.partition
        if topic_partition == METADATA_PARTITION or kind is DirectoryKind.STRAY:
            return
        if kind is DirectoryKind.DELETE:
            self._removals.add(found.path, self._clock.now_ms() + _LEFTOVER_DELAY_MS)
            return
        if topic_partition in self._homes:
            home = self._homes[topic_partition]
            reason = f"{found.path} and {home.path} both hold the partition"
            directory.twins[topic_partition] = None
            self._unopened.add(FoundDirectory(home, f"{home.path}/{topic_partition}", found.partition), found)
            self._take_offline(topic_partition, reason)
            return
        self._homes[topic_partition] = directory
        try:
            saved = self.moves.newer_than(directory.saved(topic_partition), found.path)
            options = options_for(topic_partition.topic)
            log = self._open_log(directory, found.path, topic_partition, options, None, saved)
        except (CorruptLog, RemoteProtocolError, OSError) as error:
            directory.log_not_opened(error)
            self._unopened.add(found)
            self._take_offline(topic_partition, str(error))
            if passes(error):
                self._waiting_for_room[topic_partition] = found
            return
        self.logs[topic_partition] = log
        cleaned_to = directory.checkpoints[CLEANER_OFFSETS].get(topic_partition)
        if cleaned_to is not None:
            self.cleaner_offsets[topic_partition] = cleaned_to
        self.schedule_removal(log.recovery.removed_paths, self._clock.now_ms() + log.options.file_delete_delay_ms)

    def load_again(self, options_for: Callable[[str], TopicOptions]) -> list[TopicPartition]:
        """Retries what found no room before; returns the partitions that are here now."""
        waiting, self._waiting_for_room = self._waiting_for_room, {}
        loaded = []
        for topic_partition, found in waiting.items():
            if not found.directory.is_online or topic_partition not in self.offline:
                continue
            if found.directory.missing_bytes():
                # To open a log takes time: not before there is a chance.
                self._waiting_for_room[topic_partition] = found
                continue
            self._reload(found, options_for)
            if topic_partition in self.logs:
                loaded.append(topic_partition)
        if loaded:
            self._note_loaded()
        return loaded

    def _reload(self, found: FoundDirectory, options_for: Callable[[str], TopicOptions]) -> None:
        topic_partition = found.partition.topic_partition
        self._forget_offline(topic_partition)
        found.directory.twins.pop(topic_partition, None)
        self._load(found, options_for)

    def _open_log(
        self,
        directory: StoreDirectory,
        path: str,
        topic_partition: TopicPartition,
        options: TopicOptions,
        topic_id: bytes | None,
        saved: SavedOffsets = NOTHING_SAVED,
    ) -> PartitionLog:
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
        self._recovery_notes.note(topic_partition, log.recovery)
        return log

    def _take_offline(self, topic_partition: TopicPartition, reason: str) -> None:
        log = self.logs.pop(topic_partition, None)
        if log is not None:
            log.release(reason)
        self.offline[topic_partition] = reason
        _log.error("partition %s is offline: %s", topic_partition, reason)

    # partitions

    def create(
        self, topic_partition: TopicPartition, topic_id: bytes, options: TopicOptions, directory_id: bytes | None = None
    ) -> PartitionLog:
        """In the directory that was assigned, else in the one with the fewest logs; the name must be free.

        Raises OSError.
        """
        check(topic_partition not in self.logs, f"{topic_partition} exists")
        check(self.is_free(topic_partition), f"{topic_partition}: files have entries of an earlier partition")
        if topic_partition in self.offline:
            raise OSError(f"{topic_partition} is offline: {self.offline[topic_partition]}")
        directory = self._directories.pick(directory_id, self._homes.values())
        path = f"{directory.path}/{topic_partition}"
        log = self._open_log(directory, path, topic_partition, options, topic_id)
        self.logs[topic_partition] = log
        self._homes[topic_partition] = directory
        return log

    def is_free(self, topic_partition: TopicPartition) -> bool:
        """No working directory has anything of an earlier partition of this name that a crash could bring back.

        False after a deletion until the checkpoints have been written.
        """
        return not any(topic_partition in directory.former for directory in self._directories.online())

    def delete(self, topic_partition: TopicPartition) -> None:
        """The directory is renamed now and removed after file.delete.delay.ms."""
        log = self.logs[topic_partition]
        self._dismiss(topic_partition, DirectoryKind.DELETE)
        self._removals.add(log.directory, self._clock.now_ms() + log.options.file_delete_delay_ms)

    def strays(self, known: Callable[[TopicPartition, bytes | None], bool]) -> list[TopicPartition]:
        """Partitions here that the cluster does not know (by topic id: a name may have been used again)."""
        return [
            topic_partition for topic_partition, log in self.logs.items() if not known(topic_partition, log.topic_id)
        ]

    def put_aside(self, topic_partition: TopicPartition) -> str:
        """A stray is renamed and kept: what nobody asked to delete is not deleted. Returns its new path."""
        return self._dismiss(topic_partition, DirectoryKind.STRAY)

    def put_unopened_aside(
        self, known: Callable[[TopicPartition, bytes | None], bool], options_for: Callable[[str], TopicOptions]
    ) -> list[str]:
        """Strays among the partitions that could not be opened. Returns their new paths.

        Where that leaves one of two directories of a partition, it is opened. A directory that fails goes offline.
        """
        paths = []
        for topic_partition in self._unopened.partitions():
            strays = self._unopened.strays_of(topic_partition, known)
            kept = [place for place in self._unopened.of(topic_partition) if place not in strays]
            try:
                paths += [self._dismiss_unopened(place, DirectoryKind.STRAY) for place in strays]
            except OSError as error:
                self.mark_directory_failed(strays[0].directory.path, error)
                continue
            if strays and len(kept) == 1:
                self._reload(kept[0], options_for)
            elif not kept:
                self._forget_offline(topic_partition)
        return paths

    def delete_offline(self, topic_partition: TopicPartition) -> list[tuple[str, OSError]]:
        """What is in a directory that has failed stays there; should it work again, it is a stray.

        Returns directories that failed meanwhile, for `mark_directory_failed`.
        """
        failures = []
        for place in self._unopened.of(topic_partition):
            try:
                path = self._dismiss_unopened(place, DirectoryKind.DELETE)
                self._removals.add(path, self._clock.now_ms() + _LEFTOVER_DELAY_MS)
            except OSError as error:
                failures.append((place.directory.path, error))
        self._forget_offline(topic_partition)
        return failures

    def _forget_offline(self, topic_partition: TopicPartition) -> None:
        self._unopened.forget(topic_partition)
        self._waiting_for_room.pop(topic_partition, None)
        self.offline.pop(topic_partition, None)
        self._homes.pop(topic_partition, None)

    def _dismiss_unopened(self, place: FoundDirectory, kind: DirectoryKind) -> str:
        topic_partition, directory = place.partition.topic_partition, place.directory
        path = f"{directory.path}/{directory_name(topic_partition, kind, self._rng.random_bytes(16))}"
        self._disk.rename(place.path, path)
        directory.twins.pop(topic_partition, None)
        directory.left(topic_partition)
        return path

    def _dismiss(self, topic_partition: TopicPartition, kind: DirectoryKind) -> str:
        self.cancel_move(topic_partition)
        log = self.logs[topic_partition]
        directory = self._homes[topic_partition]
        path = f"{directory.path}/{directory_name(topic_partition, kind, self._rng.random_bytes(16))}"
        self._disk.rename(log.directory, path)
        directory.left(topic_partition)
        self._removals.forget_in(log.directory)
        log.moved_to(path)
        log.release("the partition was deleted")
        del self.logs[topic_partition], self._homes[topic_partition]
        self.cleaner_offsets.pop(topic_partition, None)
        return path

    def note_truncation(self, topic_partition: TopicPartition, end_offset: int) -> None:
        """To be called when a log was cut: what is written there again has never been cleaned."""
        if self.cleaner_offsets.get(topic_partition, 0) > end_offset:
            self.cleaner_offsets[topic_partition] = end_offset

    # moves between directories (AlterReplicaLogDirs)

    def start_move(self, topic_partition: TopicPartition, target_path: str) -> None:
        """Begins a copy in another directory of this node, where the name must be free (`is_free`).

        Raises KeyError for an unknown directory, OSError, CorruptLog.
        """
        target = self._directories.find(target_path)
        if target is None or not target.is_online:
            raise KeyError(target_path)
        self.cancel_move(topic_partition)
        if target is not self._homes[topic_partition]:
            check(topic_partition not in target.former, f"{target.path} has entries of an earlier {topic_partition}")
            try:
                self.moves.start(self.logs[topic_partition], target, self._rng.random_bytes(16))
            except (OSError, CorruptLog):
                self.cancel_move(topic_partition)
                raise

    def copy_step(self, topic_partition: TopicPartition, max_bytes: int) -> bool:
        """Copies some more; True when the copy has everything."""
        return self.moves.step(topic_partition, max_bytes)

    def finish_move(self, topic_partition: TopicPartition) -> PartitionLog:
        """Copies the rest and puts the copy in the place of the original, which is deleted. Returns the new log."""
        old = self.logs[topic_partition]
        tag = self._rng.random_bytes(16)
        new, directory, dropped = self.moves.finish(topic_partition, tag)
        self._homes[topic_partition].left(topic_partition)
        self.logs[topic_partition] = new
        self._homes[topic_partition] = directory
        # The copy may hold what was cleaned from the original after it had been copied.
        self.cleaner_offsets.pop(topic_partition, None)
        self.schedule_removal([old.directory, *dropped], self._clock.now_ms() + old.options.file_delete_delay_ms)
        return new

    def cancel_move(self, topic_partition: TopicPartition) -> None:
        path = self.moves.cancel(topic_partition)
        if path is not None:
            self._removals.add(path, self._clock.now_ms())

    # removal

    def schedule_removal(self, paths: Iterable[str], due_ms: int) -> None:
        for path in paths:
            self._removals.add(path, due_ms)

    def due_removals(self, now_ms: int) -> list[str]:
        return list(self._removals.due(now_ms))

    def removal_job(self, now_ms: int) -> RemovalJob | None:
        """Some of what is due; None when nothing is. `run()` it, in a thread if need be; then `removal_done`."""
        return self._removals.job(now_ms)

    def removal_done(self, job: RemovalJob, now_ms: int) -> None:
        self._removals.done(job, now_ms)

    def remove_due(self, now_ms: int) -> int:
        """Here and now; how many are gone."""
        count = 0
        while (job := self._removals.job(now_ms)) is not None:
            job.run()
            self._removals.done(job, now_ms)
            count += job.removed_count
        return count

    # failures

    def mark_directory_failed(self, log: LogUpkeep | str, error: OSError) -> list[TopicPartition]:
        """The directory of `log` (or at that path) goes offline with all its partitions; these are returned."""
        path = log if isinstance(log, str) else log.directory
        failed = self._directories.containing(path)
        if failed is None:
            return []
        failed.fail(error)
        self._removals.forget_below(failed.path)
        self.moves.forget(failed)
        lost = [tp for tp, home in self._homes.items() if home is failed and tp in self.logs]
        for topic_partition in lost:
            self._take_offline(topic_partition, f"log directory {failed.path} failed: {error}")
        return lost

    def has_room(self) -> bool:
        """Enough in all working directories to open or make partitions again that found none."""
        return all(directory.missing_bytes() == 0 for directory in self._directories.online())

    def has_working_directory(self) -> bool:
        return any(True for _ in self._directories.online())

    def release_reserves(self) -> bool:
        """Gives the space held back to whoever needs it; True when there was some."""
        released = [directory.reserve.release() for directory in self._directories.online()]
        return any(released)

    def restore_reserves(self, *, spare_bytes: int = 0) -> bool:
        """True when every directory holds its reserve. Writes it where it is missing: not for the event loop."""
        restored = [directory.reserve.restore(spare_bytes=spare_bytes) for directory in self._directories.online()]
        return all(restored)

    # checkpoints and reports

    def checkpoint_job(self) -> CheckpointJob:
        """What the checkpoint files should say now. `run()` writes them, in a thread if need be; then `done()`."""
        job = CheckpointJob()
        for directory in self._directories.all():
            if directory.is_online:
                job.add(directory, self._kept_checkpoints(directory))
                for path in self.moves.notes_in(directory):
                    job.replaces_note(directory, partial(self.moves.remove_note, path))
        for topic_partition, log in self.logs.items():
            job.note(self._homes[topic_partition], topic_partition, log)
            cleaned_to = self.cleaner_offsets.get(topic_partition)
            if cleaned_to is not None:
                job.note_cleaned(self._homes[topic_partition], topic_partition, cleaned_to)
        if self.metadata_log is not None:
            job.note(self._directories.for_metadata, METADATA_PARTITION, self.metadata_log)
        return job

    def _kept_checkpoints(self, directory: StoreDirectory) -> dict[str, dict[TopicPartition, int]]:
        """Of partitions that could not be opened, what was known about them is kept."""
        kept = [tp for tp in self.offline if self._is_in(directory, tp)] if self._is_loaded else None
        return {
            name: dict(offsets) if kept is None else {tp: offsets[tp] for tp in kept if tp in offsets}
            for name, offsets in directory.checkpoints.items()
        }

    def write_checkpoints(self) -> list[tuple[str, OSError]]:
        """Directories that failed meanwhile, for `mark_directory_failed`."""
        job = self.checkpoint_job()
        job.run()
        job.done()
        return job.failures

    def describe_directories(self) -> list[DirectoryReport]:
        """For DescribeLogDirs. A directory that cannot tell its size counts as failed."""
        reports = []
        for directory in self._directories.for_partitions:
            logs = [
                LogReport(tp, self.logs[tp].size_bytes, is_future=False, offset_lag=0)
                for tp, home in self._homes.items()
                if home is directory and tp in self.logs
            ]
            logs += self.moves.reports(directory)
            reports.append(DirectoryReport.of(directory, logs))
        return reports

    def directory_paths(self) -> list[str]:
        return [directory.path for directory in self._directories.for_partitions]

    def directory_ids(self) -> list[bytes]:
        """Of the directories that work."""
        return [directory.directory_id for directory in self._directories.online()]

    def directory_id_of(self, topic_partition: TopicPartition) -> bytes:
        return self._homes[topic_partition].directory_id

    @property
    def last_end(self) -> LastEnd:
        """How the last run ended, in the worst of the directories."""
        return max((directory.last_run.end for directory in self._directories.online()), default=LastEnd.POWER_LOSS)

    @property
    def previous_broker_epoch(self) -> int:
        """Under which epoch this node ran before; -1 when its logs may have lost something since."""
        epochs = [directory.last_run.broker_epoch for directory in self._directories.online()]
        return min(epochs, default=NO_BROKER_EPOCH) if self.last_end is not LastEnd.POWER_LOSS else NO_BROKER_EPOCH

    @property
    def last_alive_ms(self) -> int | None:
        """When the last run was alive, by a clock that it trusted; None where there was none."""
        found = [directory.last_alive for directory in self._directories.online() if directory.last_alive is not None]
        held_ms = [alive.time_ms for alive in found if alive.is_held]
        return min(held_ms) if held_ms else max((alive.time_ms for alive in found), default=None)

    def record_broker_epoch(self, broker_epoch: int, held_clock_ms: int | None = None) -> None:
        self._broker_epoch = broker_epoch
        for path, error in self.record_held_clock(held_clock_ms):
            self.mark_directory_failed(path, error)

    def record_held_clock(self, held_clock_ms: int | None) -> list[tuple[str, OSError]]:
        """What retention goes by while it does not trust the clock. For a thread; directories that failed meanwhile."""
        failures = []
        for directory in list(self._directories.online()):
            try:
                directory.record_run(self._broker_epoch, held_clock_ms)
            except OSError as error:
                failures.append((directory.path, error))
        return failures

    # end

    def close(self, clean: bool = True) -> None:
        """With `clean` everything is synced first; a directory where that fails gets no mark."""
        metadata = [] if self.metadata_log is None else [_Place(self.metadata_log, self._directories.for_metadata)]
        places = [_Place(log, self._homes[tp]) for tp, log in self.logs.items()]
        for log, directory in [*places, *metadata]:
            try:
                log.close(clean=clean and directory.is_online)
            except OSError as error:
                directory.fail(error)
        self.moves.close()
        if clean:
            self._make_index_files()
            self._leave_marks()
        self._directories.let_go()

    def _make_index_files(self) -> None:
        """For Apache Kafka, should it take the directory over; a stop is not to become long for it."""
        deadline_ms = self._clock.monotonic_ms() + _INDEX_FILES_MS
        with contextlib.suppress(OSError):
            for log in self.logs.values():
                log.segments.active.make_index_file()
                if self._clock.monotonic_ms() > deadline_ms:
                    return

    def _leave_marks(self) -> None:
        for path, error in self.write_checkpoints():
            self.mark_directory_failed(path, error)
        for directory in self._directories.all():
            # A node that never came so far as to open its logs, or not all, may only say what was true before.
            has_all = self._is_loaded and self._has_all_of(directory)
            if directory.is_online and (has_all or directory.last_run.end is LastEnd.CLEAN):
                epoch = self._broker_epoch if self._is_loaded else directory.last_run.broker_epoch
                directory.end(epoch)
