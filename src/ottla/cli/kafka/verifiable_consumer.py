"""`ottla verifiable-consumer` (kafka-verifiable-consumer.sh): an event for whatever happens to a consumer."""

import asyncio
import signal
from collections.abc import Iterable
from itertools import groupby
from typing import TYPE_CHECKING, Any

import click

from ottla.cli.console.events import print_event
from ottla.cli.old_flags import BROKER_LIST, renamed
from ottla.cli.run import Run
from ottla.cli.tool import kafka_tool
from ottla.client.errors import ClientError

if TYPE_CHECKING:
    from ottla.client import AsyncConsumer, ConsumerRecord, TopicPartition

_POLL_MS = 200
_OLD = (*BROKER_LIST, renamed("--consumer.config", "--command-config"))


@kafka_tool("verifiable-consumer", old=_OLD)
@click.option("--topic", required=True, metavar="TOPIC", help="The topic to read.")
@click.option("--group-id", required=True, metavar="GROUP", help="The group to read as.")
@click.option("--group-protocol", default="classic", metavar="classic|consumer", help="The protocol of the group.")
@click.option("--group-remote-assignor", metavar="NAME", help="The assignor of the broker, with the new protocol.")
@click.option("--group-instance-id", metavar="ID", help="Makes a static member.")
@click.option("--max-messages", type=int, default=-1, metavar="COUNT", help="Stop after so many; -1: never.")
@click.option("--session-timeout", type=int, default=30_000, metavar="MS", help="With the classic protocol.")
@click.option("--verbose", is_flag=True, help="Print an event for each record.")
@click.option("--enable-autocommit", is_flag=True, help="Commit now and then instead of after each poll.")
@click.option("--reset-policy", default="earliest", metavar="earliest|latest|none", help="Where to start.")
@click.option("--assignment-strategy", metavar="CLASS", help="The assignor, with the classic protocol.")
def verifiable_consumer(
    run: Run,
    topic: str,
    group_id: str,
    group_protocol: str,
    group_remote_assignor: str | None,
    group_instance_id: str | None,
    max_messages: int,
    session_timeout: int,
    verbose: bool,
    enable_autocommit: bool,
    reset_policy: str,
    assignment_strategy: str | None,
) -> int:
    """Read a topic and print what happens, as events (kafka-verifiable-consumer.sh)."""
    run.require_reachable()
    from ottla.config.consumer_options import ConsumerOptions

    wanted: dict[str, Any] = {
        "group_id": group_id,
        "group_protocol": group_protocol,
        "enable_auto_commit": enable_autocommit,
        "auto_offset_reset": reset_policy,
    }
    if group_protocol == "classic":
        wanted["session_timeout_ms"] = session_timeout
        if assignment_strategy is not None:
            wanted["partition_assignment_strategy"] = assignment_strategy
    elif group_remote_assignor is not None:
        wanted["group_remote_assignor"] = group_remote_assignor
    if group_instance_id is not None:
        wanted["group_instance_id"] = group_instance_id
    reading = _Reading(topic, max_messages, is_verbose=verbose, commits=not enable_autocommit)
    asyncio.run(reading.run(run.settings(ConsumerOptions, **wanted)))
    return 0


class _Reading:
    """One run; also the listener of its consumer. Ends in order at SIGTERM and Ctrl-C."""

    def __init__(self, topic: str, max_messages: int, *, is_verbose: bool, commits: bool) -> None:
        self._topic = topic
        self._left = max_messages
        self._is_verbose = is_verbose
        self._commits = commits
        self._is_stopped = False

    async def run(self, settings: dict[str, Any]) -> None:
        from ottla.client import AsyncConsumer

        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, self._stop)
        async with AsyncConsumer(settings) as consumer:
            print_event("startup_complete")
            consumer.subscribe([self._topic], listener=self)
            while not self._is_stopped and self._left:
                records = await consumer.poll(_POLL_MS, max_records=self._left if self._left > 0 else None)
                if records:
                    await self._take(consumer, records)
        print_event("shutdown_complete")
        # Kafka's tool has it in a hook that runs at every end.
        self._stop()

    def _stop(self) -> None:
        if not self._is_stopped:
            print_event("shutdown_requested")
        self._is_stopped = True

    def on_partitions_assigned(self, partitions: "list[TopicPartition]") -> None:
        print_event("partitions_assigned", partitions=_places(partitions))

    def on_partitions_revoked(self, partitions: "list[TopicPartition]") -> None:
        print_event("partitions_revoked", partitions=_places(partitions))

    async def _take(self, consumer: "AsyncConsumer", records: "list[ConsumerRecord]") -> None:
        self._left -= len(records) if self._left > 0 else 0
        if self._is_verbose:
            for record in records:
                print_event(
                    "record_data",
                    key=_text(record.key),
                    value=_text(record.value),
                    topic=record.topic,
                    partition=record.partition,
                    offset=record.offset,
                )
        print_event("records_consumed", count=len(records), partitions=_summaries(records))
        if self._commits:
            await self._commit(consumer, records)

    async def _commit(self, consumer: "AsyncConsumer", records: "list[ConsumerRecord]") -> None:
        ends = {record.topic_partition: record.offset + 1 for record in records}
        offsets = [{"topic": topic, "partition": number, "offset": end} for (topic, number), end in ends.items()]
        try:
            await consumer.commit(ends)
        except ClientError as error:
            print_event("offsets_committed", offsets=offsets, success=False, error=str(error))
        else:
            print_event("offsets_committed", offsets=offsets, success=True)


def _places(partitions: "Iterable[TopicPartition]") -> list[dict[str, Any]]:
    return [{"topic": each.topic, "partition": each.partition} for each in partitions]


def _summaries(records: "list[ConsumerRecord]") -> list[dict[str, Any]]:
    found = []
    ordered = sorted(records, key=lambda record: (record.topic, record.partition, record.offset))
    for place, group in groupby(ordered, key=lambda record: record.topic_partition):
        offsets = [record.offset for record in group]
        found.append(
            {
                "topic": place.topic,
                "partition": place.partition,
                "count": len(offsets),
                "minOffset": offsets[0],
                "maxOffset": offsets[-1],
            }
        )
    return found


def _text(data: bytes | None) -> str | None:
    return None if data is None else data.decode("utf-8", "replace")
