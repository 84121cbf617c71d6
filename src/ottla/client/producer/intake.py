"""Where records enter: to the queue of their partition, or held while their topic is not known or the buffer is full.

Held records keep their order: a topic that has some holds all that come after them. They are let in when metadata
arrives or memory is given back, and fail after `max.block.ms`.
"""

from collections import deque
from collections.abc import Callable, Iterable

from ottla.client.cluster import Cluster
from ottla.client.errors import BufferFull, ClientError, TimedOut, refusal
from ottla.client.metadata import ClusterImage, TopicView
from ottla.client.producer.accumulator import Accumulator
from ottla.client.producer.batch import Batch
from ottla.client.producer.delivery import Delivery, Held
from ottla.client.producer.partition_queue import PartitionQueue
from ottla.client.producer.preparing import Arrival
from ottla.client.producer.routes import Route
from ottla.client.producer.sender import Sender
from ottla.model.error_codes import RETRIABLE, ErrorCode
from ottla.protocol.wire import Buffer
from ottla.records.record import Record

_new = tuple.__new__


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
        self._accumulator = accumulator
        self._sender = sender
        self._new_route = new_route
        self._max_block_ms = max_block_ms
        #: How long a record waits for memory.
        self._room_wait_ms = room_wait_ms
        self._batch_size = accumulator.limits.batch_size
        self._linger_ms = accumulator.limits.linger_ms
        self._spare_bytes = min(self._batch_size, accumulator.limits.buffer_memory // 4)
        self._routes: dict[str, Route] = {}
        self._held: dict[str, deque[Held]] = {}
        #: Called for each held record that failed.
        self.on_decided: Callable[[Held], None] = lambda held: None
        cluster.on_image.append(self._on_image)

    def take(self, arrival: Arrival) -> Delivery:
        """Raises ValueError for a partition that the topic does not have."""
        route = self._routes.get(arrival.topic)
        if route is None or self._held or not self._accumulator.has_room(arrival.size):
            return self._take_slowly(arrival)
        batch = self._append(route, arrival)
        return Delivery(batch, batch.count - 1)

    def _append(self, route: Route, arrival: Arrival) -> Batch:
        _, partition, key, value, headers, timestamp_ms, size = arrival
        stamp_ms = self._clock.now_ms() if timestamp_ms is None else timestamp_ms
        record: Record = _new(Record, (0, stamp_ms, key, value, headers))
        is_sticky = False
        if partition is not None:
            queue = route.numbered(partition)
        else:
            queue = route.choose(key)
            is_sticky = queue is route.sticky_queue
        batch = queue.open
        if batch is None or batch.size + size > self._batch_size:
            return self._append_to_new(route, queue, record, size, is_sticky=is_sticky)
        self._accumulator.append(queue, record, size, 0)
        if is_sticky:
            route.appended(queue, size)
        if batch.size >= self._batch_size:
            self._sender.wake()
        return batch

    def _append_to_new(
        self, route: Route, queue: PartitionQueue, record: Record, size: int, *, is_sticky: bool
    ) -> Batch:
        now_ms = self._clock.monotonic_ms()
        self._cluster.touch(route.topic)
        batch = self._accumulator.append(queue, record, size, now_ms)
        if is_sticky:
            route.appended(queue, size)
        if queue.waiting or not self._linger_ms or batch.size >= self._batch_size:
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
        return bool(self._held) or not self._accumulator.has_room(self._spare_bytes)

    def held(self) -> Iterable[Held]:
        return [held for topic in self._held.values() for held in topic]

    def _take_slowly(self, arrival: Arrival) -> Delivery:
        route = self._route(arrival.topic)
        if route is not None and arrival.topic not in self._held and self._accumulator.has_room(arrival.size):
            batch = self._append(route, arrival)
            return Delivery(batch, batch.count - 1)
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
                self._fail(waiting.popleft(), self._too_long(topic, route))
            while waiting and route is not None and self._accumulator.has_room(waiting[0].size):
                self._let_in_one(route, waiting.popleft())
            if not waiting:
                del self._held[topic]

    def _let_in_one(self, route: Route, held: Held) -> None:
        arrival: Arrival = held.record
        try:
            batch = self._append(route, arrival)
        except ValueError as error:
            self._fail(held, error)
            return
        held.to = (batch, batch.count - 1)
        held.decide()

    def fail_held(self, error: Exception) -> None:
        for waiting in self._held.values():
            for held in waiting:
                self._fail(held, error)
        self._held.clear()

    def _fail(self, held: Held, error: Exception) -> None:
        held.decide(error)
        self.on_decided(held)

    def buffer_full(self) -> BufferFull:
        return BufferFull(
            f"no room within max.block.ms={self._max_block_ms}: the buffer of "
            f"{self._accumulator.limits.buffer_memory} bytes is full; send more slowly, or raise buffer.memory"
        )

    def _too_long(self, topic: str, route: Route | None) -> ClientError:
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
