"""A shard that counts, on a log whose commits the test decides."""

import asyncio
from collections.abc import Callable, Iterator

from ottla.broker.shards.shard_host import ShardHost
from ottla.broker.shards.shard_log import KeyAndValue, LoadedBatch
from ottla.coordination.shard import Decision, Now, ParkedResponse, RecordOrigin, Ticket
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.records.record import Record


class MemoryShardLog:
    """A partition whose commits the test decides."""

    def __init__(self) -> None:
        self.stored: list[Record] = []
        self.committed_end_offset = 0
        self.is_full = False
        self.has_refused = asyncio.Event()
        #: Numbers of records that `append` was given.
        self.batch_sizes: list[int] = []
        self.refuses: bytes | None = None
        #: Whether commits wait for a flush.
        self.flushes = False
        self.joined: dict[Callable[[], None], None] = {}
        self._listeners: list[Callable[[], None]] = []

    @property
    def end_offset(self) -> int:
        return len(self.stored)

    def append(self, pairs: list[KeyAndValue], now_ms: int, producer_id: int, producer_epoch: int) -> int:
        if self.is_full:
            self.has_refused.set()
            raise OSError("no room")
        if self.refuses is not None and any(value == self.refuses for _, value in pairs):
            raise Refused(ErrorCode.MESSAGE_TOO_LARGE)
        self.batch_sizes.append(len(pairs))
        base = len(self.stored)
        self.stored += [Record(offset, now_ms, key, value) for offset, (key, value) in enumerate(pairs, base)]
        return base

    def on_committed(self, listener: Callable[[], None]) -> None:
        self._listeners.append(listener)

    def join_flush(self, append: Callable[[], None]) -> bool:
        if self.flushes:
            self.joined[append] = None
        return self.flushes

    def flush(self) -> None:
        """As a round of the flusher: who has joined appends, then all is committed."""
        joined = list(self.joined)
        self.joined.clear()
        for append in joined:
            append()
        self.commit()

    def commit(self) -> None:
        self.committed_end_offset = len(self.stored)
        for listener in self._listeners:
            listener()

    def batches(self) -> Iterator[LoadedBatch]:
        for record in self.stored:
            yield LoadedBatch([record], -1, -1, False, None)


class CounterShard:
    """Counts: a record is a number to add. `wait_for` parks until the sum is reached."""

    def __init__(self) -> None:
        self.total = 0
        self.is_unloaded = False
        self._waiting: dict[Ticket, int] = {}

    def add(self, number: int) -> Decision[int]:
        reached = self.total + number
        answers = [ParkedResponse(ticket, reached) for ticket, wanted in self._waiting.items() if wanted <= reached]
        return Decision(reached, [number], answers)

    def wait_for(self, wanted: int, ticket: Ticket) -> Decision[int]:
        self._waiting[ticket] = wanted
        return Decision(parked=True)

    def apply(self, record: int, origin: RecordOrigin) -> None:
        self.total += record

    def apply_marker(self, producer_id: int, producer_epoch: int, *, committed: bool) -> None:
        raise AssertionError("no transactions here")

    def on_loaded(self, now: Now) -> Decision[None]:
        return Decision()

    def on_unloaded(self) -> None:
        self.is_unloaded = True


class NumberCodec:
    def encode(self, record: int) -> tuple[bytes | None, bytes | None]:
        return None, str(record).encode()

    def decode(self, key: bytes | None, value: bytes | None) -> int | None:
        return None if value is None else int(value)


class FixedClock:
    def now_ms(self) -> int:
        return 1_000_000

    def monotonic_ms(self) -> int:
        return int(asyncio.get_running_loop().time() * 1000)


class ShardStage:
    def __init__(self, log: MemoryShardLog | None = None) -> None:
        self.log = log or MemoryShardLog()
        self.shard = CounterShard()
        self.host = ShardHost("counter", self.shard, NumberCodec(), self.log, FixedClock())
