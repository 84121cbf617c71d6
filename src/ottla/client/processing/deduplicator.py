"""`Deduplicator`: recognizes records that came before. Bounded memory, no I/O."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final, Self

from ottla.client.consumer.record import ConsumerRecord
from ottla.model.errors import InvalidConfig

IDS_MAX: Final = 100_000
WARM_UP_RECORDS: Final = 1_000


class Deduplicator:
    """Remembers the ids of the last `max_ids` records; an id that is None is never a duplicate.

    With `window_ms`, two records whose timestamps differ by more are no duplicates. Ids are in memory only: a
    ParallelConsumer rebuilds them when a partition is assigned, from the last `warm_up_records` records before the
    committed offset. What lies further back, or in a partition of another member, is not recognized.

    >>> seen = Deduplicator.by_header("message-id", max_ids=10_000)
    >>> first = ConsumerRecord("orders", 0, 41, 0, headers=(("message-id", b"a17"),))
    >>> again = ConsumerRecord("orders", 0, 42, 5, headers=(("message-id", b"a17"),))
    >>> seen.is_new(first), seen.is_new(again)
    (True, False)
    """

    def __init__(
        self,
        id_of: Callable[[ConsumerRecord], Hashable],
        *,
        max_ids: int = IDS_MAX,
        window_ms: int | None = None,
        warm_up_records: int = WARM_UP_RECORDS,
    ) -> None:
        if max_ids < 1:
            raise InvalidConfig([f"max_ids={max_ids}: must be at least 1"])
        self._id_of = id_of
        self._max_ids = max_ids
        self._window_ms = window_ms
        self.warm_up_records = warm_up_records
        #: Timestamps by id, the oldest id first.
        self._seen: OrderedDict[Hashable, int] = OrderedDict()

    @classmethod
    def by_key(cls, *, max_ids: int = IDS_MAX, window_ms: int | None = None) -> Self:
        """One record per key within the window."""
        return cls(_key_of, max_ids=max_ids, window_ms=window_ms)

    @classmethod
    def by_header(cls, name: str, *, max_ids: int = IDS_MAX, window_ms: int | None = None) -> Self:
        """The id is the value of the first header of this name."""
        return cls(lambda record: _header(record, name), max_ids=max_ids, window_ms=window_ms)

    def __len__(self) -> int:
        return len(self._seen)

    def is_new(self, record: ConsumerRecord) -> bool:
        """Whether no record with its id is remembered. It is from now on."""
        record_id = self._id_of(record)
        if record_id is None:
            return True
        before_ms = self._seen.get(record_id)
        is_new = before_ms is None or not self._is_within_window(before_ms, record.timestamp_ms)
        if is_new:
            self._seen[record_id] = record.timestamp_ms
            self._seen.move_to_end(record_id)
            if len(self._seen) > self._max_ids:
                self._seen.popitem(last=False)
        return is_new

    def forget(self, record: ConsumerRecord) -> None:
        """It was not processed, and comes again."""
        self._seen.pop(self._id_of(record), None)

    def _is_within_window(self, before_ms: int, timestamp_ms: int) -> bool:
        return self._window_ms is None or abs(timestamp_ms - before_ms) <= self._window_ms


def _key_of(record: ConsumerRecord) -> Hashable:
    return None if record.key is None else (record.topic, record.key)


def _header(record: ConsumerRecord, name: str) -> bytes | None:
    return next((value for key, value in record.headers if key == name), None)
