"""Sinks: each writes one batch, and writes it once however often it is called with the same query and batch id.

A batch is repeated after a crash, because Spark commits it after the sink has written it.
"""

from typing import TYPE_CHECKING, Any, Protocol

from ottla.pipeline.file_batches import write_files
from ottla.pipeline.jdbc_batches import write_jdbc
from ottla.pipeline.model import METADATA_COLUMNS, FileSink, JdbcSink, Sink, TopicSink

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


class WriteBatch(Protocol):
    def __call__(self, frame: "DataFrame", query_id: str, batch_id: int) -> None: ...


def without_metadata(frame: "DataFrame") -> "DataFrame":
    """Sinks write what the user has selected; the columns of the record itself stay behind unless renamed."""
    return frame.drop(*(name for name in METADATA_COLUMNS if name in frame.columns))


def output_of(sink: Sink, frame: "DataFrame") -> "DataFrame":
    """What is written. Also the check of the sink's expressions: raises what Spark raises about a wrong one."""
    if isinstance(sink, TopicSink):
        return _records(sink, frame)
    if isinstance(sink, JdbcSink):
        # Rows of one key: the youngest wins, which the offset tells where the view has it.
        return frame
    return without_metadata(frame)


def writer_of(sink: Sink) -> WriteBatch:
    if isinstance(sink, TopicSink):
        return lambda frame, query_id, batch_id: _write_topic(sink, frame, query_id, batch_id)
    if isinstance(sink, FileSink):
        return lambda frame, query_id, batch_id: write_files(sink, frame, query_id, batch_id)
    return lambda frame, query_id, batch_id: write_jdbc(sink, frame, query_id, batch_id)


def _write_topic(sink: TopicSink, records: "DataFrame", query_id: str, batch_id: int) -> None:
    writer: Any = records.write.format("ottla").mode("append").option("topic", sink.topic)
    for name, value in sink.client.items():
        writer = writer.option(f"kafka.{name}", value)
    writer = writer.option("guarantee", sink.guarantee)
    if sink.guarantee == "exactly-once":
        writer = writer.option("queryId", query_id).option("batchId", str(batch_id))
    writer.save()


def _records(sink: TopicSink, frame: "DataFrame") -> "DataFrame":
    from pyspark.sql import functions as f

    if sink.name == "dead_letter":
        return frame
    columns = [_value(sink, frame).alias("value")]
    if sink.key is not None:
        columns.append(_bytes(f.expr(sink.key), frame).alias("key"))
    if sink.headers:
        headers = [
            f.struct(f.lit(name).alias("key"), _bytes(f.expr(text), frame).alias("value"))
            for name, text in sink.headers.items()
        ]
        columns.append(f.array(*headers).alias("headers"))
    if sink.partition is not None:
        columns.append(f.expr(sink.partition).cast("int").alias("partition"))
    return frame.select(*columns)


def _value(sink: TopicSink, frame: "DataFrame") -> "Column":
    from pyspark.sql import functions as f

    if isinstance(sink.value, str):
        value = _bytes(f.expr(sink.value), frame)
    else:
        names = sink.value or without_metadata(frame).columns
        columns = [f.col(name) if sink.value else f.col(f"`{name}`") for name in names]
        if sink.encode == "json":
            value = f.to_json(f.struct(*columns), {"ignoreNullFields": "false"}).cast("binary")
        else:
            if len(columns) != 1:
                raise ValueError(f"encode: {sink.encode} needs one column; give value: COLUMN")
            value = _bytes(columns[0], frame)
    if sink.tombstone_when is None:
        return value
    return f.when(f.coalesce(f.expr(sink.tombstone_when), f.lit(False)), f.lit(None)).otherwise(value)


def _bytes(column: "Column", frame: "DataFrame") -> "Column":
    """Structures as JSON, all else as its text; bytes stay what they are."""
    from pyspark.sql import functions as f
    from pyspark.sql.types import ArrayType, BinaryType, MapType, StructType, VariantType

    kind = frame.select(column.alias("c")).schema["c"].dataType
    if isinstance(kind, BinaryType):
        return column
    if isinstance(kind, StructType | MapType | ArrayType | VariantType):
        return f.to_json(column, {"ignoreNullFields": "false"}).cast("binary")
    return column.cast("string").cast("binary")
