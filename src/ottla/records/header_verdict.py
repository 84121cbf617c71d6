"""Whether the header and the checksum of a client's batch allow an append: bytes in, a verdict out.

Every produced batch passes here. This module is compiled where that is possible (`header_verdict.pxd` has the types).
A verdict names the group of rules that the batch breaks; `log/partition/append_checks` turns it into the error that
Kafka would send. Rules about time are not here: they depend on the clock and on the topic.
"""

from typing import Literal, TypeAlias

from ottla.doors.disk import Buffer
from ottla.records import raw_bytes
from ottla.records.batch import (
    ATTRIBUTES_POSITION,
    CLIENT_BITS,
    CODEC_MASK,
    HEADER_SIZE,
    LAST_CODEC,
    LENGTH_OVERHEAD,
    MAGIC,
    TRANSACTIONAL_BIT,
)
from ottla.records.crc import crc32c

Problem: TypeAlias = Literal["shape", "checksum", "content", "producer"]


def judge(data: Buffer, size_max: int) -> tuple[Problem | None, int, int, int, int, int, int]:
    """The problem, if there is one; attributes, last offset delta, max timestamp; producer id, epoch, base sequence."""
    size = len(data)
    if size < HEADER_SIZE:
        return "shape", 0, 0, 0, 0, 0, 0
    base_offset, length, _, magic, crc, attributes, delta, _, max_timestamp, producer_id, epoch, sequence, count = (
        raw_bytes.header_numbers(data)
    )
    problem: Problem | None = None
    if magic != MAGIC or length != size - LENGTH_OVERHEAD or base_offset != 0 or size > size_max:
        problem = "shape"
    elif crc32c((data if type(data) is memoryview else memoryview(data))[ATTRIBUTES_POSITION:]) != crc:
        problem = "checksum"
    elif count < 1 or delta != count - 1 or attributes & ~CLIENT_BITS or attributes & CODEC_MASK > LAST_CODEC:
        problem = "content"
    elif (sequence < 0 or epoch < 0) if producer_id >= 0 else (producer_id < -1 or attributes & TRANSACTIONAL_BIT):
        problem = "producer"
    return problem, attributes, delta, max_timestamp, producer_id, epoch, sequence
