"""What happens when the disk fails: a full disk refuses writes, a failing one goes offline, corruption is logged."""

from __future__ import annotations

import errno
import logging
from collections.abc import Callable

from ottla.doors.clock import Clock
from ottla.log.files.disk_errors import is_out_of_files
from ottla.log.partition_log import PartitionLog
from ottla.log.store.log_store import LogStore
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import CorruptLog, Refused
from ottla.model.topic import TopicPartition

_log = logging.getLogger(__name__)

#: The disk works but has no room: writes are refused, everything else continues, and writes resume by themselves.
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
#: The same failure is not logged more often than this.
_LOG_INTERVAL_MS = 10_000
#: So long after a file could not be opened no partitions are created.
_SHORT_OF_FILES_MS = 1_000


class StorageFaults:
    """Owned by the node, which hands in what follows from a fault: a partition goes offline, the node stops."""

    def __init__(self, store: LogStore, clock: Clock, open_files: int, *, give_up: Callable[[str], None]) -> None:
        self._store = store
        self._clock = clock
        self._open_files = open_files
        self._give_up = give_up
        #: Called for each partition of a directory that has failed, with the reason.
        self.on_partition_failed: Callable[[TopicPartition, str], None] | None = None
        #: Called when no file descriptor is left: flushed files can be closed.
        self.on_out_of_files: Callable[[], None] | None = None
        self._full_logged_ms = -(10**9)
        self._out_of_files_ms = self._out_of_files_logged_ms = -(10**9)
        self._corruption_logged_ms: dict[tuple[str, int], int] = {}

    def io_failed(self, topic_partition: tuple[str, int], error: OSError) -> None:
        if is_out_of_files(error):
            self.out_of_files(error)
            return
        store = self._store
        log = store.logs.get(TopicPartition(*topic_partition))
        if error.errno in _NO_ROOM and log is not None and not log.is_failed:
            self._log_full(topic_partition, error)
            # Room for metadata, checkpoints and retention; it is taken back when there is enough again.
            store.release_reserves()
            return
        if log is not None:
            self.directory_failed(log, error)

    def log_failed(self, topic_partition: tuple[str, int], error: OSError | CorruptLog) -> ErrorCode:
        """A log could not be read or cleaned; returns the error code for the client.

        Corruption, unlike a failing disk, is no reason to take the other logs of the directory offline.
        """
        if isinstance(error, OSError):
            self.io_failed(topic_partition, error)
            return ErrorCode.KAFKA_STORAGE_ERROR
        now_ms = self._clock.monotonic_ms()
        if now_ms - self._corruption_logged_ms.get(topic_partition, -(10**9)) > _LOG_INTERVAL_MS:
            self._corruption_logged_ms[topic_partition] = now_ms
            _log.error("%s-%d: corrupt: %s", *topic_partition, error)
        return ErrorCode.CORRUPT_MESSAGE

    def flush_failed(self, log: PartitionLog, error: OSError) -> None:
        store = self._store
        if log is store.metadata_log:
            _log.critical("fsync of the metadata log failed: %s; the node stops", error)
            self._give_up("the metadata log cannot be flushed")
            return
        if store.logs.get(log.topic_partition) is not log:
            # Deleted or moved while the flush ran: its files are gone on purpose.
            return
        _log.critical("fsync of %s failed: %s; it is not retried", log.topic_partition, error)
        self.directory_failed(log, error)

    def directory_failed(self, log: PartitionLog, error: OSError) -> None:
        """The whole directory goes offline; partitions in other directories stay online."""
        self._take_offline(log, error)

    def path_failed(self, path: str, error: OSError) -> None:
        """A directory whose checkpoints cannot be written; one without room is retried."""
        if is_out_of_files(error):
            self.out_of_files(error)
        elif error.errno in _NO_ROOM:
            self._store.release_reserves()
        else:
            self._take_offline(path, error)

    def _take_offline(self, log_or_path: PartitionLog | str, error: OSError) -> None:
        lost = self._store.mark_directory_failed(log_or_path, error)
        if self.on_partition_failed is not None:
            for topic_partition in lost:
                self.on_partition_failed(topic_partition, f"its log directory failed: {error}")
        if not self._store.has_working_directory():
            self._give_up("no log directory is left")

    def out_of_files(self, error: OSError) -> None:
        """What needed a file is refused and may be retried: flushed files can be closed then."""
        if self.on_out_of_files is not None:
            self.on_out_of_files()
        now_ms = self._clock.monotonic_ms()
        self._out_of_files_ms = now_ms
        if now_ms - self._out_of_files_logged_ms > _LOG_INTERVAL_MS:
            self._out_of_files_logged_ms = now_ms
            _log.error(
                "no file descriptors left (ulimit -n is %d), rejecting requests that need one: %s",
                self._open_files,
                error,
            )

    def check_descriptors(self) -> None:
        """Raises Refused right after a file could not be opened: new partitions would only need more of them."""
        if self._clock.monotonic_ms() - self._out_of_files_ms < _SHORT_OF_FILES_MS:
            raise Refused(
                ErrorCode.KAFKA_STORAGE_ERROR,
                f"The broker has no file descriptor left, of {self._open_files}: try again later, "
                "or allow it more (ulimit -n).",
            )

    def _log_full(self, topic_partition: tuple[str, int], error: OSError) -> None:
        now_ms = self._clock.monotonic_ms()
        if now_ms - self._full_logged_ms > _LOG_INTERVAL_MS:
            self._full_logged_ms = now_ms
            _log.error(
                "no space left on the disk: writes to %s-%d are rejected until there is (%s)", *topic_partition, error
            )
