"""Bytes of one connection on their way to whole frames. A frame is a view of the buffer and not a copy of it.

Whoever holds a view (the records of a fetch response) keeps the memory: the buffer is used again only when no view of
it is left, otherwise a new one takes its place. So a large response costs no copy, and its memory is reused as soon as
its records have been read.
"""

import struct
from typing import Final

from ottla.model.errors import RemoteProtocolError

_SIZE = struct.Struct(">i")
_SMALL_BUFFER_BYTES: Final = 64 * 1024
#: A frame up to this size gets its memory at once; a larger one as its bytes arrive, whatever size it announces.
_TRUSTED_BYTES: Final = 8 * 1024 * 1024
#: Below this room it is not worth to receive into the end of a buffer.
_LITTLE_ROOM_BYTES: Final = 4 * 1024


class FrameBuffer:
    """Owned by one connection: `free` is filled by the network, `filled` reports it, `next_frame` takes frames out."""

    __slots__ = ("_buffer", "_end", "_max_frame_bytes", "_start")

    def __init__(self, max_frame_bytes: int) -> None:
        self._max_frame_bytes = max_frame_bytes
        self._buffer = bytearray(_SMALL_BUFFER_BYTES)
        self._start = 0
        self._end = 0

    def free(self) -> memoryview:
        """Where the next bytes go; never empty."""
        if self._start == self._end:
            self._begin_again()
        elif self._wanted_bytes() > len(self._buffer) - self._start:
            self._move_rest()
        return memoryview(self._buffer)[self._end :]

    def filled(self, byte_count: int) -> None:
        self._end += byte_count

    def next_frame(self) -> memoryview | None:
        """The next whole frame without its size. Raises RemoteProtocolError for a size that cannot be."""
        received = self._end - self._start
        if received < 4:
            return None
        (size,) = _SIZE.unpack_from(self._buffer, self._start)
        if not 4 <= size <= self._max_frame_bytes:
            raise RemoteProtocolError(f"a frame of {size} bytes; at most {self._max_frame_bytes} are allowed")
        if received < 4 + size:
            return None
        begin = self._start + 4
        self._start = begin + size
        return memoryview(self._buffer)[begin : self._start].toreadonly()

    def _wanted_bytes(self) -> int:
        """Bytes from the start of the frame in progress to its end, as far as its size is known."""
        if self._end - self._start < 4:
            return _LITTLE_ROOM_BYTES
        (size,) = _SIZE.unpack_from(self._buffer, self._start)
        return 4 + int(size)

    def _begin_again(self) -> None:
        if not self._end:
            return
        if self._is_unused():
            self._start = self._end = 0
        elif len(self._buffer) - self._end < _LITTLE_ROOM_BYTES:
            self._buffer = bytearray(_SMALL_BUFFER_BYTES)
            self._start = self._end = 0

    def _move_rest(self) -> None:
        """Moves the frame in progress to where it has room."""
        received = self._end - self._start
        wanted = min(self._wanted_bytes(), max(_TRUSTED_BYTES, 2 * received))
        rest = self._buffer[self._start : self._end]
        if wanted > len(self._buffer) or not self._is_unused():
            self._buffer = bytearray(max(_SMALL_BUFFER_BYTES, wanted))
        self._buffer[:received] = rest
        self._start, self._end = 0, received

    def _is_unused(self) -> bool:
        """Whether no view of the buffer is left: Python refuses to resize a bytearray while there is one."""
        try:
            self._buffer.append(self._buffer.pop())
        except BufferError:
            return False
        return True
