"""Cuts, clogs, resets, slow paths and dead machines on the simulated network."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from ottla.sim.network import SimNet, SimNetwork
from ottla.sim.process import SimProcess
from ottla.sim.rng import SimRng
from ottla.sim.world import SimWorld
from tests.support.link_owner import LinkOwner
from tests.support.simulated_story import told
from tests.support.virtual_time import time_passes


class Scene:
    """A client connected to a server."""

    def __init__(self, world: SimWorld) -> None:
        self.world = world
        self.net: SimNet = world.net
        self.server_process = SimProcess("server", world.loop)
        self.client_network = SimNetwork(self.net, "client", SimProcess("client", world.loop))
        self.server_network = SimNetwork(self.net, "server", self.server_process)
        self.client = LinkOwner(self.client_network)
        self.server = LinkOwner(self.server_network)

    async def connect(self) -> None:
        listener = await self.server_network.listen("", 1, lambda: self.server)
        await listener.start()
        await self.client_network.connect("server", 1, self.client)
        await self.server.made.wait()


def play(story: Callable[[Scene], Awaitable[None]], seeds: int = 10) -> None:
    async def whole(world: SimWorld) -> None:
        scene = Scene(world)
        await scene.connect()
        await story(scene)

    told(whole, seeds=range(seeds), within_s=86_400)


def test_a_one_way_cut_holds_one_direction_until_it_heals() -> None:
    async def story(scene: Scene) -> None:
        scene.net.cut("client", "server")
        scene.client.link.send(b"question")
        scene.server.link.send(b"news")
        await time_passes(5)
        assert scene.client.received == b"news"
        assert scene.server.received == b""

        scene.net.heal()

        assert await scene.server.has(8) == b"question"

    play(story)


def test_nobody_connects_through_a_cut() -> None:
    async def story(scene: Scene) -> None:
        scene.net.cut("server", "client")
        with pytest.raises(TimeoutError):
            await scene.client_network.connect("server", 1, LinkOwner(scene.client_network))

    play(story, seeds=2)


def test_a_clogged_path_delivers_late() -> None:
    async def story(scene: Scene) -> None:
        scene.net.clog("client", "server")
        scene.client.link.send(b"late")
        await time_passes(100)
        assert scene.server.received == b""
        scene.net.heal()
        assert await scene.server.has(4) == b"late"

    play(story)


def test_a_connection_that_is_closed_with_unread_bytes_is_reset() -> None:
    """As by a real kernel: a peer that waits for its window to open would wait forever."""

    async def story(scene: Scene) -> None:
        scene.server.link.pause_reading()
        scene.client.link.send(b"nobody reads this")
        await time_passes(5)

        scene.server.link.close()

        await scene.client.lost.wait()
        assert isinstance(scene.client.error, ConnectionResetError)
        assert not scene.client.saw_end

    play(story)


def test_a_reset_delivers_a_prefix_and_ends_both_sides() -> None:
    lengths: set[int] = set()

    async def story(scene: Scene) -> None:
        sent = bytes(range(256)) * 4
        for start in range(0, 1024, 64):
            scene.client.link.send(sent[start : start + 64])
        for connection in list(scene.net.connections.values()):
            connection.reset()
        await scene.client.lost.wait()
        await scene.server.lost.wait()
        assert sent.startswith(scene.server.received)
        assert isinstance(scene.server.error, ConnectionResetError)
        lengths.add(len(scene.server.received))

    play(story, seeds=20)

    assert len(lengths) > 3


def test_the_peer_of_a_killed_process_sees_its_end() -> None:
    async def story(scene: Scene) -> None:
        scene.server.link.send(b"last words")
        scene.server_process.kill()
        await scene.client.lost.wait()
        assert b"last words".startswith(scene.client.received)
        with pytest.raises(ConnectionRefusedError):
            await scene.client_network.connect("server", 1, LinkOwner(scene.client_network))

    play(story)


def test_what_a_process_sends_arrives_after_its_death() -> None:
    async def speak_and_die(scene: Scene) -> None:
        scene.server.link.send(b"last words")
        scene.server.link.close()
        scene.server_process.kill()

    async def story(scene: Scene) -> None:
        scene.server_process.run(speak_and_die(scene))
        await scene.client.lost.wait()
        assert scene.client.received == b"last words"
        assert scene.client.saw_end

    play(story)


def test_a_machine_without_power_says_nothing_until_it_is_back() -> None:
    async def story(scene: Scene) -> None:
        scene.net.machine_lost("server")
        scene.server_process.kill()
        scene.client.link.send(b"anybody there?")
        await time_passes(30)
        assert not scene.client.lost.is_set()

        scene.net.machine_back("server")

        await scene.client.lost.wait()
        assert isinstance(scene.client.error, ConnectionResetError)

    play(story)


def test_a_slow_path_takes_its_time() -> None:
    async def story(scene: Scene) -> None:
        scene.net.slow_down("client", "server", bytes_per_ms=10)
        began = asyncio.get_running_loop().time()
        scene.client.link.send(b"x" * 10_000)
        await scene.server.has(10_000)
        assert asyncio.get_running_loop().time() - began >= 1.0

    play(story)


def test_bytes_to_a_closed_end_come_back_as_a_reset() -> None:
    async def story(scene: Scene) -> None:
        scene.net.clog("server", "client")
        scene.server.link.close()
        await scene.server.lost.wait()
        scene.client.link.send(b"too late")
        await scene.client.lost.wait()
        assert isinstance(scene.client.error, ConnectionResetError)

    play(story)


def test_streams_are_chopped() -> None:
    pieces: list[int] = []

    class Counting(LinkOwner):
        def buffer_updated(self, nbytes: int) -> None:
            pieces.append(nbytes)
            super().buffer_updated(nbytes)

    async def story(scene: Scene) -> None:
        scene.server.__class__ = Counting
        scene.client.link.send(b"abcdefgh" * 10)
        await scene.server.has(80)

    play(story, seeds=20)

    assert len(pieces) > 22


def test_the_same_seed_gives_the_same_digest() -> None:
    def digest(seed: int) -> str:
        async def whole(world: SimWorld) -> None:
            scene = Scene(world)
            await scene.connect()
            scene.client.link.send(b"x" * 100_000)
            scene.net.reset_connections("server", SimRng(seed))
            await time_passes(1)

        with SimWorld(seed) as world:
            world.run(whole(world))
            return world.trace.digest

    assert digest(1) == digest(1)
    assert digest(1) != digest(2)
