"""`ParallelConsumer` with a broker: order, safe commits, retries, duplicates, rebalances."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest

from ottla.client import (
    AsyncProducer,
    Consumer,
    ConsumerRecord,
    Deduplicator,
    HealthReason,
    InvalidConfig,
    ParallelConsumer,
    Producer,
    RetryPolicy,
    TopicPartition,
)
from ottla.testing import Broker
from tests.support.topics import new_topic_at
from tests.support.waiting import until

pytestmark = pytest.mark.timeout(120)


@pytest.fixture(scope="module")
def servers() -> Iterator[str]:
    heartbeat = {"group.consumer.heartbeat.interval.ms": 100, "group.consumer.min.heartbeat.interval.ms": 100}
    with Broker(config=heartbeat) as broker:
        yield broker.bootstrap


@pytest.fixture
def topic(servers: str) -> str:
    return new_topic_at(servers, 2)


def fill(servers: str, topic: str, count: int, keys: int = 7) -> None:
    with Producer(bootstrap_servers=servers) as producer:
        for number in range(count):
            producer.send(topic, b"%d" % number, key=b"k%d" % (number % keys))


def parallel(
    servers: str, topic: str, handler: Callable[[ConsumerRecord], Awaitable[Any]], **options: Any
) -> ParallelConsumer:
    return ParallelConsumer(
        handler,
        [topic],
        {"bootstrap.servers": servers, "group.id": topic, "auto.offset.reset": "earliest"},
        **options,
    )


async def run_until(consumer: ParallelConsumer, is_done: asyncio.Event) -> None:
    async with asyncio.timeout(60), consumer:
        running = asyncio.ensure_future(consumer.run())
        waiting = asyncio.ensure_future(is_done.wait())
        await asyncio.wait([running, waiting], return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        consumer.stop()
        await running


def committed(servers: str, topic: str) -> list[int]:
    with Consumer(bootstrap_servers=servers, group_id=topic) as consumer:
        found = consumer.committed([TopicPartition(topic, number) for number in range(2)])
        return [-1 if offset is None else offset.offset for offset in found.values()]


def ends(servers: str, topic: str) -> list[int]:
    with Consumer(bootstrap_servers=servers) as consumer:
        return list(consumer.end_offsets([TopicPartition(topic, number) for number in range(2)]).values())


def test_keys_keep_their_order_while_many_records_are_in_progress(servers: str, topic: str) -> None:
    fill(servers, topic, 300)
    found: dict[bytes, list[int]] = defaultdict(list)
    running, most = 0, 0
    done = asyncio.Event()

    async def handle(record: ConsumerRecord) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.001 * (record.offset % 3))
        found[record.key].append(int(record.value))
        running -= 1
        if sum(map(len, found.values())) == 300:
            done.set()

    asyncio.run(run_until(parallel(servers, topic, handle, workers=5, max_queued=20), done))

    assert all(numbers == sorted(numbers) for numbers in found.values())
    assert sorted(number for numbers in found.values() for number in numbers) == list(range(300))
    assert most == 5
    assert committed(servers, topic) == ends(servers, topic)


def test_an_offset_is_committed_only_when_all_below_it_are_done(servers: str, topic: str) -> None:
    with Producer(bootstrap_servers=servers) as producer:
        for number in range(10):
            producer.send(topic, b"%d" % number, partition=0)
    stuck = asyncio.Event()
    done = asyncio.Event()
    count = 0

    async def handle(record: ConsumerRecord) -> None:
        nonlocal count
        if record.value == b"4":
            await stuck.wait()
        count += 1
        if count == 9:
            done.set()

    asyncio.run(run_until(parallel(servers, topic, handle, drain_timeout_ms=50), done))

    assert committed(servers, topic)[0] == 4


def test_an_error_without_a_policy_ends_run_and_the_record_comes_again(servers: str, topic: str) -> None:
    with Producer(bootstrap_servers=servers) as producer:
        for number in range(6):
            producer.send(topic, b"%d" % number, key=b"k", partition=0)
    seen: list[bytes] = []
    deduplicator = Deduplicator.by_header("id")

    async def handle(record: ConsumerRecord) -> None:
        seen.append(record.value)
        if record.value == b"3" and seen.count(b"3") == 1:
            raise RuntimeError("three")
        if record.value == b"5":
            done.set()

    done = asyncio.Event()
    with pytest.raises(RuntimeError, match="three"):
        asyncio.run(run_until(parallel(servers, topic, handle, deduplicator=deduplicator), asyncio.Event()))
    assert (seen, committed(servers, topic)[0]) == ([b"0", b"1", b"2", b"3"], 3)
    asyncio.run(run_until(parallel(servers, topic, handle, deduplicator=deduplicator), done))

    assert seen == [b"0", b"1", b"2", b"3", b"3", b"4", b"5"]


def test_failed_records_are_retried_later_and_end_as_dead_letters(servers: str, topic: str) -> None:
    fill(servers, topic, 20, keys=20)
    attempts: dict[Any, list[str]] = defaultdict(list)

    async def handle(record: ConsumerRecord) -> None:
        attempts[record.value].append(record.topic)
        if record.value == 7 or (record.value == 8 and len(attempts[8]) < 2):
            raise ValueError(f"bad {record.value}")

    with Producer(bootstrap_servers=servers) as producer:
        producer.send(topic, b"{broken", key=b"raw")
    policy = RetryPolicy(delays_ms=(50, 100))
    consumer = parallel(servers, topic, handle, retry=policy, value_deserializer="json", fetch_max_wait_ms=20)

    async def story() -> None:
        async with asyncio.timeout(60), consumer:
            running = asyncio.ensure_future(consumer.run())
            await until(lambda: len(attempts[7]) == 3 and len(attempts[8]) == 2 and len(attempts) == 20)
            consumer.stop()
            await running

    asyncio.run(story())

    assert attempts[7] == [topic, f"{topic}-{topic}-retry-1", f"{topic}-{topic}-retry-2"]
    assert attempts[8] == [topic, f"{topic}-{topic}-retry-1"]
    assert committed(servers, topic) == ends(servers, topic)
    dead = letters(servers, f"{topic}-{topic}-dlq", 2)
    seven, broken = dead[b"7"], dead[b"{broken"]
    assert seven["ottla.original.topic"] == topic.encode()
    assert (seven["ottla.error.class"], seven["ottla.error.message"]) == (b"builtins.ValueError", b"bad 7")
    assert (seven["ottla.attempts"], broken["ottla.attempts"]) == (b"3", b"1")
    assert broken["ottla.error.class"] == b"ottla.client.errors.SerializationFailed"


def letters(servers: str, topic: str, count: int) -> dict[bytes, dict[str, bytes | None]]:
    found: dict[bytes, dict[str, bytes | None]] = {}
    with Consumer(bootstrap_servers=servers, auto_offset_reset="earliest") as consumer:
        consumer.assign([(topic, 0), (topic, 1)])
        for record in consumer:
            found[record.value] = dict(record.headers)
            if len(found) == count:
                return found
    raise AssertionError


def test_duplicates_are_processed_once_also_after_a_restart(servers: str, topic: str) -> None:
    async def story(sent: list[bytes]) -> list[bytes]:
        found: list[bytes] = []
        done = asyncio.Event()

        async def handle(record: ConsumerRecord) -> None:
            found.append(record.value)
            if record.value == b"end":
                done.set()

        async with AsyncProducer(bootstrap_servers=servers) as producer:
            for value in [*sent, b"end"]:
                key = None if value == b"end" else b"k"
                await producer.send(topic, value, key=key, partition=0, headers=[("id", value)] if key else ())
        consumer = parallel(servers, topic, handle, order="partition", deduplicator=Deduplicator.by_header("id"))
        await run_until(consumer, done)
        return found

    assert asyncio.run(story([b"a", b"b", b"a"])) == [b"a", b"b", b"end"]
    # A new process knows nothing: the ids are read again from the log.
    assert asyncio.run(story([b"b", b"c"])) == [b"c", b"end"]


@pytest.mark.parametrize("protocol", ["classic", "consumer"])
def test_partitions_move_between_members_without_loss(servers: str, topic: str, protocol: str) -> None:
    found: dict[bytes, list[str]] = defaultdict(list)

    def member(name: str) -> ParallelConsumer:
        async def handle(record: ConsumerRecord) -> None:
            await asyncio.sleep(0.002)
            found[record.value].append(name)

        heartbeat = {"heartbeat_interval_ms": 100} if protocol == "classic" else {}
        return parallel(servers, topic, handle, workers=4, max_queued=16, group_protocol=protocol, **heartbeat)

    def processed(name: str) -> int:
        return sum(names == [name] for names in found.values())

    async def story() -> int:
        count = 0
        async with (
            asyncio.timeout(60),
            AsyncProducer(bootstrap_servers=servers) as producer,
            member("first") as first,
            member("second") as second,
        ):
            one = asyncio.ensure_future(first.run())
            two: asyncio.Future[None] | None = None
            # The second member joins a group that is at work: partitions have to move while records are in flight.
            while processed("second") <= 20:
                await producer.send(topic, b"%d" % count, key=b"k%d" % (count % 50))
                count += 1
                if two is None and processed("first") > 20:
                    two = asyncio.ensure_future(second.run())
            await until(lambda: len(found) == count)
            assert two is not None
            for consumer, running in ((second, two), (first, one)):
                consumer.stop()
                await running
        return count

    assert asyncio.run(story()) == len(found)
    # Revoked partitions were drained: nothing had to be processed twice.
    assert {tuple(names) for names in found.values()} == {("first",), ("second",)}
    assert committed(servers, topic) == ends(servers, topic)


def test_a_handler_that_outlives_the_drain_is_cancelled_and_logged(
    servers: str, topic: str, caplog: pytest.LogCaptureFixture
) -> None:
    fill(servers, topic, 1)
    started = asyncio.Event()
    ended: list[str] = []

    async def handle(record: ConsumerRecord) -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise

    with caplog.at_level(logging.WARNING):
        asyncio.run(run_until(parallel(servers, topic, handle, drain_timeout_ms=10), started))

    assert ended == ["cancelled"]
    assert "not processed before the partition was given up" in caplog.text


@pytest.mark.parametrize(
    ("options", "message"),
    [({"workers": 0}, "workers=0"), ({"order": "time"}, "order=time"), ({"group_id": ""}, "needs a group")],
)
def test_settings_that_make_no_sense_are_refused(options: dict[str, Any], message: str) -> None:
    async def handle(record: ConsumerRecord) -> None: ...

    with pytest.raises(InvalidConfig, match=message):
        ParallelConsumer(handle, ["t"], bootstrap_servers="127.0.0.1:1", **options)


def test_a_member_that_nobody_polls_holds_no_partitions(servers: str, topic: str) -> None:
    """It joins with its first poll, as in Kafka: before that another member gets everything."""
    fill(servers, topic, 4)
    options = {"bootstrap_servers": servers, "group_id": topic, "auto_offset_reset": "earliest"}
    with Consumer(**options, group_protocol="consumer") as idle, Consumer(**options, group_protocol="consumer") as busy:
        idle.subscribe([topic])
        busy.subscribe([topic])
        found: list[bytes | None] = []
        while len(found) < 4:
            found += [record.value for record in busy.poll(timeout_ms=1_000)]

        assert idle.health().reason is HealthReason.NOT_POLLED
        assert len(busy.assignment()) == 2
