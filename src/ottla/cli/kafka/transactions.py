"""`ottla transactions` (kafka-transactions.sh): transactions, producers of partitions, transactions that hang."""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import click

from ottla.cli.failures import Failure, usage
from ottla.cli.results import Result
from ottla.cli.run import Run
from ottla.cli.tables import padded_table
from ottla.cli.tool import kafka_tool, tool_group
from ottla.client import ProducerState, TopicPartition

if TYPE_CHECKING:
    from ottla.client import Admin

transactions = tool_group(
    "transactions", is_kafka=True, help="Transactions and those that hang (kafka-transactions.sh)."
)
_DEFAULT_TIMEOUT_MIN = 15


class TransactionRow(NamedTuple):
    transactional_id: str
    coordinator: int
    producer_id: int
    transaction_state: str


class TransactionDetails(NamedTuple):
    coordinator_id: int
    transactional_id: str
    producer_id: int
    producer_epoch: int
    transaction_state: str
    transaction_timeout_ms: int
    current_transaction_start_time_ms: int | None
    transaction_duration_ms: int | None
    topic_partitions: str


class ProducerRow(NamedTuple):
    producer_id: int
    producer_epoch: int
    latest_coordinator_epoch: int
    last_sequence: int
    last_timestamp: int
    current_transaction_start_offset: int | None


class HangingRow(NamedTuple):
    topic: str
    partition: int
    producer_id: int
    producer_epoch: int
    coordinator_epoch: int
    start_offset: int
    last_timestamp: int
    duration_min: int


def _shown(kind: str, rows: Sequence[tuple[object, ...]], titles: Sequence[str], fields: Sequence[str]) -> Result:
    cells = [["None" if value is None else str(value) for value in row] for row in rows]
    return Result(kind, rows, fields, text=padded_table(titles, cells))


@kafka_tool("list")
@click.option("--duration-filter", type=int, default=-1, metavar="MS", help="Open for longer than this.")
@click.option("--transactional-id-pattern", "pattern", metavar="REGEX", help="Ids that match (RE2).")
def list_transactions(run: Run, duration_filter: int, pattern: str | None) -> Result:
    """List transactions."""
    with run.admin() as admin:
        found = admin.list_transactions(min_duration_ms=duration_filter, pattern=pattern)
    rows = [TransactionRow(each.transactional_id, each.coordinator_id, each.producer_id, each.state) for each in found]
    titles = ["TransactionalId", "Coordinator", "ProducerId", "TransactionState"]
    return _shown("transactions", rows, titles, TransactionRow._fields)


@kafka_tool("describe")
@click.option("--transactional-id", required=True, metavar="ID", help="The transactional id.")
def describe(run: Run, transactional_id: str) -> Result:
    """Describe the transaction of a transactional id."""
    with run.admin() as admin:
        found = admin.describe_transactions([transactional_id])[transactional_id]
    start = found.start_ms if found.start_ms >= 0 else None
    details = TransactionDetails(
        found.coordinator_id,
        found.transactional_id,
        found.producer_id,
        found.producer_epoch,
        found.state,
        found.timeout_ms,
        start,
        int(time.time() * 1000) - start if start is not None else None,
        ",".join(map(str, sorted(found.partitions))),
    )
    titles = [
        *("CoordinatorId", "TransactionalId", "ProducerId", "ProducerEpoch", "TransactionState"),
        *("TransactionTimeoutMs", "CurrentTransactionStartTimeMs", "TransactionDurationMs", "TopicPartitions"),
    ]
    return _shown("transaction", [details], titles, TransactionDetails._fields)


@kafka_tool("describe-producers")
@click.option("--topic", required=True, metavar="TOPIC")
@click.option("--partition", type=int, required=True, metavar="N")
@click.option("--broker-id", type=int, metavar="ID", help="A replica; the leader unless given.")
def describe_producers(run: Run, topic: str, partition: int, broker_id: int | None) -> Result:
    """Describe the producers that a partition knows."""
    with run.admin() as admin:
        key = TopicPartition(topic, partition)
        found = admin.describe_producers([key], broker_id=broker_id)[key]
    rows = [
        ProducerRow(
            each.producer_id,
            each.producer_epoch,
            each.coordinator_epoch,
            each.last_sequence,
            each.last_timestamp_ms,
            each.transaction_start_offset if each.transaction_start_offset >= 0 else None,
        )
        for each in found
    ]
    titles = [
        *("ProducerId", "ProducerEpoch", "LatestCoordinatorEpoch", "LastSequence", "LastTimestamp"),
        "CurrentTransactionStartOffset",
    ]
    return _shown("producers", rows, titles, ProducerRow._fields)


@kafka_tool("find-hanging")
@click.option("--broker-id", type=int, metavar="ID", help="Partitions of this broker.")
@click.option("--max-transaction-timeout", type=int, default=_DEFAULT_TIMEOUT_MIN, metavar="MINUTES")
@click.option("--topic", metavar="TOPIC", help="Partitions of this topic.")
@click.option("--partition", type=int, metavar="N", help="With --topic: this one.")
def find_hanging(
    run: Run, broker_id: int | None, max_transaction_timeout: int, topic: str | None, partition: int | None
) -> Result:
    """Find transactions that are open for longer than any may be, and that no coordinator knows."""
    if broker_id is None and topic is None:
        raise usage(
            "The `find-hanging` command requires either --topic or --broker-id to limit the scope of the search"
        )
    now_ms = int(time.time() * 1000)
    with run.admin() as admin:
        wanted = _partitions(admin, broker_id, topic, partition)
        oldest_ms = now_ms - max_transaction_timeout * 60_000
        suspects = [
            (key, state)
            for key, states in (admin.describe_producers(wanted) if wanted else {}).items()
            for state in states
            if state.transaction_start_offset >= 0 and state.last_timestamp_ms <= oldest_ms
        ]
        known = _known_partitions(admin, {state.producer_id for _, state in suspects}) if suspects else {}
    rows = [
        HangingRow(
            *key,
            state.producer_id,
            state.producer_epoch,
            state.coordinator_epoch,
            state.transaction_start_offset,
            state.last_timestamp_ms,
            (now_ms - state.last_timestamp_ms) // 60_000,
        )
        for key, state in suspects
        if key not in known.get(state.producer_id, frozenset())
    ]
    titles = [
        *("Topic", "Partition", "ProducerId", "ProducerEpoch", "CoordinatorEpoch", "StartOffset", "LastTimestamp"),
        "Duration(min)",
    ]
    return _shown("hanging_transactions", rows, titles, HangingRow._fields)


def _partitions(
    admin: "Admin", broker_id: int | None, topic: str | None, partition: int | None
) -> list[TopicPartition]:
    if topic is not None and partition is not None:
        return [TopicPartition(topic, partition)]
    names = [topic] if topic is not None else [each.name for each in admin.list_topics(include_internal=True)]
    described = admin.describe_topics(names) if names else {}
    return [
        TopicPartition(name, view.partition)
        for name, description in described.items()
        for view in description.partitions
        if broker_id is None or broker_id in view.replicas
    ]


def _known_partitions(admin: "Admin", producer_ids: set[int]) -> dict[int, frozenset[TopicPartition]]:
    """The partitions of open transactions, as their coordinators know them."""
    listed = admin.list_transactions(producer_ids=sorted(producer_ids))
    described = admin.describe_transactions([each.transactional_id for each in listed])
    return {each.producer_id: each.partitions for each in described.values()}


@kafka_tool("abort")
@click.option("--topic", required=True, metavar="TOPIC")
@click.option("--partition", type=int, required=True, metavar="N")
@click.option("--start-offset", type=int, metavar="N", help="Where the transaction begins.")
@click.option("--producer-id", type=int, metavar="ID")
@click.option("--producer-epoch", type=int, metavar="N")
@click.option("--coordinator-epoch", type=int, metavar="N")
def abort(
    run: Run,
    topic: str,
    partition: int,
    start_offset: int | None,
    producer_id: int | None,
    producer_epoch: int | None,
    coordinator_epoch: int | None,
) -> None:
    """Abort a transaction that hangs in a partition."""
    key = TopicPartition(topic, partition)
    if start_offset is None and (producer_id is None or producer_epoch is None or coordinator_epoch is None):
        raise usage("--start-offset is needed, or --producer-id with --producer-epoch and --coordinator-epoch")
    with run.admin() as admin:
        if start_offset is not None:
            states = admin.describe_producers([key])[key]
            found = [each for each in states if each.transaction_start_offset == start_offset]
            if not found:
                raise Failure(
                    f"Could not find any open transactions starting at offset {start_offset} on partition {key}"
                )
            # The coordinator is not known any more: its epoch in the partition is the one to write with.
            state = found[0]._replace(coordinator_epoch=max(0, found[0].coordinator_epoch))
        else:
            assert producer_id is not None
            assert producer_epoch is not None
            assert coordinator_epoch is not None
            state = ProducerState(producer_id, producer_epoch, -1, -1, coordinator_epoch, -1)
        admin.abort_transaction(key, state)


@kafka_tool("forceTerminateTransaction")
@click.option("--transactionalId", "--transactional-id", "transactional_id", required=True, metavar="ID")
def force_terminate(run: Run, transactional_id: str) -> None:
    """Abort the open transaction of a transactional id and fence its producer."""
    with run.admin() as admin:
        admin.fence_producers([transactional_id])


for each in (list_transactions, describe, describe_producers, find_hanging, abort, force_terminate):
    transactions.add_command(each)
