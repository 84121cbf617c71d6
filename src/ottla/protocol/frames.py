"""Frames: messages with their size in front, cut out of what a connection has received."""

from __future__ import annotations

import struct
from mmap import mmap
from typing import Final

from ottla.model.errors import RemoteProtocolError

#: A request has an api key, a version and a correlation id.
MIN_REQUEST_SIZE: Final = 8
_SIZE: Final = struct.Struct(">i")
_read_size = _SIZE.unpack_from


class WrongFrameSize(RemoteProtocolError):
    """The size in front of a frame is impossible, or above the limit: what follows cannot be parsed."""

    def __init__(self, size: int, size_min: int, size_max: int) -> None:
        super().__init__(f"frame of {size} bytes, allowed are {size_min} to {size_max}")


class FrameBuffer:
    """The receive buffer of one connection. Received and not taken yet are the bytes from `start` to `end`.

    A frame is a view into the buffer: whoever takes one is done with it before the buffer is compacted, replaced or
    filled again from its beginning.
    """

    __slots__ = ("_size_min", "buffer", "end", "size", "size_max", "start", "view")

    def __init__(self, buffer: bytearray | mmap, size_min: int, size_max: int) -> None:
        self._size_min = size_min
        self.size_max = size_max
        self.use(buffer, 0)

    def use(self, buffer: bytearray | mmap, filled: int) -> None:
        """Replaces the buffer; the first `filled` bytes of the new one are those that were waiting."""
        self.buffer = buffer
        self.view = memoryview(buffer)
        self.size = len(buffer)
        self.start, self.end = 0, filled

    def next_frame(self) -> memoryview | None:
        """The next whole frame, without its size, or None. Raises WrongFrameSize."""
        start = self.start
        first = start + 4
        if self.end < first:
            return None
        view = self.view
        (size,) = _read_size(view, start)
        if size < self._size_min or size > self.size_max:
            raise WrongFrameSize(size, self._size_min, self.size_max)
        stop: int = first + size
        if self.end < stop:
            return None
        self.start = stop
        return view[first:stop]

    @property
    def waiting_size(self) -> int:
        return self.end - self.start

    @property
    def announced_size(self) -> int:
        """Of the next frame, which may not be here yet, and not checked; 0 when it is not known."""
        return _read_size(self.view, self.start)[0] if self.waiting_size >= _SIZE.size else 0

    @property
    def is_full(self) -> bool:
        return self.end == self.size

    def compact(self) -> None:
        """Moves what is left to the front."""
        left = self.end - self.start
        self.view[:left] = self.view[self.start : self.end]
        self.start, self.end = 0, left

    def grow(self, fresh: bytearray | mmap) -> None:
        """Moves what is left into a larger buffer."""
        left = self.end - self.start
        fresh[:left] = self.view[self.start : self.end]
        self.use(fresh, left)
