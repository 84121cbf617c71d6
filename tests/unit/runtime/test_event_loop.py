"""The loop with its own selector behaves as asyncio's: timers, callbacks, files, threads, signals."""

import asyncio
import contextlib
import os
import signal
import socket
import sys
from collections.abc import Coroutine
from functools import partial
from typing import Any

import pytest

from ottla.runtime.event_loop import new_event_loop, poller_of
from ottla.runtime.network import SocketNetwork
from ottla.runtime.poller import SENT_TOGETHER, LoopPoller, Poller
from ottla.runtime.stream import SocketStream


def run(story: Coroutine[Any, Any, Any]) -> Any:
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        return runner.run(asyncio.wait_for(story, 20))


class Echo:
    """Sends back what it gets; counts what happens to it."""

    def __init__(self) -> None:
        self.link: SocketStream | None = None
        self.buffer = bytearray(4096)
        self.on_data: Any = None
        self.on_sent: Any = None
        self.lost = asyncio.Event()

    def connection_made(self, transport: Any) -> None:
        self.link = transport

    def get_buffer(self, sizehint: int) -> bytearray:
        return self.buffer

    def buffer_updated(self, nbytes: int) -> None:
        assert self.link is not None
        if self.on_data is not None:
            self.on_data()
        self.link.send(memoryview(self.buffer)[:nbytes])
        if self.on_sent is not None:
            self.on_sent()

    def eof_received(self) -> None:
        pass

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost.set()

    def pause_writing(self) -> None:
        pass

    def resume_writing(self) -> None:
        assert self.link is not None
        self.link.on_writable()


def pair(poller: Poller | None = None) -> tuple[Echo, socket.socket]:
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    theirs.setblocking(False)
    owner = Echo()
    SocketStream(ours, owner, poller or poller_of(asyncio.get_running_loop())).start()
    return owner, theirs


async def ask(theirs: socket.socket, text: bytes) -> bytes:
    loop = asyncio.get_running_loop()
    await loop.sock_sendall(theirs, text)
    return await loop.sock_recv(theirs, 4096)


@pytest.mark.parametrize("kind", ["own", "any loop"])
def test_a_stream_answers_and_ends(kind: str) -> None:
    async def story() -> None:
        loop = asyncio.get_running_loop()
        owner, theirs = pair(LoopPoller(loop) if kind == "any loop" else None)
        assert await ask(theirs, b"one") == b"one"
        assert await ask(theirs, b"two") == b"two"
        theirs.close()
        await owner.lost.wait()

    run(story())


def test_a_callback_made_by_a_stream_runs_while_the_stream_stays_busy() -> None:
    """The selector serves streams by itself: it must not forget the loop over them."""

    async def story() -> int:
        loop = asyncio.get_running_loop()
        first, first_theirs = pair()
        second, _second_theirs = pair()
        done = asyncio.Event()
        rounds = 0

        def once_more() -> None:
            # Keeps its own socket readable for ever.
            nonlocal rounds
            rounds += 1
            if not done.is_set():
                first_theirs.send(b"x")
            if rounds == 10:
                loop.call_soon(done.set)

        first.on_data = once_more
        first_theirs.send(b"x")
        await done.wait()
        assert second.link is not None
        return rounds

    assert run(story()) >= 10


def arrived(theirs: socket.socket) -> bytes:
    """What has been sent to it by now."""
    try:
        return theirs.recv(65_536)
    except BlockingIOError:
        return b""


@pytest.mark.skipif(sys.platform != "linux", reason="other loops call each stream by itself")
def test_small_responses_of_one_round_are_sent_a_few_at_a_time() -> None:
    async def story() -> None:
        streams = [pair() for _ in range(SENT_TOGETHER + 2)]
        sent_before: list[list[bytes]] = []
        served = asyncio.Event()

        def note() -> None:
            sent_before.append([arrived(each) for _, each in streams])
            if len(sent_before) == len(streams):
                served.set()

        for owner, theirs in streams:
            owner.on_data = note
            theirs.send(b"x")
        await served.wait()
        assert [sum(map(len, seen)) for seen in sent_before] == [0] * SENT_TOGETHER + [SENT_TOGETHER, 0]
        assert sum(len(arrived(theirs)) for _, theirs in streams) == 2

    run(story())


@pytest.mark.skipif(sys.platform != "linux", reason="other loops call each stream by itself")
def test_no_response_waits_for_a_large_request() -> None:
    async def story() -> None:
        _, small_theirs = pair()
        large, large_theirs = pair()
        large.buffer = bytearray(65_536)
        sent_before: asyncio.Queue[bytes] = asyncio.Queue()
        large.on_data = lambda: sent_before.put_nowait(arrived(small_theirs))
        small_theirs.send(b"small")
        large_theirs.send(bytes(40_000))
        assert await sent_before.get() == b"small"

    run(story())


@pytest.mark.skipif(sys.platform != "linux", reason="other loops call each stream by itself")
def test_a_bug_met_while_responses_are_sent_together_ends_its_connection_only() -> None:
    async def story() -> bytes:
        broken, broken_theirs = pair()
        _, theirs = pair()
        assert broken.link is not None
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(broken.link.descriptor, bytes(65_536))
        # Asked to pause, because its peer does not read.
        broken.pause_writing = lambda: 1 // 0  # type: ignore[method-assign,assignment]
        broken_theirs.send(b"x")
        theirs.send(b"y")
        await broken.lost.wait()
        return arrived(theirs)

    assert run(story()) == b"y"


def test_responses_keep_their_order_and_are_sent_before_the_end() -> None:
    async def story() -> list[bytes]:
        streams = [pair() for _ in range(3)]

        def respond_twice(link: SocketStream) -> None:
            link.send(bytearray(b"one"))
            link.send(bytearray(b"two"))

        for owner, theirs in streams:
            assert owner.link is not None
            owner.on_data = partial(respond_twice, owner.link)
            owner.on_sent = owner.link.close
            theirs.send(b"three")
        for owner, _ in streams:
            await owner.lost.wait()
        return [arrived(theirs) for _, theirs in streams]

    assert run(story()) == [b"onetwothree"] * 3


def test_a_timer_fires_while_a_stream_stays_busy() -> None:
    async def story() -> bool:
        owner, theirs = pair()
        done = asyncio.Event()

        def once_more() -> None:
            if not done.is_set():
                theirs.send(b"x")

        owner.on_data = once_more
        asyncio.get_running_loop().call_later(0.02, done.set)
        theirs.send(b"x")
        await done.wait()
        return True

    assert run(story())


def test_threads_and_signals_wake_the_loop() -> None:
    async def story() -> str:
        loop = asyncio.get_running_loop()
        heard = asyncio.Event()
        loop.add_signal_handler(signal.SIGUSR1, heard.set)
        await asyncio.to_thread(os.kill, os.getpid(), signal.SIGUSR1)
        await heard.wait()
        loop.remove_signal_handler(signal.SIGUSR1)
        return await asyncio.to_thread(lambda: "from a thread")

    assert run(story()) == "from a thread"


def test_ordinary_asyncio_streams_work_beside_ours() -> None:
    async def story() -> bytes:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(await reader.readexactly(5) * 100_000)
            await writer.drain()
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"hello")
        got = await reader.read(-1)
        writer.close()
        server.close()
        return got

    assert run(story()) == b"hello" * 100_000


@pytest.mark.skipif(sys.platform != "linux", reason="the selector is made of epoll")
def test_the_own_loop_is_used_where_it_can_be() -> None:
    async def story() -> bool:
        return isinstance(poller_of(asyncio.get_running_loop()), LoopPoller)

    assert not run(story())
    assert asyncio.run(story())


def test_a_network_serves_on_the_own_loop() -> None:
    async def story() -> bytes:
        network = SocketNetwork()
        listener = await network.listen("127.0.0.1", 0, Echo)
        await listener.start()
        reader, writer = await asyncio.open_connection("127.0.0.1", listener.port)
        writer.write(b"ping")
        got = await reader.readexactly(4)
        writer.close()
        await listener.close()
        return got

    assert run(story()) == b"ping"
