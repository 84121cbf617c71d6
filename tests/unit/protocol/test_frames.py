"""Frames are cut out of what a connection has received."""

import pytest

from ottla.protocol.frames import FrameBuffer, WrongFrameSize


def a_buffer(size: int = 64) -> FrameBuffer:
    return FrameBuffer(bytearray(size), 4, 100)


def receive(frames: FrameBuffer, data: bytes) -> None:
    frames.view[frames.end : frames.end + len(data)] = data
    frames.end += len(data)


def taken(frames: FrameBuffer) -> list[bytes]:
    found = []
    while (frame := frames.next_frame()) is not None:
        found.append(bytes(frame))
    return found


def test_whole_frames_are_taken_in_order_and_a_part_waits() -> None:
    frames = a_buffer()

    receive(frames, b"\0\0\0\4abcd\0\0\0\5efghi\0\0\0\4jk")

    assert taken(frames) == [b"abcd", b"efghi"]
    assert frames.waiting_size == 6

    receive(frames, b"lm")
    assert taken(frames) == [b"jklm"]
    assert frames.waiting_size == 0


@pytest.mark.parametrize("size", [b"\xff\xff\xff\xff", b"\0\0\0\3", b"\0\0\0\x65"])
def test_a_size_outside_the_limits_is_refused(size: bytes) -> None:
    frames = a_buffer()
    receive(frames, size)

    with pytest.raises(WrongFrameSize, match="allowed are 4 to 100"):
        frames.next_frame()


def test_what_is_left_moves_to_the_front() -> None:
    frames = a_buffer(16)
    receive(frames, b"\0\0\0\4abcd\0\0\0\4efgh")
    assert frames.is_full
    frames.next_frame()

    frames.compact()

    assert (frames.start, frames.end, frames.is_full) == (0, 8, False)
    assert taken(frames) == [b"efgh"]


def test_what_is_left_moves_into_a_larger_buffer() -> None:
    frames = a_buffer(10)
    receive(frames, b"\0\0\0\4abcd\0\0")
    frames.next_frame()

    frames.grow(bytearray(50))
    receive(frames, b"\0\4efgh")

    assert len(frames.view) == 50
    assert taken(frames) == [b"efgh"]
