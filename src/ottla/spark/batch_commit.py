"""The driver's side of `exactly_once.py`: all transactions of a batch are committed, or aborted."""

import logging
import time
from collections.abc import Sequence
from typing import Final

from ottla.client.errors import ClientError, RequestRefused
from ottla.client.producer.transaction_handle import TransactionHandle
from ottla.model.error_codes import ErrorCode
from ottla.spark.clients import kept_admin
from ottla.spark.sink_log import Intent, SinkLog
from ottla.spark.task_results import ID_PREFIX, Batch, TaskResult
from ottla.spark.write_options import WriteOptions

_log = logging.getLogger(__name__)
#: Spark's `spark.python.task.killTimeout` is 2 s.
_CANCELLED_TASKS_END_S: Final = 3.0
#: Someone else has ended the transaction: the coordinator, after its timeout, or a newer attempt.
_ENDED: Final = (
    ErrorCode.PRODUCER_FENCED,
    ErrorCode.INVALID_PRODUCER_EPOCH,
    ErrorCode.INVALID_PRODUCER_ID_MAPPING,
    ErrorCode.INVALID_TXN_STATE,
)


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
    names = [batch.transactional_id(task) for task in range(task_count)]
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
    admin, prefix = kept_admin(options.admin), f"{ID_PREFIX}-{batch.sink}-"
    mine = {handle.transactional_id for handle in current}
    open_ids = [
        each.transactional_id
        for each in admin.list_transactions(states=["Ongoing"])
        if each.transactional_id.startswith(prefix) and each.transactional_id not in mine
    ]
    if open_ids:
        _log.info("%s: aborting %d transactions of an earlier run", batch.name, len(open_ids))
        admin.fence_producers(open_ids)
