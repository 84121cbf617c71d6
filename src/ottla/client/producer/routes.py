"""The way of a topic's records to the queues of its partitions. No I/O."""

from collections.abc import Collection

from ottla.client.metadata import TopicView
from ottla.client.producer.accumulator import Accumulator
from ottla.client.producer.partition_queue import PartitionQueue
from ottla.client.producer.partitioners import KeyPartitions, Partitioner, StickyChoice
from ottla.doors.rng import Rng
from ottla.model.topic import TopicPartition


class Route:
    """Of one topic with a given number of partitions; a new one when the number changes."""

    __slots__ = (
        "_accumulator",
        "_chooser",
        "_is_adaptive",
        "_keys",
        "_slow_nodes",
        "_sticky",
        "partition_count",
        "queues",
        "sticky_queue",
        "topic",
        "view",
    )

    def __init__(
        self,
        view: TopicView,
        accumulator: Accumulator,
        rng: Rng,
        *,
        chooser: Partitioner | None,
        ignores_keys: bool,
        is_adaptive: bool,
        slow_nodes: Collection[int],
    ) -> None:
        self.topic = view.name
        self.view = view
        self.partition_count = len(view.partitions)
        self.queues = [accumulator.queue(TopicPartition(view.name, part.partition)) for part in view.partitions]
        self._accumulator = accumulator
        self._chooser = chooser
        self._keys = None if ignores_keys else KeyPartitions(self.partition_count)
        self._is_adaptive = is_adaptive
        self._slow_nodes = slow_nodes
        self._sticky = StickyChoice(rng, accumulator.limits.batch_size)
        #: Where records without a key go now.
        self.sticky_queue: PartitionQueue = self._drawn()

    @property
    def has_chooser(self) -> bool:
        """A partitioner that has to be asked for each record."""
        return self._chooser is not None

    @property
    def ignores_keys(self) -> bool:
        return self._keys is None

    def choose(self, key: bytes | None) -> PartitionQueue:
        """Raises ValueError for a partition that a partitioner of the user's made up."""
        if self._chooser is not None:
            return self.numbered(self._chooser(self.topic, key, self.partition_count))
        if key is None or self._keys is None:
            return self.sticky_queue
        return self.queues[self._keys.of(key)]

    def numbered(self, partition: int) -> PartitionQueue:
        if not 0 <= partition < self.partition_count:
            raise ValueError(
                f"partition {partition} of {self.topic}: it has partitions 0 to {self.partition_count - 1}"
            )
        return self.queues[partition]

    def appended(self, queue: PartitionQueue, size: int) -> None:
        """Told of each record that went to the sticky partition."""
        batch = queue.open
        is_full = batch is None or batch.size >= self._accumulator.limits.batch_size - size
        if self._sticky.appended(size, batch_is_full=is_full):
            self.sticky_queue = self._drawn()

    def _drawn(self) -> PartitionQueue:
        usable = [part.partition for part in self.view.partitions if part.leader_id >= 0]
        fast = [index for index in usable if self.view.partitions[index].leader_id not in self._slow_nodes]
        choices = fast or usable or list(range(self.partition_count))
        waiting = [self.queues[index].waiting_count for index in choices] if self._is_adaptive else []
        return self.queues[self._sticky.draw(choices, waiting)]
