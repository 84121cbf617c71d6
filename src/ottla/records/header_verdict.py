"""Whether the header and the checksum of a client's batch allow an append: bytes in, a verdict out.

Every produced batch passes here. This module is compiled where that is possible (`header_verdict.pxd` has the types).
A verdict names the first rule that the batch breaks, in Kafka's order; `log/partition/append_checks` has the error for
it. Rules about time are not here: they depend on the clock and on the topic.
"""

from typing import Literal, TypeAlias

from ottla.doors.disk import Buffer
from ottla.records import raw_bytes
from ottla.records.batch import (
    ATTRIBUTES_POSITION,
    CLIENT_BITS,
    CODEC_MASK,
    CONTROL_BIT,
    HEADER_SIZE,
    LAST_CODEC,
    LENGTH_OVERHEAD,
    MAGIC,
    TRANSACTIONAL_BIT,
)
from ottla.records.crc import crc32c

#: "framing": the bytes are not one batch of this format, and only that.
Problem: TypeAlias = Literal[
    "framing", "base offset", "size", "checksum", "codec", "control", "attributes", "count", "sequence", "producer"
]


def judge(data: Buffer, size_max: int) -> tuple[Problem | None, int, int, int, int, int, int]:
    """The problem, if there is one; attributes, last offset delta, max timestamp; producer id, epoch, base sequence."""
    size = len(data)
    if size < HEADER_SIZE:
        return "framing", 0, 0, 0, 0, 0, 0
    base_offset, length, _, magic, crc, attributes, delta, _, max_timestamp, producer_id, epoch, sequence, count = (
        raw_bytes.header_numbers(data)
    )
    problem: Problem | None = None
    if magic != MAGIC or length != size - LENGTH_OVERHEAD:
        problem = "framing"
    elif base_offset != 0:
        problem = "base offset"
    elif size > size_max:
        problem = "size"
    elif crc32c((data if type(data) is memoryview else memoryview(data))[ATTRIBUTES_POSITION:]) != crc:
        problem = "checksum"
    else:
        problem = _content_problem(attributes, delta, count, producer_id, epoch, sequence)
    return problem, attributes, delta, max_timestamp, producer_id, epoch, sequence


def _content_problem(
    attributes: int, delta: int, count: int, producer_id: int, epoch: int, sequence: int
) -> Problem | None:
    if attributes & CODEC_MASK > LAST_CODEC:
        return "codec"
    if attributes & CONTROL_BIT:
        return "control"
    if attributes & ~CLIENT_BITS:
        return "attributes"
    if count < 1 or delta != count - 1:
        return "count"
    if producer_id >= 0:
        return "sequence" if sequence < 0 or epoch < 0 else None
    return "producer" if producer_id < -1 or attributes & TRANSACTIONAL_BIT else None
