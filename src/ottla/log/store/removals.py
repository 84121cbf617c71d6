"""Files and directories that wait for their removal, because somebody may still be reading them.

job = removals.job(now_ms)     on the event loop: some that are due
job.run()                      in a thread: to unlink a large file takes as long as to free its blocks and pages
removals.done(job, now_ms)     on the event loop: what could not be removed is retried
"""

import logging
import posixpath
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final, NamedTuple

from ottla.doors.disk import Disk

_log = logging.getLogger(__name__)

_RETRY_MS: Final = 60_000
_ATTEMPTS_MAX: Final = 10
#: Of one job.
_PATHS_MAX: Final = 16


class _Due(NamedTuple):
    path: str
    #: How often it could not be removed.
    attempts: int


class RemovalJob:
    """Touches nothing but the disk."""

    def __init__(self, disk: Disk, due: list[_Due]) -> None:
        self._disk = disk
        self._due = due
        self.failed: list[tuple[_Due, OSError]] = []

    @property
    def removed_count(self) -> int:
        return len(self._due) - len(self.failed)

    def run(self) -> None:
        for each in self._due:
            try:
                self._remove(each.path)
            except FileNotFoundError:
                continue
            except OSError as error:
                self.failed.append((each, error))

    def _remove(self, path: str) -> None:
        if self._disk.is_directory(path):
            self._disk.remove_tree(path)
        else:
            self._disk.remove(path)


class Removals:
    """Owned by the LogStore."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        #: By directory, then by path: when it is due, and how often it could not be removed.
        self._waiting: dict[str, dict[str, tuple[int, int]]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def add(self, path: str, due_ms: int, attempts: int = 0) -> None:
        self._waiting.setdefault(posixpath.dirname(path), {}).setdefault(path, (due_ms, attempts))

    def add_all(self, paths: Iterable[str], due_ms: int) -> None:
        for path in paths:
            self.add(path, due_ms)

    def forget_in(self, directory: str) -> None:
        """The directory was renamed: the paths of its files are not valid any more."""
        self._waiting.pop(directory, None)

    def forget_below(self, directory: str) -> None:
        """The directory failed, with all that is in it."""
        for parent in list(self._waiting):
            if parent == directory or parent.startswith(directory + "/"):
                del self._waiting[parent]

    def due(self, now_ms: int) -> Iterator[str]:
        for paths in self._waiting.values():
            for path, (due_ms, _) in paths.items():
                if due_ms <= now_ms:
                    yield path

    def job(self, now_ms: int) -> RemovalJob | None:
        """Some of those that are due; None when none is."""
        due = [self._take(path) for path in list(islice(self.due(now_ms), _PATHS_MAX))]
        return RemovalJob(self._disk, due) if due else None

    def _take(self, path: str) -> _Due:
        parent = posixpath.dirname(path)
        paths = self._waiting[parent]
        _, attempts = paths.pop(path)
        if not paths:
            del self._waiting[parent]
        return _Due(path, attempts)

    def run_due(self, now_ms: int) -> int:
        """Here and now; how many are gone."""
        count = 0
        while (job := self.job(now_ms)) is not None:
            job.run()
            self.done(job, now_ms)
            count += job.removed_count
        return count

    def done(self, job: RemovalJob, now_ms: int) -> None:
        """What could not be removed is retried some times, then left to the operator."""
        for (path, attempts), error in job.failed:
            if attempts + 1 < _ATTEMPTS_MAX:
                self.add(path, now_ms + _RETRY_MS, attempts + 1)
            else:
                _log.error("%s cannot be removed: %s", path, error)
