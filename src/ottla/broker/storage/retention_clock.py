"""The time by which data grow old: the wall clock, except for a while after it has jumped forward.

Retention and compaction delete by wall time, because records carry it. A clock that is suddenly an hour or a year ahead
would delete what nobody meant to lose; when somebody sets it right again, the data are gone. So a jump is believed only
after it has lasted. A start is no different: the clock may be wrong, or the node may have been off for long, and until
it has lasted, time continues where the last run ended. A clock that goes back does no harm: everything is kept longer.
"""

import logging

from ottla.doors.clock import Clock

_log = logging.getLogger(__name__)

#: Clocks are corrected by small steps all the time.
_TOLERANCE_MS = 60_000


class RetentionClock:
    """Owned by the node. Sees a jump when it is asked, so it must be asked more often than jumps matter."""

    def __init__(self, clock: Clock, hold_ms: int) -> None:
        self._clock = clock
        self._hold_ms = hold_ms
        #: A moment on both clocks at which the wall clock was believed.
        self._believed_ms = clock.now_ms()
        self._believed_at_ms = clock.monotonic_ms()
        self._doubted_since_ms: int | None = None

    @property
    def is_doubted(self) -> bool:
        """The wall clock has jumped, and things stay as old as they were."""
        return self._doubted_since_ms is not None

    @property
    def held_ms(self) -> int | None:
        """The time that counts instead of the wall clock's; None while that is believed."""
        return self._expected_ms(self._clock.monotonic_ms()) if self.is_doubted else None

    def resume(self, alive_ms: int | None) -> None:
        """At a start: the last run was alive then."""
        ahead_ms = 0 if alive_ms is None else self._clock.now_ms() - alive_ms
        if alive_ms is None or ahead_ms <= _TOLERANCE_MS or not self._hold_ms:
            return
        self._believed_ms, self._believed_at_ms = alive_ms, self._clock.monotonic_ms()
        self._doubted_since_ms = self._believed_at_ms
        _log.info(
            "the clock is %d s ahead of the end of the last run: if it stays there, retention uses it in %d s",
            ahead_ms // 1000,
            self._hold_ms // 1000,
        )

    def now_ms(self) -> int:
        return self.believed_ms(self._clock.now_ms())

    def believed_ms(self, wall_ms: int) -> int:
        """What to make of a time that the wall clock has just given."""
        monotonic_ms = self._clock.monotonic_ms()
        expected_ms = self._expected_ms(monotonic_ms)
        ahead_ms = wall_ms - expected_ms
        if ahead_ms <= _TOLERANCE_MS or not self._hold_ms:
            self._believe(wall_ms, monotonic_ms)
            return wall_ms
        if self._doubted_since_ms is None:
            self._doubted_since_ms = monotonic_ms
            _log.warning(
                "the clock has jumped forward by %d s: if it stays there, retention uses it in %d s",
                ahead_ms // 1000,
                self._hold_ms // 1000,
            )
        if monotonic_ms - self._doubted_since_ms < self._hold_ms:
            return expected_ms
        self._believe(wall_ms, monotonic_ms)
        return wall_ms

    def _expected_ms(self, monotonic_ms: int) -> int:
        return self._believed_ms + monotonic_ms - self._believed_at_ms

    def _believe(self, wall_ms: int, monotonic_ms: int) -> None:
        if self._doubted_since_ms is not None:
            _log.warning("retention uses the clock again")
            self._doubted_since_ms = None
        self._believed_ms, self._believed_at_ms = wall_ms, monotonic_ms
