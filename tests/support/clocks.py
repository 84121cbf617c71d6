"""Clocks that tests move. Both implement `ottla.doors.clock.Clock`."""


class HandClock:
    """Stands still until a test moves it."""

    def __init__(self, now_ms: int = 1_000_000) -> None:
        self.wall_ms = now_ms

    def now_ms(self) -> int:
        return self.wall_ms

    def monotonic_ms(self) -> int:
        return self.wall_ms


class JumpingClock:
    """The wall clock can jump, the other one cannot."""

    def __init__(self, now_ms: int) -> None:
        self._wall_ms = now_ms
        self._monotonic_ms = 5

    def now_ms(self) -> int:
        return self._wall_ms

    def monotonic_ms(self) -> int:
        return self._monotonic_ms

    def passes(self, span_ms: int) -> None:
        self._wall_ms += span_ms
        self._monotonic_ms += span_ms

    def jumps(self, span_ms: int) -> None:
        self._wall_ms += span_ms
