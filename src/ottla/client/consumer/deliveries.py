"""From the buffer to the caller: deserializers, interceptors, and where the caller is in what it iterates over."""

from collections.abc import Collection, Iterator
from operator import length_hint
from typing import TYPE_CHECKING, Any, NamedTuple

from ottla.client.consumer.fetch_buffer import FetchBuffer
from ottla.client.consumer.positions import PartitionState, Position
from ottla.client.consumer.record import ConsumerRecord, deserialized
from ottla.client.errors import CorruptRecords
from ottla.client.interceptors import InterceptorChain
from ottla.client.serializers import Deserializer
from ottla.model.topic import TopicPartition
from ottla.records.arrow_columns import concatenated, record_batch

if TYPE_CHECKING:
    import pyarrow as pa


class _Iteration(NamedTuple):
    """Records that the caller takes one by one from `iterator`, a list's own: it can tell how many are left."""

    state: PartitionState
    version: int
    start: Position
    end: Position
    records: list[ConsumerRecord]
    iterator: Iterator[ConsumerRecord]


class Deliveries:
    """Owned by the consumer. A record counts as consumed when it was returned, or given out by the iterator."""

    def __init__(
        self,
        buffer: FetchBuffer,
        interceptors: InterceptorChain,
        key_deserializer: Deserializer | None,
        value_deserializer: Deserializer | None,
    ) -> None:
        self._buffer = buffer
        self._interceptors = interceptors
        self._key_deserializer = key_deserializer
        self._value_deserializer = value_deserializer
        self._iteration: _Iteration | None = None
        self._last_seen: tuple[int, int] = (0, 0)
        #: Records that left the buffer. Those that came back to it count once.
        self.record_count = 0

    # whole lists

    def take(self, max_count: int, only: Collection[TopicPartition] | None = None) -> list[ConsumerRecord]:
        """In the order of each partition; empty when nothing is there. Raises CorruptRecords."""
        self.recall()
        found: list[ConsumerRecord] = []
        while len(found) < max_count:
            try:
                taken = self._buffer.take(max_count - len(found), only)
            except CorruptRecords:
                # What was found before it is returned first; the damage is met again.
                if found:
                    break
                raise
            if taken is None:
                break
            if taken.was_shown:
                if found:
                    self._put_back(taken.state, taken.records)
                    break
                return taken.records
            self.record_count += len(taken.records)
            found = found + taken.records if found else taken.records
        return self._shown(found)

    def _put_back(self, state: PartitionState, records: list[ConsumerRecord]) -> None:
        end = state.position
        assert end is not None
        first = records[0]
        state.advance(Position(first.offset, first.leader_epoch))
        self._buffer.put_back(state, records, end)

    def _shown(self, records: list[ConsumerRecord]) -> list[ConsumerRecord]:
        if not records:
            return records
        if self._key_deserializer is not None or self._value_deserializer is not None:
            deserializers = self._key_deserializer, self._value_deserializer
            records = [deserialized(record, *deserializers) for record in records]
        if self._interceptors:
            records = self._interceptors.passed("on_consume", records, list)
        return records

    # columns

    def take_columns(self, schema: "pa.Schema", max_rows: int, max_bytes: int) -> "pa.Table | None":
        """In the order of each partition; None when nothing is there. Raises CorruptRecords."""
        self.recall()
        found: list[pa.RecordBatch] = []
        row_count = size = 0
        while row_count < max_rows and size < max_bytes:
            try:
                taken = self._buffer.take_rows(max_rows - row_count, max_bytes - size)
            except CorruptRecords:
                # As in `take`: rows before the damage are returned first.
                if found:
                    break
                raise
            if taken is None:
                break
            batch = record_batch(schema, *taken.partition, taken.rows)
            found.append(batch)
            row_count += batch.num_rows
            self.record_count += batch.num_rows
            size += sum(rows.size for rows in taken.rows)
        return concatenated(schema, found) if found else None

    # one by one

    def iterate(self, max_count: int) -> Iterator[ConsumerRecord] | None:
        """Records of one partition to take one by one; None when nothing is there. Raises CorruptRecords."""
        self.recall()
        while (taken := self._buffer.take(max_count)) is not None:
            state, end = taken.state, taken.state.position
            assert end is not None
            start = Position(taken.records[0].offset, taken.records[0].leader_epoch)
            records = taken.records
            if not taken.was_shown:
                self.record_count += len(records)
                records = self._shown(records)
            if not records:
                # Interceptors have left nothing of them.
                continue
            iterator = iter(records)
            self._iteration = _Iteration(state, state.version, start, end, records, iterator)
            return iterator
        return None

    def settle(self) -> None:
        """Sets the position behind the last record that the caller has got from the iterator."""
        iteration = self._iteration
        if iteration is not None:
            _settle(iteration, length_hint(iteration.iterator))

    def recall(self) -> None:
        """Ends the iteration: what the caller has not got yet goes back to the buffer."""
        iteration, self._iteration = self._iteration, None
        if iteration is None:
            return
        # Whoever goes on with the iterator, on whatever thread, finds it at its end.
        rest = list(iteration.iterator)
        if _settle(iteration, len(rest)) and rest:
            self._buffer.put_back(iteration.state, rest, iteration.end)

    def has_progressed(self) -> bool:
        """Whether the caller has taken something from the iterator since the last call of this."""
        iteration = self._iteration
        seen = (0, 0) if iteration is None else (id(iteration.records), length_hint(iteration.iterator))
        before, self._last_seen = self._last_seen, seen
        return seen != before

    def close(self) -> None:
        self.recall()
        self._interceptors.close()

    def committed(self, offsets: Any) -> None:
        self._interceptors.notify("on_commit", offsets)


def _settle(iteration: _Iteration, left: int) -> bool:
    """Whether the position is still where the records came from."""
    state = iteration.state
    if state.version != iteration.version:
        return False
    if not left:
        state.advance(iteration.end)
    elif left == len(iteration.records):
        state.advance(iteration.start)
    else:
        last = iteration.records[-left - 1]
        state.advance(Position(last.offset + 1, last.leader_epoch))
    return True
