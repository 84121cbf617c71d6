"""Snapshots in the directory of the metadata log, and `bootstrap.checkpoint` in the log directory.

Written beside (`.part`), synced, then renamed: a file with its final name is whole.
"""

import re
from typing import Any, NamedTuple

from ottla.doors.disk import Disk
from ottla.metadata.checkpoint import build_checkpoint, parse_checkpoint
from ottla.metadata.image import MetadataImage
from ottla.metadata.snapshot import image_records

BOOTSTRAP_CHECKPOINT = "bootstrap.checkpoint"
_NAME = re.compile(r"(\d{20})-(\d{10})\.checkpoint\Z")
_UNFINISHED = ".part"


class LoadedSnapshot(NamedTuple):
    """`end_offset` is exclusive: the log goes on from there."""

    end_offset: int
    epoch: int
    records: list[Any]
    timestamp_ms: int
    control_messages: list[Any]


def snapshot_name(end_offset: int, epoch: int) -> str:
    return f"{end_offset:020d}-{epoch:010d}.checkpoint"


def list_snapshots(disk: Disk, directory: str) -> list[tuple[int, int]]:
    """End offset and epoch of each snapshot, oldest first."""
    found = (_NAME.match(name) for name in disk.list(directory))
    return sorted((int(match[1]), int(match[2])) for match in found if match is not None)


def load_newest(disk: Disk, directory: str) -> LoadedSnapshot | None:
    """Raises CorruptLog when the newest is damaged: an older one would silently lose what the log no longer has."""
    found = list_snapshots(disk, directory)
    if not found:
        return None
    end_offset, epoch = found[-1]
    path = f"{directory}/{snapshot_name(end_offset, epoch)}"
    content = parse_checkpoint(_read(disk, path), path)
    return LoadedSnapshot(end_offset, epoch, content.records, content.timestamp_ms, content.control_messages)


def write(disk: Disk, directory: str, image: MetadataImage, end_offset: int, epoch: int) -> str:
    """Writes a snapshot of `image` and gives its path."""
    content = build_checkpoint(image_records(image), timestamp_ms=image.timestamp_ms, epoch=epoch)
    path = f"{directory}/{snapshot_name(end_offset, epoch)}"
    _write_whole(disk, directory, path, content)
    return path


def remove_older(disk: Disk, directory: str, end_offset: int) -> None:
    """Removes the snapshots before `end_offset`, and what a crash left unfinished."""
    for name in disk.list(directory):
        match = _NAME.match(name)
        is_old = match is not None and int(match[1]) < end_offset
        if is_old or name.endswith(f".checkpoint{_UNFINISHED}"):
            disk.remove(f"{directory}/{name}")


def load_bootstrap(disk: Disk, log_dir: str) -> list[Any] | None:
    """The first records of a cluster that was formatted by a tool; None when there is no such file."""
    path = f"{log_dir}/{BOOTSTRAP_CHECKPOINT}"
    return parse_checkpoint(_read(disk, path), path).records if disk.exists(path) else None


def write_bootstrap(disk: Disk, log_dir: str, records: list[Any], timestamp_ms: int) -> None:
    content = build_checkpoint(records, timestamp_ms=timestamp_ms)
    _write_whole(disk, log_dir, f"{log_dir}/{BOOTSTRAP_CHECKPOINT}", content)


def _read(disk: Disk, path: str) -> bytes:
    file = disk.open(path, read_only=True)
    try:
        return file.read_at(0, file.size())
    finally:
        file.close()


def _write_whole(disk: Disk, directory: str, path: str, content: bytearray) -> None:
    unfinished = path + _UNFINISHED
    if disk.exists(unfinished):
        disk.remove(unfinished)
    file = disk.open(unfinished, create=True)
    try:
        file.write_at(0, content)
        file.sync()
    finally:
        file.close()
    disk.rename(unfinished, path)
    disk.sync_directory(directory)
