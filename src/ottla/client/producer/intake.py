"""Where records enter: to the queue of their partition, or held while their topic is not known or the buffer is full.

Held records keep their order: a topic that has some holds all that come after them. They are let in when metadata
arrives or memory is given back, and fail after `max.block.ms`. A record for a partition that the topic does not have
is held until metadata was refreshed: the partition may have been added since.
"""

from collections import deque
from collections.abc import Callable, Iterable

from ottla.client.cluster import Cluster
from ottla.client.errors import BufferFull, ClientError, TimedOut, refusal
from ottla.client.metadata import ClusterImage, TopicView
from ottla.client.producer.accumulator import Accumulator
from ottla.client.producer.batch import RECORD_OVERHEAD, Batch
from ottla.client.producer.delivery import Delivery, Held
from ottla.client.producer.partition_queue import PartitionQueue
from ottla.client.producer.preparing import Arrival
from ottla.client.producer.routes import Route
from ottla.client.producer.sender import Sender
from ottla.model.error_codes import RETRIABLE, ErrorCode
from ottla.protocol.wire import Buffer


class Intake:
    """Owned by the producer."""

    def __init__(
        self,
        cluster: Cluster,
        accumulator: Accumulator,
        sender: Sender,
        new_route: Callable[[TopicView], Route],
        max_block_ms: int,
        room_wait_ms: int,
    ) -> None:
        self._cluster = cluster
        self._clock = cluster.clock
        self._now_ms = cluster.clock.now_ms
        self._accumulator = accumulator
        self._sender = sender
        self._new_route = new_route
        self._max_block_ms = max_block_ms
        #: How long a record waits for memory.
        self._room_wait_ms = room_wait_ms
        self._batch_size = accumulator.limits.batch_size
        self._linger_ms = accumulator.limits.linger_ms
        self._routes: dict[str, Route] = {}
        self._held: dict[str, deque[Held]] = {}
        #: Called for each held record that failed.
        self.on_failed: Callable[[Held], None] = lambda held: None
        cluster.on_image.append(self._on_image)

    def take_plain(
        self, topic: str, value: bytes, key: bytes | None, partition: int | None, timestamp_ms: int | None
    ) -> Delivery | None:
        """The fast path: a record of bytes that fits into an open batch. None: `take` has to do it."""
        route = self._routes.get(topic)
        if route is None or self._held or route.chooser is not None:
            return None
        if partition is None:
            queue = route.sticky_queue if key is None else route.choose(key)
        elif 0 <= partition < route.partition_count:
            queue = route.queues[partition]
        else:
            return None
        batch = queue.open
        if batch is None:
            return None
        size = batch.size + len(value) + RECORD_OVERHEAD
        if key is not None:
            size += len(key)
        if size > self._batch_size:
            return None
        # As `RecordLists.append` does: a call for each record would cost a tenth of its time.
        records = batch.records
        index = len(records.values)
        records.timestamps.append(self._now_ms() if timestamp_ms is None else timestamp_ms)
        records.keys.append(key)
        records.values.append(value)
        batch.size = size
        return Delivery(batch, index)

    def take(self, arrival: Arrival) -> Delivery:
        """Raises ValueError for a partition that no topic can have."""
        route = self._route(arrival.topic)
        if route is not None and arrival.topic not in self._held and not route.lacks(arrival.partition):
            queue = self._queue_for(route, arrival)
            if self._accumulator.fits(queue, arrival.size):
                batch = self._append(route, queue, arrival)
                return Delivery(batch, batch.count - 1)
        return self._hold(route, arrival)

    def _queue_for(self, route: Route, arrival: Arrival) -> PartitionQueue:
        if arrival.partition is not None:
            return route.numbered(arrival.partition)
        queue = route.choose(arrival.key)
        if queue is not route.sticky_queue or (arrival.key is not None and route.keys is not None):
            return queue
        batch = queue.open
        if batch is None or batch.size + arrival.size > self._batch_size:
            return route.next_sticky()
        return queue

    def _append(self, route: Route, queue: PartitionQueue, arrival: Arrival) -> Batch:
        stamp_ms = self._now_ms() if arrival.timestamp_ms is None else arrival.timestamp_ms
        before = queue.open
        now_ms = self._clock.monotonic_ms()
        batch = self._accumulator.batch_for(queue, arrival.size, now_ms)
        batch.records.append(stamp_ms, arrival.key, arrival.value, arrival.headers)
        if batch is before:
            return batch
        self._cluster.touch(route.topic)
        if before is not None or not self._linger_ms or batch.size >= self._batch_size:
            self._sender.wake()
        else:
            self._sender.wake_at(now_ms + self._linger_ms, now_ms)
        return batch

    # records that must wait

    def holds(self, topic: str) -> bool:
        """Whether records of the topic wait to be let in."""
        return topic in self._held

    def route(self, topic: str) -> Route | None:
        """None while the topic is not known."""
        return self._route(topic)

    def append_encoded(self, queue: PartitionQueue, encoded: Buffer, count: int) -> Batch:
        """A batch of rows, behind all records that were appended before."""
        now_ms = self._clock.monotonic_ms()
        self._cluster.touch(queue.partition.topic)
        batch = self._accumulator.append_encoded(queue, encoded, count, now_ms)
        self._sender.wake()
        return batch

    def has_room(self, size: int) -> bool:
        return not self._held and self._accumulator.has_room(size)

    @property
    def is_full(self) -> bool:
        """Whether records wait, or will soon: there is no room for another batch."""
        return bool(self._held) or not self._accumulator.has_room(0)

    def held(self) -> Iterable[Held]:
        return [held for topic in self._held.values() for held in topic]

    def _hold(self, route: Route | None, arrival: Arrival) -> Delivery:
        now_ms = self._clock.monotonic_ms()
        held = Held(arrival, arrival.size, now_ms + (self._max_block_ms if route is None else self._room_wait_ms))
        self._held.setdefault(arrival.topic, deque()).append(held)
        if route is None:
            self._cluster.want([arrival.topic])
        self._sender.wake()
        self._sender.wake_at(held.deadline_ms, now_ms)
        return Delivery(held, 0)

    def let_in(self, now_ms: int) -> None:
        """Appends what can be appended now, and ends what has waited too long."""
        for topic in list(self._held):
            waiting = self._held[topic]
            route = self._route(topic)
            while waiting and waiting[0].deadline_ms <= now_ms:
                held = waiting.popleft()
                self._fail(held, self._too_long(topic, route, held))
            while waiting and route is not None and self._let_in_one(route, waiting[0]):
                waiting.popleft()
            if not waiting:
                del self._held[topic]

    def _let_in_one(self, route: Route, held: Held) -> bool:
        """Whether it is dealt with; otherwise there is no room, or its partition is not known."""
        arrival: Arrival = held.record
        if route.lacks(arrival.partition) and not self._was_refreshed(held):
            return False
        try:
            queue = self._queue_for(route, arrival)
        except ValueError as error:
            self._fail(held, error)
            return True
        if not self._accumulator.fits(queue, arrival.size):
            return False
        batch = self._append(route, queue, arrival)
        held.to = (batch, batch.count - 1)
        held.decide()
        return True

    def _was_refreshed(self, held: Held) -> bool:
        """Whether metadata is from after the record was sent; the first call requests a refresh."""
        if held.refresh is None:
            held.refresh = self._cluster.request_refresh()
        return self._cluster.refreshed >= held.refresh

    def fail_held(self, error: Exception) -> None:
        for waiting in self._held.values():
            for held in waiting:
                self._fail(held, error)
        self._held.clear()

    def _fail(self, held: Held, error: Exception) -> None:
        held.decide(error)
        self.on_failed(held)

    def buffer_full(self) -> BufferFull:
        return BufferFull(
            f"no room within max.block.ms={self._max_block_ms}: the buffer of "
            f"{self._accumulator.limits.buffer_memory} bytes is full; send more slowly, or raise buffer.memory"
        )

    def _too_long(self, topic: str, route: Route | None, held: Held) -> ClientError:
        if route is not None and route.lacks(held.record.partition):
            return TimedOut(f"partition {held.record.partition} of {topic}: metadata could not be refreshed in time")
        if route is not None:
            return self.buffer_full()
        view = self._cluster.image.topics.get(topic)
        if view is not None and view.error == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION:
            return refusal(view.error, f"topic {topic} does not exist; waited max.block.ms={self._max_block_ms}")
        return TimedOut(f"topic {topic}: no metadata within max.block.ms={self._max_block_ms}")

    # routes

    def _route(self, topic: str) -> Route | None:
        known = self._routes.get(topic)
        if known is not None:
            return known
        view = self._cluster.image.topics.get(topic)
        if view is None or view.error != ErrorCode.NONE or not view.partitions:
            return None
        route = self._routes[topic] = self._new_route(view)
        return route

    def _on_image(self, image: ClusterImage) -> None:
        for topic, route in list(self._routes.items()):
            view = image.topics.get(topic)
            if view is None:
                # Idle, or left out for a moment: the next record looks it up.
                del self._routes[topic]
            elif view.partitions and len(view.partitions) != route.partition_count:
                self._routes[topic] = self._new_route(view)
            elif view.partitions:
                route.view = view
        for topic in list(self._held):
            view = image.topics.get(topic)
            if view is not None and view.error != ErrorCode.NONE and view.error not in RETRIABLE:
                for held in self._held.pop(topic):
                    self._fail(held, refusal(view.error, f"topic {topic}"))
        self.let_in(self._clock.monotonic_ms())
