"""Virtual time of one node. Its wall clock may be wrong and may jump; its monotonic clock never does."""

from ottla.sim.loop import SimLoop

#: Wall time at the start of every run: 2030-01-01.
WALL_START_MS = 1_893_456_000_000


class SimClock:
    def __init__(self, loop: SimLoop, *, monotonic_start_ms: int = 0) -> None:
        self._loop = loop
        self._skew_ms = 0
        self._monotonic_start_ms = monotonic_start_ms

    def now_ms(self) -> int:
        return WALL_START_MS + self._loop.now_ms + self._skew_ms

    def monotonic_ms(self) -> int:
        return self._monotonic_start_ms + self._loop.now_ms

    def jump(self, delta_ms: int) -> None:
        """The wall clock is set forward or back."""
        self._skew_ms += delta_ms
