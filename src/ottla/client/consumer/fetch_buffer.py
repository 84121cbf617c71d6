"""What was fetched and not consumed yet, in the order of arrival, with its memory counted. No I/O."""

from collections import deque
from collections.abc import Callable, Collection
from functools import partial
from typing import NamedTuple, TypeVar

from ottla.client.consumer.fetched import FetchedPartition, Frame, PutBack
from ottla.client.consumer.positions import PartitionState, Position
from ottla.client.consumer.record import ConsumerRecord
from ottla.client.errors import CorruptRecords
from ottla.model.topic import TopicPartition
from ottla.records.fetched_rows import Rows

T = TypeVar("T")


class Taken(NamedTuple):
    """Records of one partition. `was_shown`: interceptors and deserializers have had them before."""

    state: PartitionState
    records: list[ConsumerRecord]
    was_shown: bool


class TakenRows(NamedTuple):
    """Rows of one partition. They refer to the fetched bytes: use them at once."""

    partition: TopicPartition
    rows: list[Rows]


class FetchBuffer:
    """Owned by the consumer. Partitions take turns as their data arrived."""

    def __init__(self) -> None:
        self._parts: deque[FetchedPartition | PutBack] = deque()
        #: Bytes of all responses that something is left of.
        self.held_bytes = 0

    def __len__(self) -> int:
        return len(self._parts)

    def add(self, part: FetchedPartition) -> None:
        """Behind everything else of its partition. Its state goes on fetching where the part ends."""
        part.state.fetch_offset = part.end.offset
        part.state.is_damaged = part.is_damaged
        part.state.buffered_bytes += part.left_bytes
        if part.frame is not None:
            part.frame.part_count += 1
        self._parts.append(part)

    def hold(self, frame: Frame) -> None:
        """Counts the memory of a response, once its parts have been added."""
        if frame.part_count:
            self.held_bytes += frame.size

    def put_back(self, state: PartitionState, records: list[ConsumerRecord], end: Position) -> None:
        """Before everything else; the state's position is where the first of them is."""
        self._parts.appendleft(PutBack(state, records, end))

    def take(self, max_count: int, only: Collection[TopicPartition] | None = None) -> Taken | None:
        """Records of one partition, and its position moved behind them; None when nothing can be returned now.

        Raises CorruptRecords; the position is before the damage then, and is fetched again.
        """
        while (part := self._first(only)) is not None:
            if isinstance(part, FetchedPartition) and part.in_columns:
                self.drop(part.state)
                continue
            records = self._taken(part, partial(part.take, max_count))
            if records:
                return Taken(part.state, records, isinstance(part, PutBack))
        return None

    def take_rows(self, max_rows: int, max_bytes: int) -> TakenRows | None:
        """As `take`, for columns. What was unpacked as records is fetched again."""
        while (part := self._first(None)) is not None:
            if isinstance(part, PutBack) or part.in_records:
                self.drop(part.state)
                continue
            rows = self._taken(part, partial(part.take_rows, max_rows, max_bytes))
            if rows:
                return TakenRows(part.state.partition, rows)
        return None

    def _taken(self, part: FetchedPartition | PutBack, take: Callable[[], list[T]]) -> list[T]:
        before_bytes = part.left_bytes
        try:
            taken = take()
        except CorruptRecords:
            self._settle(part, before_bytes)
            self.drop(part.state)
            raise
        self._settle(part, before_bytes)
        if part.is_done:
            self._remove(part)
        return taken

    def _settle(self, part: FetchedPartition | PutBack, before_bytes: int) -> None:
        part.state.buffered_bytes -= before_bytes - part.left_bytes
        if part.position is not None:
            part.state.advance(part.position)

    def has_records(self, only: Collection[TopicPartition] | None = None) -> bool:
        """Whether `take` has something to try."""
        return self._first(only) is not None

    def _first(self, only: Collection[TopicPartition] | None) -> FetchedPartition | PutBack | None:
        while self._parts and self._parts[0].is_stale:
            self._remove(self._parts[0])
        for part in self._parts:
            state = part.state
            if not part.is_stale and state.is_fetchable and (only is None or state.partition in only):
                return part
        return None

    def partitions(self) -> set[TopicPartition]:
        """Those of which `take` may return something."""
        return {part.state.partition for part in self._parts if not part.is_stale and part.state.is_fetchable}

    def drop_stale(self) -> None:
        for part in [part for part in self._parts if part.is_stale]:
            self._remove(part)

    def drop(self, state: PartitionState) -> None:
        """Nothing that is buffered of it is used; it is fetched again."""
        state.drop_fetched()
        self.drop_stale()

    def idle_states(self, only: Collection[TopicPartition] | None) -> list[PartitionState]:
        """Those with something buffered that nobody can take now."""
        found = {}
        for part in self._parts:
            state = part.state
            if not state.is_fetchable or (only is not None and state.partition not in only):
                found[state.partition] = state
        return list(found.values())

    def _remove(self, part: FetchedPartition | PutBack) -> None:
        if self._parts[0] is part:
            self._parts.popleft()
        else:
            self._parts.remove(part)
        part.state.buffered_bytes -= part.left_bytes
        part.left_bytes = 0
        frame = part.frame
        if frame is not None:
            frame.part_count -= 1
            if not frame.part_count:
                self.held_bytes -= frame.size
