"""The responses of one connection on their way to whole frames. A frame is a view of the buffer and not a copy of it.

Whoever holds a view (the records of a fetch response) keeps the memory: the buffer is used again only when no view of
it is left, otherwise a new one takes its place. So a large response costs no copy, and its memory is reused as soon as
its records have been read.
"""

from typing import Final

from ottla.protocol.frames import FrameBuffer

#: A correlation id.
_MIN_RESPONSE_SIZE: Final = 4
_SMALL_BUFFER_BYTES: Final = 64 * 1024
#: A frame up to this size gets its memory at once; a larger one as its bytes arrive, whatever size it announces.
_TRUSTED_BYTES: Final = 8 * 1024 * 1024
#: Below this room it is not worth to receive into the end of a buffer.
_LITTLE_ROOM_BYTES: Final = 4 * 1024


class ResponseFrames:
    """Owned by one connection: `free` is filled by the network, `filled` reports it, `next_frame` takes frames out."""

    __slots__ = ("_buffer", "_frames")

    def __init__(self, max_frame_bytes: int) -> None:
        self._buffer = bytearray(_SMALL_BUFFER_BYTES)
        self._frames = FrameBuffer(self._buffer, _MIN_RESPONSE_SIZE, max_frame_bytes)

    def free(self) -> memoryview:
        """Where the next bytes go; never empty."""
        frames = self._frames
        if frames.start == frames.end:
            self._begin_again()
        elif self._wanted_bytes() > frames.size - frames.start:
            self._move_rest()
        return frames.view[frames.end :]

    def filled(self, byte_count: int) -> None:
        self._frames.end += byte_count

    def next_frame(self) -> memoryview | None:
        """The next whole frame without its size. Raises RemoteProtocolError for a size that cannot be."""
        frame = self._frames.next_frame()
        return None if frame is None else frame.toreadonly()

    def _wanted_bytes(self) -> int:
        """From the start of the frame in progress to its end, as far as its size is known."""
        return max(_LITTLE_ROOM_BYTES, 4 + self._frames.announced_size)

    def _begin_again(self) -> None:
        frames = self._frames
        if not frames.end:
            return
        if self._is_unused():
            frames.start = frames.end = 0
        elif frames.size - frames.end < _LITTLE_ROOM_BYTES:
            self._buffer = bytearray(_SMALL_BUFFER_BYTES)
            frames.use(self._buffer, 0)

    def _move_rest(self) -> None:
        """Moves the frame in progress to where it has room."""
        frames = self._frames
        wanted = min(self._wanted_bytes(), max(_TRUSTED_BYTES, 2 * frames.waiting_size))
        if wanted <= frames.size:
            if not frames.start:
                # It has as much as it may have for now.
                return
            if self._is_unused():
                frames.compact()
                return
        self._buffer = bytearray(max(_SMALL_BUFFER_BYTES, wanted))
        frames.grow(self._buffer)

    def _is_unused(self) -> bool:
        """Whether no view of the buffer is left: Python refuses to resize a bytearray while there is one."""
        frames = self._frames
        frames.view.release()
        try:
            self._buffer.append(self._buffer.pop())
        except BufferError:
            return False
        finally:
            frames.view = memoryview(self._buffer)
        return True
