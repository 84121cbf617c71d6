"""Files and directories that wait for their removal, because somebody may still be reading them."""

import logging
from typing import Final

from ottla.doors.disk import Disk

_log = logging.getLogger(__name__)

_RETRY_MS: Final = 60_000
_ATTEMPTS_MAX: Final = 10


class Removals:
    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        #: Path to when it is due, and how often it could not be removed.
        self._waiting: dict[str, tuple[int, int]] = {}

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, path: str, due_ms: int) -> None:
        self._waiting.setdefault(path, (due_ms, 0))

    def forget_below(self, directory: str) -> None:
        """The directory failed, was renamed or is gone: its paths say nothing any more."""
        prefix = directory.rstrip("/") + "/"
        self._waiting = {path: entry for path, entry in self._waiting.items() if not path.startswith(prefix)}

    def due(self, now_ms: int) -> list[str]:
        return [path for path, (due_ms, _) in self._waiting.items() if due_ms <= now_ms]

    def remove_due(self, now_ms: int) -> int:
        """How many are gone. What cannot be removed is tried again some times, then left to the operator."""
        count = 0
        for path in self.due(now_ms):
            _, attempts = self._waiting.pop(path)
            try:
                self._remove(path)
                count += 1
            except OSError as error:
                if attempts + 1 < _ATTEMPTS_MAX:
                    self._waiting[path] = (now_ms + _RETRY_MS, attempts + 1)
                else:
                    _log.error("%s cannot be removed: %s", path, error)
        return count

    def _remove(self, path: str) -> None:
        try:
            if self._disk.is_directory(path):
                self._disk.remove_tree(path)
            else:
                self._disk.remove(path)
        except FileNotFoundError:
            return
