"""Record batches as producers send them."""

from typing import Any

from ottla.records.builder import build_batch
from ottla.records.record import Record

#: Of all records that carry no time of their own.
START_MS = 1_794_000_000_000


def batch_of(
    *values: bytes,
    key: bytes | None = b"k",
    at_ms: int = START_MS,
    producer: tuple[int, int, int] = (-1, -1, -1),
    **more: Any,
) -> bytearray:
    """One batch of these values, or of one record; its records are a millisecond apart. `producer` is id, epoch and
    sequence."""
    records = [Record(0, at_ms + index, key, value) for index, value in enumerate(values or (b"value",))]
    producer_id, epoch, sequence = producer
    return build_batch(records, producer_id=producer_id, producer_epoch=epoch, base_sequence=sequence, **more)
