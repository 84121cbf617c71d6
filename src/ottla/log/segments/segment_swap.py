"""Puts compacted segments in the place of those they were created from, so that a crash at any point loses nothing.

.log.cleaned -> .log.swap      from here on the new segments count: a restart finishes the rest
old .log     -> .log.deleted
.log.swap    -> .log

A step that waits for the device is handed out: whoever has an event loop runs it in a thread.
"""

from collections.abc import Callable, Generator, Sequence
from typing import TypeAlias, TypeVar

from ottla.log.segments.log_directory import CLEANED, LOG, SEGMENT_SUFFIXES, SWAP, TRANSACTION_INDEX, LogDirectory
from ottla.log.segments.segment import Segment
from ottla.log.segments.segment_list import mark_deleted

T = TypeVar("T")

#: Yields what has to be run before it continues, and returns the outcome.
Steps: TypeAlias = Generator[Callable[[], None], None, T]


def run_steps(steps: Steps[T]) -> T:
    """Here and now."""
    while True:
        try:
            step = next(steps)
        except StopIteration as end:
            outcome: T = end.value
            return outcome
        step()


def prepare_swap(directory: LogDirectory, new_bases: Sequence[int]) -> None:
    """The `.cleaned` files, which must be synced, are to replace others. A sync of the directory must follow."""
    # Highest first: while a lower one is still .cleaned, a restart undoes all of them.
    for base in sorted(new_bases, reverse=True):
        _rename_files(directory, base, CLEANED, SWAP)


def swap_in(
    directory: LogDirectory, old: Sequence[Segment], new_bases: Sequence[int]
) -> tuple[list[Segment], list[str]]:
    """The new segments, and the paths of the old ones for removal. A sync of the directory must follow."""
    removed: list[str] = []
    for segment in old:
        removed += mark_deleted(segment)
    for base in new_bases:
        _rename_files(directory, base, SWAP, "")
    interval_bytes = old[0].builder.interval_bytes
    return [_found(directory, base, interval_bytes) for base in sorted(new_bases)], removed


def discard_cleaned(directory: LogDirectory, new_bases: Sequence[int], from_suffix: str = CLEANED) -> None:
    for base in new_bases:
        # The log file first: without it the others mean nothing.
        for suffix in SEGMENT_SUFFIXES:
            path = directory.file_path(base, suffix) + from_suffix
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
    segment.indexes.has_transaction_index = directory.disk.exists(segment.path(TRANSACTION_INDEX))
    return segment
