"""From the batches of a fetch response to Arrow record batches, without a Python object per record.

The schema is that of Spark's Kafka source, its nullability included: `headers` is null for a record without headers,
`timestampType` is 0 for the producer's time and 1 for the broker's. Columns that are not asked for cost nothing.
pyarrow, the extra `ottla[arrow]`, is imported when this is first used.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, Literal

from ottla.records.arrow_repeats import repeated
from ottla.records.compression import MAX_DECOMPRESSED_BYTES
from ottla.records.fetched_batches import FetchedBatches
from ottla.records.fetched_rows import FetchedRows, Rows
from ottla.records.record_blocks import RecordBlock
from ottla.records.record_columns import (
    BinaryColumn,
    HeaderColumn,
    HeaderSizes,
    fill_offsets,
    fill_stamp,
    fill_timestamps,
    key_bytes,
    value_bytes,
)

if TYPE_CHECKING:
    import pyarrow as pa

#: All columns, in order.
COLUMNS: Final = ("key", "value", "topic", "partition", "offset", "timestamp", "timestampType", "headers")
BATCH_ROWS: Final = 65_536


def record_schema(columns: Sequence[str] | None = None) -> "pa.Schema":
    """Of these columns, in this order; by default of all."""
    import pyarrow as pa

    header = pa.struct([pa.field("key", pa.string()), pa.field("value", pa.binary())])
    types = {
        "key": pa.binary(),
        "value": pa.binary(),
        "topic": pa.string(),
        "partition": pa.int32(),
        "offset": pa.int64(),
        "timestamp": pa.timestamp("us", tz="UTC"),
        "timestampType": pa.int32(),
        "headers": pa.list_(pa.field("element", header)),
    }
    unknown = [name for name in columns or () if name not in types]
    if unknown:
        raise ValueError(f"columns {', '.join(unknown)} are unknown; there are {', '.join(COLUMNS)}")
    return pa.schema([pa.field(name, types[name]) for name in (COLUMNS if columns is None else columns)])


class ArrowColumns:
    """Turns batches of one partition into record batches of up to `batch_rows` rows. Keeps nothing between calls."""

    def __init__(
        self,
        topic: str,
        partition: int,
        columns: Sequence[str] | None = None,
        *,
        batch_rows: int = BATCH_ROWS,
        max_decompressed_bytes: int = MAX_DECOMPRESSED_BYTES,
    ) -> None:
        if batch_rows < 1:
            raise ValueError(f"batch_rows={batch_rows}: must be at least 1")
        self.schema = record_schema(columns)
        self._topic = topic
        self._partition = partition
        self._batch_rows = batch_rows
        self._max_decompressed_bytes = max_decompressed_bytes

    def read(self, fetched: FetchedBatches) -> Iterator["pa.RecordBatch"]:
        """All rows, in order; `fetched.next_offset` is right once the iterator is exhausted. Raises CorruptRecord."""
        source = FetchedRows(fetched, max_decompressed_bytes=self._max_decompressed_bytes)
        while rows := source.take(self._batch_rows):
            yield record_batch(self.schema, self._topic, self._partition, rows)


def record_batch(schema: "pa.Schema", topic: str, partition: int, taken: list[Rows]) -> "pa.RecordBatch":
    """Rows of one partition as columns. They are copied: nothing refers to the fetched bytes afterwards."""
    import pyarrow as pa

    builder = _Builder(taken, topic, partition)
    if not len(schema):
        # A record batch has no row count of its own without a column.
        return pa.RecordBatch.from_arrays([builder.column("partition")], names=["partition"]).select([])
    columns = [builder.column(field.name) for field in schema]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def concatenated(schema: "pa.Schema", batches: "list[pa.RecordBatch]") -> "pa.Table":
    """A table of these, without a copy."""
    import pyarrow as pa

    return pa.Table.from_batches(batches, schema)


class _Builder:
    """The columns of one record batch."""

    def __init__(self, taken: list[Rows], topic: str, partition: int) -> None:
        self._taken = taken
        self._row_count = sum(rows.row_count for rows in taken)
        self._topic = topic
        self._partition = partition

    def column(self, name: str) -> "pa.Array":
        import pyarrow as pa

        if name == "key":
            return self._binary(key_bytes, BinaryColumn.add_keys)
        if name == "value":
            return self._binary(value_bytes, BinaryColumn.add_values)
        if name == "topic":
            return repeated(self._topic, pa.string(), self._row_count)
        if name == "partition":
            return repeated(self._partition, pa.int32(), self._row_count)
        if name == "offset":
            return self._offsets()
        if name == "timestamp":
            return self._timestamps()
        return self._timestamp_types() if name == "timestampType" else self._headers()

    def _binary(
        self,
        measure: Callable[[RecordBlock, int, int], int],
        add: Callable[[BinaryColumn, RecordBlock, int, int], None],
    ) -> "pa.Array":
        memory = _BinaryMemory(self._row_count, sum(measure(rows.block, rows.first, rows.last) for rows in self._taken))
        for rows in self._taken:
            add(memory.column, rows.block, rows.first, rows.last)
        return memory.array()

    def _offsets(self) -> "pa.Array":
        import pyarrow as pa

        buffer, numbers = _memory(8 * self._row_count, "q")
        at = 0
        for rows in self._taken:
            fill_offsets(rows.block, rows.first, rows.last, rows.header.base_offset, numbers, at)
            at += rows.row_count
        return pa.Array.from_buffers(pa.int64(), self._row_count, [None, buffer])

    def _timestamps(self) -> "pa.Array":
        import pyarrow as pa

        buffer, numbers = _memory(8 * self._row_count, "q")
        at = 0
        for block, first, last, header in self._taken:
            if header.uses_log_append_time:
                fill_stamp(first, last, header.max_timestamp, numbers, at)
            else:
                fill_timestamps(block, first, last, header.base_timestamp, numbers, at)
            at += last - first
        return pa.Array.from_buffers(pa.timestamp("us", tz="UTC"), self._row_count, [None, buffer])

    def _timestamp_types(self) -> "pa.Array":
        import pyarrow as pa

        parts: list[tuple[int, int]] = []
        for rows in self._taken:
            kind = 1 if rows.header.uses_log_append_time else 0
            if parts and parts[-1][0] == kind:
                parts[-1] = kind, parts[-1][1] + rows.row_count
            else:
                parts.append((kind, rows.row_count))
        arrays = [repeated(kind, pa.int32(), count) for kind, count in parts]
        return arrays[0] if len(arrays) == 1 else pa.concat_arrays(arrays)

    def _headers(self) -> "pa.Array":
        import pyarrow as pa

        kind = record_schema(["headers"]).field(0).type
        sizes = HeaderSizes()
        for rows in self._taken:
            if rows.block.has_headers:
                sizes.add(rows.block, rows.first, rows.last)
        if not sizes.count:
            return pa.nulls(self._row_count, kind)
        ends_buffer, ends = _memory(4 * (self._row_count + 1), "i")
        validity = bytearray((self._row_count + 7) // 8)
        names, values = _BinaryMemory(sizes.count, sizes.name_bytes), _BinaryMemory(sizes.count, sizes.value_bytes)
        column = HeaderColumn()
        column.start(ends, memoryview(validity), names.column, values.column)
        for rows in self._taken:
            column.add_rows(rows.block, rows.first, rows.last)
        fields = list(kind.value_type)
        items = pa.StructArray.from_arrays([_text(names.array()), values.array()], fields=fields)
        buffers = [pa.py_buffer(validity) if column.null_count else None, ends_buffer]
        return pa.Array.from_buffers(kind, self._row_count, buffers, column.null_count, children=[items])


class _BinaryMemory:
    """The buffers of a binary column, and the column that fills them."""

    def __init__(self, row_count: int, size: int) -> None:
        self._row_count = row_count
        self._ends, ends = _memory(4 * (row_count + 1), "i")
        self._data, data = _memory(size, "B")
        self._validity = bytearray((row_count + 7) // 8)
        self.column = BinaryColumn()
        self.column.start(ends, data, memoryview(self._validity))

    def array(self) -> "pa.Array":
        import pyarrow as pa

        null_count = self.column.null_count
        validity = pa.py_buffer(self._validity) if null_count else None
        buffers = [validity, self._ends, self._data]
        return pa.Array.from_buffers(pa.binary(), self._row_count, buffers, null_count)


def _memory(size: int, kind: Literal["B", "i", "q"]) -> tuple["pa.Buffer", memoryview]:
    """A buffer of Arrow's memory pool, not cleared, and a view of it as numbers of this kind."""
    import pyarrow as pa

    buffer = pa.allocate_buffer(size)
    return buffer, memoryview(buffer).cast("B").cast(kind)


def _text(names: "pa.Array") -> "pa.Array":
    """Keys of headers are text by agreement only: other bytes become U+FFFD, as in the Java client."""
    import pyarrow as pa

    try:
        return names.cast(pa.string())
    except pa.ArrowInvalid:
        return pa.array([name.decode("utf-8", "replace") for name in names.to_pylist()], pa.string())
