"""The producer on the simulated network, against the unchanged broker: nothing lost, nothing twice, order kept."""

import asyncio
from typing import Any

import pytest

from ottla.client import AsyncAdmin
from ottla.client.errors import BufferFull, RecordTooLarge, RequestRefused, TimedOut, UnknownTopic
from ottla.client.interceptors import ProducerRecord
from ottla.model.topic import TopicPartition
from ottla.sim.workloads.produce_consume import BROKER, make_node
from ottla.sim.world import SimWorld
from tests.support.producer_stage import SERVERS, ProducerStage, play, values
from tests.support.virtual_time import time_passes
from tests.support.waiting import until


def test_records_arrive_in_order_with_their_metadata() -> None:
    async def story(stage: ProducerStage) -> None:
        await stage.create()
        async with stage.producer() as producer:
            deliveries = [producer.send("orders", value) for value in values(1000)]
            assert [(await delivery).offset for delivery in deliveries] == list(range(1000))
        assert await stage.written() == values(1000)

    play(story)


@pytest.mark.parametrize("options", [{}, {"batch_size": 200}, {"compression_type": "gzip"}, {"linger_ms": 0}])
def test_nothing_is_lost_or_doubled_when_connections_break_and_the_broker_dies(options: dict[str, Any]) -> None:
    async def story(stage: ProducerStage) -> None:
        await stage.create()
        async with stage.producer(request_timeout_ms=2000, delivery_timeout_ms=120_000, **options) as producer:
            trouble = asyncio.ensure_future(stage.disturb(9))
            for first in range(0, 2000, 20):
                for value in values(2000)[first : first + 20]:
                    producer.send("orders", value)
                await time_passes(stage.world.rng.below(200) / 1000)
            await trouble
            await producer.flush()
        assert await stage.written() == values(2000)

    play(story, seeds=6, settings={"log.flush.interval.messages": "1"})


def test_without_idempotence_and_with_one_request_in_flight_order_is_kept() -> None:
    async def story(stage: ProducerStage) -> None:
        await stage.create()
        async with stage.producer(
            enable_idempotence=False, max_in_flight=1, batch_size=300, request_timeout_ms=2000
        ) as producer:
            trouble = asyncio.ensure_future(stage.disturb(5))
            for value in values(500):
                producer.send("orders", value)
                if value.endswith(b"0"):
                    await time_passes(0.05)
            await trouble
            await producer.flush()
        written = await stage.written()
        assert list(dict.fromkeys(written)) == values(500)

    play(story, settings={"log.flush.interval.messages": "1"})


def test_acks_0_waits_for_nobody() -> None:
    async def story(stage: ProducerStage) -> None:
        await stage.create()
        async with stage.producer(acks=0) as producer:
            assert (await producer.send("orders", b"x")).offset == -1
        await time_passes(1)
        assert await stage.written() == [b"x"]

    play(story)


def test_a_topic_that_does_not_exist_is_reported_after_max_block() -> None:
    async def story(stage: ProducerStage) -> None:
        async with stage.producer(max_block_ms=2000) as producer:
            with pytest.raises(UnknownTopic, match=r"topic nowhere does not exist; waited max.block.ms=2000"):
                await producer.send("nowhere", b"x")

    play(story, settings={"auto.create.topics.enable": "false"})


def test_records_that_are_sent_before_the_topic_is_known_keep_their_order() -> None:
    async def story(stage: ProducerStage) -> None:
        async with stage.producer() as producer:
            for value in values(100):
                producer.send("orders", value)
            await producer.flush()
        assert await stage.written() == values(100)

    play(story)


def test_a_partition_that_was_just_added_is_found() -> None:
    async def story(stage: ProducerStage) -> None:
        await stage.create()
        async with stage.producer() as producer:
            await producer.send("orders", b"first")
            async with AsyncAdmin(bootstrap_servers=SERVERS, world=stage.world.client_doors("admin")) as admin:
                await admin.create_partitions({"orders": 3})
            deliveries = [producer.send("orders", value, partition=2) for value in values(10)]
            assert [(await delivery).offset for delivery in deliveries] == list(range(10))
        assert await stage.written(TopicPartition("orders", 2)) == values(10)

    play(story)


def test_a_partition_that_does_not_exist_is_reported_after_a_look_at_new_metadata() -> None:
    async def story(stage: ProducerStage) -> None:
        await stage.create()
        async with stage.producer() as producer:
            await producer.send("orders", b"first")
            before = stage.world.loop.time()
            with pytest.raises(ValueError, match="partition 7 of orders: it has partitions 0 to 0"):
                await producer.send("orders", b"lost", partition=7)
            assert stage.world.loop.time() - before < 5
            with pytest.raises(ValueError, match="partition -1 of orders"):
                producer.send("orders", b"lost", partition=-1)
            producer.send("orders", b"lost", partition=7)
            with pytest.raises(ValueError, match="partition 7 of orders"):
                await producer.flush()
        assert await stage.written() == [b"first"]

    play(story)


def test_a_full_buffer_holds_records_in_order() -> None:
    async def story(stage: ProducerStage) -> None:
        await stage.create()
        async with stage.producer(buffer_memory=20_000) as producer:
            for value in values(2000):
                producer.send("orders", value)
            await producer.flush()
        assert await stage.written() == values(2000)

    play(story)


def test_a_full_buffer_is_reported_after_max_block() -> None:
    async def story(stage: ProducerStage) -> None:
        await stage.create()
        async with stage.producer(
            buffer_memory=10_000, batch_size=1000, max_block_ms=3000, delivery_timeout_ms=60_000
        ) as producer:
            await producer.send("orders", b"first")
            stage.node.kill()
            deliveries = [producer.send("orders", value) for value in values(2000)]
            began = stage.world.loop.time()
            with pytest.raises(BufferFull, match=r"max.block.ms=3000.*raise buffer.memory"):
                await deliveries[-1]
            assert stage.world.loop.time() - began == pytest.approx(3, abs=1.1)
            with pytest.raises(BufferFull):
                await producer.ready()
            await stage.node.start()
            await deliveries[0]
            with pytest.raises(BufferFull) as caught:
                await producer.flush()
            assert "whose deliveries nobody awaited" in caught.value.__notes__[0]

    play(story)


def test_a_record_that_cannot_be_delivered_fails_after_the_delivery_timeout() -> None:
    async def story(stage: ProducerStage) -> None:
        await stage.create()
        producer = stage.producer(request_timeout_ms=1000, delivery_timeout_ms=5000)
        async with producer:
            await producer.send("orders", b"first")
            stage.node.kill()
            began = stage.world.loop.time()
            with pytest.raises(
                TimedOut, match=r"1 records for orders-0: not delivered within delivery.timeout.ms=5000"
            ):
                await producer.send("orders", b"lost")
            assert stage.world.loop.time() - began == pytest.approx(5, abs=1.1)
            await stage.node.start()
            await producer.send("orders", b"second")
        assert await stage.written() == [b"first", b"second"]

    play(story)


def test_after_a_batch_was_given_up_the_next_ones_are_written_once() -> None:
    """Its sequence is missing: the broker refuses what follows, and the producer goes on with a new epoch."""

    async def story(stage: ProducerStage) -> None:
        await stage.create()
        async with stage.producer(request_timeout_ms=1000, delivery_timeout_ms=3000) as producer:
            await producer.send("orders", b"first")
            stage.world.net.cut(BROKER, "producer")
            lost = producer.send("orders", b"lost or not")
            await time_passes(0.5)
            with pytest.raises(TimedOut):
                await lost
            stage.world.net.heal()
            for value in values(50):
                await producer.send("orders", value)
        written = await stage.written()
        assert [value for value in written if value != b"lost or not"] == [b"first", *values(50)]
        assert written.count(b"lost or not") <= 1

    play(story, seeds=10)


def test_a_batch_that_is_too_large_for_the_topic_is_split() -> None:
    async def story(stage: ProducerStage) -> None:
        await stage.create(max_message_bytes="1000")
        async with stage.producer(batch_size=16_384) as producer:
            deliveries = [producer.send("orders", value) for value in values(500)]
            await producer.flush()
            assert [delivery.result().offset for delivery in deliveries] == list(range(500))
        assert await stage.written() == values(500)

    play(story)


def test_order_is_kept_when_the_first_batch_of_a_producer_is_split() -> None:
    async def story(stage: ProducerStage) -> None:
        # Only the first batch is too large for the topic.
        sent = [bytes(1200)] * 3 + values(2000)
        await stage.create(max_message_bytes="3100")
        async with stage.producer(batch_size=4000) as producer:
            for value in sent:
                producer.send("orders", value)
            await producer.flush()
        assert await stage.written() == sent

    play(story)


def test_closing_with_a_deadline_fails_what_is_left() -> None:
    async def story(stage: ProducerStage) -> None:
        await stage.create()
        producer = stage.producer()
        await producer.start()
        await producer.send("orders", b"first")
        stage.node.kill()
        delivery = producer.send("orders", b"second")
        with pytest.raises(TimedOut, match="close: 1 records are not delivered after 2000 ms"):
            await producer.close(timeout_ms=2000)
        with pytest.raises(Exception, match="closed before"):
            await delivery
        await time_passes(1)
        assert stage.world.net.connections == {}

    play(story)


def test_the_same_seed_gives_the_same_run() -> None:
    def digest() -> str:
        with SimWorld(3) as world:

            async def story() -> None:
                stage = ProducerStage(world, make_node(world, {}))
                await stage.node.start()
                await stage.create(3)
                async with stage.producer(request_timeout_ms=2000) as producer:
                    trouble = asyncio.ensure_future(stage.disturb(4))
                    for value in values(300):
                        producer.send("orders", value)
                        await time_passes(0.01)
                    await trouble

            world.run(story())
            return str(world.trace.digest)

    assert digest() == digest()


def test_interceptors_see_every_record_and_its_end() -> None:
    class Watches:
        def __init__(self) -> None:
            self.ends: list[tuple[bytes, int | None]] = []

        def on_send(self, record: ProducerRecord) -> ProducerRecord:
            return record._replace(value=record.value.upper(), headers=(("id", record.value),))

        def on_acknowledgement(self, metadata: Any, error: Exception | None, headers: Any) -> None:
            self.ends.append((headers[0][1], metadata.offset if metadata else None))

    class Breaks:
        def on_send(self, record: ProducerRecord) -> ProducerRecord:
            raise RuntimeError("never mind")

        on_acknowledgement = on_send

    async def story(stage: ProducerStage) -> None:
        await stage.create()
        watches = Watches()
        async with stage.producer(interceptor_classes=[Breaks, watches], max_request_size=1000) as producer:
            for value in (b"a", b"b"):
                await producer.send("orders", value)
            with pytest.raises(RecordTooLarge):
                producer.send("orders", b"c" * 2000)
        assert await stage.written() == [b"A", b"B"]
        assert sorted(watches.ends) == [(b"a", 0), (b"b", 1), (b"c" * 2000, None)]

    play(story)


def test_a_failure_that_was_looked_at_is_not_raised_again() -> None:
    async def story(stage: ProducerStage) -> None:
        await stage.create(max_message_bytes="500")
        async with stage.producer() as producer:
            seen, unseen = producer.send("orders", bytes(1000)), producer.send("orders", bytes(1000))
            with pytest.raises(RequestRefused) as caught:
                await producer.flush()
            assert caught.value.__notes__[0].startswith("2 records")
            assert seen.error() is not None
            assert unseen.error() is not None
            late = producer.send("orders", bytes(1000))
            await until(late.done)
            assert late.error() is not None

    play(story)
