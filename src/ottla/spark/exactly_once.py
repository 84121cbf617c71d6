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
import time
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ottla.client.errors import ClientError, RequestRefused
from ottla.client.producer.transactional import TransactionHandle
from ottla.client.sync_producer import Producer
from ottla.model.error_codes import ErrorCode
from ottla.spark.clients import kept_admin
from ottla.spark.outgoing import Digesting, RowsDigest, send_rows
from ottla.spark.sink_log import FoundIntent, Intent, SinkLog, TaskOutcome
from ottla.spark.write_options import WriteOptions

if TYPE_CHECKING:
    import pyarrow as pa

_log = logging.getLogger(__name__)
_PREFIX: Final = "ottla-spark"
#: Spark's `spark.python.task.killTimeout` is 2 s.
_CANCELLED_TASKS_END_S: Final = 3.0
#: Someone else has ended the transaction: the coordinator, after its timeout, or a newer attempt.
_ENDED: Final = (
    ErrorCode.PRODUCER_FENCED,
    ErrorCode.INVALID_PRODUCER_EPOCH,
    ErrorCode.INVALID_PRODUCER_ID_MAPPING,
    ErrorCode.INVALID_TXN_STATE,
)


class RowsDiffer(Exception):
    """A batch that is half committed came again with other rows."""


@dataclass(frozen=True)
class Batch:
    """Whose rows these are. Without a batch id, a repetition cannot be recognised."""

    sink: str
    batch_id: int | None
    #: Of a streaming query: within a run no batch comes twice.
    run_id: str | None = None

    @property
    def name(self) -> str:
        return f"batch {self.batch_id} of {self.sink}"


@dataclass(frozen=True)
class TaskResult:
    """What a task reports to the driver."""

    batch: Batch
    task: int
    outcome: TaskOutcome
    #: Whether this task has looked for what an earlier run has left behind.
    has_looked: bool


def single_batch() -> Batch:
    """Of a write that nobody will repeat."""
    return Batch(f"batch-{uuid.uuid4().hex}", None)


def sink_name(query_id: str, topic: str | None) -> str:
    """The topic belongs to it: a query may write several topics in one batch."""
    return f"{query_id}.{topic or '*'}"


# in a task

#: (sink, run) -> the batch up to which this process knows that there is nothing to repeat.
_looked_up: dict[tuple[str, str], int] = {}


def write_task(options: WriteOptions, batch: Batch, task: int, rows: "Iterable[pa.RecordBatch]") -> TaskResult:
    """Raises RowsDiffer; ClientError."""
    digesting = Digesting(rows)
    has_looked, intent = _pending_intent(options, batch)
    if intent is None or batch.batch_id is None:
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


def _pending_intent(options: WriteOptions, batch: Batch) -> tuple[bool, FoundIntent | None]:
    """Whether we looked, and the intent of just this batch."""
    if batch.batch_id is None:
        return False, None
    run = (batch.sink, batch.run_id) if batch.run_id is not None else None
    if run is not None and batch.batch_id > _looked_up.get(run, batch.batch_id):
        return False, None
    log = SinkLog(options.admin, batch.sink)
    intent = log.intent()
    if intent is None:
        log.create_topic()
    elif intent.batch_id > batch.batch_id:
        raise RowsDiffer(
            f"{batch.name} comes after batch {intent.batch_id} was committed: the checkpoint has gone back. Use a new "
            "checkpointLocation (or queryId), or write with guarantee=at-least-once"
        )
    if run is not None:
        _looked_up[run] = batch.batch_id
    return True, intent if intent is not None and intent.batch_id == batch.batch_id else None


def _write(options: WriteOptions, batch: Batch, task: int, rows: Digesting, expected: RowsDigest | None) -> TaskOutcome:
    config = {**options.client, "transactional.id": _transactional_id(batch, task)}
    # Leaving the block with an error aborts the transaction.
    with Producer(config) as producer:
        producer.begin_transaction()
        send_rows(producer, options.topic, rows)
        if expected is not None:
            _check_same(batch, task, rows.result, expected)
        if rows.result.rows and batch.batch_id is not None:
            SinkLog(options.admin, batch.sink).write_done(producer, task, batch.batch_id)
        return TaskOutcome(rows.result, producer.detach())


def _transactional_id(batch: Batch, task: int) -> str:
    """The same for every batch and attempt: the next one ends what this one leaves open."""
    return f"{_PREFIX}-{batch.sink}-{task}"


def _check_same(batch: Batch, task: int, found: RowsDigest, expected: RowsDigest) -> None:
    if found != expected:
        raise RowsDiffer(
            f"{batch.name} is committed in part, and task {task} has other rows now ({found.rows}) than then "
            f"({expected.rows}): the plan does not give a task the same rows when a batch is repeated (docs/spark.md). "
            "To go on, start once with guarantee=at-least-once: rows of this batch are then written a second time"
        )


# on the driver


def commit_batch(options: WriteOptions, results: Sequence[TaskResult]) -> None:
    """Raises ClientError when a transaction cannot be committed: the batch must come again."""
    if not results:
        return
    batch = results[0].batch
    intent = Intent(batch.sink, batch.batch_id or 0, {each.task: each.outcome for each in results})
    handles = [outcome.handle for outcome in intent.tasks.values() if outcome.handle is not None]
    if handles and batch.batch_id is not None:
        SinkLog(options.admin, batch.sink).write_intent(intent)
    failures = end_transactions(options, intent, commit=True)
    if any(each.has_looked for each in results):
        _abort_left_behind(options, batch, handles)
    if failures:
        raise failures[0]


def abort_batch(options: WriteOptions, batch: Batch, task_count: int, *, all_reported: bool) -> None:
    """Called also when a commit has failed: then the batch is decided, and must not be aborted."""
    if batch.batch_id is not None:
        intent = SinkLog(options.admin, batch.sink).intent()
        if intent is not None and intent.batch_id == batch.batch_id:
            return
    # Of all tasks: those that were cancelled cannot report their transactions, and may still be writing.
    names = [_transactional_id(batch, task) for task in range(task_count)]
    kept_admin(options.admin).fence_producers(names)
    if not all_reported:
        # A cancelled task may begin its transaction even now, until Spark ends its process.
        time.sleep(_CANCELLED_TASKS_END_S)
        kept_admin(options.admin).fence_producers(names)


def end_transactions(options: WriteOptions, intent: Intent, *, commit: bool) -> list[ClientError]:
    """All that are still open. Those that others have ended, or whose coordinator does not respond, are returned."""
    admin = kept_admin(options.admin)
    failures: list[ClientError] = []
    for outcome in intent.tasks.values():
        if outcome.handle is None:
            continue
        try:
            admin.end_transaction(TransactionHandle(*outcome.handle), commit=commit)
        except RequestRefused as error:
            if error.code not in _ENDED:
                raise
            failures.append(error)
    return failures


def _abort_left_behind(options: WriteOptions, batch: Batch, current: Sequence[TransactionHandle]) -> None:
    """An earlier run had more tasks: nobody else would end their transactions before they time out."""
    admin, prefix = kept_admin(options.admin), f"{_PREFIX}-{batch.sink}-"
    mine = {handle.transactional_id for handle in current}
    open_ids = [
        each.transactional_id
        for each in admin.list_transactions(states=["Ongoing"])
        if each.transactional_id.startswith(prefix) and each.transactional_id not in mine
    ]
    if open_ids:
        _log.info("%s: aborting %d transactions of an earlier run", batch.name, len(open_ids))
        admin.fence_producers(open_ids)


def results_of(messages: Iterable[Any]) -> list[TaskResult]:
    """Of the messages that Spark has collected; a task that has failed has none."""
    return [message.result for message in messages if message is not None]
