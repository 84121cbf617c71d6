"""Writes at least once: a task that is repeated writes its rows again."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.sql.datasource import DataSourceArrowWriter, DataSourceStreamArrowWriter, WriterCommitMessage

from ottla.spark.clients import kept_producer
from ottla.spark.outgoing import send_rows
from ottla.spark.write_options import WriteOptions

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass
class RowsWritten(WriterCommitMessage):
    count: int


class PlainWriter(DataSourceArrowWriter):
    """The producer is the worker's: rows are acknowledged when a task ends, so there is nothing left to commit."""

    def __init__(self, options: WriteOptions) -> None:
        self._options = options

    def write(self, iterator: "Iterator[pa.RecordBatch]") -> WriterCommitMessage:
        return RowsWritten(send_rows(kept_producer(self._options.client), self._options.topic, iterator))


class PlainStreamWriter(DataSourceStreamArrowWriter):
    """As `PlainWriter`."""

    def __init__(self, options: WriteOptions) -> None:
        self._options = options

    def write(self, iterator: "Iterator[pa.RecordBatch]") -> WriterCommitMessage:
        return RowsWritten(send_rows(kept_producer(self._options.client), self._options.topic, iterator))
