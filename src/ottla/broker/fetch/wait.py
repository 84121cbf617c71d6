"""One fetch request from its first attempt to its response: a long poll, by minimum size and maximum time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ottla.broker.execution.time_slices import UNFINISHED, LongWork, TimeSlices
from ottla.broker.fetch.purgatory import FetchPurgatory
from ottla.broker.requests.context import RequestContext
from ottla.broker.requests.deferred import Deferred
from ottla.broker.requests.large_messages import LargeMessages
from ottla.model.steps import Steps
from ottla.replication.partition_leader import PartitionLeader

#: Gives the response, or None while there is too little to respond with. The argument: it is the last attempt.
Attempt = Callable[[bool], Steps[Any]]


class FetchWait:
    """Looks again when one of its partitions has news, at most once per loop iteration. Attempts run in slices."""

    __slots__ = (
        "_attempt",
        "_context",
        "_due_ms",
        "_has_news",
        "_is_last",
        "_is_over",
        "_leaders",
        "_messages",
        "_purgatory",
        "_slices",
        "_watched",
        "_will_look",
        "_work",
        "deferred",
    )

    def __init__(
        self,
        context: RequestContext[Any],
        attempt: Attempt,
        leaders: Callable[[], list[PartitionLeader]],
        max_wait_ms: int,
        *,
        purgatory: FetchPurgatory,
        slices: TimeSlices,
        messages: LargeMessages,
    ) -> None:
        """`leaders` are those to be watched while the request waits."""
        self._purgatory = purgatory
        self._slices = slices
        self._messages = messages
        self._context = context
        self._attempt = attempt
        self._leaders = leaders
        self._watched: list[PartitionLeader] | None = None
        self._will_look = False
        self._work: LongWork | None = None
        #: Came while an attempt was in progress: there is another one after it.
        self._has_news = False
        self._is_last = max_wait_ms <= 0
        #: There is a response; it may still have to be encoded.
        self._is_over = False
        self.deferred = Deferred(on_abandoned=self._stop, on_respond_now=self.time_is_up)
        self._due_ms = purgatory.enter(self, max(0, max_wait_ms))

    def begin(self, first: Steps[Any] | None) -> Deferred:
        """`first` is an attempt that takes longer than a slice; None: it was done, and there was too little."""
        if first is not None:
            self._work = self._slices.resume(first, self._tried)
        else:
            self._watch()
        return self.deferred

    def _watch(self) -> None:
        self._watched = self._leaders()
        for leader in self._watched:
            leader.watch(self._note_news)

    def _try(self) -> None:
        self._has_news = False
        steps = self._attempt(self._is_last)
        response = self._slices.start(steps)
        if response is UNFINISHED:
            self._work = self._slices.resume(steps, self._tried)
        elif response is not None:
            self._stop()
            self.deferred.resolve(response)

    def _tried(self, response: Any) -> None:
        """An attempt in several slices is over."""
        self._work = None
        if response is not None:
            self._stop()
            self._messages.resolve(self.deferred, response, self._context)
            return
        if self._watched is None:
            # What came during the first attempt was not noticed.
            self._watch()
            self._has_news = True
        if self._has_news:
            self._note_news()

    def _note_news(self) -> None:
        if not self._will_look:
            self._will_look = True
            self._purgatory.note_news(self)

    def look(self) -> None:
        self._will_look = False
        if self._is_over:
            return
        if self._work is not None:
            self._has_news = True
        else:
            self._try()

    def time_is_up(self) -> None:
        self._is_last = True
        self.look()

    def _stop(self) -> None:
        self._is_over = True
        self._purgatory.leave(self, self._due_ms)
        work, self._work = self._work, None
        if work is not None:
            # It refers back to this: both would wait for the garbage collector.
            work.cancel()
        for leader in self._watched or ():
            leader.unwatch(self._note_news)
