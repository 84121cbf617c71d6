"""From Arrow record batches to Kafka's batches, without a Python object per record.

Columns are found by name: `key`, `value` (binary or text of any kind), `headers` (lists of key and value, or maps),
`timestamp` (any unit, or integer milliseconds). A missing column is all null; a null timestamp is the current time.
pyarrow, the extra `ottla[arrow]`, is imported when this is first used.
"""

from array import array
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ottla.records.batch import (
    HEADER,
    HEADER_SIZE,
    MAGIC,
    NO_LEADER_EPOCH,
    NO_PRODUCER_EPOCH,
    NO_PRODUCER_ID,
    NO_SEQUENCE,
)
from ottla.records.builder import compress_batch
from ottla.records.key_partitions import fill_partitions
from ottla.records.record_writing import BinarySource, ColumnSet, HeaderSource

if TYPE_CHECKING:
    import pyarrow as pa


class EncodedRows(NamedTuple):
    batch: bytearray
    first_row: int
    row_count: int


class RowTooLarge(ValueError):
    """One row alone is larger than a batch may be."""

    def __init__(self, row: int, size: int, max_bytes: int) -> None:
        super().__init__(f"row {row} needs a batch of {size} bytes, the maximum is {max_bytes}")
        self.row = row
        self.size = size


def encode_rows(
    rows: "pa.RecordBatch", *, max_bytes: int, now_ms: int, codec: int = 0, level: int | None = None
) -> Iterator[EncodedRows]:
    """All rows in order, as batches of up to `max_bytes` before compression. Raises RowTooLarge, ValueError.

    The sender sets the producer's fields, and with them the CRC, by `patch_producer`: to compute it twice costs as much
    as a third of the encoding.
    """
    if not rows.num_rows:
        return
    columns = column_set(rows, now_ms)
    first = 0
    while first < rows.num_rows:
        batch = columns.encode(first, max_bytes - HEADER_SIZE, HEADER_SIZE)
        last = columns.last
        if last == first:
            raise RowTooLarge(first, HEADER_SIZE + columns.body_size, max_bytes)
        HEADER.pack_into(
            batch,
            0,
            0,
            0,
            NO_LEADER_EPOCH,
            MAGIC,
            0,
            codec,
            last - first - 1,
            columns.base_timestamp,
            columns.max_timestamp,
            NO_PRODUCER_ID,
            NO_PRODUCER_EPOCH,
            NO_SEQUENCE,
            last - first,
        )
        compress_batch(batch, codec, level)
        yield EncodedRows(batch, first, last - first)
        first = last


def column_set(rows: "pa.RecordBatch", now_ms: int) -> ColumnSet:
    columns = ColumnSet()
    columns.start(
        rows.num_rows,
        _timestamps(rows, now_ms),
        _binary(_column(rows, "key"), "key"),
        _binary(_column(rows, "value"), "value"),
        _headers(rows),
    )
    return columns


def key_partitions(keys: "pa.Array", partition_count: int) -> "pa.Array":
    """Where Kafka's default partitioner puts each row; null for a row without a key."""
    import pyarrow as pa
    import pyarrow.compute as pc

    numbers = array("i", bytes(4 * len(keys)))
    fill_partitions(_binary(keys, "key"), len(keys), partition_count, memoryview(numbers))
    partitions = pa.Array.from_buffers(pa.int32(), len(keys), [None, pa.py_buffer(numbers)])
    return pc.if_else(pc.less(partitions, 0), None, partitions) if keys.null_count else partitions


def grouped(rows: "pa.RecordBatch", names: Sequence[str]) -> Iterator[tuple[tuple[Any, ...], "pa.RecordBatch"]]:
    """The rows by the values of these columns (`topic`, `partition`), in their order within each group."""
    if not names or not rows.num_rows:
        yield (), rows
        return
    import pyarrow.compute as pc

    counts = pc.value_counts(rows.column(names[0]))
    values, sizes = counts.field(0).to_pylist(), counts.field(1).to_pylist()
    if len(values) > 1:
        # By the place of each value among the values, so that the sort compares numbers; it is stable.
        place = pc.index_in(rows.column(names[0]), counts.field(0))
        rows = rows.take(pc.array_sort_indices(place))
    first = 0
    for value, size in zip(values, sizes, strict=True):
        for rest, group in grouped(rows.slice(first, size), names[1:]):
            yield (value, *rest), group
        first += size


def _column(rows: "pa.RecordBatch", name: str) -> "pa.Array | None":
    indexes = rows.schema.get_all_field_indices(name)
    if len(indexes) > 1:
        raise ValueError(f"there are {len(indexes)} columns {name!r}")
    return rows.column(indexes[0]) if indexes else None


def _timestamps(rows: "pa.RecordBatch", now_ms: int) -> memoryview:
    column = _column(rows, "timestamp")
    if column is None or column.null_count == len(column):
        return memoryview(array("q", [now_ms]) * rows.num_rows)
    import pyarrow as pa
    import pyarrow.compute as pc  # takes time to load, and most tables have no timestamps

    if not pa.types.is_timestamp(column.type) and not pa.types.is_integer(column.type):
        raise ValueError(f"column 'timestamp' has type {column.type}: a timestamp or integer milliseconds are needed")
    if pa.types.is_timestamp(column.type):
        # Digits below a millisecond are dropped, as Kafka has none.
        column = column.cast(pa.timestamp("ms", tz=column.type.tz), safe=False)
    numbers = pc.fill_null(column.cast(pa.int64()), now_ms)
    return _numbers(numbers.buffers()[1], "q")[numbers.offset : numbers.offset + rows.num_rows]


def _binary(column: "pa.Array | None", name: str) -> BinarySource:
    import pyarrow as pa

    source = BinarySource()
    if column is None or column.null_count == len(column):
        return source
    try:
        # Text and binary lie in the same buffers. To cast loads pyarrow.compute, which takes as long as 500,000 rows.
        if not pa.types.is_binary(column.type) and not pa.types.is_string(column.type):
            column = column.cast(pa.binary())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise ValueError(f"column {name!r} has type {column.type}: binary or text is needed ({error})") from error
    validity, ends, data = column.buffers()
    source.start(_numbers(ends, "i"), memoryview(b"") if data is None else _numbers(data, "B"), column.offset)
    if column.null_count:
        source.set_validity(_numbers(validity, "B"))
    return source


def _headers(rows: "pa.RecordBatch") -> HeaderSource:
    import pyarrow as pa

    source = HeaderSource()
    column = _column(rows, "headers")
    if column is None or column.null_count == len(column):
        return source
    kind = pa.list_(pa.struct([pa.field("key", pa.binary()), pa.field("value", pa.binary())]))
    try:
        column = column.cast(kind)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise ValueError(
            f"column 'headers' has type {column.type}: lists of key and value are needed ({error})"
        ) from error
    items = column.values
    if items.null_count:
        raise ValueError("column 'headers' has a list with a null in it")
    ends = column.offsets
    first = _numbers(ends.buffers()[1], "i")[ends.offset :]
    source.start(first, _binary(items.field(0), "headers.key"), _binary(items.field(1), "headers.value"))
    return source


def _numbers(buffer: "pa.Buffer", kind: Literal["B", "i", "q"]) -> memoryview:
    return memoryview(buffer).cast("B").cast(kind)
