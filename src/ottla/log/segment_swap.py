"""Puts compacted segments in the place of those they were made from, so that a crash at any point loses nothing.

.log.cleaned -> .log.swap      from here on the new segments count: a restart finishes the rest
old .log     -> .log.deleted
.log.swap    -> .log
"""

from collections.abc import Sequence

from ottla.log.file_names import CLEANED, LOG, SEGMENT_SUFFIXES, SWAP, TRANSACTION_INDEX
from ottla.log.segment import LogDirectory, Segment
from ottla.log.segment_list import mark_deleted


def swap_in(
    directory: LogDirectory, old: Sequence[Segment], new_bases: Sequence[int]
) -> tuple[list[Segment], list[str]]:
    """The new segments, and the paths of the old ones for removal. The `.cleaned` files must be synced."""
    # Highest first: while a lower one is still .cleaned, a restart undoes all of them.
    for base in sorted(new_bases, reverse=True):
        _rename_files(directory, base, CLEANED, SWAP)
    directory.disk.sync_directory(directory.path)
    removed: list[str] = []
    for segment in old:
        removed += mark_deleted(segment)
    for base in new_bases:
        _rename_files(directory, base, SWAP, "")
    directory.disk.sync_directory(directory.path)
    interval_bytes = old[0].index_interval_bytes
    return [_found(directory, base, interval_bytes) for base in sorted(new_bases)], removed


def discard_cleaned(directory: LogDirectory, new_bases: Sequence[int]) -> None:
    for base in new_bases:
        for suffix in SEGMENT_SUFFIXES:
            path = directory.file_path(base, suffix) + CLEANED
            if directory.disk.exists(path):
                directory.disk.remove(path)


def _rename_files(directory: LogDirectory, base: int, from_suffix: str, to_suffix: str) -> None:
    # The log file last: its name decides.
    for suffix in reversed(SEGMENT_SUFFIXES):
        path = directory.file_path(base, suffix)
        if directory.disk.exists(path + from_suffix):
            directory.disk.rename(path + from_suffix, path + to_suffix)


def _found(directory: LogDirectory, base: int, interval_bytes: int) -> Segment:
    segment = Segment(directory, base, directory.disk.size(directory.file_path(base, LOG)), interval_bytes)
    segment.has_transaction_index = directory.disk.exists(segment.path(TRANSACTION_INDEX))
    return segment
