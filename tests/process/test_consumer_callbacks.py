"""Code of the user's inside a consumer: interceptors and deserializers that fail do not stop it."""

import json
import logging
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from ottla.client import Consumer, ConsumerRecord, OffsetAndMetadata, Producer, TopicPartition
from ottla.client.errors import SerializationFailed
from ottla.testing import Broker
from tests.support.polling import polled
from tests.support.topics import new_topic_at
from tests.support.waiting import eventually

pytestmark = pytest.mark.timeout(120)


@pytest.fixture(scope="module")
def servers() -> Iterator[str]:
    with Broker() as broker:
        yield broker.bootstrap


@pytest.fixture
def topic(servers: str) -> str:
    return new_topic_at(servers, 1)


def fill(servers: str, topic: str, values: Sequence[bytes]) -> None:
    with Producer(bootstrap_servers=servers) as producer:
        for value in values:
            producer.send(topic, value, key=b"k")


def iterated(consumer: Consumer, count: int) -> list[ConsumerRecord]:
    found: list[ConsumerRecord] = []
    for record in consumer:
        found.append(record)
        if len(found) == count:
            break
    return found


ways = pytest.mark.parametrize("read", [polled, iterated])
Read = Callable[[Consumer, int], list[ConsumerRecord]]


class Tags:
    """Adds a mark to each value, and notes commits."""

    def __init__(self, mark: bytes) -> None:
        self._mark = mark
        self.commits: list[dict[TopicPartition, OffsetAndMetadata]] = []

    def on_consume(self, records: Sequence[ConsumerRecord]) -> list[ConsumerRecord]:
        return [record._replace(value=record.value + self._mark) for record in records]

    def on_commit(self, offsets: dict[TopicPartition, OffsetAndMetadata]) -> None:
        self.commits.append(offsets)


class Raises:
    def on_consume(self, records: Sequence[ConsumerRecord]) -> Sequence[ConsumerRecord]:
        raise RuntimeError("consume")

    def on_commit(self, offsets: Any) -> None:
        raise RuntimeError("commit")


class ReturnsNothing:
    def on_consume(self, records: Sequence[ConsumerRecord]) -> None:
        return None


class Drops:
    """Leaves out the even records."""

    def on_consume(self, records: Sequence[ConsumerRecord]) -> list[ConsumerRecord]:
        return [record for record in records if record.offset % 2]


@ways
def test_interceptors_are_chained_and_one_that_fails_is_skipped_and_logged(
    servers: str, topic: str, read: Read, caplog: pytest.LogCaptureFixture
) -> None:
    fill(servers, topic, [b"a", b"b"])
    last = Tags(b"2")
    chain = [Tags(b"1"), Raises(), ReturnsNothing(), last]
    with (
        caplog.at_level(logging.WARNING),
        Consumer(
            bootstrap_servers=servers,
            group_id=topic,
            auto_offset_reset="earliest",
            topics=[topic],
            interceptor_classes=chain,
            enable_auto_commit=False,
        ) as consumer,
    ):
        found = read(consumer, 2)
        consumer.commit()

    assert [record.value for record in found] == [b"a12", b"b12"]
    assert [offsets[TopicPartition(topic, 0)].offset for offsets in last.commits] == [2]
    messages = {record.getMessage() for record in caplog.records}
    assert {
        "interceptor Raises: on_consume failed; it is skipped",
        "interceptor ReturnsNothing: on_consume failed; it is skipped",
        "interceptor Raises: on_commit failed; it is skipped",
    } <= messages


def test_on_commit_sees_commits_in_the_background_and_at_the_close(servers: str, topic: str) -> None:
    fill(servers, topic, [b"a", b"b", b"c"])
    tags = Tags(b"")
    with Consumer(
        bootstrap_servers=servers,
        group_id=topic,
        auto_offset_reset="earliest",
        topics=[topic],
        interceptor_classes=[tags],
    ) as consumer:
        first = polled(consumer, 3)[0]
        consumer.commit_async(first)
        eventually(lambda: consumer.poll(timeout_ms=20) == [] and tags.commits, what="the commit")

    offsets = [offsets[TopicPartition(topic, 0)].offset for offsets in tags.commits]
    assert (offsets[0], offsets[-1]) == (1, 3)


@ways
def test_records_that_an_interceptor_leaves_out_are_consumed(servers: str, topic: str, read: Read) -> None:
    fill(servers, topic, [b"%d" % number for number in range(10)])
    with Consumer(bootstrap_servers=servers, auto_offset_reset="earliest", interceptor_classes=[Drops]) as consumer:
        consumer.assign([(topic, 0)])
        found = read(consumer, 5)
        position = consumer.position(TopicPartition(topic, 0))

    assert [record.offset for record in found] == [1, 3, 5, 7, 9]
    assert position == 10


@ways
def test_a_record_that_cannot_be_deserialized_has_its_place_its_bytes_and_the_error(
    servers: str, topic: str, read: Read
) -> None:
    fill(servers, topic, [b"1", b"{broken", b"3"])
    with Consumer(bootstrap_servers=servers, auto_offset_reset="earliest", value_deserializer="json") as consumer:
        consumer.assign([(topic, 0)])
        found = read(consumer, 3)

    assert [record.value for record in found] == [1, b"{broken", 3]
    assert [record.error is None for record in found] == [True, False, True]
    broken = found[1]
    assert (broken.topic, broken.partition, broken.offset, broken.key) == (topic, 0, 1, b"k")
    assert isinstance(broken.error, SerializationFailed)
    assert isinstance(broken.error.__cause__, json.JSONDecodeError)
    assert str(broken.error).startswith(f"value of {topic}-0 at offset 1 cannot be deserialized: JSONDecodeError")


def test_a_caller_can_commit_and_continue_behind_a_record_that_cannot_be_deserialized(servers: str, topic: str) -> None:
    def key(data: bytes) -> str:
        raise KeyError(data)

    fill(servers, topic, [b"%d" % number for number in range(5)])
    options = {"bootstrap_servers": servers, "group_id": topic, "auto_offset_reset": "earliest"}
    with Consumer(
        options, topics=[topic], key_deserializer=key, enable_auto_commit=False, max_poll_records=1
    ) as consumer:
        first = polled(consumer, 1)[0]
        assert first.error is not None
        consumer.commit(first)
    with Consumer(options, topics=[topic]) as other:
        assert [record.offset for record in polled(other, 4)] == [1, 2, 3, 4]
