"""Real files: positioned, unbuffered I/O on kernel descriptors.

Nothing is kept in a buffer of this process, so what was written survives kill -9.
"""

import contextlib
import errno
import fcntl
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from ottla.doors.disk import Buffer, DiskUsage, File
from ottla.runtime.file_sync import sync_descriptor
from ottla.runtime.pace import Pace
from ottla.runtime.system_calls import allocate, sync_descriptors, write_at

_OPEN_FLAGS = getattr(os, "O_CLOEXEC", 0)


class OsFile:
    __slots__ = ("_descriptor", "path")

    def __init__(self, path: str, descriptor: int) -> None:
        self.path = path
        self._descriptor = descriptor

    def size(self) -> int:
        return os.fstat(self._descriptor).st_size

    def write_at(self, position: int, data: Buffer) -> None:
        written = write_at(self._descriptor, data, position)
        if written != len(data):
            self._write_rest(position, data, written)

    def _write_rest(self, position: int, data: Buffer, written: int) -> None:
        """A short write is legal (signals, quota, almost full disk): retry until the kernel reports the reason."""
        rest = memoryview(data)
        while written != len(rest):
            if written > 0:
                rest = rest[written:]
                position += written
            elif written != -errno.EINTR:
                # A disk that takes no bytes and names no reason is broken too.
                code = -written or errno.EIO
                raise OSError(code, os.strerror(code), self.path)
            written = write_at(self._descriptor, rest, position)

    def read_at(self, position: int, size: int) -> bytes:
        data = os.pread(self._descriptor, size, position)
        if len(data) == size or not data:
            return data
        parts = [data]
        got = len(data)
        while got < size:
            data = os.pread(self._descriptor, size - got, position + got)
            if not data:
                break
            parts.append(data)
            got += len(data)
        return b"".join(parts)

    def allocate(self, position: int, size: int) -> bool:
        return allocate(self._descriptor, position, size)

    def truncate(self, size: int) -> None:
        os.ftruncate(self._descriptor, size)

    def sync(self) -> None:
        sync_descriptor(self._descriptor)

    def descriptor(self) -> int | None:
        return self._descriptor

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def detach(self) -> int:
        """Hands the descriptor over to somebody else."""
        descriptor, self._descriptor = self._descriptor, -1
        return descriptor

    def __del__(self) -> None:
        # A deleted segment may still be being sent to a slow client: its file closes with the last reference.
        self.close()


class OsDirectoryLock:
    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def release(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


class OsDisk:
    def open(self, path: str, *, create: bool = False, read_only: bool = False) -> OsFile:
        flags = _OPEN_FLAGS | (os.O_RDONLY if read_only else os.O_RDWR) | (os.O_CREAT if create else 0)
        return OsFile(path, os.open(path, flags, 0o640))

    def paced(self, bytes_per_second: float) -> "OsDisk":
        return PacedDisk(Pace(bytes_per_second))

    def exists(self, path: str) -> bool:
        return os.path.lexists(path)

    def is_directory(self, path: str) -> bool:
        return os.path.isdir(path)

    def list(self, path: str) -> list[str]:
        return sorted(os.listdir(path))

    def size(self, path: str) -> int:
        return os.stat(path).st_size

    def modified_ms(self, path: str) -> int:
        return os.stat(path).st_mtime_ns // 1_000_000

    def make_directories(self, path: str) -> None:
        os.makedirs(path, mode=0o750, exist_ok=True)

    def rename(self, source: str, target: str) -> None:
        os.replace(source, target)

    def remove(self, path: str) -> None:
        os.unlink(path)

    def remove_tree(self, path: str) -> None:
        if os.path.islink(path):
            # A partition that somebody has moved by hand: its files go, the directory behind the link is not ours.
            for entry in os.scandir(path):
                if entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(entry.path)
                else:
                    os.unlink(entry.path)
            os.unlink(path)
            return
        shutil.rmtree(path)

    def sync_all(self, files: Sequence[File]) -> Sequence[OSError | None]:
        descriptors = [file.descriptor() for file in files]
        codes = sync_descriptors([-1 if each is None else each for each in descriptors])
        return [
            OSError(code, os.strerror(code), file.path) if code else None
            for file, code in zip(files, codes, strict=True)
        ]

    def sync_directory(self, path: str) -> None:
        descriptor = os.open(path, os.O_RDONLY | _OPEN_FLAGS)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def usage(self, path: str) -> DiskUsage:
        figures = os.statvfs(path)
        return DiskUsage(figures.f_frsize * figures.f_blocks, figures.f_frsize * figures.f_bavail)

    def lock(self, path: str) -> OsDirectoryLock:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | _OPEN_FLAGS, 0o640)
        try:
            # Java's FileChannel.tryLock takes the same kind of lock, so Kafka and Ottla keep each other out.
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(descriptor)
            raise BlockingIOError(error.errno, "held by another process", path) from error
        return OsDirectoryLock(descriptor)

    def boot_identity(self, path: str) -> str:
        return f"{boot_id()} {os.stat(path).st_dev}"


def boot_id() -> str:
    """Differs after each start of the machine; empty where the platform has none (then no crash is harmless)."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    elif sys.platform == "darwin":
        return _darwin_boot_session()
    return ""


def _darwin_boot_session() -> str:
    import subprocess

    with contextlib.suppress(OSError, subprocess.SubprocessError):
        found = subprocess.run(
            ["/usr/sbin/sysctl", "-n", "kern.bootsessionuuid"], capture_output=True, text=True, check=True, timeout=5
        )
        return found.stdout.strip()
    return ""


class PacedFile(OsFile):
    __slots__ = ("_pace",)

    def __init__(self, file: OsFile, pace: Pace) -> None:
        super().__init__(file.path, file.detach())
        self._pace = pace

    def write_at(self, position: int, data: Buffer) -> None:
        self._pace.spend(len(data))
        super().write_at(position, data)

    def read_at(self, position: int, size: int) -> bytes:
        data = super().read_at(position, size)
        self._pace.spend(len(data))
        return data


class PacedDisk(OsDisk):
    def __init__(self, pace: Pace) -> None:
        self._pace = pace

    def open(self, path: str, *, create: bool = False, read_only: bool = False) -> OsFile:
        return PacedFile(super().open(path, create=create, read_only=read_only), self._pace)
