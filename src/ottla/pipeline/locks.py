"""Locks as files: held by one process, released by the system when that process ends, however it ends."""

import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

#: `is_held` takes the lock for a moment: whoever wants to hold it tries again.
_ATTEMPTS: Final = 20
_PAUSE_S: Final = 0.01


class LockHeld(Exception):
    """Another process holds the lock."""


@contextmanager
def held(path: Path, content: str = "") -> Iterator[None]:
    """Raises LockHeld. `content` is for those who find the lock held."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "a+", encoding="utf-8") as handle:
        if not _locked(handle.fileno()):
            raise LockHeld(str(path))
        handle.truncate(0)
        handle.write(content)
        handle.flush()
        yield


def _locked(descriptor: int) -> bool:
    for _ in range(_ATTEMPTS):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(_PAUSE_S)
        else:
            return True
    return False


def is_held(path: Path) -> bool:
    try:
        with open(path, encoding="utf-8") as handle:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


def content_of(path: Path) -> str:
    """What the holder has written; nothing while nobody holds it."""
    return path.read_text(encoding="utf-8") if is_held(path) else ""
