"""How the broker asks the controller, which lives in the same process; in a cluster it may be elsewhere."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from ottla.broker.producer_ids import Block
from ottla.controller.feature_levels import SUPPORTED_FEATURES
from ottla.controller.shard import ControllerShard
from ottla.coordination.shard import Decision, Now
from ottla.metadata import snapshot_files
from ottla.metadata.broker_registration import Endpoint
from ottla.metadata.image import MetadataImage
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.steps import Steps
from ottla.protocol.generated.allocate_producer_ids_request import AllocateProducerIdsRequest
from ottla.protocol.generated.broker_registration_request import BrokerRegistrationRequest, Features, Listeners
from ottla.protocol.generated.create_topics_request import Configs, CreateTopicsRequest, Topics

if TYPE_CHECKING:
    from ottla.broker.node import BrokerNode

R = TypeVar("R")
#: The version in which the broker speaks to its own controller where a response depends on one.
_NEWEST_CREATE_TOPICS = 7


class ControllerClient:
    """Owned by the node."""

    def __init__(self, broker: BrokerNode) -> None:
        self._broker = broker
        #: Held while an operation decides in slices: what it has read must not change before it is carried out.
        self._turn = asyncio.Lock()

    def make_shard(self, image: MetadataImage, cluster_id: str) -> ControllerShard:
        return ControllerShard(
            node_id=self._broker.node_id,
            cluster_id=cluster_id,
            options=self._broker.options,
            rng=self._broker.world.rng,
            image=image,
            # A directory that Kafka's storage tool has formatted brings its own first records.
            first_records=snapshot_files.load_bootstrap(self._broker.world.disk, self._broker.metadata.log_directory),
        )

    @property
    def shard(self) -> ControllerShard:
        return self._broker.metadata.controller

    def run(self, operation: Callable[[ControllerShard, Now], Decision[R]]) -> asyncio.Future[R]:
        """Runs an operation of the controller; done when its records are committed and published."""
        if self._turn.locked():
            return asyncio.ensure_future(self._run_in_turn(operation))
        return self._run(operation)

    def _run(self, operation: Callable[[ControllerShard, Now], Decision[R]]) -> asyncio.Future[R]:
        shard = self.shard
        return self._broker.metadata.host.run(lambda now: operation(shard, now))

    async def _run_in_turn(self, operation: Callable[[ControllerShard, Now], Decision[R]]) -> R:
        async with self._turn:
            outcome = self._run(operation)
        return await outcome

    async def run_in_slices(self, operation: Callable[[ControllerShard], Steps[Decision[R]]]) -> R:
        """As `run`, for an operation whose decision may take long. Other operations wait, other requests do not."""
        async with self._turn:
            decision = await self._broker.time_slices.finish(operation(self.shard))
            outcome = self._run(lambda shard, now: decision)
        return await outcome

    async def create(self, operation: Callable[[ControllerShard], Steps[Decision[R]]]) -> R:
        """Runs an operation that creates partitions; done when a client can use them."""
        answer = await self.run_in_slices(operation)
        await self._broker.reconciler.names_are_free()
        return answer

    async def register(self, endpoints: list[Endpoint]) -> None:
        """Tells the controller that this broker is up and where clients reach it."""
        broker = self._broker
        request = BrokerRegistrationRequest(
            broker_id=broker.node_id,
            cluster_id=broker.image.cluster_id,
            incarnation_id=broker.world.rng.uuid(),
            listeners=[
                Listeners(name=e.name, host=e.host, port=e.port, security_protocol=e.security_protocol)
                for e in endpoints
            ],
            features=[
                Features(name=name, min_supported_version=low, max_supported_version=high)
                for name, (low, high) in SUPPORTED_FEATURES.items()
            ],
            rack=broker.options.broker_rack,
            log_dirs=broker.store.directory_ids(),
            # With this the controller knows whether the logs may have lost their end since; if not, epochs stay.
            previous_broker_epoch=broker.store.previous_broker_epoch,
        )
        answer = await self.run(lambda shard, now: shard.start_single_node(request, now))
        if answer.error_code:
            raise Refused(ErrorCode(answer.error_code), "the controller refused this broker")
        broker.store.record_broker_epoch(answer.broker_epoch, broker.retention_clock.held_ms)

    async def allocate_producer_ids(self) -> Block:
        request = AllocateProducerIdsRequest(broker_id=self._broker.node_id, broker_epoch=self._broker.epoch)
        answer = await self.run(lambda shard, now: shard.allocate_producer_ids(request, now))
        if answer.error_code:
            raise Refused(ErrorCode(answer.error_code))
        return answer.producer_id_start, answer.producer_id_len

    async def auto_create(self, names: list[str]) -> dict[str, ErrorCode]:
        """Creates topics that a client asked for, with the broker's defaults; gives the codes of those refused."""
        request = CreateTopicsRequest(topics=[self.topic_with_defaults(name) for name in names], timeout_ms=30_000)
        return await self._create(request)

    async def create_internal(self, topic: Topics) -> None:
        """Creates an internal topic once, however many clients need it at the same time."""
        codes = await self._create(CreateTopicsRequest(topics=[topic], timeout_ms=30_000))
        for name, code in codes.items():
            if code not in (ErrorCode.NONE, ErrorCode.TOPIC_ALREADY_EXISTS):
                raise Refused(ErrorCode.COORDINATOR_NOT_AVAILABLE, f"{name} could not be created: {code.name}")

    def topic_with_defaults(self, name: str) -> Topics:
        found = self._broker.internal_topic(name)
        if found is not None:
            return found
        return Topics(name=name, num_partitions=-1, replication_factor=-1)

    async def _create(self, request: CreateTopicsRequest) -> dict[str, ErrorCode]:
        answer = await self.create(lambda shard: shard.create_topics(request, _NEWEST_CREATE_TOPICS))
        return {topic.name: ErrorCode(topic.error_code) for topic in answer.topics if topic.error_code}


def internal_topic(name: str, partition_count: int, replication_factor: int, configs: dict[str, str]) -> Topics:
    return Topics(
        name=name,
        num_partitions=partition_count,
        replication_factor=replication_factor,
        configs=[Configs(name=key, value=value) for key, value in configs.items()],
    )
