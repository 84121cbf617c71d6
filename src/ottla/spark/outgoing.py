"""The rows that a task writes: which columns there may be, how they are sent, and a digest of what was sent."""

from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ottla.client.sync_producer import Producer
from ottla.model.errors import InvalidConfig
from ottla.records.arrow_batches import key_partitions

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql.types import StructType

#: Column -> the types that it may have. Others are ignored, as by Spark's Kafka sink.
_TYPES: Final = {
    "key": ("string", "binary"),
    "value": ("string", "binary"),
    "headers": ("array<struct<key:string,value:binary>>",),
    "topic": ("string",),
    "partition": ("int",),
}
#: So much is sent at a time, while the next rows come from Spark.
_SEND_BYTES: Final = 4 * 1024 * 1024
_HASH_RANGE: Final = 2**31 - 1


class RowsDigest(NamedTuple):
    """Equal for the same rows in any order."""

    rows: int = 0
    total: int = 0


def check_columns(schema: "StructType", topic: str | None) -> None:
    """Raises InvalidConfig."""
    given = {field.name: field.dataType.simpleString() for field in schema.fields}
    problems = [
        f"column {name} is {given[name]}: must be {' or '.join(types)}"
        for name, types in _TYPES.items()
        if name in given and given[name] not in types
    ]
    if "value" not in given:
        problems.append(f"no column value: rows have {', '.join(given) or 'no columns'}; name one of them value")
    if topic is None and "topic" not in given:
        problems.append("no topic: set the option topic, or add a column topic")
    if problems:
        raise InvalidConfig(problems)


def send_rows(producer: Producer, topic: str | None, batches: "Iterable[pa.RecordBatch]") -> int:
    """Sends all, in order, and waits until all are acknowledged; the number of rows."""
    count = 0
    with ThreadPoolExecutor(1, "ottla sender") as sender:
        sending: Future[Any] | None = None
        for table in _tables(batches, topic):
            if sending is not None:
                sending.result()
            sending = sender.submit(producer.send_batch, topic, table)
            count += table.num_rows
        if sending is not None:
            sending.result()
    return count


def _tables(batches: "Iterable[pa.RecordBatch]", topic: str | None) -> "Iterator[pa.Table]":
    """Record batches put together until sending them is worth it."""
    import pyarrow as pa

    taken: list[pa.RecordBatch] = []
    size = 0
    for batch in batches:
        wanted = [name for name in batch.schema.names if name in _TYPES and not (name == "topic" and topic is not None)]
        rows = batch.select(wanted)
        if rows.num_rows:
            taken.append(rows)
            size += rows.nbytes
        if size >= _SEND_BYTES:
            yield pa.Table.from_batches(taken).combine_chunks()
            taken, size = [], 0
    if taken:
        yield pa.Table.from_batches(taken).combine_chunks()


class Digesting:
    """Passes record batches on; `result` is their digest once they are through."""

    def __init__(self, batches: "Iterable[pa.RecordBatch]") -> None:
        self._batches = batches
        self.result = RowsDigest()

    def __iter__(self) -> "Iterator[pa.RecordBatch]":
        for batch in self._batches:
            rows, total = self.result
            self.result = RowsDigest(rows + batch.num_rows, (total + _digest(batch)) % 2**63)
            yield batch

    def drain(self) -> RowsDigest:
        for _ in self:
            pass
        return self.result


def _digest(batch: "pa.RecordBatch") -> int:
    """A sum over the rows: each counts with hashes of its key and value together."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not batch.num_rows:
        return 0
    hashes = pa.repeat(pa.scalar(17, pa.int64()), batch.num_rows)
    for name in ("key", "value"):
        if name in batch.schema.names:
            column = key_partitions(batch.column(name), _HASH_RANGE).cast(pa.int64())
            column = pc.fill_null(column, -1) if column.null_count else column
            # Stays below 2**63: the sum so far is cut to 31 bits before it is multiplied.
            hashes = pc.add(pc.multiply(pc.bit_wise_and(hashes, _HASH_RANGE), 1_000_003), column)
    return int(pc.sum(pc.bit_wise_and(hashes, 2**47 - 1)).as_py())
