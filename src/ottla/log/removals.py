"""Files and directories that wait for their removal, because somebody may still be reading them."""

import logging
import posixpath
from typing import Final

from ottla.doors.disk import Disk

_log = logging.getLogger(__name__)

_RETRY_MS: Final = 60_000
_ATTEMPTS_MAX: Final = 10


class Removals:
    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        #: By directory, then by path: when it is due, and how often it could not be removed.
        self._waiting: dict[str, dict[str, tuple[int, int]]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def add(self, path: str, due_ms: int) -> None:
        self._waiting.setdefault(posixpath.dirname(path), {}).setdefault(path, (due_ms, 0))

    def forget_in(self, directory: str) -> None:
        """The directory was renamed: the paths of its files say nothing any more."""
        self._waiting.pop(directory, None)

    def forget_below(self, directory: str) -> None:
        """The directory failed, with all that is in it."""
        for parent in list(self._waiting):
            if parent == directory or parent.startswith(directory + "/"):
                del self._waiting[parent]

    def due(self, now_ms: int) -> list[str]:
        return [path for paths in self._waiting.values() for path, (due_ms, _) in paths.items() if due_ms <= now_ms]

    def remove_due(self, now_ms: int) -> int:
        """How many are gone. What cannot be removed is tried again some times, then left to the operator."""
        count = 0
        for path in self.due(now_ms):
            attempts = self._take(path)
            try:
                self._remove(path)
                count += 1
            except OSError as error:
                if attempts < _ATTEMPTS_MAX:
                    self._waiting.setdefault(posixpath.dirname(path), {})[path] = (now_ms + _RETRY_MS, attempts)
                else:
                    _log.error("%s cannot be removed: %s", path, error)
        return count

    def _take(self, path: str) -> int:
        """Takes the path out; returns the number of this attempt."""
        parent = posixpath.dirname(path)
        paths = self._waiting[parent]
        _, attempts = paths.pop(path)
        if not paths:
            del self._waiting[parent]
        return attempts + 1

    def _remove(self, path: str) -> None:
        try:
            if self._disk.is_directory(path):
                self._disk.remove_tree(path)
            else:
                self._disk.remove(path)
        except FileNotFoundError:
            return
