"""Responses with parts of files: what goes out at once, and what a slow reader is sent later."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from ottla.doors.disk import FileSlice
from ottla.doors.network import BufferedOwner
from ottla.runtime.channel import Channel
from ottla.runtime.disk import OsDisk, OsFile
from ottla.runtime.network import SocketNetwork
from ottla.runtime.poller import Outbox, Watched
from ottla.runtime.stream import SocketStream

KIB = 1024
CONTENT = bytes(range(256)) * 4 * KIB


class WatchingPoller:
    """Notes what it is asked for; the test says when a socket is ready."""

    def __init__(self) -> None:
        self.outbox = Outbox()
        self.watched: list[str] = []

    def watch(self, stream: Watched, *, reads: bool, writes: bool) -> None:
        self.watched.append(("reads " if reads else "") + ("writes" if writes else ""))


class Owner(asyncio.BufferedProtocol):
    def __init__(self) -> None:
        self.notes: list[str] = []

    def connection_made(self, transport: Any) -> None:
        pass

    def get_buffer(self, sizehint: int) -> bytearray:
        return bytearray(sizehint)

    def pause_writing(self) -> None:
        self.notes.append("paused")

    def connection_lost(self, exc: Exception | None) -> None:
        self.notes.append("lost" if exc is None else type(exc).__name__)


class Pair:
    """A stream of ours and the socket at its other end."""

    def __init__(self, owner: BufferedOwner | None = None) -> None:
        ours, self.peer = socket.socketpair()
        ours.setblocking(False)
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 64 * KIB)
        self.peer.setblocking(False)
        self.poller = WatchingPoller()
        self.owner = Owner()
        self.stream = SocketStream(ours, owner or self.owner, self.poller)
        self.stream.start()

    def received(self) -> bytes:
        """What is there for the peer now."""
        data = b""
        try:
            while chunk := self.peer.recv(1 << 20):
                data += chunk
        except BlockingIOError:
            pass
        return data

    def read_all(self) -> bytes:
        """The peer reads, and the stream is told of the room, until nothing is left."""
        data = self.received()
        while self.stream.unsent_size:
            self.stream.on_writable()
            data += self.received()
        return data


def run(
    story: Callable[[Pair], Awaitable[None]], make_owner: Callable[[], BufferedOwner | None] = lambda: None
) -> None:
    async def with_pair() -> None:
        pair = Pair(make_owner())
        try:
            await story(pair)
        finally:
            pair.stream.abort()
            await asyncio.sleep(0)
            pair.peer.close()

    asyncio.run(with_pair())


@pytest.fixture
def file(tmp_path: Path) -> OsFile:
    (tmp_path / "segment").write_bytes(CONTENT)
    return OsDisk().open(str(tmp_path / "segment"), read_only=True)


def test_what_the_peer_takes_at_once_is_not_watched(file: OsFile) -> None:
    async def story(pair: Pair) -> None:
        pair.stream.send_parts([b"head", FileSlice(file, 7, 20 * KIB), b"tail"])

        assert pair.received() == b"head" + CONTENT[7 : 7 + 20 * KIB] + b"tail"
        assert (pair.stream.unsent_size, pair.poller.watched, pair.owner.notes) == (0, ["reads "], [])

    run(story)


def test_a_slow_reader_is_watched_once_and_gets_the_rest_in_order(file: OsFile) -> None:
    async def story(pair: Pair) -> None:
        head = bytearray(b"head")
        pair.stream.send_parts([head, FileSlice(file, 0, 600 * KIB), b"middle", FileSlice(file, 9, 300 * KIB), b"tail"])
        head[:] = b"dead"
        assert pair.stream.unsent_size > 0
        assert pair.stream.held_size == len(b"middle" + b"tail"), "parts of files take no memory"

        data = pair.read_all()

        assert data == b"head" + CONTENT[: 600 * KIB] + b"middle" + CONTENT[9 : 9 + 300 * KIB] + b"tail"
        assert pair.poller.watched == ["reads ", "reads writes", "reads "]
        assert pair.owner.notes == ["paused"]

    run(story)


def test_a_peer_that_takes_nothing_is_not_asked_again_and_again(file: OsFile) -> None:
    async def story(pair: Pair) -> None:
        pair.stream.send_parts([FileSlice(file, 0, 900 * KIB)])
        unsent_size = pair.stream.unsent_size

        pair.stream.on_writable()
        pair.stream.on_writable()

        assert pair.stream.unsent_size == unsent_size
        assert pair.poller.watched == ["reads ", "reads writes"]

    run(story)


def test_what_follows_a_response_in_progress_waits_behind_it(file: OsFile) -> None:
    async def story(pair: Pair) -> None:
        pair.stream.send_parts([FileSlice(file, 0, 500 * KIB)])
        pair.stream.send(b"next")
        pair.stream.send_parts([b"<", FileSlice(file, 3, 10), b">"])

        assert pair.read_all() == CONTENT[: 500 * KIB] + b"next" + b"<" + CONTENT[3:13] + b">"

    run(story)


def test_only_the_poller_ends_the_pause_of_an_owner() -> None:
    """A peer that reads a little makes room for `send`, but not enough for the poller to report it."""

    async def story(pair: Pair) -> None:
        part = b"x" * 20 * KIB
        count = 1
        pair.stream.send_parts([part])
        while not pair.owner.notes:
            pair.stream.send_parts([part])
            count += 1
        received = pair.received()
        before = pair.stream.unsent_size

        pair.stream.send_parts([part])

        assert (pair.stream.unsent_size, pair.poller.watched[-1]) == (before + len(part), "reads writes")
        received += pair.read_all()
        assert len(received) == (count + 1) * len(part)
        assert pair.poller.watched[-1] == "reads "

    run(story)


def test_a_channel_has_room_when_the_peer_has_taken_everything() -> None:
    """Not when it has taken a part: whoever expects no responses would send more and more."""

    def channel() -> Channel:
        return Channel(SocketNetwork(), client_id=None, request_timeout_ms=1000, max_frame_bytes=1000, login=None)

    async def story(pair: Pair) -> None:
        owner = pair.stream._owner
        assert isinstance(owner, Channel)
        pair.stream.send(b"x" * 1000 * KIB)
        assert owner.is_clogged

        pair.received()
        pair.stream.on_ready_to_write()
        assert pair.stream.unsent_size > 0
        assert owner.is_clogged

        while pair.stream.unsent_size:
            pair.received()
            pair.stream.on_ready_to_write()
        assert not owner.is_clogged

    run(story, channel)


def test_nothing_follows_a_response_that_could_not_be_sent(tmp_path: Path) -> None:
    (tmp_path / "short").write_bytes(b"short")
    short = OsDisk().open(str(tmp_path / "short"), read_only=True)

    async def story(pair: Pair) -> None:
        pair.stream.send_parts([b"head of the first", FileSlice(short, 100, 100_000)])
        pair.stream.send_parts([b"head of the second", b"x" * 20 * KIB])

        assert b"second" not in pair.received()
        assert pair.stream.unsent_size == 0

    run(story)


def test_a_stream_that_is_aborted_has_sent_what_waited_for_the_end_of_its_round() -> None:
    async def story(pair: Pair) -> None:
        pair.poller.outbox.is_open = True
        pair.stream.send(b"first,")
        pair.stream.send(b"second")

        pair.stream.abort()
        pair.poller.outbox.close()

        assert pair.received() == b"first,second"

    run(story)


def test_an_empty_part_is_nothing(file: OsFile) -> None:
    async def story(pair: Pair) -> None:
        pair.stream.send_parts([b"", FileSlice(file, 5, 0), b"x" * 20 * KIB, FileSlice(file, 0, 0), b""])

        assert pair.received() == b"x" * 20 * KIB
        assert pair.stream.unsent_size == 0

    run(story)


def test_a_stream_that_closes_sends_the_rest_of_a_file_first(file: OsFile) -> None:
    async def story(pair: Pair) -> None:
        pair.stream.send_parts([FileSlice(file, 0, 800 * KIB)])
        pair.stream.close()
        assert "lost" not in pair.owner.notes

        data = pair.read_all()
        await asyncio.sleep(0)

        assert data == CONTENT[: 800 * KIB]
        assert pair.owner.notes == ["paused", "lost"]

    run(story)


def test_a_file_that_ends_before_its_part_ends_the_connection(file: OsFile) -> None:
    async def story(pair: Pair) -> None:
        pair.stream.send_parts([b"head", FileSlice(file, len(CONTENT) - 10, 20 * KIB)])
        pair.stream.on_writable()
        await asyncio.sleep(0)

        assert pair.owner.notes == ["paused", "OSError"]

    run(story)
