"""`health()` of a consumer to which things happen."""

from ottla.client import AsyncConsumer, HealthReason
from tests.support.consumer_stage import ConsumerStage, numbered, orders, play, poll_until, read
from tests.support.virtual_time import time_passes
from tests.support.waiting import until


def reason(consumer: AsyncConsumer) -> HealthReason:
    return consumer.health().reason


def test_health_follows_the_life_of_a_consumer() -> None:
    async def story(stage: ConsumerStage) -> None:
        consumer = stage.consumer(group_id="g", allow_auto_create_topics=False)
        assert reason(consumer) is HealthReason.CLOSED
        async with consumer:
            assert reason(consumer) is HealthReason.NOT_SUBSCRIBED
            consumer.subscribe(["orders"])
            await consumer.poll(timeout_ms=3000)
            assert reason(consumer) is HealthReason.NO_TOPIC
            await stage.create()
            await poll_until(consumer, consumer.assignment)
            await consumer.poll(timeout_ms=3000)
            assert reason(consumer) is HealthReason.AT_END
            assert consumer.health().is_good
            await stage.write(numbered(5))
            await until(lambda: reason(consumer) is HealthReason.RECORDS_WAIT)
            await read(consumer, 5)
            consumer.pause(orders(0))
            assert reason(consumer) is HealthReason.PAUSED
            consumer.resume(orders(0))
            stage.node.kill()
            await consumer.poll(timeout_ms=5000)
            reasons = {finding.reason for finding in consumer.health().findings}
            assert HealthReason.NODE_UNREACHABLE in reasons
            assert HealthReason.COORDINATOR_UNAVAILABLE in reasons
            await stage.node.start()
            await poll_until(consumer, lambda: consumer.health().is_good)
        assert reason(consumer) is HealthReason.CLOSED

    play(story)


def test_health_tells_of_members_without_partitions_and_of_rebalances_that_wait_for_a_poll() -> None:
    async def story(stage: ConsumerStage) -> None:
        await stage.create()
        async with stage.consumer(group_id="g") as first, stage.consumer(group_id="g") as second:
            first.subscribe(["orders"])
            await poll_until(first, first.assignment)
            second.subscribe(["orders"])
            await second.poll(timeout_ms=10_000)
            assert reason(second) is HealthReason.REBALANCING
            assert reason(first) is HealthReason.NOT_POLLED
            for _ in range(50):
                await first.poll(timeout_ms=100)
                await second.poll(timeout_ms=100)
            assert {reason(first), reason(second)} == {HealthReason.AT_END, HealthReason.NO_ASSIGNMENT}

    play(story)


def test_health_tells_of_an_open_transaction() -> None:
    async def story(stage: ConsumerStage) -> None:
        await stage.create()
        async with (
            stage.producer(transactional_id="t") as producer,
            stage.consumer(isolation_level="read_committed") as consumer,
        ):
            consumer.assign(orders(0))
            await producer.init_transactions()
            await producer.begin_transaction()
            await producer.send("orders", b"open")
            await consumer.poll(timeout_ms=3000)
            assert reason(consumer) is HealthReason.OPEN_TRANSACTION
            await producer.commit_transaction()
            await read(consumer, 1)
            await time_passes(1)
            assert consumer.health().is_good

    play(story)
