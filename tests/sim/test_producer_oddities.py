"""The producer against a broker that throttles, moves leaders, forgets producers and answers oddly."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from ottla.client import AsyncAdmin, AsyncProducer
from ottla.client.errors import AuthorizationFailed, RequestRefused, TimedOut, UnsupportedByBroker
from ottla.model.error_codes import ErrorCode
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.init_producer_id_response import InitProducerIdResponse
from ottla.protocol.generated.metadata_response import Brokers, MetadataResponse
from ottla.protocol.generated.produce_response import CurrentLeader, NodeEndpoints
from ottla.records.batch import read_header
from ottla.sim.world import SimWorld
from tests.support.scripted_broker import HOST, PORT, SILENCE, ScriptedBroker
from tests.support.simulated_story import told
from tests.support.virtual_time import time_passes

Story = Callable[[SimWorld, ScriptedBroker], Awaitable[None]]


def play(story: Story) -> None:
    async def tell(world: SimWorld) -> None:
        await story(world, await ScriptedBroker(world).start())

    told(tell, seeds=range(2))


def producer(world: SimWorld, **options: Any) -> AsyncProducer:
    return AsyncProducer(bootstrap_servers=f"{HOST}:{PORT}", world=world.client_doors("producer"), **options)


def test_a_throttled_producer_waits_before_its_next_request() -> None:
    async def story(world: SimWorld, broker: ScriptedBroker) -> None:
        def throttled(header: Any, request: Any) -> Any:
            response = broker.produced(request)
            response.throttle_time_ms = 3000
            return response

        broker.scripts[ApiKey.PRODUCE] = throttled
        async with producer(world) as client:
            await client.send("orders", b"first")
            await client.send("orders", b"second")
        first, second = broker.times(ApiKey.PRODUCE)
        assert second - first >= 3

    play(story)


def test_a_throttled_admin_client_waits_too() -> None:
    async def story(world: SimWorld, broker: ScriptedBroker) -> None:
        def throttled(header: Any, request: Any) -> Any:
            response = broker.metadata(request)
            response.throttle_time_ms = 2000
            return response

        broker.scripts[ApiKey.METADATA] = throttled
        doors = world.client_doors("admin")
        async with AsyncAdmin(bootstrap_servers=f"{HOST}:{PORT}", world=doors) as admin:
            await admin.list_topics()
            await admin.list_topics()
        times = broker.times(ApiKey.METADATA)
        assert times[-1] - times[-2] >= 2

    play(story)


def test_a_forgotten_producer_goes_on_with_a_new_epoch() -> None:
    async def story(world: SimWorld, broker: ScriptedBroker) -> None:
        refusals = iter([0, ErrorCode.UNKNOWN_PRODUCER_ID, 0, ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER])
        broker.scripts[ApiKey.PRODUCE] = lambda header, request: broker.produced(request, next(refusals, 0))
        async with producer(world) as client:
            for value in (b"a", b"b", b"c", b"d"):
                await client.send("orders", value)
        assert [(batch.producer_epoch, batch.base_sequence) for batch in broker.batches] == [
            (0, 0), (1, 0), (2, 0), (2, 1),
        ]  # fmt: skip

    play(story)


@pytest.mark.parametrize("lost", [None, ErrorCode.UNKNOWN_PRODUCER_ID, ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER])
def test_nothing_overtakes_the_first_batch_of_a_producer_that_the_broker_does_not_know(lost: ErrorCode | None) -> None:
    """`lost`: the producer is new because the broker has refused its sequences before."""

    async def story(world: SimWorld, broker: ScriptedBroker) -> None:
        refusals = iter([ErrorCode.NOT_ENOUGH_REPLICAS])

        def without_sequences(header: Any, request: Any) -> Any:
            """It has nothing to compare with, and accepts whatever comes after its first refusal."""
            batch = read_header(request.topic_data[0].partition_data[0].records)
            if lost is not None and batch.producer_epoch == 0:
                return broker.produced(request, lost if batch.base_sequence else 0)
            return broker.produced(request, next(refusals, 0))

        broker.scripts[ApiKey.PRODUCE] = without_sequences
        async with producer(world, batch_size=100) as client:
            if lost is not None:
                await client.send("orders", bytes(50))
            for _ in range(20):
                client.send("orders", bytes(50))
            await client.flush()
        epoch = 0 if lost is None else 1
        sequences = [batch.base_sequence for batch in broker.batches if batch.producer_epoch == epoch]
        assert sequences == list(range(20))

    play(story)


def test_up_to_five_batches_are_in_flight_once_the_broker_knows_the_producer() -> None:
    async def story(world: SimWorld, broker: ScriptedBroker) -> None:
        async with producer(world, batch_size=100, request_timeout_ms=1000) as client:
            await client.send("orders", bytes(50))
            broker.scripts[ApiKey.PRODUCE] = lambda header, request: SILENCE
            for _ in range(20):
                client.send("orders", bytes(50))
            await time_passes(0.5)
            assert broker.count(ApiKey.PRODUCE) == 6
            del broker.scripts[ApiKey.PRODUCE]
        assert [batch.base_sequence for batch in broker.batches] == list(range(21))

    play(story)


def test_the_last_epoch_is_followed_by_a_new_producer_id() -> None:
    async def story(world: SimWorld, broker: ScriptedBroker) -> None:
        ids = iter([5, 6])
        broker.scripts[ApiKey.INIT_PRODUCER_ID] = lambda header, request: InitProducerIdResponse(
            producer_id=(chosen := next(ids)), producer_epoch=32767 if chosen == 5 else 0
        )
        refusals = iter([0, ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER])
        broker.scripts[ApiKey.PRODUCE] = lambda header, request: broker.produced(request, next(refusals, 0))
        async with producer(world) as client:
            await client.send("orders", b"a")
            await client.send("orders", b"b")
        assert [(batch.producer_id, batch.base_sequence) for batch in broker.batches] == [(5, 0), (6, 0)]

    play(story)


def test_a_duplicate_counts_as_delivered() -> None:
    async def story(world: SimWorld, broker: ScriptedBroker) -> None:
        broker.scripts[ApiKey.PRODUCE] = lambda header, request: broker.produced(
            request, ErrorCode.DUPLICATE_SEQUENCE_NUMBER
        )
        async with producer(world) as client:
            assert (await client.send("orders", b"a")).offset == -1

    play(story)


def test_records_that_the_broker_refuses_say_why() -> None:
    async def story(world: SimWorld, broker: ScriptedBroker) -> None:
        broker.scripts[ApiKey.PRODUCE] = lambda header, request: broker.produced(
            request, ErrorCode.INVALID_RECORD, error_message="no key in a compacted topic"
        )
        async with producer(world) as client:
            with pytest.raises(RequestRefused, match="1 records for orders-0; no key in a compacted topic"):
                await client.send("orders", b"a")
        broker.scripts[ApiKey.PRODUCE] = lambda header, request: broker.produced(
            request, ErrorCode.TOPIC_AUTHORIZATION_FAILED
        )
        async with producer(world) as client:
            with pytest.raises(AuthorizationFailed):
                await client.send("orders", b"a")

    play(story)


def test_the_new_leader_in_a_response_is_used_at_once() -> None:
    async def story(world: SimWorld, broker: ScriptedBroker) -> None:
        other = await ScriptedBroker(world, "other", node_id=2).start()

        def moved(header: Any, request: Any) -> Any:
            response = broker.produced(request, ErrorCode.NOT_LEADER_OR_FOLLOWER, current_leader=CurrentLeader(2, 5))
            response.node_endpoints = [NodeEndpoints(2, "other", PORT)]
            return response

        def stale(header: Any, request: Any) -> Any:
            response = broker.metadata(request)
            response.brokers.append(Brokers(2, "other", PORT))
            return response

        broker.scripts = {ApiKey.PRODUCE: moved, ApiKey.METADATA: stale}
        async with producer(world) as client:
            assert (await client.send("orders", b"a")).offset == 0
        assert len(other.batches) == 1
        assert broker.count(ApiKey.PRODUCE) == 1

    play(story)


def test_a_producer_without_the_right_to_an_id_says_so_and_may_try_again() -> None:
    async def story(world: SimWorld, broker: ScriptedBroker) -> None:
        codes = iter([ErrorCode.CLUSTER_AUTHORIZATION_FAILED])
        broker.scripts[ApiKey.INIT_PRODUCER_ID] = lambda header, request: InitProducerIdResponse(
            error_code=next(codes, 0), producer_id=3
        )
        async with producer(world) as client:
            with pytest.raises(AuthorizationFailed, match="IdempotentWrite"):
                await client.send("orders", b"a")
            assert (await client.send("orders", b"b")).offset == 0

    play(story)


def test_a_broker_that_says_nothing_is_asked_again_on_another_connection() -> None:
    async def story(world: SimWorld, broker: ScriptedBroker) -> None:
        answers = iter([SILENCE])
        broker.scripts[ApiKey.PRODUCE] = lambda header, request: next(answers, None)
        async with producer(world, request_timeout_ms=1000) as client:
            await client.send("orders", b"a")
        assert broker.count(ApiKey.PRODUCE) == 2
        assert [batch.base_sequence for batch in broker.batches] == [0]

    play(story)


def test_a_response_that_makes_no_sense_closes_the_connection_and_is_retried() -> None:
    async def story(world: SimWorld, broker: ScriptedBroker) -> None:
        answers = iter([MetadataResponse()])
        broker.scripts[ApiKey.PRODUCE] = lambda header, request: next(answers, None)
        async with producer(world) as client:
            assert (await client.send("orders", b"a")).offset == 0

    play(story)


def test_an_old_broker_gets_old_versions() -> None:
    async def story(world: SimWorld, broker: ScriptedBroker) -> None:
        broker.versions = {ApiKey.PRODUCE: (0, 3), ApiKey.METADATA: (0, 1), ApiKey.INIT_PRODUCER_ID: (0, 0)}
        async with producer(world) as client:
            await client.send("orders", b"a")
        assert {header.api_version for _, header, _ in broker.requests if header.api_key == ApiKey.PRODUCE} == {3}

    play(story)


def test_a_broker_that_is_too_old_is_refused_with_both_ranges() -> None:
    async def story(world: SimWorld, broker: ScriptedBroker) -> None:
        broker.versions = {ApiKey.PRODUCE: (0, 2)}
        async with producer(world, delivery_timeout_ms=40_000) as client:
            with pytest.raises(UnsupportedByBroker, match="Produce: the broker serves versions 0 to 2, we know 3 to"):
                await client.send("orders", b"a")

    play(story)


def test_a_partition_without_leader_is_waited_for() -> None:
    async def story(world: SimWorld, broker: ScriptedBroker) -> None:
        leaders = iter([-1, -1, -1])
        broker.scripts[ApiKey.METADATA] = lambda header, request: broker.metadata(request, leader=next(leaders, 1))
        async with producer(world) as client:
            assert (await client.send("orders", b"a")).offset == 0

    play(story)


def test_retries_are_limited_where_that_is_asked_for() -> None:
    async def story(world: SimWorld, broker: ScriptedBroker) -> None:
        broker.scripts[ApiKey.PRODUCE] = lambda header, request: broker.produced(request, ErrorCode.NOT_ENOUGH_REPLICAS)
        async with producer(world, retries=2) as client:
            with pytest.raises(RequestRefused, match="NOT_ENOUGH_REPLICAS"):
                await client.send("orders", b"a")
        assert broker.count(ApiKey.PRODUCE) == 3
        pauses = [
            after - before for before, after in zip(*[broker.times(ApiKey.PRODUCE)[i:] for i in (0, 1)], strict=False)
        ]
        assert pauses[0] >= 0.08
        assert pauses[1] >= 0.16

    play(story)


def test_metadata_that_never_comes_is_reported() -> None:
    async def story(world: SimWorld, broker: ScriptedBroker) -> None:
        broker.scripts[ApiKey.METADATA] = lambda header, request: SILENCE
        async with producer(world, max_block_ms=3000, request_timeout_ms=1000) as client:
            with pytest.raises(TimedOut, match=r"topic orders: no metadata within max.block.ms=3000"):
                await client.send("orders", b"a")

    play(story)


def test_idle_connections_are_closed_and_opened_again() -> None:
    async def story(world: SimWorld, broker: ScriptedBroker) -> None:
        async with producer(world, connections_max_idle_ms=5000) as client:
            await client.send("orders", b"a")
            assert world.net.connections
            await time_passes(60)
            assert not world.net.connections
            await client.send("orders", b"b")

    play(story)
