"""What becomes of records: decided once, for all records of a batch; and where a record was written."""

import asyncio
from typing import NamedTuple

UNKNOWN_OFFSET = -1


class RecordMetadata(NamedTuple):
    """Where a record was written. The offset is -1 with acks=0, and for a duplicate of a batch long past.

    >>> with Producer(bootstrap_servers=servers) as producer:
    ...     metadata = producer.send("written", b"first").result()
    >>> metadata.topic, metadata.partition, metadata.offset
    ('written', 0, 0)
    """

    topic: str
    partition: int
    offset: int
    timestamp_ms: int


class Outcome:
    """Something that is decided once. Each waiter has a future of its own: to cancel one does not cancel others."""

    __slots__ = ("_waiters", "error", "is_done", "was_seen")

    def __init__(self) -> None:
        self.is_done = False
        self.error: Exception | None = None
        #: Whether somebody has asked for the outcome, or will get it, and so hears of an error.
        self.was_seen = False
        self._waiters: list[asyncio.Future[None]] | None = None

    def waiter(self) -> "asyncio.Future[None]":
        """Done when this is decided; it never raises. Whoever takes it looks at the outcome."""
        self.was_seen = True
        return self.quiet_waiter()

    def quiet_waiter(self) -> "asyncio.Future[None]":
        """For those who only want to know when."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if self._waiters is None:
            self._waiters = []
        self._waiters.append(future)
        return future

    def decide(self, error: Exception | None = None) -> None:
        self.is_done = True
        self.error = error
        waiters, self._waiters = self._waiters, None
        for future in waiters or ():
            if not future.done():
                future.set_result(None)
