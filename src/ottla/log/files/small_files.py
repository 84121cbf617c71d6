"""Small files that are read and replaced as a whole: after a crash one has its old content or its new one."""

import contextlib
import posixpath
from typing import Final

from ottla.doors.disk import Buffer, Disk, File
from ottla.log.files.disk_errors import NoRoom, is_transient

TEMPORARY_SUFFIX: Final = ".tmp"


def read_whole(disk: Disk, path: str) -> bytes:
    """All bytes of a file. Raises FileNotFoundError."""
    file = disk.open(path, read_only=True)
    try:
        return file.read_at(0, file.size())
    finally:
        file.close()


def read_if_exists(disk: Disk, path: str) -> bytes:
    """All bytes of a file; none when it does not exist."""
    try:
        file = disk.open(path, read_only=True)
    except FileNotFoundError:
        return b""
    return file.read_at(0, file.size())


def write_atomically(disk: Disk, path: str, data: Buffer) -> None:
    """After a crash at any moment `path` holds either the old content or the new one."""
    temporary = path + TEMPORARY_SUFFIX
    file = disk.open(temporary, create=True)
    try:
        file.truncate(0)
        file.write_at(0, data)
        file.sync()
    finally:
        file.close()
    disk.rename(temporary, path)
    disk.sync_directory(posixpath.dirname(path))


def write_synced(disk: Disk, path: str, data: bytes) -> None:
    """Like `write_atomically`, but the caller syncs the directory, and a full disk is NoRoom."""
    replace_file(disk, path, data, sync=True)


def replace_file(disk: Disk, path: str, data: bytes, *, sync: bool) -> None:
    """Replaces a small file: after a kill, and with `sync` after power loss, it has its old content or its new one."""
    temporary = path + TEMPORARY_SUFFIX
    with contextlib.suppress(FileNotFoundError):
        disk.remove(temporary)
    file = _written(disk, temporary, data)
    try:
        if sync:
            file.sync()
    finally:
        file.close()
    disk.rename(temporary, path)


def _written(disk: Disk, path: str, data: bytes) -> File:
    """A new file, still open, not synced: up to here a full disk has harmed nothing."""
    file: File | None = None
    try:
        file = disk.open(path, create=True)
        file.write_at(0, data)
    except OSError as error:
        if file is not None:
            file.close()
        if is_transient(error):
            raise NoRoom(error.errno, error.strerror, path) from error
        raise
    return file
