"""Keyed timers of a shard, as a pure structure: the host asks what is due and when to look again."""

from __future__ import annotations

import heapq

from ottla.coordination.shard import Operation, StartTimer, StopTimer, TimerKey, TimerOrder


class KeyedTimers:
    """Timers by key on monotonic time. Of equal deadlines the one set first comes first."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, TimerKey]] = []
        self._current: dict[TimerKey, tuple[int, int, Operation]] = {}
        self._sequence = 0

    def __len__(self) -> int:
        return len(self._current)

    def __contains__(self, key: TimerKey) -> bool:
        return key in self._current

    def carry_out(self, order: TimerOrder, monotonic_ms: int) -> None:
        if isinstance(order, StopTimer):
            self._current.pop(order.key, None)
            return
        assert isinstance(order, StartTimer)
        self._sequence += 1
        deadline_ms = monotonic_ms + max(0, order.delay_ms)
        self._current[order.key] = (deadline_ms, self._sequence, order.operation)
        heapq.heappush(self._heap, (deadline_ms, self._sequence, order.key))
        if len(self._heap) > 64 and len(self._heap) > 4 * len(self._current):
            self._drop_replaced()

    def next_deadline_ms(self) -> int | None:
        self._skip_replaced()
        return self._heap[0][0] if self._heap else None

    def take_due(self, monotonic_ms: int) -> Operation | None:
        """The operation of the earliest timer that is due, removed from the timers; None when none is."""
        timer = self.take_due_timer(monotonic_ms)
        return None if timer is None else timer.operation

    def take_due_timer(self, monotonic_ms: int) -> StartTimer | None:
        """As `take_due`, with the key: as the order that would set the timer again."""
        self._skip_replaced()
        if not self._heap or self._heap[0][0] > monotonic_ms:
            return None
        _, _, key = heapq.heappop(self._heap)
        return StartTimer(key, 0, self._current.pop(key)[2])

    def clear(self) -> None:
        self._heap.clear()
        self._current.clear()

    def _skip_replaced(self) -> None:
        heap = self._heap
        while heap and not self._is_current(heap[0]):
            heapq.heappop(heap)

    def _is_current(self, entry: tuple[int, int, TimerKey]) -> bool:
        current = self._current.get(entry[2])
        return current is not None and current[1] == entry[1]

    def _drop_replaced(self) -> None:
        # Restarted session timers leave their old entries behind; without this the heap grows with every heartbeat.
        self._heap = [entry for entry in self._heap if self._is_current(entry)]
        heapq.heapify(self._heap)
