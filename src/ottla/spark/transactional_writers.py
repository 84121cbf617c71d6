"""`exactly_once.py` as the writers that Spark calls: batch and stream.

A writer is created, written with and committed in three processes, and Spark waits while a new one imports: so each
method imports what it calls.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pyspark import TaskContext
from pyspark.sql.datasource import DataSourceArrowWriter, DataSourceStreamArrowWriter, WriterCommitMessage

from ottla.spark.task_results import Batch, TaskResult, results_of, single_batch, sink_name
from ottla.spark.write_options import WriteOptions

if TYPE_CHECKING:
    import pyarrow as pa

#: Properties that Spark gives the tasks of a streaming query. Not documented: a test pins them.
QUERY_ID_PROPERTY: Final = "sql.streaming.queryId"
BATCH_ID_PROPERTY: Final = "streaming.sql.batchId"
RUN_ID_PROPERTY: Final = "spark.jobGroup.id"


@dataclass
class TaskWritten(WriterCommitMessage):
    result: TaskResult


class TransactionalWriter(DataSourceArrowWriter):
    """A batch write, or one in `foreachBatch` with `queryId` and `batchId`."""

    def __init__(self, options: WriteOptions) -> None:
        self._options = options
        self._batch = single_batch()
        if options.query_id is not None:
            self._batch = Batch(sink_name(options.query_id, options.topic), options.batch_id)

    def write(self, iterator: "Iterator[pa.RecordBatch]") -> WriterCommitMessage:
        from ottla.spark.exactly_once import write_task

        context = _task_context()
        batch = self._batch
        if context.getLocalProperty(BATCH_ID_PROPERTY) is not None:
            batch = Batch(batch.sink, batch.batch_id, context.getLocalProperty(RUN_ID_PROPERTY))
        return TaskWritten(write_task(self._options, batch, context.partitionId(), iterator))

    def commit(self, messages: list[Any]) -> None:
        from ottla.spark.batch_commit import commit_batch

        commit_batch(self._options, results_of(messages))

    def abort(self, messages: list[Any]) -> None:
        from ottla.spark.batch_commit import abort_batch

        abort_batch(self._options, self._batch, len(messages), all_reported=None not in messages)


class TransactionalStreamWriter(DataSourceStreamArrowWriter):
    """`writeStream`."""

    def __init__(self, options: WriteOptions) -> None:
        self._options = options

    def write(self, iterator: "Iterator[pa.RecordBatch]") -> WriterCommitMessage:
        from ottla.spark.exactly_once import write_task

        context = _task_context()
        query_id, batch_id = context.getLocalProperty(QUERY_ID_PROPERTY), context.getLocalProperty(BATCH_ID_PROPERTY)
        if query_id is None or batch_id is None:
            raise RuntimeError(
                "this Spark does not say which query and batch a task belongs to; write with guarantee=at-least-once, "
                "or in foreachBatch with the options queryId and batchId"
            )
        run_id = context.getLocalProperty(RUN_ID_PROPERTY)
        batch = Batch(sink_name(query_id, self._options.topic), int(batch_id), run_id)
        return TaskWritten(write_task(self._options, batch, context.partitionId(), iterator))

    def commit(self, messages: list[Any], batchId: int) -> None:
        from ottla.spark.batch_commit import commit_batch

        commit_batch(self._options, results_of(messages))

    def abort(self, messages: list[Any], batchId: int) -> None:
        from ottla.spark.batch_commit import abort_batch

        # Without any message the query is not known here; its next run aborts what this one has left open.
        for result in results_of(messages)[:1]:
            abort_batch(self._options, result.batch, len(messages), all_reported=None not in messages)


def _task_context() -> Any:
    context = TaskContext.get()
    if context is None:
        raise RuntimeError("not in a task of Spark")
    return context
