"""Whose rows a write has, and what its tasks report to the driver. Light: both sides of a write unpickle it."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from ottla.client.producer.transaction_handle import TransactionHandle

#: Of the transactional ids of all sinks.
ID_PREFIX: Final = "ottla-spark"


class RowsDigest(NamedTuple):
    """Equal for the same rows in any order."""

    rows: int = 0
    total: int = 0


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

    def transactional_id(self, task: int) -> str:
        """The same for every batch and attempt: the next one ends what this one leaves open."""
        return f"{ID_PREFIX}-{self.sink}-{task}"


@dataclass(frozen=True)
class TaskOutcome:
    """What one task has written. Without a handle: nothing, or it was committed by an earlier attempt."""

    #: Empty where nothing would be compared with it: in a batch without an id.
    digest: RowsDigest
    handle: TransactionHandle | None


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


def results_of(messages: Iterable[Any]) -> list[TaskResult]:
    """Of the messages that Spark has collected; a task that has failed has none."""
    return [message.result for message in messages if message is not None]
