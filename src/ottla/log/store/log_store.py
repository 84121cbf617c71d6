"""All logs of one node, in all its log directories.

    store = LogStore(disk=..., directories=[...], node_id=..., rng=..., clock=...)
    cluster_id = store.open_directories(None)         lock, identity, how the last run ended
    metadata_log = store.open_metadata_log(options)   not one of `store.logs`
    store.load_logs(options_for)                      opens every partition; recovers after a crash
    store.put_aside(...)                              what the metadata does not know
    store.finish_loading()                            forgets what is not here any more, resumes moves
    ...
    store.close(clean=True)                           flush, checkpoints, the mark of a clean stop

Which partitions should exist is decided by the metadata: a partition is created without a sync, because after a power
loss it is simply created again. Checkpoint files know partitions by name only, and a name may be used again: so one is
created, or moved here, only when no file has an entry of an earlier partition of its name (`is_free`).
"""

import contextlib
import logging
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from ottla.config.topic_options import TopicOptions
from ottla.doors.clock import Clock
from ottla.doors.disk import Disk
from ottla.doors.rng import Rng
from ottla.log.files.disk_errors import is_transient
from ottla.log.partition_log import PartitionLog
from ottla.log.segments.segment_cache import SegmentCache
from ottla.log.store.clean_shutdown import NO_BROKER_EPOCH, LastEnd
from ottla.log.store.directory_set import DirectorySet
from ottla.log.store.loading import LEFTOVER_DELAY_MS, Known, LogLoading, LogOpener, OptionsFor
from ottla.log.store.log_moves import LogMoves
from ottla.log.store.partition_directory import DirectoryKind, directory_name
from ottla.log.store.placed_logs import METADATA_PARTITION, PlacedLogs
from ottla.log.store.removals import RemovalJob, Removals
from ottla.log.store.reserve import RESERVE_BYTES
from ottla.log.store.store_directory import FoundDirectory, StoreDirectory
from ottla.log.store.store_reports import CheckpointJob, DirectoryReport
from ottla.model.errors import CorruptLog, check
from ottla.model.topic import TopicPartition

_log = logging.getLogger(__name__)

METADATA_TOPIC_ID = bytes(15) + b"\x01"
#: How long a stop may spend on files that only Kafka needs; the next one continues where this one ended.
_INDEX_FILES_MS = 1_000


class LogStore:
    """Owned by the node; the only one that creates, renames and removes partition directories."""

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
        cache = cache or SegmentCache()
        self._disk = disk
        self._node_id = node_id
        self._rng = rng
        self._clock = clock
        self._broker_epoch = NO_BROKER_EPOCH
        self._directories = DirectorySet(disk, directories, metadata_directory, reserve_bytes)
        self._placed = PlacedLogs()
        self._removals = Removals(disk)
        self._opener = LogOpener(disk, cache, rng, clock)
        self.moves = LogMoves(disk, self._opener.open, clock.now_ms)
        self._loading = LogLoading(
            self._directories, self._placed, self._opener, self.moves, self._removals, cache, disk, clock
        )
        self._homes = self._placed.homes
        #: These are never replaced: others may keep them.
        self.logs = self._placed.logs
        #: Partitions that are here but cannot be used, and why.
        self.offline = self._placed.offline
        #: Up to where each compacted log is clean; kept by the cleaner.
        self.cleaner_offsets = self._placed.cleaner_offsets

    @property
    def metadata_log(self) -> PartitionLog | None:
        return self._placed.metadata_log

    @property
    def on_names_wanted(self) -> Callable[[PartitionLog], None] | None:
        """Called when the names of a log's new files should become durable soon."""
        return self._opener.on_names_wanted

    @on_names_wanted.setter
    def on_names_wanted(self, callback: Callable[[PartitionLog], None] | None) -> None:
        self._opener.on_names_wanted = callback

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
        log = self._opener.open(directory, path, METADATA_PARTITION, options, METADATA_TOPIC_ID, saved)
        self._placed.metadata_log = log
        return log

    def load_logs(self, options_for: OptionsFor) -> None:
        """Opens every partition. One that cannot be opened goes offline, and the others are opened."""
        self._loading.run(options_for, self.mark_directory_failed)

    def load_again(self, options_for: OptionsFor) -> list[TopicPartition]:
        """Retries what found no room before; returns the partitions that are here now."""
        return self._loading.load_again(options_for)

    def finish_loading(self) -> list[tuple[str, OSError]]:
        """To be called when strays have been put aside; directories that failed meanwhile, as `write_checkpoints`."""
        self._loading.note_loaded()
        failures = self.write_checkpoints() if any(d.former for d in self._directories.online()) else []
        self.moves.resume(self.logs, self._homes)
        return failures

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
        log = self._opener.open(directory, path, topic_partition, options, topic_id)
        self._placed.place(topic_partition, log, directory)
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

    def strays(self, known: Known) -> list[TopicPartition]:
        """Partitions here that the cluster does not know (by topic id: a name may have been used again)."""
        return [
            topic_partition for topic_partition, log in self.logs.items() if not known(topic_partition, log.topic_id)
        ]

    def put_aside(self, topic_partition: TopicPartition) -> str:
        """A stray is renamed and kept: what nobody asked to delete is not deleted. Returns its new path."""
        return self._dismiss(topic_partition, DirectoryKind.STRAY)

    def put_unopened_aside(self, known: Known, options_for: OptionsFor) -> list[str]:
        """Strays among the partitions that could not be opened. Returns their new paths.

        Where that leaves one of two directories of a partition, it is opened. A directory that fails goes offline.
        """
        paths = []
        unopened = self._loading.unopened
        for topic_partition in unopened.partitions():
            strays = unopened.strays_of(topic_partition, known)
            kept = [place for place in unopened.of(topic_partition) if place not in strays]
            try:
                paths += [self._dismiss_unopened(place, DirectoryKind.STRAY) for place in strays]
            except OSError as error:
                self.mark_directory_failed(strays[0].directory.path, error)
                continue
            if strays and len(kept) == 1:
                self._loading.reload(kept[0], options_for)
            elif not kept:
                self._loading.forget_offline(topic_partition)
        return paths

    def delete_offline(self, topic_partition: TopicPartition) -> list[tuple[str, OSError]]:
        """What is in a directory that has failed stays there; should it work again, it is a stray.

        Returns directories that failed meanwhile, for `mark_directory_failed`.
        """
        failures = []
        for place in self._loading.unopened.of(topic_partition):
            try:
                path = self._dismiss_unopened(place, DirectoryKind.DELETE)
                self._removals.add(path, self._clock.now_ms() + LEFTOVER_DELAY_MS)
            except OSError as error:
                failures.append((place.directory.path, error))
        self._loading.forget_offline(topic_partition)
        return failures

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
        self._placed.remove(topic_partition)
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
        """Copies the rest and puts the copy in the place of the original, which is deleted. Returns the new log.

        After an OSError the original goes on, or the partition is offline.
        """
        old = self.logs[topic_partition]
        tag = self._rng.random_bytes(16)
        try:
            new, directory, dropped = self.moves.finish(topic_partition, tag)
        except OSError as error:
            if old.is_failed:
                # It has lost its name: the next start opens the copy.
                self._placed.take_offline(topic_partition, f"its move could not be finished: {error}")
            raise
        self._homes[topic_partition].left(topic_partition)
        self._placed.place(topic_partition, new, directory)
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
        self._removals.add_all(paths, due_ms)

    def removal_job(self, now_ms: int) -> RemovalJob | None:
        """Some of what is due; None when nothing is. `run()` it, in a thread if need be; then `removal_done`."""
        return self._removals.job(now_ms)

    def removal_done(self, job: RemovalJob, now_ms: int) -> None:
        self._removals.done(job, now_ms)

    def remove_due(self, now_ms: int) -> int:
        """Here and now; how many are gone."""
        return self._removals.run_due(now_ms)

    # failures

    def mark_directory_failed(self, log: PartitionLog | str, error: OSError) -> list[TopicPartition]:
        """The directory of `log` (or at that path) goes offline with all its partitions; these are returned."""
        path = log if isinstance(log, str) else log.directory
        failed = self._directories.containing(path)
        if failed is None:
            return []
        failed.fail(error)
        self._removals.forget_below(failed.path)
        self.moves.forget(failed)
        lost = self._placed.in_directory(failed)
        for topic_partition in lost:
            self._placed.take_offline(topic_partition, f"log directory {failed.path} failed: {error}")
        return lost

    def has_working_directory(self) -> bool:
        return any(True for _ in self._directories.online())

    def has_room(self) -> bool:
        """Enough in all working directories to open or create partitions again that found none."""
        return self._directories.has_room()

    def release_reserves(self) -> bool:
        """Gives the space held back to whoever needs it; True when there was some."""
        return self._directories.release_reserves()

    def restore_reserves(self, *, spare_bytes: int = 0) -> bool:
        """True when every directory holds its reserve. Writes it where it is missing: not for the event loop."""
        return self._directories.restore_reserves(spare_bytes=spare_bytes)

    # checkpoints and reports

    def checkpoint_job(self) -> CheckpointJob:
        """What the checkpoint files should contain now. `run()` writes them, in a thread if need be; then `done()`."""
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
        kept = [tp for tp in self.offline if self._loading.is_in(directory, tp)] if self._loading.is_done else None
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
        """For DescribeLogDirs. A directory whose size cannot be read counts as failed."""
        reports = []
        for directory in self._directories.for_partitions:
            logs = self._placed.reports(directory)
            logs += self.moves.reports(directory)
            reports.append(DirectoryReport.of(directory, logs))
        return reports

    def directory_paths(self) -> list[str]:
        return [directory.path for directory in self._directories.for_partitions]

    def directory_ids(self) -> list[bytes]:
        """Of the directories that work."""
        return [directory.directory_id for directory in self._directories.online()]

    # the last run and this one

    @property
    def last_end(self) -> LastEnd:
        """How the last run ended, in the worst of the directories."""
        return self._directories.last_end

    @property
    def previous_broker_epoch(self) -> int:
        """Under which epoch this node ran before; -1 when its logs may have lost something since."""
        return self._directories.previous_broker_epoch

    @property
    def last_alive_ms(self) -> int | None:
        """When the last run was alive, by a clock that it trusted; None where there was none."""
        return self._directories.last_alive_ms

    def record_broker_epoch(self, broker_epoch: int, held_clock_ms: int | None = None) -> None:
        self._broker_epoch = broker_epoch
        for path, error in self.record_held_clock(held_clock_ms):
            if is_transient(error):
                # After a crash the next start does not know the epoch then, and assumes the worst.
                _log.warning("%s: the broker epoch could not be recorded: %s", path, error)
            else:
                self.mark_directory_failed(path, error)

    def record_held_clock(self, held_clock_ms: int | None) -> list[tuple[str, OSError]]:
        """What retention goes by while it does not trust the clock. For a thread; directories that failed meanwhile."""
        return self._directories.record_run(self._broker_epoch, held_clock_ms)

    # end

    def close(self, clean: bool = True) -> None:
        """With `clean` everything is synced first; a directory where that fails gets no mark."""
        places = [(log, self._homes[tp]) for tp, log in self.logs.items()]
        if self.metadata_log is not None:
            places.append((self.metadata_log, self._directories.for_metadata))
        for log, directory in places:
            try:
                log.close(clean=clean and directory.is_online)
            except OSError as error:
                directory.fail(error)
        self.moves.close()
        if clean:
            self._make_index_files()
            self._leave_marks()
        self._directories.unlock()

    def _make_index_files(self) -> None:
        """For Apache Kafka, should it take the directory over; a stop is not to become long for it."""
        deadline_ms = self._clock.monotonic_ms() + _INDEX_FILES_MS
        with contextlib.suppress(OSError):
            for log in self.logs.values():
                log.segments.active.indexes.make_offset_file()
                if self._clock.monotonic_ms() > deadline_ms:
                    return

    def _leave_marks(self) -> None:
        for path, error in self.write_checkpoints():
            self.mark_directory_failed(path, error)
        for directory in self._directories.all():
            # A node that stops before all its logs are open may only write what was true before.
            has_all = self._loading.is_done and self._placed.has_all_of(directory)
            if directory.is_online and (has_all or directory.last_run.end is LastEnd.CLEAN):
                epoch = self._broker_epoch if self._loading.is_done else directory.last_run.broker_epoch
                directory.end(epoch)
