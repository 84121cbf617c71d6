"""The exactly-once sink of Spark where its driver dies: its own steps, without Spark, against a real broker."""

import uuid
from collections.abc import Callable
from typing import Any

import pytest

pa = pytest.importorskip("pyarrow")
pytest.importorskip("pyspark")

from ottla.client import Admin, NewTopic, read_topic  # noqa: E402
from ottla.spark.batch_commit import abort_batch, commit_batch  # noqa: E402
from ottla.spark.exactly_once import RowsDiffer, write_task  # noqa: E402
from ottla.spark.options import GivenOptions  # noqa: E402
from ottla.spark.sink_log import Intent, SinkLog  # noqa: E402
from ottla.spark.task_results import Batch, TaskResult  # noqa: E402
from ottla.spark.write_options import WriteOptions, write_options_of  # noqa: E402
from tests.support.broker_process import BrokerProcess, StartBroker  # noqa: E402
from tests.support.waiting import eventually  # noqa: E402

TASKS = 3
ROWS = 20


class Sink:
    """A topic and the query that writes it: what the tasks and the driver do, step by step."""

    def __init__(self, broker: BrokerProcess, **settings: str) -> None:
        self.topic = f"t{uuid.uuid4().hex[:8]}"
        self.address = broker.address
        options = {"kafka.bootstrap.servers": broker.address, "topic": self.topic}
        options.update({f"kafka.{name.replace('_', '.')}": value for name, value in settings.items()})
        self.options: WriteOptions = write_options_of(GivenOptions(options), is_stream=True)
        with Admin(bootstrap_servers=broker.address) as admin:
            admin.create_topics([NewTopic(self.topic, partitions=2)])

    def batch(self, number: int, run: str = "run") -> Batch:
        return Batch(f"{self.topic}.q", number, f"{run}-{uuid.uuid4().hex}")

    def tasks(self, number: int, rows: Callable[[int], list[bytes]] | None = None) -> list[TaskResult]:
        """All tasks of a batch, by a driver that has just started."""
        batch, of_task = self.batch(number), rows or (lambda task: rows_of(number, task))
        return [
            write_task(self.options, batch, task, [pa.record_batch({"value": pa.array(of_task(task), pa.binary())})])
            for task in range(TASKS)
        ]

    def intent(self, results: list[TaskResult]) -> Intent:
        """The first half of a commit."""
        batch = results[0].batch
        assert batch.batch_id is not None
        intent = Intent(batch.sink, batch.batch_id, {each.task: each.outcome for each in results})
        SinkLog(self.options.admin, batch.sink).write_intent(intent)
        return intent

    def end(self, result: TaskResult) -> None:
        assert result.outcome.handle is not None
        with Admin(bootstrap_servers=self.address) as admin:
            admin.end_transaction(result.outcome.handle, commit=True)

    def values(self) -> list[bytes]:
        table = read_topic(self.topic, columns=["value"], isolation="read_committed", bootstrap_servers=self.address)
        return sorted(table.column("value").to_pylist())


def rows_of(batch: int, task: int) -> list[bytes]:
    return [b"%d.%d.%d" % (batch, task, row) for row in range(ROWS)]


def all_rows(*batches: int) -> list[bytes]:
    return sorted(row for batch in batches for task in range(TASKS) for row in rows_of(batch, task))


@pytest.fixture
def sink(broker: BrokerProcess) -> Sink:
    return Sink(broker)


def test_batches_are_committed_one_after_another(sink: Sink) -> None:
    for number in range(3):
        commit_batch(sink.options, sink.tasks(number))

    assert sink.values() == all_rows(0, 1, 2)


def test_a_driver_that_dies_before_the_intent_leaves_nothing(sink: Sink) -> None:
    sink.tasks(0)
    assert sink.values() == []

    commit_batch(sink.options, sink.tasks(0))

    assert sink.values() == all_rows(0)


def test_a_driver_that_dies_after_the_intent_has_decided(sink: Sink) -> None:
    sink.intent(sink.tasks(0))

    again = sink.tasks(0)
    assert [each.outcome.handle for each in again] == [None] * TASKS
    commit_batch(sink.options, again)

    assert sink.values() == all_rows(0)


def test_a_driver_that_dies_between_two_ends_is_finished_by_the_next(sink: Sink) -> None:
    first = sink.tasks(0)
    sink.intent(first)
    sink.end(first[1])

    commit_batch(sink.options, sink.tasks(0))

    assert sink.values() == all_rows(0)


def test_a_driver_that_dies_after_all_ends_writes_nothing_again(sink: Sink) -> None:
    commit_batch(sink.options, sink.tasks(0))
    commit_batch(sink.options, sink.tasks(0))
    commit_batch(sink.options, sink.tasks(1))

    assert sink.values() == all_rows(0, 1)


def ongoing(sink: Sink) -> list[str]:
    with Admin(bootstrap_servers=sink.address) as admin:
        listed = admin.list_transactions(states=["Ongoing", "PrepareAbort"])
    return [each.transactional_id for each in listed if sink.topic in each.transactional_id]


def away_past_the_timeout(broker: BrokerProcess) -> Sink:
    """One task is committed, the transactions of the others have timed out."""
    sink = Sink(broker, transaction_timeout_ms="2000")
    first = sink.tasks(0)
    sink.intent(first)
    sink.end(first[1])
    eventually(lambda: not ongoing(sink), within_s=60, what="the coordinator to abort what has timed out")
    sink.options.client["transaction.timeout.ms"] = "60000"
    return sink


@pytest.fixture
def impatient(start_broker: StartBroker) -> BrokerProcess:
    return start_broker(transaction_abort_timed_out_transaction_cleanup_interval_ms="500")


def test_a_driver_that_was_away_past_the_timeout_writes_what_was_aborted(impatient: BrokerProcess) -> None:
    sink = away_past_the_timeout(impatient)

    commit_batch(sink.options, sink.tasks(0))

    assert sink.values() == all_rows(0)


def test_other_rows_than_those_committed_in_part_fail_loudly(impatient: BrokerProcess) -> None:
    sink = away_past_the_timeout(impatient)

    def shifted(task: int) -> list[bytes]:
        return rows_of(0, (task + 1) % TASKS)

    with pytest.raises(RowsDiffer, match=r"task 0 has other rows now.*guarantee=at-least-once"):
        sink.tasks(0, shifted)
    assert sink.values() == sorted(rows_of(0, 1))


def test_an_abort_before_the_intent_aborts_and_after_it_does_not(sink: Sink) -> None:
    results: list[Any] = sink.tasks(0)
    abort_batch(sink.options, results[0].batch, TASKS, all_reported=True)
    assert not ongoing(sink)

    results = sink.tasks(0)
    sink.intent(results)
    abort_batch(sink.options, results[0].batch, TASKS, all_reported=True)
    commit_batch(sink.options, sink.tasks(0))

    assert sink.values() == all_rows(0)


def test_the_order_of_rows_in_a_task_does_not_matter(sink: Sink) -> None:
    commit_batch(sink.options, sink.tasks(0))
    commit_batch(sink.options, sink.tasks(0, lambda task: rows_of(0, task)[::-1]))

    assert sink.values() == all_rows(0)
