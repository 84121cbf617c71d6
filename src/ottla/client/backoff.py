"""Exponential back-off with jitter, as Kafka's clients do it: doubling, up to a limit, 20 % up or down."""

from ottla.doors.rng import Rng

_JITTER_PERCENT = 20


class Backoff:
    """Counts the failures in a row; owned by whoever tries again."""

    __slots__ = ("_first_ms", "_max_ms", "_rng", "failures")

    def __init__(self, first_ms: int, max_ms: int, rng: Rng) -> None:
        self._first_ms = first_ms
        self._max_ms = max(first_ms, max_ms)
        self._rng = rng
        self.failures = 0

    def failed_ms(self) -> int:
        """Counts one more failure; how long to wait now."""
        self.failures += 1
        return self.pause_ms(self.failures)

    def pause_ms(self, failures: int) -> int:
        """How long to wait after this many failures in a row."""
        if failures < 1:
            return 0
        whole_ms = min(self._max_ms, self._first_ms << min(failures - 1, 30))
        spread_ms = whole_ms * _JITTER_PERCENT // 100
        jitter_ms = self._rng.below(2 * spread_ms + 1) - spread_ms if spread_ms else 0
        return min(self._max_ms, whole_ms + jitter_ms)

    def succeeded(self) -> None:
        self.failures = 0
