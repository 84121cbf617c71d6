"""Keyed timers of a shard, as a pure structure: the host asks what is due and when to look again."""

from __future__ import annotations

import heapq

from ottla.coordination.shard import Operation, StartTimer, StopTimer, TimerKey, TimerOrder


class KeyedTimers:
    """Timers by key on monotonic time. Of equal deadlines the one set first comes first.

    Most timers are sessions, which every heartbeat and commit postpones. The heap has an entry for each of them at its
    deadline or before it; one that was postponed is moved when it comes to the top.
    """

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
        key = order.key
        known = self._current.get(key)
        self._current[key] = (deadline_ms, self._sequence, order.operation)
        if known is None or deadline_ms < known[0]:
            heapq.heappush(self._heap, (deadline_ms, self._sequence, key))
            if len(self._heap) > 64 and len(self._heap) > 4 * len(self._current):
                self._drop_replaced()

    def may_be_due_before(self, monotonic_ms: int) -> bool:
        """As quick as can be: also true of timers that were stopped or postponed since."""
        return bool(self._heap) and self._heap[0][0] < monotonic_ms

    def next_deadline_ms(self) -> int | None:
        self._settle_top()
        return self._heap[0][0] if self._heap else None

    def take_due(self, monotonic_ms: int) -> Operation | None:
        """The operation of the earliest timer that is due, removed from the timers; None when none is."""
        timer = self.take_due_timer(monotonic_ms)
        return None if timer is None else timer.operation

    def take_due_timer(self, monotonic_ms: int) -> StartTimer | None:
        """As `take_due`, with the key: as the order that would set the timer again."""
        self._settle_top()
        if not self._heap or self._heap[0][0] > monotonic_ms:
            return None
        _, _, key = heapq.heappop(self._heap)
        return StartTimer(key, 0, self._current.pop(key)[2])

    def clear(self) -> None:
        self._heap.clear()
        self._current.clear()

    def _settle_top(self) -> None:
        """Until the first entry is that of a timer at its deadline."""
        heap = self._heap
        while heap:
            _, sequence, key = heap[0]
            current = self._current.get(key)
            if current is None:
                heapq.heappop(heap)
            elif current[1] != sequence:
                heapq.heapreplace(heap, (current[0], current[1], key))
            else:
                return

    def _drop_replaced(self) -> None:
        # A timer that is stopped and started again and again leaves its old entries behind.
        self._heap = [(deadline_ms, sequence, key) for key, (deadline_ms, sequence, _) in self._current.items()]
        heapq.heapify(self._heap)
