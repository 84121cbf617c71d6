"""What a connection has received and not yet worked on, and the lanes that answer most of it.

The compiled twin also answers by itself what goes the short way: see `_quick_inbox.pyx` and ADR 0022.
"""

from __future__ import annotations

from mmap import mmap
from typing import TYPE_CHECKING

from ottla.broker.produce_lane import ENVELOPE_POSITION, MOST_LANES
from ottla.twins import compiled_twin

if TYPE_CHECKING:
    from ottla.broker.produce_lane import ProduceLane


class Inbox:
    """Owned by a connection. Received and not worked on are the bytes from `start` to `end`."""

    __slots__ = (
        "_envelope_end",
        "_lanes",
        "buffer",
        "end",
        "frame_limit",
        "is_active",
        "is_busy",
        "is_closed",
        "is_congested",
        "start",
        "view",
    )

    def __init__(self, size: int, frame_limit: int) -> None:
        self.frame_limit = frame_limit
        #: Since the last sweep, which knows the time: asking the clock for every request costs more than it tells.
        self.is_active = False
        #: A request is in work, its answers wait for the peer, nothing more is taken: each holds the next request.
        self.is_busy = False
        self.is_congested = False
        self.is_closed = False
        #: By envelope; all of one length, those of one topic.
        self._lanes: dict[bytes, ProduceLane] = {}
        self._envelope_end = 0
        self.use(bytearray(size), 0)

    def use(self, buffer: bytearray | mmap, filled: int) -> None:
        """Another buffer, whose first bytes are those that were waiting. Never while a request is being worked on."""
        self.buffer = buffer
        self.view = memoryview(buffer)
        self.start, self.end = 0, filled

    @property
    def is_held(self) -> bool:
        return self.is_busy or self.is_congested or self.is_closed

    def open_lane(self, envelope: bytes, lane: ProduceLane) -> None:
        end = ENVELOPE_POSITION + len(envelope)
        if end != self._envelope_end or len(self._lanes) >= MOST_LANES:
            self._lanes.clear()
            self._envelope_end = end
        self._lanes[envelope] = lane

    def serve(self, first: int, stop: int) -> bytearray | None:
        """The answer to the frame from `first` to `stop`, in a buffer that the next call uses again.

        None when the request must go the ordinary way.
        """
        end = self._envelope_end
        view = self.view
        lane = self._lanes.get(bytes(view[first + ENVELOPE_POSITION : first + end])) if end else None
        return lane.serve(view, first, stop, first + end) if lane is not None else None


_twin = compiled_twin("ottla.broker._quick_inbox")
if _twin is not None:
    Inbox = _twin.Inbox  # type: ignore[misc]
