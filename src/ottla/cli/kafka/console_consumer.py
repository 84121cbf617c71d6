"""`ottla console-consumer` (kafka-console-consumer.sh): records of a topic as lines."""

import random
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import click

from ottla.cli.console.formatters import Formatter, formatter_named
from ottla.cli.failures import Failure, usage
from ottla.cli.kafka.actions import tool_properties
from ottla.cli.old_flags import BROKER_LIST, renamed
from ottla.cli.run import Run
from ottla.cli.tool import kafka_tool

if TYPE_CHECKING:
    from ottla.client import Consumer, ConsumerRecord

_OLD = (
    *BROKER_LIST,
    renamed("--property", "--formatter-property"),
    renamed("--consumer-property", "--command-property"),
    renamed("--consumer.config", "--command-config"),
    renamed("--consumer-config", "--command-config"),
    renamed("--whitelist", "--include"),
)
_NO_LIMIT = -1
_POLL_MS = 500


class Limits(NamedTuple):
    """When to stop: after so many records, or when none came for so long."""

    max_messages: int = _NO_LIMIT
    timeout_ms: int = _NO_LIMIT


@kafka_tool("console-consumer", old=_OLD)
@click.option("--topic", metavar="TOPIC", help="The topic to read.")
@click.option("--include", metavar="REGEX", help="Read all topics whose name matches.")
@click.option(
    "--partition", type=int, metavar="N", help="Read one partition; starts at the end unless --offset is given."
)
@click.option("--offset", metavar="N|earliest|latest", help="Where to start in the partition.")
@click.option("--from-beginning", is_flag=True, help="Start at the first record where the group has no offset.")
@click.option("--max-messages", type=int, default=_NO_LIMIT, metavar="COUNT", help="Stop after so many records.")
@click.option("--timeout-ms", type=int, default=_NO_LIMIT, metavar="MS", help="Stop when no record comes for so long.")
@click.option("--group", metavar="GROUP", help="The group to read as; a new one unless given.")
@click.option(
    "--isolation-level",
    type=click.Choice(["read_committed", "read_uncommitted"]),
    default="read_uncommitted",
    help="Whether records of open and aborted transactions are shown.",
)
@click.option("--skip-message-on-error", is_flag=True, help="Go on when a record cannot be formatted.")
@click.option("--key-deserializer", metavar="CLASS", help="One of Kafka's deserializers.")
@click.option("--value-deserializer", metavar="CLASS", help="One of Kafka's deserializers.")
@click.option("--formatter", default="DefaultMessageFormatter", metavar="CLASS", help="One of Kafka's formatters.")
@click.option("--formatter-config", metavar="FILE", help="A file of formatter properties.")
@click.option("--formatter-property", "formatter_properties", multiple=True, metavar="NAME=VALUE")
@click.option("--enable-systest-events", is_flag=True, help="Print an event when the consumer has stopped.")
def console_consumer(
    run: Run,
    topic: str | None,
    include: str | None,
    partition: int | None,
    offset: str | None,
    from_beginning: bool,
    max_messages: int,
    timeout_ms: int,
    group: str | None,
    isolation_level: str,
    skip_message_on_error: bool,
    key_deserializer: str | None,
    value_deserializer: str | None,
    formatter: str,
    formatter_config: str | None,
    formatter_properties: tuple[str, ...],
    enable_systest_events: bool,
) -> int:
    """Print the records of a topic (kafka-console-consumer.sh).

    Formatter properties: print.timestamp, print.partition, print.offset, print.delivery, print.epoch, print.headers,
    print.key, print.value, key.separator, line.separator, headers.separator, null.literal, key.deserializer,
    value.deserializer, headers.deserializer.
    """
    _check(topic, include, partition, offset, from_beginning)
    properties = tool_properties(formatter_properties, formatter_config)
    for name, given in (("key.deserializer", key_deserializer), ("value.deserializer", value_deserializer)):
        if given is not None:
            properties[name] = given
    show = formatter_named(formatter, properties)
    run.require_reachable()
    from ottla.client import Consumer
    from ottla.config.consumer_options import ConsumerOptions

    settings = run.settings(
        ConsumerOptions,
        client_id="console-consumer",
        isolation_level=isolation_level,
        auto_offset_reset="earliest" if from_beginning else "latest",
    )
    _set_group(settings, group, is_assigned=partition is not None)
    with Consumer(settings) as consumer:
        _choose(consumer, topic, include, partition, offset)
        _print_all(consumer, show, Limits(max_messages, timeout_ms), skip_errors=skip_message_on_error)
    if enable_systest_events:
        print(f'{{"timestamp":{time.time_ns() // 1_000_000},"name":"shutdown_complete"}}')
    return 0


def _check(
    topic: str | None, include: str | None, partition: int | None, offset: str | None, from_beginning: bool
) -> None:
    if (topic is None) == (include is None):
        raise usage("Exactly one of --include/--topic is required.")
    if partition is not None and topic is None:
        raise usage("The topic is required when partition is specified.")
    if offset is not None and partition is None:
        raise usage("The partition is required when offset is specified.")
    if offset is not None and from_beginning:
        raise usage("Options from-beginning and offset cannot be specified together.")
    if offset is not None and offset not in ("earliest", "latest") and not offset.isdigit():
        raise usage(
            f"The provided offset value '{offset}' is incorrect. Valid values are 'earliest', 'latest', or a "
            "non-negative long."
        )


def _set_group(settings: dict[str, object], group: str | None, *, is_assigned: bool) -> None:
    """A group of its own does not commit. Raises Failure when flag and properties disagree."""
    configured = settings.get("group.id")
    if group is not None and configured not in (None, group):
        raise usage("The group ids provided in different places (--group, --command-property, files) do not match.")
    if group is None and configured is None:
        if not is_assigned:
            settings["group.id"] = f"console-consumer-{random.randrange(100_000)}"
        settings.setdefault("enable.auto.commit", "false")
    elif group is not None:
        settings["group.id"] = group


def _choose(
    consumer: "Consumer", topic: str | None, include: str | None, partition: int | None, offset: str | None
) -> None:
    from ottla.client import TopicPartition

    if partition is None:
        if include is not None:
            consumer.subscribe(pattern=include)
        else:
            consumer.subscribe([topic or ""])
        return
    place = TopicPartition(topic or "", partition)
    consumer.assign([place])
    if offset == "earliest":
        consumer.seek_to_beginning([place])
    elif offset is None or offset == "latest":
        consumer.seek_to_end([place])
    else:
        consumer.seek(place, int(offset))


def _print_all(consumer: "Consumer", show: Formatter, limits: Limits, *, skip_errors: bool) -> None:
    """The number of records goes to stderr, at Ctrl-C too."""
    count = 0
    write = sys.stdout.buffer.write
    try:
        for records in polled(consumer, limits):
            count += len(records)
            write(b"".join(_formatted(records, show, skip_errors=skip_errors)))
            sys.stdout.buffer.flush()
    finally:
        print(f"Processed a total of {count} messages", file=sys.stderr)


def _formatted(
    records: "list[ConsumerRecord]", show: Callable[["ConsumerRecord"], bytes], *, skip_errors: bool
) -> Iterator[bytes]:
    for record in records:
        try:
            yield show(record)
        except Failure as error:
            if not skip_errors:
                raise
            print(f"warning: skipped offset {record.offset}: {error.message}", file=sys.stderr)


def polled(consumer: "Consumer", limits: Limits) -> Iterator["list[ConsumerRecord]"]:
    """Records as they come, until a limit is reached. Raises what `poll` raises."""
    left = limits.max_messages
    idle_since = time.monotonic()
    while left:
        wait_ms = _POLL_MS
        if limits.timeout_ms >= 0:
            wait_ms = int(min(_POLL_MS, limits.timeout_ms - (time.monotonic() - idle_since) * 1000))
            if wait_ms <= 0:
                return
        records = consumer.poll(wait_ms, max_records=left if left > 0 else None)
        if records:
            left -= len(records) if left > 0 else 0
            idle_since = time.monotonic()
            yield records
