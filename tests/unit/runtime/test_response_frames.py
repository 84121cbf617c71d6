"""Frames out of received bytes: whole, uncopied, and never from memory that somebody still reads."""

import struct

import pytest

from ottla.model.errors import RemoteProtocolError
from ottla.runtime.response_frames import ResponseFrames

MAX_BYTES = 32 * 1024 * 1024


def receive(buffer: ResponseFrames, data: bytes) -> list[memoryview]:
    """As a network fills it: as much as fits, each time."""
    frames = []
    while data:
        free = buffer.free()
        count = min(len(free), len(data))
        free[:count] = data[:count]
        del free
        buffer.filled(count)
        data = data[count:]
        while (frame := buffer.next_frame()) is not None:
            frames.append(frame)
    return frames


def frame_of(content: bytes) -> bytes:
    return struct.pack(">i", len(content)) + content


def test_frames_that_arrive_together_are_taken_one_by_one() -> None:
    frames = receive(ResponseFrames(MAX_BYTES), frame_of(b"first") + frame_of(b"second"))

    assert [bytes(frame) for frame in frames] == [b"first", b"second"]


@pytest.mark.parametrize("size", [70_000, 1_000_000, 9_000_000, 20_000_000])
def test_a_large_frame_arrives_whole(size: int) -> None:
    content = bytes(range(250)) * (size // 250)

    frames = receive(ResponseFrames(MAX_BYTES), frame_of(b"small") + frame_of(content) + frame_of(b"after"))

    assert [bytes(frame) for frame in frames] == [b"small", content, b"after"]


def test_a_frame_that_is_kept_does_not_change() -> None:
    buffer = ResponseFrames(MAX_BYTES)
    kept = receive(buffer, frame_of(b"kept" * 10_000))

    for number in range(200):
        receive(buffer, frame_of(bytes([number % 256]) * 5_000))

    assert bytes(kept[0]) == b"kept" * 10_000


def test_memory_is_used_again_when_nobody_reads_it() -> None:
    buffer = ResponseFrames(MAX_BYTES)
    receive(buffer, frame_of(bytes(1_000_000)))
    before = len(buffer.free())

    for _ in range(5):
        receive(buffer, frame_of(bytes(1_000_000)))

    assert len(buffer.free()) == before


def test_a_frame_cannot_be_written_to() -> None:
    (frame,) = receive(ResponseFrames(MAX_BYTES), frame_of(b"data"))

    assert frame.readonly


@pytest.mark.parametrize("size", [-1, 3, MAX_BYTES + 1])
def test_an_impossible_size_is_refused_before_memory_is_taken(size: int) -> None:
    with pytest.raises(RemoteProtocolError, match=f"frame of {size} bytes"):
        receive(ResponseFrames(MAX_BYTES), struct.pack(">i", size))
