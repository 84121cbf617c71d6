"""Records that wait for a worker, in lanes: one record of a lane is in progress at a time. No I/O."""

from collections import deque
from collections.abc import Callable, Hashable
from typing import Final

from ottla.client.consumer.record import ConsumerRecord
from ottla.model.topic import TopicPartition


def _by_key(record: ConsumerRecord) -> Hashable:
    return None if record.key is None else (record.topic, record.partition, record.key)


#: What keeps the order of records: those with the same value are processed one after another. None: no order.
ORDERS: Final[dict[str, Callable[[ConsumerRecord], Hashable]]] = {
    "key": _by_key,
    "partition": lambda record: (record.topic, record.partition),
    "none": lambda record: None,
}


class Lanes:
    """Owned by a ParallelConsumer."""

    def __init__(self, order: str) -> None:
        self._lane_of = ORDERS[order]
        #: Records behind the one that is ready or in progress, by lane.
        self._waiting: dict[Hashable, deque[ConsumerRecord]] = {}
        self._ready: deque[ConsumerRecord] = deque()

    def add(self, record: ConsumerRecord) -> None:
        lane = self._lane_of(record)
        if lane is None:
            self._ready.append(record)
        elif lane in self._waiting:
            self._waiting[lane].append(record)
        else:
            self._waiting[lane] = deque()
            self._ready.append(record)

    def take(self) -> ConsumerRecord | None:
        """A record whose lane is free; `finished` frees it."""
        return self._ready.popleft() if self._ready else None

    def finished(self, record: ConsumerRecord) -> None:
        lane = self._lane_of(record)
        if lane is None:
            return
        waiting = self._waiting[lane]
        if waiting:
            self._ready.append(waiting.popleft())
        else:
            del self._waiting[lane]

    def drop(self, partitions: set[TopicPartition]) -> list[ConsumerRecord]:
        """Takes out what waits of these. Records in progress are still to be `finished`."""
        dropped = [record for record in self._ready if record.topic_partition in partitions]
        self._ready = deque(record for record in self._ready if record.topic_partition not in partitions)
        ready_lanes = [self._lane_of(record) for record in dropped]
        for waiting in self._waiting.values():
            if waiting and waiting[0].topic_partition in partitions:
                dropped += waiting
                waiting.clear()
        for lane in ready_lanes:
            if lane is not None:
                del self._waiting[lane]
        return dropped
