"""A connection of a real node on real sockets, in this process."""

import asyncio
import gc
import weakref
from collections.abc import Awaitable, Callable
from pathlib import Path

from ottla.broker.network.connection import Connection
from ottla.broker.network.request_memory import FREE_BYTES
from ottla.broker.node import BrokerNode
from ottla.broker.requests.deferred import Deferred
from ottla.config.broker_options import BrokerOptions
from ottla.config.listeners import plan_listeners
from ottla.doors.world import World
from ottla.protocol.generated import create_topics_request, fetch_request
from ottla.protocol.generated.api_versions_request import ApiVersionsRequest
from ottla.protocol.generated.fetch_request import FetchRequest
from ottla.protocol.generated.fetch_response import FetchResponse
from ottla.protocol.generated.produce_request import PartitionData, ProduceRequest, TopicData
from ottla.records.builder import build_batch
from ottla.records.record import Record
from ottla.runtime.channel import Channel
from ottla.runtime.clock import OsClock
from ottla.runtime.disk import OsDisk
from ottla.runtime.event_loop import new_event_loop
from ottla.runtime.executor import OsExecutor
from ottla.runtime.network import SocketNetwork
from ottla.runtime.rng import OsRng
from tests.support.waiting import until


def a_node(directory: Path) -> BrokerNode:
    options = BrokerOptions({"log.dirs": str(directory), "listeners": "PLAINTEXT://127.0.0.1:0", "node.id": "1"})
    world = World(OsClock(), OsRng(), OsDisk(), SocketNetwork(), OsExecutor())
    return BrokerNode(options, plan_listeners(options), world)


async def is_freed(reference: weakref.ref[Connection]) -> None:
    await until(lambda: reference() is None, within_s=40, what="a connection that is freed")


def with_a_node(directory: Path, story: Callable[[BrokerNode], Awaitable[None]]) -> None:
    async def run() -> None:
        node = a_node(directory)
        await node.start()
        try:
            await story(node)
        finally:
            await node.stop()

    loop = new_event_loop()
    try:
        loop.run_until_complete(run())
    finally:
        loop.close()


async def connect(node: BrokerNode) -> Channel:
    channel = await Channel.connect(node.world.network, "127.0.0.1", node.advertised_endpoints()[0].port)
    await channel.ask(ApiVersionsRequest(client_software_name="a", client_software_version="1"))
    return channel


async def create_topic(channel: Channel) -> None:
    topic = create_topics_request.Topics(name="orders", num_partitions=1, replication_factor=1)
    await channel.ask(create_topics_request.CreateTopicsRequest(topics=[topic], timeout_ms=5000))


def a_produce_request(value: bytes = b"v") -> ProduceRequest:
    data = PartitionData(index=0, records=build_batch([Record(0, 1, b"k", value)]))
    return ProduceRequest(acks=1, timeout_ms=5000, topic_data=[TopicData(name="orders", partition_data=[data])])


async def create_and_produce(channel: Channel) -> None:
    """Twice, so that the second request finds its decoding cached."""
    await create_topic(channel)
    for _ in range(2):
        response = await channel.ask(a_produce_request(), 9)
        assert response.responses[0].partition_responses[0].error_code == 0


def the_connection(node: BrokerNode) -> Connection:
    (connection,) = node.connections
    assert isinstance(connection, Connection)
    return connection


async def open_and_close(node: BrokerNode, *, waits: bool) -> weakref.ref[Connection]:
    channel = await connect(node)
    await create_and_produce(channel)
    if waits:
        # A long poll without partitions waits for its time to be over.
        channel.send(FetchRequest(max_wait_ms=60_000, min_bytes=1, session_epoch=-1)).add_done_callback(
            lambda done: done.cancelled() or done.exception()
        )
    connection = the_connection(node)
    channel.abort()
    return weakref.ref(connection)


def test_a_closed_connection_is_freed_without_the_collector(tmp_path: Path) -> None:
    async def story(node: BrokerNode) -> None:
        gc.collect()
        gc.disable()
        try:
            for waits in (False, True):
                await is_freed(await open_and_close(node, waits=waits))
        finally:
            gc.enable()

    with_a_node(tmp_path, story)


def test_pipelined_requests_are_read_together_until_the_connection_is_idle(tmp_path: Path) -> None:
    async def story(node: BrokerNode) -> None:
        channel = await connect(node)
        await create_topic(channel)
        connection = the_connection(node)
        first_bytes = len(connection.get_buffer(-1))

        async def pipeline(value_bytes: int, count: int) -> int:
            """The size of the buffer afterwards."""
            request = a_produce_request(b"v" * value_bytes)
            await asyncio.gather(*[channel.send(request, 9) for _ in range(count)])
            return len(connection.get_buffer(-1))

        assert await pipeline(1, 200) == first_bytes, "many small requests fit as it is"
        # Just below a power of two: one request fills a buffer of that size, and leaves little for the next.
        assert await pipeline(15_800, 20) == FREE_BYTES
        assert await pipeline(40_000, 20) > 4 * 40_000, "beyond its own buffer, memory of the pool"

        assert len(connection.envelopes) == 1
        connection.release_spare_memory()
        assert len(connection.get_buffer(-1)) == first_bytes
        assert not connection.envelopes
        channel.abort()

    with_a_node(tmp_path, story)


def a_long_poll(offset: int = 0) -> FetchRequest:
    """At the end of the topic."""
    wanted = fetch_request.Partitions(partition=0, fetch_offset=offset, partition_max_bytes=1000)
    topics = [fetch_request.Topics(topic="orders", partitions=[wanted])]
    return FetchRequest(max_wait_ms=60_000, min_bytes=1, session_epoch=-1, topics=topics)


def test_the_next_request_is_not_served_inside_of_whoever_has_responded(tmp_path: Path) -> None:
    """Who responds to many may have a list or a timer that the next request changes, or be called by one who has."""

    async def story(node: BrokerNode) -> None:
        channel = await connect(node)
        await create_topic(channel)
        requests = [channel.send(a_long_poll(), 12), channel.send(ApiVersionsRequest(), 0)]
        connection = the_connection(node)
        await until(lambda: connection.request_state().size > 0, what="both requests")
        pending = connection.request_state().work
        assert isinstance(pending, Deferred)

        pending.respond_now()

        assert pending.is_done
        assert connection.request_state().size > 0, "the second one waits"
        await asyncio.gather(*requests)

    with_a_node(tmp_path, story)


def test_others_have_their_turn_between_the_requests_of_one_connection(tmp_path: Path) -> None:
    async def story(node: BrokerNode) -> None:
        channel = await connect(node)
        await create_topic(channel)
        # Leaves a buffer that holds all the small ones which come while the long poll waits.
        await channel.send(a_produce_request(b"v" * 100_000), 9)
        requests = [channel.send(a_long_poll(offset=1), 12)]
        requests += [channel.send(ApiVersionsRequest(), 0) for _ in range(2_000)]
        connection = the_connection(node)
        await until(lambda: connection.request_state().size >= 2_000 * 14, what="all requests")
        pending = connection.request_state().work
        assert isinstance(pending, Deferred)
        size = connection.request_state().size

        pending.respond_now()
        await asyncio.sleep(0)

        assert 0 < connection.request_state().size < size
        await asyncio.gather(*requests)

    with_a_node(tmp_path, story)


def test_long_polls_of_a_client_that_has_closed_end_at_once(tmp_path: Path) -> None:
    async def story(node: BrokerNode) -> None:
        channel = await connect(node)
        await create_topic(channel)
        polls = [channel.send(a_long_poll(), 12) for _ in range(3)]
        await until(lambda: the_connection(node).request_state().size > 0, what="all requests")

        channel.close()

        await asyncio.gather(*polls, return_exceptions=True)
        await until(lambda: not list(node.connections), what="no connection")

    with_a_node(tmp_path, story)


def test_a_long_poll_that_begins_while_the_broker_stops_ends_at_once(tmp_path: Path) -> None:
    """It was large, and still being decoded."""

    async def story(node: BrokerNode) -> None:
        channel = await connect(node)
        await create_topic(channel)
        request = a_long_poll()
        request.rack_id = "r" * 30_000
        request.topics[0].partitions *= 2_000
        response = channel.send(request, 12)
        connection = the_connection(node)
        await until(lambda: isinstance(connection.request_state().work, asyncio.Task), step_s=0, what="its decoding")

        connection.drain()

        assert isinstance(await response, FetchResponse)
        await until(lambda: not list(node.connections), what="no connection")

    with_a_node(tmp_path, story)
