"""One directory of log.dirs: its lock, its identity, its checkpoints, the partition directories in it.

It fails as a whole: after one error of the device nothing in it is trusted any more, while others stay online.
"""

import logging
import posixpath
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Final, NamedTuple

from ottla.doors.disk import DirectoryLock, Disk
from ottla.doors.rng import Rng
from ottla.log.files.disk_errors import DiskErrorNote, is_no_room, is_transient
from ottla.log.store import meta_properties
from ottla.log.store.checkpoints import (
    CLEANER_OFFSETS,
    HIGH_WATERMARKS,
    LOG_START_OFFSETS,
    RECOVERY_POINTS,
    SavedOffsets,
    read_checkpoint,
    write_checkpoint,
)
from ottla.log.store.clean_shutdown import (
    NO_BROKER_EPOCH,
    LastAlive,
    LastEnd,
    LastRun,
    begin_run,
    end_run,
    read_last_alive,
    read_last_run,
)
from ottla.log.store.meta_properties import MetaProperties
from ottla.log.store.partition_directory import PartitionDirectory, parse_directory_name
from ottla.log.store.reserve import RESERVE_BYTES, Reserve
from ottla.model.errors import InUse, check
from ottla.model.topic import TopicPartition

_log = logging.getLogger(__name__)

LOCK_NAME: Final = ".lock"
DIRECTORY_IN_USE: Final = "the directory is in use by another process"
#: What a start needs, for small files and a few batches of metadata.
START_BYTES: Final = 1024 * 1024
_CHECKPOINT_NAMES: Final = (RECOVERY_POINTS, HIGH_WATERMARKS, LOG_START_OFFSETS, CLEANER_OFFSETS)


class FoundDirectory(NamedTuple):
    directory: "StoreDirectory"
    path: str
    partition: PartitionDirectory


class StoreDirectory:
    """Owned by the LogStore. `failure`: why it is offline; None while it works."""

    def __init__(self, disk: Disk, path: str, reserve_bytes: int = RESERVE_BYTES) -> None:
        check(path.startswith("/"), f"log directory {path!r} is not an absolute path")
        self.disk = disk
        self.path = path.rstrip("/") or "/"
        self.failure: str | None = None
        self.directory_id = bytes(16)
        self.last_run = LastRun(LastEnd.POWER_LOSS, NO_BROKER_EPOCH)
        self.last_alive: LastAlive | None = None
        #: The page cache may show what is not on the device: logs write their tails again as they are opened.
        self.has_lost_pages = False
        #: Partitions that are not here any more, while the device may still have their checkpoint entries or their
        #: old name. Until `forgotten`, no partition of such a name may come here: it would inherit them.
        self.former: dict[TopicPartition, None] = {}
        #: Partitions that are here and in another directory as well, so that neither is used.
        self.twins: dict[TopicPartition, None] = {}
        self.reserve = Reserve(disk, self.path, reserve_bytes)
        #: What the checkpoint files contained at the start, by file name.
        self.checkpoints: dict[str, dict[TopicPartition, int]] = {name: {} for name in _CHECKPOINT_NAMES}
        self._written: dict[str, dict[TopicPartition, int]] = {}
        self._lock: DirectoryLock | None = None

    @property
    def is_online(self) -> bool:
        return self.failure is None

    # start

    def take(self) -> MetaProperties | None:
        """Creates and locks the directory, and reads to whom it belongs.

        Raises InUse when another process has it, and InvalidConfig for a file that cannot be understood; a device that
        fails takes only this directory offline.
        """
        try:
            self._make()
            self._lock = self.disk.lock(posixpath.join(self.path, LOCK_NAME))
            return meta_properties.read_meta_properties(self.disk, self.path)
        except BlockingIOError as error:
            raise InUse([f"log.dirs={self.path}: {DIRECTORY_IN_USE}"]) from error
        except OSError as error:
            self.fail(error)
            return None

    def missing_bytes(self) -> int:
        """How much room is missing for a start, after the reserve was released if need be; 0 when there is enough."""
        try:
            usable_bytes = self.disk.usage(self.path).usable_bytes
            if usable_bytes < START_BYTES and self.reserve.release():
                usable_bytes = self.disk.usage(self.path).usable_bytes
        except OSError as error:
            self.fail(error)
            return 0
        return max(0, START_BYTES - usable_bytes)

    def _make(self) -> None:
        """A new directory whose name is not durable would take everything in it along."""
        missing = []
        path = self.path
        while path != "/" and not self.disk.exists(path):
            missing.append(path)
            path = posixpath.dirname(path)
        self.disk.make_directories(self.path)
        for made in missing:
            self.disk.sync_directory(posixpath.dirname(made))

    def begin(self, found: MetaProperties | None, cluster_id: str, node_id: int, rng: Rng) -> None:
        """Settles the identity, learns how the last run ended and marks this one as begun."""
        directory_id = None if found is None else found.directory_id
        self.directory_id = directory_id or meta_properties.new_directory_id(rng)
        wanted = MetaProperties(1, cluster_id, node_id, self.directory_id)
        try:
            self.last_alive = read_last_alive(self.disk, self.path)
            if found != wanted:
                meta_properties.write_meta_properties(self.disk, self.path, wanted)
            self.last_run = read_last_run(self.disk, self.path, self.directory_id)
            self.has_lost_pages = self.last_run.has_seen_error
            self._read_checkpoints()
            # Until somebody has looked at the clock, the last run's counts.
            self.record_run(NO_BROKER_EPOCH, None if self.last_alive is None else self.last_alive.time_ms)
        except OSError as error:
            self.fail(error)

    def _read_checkpoints(self) -> None:
        for name in _CHECKPOINT_NAMES:
            read = read_checkpoint(self.disk, posixpath.join(self.path, name))
            if read.problem is not None:
                _log.warning("%s/%s: %s; the rest of it is used", self.path, name, read.problem)
            self.checkpoints[name] = read.offsets

    def partition_directories(self) -> list[FoundDirectory]:
        """In order of their names. What is no partition is left alone; a directory that looks foreign is named."""
        found = []
        for name in self.disk.list(self.path):
            partition = parse_directory_name(name)
            path = f"{self.path}/{name}"
            if partition is not None:
                found.append(FoundDirectory(self, path, partition))
            elif not name.startswith(".") and "." not in name and self.disk.is_directory(path):
                _log.warning("%s is not a partition directory; ignored", path)
        return found

    def loaded(self) -> None:
        """All logs are open: what they had to write again is on the device."""
        if self.has_lost_pages:
            try:
                DiskErrorNote.remove(self.disk, self.path)
            except OSError as error:
                self.fail(error)
                return
            self.has_lost_pages = False

    def log_not_opened(self, error: Exception) -> None:
        """The next start looks at everything again."""
        if isinstance(error, OSError) and not is_transient(error):
            DiskErrorNote.leave(self.disk, self.path)

    # work

    def record_run(self, broker_epoch: int, held_clock_ms: int | None) -> None:
        """For the next start. Raises OSError; then what was recorded before still stands."""
        self._with_reserve(partial(begin_run, self.disk, self.path, self.directory_id, broker_epoch, held_clock_ms))

    def saved(self, topic_partition: TopicPartition) -> SavedOffsets:
        """What the files contained at the start about the partition that is here."""
        names = (RECOVERY_POINTS, LOG_START_OFFSETS, HIGH_WATERMARKS)
        return SavedOffsets(*(self.checkpoints[name].get(topic_partition, 0) for name in names))

    def left(self, topic_partition: TopicPartition) -> None:
        """The partition was deleted, put aside or moved away."""
        self.former[topic_partition] = None
        for offsets in self.checkpoints.values():
            offsets.pop(topic_partition, None)

    def note_former(self, is_here: Callable[[TopicPartition], bool]) -> None:
        """At the start: the files may have entries of partitions that an earlier run deleted or moved away."""
        for offsets in self.checkpoints.values():
            for topic_partition in [each for each in offsets if not is_here(each)]:
                self.left(topic_partition)

    def forgotten(self, topic_partitions: Iterable[TopicPartition]) -> None:
        """The checkpoints were written, and the directory synced, after these had left."""
        for topic_partition in topic_partitions:
            self.former.pop(topic_partition, None)

    def written_recovery_point(self, topic_partition: TopicPartition) -> int:
        """The value in the file now; 0 when there is none."""
        written = self._written.get(RECOVERY_POINTS, self.checkpoints[RECOVERY_POINTS])
        return written.get(topic_partition, 0)

    def write_checkpoints(self, wanted: Mapping[str, dict[TopicPartition, int]], *, sync_names: bool = False) -> None:
        """Writes the files whose content has changed, and makes the names in the directory durable. Raises OSError."""
        for name, offsets in wanted.items():
            if self._written.get(name) == offsets:
                continue
            path = posixpath.join(self.path, name)
            self._with_reserve(partial(write_checkpoint, self.disk, path, offsets))
            self._written[name] = offsets
            sync_names = False
        if sync_names:
            # Otherwise the replacement of a file has done it.
            self.disk.sync_directory(self.path)

    def _with_reserve(self, write: Callable[[], None]) -> None:
        """Writes a small file, at the expense of the reserve if need be: a full disk must not stop what makes room."""
        try:
            write()
        except OSError as error:
            if not is_no_room(error) or not self.reserve.release():
                raise
            write()

    def fail(self, error: OSError) -> None:
        if self.failure is None:
            self.failure = str(error)
            _log.critical("log directory %s is offline: %s", self.path, error)
            DiskErrorNote.leave(self.disk, self.path)

    # end

    def end(self, broker_epoch: int) -> None:
        """The data and checkpoints are synced: leaves the mark of a clean stop."""
        try:
            end_run(self.disk, self.path, broker_epoch)
        except OSError as error:
            self.fail(error)

    def unlock(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None
