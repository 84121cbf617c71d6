"""Calls that wait for the application, one after another. No I/O."""

from collections.abc import Iterable

from ottla.client.group.member import AppCall, CallKind
from ottla.model.topic import TopicPartition


class AppCalls:
    """Of one member. A call that is being carried out stays; those behind it can be replaced.

    `owned` is what the application has: it changes only when a call is done.
    """

    def __init__(self) -> None:
        self.owned: set[TopicPartition] = set()
        self._waiting: list[AppCall] = []
        self._running: AppCall | None = None

    def __bool__(self) -> bool:
        return self._running is not None or bool(self._waiting)

    @property
    def is_running(self) -> bool:
        return self._running is not None

    @property
    def first(self) -> AppCall | None:
        return self._running or (self._waiting[0] if self._waiting else None)

    def replace(self, calls: Iterable[AppCall]) -> None:
        """Instead of those that have not begun."""
        self._waiting = list(calls)

    def begin(self) -> AppCall | None:
        if self._running is None and self._waiting:
            self._running = self._waiting.pop(0)
        return self._running

    def done(self) -> None:
        call, self._running = self._running, None
        if call is None:
            return
        if call.kind is CallKind.ASSIGNED:
            self.owned |= call.partitions
        else:
            self.owned -= call.partitions

    def lose_all(self) -> None:
        """What is owned is gone; replaces what has not begun."""
        self.replace([AppCall(CallKind.LOST, frozenset(self.owned))] if self.owned else [])

    def clear(self) -> None:
        self._waiting, self._running = [], None
        self.owned = set()


def handover(owned: Iterable[TopicPartition], target: Iterable[TopicPartition]) -> list[AppCall]:
    """From what a member has to what it should have: first give up, then take, even if that is nothing."""
    before, after = frozenset(owned), frozenset(target)
    given_up = before - after
    calls = [AppCall(CallKind.REVOKED, given_up)] if given_up else []
    return [*calls, AppCall(CallKind.ASSIGNED, after - before)]
