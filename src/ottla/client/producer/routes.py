"""The way of a topic's records to the queues of its partitions. No I/O."""

from collections.abc import Collection

from ottla.client.metadata import TopicView
from ottla.client.producer.accumulator import Accumulator
from ottla.client.producer.partition_queue import PartitionQueue
from ottla.client.producer.partitioners import KeyPartitions, Partitioner, drawn_partition
from ottla.doors.rng import Rng
from ottla.model.topic import TopicPartition


class Route:
    """Of one topic with a given number of partitions; a new one when the number changes."""

    __slots__ = (
        "_accumulator",
        "_is_adaptive",
        "_rng",
        "_slow_nodes",
        "_sticky_from",
        "chooser",
        "keys",
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
        #: A partitioner of the user's, or None.
        self.chooser = chooser
        self.keys = None if ignores_keys else KeyPartitions(self.partition_count)
        self._is_adaptive = is_adaptive
        self._slow_nodes = slow_nodes
        self._rng = rng
        self._sticky_from = 0
        #: Where records without a key go now.
        self.sticky_queue: PartitionQueue = self._drawn()

    @property
    def has_chooser(self) -> bool:
        """A partitioner that has to be asked for each record."""
        return self.chooser is not None

    @property
    def ignores_keys(self) -> bool:
        return self.keys is None

    def choose(self, key: bytes | None) -> PartitionQueue:
        """Raises ValueError for a partition that a partitioner of the user's made up."""
        if self.chooser is not None:
            return self.numbered(self.chooser(self.topic, key, self.partition_count))
        if key is None or self.keys is None:
            return self.sticky_queue
        return self.queues[self.keys.of(key)]

    def lacks(self, partition: int | None) -> bool:
        """Whether the caller asks for a partition that is not known; it may have been added since."""
        return partition is not None and partition >= self.partition_count

    def numbered(self, partition: int) -> PartitionQueue:
        if not 0 <= partition < self.partition_count:
            raise ValueError(
                f"partition {partition} of {self.topic}: it has partitions 0 to {self.partition_count - 1}"
            )
        return self.queues[partition]

    def next_sticky(self) -> PartitionQueue:
        """For a record without a key that does not fit into the open batch: the same partition, or another one."""
        queue = self.sticky_queue
        # Batches that were sent before they were full count too; a batch that is full does by itself.
        if queue.open is not None or queue.closed_bytes - self._sticky_from >= self._accumulator.limits.batch_size:
            self.sticky_queue = self._drawn()
        return self.sticky_queue

    def _drawn(self) -> PartitionQueue:
        usable = [part.partition for part in self.view.partitions if part.leader_id >= 0]
        fast = [index for index in usable if self.view.partitions[index].leader_id not in self._slow_nodes]
        choices = fast or usable or list(range(self.partition_count))
        waiting = [self.queues[index].waiting_count for index in choices] if self._is_adaptive else []
        queue = self.queues[drawn_partition(choices, waiting, self._rng)]
        self._sticky_from = queue.closed_bytes
        return queue
