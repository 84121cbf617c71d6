"""Consumers in groups, on the simulated network, against the unchanged broker: both protocols, every assignor."""

import asyncio
from typing import Any

import pytest

from ottla.client import HealthReason
from ottla.client.errors import CommitFailed
from ottla.model.topic import TopicPartition
from ottla.sim.workloads.produce_consume import BROKER
from tests.support.consumer_stage import ConsumerStage, numbered, orders, play, poll_until, read, values
from tests.support.polling import PollingMember
from tests.support.virtual_time import time_passes
from tests.support.waiting import until

CLASSIC: list[dict[str, Any]] = [
    {"partition_assignment_strategy": name} for name in ("range", "roundrobin", "sticky", "cooperative-sticky")
]
MODERN: dict[str, Any] = {"group_protocol": "consumer"}
every_protocol = pytest.mark.parametrize("protocol", [*CLASSIC, MODERN], ids=lambda each: next(iter(each.values())))
both = pytest.mark.parametrize("protocol", [{}, MODERN], ids=["classic", "consumer"])


class Witness:
    """A listener that notes what it hears."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, list[int]]] = []

    def on_partitions_revoked(self, partitions: list[TopicPartition]) -> None:
        self.calls.append(("revoked", [partition.partition for partition in partitions]))

    async def on_partitions_assigned(self, partitions: list[TopicPartition]) -> None:
        await time_passes(0.01)
        self.calls.append(("assigned", [partition.partition for partition in partitions]))

    def on_partitions_lost(self, partitions: list[TopicPartition]) -> None:
        self.calls.append(("lost", [partition.partition for partition in partitions]))


@every_protocol
def test_a_single_member_reads_everything_and_commits(protocol: dict[str, Any]) -> None:
    async def story(stage: ConsumerStage) -> None:
        await stage.create(partitions=3)
        for partition in range(3):
            await stage.write(numbered(10), partition=partition)
        witness = Witness()
        async with stage.consumer(group_id="g", **protocol) as consumer:
            consumer.subscribe(["orders"], listener=witness)
            await read(consumer, 30)
            assert consumer.assignment() == set(orders(0, 1, 2))
            await consumer.commit()
            assert consumer.group_metadata().member_id
        assert witness.calls == [("assigned", [0, 1, 2]), ("revoked", [0, 1, 2])]
        async with stage.consumer(group_id="g") as other:
            found = await other.committed(orders(0, 1, 2))
            assert {partition: row and row.offset for partition, row in found.items()} == dict.fromkeys(
                orders(0, 1, 2), 10
            )

    play(story)


@every_protocol
def test_members_share_partitions_and_take_over_from_those_that_leave(protocol: dict[str, Any]) -> None:
    async def story(stage: ConsumerStage) -> None:
        await stage.create(partitions=6)
        settings = {"group_id": "g", "heartbeat_interval_ms": 500, **protocol}
        if protocol == MODERN:
            del settings["heartbeat_interval_ms"]
        first = PollingMember(stage.consumer(**settings), "orders")
        await until(lambda: len(first.assigned) == 6)
        second, third = (
            PollingMember(stage.consumer(**settings), "orders"),
            PollingMember(stage.consumer(**settings), "orders"),
        )
        members = [first, second, third]
        await until(lambda: sorted(len(member.assigned) for member in members) == [2, 2, 2])
        assert set().union(*(member.assigned for member in members)) == set(orders(*range(6)))
        for partition in range(6):
            await stage.write(numbered(20), partition=partition)
        await until(lambda: sum(len(member.records) for member in members) == 120)
        await first.stop()
        await until(lambda: sorted(len(member.assigned) for member in (second, third)) == [3, 3])
        for partition in range(6):
            await stage.write(numbered(5, 20), partition=partition)
        await until(lambda: sum(len(member.records) for member in members) == 150)
        for member in (second, third):
            await member.stop()
        seen = [(record.partition, record.offset) for member in members for record in member.records]
        assert sorted(seen) == [(partition, offset) for partition in range(6) for offset in range(25)]

    play(story)


@both
def test_a_group_goes_on_after_the_broker_was_killed(protocol: dict[str, Any]) -> None:
    async def story(stage: ConsumerStage) -> None:
        await stage.create(partitions=2, flush_messages="1")
        members = [PollingMember(stage.consumer(group_id="g", **protocol), "orders") for _ in range(2)]
        await until(lambda: all(len(member.assigned) == 1 for member in members))
        for partition in range(2):
            await stage.write(numbered(10), partition=partition)

        async def have_read(count: int) -> None:
            wanted = {(partition, offset) for partition in range(2) for offset in range(count)}
            await until(lambda: {place for member in members for place in member.seen} >= wanted)

        await have_read(10)
        for turn in range(3):
            stage.node.kill()
            await time_passes(1 + 3 * turn)
            await stage.node.start()
            for partition in range(2):
                await stage.write(numbered(10, 10 + 10 * turn), partition=partition)
            await have_read(20 + 10 * turn)
        for member in members:
            await member.stop()

    play(story)


@both
def test_what_a_dead_member_had_is_read_again_from_the_last_commit(protocol: dict[str, Any]) -> None:
    async def story(stage: ConsumerStage) -> None:
        await stage.create()
        await stage.write(numbered(10))
        dead = stage.consumer(group_id="g", enable_auto_commit=False, **protocol)
        await dead.start()
        dead.subscribe(["orders"])
        await read(dead, 10)
        await dead.commit({orders(0)[0]: 4})
        for source, target in (("consumer-3", BROKER), (BROKER, "consumer-3")):
            stage.world.net.cut(source, target)  # it is never heard of again
        async with stage.consumer(group_id="g", **protocol) as consumer:
            consumer.subscribe(["orders"])
            assert await values(consumer, 6) == numbered(6, 4)
        await dead.close(timeout_ms=100)

    play(story, seeds=1)


@both
def test_commits_by_record_offset_and_position(protocol: dict[str, Any]) -> None:
    async def story(stage: ConsumerStage) -> None:
        await stage.create(partitions=2)
        await stage.write(numbered(10))
        zero, one = orders(0, 1)
        async with stage.consumer(group_id="g", enable_auto_commit=False, **protocol) as consumer:
            consumer.subscribe(["orders"])
            records = await read(consumer, 10)

            async def committed() -> int | None:
                return (row := (await consumer.committed([zero]))[zero]) and row.offset

            assert await committed() is None
            await consumer.commit(records[2])
            assert await committed() == 3
            await consumer.commit(records[:6])
            assert await committed() == 6
            await consumer.commit({zero: 5})
            assert await committed() == 5
            outcomes: list[Exception | None] = []
            for offset in (6, 7, 8):
                consumer.commit_async({zero: offset}, on_done=outcomes.append)
            await until(lambda: outcomes == [None] * 3)
            assert await committed() == 8
            await consumer.commit()
            assert await committed() == 10
            assert (await consumer.committed([one]))[one] is not None

    play(story)


def test_a_cooperative_member_commits_what_it_keeps_also_during_a_rebalance() -> None:
    async def story(stage: ConsumerStage) -> None:
        await stage.create(partitions=2)
        await stage.write(numbered(10))
        settings = {"group_id": "g", "partition_assignment_strategy": "cooperative-sticky"}
        async with stage.consumer(enable_auto_commit=False, **settings) as first:
            first.subscribe(["orders"])
            await read(first, 10)
            others = [PollingMember(stage.consumer(**settings), "orders") for _ in range(2)]
            zero = orders(0)[0]
            offset = 0
            for _ in range(300):
                await first.poll(timeout_ms=50)
                if first.health().reason is HealthReason.REBALANCING and zero in first.assignment():
                    offset += 1
                    await first.commit({zero: offset})
                    row = (await first.committed([zero]))[zero]
                    assert row is not None
                    assert row.offset == offset
            assert offset
            for other in others:
                await other.stop()

    play(story)


@both
def test_auto_commit_covers_what_was_processed_and_nothing_else(protocol: dict[str, Any]) -> None:
    async def story(stage: ConsumerStage) -> None:
        await stage.create()
        await stage.write(numbered(100))
        async with (
            stage.consumer(group_id="g", auto_commit_interval_ms=1000, **protocol) as consumer,
            stage.consumer(group_id="g") as other,
        ):
            consumer.subscribe(["orders"])
            count = 0
            async for record in consumer:
                row = (await other.committed(orders(0)))[orders(0)[0]]
                # The record that is being processed is not committed, however long that takes.
                assert (row.offset if row else 0) <= record.offset
                await time_passes(0.3)
                count += 1
                if count == 20:
                    assert row is not None
                    assert row.offset >= 14
                    break
        async with stage.consumer(group_id="g") as other:
            row = (await other.committed(orders(0)))[orders(0)[0]]
            assert row is not None
            assert row.offset == 20

    play(story)


def test_an_application_that_does_not_poll_loses_its_partitions_and_comes_back() -> None:
    async def story(stage: ConsumerStage) -> None:
        await stage.create(partitions=2)
        witness = Witness()
        slow = stage.consumer(group_id="g", max_poll_interval_ms=5000)
        async with slow:
            slow.subscribe(["orders"], listener=witness)
            await poll_until(slow, lambda: len(slow.assignment()) == 2)
            quick = PollingMember(stage.consumer(group_id="g"), "orders")
            await time_passes(20)
            assert len(quick.assigned) == 2
            with pytest.raises(CommitFailed):
                await slow.commit({orders(0)[0]: 1})
            await poll_until(slow, lambda: len(slow.assignment()) == 1)
            assert ("lost", [0, 1]) in witness.calls
            await quick.stop()

    play(story)


@both
def test_topics_of_a_pattern_are_found_also_when_they_are_created_later(protocol: dict[str, Any]) -> None:
    async def story(stage: ConsumerStage) -> None:
        await stage.create("orders-1")
        await stage.create("bills-1")
        async with stage.consumer(group_id="g", metadata_max_age_ms=2000, **protocol) as consumer:
            consumer.subscribe(pattern="orders-.*")
            await poll_until(consumer, lambda: consumer.assignment() == {TopicPartition("orders-1", 0)})
            await stage.create("orders-2")
            await poll_until(consumer, lambda: len(consumer.assignment()) == 2)
            consumer.subscribe(["bills-1"])
            await poll_until(consumer, lambda: consumer.assignment() == {TopicPartition("bills-1", 0)})

    play(story)


@both
def test_new_partitions_are_taken_over(protocol: dict[str, Any]) -> None:
    async def story(stage: ConsumerStage) -> None:
        await stage.create(partitions=1)
        async with stage.consumer(group_id="g", metadata_max_age_ms=2000, **protocol) as consumer:
            consumer.subscribe(["orders"])
            await poll_until(consumer, lambda: len(consumer.assignment()) == 1)
            async with stage.admin() as admin:
                await admin.create_partitions({"orders": 3})
            await poll_until(consumer, lambda: len(consumer.assignment()) == 3)

    play(story)


@both
def test_a_static_member_returns_without_a_rebalance(protocol: dict[str, Any]) -> None:
    async def story(stage: ConsumerStage) -> None:
        await stage.create(partitions=2)
        witness = Witness()
        async with stage.consumer(group_id="g", group_instance_id="b", **protocol) as stays:
            stays.subscribe(["orders"], listener=witness)
            await poll_until(stays, lambda: len(stays.assignment()) == 2)
            first = stage.consumer(group_id="g", group_instance_id="a", **protocol)
            await first.start()
            first.subscribe(["orders"])
            polling = asyncio.ensure_future(poll_until(first, lambda: len(first.assignment()) == 1))
            await poll_until(stays, polling.done)
            await polling
            mine = first.assignment()
            before = list(witness.calls)
            await first.close()
            async with stage.consumer(group_id="g", group_instance_id="a", **protocol) as again:
                again.subscribe(["orders"])
                polling = asyncio.ensure_future(poll_until(again, lambda: again.assignment() == mine))
                await poll_until(stays, polling.done)
                await polling
                assert witness.calls == before

    play(story)


@both
def test_what_a_listener_raises_comes_out_of_the_poll_and_the_rebalance_goes_on(protocol: dict[str, Any]) -> None:
    class Broken:
        def on_partitions_assigned(self, partitions: list[TopicPartition]) -> None:
            raise ZeroDivisionError("of the application")

    async def story(stage: ConsumerStage) -> None:
        await stage.create()
        await stage.write(numbered(3))
        async with stage.consumer(group_id="g", **protocol) as consumer:
            consumer.subscribe(["orders"], listener=Broken())
            with pytest.raises(ZeroDivisionError):
                await read(consumer, 1)
            assert await values(consumer, 3) == numbered(3)

    play(story)


@both
def test_closing_leaves_the_group_and_nothing_behind(protocol: dict[str, Any]) -> None:
    async def story(stage: ConsumerStage) -> None:
        await stage.create()
        before = asyncio.all_tasks()
        async with stage.consumer(group_id="g", **protocol) as consumer:
            consumer.subscribe(["orders"])
            await poll_until(consumer, lambda: consumer.assignment())
        await time_passes(1)
        assert stage.world.net.connections == {}
        assert asyncio.all_tasks() <= before
        async with stage.admin() as admin:
            described = await admin.describe_groups(["g"])
            assert described["g"].members == []

    play(story)
