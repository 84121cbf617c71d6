"""One line in the log for a misbehaving peer, not one for each of its attempts."""

import logging

from ottla.doors.clock import Clock

_WINDOW_MS = 10_000
_MAX_TEXT = 200


class RefusalLog:
    """Owned by the node; remembers the peers of the last seconds only."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._silent_until_ms: dict[str, int] = {}
        self._suppressed_count = 0

    def log(self, logger: logging.Logger, peer: str, reason: str) -> None:
        host = peer.rsplit(":", 1)[0]
        now_ms = self._clock.monotonic_ms()
        if self._silent_until_ms.get(host, 0) > now_ms:
            self._suppressed_count += 1
            return
        if len(self._silent_until_ms) > 1000:
            self._silent_until_ms.clear()
        self._silent_until_ms[host] = now_ms + _WINDOW_MS
        suppressed = f" ({self._suppressed_count} more like it before)" if self._suppressed_count else ""
        self._suppressed_count = 0
        logger.warning("connection of %s closed: %s%s", peer, printable(reason), suppressed)


def printable(text: str) -> str:
    """One line of limited length: what a peer sends must not write lines of its own into the log."""
    cut = text if len(text) <= _MAX_TEXT else text[:_MAX_TEXT] + "…"
    return cut.encode("unicode_escape").decode("ascii") if not cut.isprintable() else cut
