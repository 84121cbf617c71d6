"""Producer ids for clients, taken from the controller in blocks."""

import asyncio
from collections.abc import Awaitable, Callable

#: A block as (first id, how many).
Block = tuple[int, int]


class ProducerIds:
    """Owned by the node. Asks for the next block only when the last is used up; askers in between share the wait."""

    def __init__(self, allocate_block: Callable[[], Awaitable[Block]]) -> None:
        self._allocate_block = allocate_block
        self._next_id = 0
        self._end_id = 0
        self._lock = asyncio.Lock()

    def take_now(self) -> int | None:
        """An id from the block in hand; None when a new block is needed first."""
        if self._next_id >= self._end_id:
            return None
        self._next_id += 1
        return self._next_id - 1

    async def take(self) -> int:
        while (producer_id := self.take_now()) is None:
            await self.stock()
        return producer_id

    async def stock(self) -> None:
        """Makes sure that there is an id at hand."""
        if self._next_id < self._end_id:
            return
        async with self._lock:
            if self._next_id >= self._end_id:
                first, count = await self._allocate_block()
                self._next_id, self._end_id = first, first + count
