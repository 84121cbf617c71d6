"""The directory of one partition, and the names of the files in it, as Apache Kafka gives them."""

from typing import Final

from ottla.doors.disk import Disk
from ottla.log.segments.segment_cache import SegmentCache

LOG: Final = ".log"
OFFSET_INDEX: Final = ".index"
TIME_INDEX: Final = ".timeindex"
TRANSACTION_INDEX: Final = ".txnindex"
SNAPSHOT: Final = ".snapshot"
SEGMENT_SUFFIXES: Final = (LOG, OFFSET_INDEX, TIME_INDEX, TRANSACTION_INDEX)

DELETED: Final = ".deleted"
CLEANED: Final = ".cleaned"
SWAP: Final = ".swap"

LEADER_EPOCHS: Final = "leader-epoch-checkpoint"
#: Ottla's own: how far down a log was cut since its recovery point was last saved elsewhere.
TRUNCATION_NOTE: Final = "ottla.truncated"

_DIGITS: Final = 20


def file_name(offset: int, suffix: str) -> str:
    return f"{offset:0{_DIGITS}d}{suffix}"


def offset_of(name: str, suffix: str) -> int | None:
    """The offset in a name such as 00000000000000000042.log; None for any other name."""
    digits = name[: -len(suffix)]
    if name.endswith(suffix) and len(digits) == _DIGITS and digits.isdigit() and digits.isascii():
        return int(digits)
    return None


class LogDirectory:
    """The directory that the segments of one partition share; its path changes when the partition is moved."""

    __slots__ = ("cache", "disk", "path")

    def __init__(self, disk: Disk, path: str, cache: SegmentCache) -> None:
        self.disk = disk
        self.path = path
        self.cache = cache

    def file_path(self, offset: int, suffix: str) -> str:
        return f"{self.path}/{file_name(offset, suffix)}"
