"""The contract of the Network door, kept by real sockets and the simulated network alike."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, NamedTuple

import pytest

from ottla.doors.disk import FileSlice
from ottla.doors.network import Listener, Network
from ottla.runtime.event_loop import new_event_loop
from ottla.runtime.network import SocketNetwork
from ottla.sim.disk import SimDisk
from ottla.sim.loop import SimLoop
from ottla.sim.network import SimNet, SimNetwork
from ottla.sim.process import SimProcess
from ottla.sim.rng import SimRng
from ottla.sim.trace import Trace
from tests.support.link_owner import LinkOwner


class Pair(NamedTuple):
    network: Network
    client: LinkOwner
    server: LinkOwner


Scenario = Callable[[Network, Network, str], Coroutine[Any, Any, None]]


def on_sockets(scenario: Scenario) -> None:
    network = SocketNetwork()
    asyncio.run(scenario(network, network, "127.0.0.1"))


def on_sockets_of_the_own_loop(scenario: Scenario) -> None:
    network = SocketNetwork()
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        runner.run(scenario(network, network, "127.0.0.1"))


def on_simulation(scenario: Scenario) -> None:
    for seed in range(3):
        loop = SimLoop(SimRng(seed))
        net = SimNet(loop, SimRng(seed).split("net"), Trace(loop))
        server = SimProcess("server", loop)
        client = SimProcess("client", loop)
        networks = SimNetwork(net, "client", client), SimNetwork(net, "server", server)
        loop.run_until_complete(scenario(*networks, "server"))
        assert loop.unhandled == []
        loop.close()


@pytest.fixture(
    params=[on_sockets, on_sockets_of_the_own_loop, on_simulation], ids=["SocketNetwork", "StreamLoop", "SimNet"]
)
def play(request: pytest.FixtureRequest) -> Callable[[Scenario], None]:
    run: Callable[[Scenario], None] = request.param
    return run


async def connected(client_side: Network, server_side: Network, host: str) -> tuple[Listener, LinkOwner, LinkOwner]:
    server = LinkOwner(server_side)
    listener = await server_side.listen(host, 0, lambda: server)
    await listener.start()
    client = LinkOwner(client_side)
    await client_side.connect(host, listener.port, client)
    assert client.made.is_set()
    await server.made.wait()
    return listener, client, server


def with_pair(story: Callable[[Pair], Awaitable[None]]) -> Scenario:
    async def scenario(client_side: Network, server_side: Network, host: str) -> None:
        listener, client, server = await connected(client_side, server_side, host)
        await story(Pair(client_side, client, server))
        for owner in (client, server):
            owner.link.abort()
        await listener.close()

    return scenario


Play = Callable[[Scenario], None]


def test_bytes_arrive_in_order_both_ways(play: Play) -> None:
    async def story(pair: Pair) -> None:
        question, answer = bytes(range(256)) * 20, bytes(range(255, -1, -1)) * 20
        for start in range(0, len(question), 700):
            pair.client.link.send(question[start : start + 700])
        assert await pair.server.has(len(question)) == question
        pair.server.link.send(answer)
        assert await pair.client.has(len(answer)) == answer

    play(with_pair(story))


def test_a_buffer_may_be_reused_after_send(play: Play) -> None:
    async def story(pair: Pair) -> None:
        buffer = bytearray(b"a" * 1000)
        pair.client.link.send(buffer)
        buffer[:] = b"b" * 1000
        pair.client.link.send_parts([memoryview(buffer)])
        buffer[:] = b"c" * 1000
        assert await pair.server.has(2000) == b"a" * 1000 + b"b" * 1000

    play(with_pair(story))


def test_parts_of_files_are_sent_between_buffers(play: Play) -> None:
    disk = SimDisk()
    file = disk.open("/log", create=True)
    file.write_at(0, b"0123456789")

    async def story(pair: Pair) -> None:
        pair.client.link.send_parts([b"<", FileSlice(file, 2, 5), bytearray(b"|"), FileSlice(file, 0, 1), b">"])
        assert await pair.server.has(9) == b"<23456|0>"

    play(with_pair(story))


def test_a_slow_reader_gets_everything_and_the_sender_hears_of_it(play: Play) -> None:
    disk = SimDisk()
    file = disk.open("/log", create=True)
    content = bytes(range(250)) * 40_000
    file.write_at(0, content)

    async def story(pair: Pair) -> None:
        pair.server._buffer = bytearray(1 << 18)
        pair.server.link.pause_reading()
        pair.client.link.send_parts([b"head", FileSlice(file, 0, len(content)), b"tail"])
        await asyncio.wait_for(pair.client.paused.wait(), 20)
        assert pair.client.link.unsent_size > 0
        assert pair.client.held_bytes() <= 8, "parts of files take no memory"
        assert pair.server.received == b""
        pair.server.link.resume_reading()
        assert await pair.server.has(len(content) + 8) == b"head" + content + b"tail"
        assert pair.client.link.unsent_size == 0

    play(with_pair(story))


def test_bytes_that_wait_are_counted_as_memory(play: Play) -> None:
    async def story(pair: Pair) -> None:
        pair.server._buffer = bytearray(1 << 18)
        pair.server.link.pause_reading()
        pair.client.link.send(bytes(20_000_000))
        await asyncio.wait_for(pair.client.paused.wait(), 20)
        assert pair.client.held_bytes() == pair.client.link.unsent_size > 0
        pair.server.link.resume_reading()
        await pair.server.has(20_000_000)
        assert pair.client.held_bytes() == 0

    play(with_pair(story))


def test_close_sends_what_is_queued_and_then_ends(play: Play) -> None:
    async def story(pair: Pair) -> None:
        pair.client.link.send(b"x" * 5000)
        pair.client.link.close()
        await pair.server.lost.wait()
        await pair.client.lost.wait()
        assert len(pair.server.received) == 5000
        assert pair.server.saw_end
        assert pair.server.error is None

    play(with_pair(story))


def test_abort_ends_both_sides(play: Play) -> None:
    async def story(pair: Pair) -> None:
        pair.client.link.abort()
        await pair.client.lost.wait()
        await pair.server.lost.wait()

    play(with_pair(story))


def test_a_closed_listener_refuses_and_keeps_its_connections(play: Play) -> None:
    async def scenario(client_side: Network, server_side: Network, host: str) -> None:
        listener, first, server = await connected(client_side, server_side, host)
        await listener.close()
        with pytest.raises(OSError, match=r"."):
            await client_side.connect(host, listener.port, LinkOwner(client_side))
        first.link.send(b"still here")
        assert await server.has(10) == b"still here"
        first.link.abort()
        await server.lost.wait()

    play(scenario)


def test_the_peer_address_is_known(play: Play) -> None:
    async def story(pair: Pair) -> None:
        assert pair.client.link.peer_host
        assert pair.client.link.peer_port > 0
        assert pair.server.link.peer_port > 0

    play(with_pair(story))
