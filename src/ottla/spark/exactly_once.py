"""Exactly-once writes: each task in a transaction of its own, which the driver ends when all tasks are through.

    task     look up the last intent, once for each run of a query
             no intent for this batch: begin (which aborts what an earlier attempt left open), write the rows and a
                               done record, hand the transaction over
             an intent for it: end its transactions, then: done record committed -> write nothing
                               aborted meanwhile -> write again, if these are the same rows
    driver   intent record, then commit every transaction; before the intent, a failure aborts them

A batch write without `queryId` has nothing to recognise a repetition by: it has no records in the sink log.
"""

import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ottla.client.sync_producer import Producer
from ottla.spark.batch_commit import end_transactions
from ottla.spark.digesting import Digesting
from ottla.spark.outgoing import send_rows
from ottla.spark.sink_log import FoundIntent, SinkLog
from ottla.spark.task_results import Batch, RowsDigest, TaskOutcome, TaskResult
from ottla.spark.write_options import WriteOptions

if TYPE_CHECKING:
    import pyarrow as pa

_log = logging.getLogger(__name__)


class RowsDiffer(Exception):
    """A batch that is half committed came again with other rows."""


#: (sink, run) -> the batch up to which this process knows that there is nothing to repeat.
_looked_up: dict[tuple[str, str], int] = {}


def write_task(options: WriteOptions, batch: Batch, task: int, rows: "Iterable[pa.RecordBatch]") -> TaskResult:
    """Raises RowsDiffer; ClientError."""
    if batch.batch_id is None:
        return TaskResult(batch, task, _write_once(options, batch, task, rows), has_looked=False)
    digesting = Digesting(rows)
    has_looked, intent = _pending_intent(options, batch, batch.batch_id)
    if intent is None:
        return TaskResult(batch, task, _write(options, batch, task, digesting, None), has_looked)
    log = SinkLog(options.admin, batch.sink)
    end_transactions(options, intent.intent, commit=True)
    expected = intent.intent.tasks.get(task, TaskOutcome(RowsDigest(), None))
    if not expected.digest.rows or log.is_done(intent, task):
        _check_same(batch, task, digesting.drain(), expected.digest)
        return TaskResult(batch, task, TaskOutcome(expected.digest, None), has_looked)
    _log.warning(
        "%s: the transaction of task %d was aborted after the commit was decided; writing it again", batch.name, task
    )
    return TaskResult(batch, task, _write(options, batch, task, digesting, expected.digest), has_looked)


def _pending_intent(options: WriteOptions, batch: Batch, batch_id: int) -> tuple[bool, FoundIntent | None]:
    """Whether we looked, and the intent of just this batch."""
    run = (batch.sink, batch.run_id) if batch.run_id is not None else None
    if run is not None and batch_id > _looked_up.get(run, batch_id):
        return False, None
    log = SinkLog(options.admin, batch.sink)
    intent = log.intent()
    if intent is None:
        log.create_topic()
    elif intent.batch_id > batch_id:
        raise RowsDiffer(
            f"{batch.name} comes after batch {intent.batch_id} was committed: the checkpoint has gone back. Use a new "
            "checkpointLocation (or queryId), or write with guarantee=at-least-once"
        )
    if run is not None:
        _looked_up[run] = batch_id
    return True, intent if intent is not None and intent.batch_id == batch_id else None


def _write_once(options: WriteOptions, batch: Batch, task: int, rows: "Iterable[pa.RecordBatch]") -> TaskOutcome:
    """Of a batch that cannot come again: no done record, and no digest, which costs half as much as sending."""
    with _producer(options, batch, task) as producer:
        producer.begin_transaction()
        send_rows(producer, options.topic, rows)
        return TaskOutcome(RowsDigest(), producer.detach())


def _write(options: WriteOptions, batch: Batch, task: int, rows: Digesting, expected: RowsDigest | None) -> TaskOutcome:
    with _producer(options, batch, task) as producer:
        producer.begin_transaction()
        send_rows(producer, options.topic, rows)
        if expected is not None:
            _check_same(batch, task, rows.result, expected)
        if rows.result.rows and batch.batch_id is not None:
            SinkLog(options.admin, batch.sink).write_done(producer, task, batch.batch_id)
        return TaskOutcome(rows.result, producer.detach())


def _producer(options: WriteOptions, batch: Batch, task: int) -> Producer:
    """To be closed: leaving its block with an error aborts the transaction."""
    return Producer({**options.client, "transactional.id": batch.transactional_id(task)})


def _check_same(batch: Batch, task: int, found: RowsDigest, expected: RowsDigest) -> None:
    if found != expected:
        raise RowsDiffer(
            f"{batch.name} is committed in part, and task {task} has other rows now ({found.rows}) than then "
            f"({expected.rows}): the plan does not give a task the same rows when a batch is repeated (docs/spark.md). "
            "To go on, start once with guarantee=at-least-once: rows of this batch are then written a second time"
        )
