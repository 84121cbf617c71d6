"""Reads what lies between two places of a topic, or follows its end."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ottla.cli.failures import not_found
from ottla.cli.records.places import Place, chosen, offsets
from ottla.cli.run import Run

if TYPE_CHECKING:
    from ottla.client import Consumer, ConsumerRecord, TopicPartition

_POLL_MS = 500


class Wanted(NamedTuple):
    """`limit` None: no limit. With `follow` the end of the topic is no reason to stop."""

    start: list[Place]
    stop: list[Place] | None = None
    limit: int | None = None
    follow: bool = False


def check_topic(run: Run, topic: str) -> int:
    """The number of its partitions. Raises Failure when the topic does not exist or no broker can be reached."""
    with run.admin() as admin:
        names = [listing.name for listing in admin.list_topics(include_internal=True)]
        if topic not in names:
            raise not_found("topic", topic, names)
        return len(admin.describe_topics([topic])[topic].partitions)


def partitions_of(consumer: "Consumer", topic: str) -> "list[TopicPartition]":
    from ottla.client import TopicPartition

    return [TopicPartition(topic, view.partition) for view in consumer.partitions_for(topic)]


def assigned(consumer: "Consumer", topic: str, wanted: Wanted) -> "dict[TopicPartition, int]":
    """Assigns and seeks; the offsets at which to stop, none where the end is followed."""
    starts = chosen(wanted.start, partitions_of(consumer, topic))
    first = offsets(consumer, starts)
    stops: dict[TopicPartition, int] = {}
    if wanted.stop is not None:
        stops = offsets(consumer, chosen(wanted.stop, starts))
    elif not wanted.follow:
        stops = dict(consumer.end_offsets(list(starts)))
    consumer.assign(list(starts))
    for partition, offset in first.items():
        consumer.seek(partition, offset)
    return stops


def read(consumer: "Consumer", wanted: Wanted, stops: "Mapping[TopicPartition, int]") -> "Iterator[ConsumerRecord]":
    """Records until the limit, or until every partition has reached its stop; partitions without one are followed."""
    left = wanted.limit
    open_partitions = {partition for partition, stop in stops.items() if consumer.position(partition) < stop}
    is_bounded = bool(stops) and not wanted.follow
    while left != 0 and (open_partitions or not is_bounded):
        for record in consumer.poll(_POLL_MS, max_records=left):
            stop = stops.get(record.topic_partition)
            if stop is not None and record.offset >= stop:
                continue
            yield record
            if left is not None:
                left -= 1
                if left == 0:
                    return
        # Positions pass markers too: the last offsets of a partition need not be records.
        done = {partition for partition in open_partitions if consumer.position(partition) >= stops[partition]}
        open_partitions -= done
        if done and is_bounded:
            consumer.pause(done)
