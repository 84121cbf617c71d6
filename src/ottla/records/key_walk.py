"""What a broker checks in the records of a compacted topic: are they whole, do they have keys, how late are they?"""

from typing import NamedTuple

from ottla.doors.disk import Buffer
from ottla.records.batch import BatchHeader
from ottla.records.record_blocks import iterate_blocks
from ottla.records.record_objects import check_ranges, rows_without_key

_EARLIEST = -(1 << 63)


class WalkedKeys(NamedTuple):
    #: The largest difference to the batch's base timestamp.
    latest_delta: int
    #: Which records, counted from 0, have no key.
    keyless: list[int]


def walk_keys(body: Buffer, header: BatchHeader) -> WalkedKeys:
    """`body` is what follows the header, unpacked. Raises CorruptRecord where the records make no sense."""
    latest, keyless = _EARLIEST, []
    for block in iterate_blocks(body, header.record_count, header.last_offset_delta):
        check_ranges(block, header.base_offset, header.base_timestamp)
        latest = max(latest, block.latest)
        keyless += rows_without_key(block)
    return WalkedKeys(latest, keyless)
