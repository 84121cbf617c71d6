"""`ottla get-offsets` (kafka-get-offsets.sh): offsets of partitions, the first, the last or by time."""

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

import click

from ottla.cli.failures import Failure, usage
from ottla.cli.old_flags import BROKER_LIST
from ottla.cli.results import Result
from ottla.cli.run import Run
from ottla.cli.tool import kafka_tool
from ottla.client import TopicPartition

if TYPE_CHECKING:
    from ottla.client import Admin

#: Words for offsets; all but these are times in milliseconds.
TIMES = {
    "latest": -1,
    "earliest": -2,
    "max-timestamp": -3,
    "earliest-local": -4,
    "latest-tiered": -5,
    "earliest-pending-upload": -6,
}


class PartitionOffset(NamedTuple):
    topic: str
    partition: int
    offset: int


@kafka_tool("get-offsets", old=BROKER_LIST, error_text="Error occurred: {}")
@click.option("--topic", metavar="TOPIC", help="Topics whose name matches this regular expression.")
@click.option(
    "--topic-partitions", metavar="TOPIC:P,TOPIC:P-Q,…", help="Patterns of topics, each with partitions if wanted."
)
@click.option("--partitions", metavar="P,Q,…", help="With --topic: these partitions only.")
@click.option(
    "--time", "moment", default="latest", metavar="TIME", help="latest, earliest, max-timestamp, …, or milliseconds."
)
@click.option("--exclude-internal-topics", is_flag=True, help="Leave out internal topics.")
def get_offsets(
    run: Run,
    topic: str | None,
    topic_partitions: str | None,
    partitions: str | None,
    moment: str,
    exclude_internal_topics: bool,
) -> Result:
    """Print TOPIC:PARTITION:OFFSET for each partition (kafka-get-offsets.sh)."""
    if topic_partitions and (topic or partitions):
        raise usage("--topic-partitions cannot be used with --topic or --partitions")
    timestamp = parse_time(moment)
    filters = parse_filters(topic_partitions) if topic_partitions else [_by_flags(topic, partitions)]
    with run.admin() as admin:
        wanted = _matching(admin, filters, include_internal=not exclude_internal_topics)
        if not wanted:
            raise Failure("Could not match any topic-partitions with the specified filters")
        found = offsets_of(admin, wanted, timestamp)
    items = [PartitionOffset(*partition, found[partition]) for partition in wanted if partition in found]
    return Result(
        "offsets",
        items,
        columns=("topic", "partition", "offset"),
        text="\n".join(f"{item.topic}:{item.partition}:{item.offset}" for item in items),
    )


def parse_time(text: str) -> int:
    """Raises Failure for what is neither a word nor a number."""
    if text in TIMES:
        return TIMES[text]
    try:
        return int(text)
    except ValueError:
        raise usage(
            f"Malformed time argument {text}. Please use -1 or latest / -2 or earliest / -3 or max-timestamp / -4 or "
            "earliest-local / -5 or latest-tiered / -6 or earliest-pending-upload, or a specified long format timestamp"
        ) from None


class PartitionFilter(NamedTuple):
    """A pattern for the topic; partitions from `first` to below `end`, or those in `numbers`."""

    topic: str
    numbers: frozenset[int] | None = None
    first: int = 0
    end: int | None = None

    def fits(self, partition: TopicPartition) -> bool:
        if re.fullmatch(self.topic, partition.topic) is None:
            return False
        if self.numbers is not None:
            return partition.partition in self.numbers
        return self.first <= partition.partition and (self.end is None or partition.partition < self.end)


def _by_flags(topic: str | None, partitions: str | None) -> PartitionFilter:
    try:
        numbers = frozenset(int(part) for part in partitions.split(",") if part) if partitions else None
    except ValueError:
        raise usage(f"--partitions expects a comma separated list of integers, but received: {partitions}") from None
    return PartitionFilter(_pattern(topic or ".*"), numbers)


def parse_filters(text: str) -> list[PartitionFilter]:
    """`t1:1,t2:0-3,t3,t4:5-,:2`. The end of a range is not part of it, as in Kafka."""
    return [_filter(part) for part in text.split(",")]


def _filter(text: str) -> PartitionFilter:
    found = re.fullmatch(r"([^:,]*)(?::(?:([0-9]*)|(?:([0-9]*)-([0-9]*))))?", text)
    if found is None:
        raise usage(f"Invalid rule specification: {text}")
    topic, one, first, end = found.groups()
    pattern = _pattern(topic or ".*")
    if one:
        return PartitionFilter(pattern, frozenset({int(one)}))
    return PartitionFilter(pattern, None, int(first or 0), int(end) if end else None)


def _pattern(text: str) -> str:
    """Kafka takes a list of patterns with commas for one with bars."""
    pattern = text.strip().replace(",", "|").strip("\"'")
    try:
        re.compile(pattern)
    except re.error as error:
        raise usage(f"{text} is an invalid regex: {error}") from None
    return pattern


def _matching(admin: "Admin", filters: Iterable[PartitionFilter], *, include_internal: bool) -> list[TopicPartition]:
    names = [listing.name for listing in admin.list_topics(include_internal=include_internal)]
    wanted = [name for name in names if any(re.fullmatch(each.topic, name) for each in filters)]
    described = admin.describe_topics(wanted) if wanted else {}
    every = [TopicPartition(name, view.partition) for name in sorted(described) for view in described[name].partitions]
    return [partition for partition in every if any(each.fits(partition) for each in filters)]


def offsets_of(admin: "Admin", wanted: Iterable[TopicPartition], timestamp: int) -> Mapping[TopicPartition, int]:
    """Partitions without an offset for this time are left out."""
    listed = admin.list_offsets(dict.fromkeys(wanted, timestamp))
    return {partition: row.offset for partition, row in listed.items() if row.offset >= 0}
