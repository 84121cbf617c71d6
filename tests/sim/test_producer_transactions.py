"""Transactions of the producer on the simulated network: committed, aborted, fenced, handed over, with faults."""

import asyncio
from typing import Any

import pytest

from ottla.client import AsyncAdmin, AsyncProducer
from ottla.client.errors import ClientError, ProducerFenced
from ottla.model.topic import TopicPartition
from ottla.protocol.generated.offset_fetch_request import Groups, GroupsTopics, OffsetFetchRequest
from ottla.protocol.generated.update_features_request import FeatureUpdates, UpdateFeaturesRequest
from tests.support.producer_stage import ORDERS, SERVERS, ProducerStage, play, values
from tests.support.virtual_time import time_passes

DURABLE = {"log.flush.interval.messages": "1"}


def transactional(stage: ProducerStage, **options: Any) -> AsyncProducer:
    return stage.producer(transactional_id="mover", **options)


def admin(stage: ProducerStage) -> AsyncAdmin:
    return AsyncAdmin(bootstrap_servers=SERVERS, world=stage.world.client_doors("admin"))


async def use_protocol(stage: ProducerStage, version: int) -> None:
    """TV1 or TV2, for the whole cluster."""
    async with admin(stage) as client:
        cluster = client._lifetime.cluster
        update = FeatureUpdates(feature="transaction.version", max_version_level=version, upgrade_type=3)
        if version == 2:
            update.upgrade_type = 1
        response = await cluster.ask(await cluster.controller(), UpdateFeaturesRequest(1000, [update]))
        assert response.error_code == 0, response


both_protocols = pytest.mark.parametrize("version", [1, 2])


@both_protocols
def test_a_block_commits_and_an_exception_aborts(version: int) -> None:
    async def story(stage: ProducerStage) -> None:
        await use_protocol(stage, version)
        await stage.create(2)
        async with transactional(stage) as producer:
            await producer.begin_transaction()
            assert producer._transactions is not None
            assert producer._transactions.max_produce_version == (11 if version == 1 else 32767)
            await producer.abort_transaction()
            for number in range(6):
                try:
                    async with producer.transaction():
                        producer.send("orders", b"%d" % number, partition=0)
                        producer.send("orders", b"%d" % number, partition=1)
                        if number % 2:
                            raise LookupError("a reason to abort")
                except LookupError:
                    pass
        for partition in (0, 1):
            assert await stage.written(TopicPartition("orders", partition)) == [b"0", b"2", b"4"]

    play(story)


@both_protocols
def test_transactions_survive_broken_connections_and_restarts(version: int) -> None:
    async def story(stage: ProducerStage) -> None:
        await use_protocol(stage, version)
        await stage.create()
        async with transactional(stage, request_timeout_ms=2000, transaction_timeout_ms=600_000) as producer:
            trouble = asyncio.ensure_future(stage.disturb(6))
            committed = []
            for value in values(40):
                try:
                    async with producer.transaction():
                        producer.send("orders", value)
                        await time_passes(0.05)
                    committed.append(value)
                except ProducerFenced:
                    raise
                except ClientError:
                    continue
            await trouble
        assert await stage.written() == committed
        assert len(committed) > 20

    play(story, seeds=5, settings=DURABLE)


@both_protocols
def test_an_older_producer_is_fenced(version: int) -> None:
    async def story(stage: ProducerStage) -> None:
        await use_protocol(stage, version)
        await stage.create()
        async with transactional(stage) as old:
            await old.begin_transaction()
            await old.send("orders", b"old")
            async with transactional(stage) as new, new.transaction():
                new.send("orders", b"new")
            with pytest.raises(ProducerFenced):
                await old.commit_transaction()
            with pytest.raises(ProducerFenced):
                await old.begin_transaction()
        assert await stage.written() == [b"new"]

    play(story)


@both_protocols
def test_offsets_are_committed_with_the_transaction(version: int) -> None:
    async def story(stage: ProducerStage) -> None:
        await use_protocol(stage, version)
        await stage.create()
        async with transactional(stage) as producer:
            async with producer.transaction():
                producer.send("orders", b"x")
                await producer.send_offsets({ORDERS: 7}, "copiers")
            await producer.begin_transaction()
            await producer.send_offsets({ORDERS: 9}, "copiers")
            await producer.abort_transaction()
            assert await committed_offset(stage, "copiers") == 7

    play(story)


async def committed_offset(stage: ProducerStage, group: str) -> int:
    async with admin(stage) as client:
        cluster = client._lifetime.cluster
        request = OffsetFetchRequest(
            groups=[Groups(group_id=group, topics=[GroupsTopics(name="orders", partition_indexes=[0])])],
            require_stable=True,
        )
        response = await cluster.ask(await cluster.any_node(), request, version=9)
        offset: int = response.groups[0].topics[0].partitions[0].committed_offset
        return offset


@both_protocols
@pytest.mark.parametrize("commit", [True, False])
def test_a_transaction_is_ended_by_another_process(version: int, commit: bool) -> None:
    async def story(stage: ProducerStage) -> None:
        await use_protocol(stage, version)
        await stage.create()
        async with transactional(stage) as producer:
            await producer.begin_transaction()
            producer.send("orders", b"x")
            handle = await producer.detach()
            with pytest.raises(RuntimeError, match="is detached"):
                producer.send("orders", b"y")
        assert handle is not None
        async with admin(stage) as client:
            await client.end_transaction(handle, commit=commit)
            await client.end_transaction(handle, commit=commit)
        assert await stage.written() == ([b"x"] if commit else [])

    play(story)


def test_nothing_is_detached_from_an_empty_transaction() -> None:
    async def story(stage: ProducerStage) -> None:
        async with transactional(stage) as producer, producer.transaction():
            assert await producer.detach() is None

    play(story)


@both_protocols
def test_closing_aborts_an_open_transaction(version: int) -> None:
    async def story(stage: ProducerStage) -> None:
        await use_protocol(stage, version)
        await stage.create()
        async with transactional(stage, transaction_timeout_ms=600_000) as producer:
            await producer.begin_transaction()
            await producer.send("orders", b"left open")
        async with stage.producer() as other:
            await other.send("orders", b"plain")
        assert await stage.written() == [b"plain"]

    play(story)


def test_records_outside_a_transaction_are_refused() -> None:
    async def story(stage: ProducerStage) -> None:
        await stage.create()
        async with transactional(stage) as producer:
            with pytest.raises(RuntimeError, match="is not initialized; it must be in a transaction"):
                producer.send("orders", b"x")
            await producer.init_transactions()
            with pytest.raises(RuntimeError, match="is ready; it must be in a transaction"):
                producer.send("orders", b"x")

    play(story)


@pytest.mark.parametrize(("topic", "partition"), [("unknown", None), ("orders", 7)])
def test_a_transaction_that_lacks_a_record_cannot_be_committed(topic: str, partition: int | None) -> None:
    async def transfer(producer: AsyncProducer, topic: str, partition: int | None) -> None:
        async with producer.transaction():
            producer.send("orders", b"debit")
            producer.send(topic, b"credit", partition=partition)

    async def story(stage: ProducerStage) -> None:
        await stage.create()
        async with transactional(stage, max_block_ms=3000) as producer:
            with pytest.raises((ClientError, ValueError), match=topic):
                await transfer(producer, topic, partition)
            async with producer.transaction():
                producer.send("orders", b"next")
        assert await stage.written() == [b"next"]

    play(story, settings={"auto.create.topics.enable": "false"})


def test_a_transaction_that_timed_out_cannot_be_committed() -> None:
    async def story(stage: ProducerStage) -> None:
        await stage.create()
        async with transactional(stage, transaction_timeout_ms=5000) as producer:
            await producer.begin_transaction()
            await producer.send("orders", b"late")
            await time_passes(60)
            with pytest.raises(ClientError):
                await producer.commit_transaction()
        assert await stage.written() == []

    play(story)
