"""What an earlier run left in a partition's directory: finished or undone before the log is opened.

`.deleted` was to be removed; `.cleaned` is compaction that did not get to the point where it counts; `.swap` is
compaction that did: it replaces the segments whose offsets it covers. `ottla.truncated` holds how far down the log was
truncated since its recovery point was saved.
"""

import contextlib

from ottla.doors.disk import Disk
from ottla.log.files.small_files import read_if_exists, write_synced
from ottla.log.segments.batch_scan import scan_headers
from ottla.log.segments.log_directory import CLEANED, DELETED, LOG, SEGMENT_SUFFIXES, SWAP, TRUNCATION_NOTE, offset_of


def settle_leftovers(disk: Disk, path: str, names: list[str]) -> list[str]:
    """Returns the names that are there afterwards."""
    if not any(name.endswith((DELETED, CLEANED, SWAP, ".tmp")) for name in names):
        return names
    unfinished = [base for name in names if (base := offset_of(name, LOG + CLEANED)) is not None]
    # A replacement of several segments counts only when all of them have become .swap.
    undone_from = min(unfinished, default=None)
    for name in names:
        is_undone_swap = undone_from is not None and name.endswith(SWAP) and int(name[:20]) >= undone_from
        if name.endswith((DELETED, CLEANED, ".tmp")) or is_undone_swap:
            disk.remove(f"{path}/{name}")
    for name in disk.list(path):
        base = offset_of(name, LOG + SWAP)
        if base is not None:
            _finish_swap(disk, path, base)
    return _without_stray_swaps(disk, path)


def _finish_swap(disk: Disk, path: str, base: int) -> None:
    covered_to = max(_last_offset(disk, f"{path}/{base:020d}{LOG}{SWAP}"), base)
    for name in disk.list(path):
        for suffix in SEGMENT_SUFFIXES:
            found = offset_of(name, suffix)
            if found is not None and base <= found <= covered_to:
                disk.remove(f"{path}/{name}")
    # The log file last: while it has its old name, this is done again from the start.
    for suffix in reversed(SEGMENT_SUFFIXES):
        name = f"{path}/{base:020d}{suffix}"
        if disk.exists(name + SWAP):
            disk.rename(name + SWAP, name)
    disk.sync_directory(path)


def _without_stray_swaps(disk: Disk, path: str) -> list[str]:
    """Index files whose log file became whole before the crash."""
    for name in disk.list(path):
        if name.endswith(SWAP):
            disk.remove(f"{path}/{name}")
    return disk.list(path)


def _last_offset(disk: Disk, path: str) -> int:
    file = disk.open(path, read_only=True)
    last = -1
    for _, header in scan_headers(file, 0, file.size()):
        last = header.last_offset
    return last


class TruncationNote:
    """How far down a log was truncated, until its recovery point is saved again.

    The recovery point is kept in a checkpoint of the whole log directory, which is written now and then. When a log is
    truncated below it and grows again, a crash would find new, unsynced bytes below an old recovery point and call them
    corrupt. So the truncation is noted next to the log before it is done, and the lower of the two offsets counts.
    """

    @staticmethod
    def write(disk: Disk, path: str, offset: int) -> None:
        write_synced(disk, f"{path}/{TRUNCATION_NOTE}", f"{offset}\n".encode())
        disk.sync_directory(path)

    @staticmethod
    def lowered(disk: Disk, path: str, names: list[str], recovery_point: int) -> int:
        if TRUNCATION_NOTE not in names:
            return recovery_point
        text = read_if_exists(disk, f"{path}/{TRUNCATION_NOTE}").strip()
        return min(recovery_point, int(text)) if text.isdigit() else 0

    @staticmethod
    def remove(disk: Disk, path: str) -> None:
        with contextlib.suppress(FileNotFoundError):
            disk.remove(f"{path}/{TRUNCATION_NOTE}")
