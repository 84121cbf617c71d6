"""The consumer without a group, on the simulated network, against the unchanged broker."""

import asyncio

import pytest

from ottla.client.errors import NoOffset, OffsetOutOfRange, UnknownTopic
from ottla.model.topic import TopicPartition
from tests.support.consumer_stage import ConsumerStage, numbered, orders, play, read, values
from tests.support.virtual_time import time_passes


def test_assigned_partitions_are_read_from_the_beginning_in_order() -> None:
    async def story(stage: ConsumerStage) -> None:
        await stage.create(partitions=2)
        await stage.write(numbered(50), partition=0)
        await stage.write(numbered(50, 50), partition=1)
        async with stage.consumer() as consumer:
            consumer.assign(orders(0, 1))
            found = await read(consumer, 100)
            by_partition = {p: [r.value for r in found if r.partition == p] for p in (0, 1)}
            assert by_partition == {0: numbered(50), 1: numbered(50, 50)}
            assert [record.offset for record in found if record.partition == 0] == list(range(50))

    play(story)


def test_new_records_arrive_while_the_consumer_waits() -> None:
    async def story(stage: ConsumerStage) -> None:
        await stage.create()
        async with stage.consumer() as consumer, stage.producer() as producer:
            consumer.assign(orders(0))
            assert await consumer.poll(timeout_ms=2000) == []
            waiting = asyncio.ensure_future(consumer.poll(timeout_ms=60_000))
            await time_passes(1)
            await producer.send("orders", b"late")
            assert [record.value for record in await waiting] == [b"late"]

    play(story)


@pytest.mark.parametrize("turns", range(8))
def test_a_seek_is_not_undone_by_a_look_up_that_was_due_before(turns: int) -> None:
    async def story(stage: ConsumerStage) -> None:
        await stage.create()
        await stage.write(numbered(10))
        async with stage.consumer(auto_offset_reset="latest", group_id="g") as consumer:
            # Metadata is known: the look-up of the second assignment is due at once.
            consumer.assign(orders(0))
            assert await consumer.poll(timeout_ms=1000) == []
            await consumer.unsubscribe()
            consumer.assign(orders(0))
            for _ in range(turns):
                await asyncio.sleep(0)
            consumer.seek(orders(0)[0], 5)
            assert [record.value for record in await read(consumer, 5)] == numbered(5, 5)

    play(story)


def test_records_come_one_by_one_in_an_async_for() -> None:
    async def story(stage: ConsumerStage) -> None:
        await stage.create()
        await stage.write(numbered(30))
        async with stage.consumer(max_poll_records=7) as consumer:
            consumer.assign(orders(0))
            found = []
            async for record in consumer:
                found.append(record.value)
                assert await consumer.position(orders(0)[0]) == record.offset + 1
                if len(found) == 10:
                    break
            assert [record.value for record in await consumer.poll()] == numbered(7, 10)[:4]
            async for record in consumer:
                found.append(record.value)
                if record.value == b"29":
                    break
            assert found == numbered(10) + numbered(16, 14)

    play(story)


def test_closing_ends_an_async_for_and_leaves_nothing_behind() -> None:
    async def story(stage: ConsumerStage) -> None:
        await stage.create()
        before = asyncio.all_tasks()
        consumer = stage.consumer()
        await consumer.start()
        consumer.assign(orders(0))

        async def all_values() -> list[bytes]:
            return [record.value async for record in consumer]

        reading = asyncio.ensure_future(all_values())
        await stage.write(numbered(3))
        await time_passes(2)
        await consumer.close()
        assert await reading == numbered(3)
        await time_passes(1)
        assert stage.world.net.connections == {}
        assert asyncio.all_tasks() <= before

    play(story)


def test_seek_pause_and_resume() -> None:
    async def story(stage: ConsumerStage) -> None:
        await stage.create(partitions=2)
        for partition in (0, 1):
            await stage.write(numbered(20), partition=partition)
        zero, one = orders(0, 1)
        async with stage.consumer() as consumer:
            consumer.assign([zero, one])
            await read(consumer, 40)
            consumer.seek(zero, 15)
            assert await values(consumer, 5) == numbered(5, 15)
            consumer.pause([zero])
            assert consumer.paused() == {zero}
            consumer.seek_to_beginning()
            assert {record.partition for record in await read(consumer, 20)} == {1}
            assert await consumer.poll() == []
            consumer.resume([zero])
            assert await values(consumer, 20) == numbered(20)
            consumer.seek_to_end([one])
            assert await consumer.position(one) == 20
            with pytest.raises(ValueError, match="orders-7 is not assigned"):
                consumer.seek(TopicPartition("orders", 7), 0)

    play(story)


def test_offsets_of_partitions_can_be_asked_for() -> None:
    async def story(stage: ConsumerStage) -> None:
        await stage.create(partitions=2)
        async with stage.producer() as producer:
            for number in range(10):
                producer.send("orders", b"%d" % number, partition=0, timestamp_ms=1000 + number)
        zero, one = orders(0, 1)
        async with stage.consumer() as consumer:
            assert await consumer.beginning_offsets([zero, one]) == {zero: 0, one: 0}
            assert await consumer.end_offsets([zero, one]) == {zero: 10, one: 0}
            found = await consumer.offsets_for_times({zero: 1004, one: 1004})
            assert [None if each is None else each.offset for each in (found[zero], found[one])] == [4, None]
            assert len(await consumer.partitions_for("orders")) == 2
            with pytest.raises(UnknownTopic, match="missing"):
                await consumer.partitions_for("missing", timeout_ms=1000)

    play(story, auto_create_topics_enable="false")


def test_without_a_reset_policy_a_missing_offset_is_an_error_until_a_seek() -> None:
    async def story(stage: ConsumerStage) -> None:
        await stage.create()
        await stage.write(numbered(3))
        zero = orders(0)[0]
        async with stage.consumer(auto_offset_reset="none") as consumer:
            consumer.assign([zero])
            for _ in range(2):
                with pytest.raises(NoOffset, match="orders-0: nothing is committed"):
                    await consumer.poll()
            consumer.seek(zero, 99)
            with pytest.raises(OffsetOutOfRange, match="offset 99") as caught:
                await read(consumer, 1)
            assert caught.value.offsets == {zero: 99}
            consumer.seek(zero, 1)
            assert await values(consumer, 2) == numbered(2, 1)

    play(story)


def test_an_offset_out_of_range_is_reset_by_the_policy() -> None:
    async def story(stage: ConsumerStage) -> None:
        await stage.create()
        await stage.write(numbered(3))
        async with stage.consumer() as consumer:
            consumer.assign(orders(0))
            consumer.seek(orders(0)[0], 99)
            assert await values(consumer, 3) == numbered(3)

    play(story)


def test_a_reset_by_duration_starts_at_that_age() -> None:
    async def story(stage: ConsumerStage) -> None:
        await stage.create()
        await stage.write(numbered(5))
        await time_passes(3600)
        await stage.write(numbered(5, 5))
        async with stage.consumer(auto_offset_reset="by_duration:PT30M") as consumer:
            consumer.assign(orders(0))
            assert await values(consumer, 5) == numbered(5, 5)
        async with stage.consumer(auto_offset_reset="by_duration:PT0S") as consumer:
            consumer.assign(orders(0))
            assert await consumer.position(orders(0)[0]) == 10

    play(story)


def test_a_consumer_goes_on_when_the_broker_comes_back() -> None:
    async def story(stage: ConsumerStage) -> None:
        await stage.create(flush_messages="1")
        await stage.write(numbered(20))
        async with stage.consumer() as consumer:
            consumer.assign(orders(0))
            found = await values(consumer, 20)
            for turn in range(3):
                stage.node.kill()
                assert await consumer.poll(timeout_ms=3000) == []
                await stage.node.start()
                await stage.write(numbered(20, 20 + 20 * turn))
                found += await values(consumer, 20)
            assert found == numbered(80)

    play(story)


def test_a_topic_that_is_created_later_is_read_then() -> None:
    async def story(stage: ConsumerStage) -> None:
        async with stage.consumer(allow_auto_create_topics=False) as consumer:
            consumer.assign(orders(0))
            assert await consumer.poll(timeout_ms=5000) == []
            await stage.create()
            await stage.write(numbered(3))
            assert await values(consumer, 3) == numbered(3)

    play(story)


def test_a_topic_that_is_deleted_and_created_again_is_read_from_its_beginning() -> None:
    async def story(stage: ConsumerStage) -> None:
        await stage.create()
        await stage.write(numbered(5))
        async with stage.consumer(metadata_max_age_ms=1000, allow_auto_create_topics=False) as consumer:
            consumer.assign(orders(0))
            await read(consumer, 5)
            async with stage.admin() as admin:
                await admin.delete_topics(["orders"])
            await consumer.poll(timeout_ms=3000)
            await stage.create()
            await stage.write(numbered(9, 100))
            assert await values(consumer, 9) == numbered(9, 100)

    play(story)


def test_getmany_gives_records_by_partition_and_leaves_others_alone() -> None:
    async def story(stage: ConsumerStage) -> None:
        await stage.create(partitions=2)
        for partition in (0, 1):
            await stage.write(numbered(10), partition=partition)
        zero, one = orders(0, 1)
        async with stage.consumer(fetch_max_bytes=300, max_partition_fetch_bytes=300) as consumer:
            consumer.assign([zero, one])
            mine: list[bytes] = []
            async with asyncio.timeout(60):
                while len(mine) < 10:
                    mine += [record.value for record in (await consumer.getmany(one)).get(one, [])]
            assert mine == numbered(10)
            found = await consumer.getmany(max_records=3)
            assert {partition: len(records) for partition, records in found.items()} == {zero: 3}

    play(story)


def test_only_committed_records_are_read_with_that_isolation_level() -> None:
    async def story(stage: ConsumerStage) -> None:
        await stage.create()
        async with (
            stage.producer(transactional_id="copy") as producer,
            stage.consumer(isolation_level="read_committed") as committed,
            stage.consumer() as everything,
        ):
            for consumer in (committed, everything):
                consumer.assign(orders(0))
            await producer.init_transactions()
            for number in range(6):
                await producer.begin_transaction()
                await producer.send("orders", b"%d" % number)
                await (producer.abort_transaction() if number % 2 else producer.commit_transaction())
            await producer.begin_transaction()
            producer.send("orders", b"open")
            await producer.flush()
            assert await values(everything, 7) == [*numbered(6), b"open"]
            assert await values(committed, 3) == [b"0", b"2", b"4"]
            assert await committed.poll(timeout_ms=3000) == []
            await producer.commit_transaction()
            assert await values(committed, 1) == [b"open"]

    play(story)
