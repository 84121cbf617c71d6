"""What happens inside a call that waits for records: rebalances, commits and errors come before records."""

import asyncio
from collections.abc import Callable, Iterator
from typing import TypeVar

from ottla.client.consumer.group_side import GroupSide
from ottla.client.consumer.reading import Reading
from ottla.client.consumer.record import ConsumerRecord
from ottla.client.errors import ClientClosed
from ottla.client.retrying import Deadline
from ottla.client.wakeup import Wakeup
from ottla.doors.clock import Clock

T = TypeVar("T")
#: A caller that never waits for anything lets others run after this time.
_TURN_MS = 5


class Polling:
    """Owned by the consumer, from `start` to `close`. One task polls at a time."""

    def __init__(self, clock: Clock, reading: Reading, group: GroupSide | None, news: Wakeup) -> None:
        self._clock = clock
        self._reading = reading
        self._group = group
        self._news = news
        self._commit_timer: asyncio.TimerHandle | None = None
        self._is_polling = False
        self._is_closed = False
        self._turn_ms = 0

    def close(self) -> None:
        """Whoever waits for records gets ClientClosed."""
        self._is_closed = True
        self._news.set()
        if self._commit_timer is not None:
            self._commit_timer.cancel()

    async def until(self, take: Callable[[], T | None], timeout_ms: int) -> T | None:
        """What `take` gives, as soon as it gives something."""
        if self._is_polling:
            raise RuntimeError("another task is polling this consumer; one consumer serves one task")
        deadline = Deadline(self._clock, timeout_ms)
        self._is_polling = True
        if self._group is not None:
            self._group.membership.begin_poll()
        try:
            while True:
                await self._attend()
                found = take()
                self._reading.fetcher.wake()
                if found:
                    await self._give_way()
                    return found
                if deadline.has_passed:
                    await asyncio.sleep(0)
                    return None
                await self._news.wait(self._pause_ms(deadline.left_ms))
        finally:
            self._is_polling = False
            if self._group is not None:
                self._group.membership.end_poll()

    async def iterator(self, max_count: int, timeout_ms: int) -> Iterator[ConsumerRecord]:
        """Over records of one partition; waits for them. `timeout_ms` limits one poll, not the wait."""
        while True:
            found = await self.until(lambda: self._reading.deliveries.iterate(max_count), timeout_ms)
            if found is not None:
                self._interrupt_at_commit()
                return found

    def _interrupt_at_commit(self) -> None:
        """However long the caller takes for its records, it comes by when a commit is due."""
        if self._group is None or self._group.auto_commit_due_ms is None:
            return
        if self._commit_timer is not None:
            self._commit_timer.cancel()
        delay_s = max(0, self._group.auto_commit_due_ms - self._clock.monotonic_ms()) / 1000
        self._commit_timer = asyncio.get_running_loop().call_later(delay_s, self._reading.deliveries.recall)

    async def _attend(self) -> None:
        if self._is_closed:
            raise ClientClosed("the consumer was closed")
        group = self._group
        if group is not None:
            group.auto_commit_if_due(self._clock.monotonic_ms())
            if group.has_news:
                await group.serve()
                error = group.membership.take_error()
                if error is not None:
                    raise error
        failure = self._reading.take_error() or self._reading.failed_partition()
        if failure is not None:
            raise failure

    def _pause_ms(self, left_ms: int) -> int:
        due_ms = self._group.auto_commit_due_ms if self._group is not None else None
        return max(1, left_ms if due_ms is None else min(left_ms, due_ms - self._clock.monotonic_ms()))

    async def _give_way(self) -> None:
        """Records that are there are returned without waiting; heartbeats must not wait for the last of them."""
        now_ms = self._clock.monotonic_ms()
        if now_ms - self._turn_ms > _TURN_MS:
            await asyncio.sleep(0)
            self._turn_ms = now_ms
