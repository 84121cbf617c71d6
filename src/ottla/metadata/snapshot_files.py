"""Snapshots in the directory of the metadata log, and `bootstrap.checkpoint` in the log directory.

Written beside (`.part`), synced, then renamed: a file with its final name is whole.
"""

import re
from typing import Any, NamedTuple

from ottla.doors.disk import Disk
from ottla.metadata.checkpoint import build_checkpoint, parse_checkpoint
from ottla.metadata.image import MetadataImage
from ottla.metadata.snapshot import image_records
from ottla.records.batch import HEADER_SIZE, read_header

BOOTSTRAP_CHECKPOINT = "bootstrap.checkpoint"
_NAME = re.compile(r"(\d{20})-(\d{10})\.checkpoint\Z")
_UNFINISHED = ".part"


class LoadedSnapshot(NamedTuple):
    """`end_offset` is exclusive: the log continues from there."""

    end_offset: int
    epoch: int
    records: list[Any]
    timestamp_ms: int
    control_messages: list[Any]


class SnapshotFile(NamedTuple):
    end_offset: int
    path: str
    size_bytes: int
    #: Of the newest record that went into it.
    timestamp_ms: int


def snapshot_name(end_offset: int, epoch: int) -> str:
    return f"{end_offset:020d}-{epoch:010d}.checkpoint"


def snapshot_id(name: str) -> tuple[int, int] | None:
    """End offset and epoch in the name of a snapshot; None for other names."""
    found = _NAME.match(name)
    return None if found is None else (int(found[1]), int(found[2]))


def list_snapshots(disk: Disk, directory: str) -> list[tuple[int, int]]:
    """End offset and epoch of each snapshot, oldest first."""
    return sorted(found for name in disk.list(directory) if (found := snapshot_id(name)) is not None)


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


def describe(disk: Disk, directory: str) -> list[SnapshotFile]:
    """All snapshots, oldest first."""
    return [_described(disk, directory, end_offset, epoch) for end_offset, epoch in list_snapshots(disk, directory)]


def _described(disk: Disk, directory: str, end_offset: int, epoch: int) -> SnapshotFile:
    path = f"{directory}/{snapshot_name(end_offset, epoch)}"
    file = disk.open(path, read_only=True)
    try:
        size_bytes, start = file.size(), file.read_at(0, HEADER_SIZE)
    finally:
        file.close()
    # The first batch is stamped with the time of the newest record that went into the file.
    timestamp_ms = read_header(start).max_timestamp if len(start) == HEADER_SIZE else 0
    return SnapshotFile(end_offset, path, size_bytes, timestamp_ms)


def remove_unfinished(disk: Disk, directory: str) -> None:
    """What a crash has left behind."""
    for name in disk.list(directory):
        if name.endswith(f".checkpoint{_UNFINISHED}"):
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
