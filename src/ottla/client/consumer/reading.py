"""Everything between an assignment and records: positions, fetches, the buffer, what is delivered."""

import asyncio
import logging
from collections.abc import Callable, Iterable

from ottla.client.cluster import Cluster
from ottla.client.consumer.assignment import Assignment
from ottla.client.consumer.deliveries import Deliveries
from ottla.client.consumer.fetch_buffer import FetchBuffer
from ottla.client.consumer.fetcher import READ_COMMITTED, Fetcher
from ottla.client.consumer.offset_requests import Outcomes
from ottla.client.consumer.position_lookups import CommittedLookup, PositionLookups
from ottla.client.consumer.positions import PartitionState, Position, Readiness
from ottla.client.consumer.reset_policy import ResetPolicy, read_policy
from ottla.client.errors import ClientError
from ottla.client.interceptors import InterceptorChain
from ottla.client.metadata import ClusterImage
from ottla.client.metrics import Metrics
from ottla.client.offsets import OffsetAndMetadata
from ottla.client.serializers import Deserializer
from ottla.config.consumer_options import ConsumerOptions
from ottla.model.topic import TopicPartition

_log = logging.getLogger(__name__)


class Reading:
    """Owned by the consumer, from `start` to `close`."""

    def __init__(
        self,
        cluster: Cluster,
        options: ConsumerOptions,
        committed: CommittedLookup | None,
        interceptors: InterceptorChain,
        deserializers: tuple[Deserializer | None, Deserializer | None],
        on_news: Callable[[], None],
    ) -> None:
        """`committed` is None for a consumer without a group."""
        self._cluster = cluster
        self._on_news = on_news
        #: By their texts: one that comes again and again is raised once.
        self._errors: dict[str, ClientError] = {}
        self._waiters: list[asyncio.Future[None]] = []
        self.assignment = Assignment(read_policy(options.auto_offset_reset), uses_committed=committed is not None)
        self.buffer = FetchBuffer()
        self.deliveries = Deliveries(self.buffer, interceptors, *deserializers)
        self.fetcher = Fetcher(
            cluster,
            options,
            self.assignment,
            self.buffer,
            on_news=on_news,
            on_jump=self._positions_changed,
            on_error=self._add_error,
        )
        self.lookups = PositionLookups(
            cluster,
            self.assignment,
            committed or _nothing_committed,
            is_committed_only=options.isolation_level == READ_COMMITTED,
            on_position=self._positions_changed,
            on_error=self._add_error,
        )
        cluster.on_image.append(self._image_changed)

    async def close(self) -> None:
        self._cluster.on_image.remove(self._image_changed)
        self.deliveries.close()
        await self.lookups.close()
        await self.fetcher.close()

    def wake(self) -> None:
        """Something may have become readable or hungry."""
        self.lookups.wake()
        self.fetcher.wake()

    def metrics(self, client_id: str) -> Metrics:
        return self.fetcher.metrics.metrics(
            client_id,
            self._cluster.clock.monotonic_ms(),
            record_count=self.deliveries.record_count,
            assigned_count=len(self.assignment.partitions),
        )

    # the assignment

    def assign(self, partitions: Iterable[TopicPartition]) -> None:
        """Exactly these from now on."""
        self.deliveries.recall()
        wanted = list(partitions)
        self._cluster.want({partition.topic: None for partition in wanted})
        self.assignment.replace(wanted, self._cluster.image)
        self.buffer.drop_stale()
        self.wake()

    def add(self, partitions: Iterable[TopicPartition]) -> None:
        self.assign([*self.assignment.partitions, *sorted(partitions)])

    def remove(self, partitions: Iterable[TopicPartition]) -> None:
        gone = set(partitions)
        self.assign([state.partition for state in self.assignment if state.partition not in gone])

    def begin_revoking(self, partitions: Iterable[TopicPartition]) -> None:
        """Returns nothing more of them; their positions are final."""
        self.deliveries.recall()
        for partition in partitions:
            state = self.assignment.get(partition)
            if state is not None:
                state.is_revoking = True

    # positions

    def state(self, partition: TopicPartition) -> PartitionState:
        """Raises ValueError for a partition that is not assigned."""
        found = self.assignment.get(TopicPartition(*partition))
        if found is None:
            raise ValueError(f"{TopicPartition(*partition)} is not assigned to this consumer")
        return found

    def positions(self) -> dict[TopicPartition, Position]:
        self.deliveries.settle()
        return dict(self.assignment.positions())

    def seek(self, partition: TopicPartition, position: Position) -> None:
        state = self.state(partition)
        self.deliveries.recall()
        state.seek(position)
        self._jumped()

    def reset(self, partitions: Iterable[TopicPartition], policy: ResetPolicy) -> None:
        states = [self.state(partition) for partition in partitions]
        self.deliveries.recall()
        for state in states:
            state.needs_reset(policy)
        self._jumped()

    def pause(self, partitions: Iterable[TopicPartition], *, is_paused: bool) -> None:
        states = [self.state(partition) for partition in partitions]
        self.deliveries.recall()
        for state in states:
            state.is_paused = is_paused
        self.wake()
        self._on_news()

    def _jumped(self) -> None:
        self.buffer.drop_stale()
        self.wake()

    # errors

    def take_error(self) -> ClientError | None:
        """What the caller has to hear of."""
        return self._errors.pop(next(iter(self._errors))) if self._errors else None

    def failed_partition(self) -> ClientError | None:
        """A partition that needs a seek is an error again and again."""
        for state in self.assignment:
            if state.readiness is Readiness.FAILED:
                return state.failure
        return None

    def _add_error(self, error: ClientError) -> None:
        self._errors[str(error)] = error
        self._on_news()

    async def next_position(self) -> None:
        """Waits until a partition has got a position, or cannot get one."""
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiters.append(waiter)
        await waiter

    def _positions_changed(self) -> None:
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)
        self.buffer.drop_stale()
        self.wake()
        self._on_news()

    def _image_changed(self, image: ClusterImage) -> None:
        changed = self.assignment.image_changed(image)
        for state in changed:
            _log.debug("%s: %s, position %s", state.partition, state.readiness.value, state.position)
        if changed:
            self.deliveries.recall()
            self.buffer.drop_stale()
        self.wake()


async def _nothing_committed(partitions: list[TopicPartition]) -> Outcomes[OffsetAndMetadata | None]:
    return dict.fromkeys(partitions)
