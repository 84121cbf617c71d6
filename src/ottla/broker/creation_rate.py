"""How fast new connections are let in: an even pace after a burst of one second's worth."""

_BURST_MS = 1_000.0


class CreationRate:
    """One rate of one listener or of the whole node. Asked in order; times never go back."""

    def __init__(self, per_second: int) -> None:
        self.per_second = per_second
        #: When all that have been let in would have come, had they come at an even pace.
        self._booked_ms = -_BURST_MS

    def delay_ms(self, now_ms: int) -> float:
        """How long a connection that comes now has to wait. Books nothing."""
        if not self.per_second:
            return float("inf")
        return max(0.0, self._next_ms(now_ms) - now_ms)

    def book(self, now_ms: int) -> None:
        self._booked_ms = self._next_ms(now_ms)

    def _next_ms(self, now_ms: int) -> float:
        return max(self._booked_ms, now_ms - _BURST_MS) + 1000 / self.per_second
