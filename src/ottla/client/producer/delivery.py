"""What becomes of a record that was sent: a `Delivery` now, its `RecordMetadata` when the broker has acknowledged it.

Records of a batch share one outcome, so a `Delivery` is only a place in a batch: nothing is created for a record when
its batch is acknowledged, and nobody is woken who does not wait.
"""

import asyncio
from collections.abc import Callable, Generator
from typing import Any

from ottla.client.producer.batch import Batch
from ottla.client.producer.outcome import Outcome, RecordMetadata


class Delivery:
    """Awaitable: gives the record's RecordMetadata, or raises why it was not delivered.

    >>> async def example(servers):
    ...     async with AsyncProducer(bootstrap_servers=servers) as producer:
    ...         delivery = producer.send("orders", b"first")
    ...         metadata = await delivery
    ...         return metadata.topic, metadata.offset >= 0
    >>> asyncio.run(example(servers))
    ('orders', True)
    """

    __slots__ = ("_index", "_place")

    def __init__(self, place: "Batch | Held", index: int) -> None:
        self._place = place
        self._index = index

    def __await__(self) -> Generator[Any, None, RecordMetadata]:
        while not self.done():
            yield from self._place.waiter()
        return self.result()

    async def decided(self) -> None:
        """Waits until it is decided, and raises nothing."""
        while not self.done():
            await self._place.waiter()

    def done(self) -> bool:
        """Whether it is decided."""
        self._follow()
        return self._place.is_done

    def result(self) -> RecordMetadata:
        """The metadata if it is decided; raises why it failed, or RuntimeError before it is decided."""
        self._follow()
        place = self._place
        if not place.is_done:
            raise RuntimeError("not delivered yet: await it")
        if place.error is not None:
            place.was_seen = True
            # One error for all records of a batch: it must not collect the traces of all who raise it.
            raise place.error.with_traceback(None)
        return place.metadata(self._index)

    def error(self) -> Exception | None:
        """Why it failed, or None. RuntimeError before it is decided."""
        if not self.done():
            raise RuntimeError("not delivered yet: await it")
        self._place.was_seen = True
        return self._place.error

    def add_done_callback(self, callback: Callable[["Delivery"], object]) -> None:
        """Calls `callback(self)` on the event loop when it is decided; soon if it already is."""
        self._follow()
        if self._place.is_done:
            asyncio.get_running_loop().call_soon(callback, self)
        else:
            self._place.waiter().add_done_callback(lambda _: self.add_done_callback(callback))

    def _follow(self) -> None:
        """To where the record is now: out of the queue of those that wait, or into a part of a batch that was split."""
        while (moved := self._place.moved(self._index)) is not None:
            self._place, self._index = moved


class Held(Outcome):
    """A record that cannot be appended yet: its topic or partition is not known, or the buffer is full."""

    __slots__ = ("deadline_ms", "record", "refresh", "size", "to")

    count = 1

    def __init__(self, record: Any, size: int, deadline_ms: int) -> None:
        super().__init__()
        self.record = record
        self.size = size
        self.deadline_ms = deadline_ms
        #: Number of the refresh that must show its partition; None before one was requested.
        self.refresh: int | None = None
        self.to: tuple[Batch, int] | None = None

    def moved(self, index: int) -> tuple[Batch, int] | None:
        return self.to

    def successors(self) -> list[Batch]:
        return [self.to[0]] if self.to is not None else []

    def metadata(self, index: int) -> RecordMetadata:
        raise RuntimeError("a record that was held has moved to a batch")


def refused(error: Exception) -> Held:
    """The outcome of a record that was not accepted."""
    held = Held(None, 0, 0)
    held.decide(error)
    return held
