"""The rows that a task writes: which columns there may be, and how they are sent."""

from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final

from ottla.model.errors import InvalidConfig
from ottla.spark.pandas_import import import_pandas_soon

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql.types import StructType

    from ottla.client.sync_producer import Producer

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


def send_rows(producer: "Producer", topic: str | None, batches: "Iterable[pa.RecordBatch]") -> int:
    """Sends all, in order, and waits until all are acknowledged; the number of rows."""
    import_pandas_soon()
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
