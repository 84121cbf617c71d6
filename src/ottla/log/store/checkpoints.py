"""The four text files of a log directory that have one offset for each partition.

0                       version
2                       number of entries
orders 0 150            topic, partition, offset
orders 1 149
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from ottla.doors.disk import Disk
from ottla.log.files.small_files import read_whole, write_atomically
from ottla.model.topic import TopicPartition

RECOVERY_POINTS: Final = "recovery-point-offset-checkpoint"
HIGH_WATERMARKS: Final = "replication-offset-checkpoint"
LOG_START_OFFSETS: Final = "log-start-offset-checkpoint"
CLEANER_OFFSETS: Final = "cleaner-offset-checkpoint"

_VERSION: Final = "0"
_MAX_OFFSET: Final = 2**63 - 1


class SavedOffsets(NamedTuple):
    """What the files contain about one partition. A new partition has none of it, even if its name is in them."""

    recovery_point: int = 0
    log_start_offset: int = 0
    high_watermark: int = 0


NOTHING_SAVED: Final = SavedOffsets()


class Checkpoint(NamedTuple):
    """What was read. Of a file that is invalid in part, the valid part and the problem."""

    offsets: dict[TopicPartition, int]
    problem: str | None = None


def write_checkpoint(disk: Disk, path: str, offsets: Mapping[TopicPartition, int]) -> None:
    lines = [_VERSION, str(len(offsets))]
    lines += [f"{topic} {partition} {offset}" for (topic, partition), offset in offsets.items()]
    write_atomically(disk, path, ("\n".join(lines) + "\n").encode())


def read_checkpoint(disk: Disk, path: str) -> Checkpoint:
    """No file is no entries: that is how a new directory looks."""
    try:
        data = read_whole(disk, path)
    except FileNotFoundError:
        return Checkpoint({})
    return parse_checkpoint(data.decode("utf-8", "replace"))


def parse_checkpoint(text: str) -> Checkpoint:
    lines = text.splitlines()
    if not lines:
        return Checkpoint({}, "the file is empty")
    if lines[0].strip() != _VERSION:
        return Checkpoint({}, f"unknown version {lines[0][:20]!r}")
    offsets: dict[TopicPartition, int] = {}
    problem = None
    for number, line in enumerate(lines[2:], start=3):
        entry = _entry(line)
        if entry is not None:
            offsets[entry[0]] = entry[1]
        elif line.strip():
            problem = problem or f"line {number} is no entry: {line[:300]!r}"
    declared = lines[1].strip() if len(lines) > 1 else ""
    if problem is None and declared != str(len(offsets)):
        problem = f"{len(offsets)} entries, {declared[:20]!r} declared"
    return Checkpoint(offsets, problem)


def _entry(line: str) -> tuple[TopicPartition, int] | None:
    fields = line.split()
    if len(fields) != 3 or not (_is_number(fields[1], 10) and _is_number(fields[2], 19)):
        return None
    offset = int(fields[2])
    return (TopicPartition(fields[0], int(fields[1])), offset) if offset <= _MAX_OFFSET else None


def _is_number(text: str, digits_max: int) -> bool:
    return len(text) <= digits_max and text.isascii() and text.isdigit()
