"""Time."""

from typing import Protocol


class Clock(Protocol):
    """Two clocks that must not be mixed up: wall time stamps records, monotonic time decides.

    Timeouts, sessions, elections and quotas use `monotonic_ms` only; a jump of the wall clock must never expire a
    live member or an open transaction.
    """

    def now_ms(self) -> int:
        """Wall-clock milliseconds since the epoch. May jump."""

    def monotonic_ms(self) -> int:
        """Milliseconds from an arbitrary start. Never goes back."""
