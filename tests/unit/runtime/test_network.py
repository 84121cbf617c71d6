"""Real sockets: order, slow readers, files."""

import asyncio
import logging
import os
import resource
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, cast

import pytest

from ottla.doors.disk import FileSlice
from ottla.runtime import network as network_module
from ottla.runtime import stream
from ottla.runtime.disk import OsDisk
from ottla.runtime.network import SocketNetwork
from ottla.runtime.stream import SocketStream

MIB = 1 << 20


class Sender(asyncio.BufferedProtocol):
    """The owner of a connection: hands its link to the test."""

    def __init__(self, network: SocketNetwork, connected: asyncio.Future[SocketStream]) -> None:
        self._network = network
        self._connected = connected
        self.link: SocketStream | None = None
        self.lost = asyncio.Event()

    def connection_made(self, transport: Any) -> None:
        self.link = cast(SocketStream, self._network.link(transport))
        self._connected.set_result(self.link)

    def get_buffer(self, sizehint: int) -> bytearray:
        return bytearray(4096)

    def buffer_updated(self, nbytes: int) -> None:
        pass

    def resume_writing(self) -> None:
        assert self.link is not None
        self.link.on_writable()

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost.set()


async def linked() -> tuple[SocketStream, asyncio.StreamReader, asyncio.StreamWriter]:
    network = SocketNetwork()
    connected: asyncio.Future[SocketStream] = asyncio.get_running_loop().create_future()
    listener = await network.listen("127.0.0.1", 0, lambda: Sender(network, connected))
    await listener.start()
    reader, writer = await asyncio.open_connection("127.0.0.1", listener.port)
    link = await connected
    await listener.close()
    return link, reader, writer


@pytest.mark.parametrize("has_sendfile", [True, False])
def test_bytes_and_files_arrive_in_order_at_a_slow_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_sendfile: bool
) -> None:
    monkeypatch.setattr(stream, "_SENDFILE_WORKS", has_sendfile)
    content = bytes(range(256)) * (64 * 1024)
    (tmp_path / "segment").write_bytes(content)

    async def story() -> bytes:
        link, reader, writer = await linked()
        file = OsDisk().open(str(tmp_path / "segment"), read_only=True)
        buffer = bytearray(b"head")
        link.send_parts([buffer, FileSlice(file, 0, 10 * MIB), b"middle", FileSlice(file, 10 * MIB, 6 * MIB)])
        buffer[:] = b"dead"
        assert link.unsent_size > 0, "16 MiB cannot fit into the socket's buffers"
        link.send(b"tail")
        expected_size = 4 + 10 * MIB + 6 + 6 * MIB + 4
        data = await reader.readexactly(expected_size)
        assert link.unsent_size == 0
        writer.close()
        return data

    assert asyncio.run(story()) == b"head" + content[: 10 * MIB] + b"middle" + content[10 * MIB :] + b"tail"


def test_what_was_queued_is_sent_before_the_connection_closes() -> None:
    async def story() -> int:
        link, reader, writer = await linked()
        for _ in range(64):
            link.send(b"x" * MIB)
        link.close()
        data = await reader.read(-1)
        writer.close()
        return len(data)

    assert asyncio.run(story()) == 64 * MIB


@pytest.mark.parametrize("in_parts", [False, True])
def test_a_large_response_is_not_copied_again_for_each_piece_that_goes_out(
    monkeypatch: pytest.MonkeyPatch, in_parts: bool
) -> None:
    copied = 0
    rest_of = stream._rest_of

    def counting(part: Any, sent: int) -> Any:
        nonlocal copied
        rest = rest_of(part, sent)
        assert not isinstance(rest, FileSlice)
        copied += len(rest)
        return rest

    monkeypatch.setattr(stream, "_rest_of", counting)

    async def story() -> int:
        link, reader, writer = await linked()
        if in_parts:
            link.send_parts([memoryview(bytearray(32 * MIB)), b"x" * 32 * MIB])
        else:
            link.send(bytearray(64 * MIB))
        data = await reader.readexactly(64 * MIB)
        writer.close()
        return len(data)

    assert asyncio.run(story()) == 64 * MIB
    assert copied < 64 * MIB


def test_a_reused_buffer_does_not_change_what_was_sent() -> None:
    async def story() -> bytes:
        link, reader, writer = await linked()
        buffer = bytearray(MIB)
        for number in range(32):
            buffer[:] = bytes([number]) * MIB
            link.send(buffer)
        link.close()
        data = await reader.read(-1)
        writer.close()
        return data

    assert asyncio.run(story()) == b"".join(bytes([number]) * MIB for number in range(32))


def test_a_file_that_ends_early_ends_the_connection(tmp_path: Path) -> None:
    (tmp_path / "short").write_bytes(b"12345")

    async def story() -> bytes:
        link, reader, writer = await linked()
        file = OsDisk().open(str(tmp_path / "short"), read_only=True)
        link.send_parts([FileSlice(file, 0, 100)])
        try:
            data = await reader.read(-1)
        except ConnectionError:
            data = b""
        writer.close()
        return data

    assert asyncio.run(story()) in (b"", b"12345")


@contextmanager
def no_descriptor_left() -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    taken: list[int] = []
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(map(int, os.listdir("/proc/self/fd"))) + 1, hard))
    try:
        with suppress(OSError):
            while True:
                taken.append(os.dup(0))
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        for descriptor in taken:
            os.close(descriptor)


def test_without_a_descriptor_for_it_a_connection_waits_and_is_taken_later(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Asking again and again at once would keep the processor busy."""
    monkeypatch.setattr(network_module, "_RETRY_S", 0.2)

    async def story() -> int:
        network = SocketNetwork()
        loop = asyncio.get_running_loop()
        connected: asyncio.Future[SocketStream] = loop.create_future()
        listener = await network.listen("127.0.0.1", 0, lambda: Sender(network, connected))
        await listener.start()
        client = socket.socket()
        client.setblocking(False)
        said = asyncio.Event()

        def notice(record: logging.LogRecord) -> bool:
            said.set()
            return True

        caplog.handler.addFilter(notice)
        with no_descriptor_left():
            await loop.sock_connect(client, ("127.0.0.1", listener.port))
            await said.wait()
            for _ in range(20):
                await asyncio.sleep(0)
            refusals = len(caplog.records)
        link = await connected
        link.abort()
        client.close()
        await listener.close()
        return refusals

    assert asyncio.run(story()) == 1


def test_connect_says_when_nobody_listens() -> None:
    async def story() -> bool:
        network = SocketNetwork()
        connected: asyncio.Future[SocketStream] = asyncio.get_running_loop().create_future()
        try:
            await network.connect("127.0.0.1", 1, Sender(network, connected))
        except OSError:
            return True
        return False

    assert asyncio.run(story())


class Reader(asyncio.BufferedProtocol):
    """An owner that keeps what it gets, or fails on it."""

    def __init__(self, network: SocketNetwork, *, fails: bool = False) -> None:
        self._network = network
        self._fails = fails
        self._buffer = bytearray(4096)
        self.link: Any = None
        self.got = b""
        self.changed = asyncio.Event()
        self.lost = asyncio.Event()

    def connection_made(self, transport: Any) -> None:
        self.link = self._network.link(transport)
        self.changed.set()

    def get_buffer(self, sizehint: int) -> bytearray:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        if self._fails:
            raise RuntimeError("a bug")
        self.got += self._buffer[:nbytes]
        self.changed.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost.set()


async def connected_to(owner: Reader, network: SocketNetwork) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    listener = await network.listen("127.0.0.1", 0, lambda: owner)
    await listener.start()
    pair = await asyncio.open_connection("127.0.0.1", listener.port)
    await asyncio.wait_for(owner.changed.wait(), 10)
    owner.changed.clear()
    await listener.close()
    return pair


def test_a_bug_in_one_owner_ends_only_its_connection() -> None:
    async def story() -> bytes:
        network = SocketNetwork()
        bad, good = Reader(network, fails=True), Reader(network)
        bad_reader, bad_writer = await connected_to(bad, network)
        _, good_writer = await connected_to(good, network)
        bad_writer.write(b"boom")
        await asyncio.wait_for(bad.lost.wait(), 10)
        assert await bad_reader.read(-1) == b""
        good_writer.write(b"still here")
        await asyncio.wait_for(good.changed.wait(), 10)
        bad_writer.close()
        good_writer.close()
        return good.got

    assert asyncio.run(story()) == b"still here"


def test_a_paused_stream_reads_nothing_until_it_goes_on() -> None:
    async def story() -> bytes:
        network = SocketNetwork()
        paused, other = Reader(network), Reader(network)
        _, writer = await connected_to(paused, network)
        _, other_writer = await connected_to(other, network)
        paused.link.pause_reading()
        writer.write(b"early")
        await writer.drain()
        # The other stream's event came later and has been served: the first one was not only slow.
        other_writer.write(b"x")
        await asyncio.wait_for(other.changed.wait(), 10)
        assert paused.got == b""
        paused.link.resume_reading()
        await asyncio.wait_for(paused.changed.wait(), 10)
        writer.close()
        other_writer.close()
        return paused.got

    assert asyncio.run(story()) == b"early"


def test_a_peer_that_hangs_up_is_noticed_once() -> None:
    async def story() -> bool:
        network = SocketNetwork()
        owner = Reader(network)
        _, writer = await connected_to(owner, network)
        writer.close()
        await asyncio.wait_for(owner.lost.wait(), 10)
        owner.link.send(b"too late")
        owner.link.abort()
        return True

    assert asyncio.run(story())
