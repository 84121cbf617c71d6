"""A long poll: a fetch that waits for data, by minimum size and maximum time."""

import asyncio
from collections.abc import Callable
from typing import Any

from ottla.broker.deferred import Deferred
from ottla.replication.partition_leader import PartitionLeader


class FetchWait:
    """Looks again when one of its partitions has news, at most once per turn of the loop.

    `attempt(is_last)` gives the answer, or None while there is too little to answer with.
    """

    __slots__ = ("_attempt", "_leaders", "_look_handle", "_timer", "deferred")

    def __init__(self, leaders: list[PartitionLeader], max_wait_ms: int, attempt: Callable[[bool], Any | None]) -> None:
        self._leaders = leaders
        self._attempt = attempt
        self._look_handle: asyncio.Handle | None = None
        self.deferred = Deferred(on_abandoned=self._stop, on_hurry=self._time_is_up)
        self._timer = asyncio.get_running_loop().call_later(max_wait_ms / 1000, self._time_is_up)
        for leader in leaders:
            leader.watch(self._has_news)

    def _has_news(self) -> None:
        # Not at once: the producer whose append we are in gets its answer first, and a burst is looked at once.
        if self._look_handle is None:
            self._look_handle = asyncio.get_running_loop().call_soon(self._look)

    def _look(self) -> None:
        self._look_handle = None
        if self.deferred.is_done:
            return
        response = self._attempt(False)
        if response is not None:
            self._stop()
            self.deferred.resolve(response)

    def _time_is_up(self) -> None:
        self._stop()
        self.deferred.resolve(self._attempt(True))

    def _stop(self) -> None:
        self._timer.cancel()
        if self._look_handle is not None:
            self._look_handle.cancel()
            self._look_handle = None
        for leader in self._leaders:
            leader.unwatch(self._has_news)
