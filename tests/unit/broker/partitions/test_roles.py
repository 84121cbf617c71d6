"""The roles of a partition follow the metadata, in both directions, and the role decides what clients get."""

import asyncio
import errno
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from ottla.broker.execution.tasks import Tasks
from ottla.broker.metadata.cache import MetadataCache
from ottla.broker.metadata.dynamic_config import DynamicConfig
from ottla.broker.metadata.publisher import MetadataPublisher
from ottla.broker.partitions.partition import Role
from ottla.broker.partitions.partitions import Partitions
from ottla.broker.partitions.reconciler import PartitionReconciler
from ottla.broker.produce.committed_wait import CommittedWait
from ottla.broker.storage.checkpoints import Checkpoints
from ottla.broker.storage.faults import StorageFaults
from ottla.config.broker_options import BrokerOptions
from ottla.metadata.image_builder import ImageBuilder
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.topic import TopicPartition
from ottla.protocol.generated.config_record import ConfigRecord
from ottla.protocol.generated.partition_change_record import PartitionChangeRecord
from ottla.protocol.generated.partition_record import PartitionRecord
from ottla.protocol.generated.produce_response import PartitionResponses, ProduceResponse
from ottla.protocol.generated.remove_topic_record import RemoveTopicRecord
from ottla.protocol.generated.topic_record import TopicRecord
from ottla.records.builder import build_batch
from ottla.records.record import Record
from ottla.replication.partition_leader import PartitionLeader
from ottla.sim.executor import SimExecutor
from tests.support.store_node import ID, ORDERS, StoreNode

THIS, OTHER, NOBODY = 1, 2, -1


class NodePartitions:
    """The partitions of node 1 of a cluster whose metadata the test writes."""

    def __init__(self) -> None:
        node = StoreNode()
        self.store = node.start()
        self.lost: list[TopicPartition] = []
        self.led: list[int] = []
        self.gave_up: list[str] = []
        self.metadata = MetadataCache(THIS)
        self.config = DynamicConfig(BrokerOptions(), self.metadata)
        self.faults = StorageFaults(self.store, node.clock, 1000, give_up=self.gave_up.append)
        self.partitions = Partitions(self.metadata, lambda leader: None)
        self.partitions.listeners.append(self)
        self.faults.on_partition_failed = self.partitions.take_offline
        executor = SimExecutor(node.disk, node.rng)
        self.reconciler = PartitionReconciler(
            self.partitions,
            self.store,
            metadata=self.metadata,
            config=self.config,
            faults=self.faults,
            checkpoints=Checkpoints(self.store, executor, self.faults),
            clock=node.clock,
            tasks=Tasks(),
        )
        self._publisher = MetadataPublisher(self.metadata, [self.config.follow, self.reconciler.follow])

    def partition_led(self, leader: PartitionLeader) -> None:
        self.led.append(leader.leader_epoch)

    def partition_lost(self, topic_partition: TopicPartition) -> None:
        self.lost.append(topic_partition)

    def commits(self, *records: Any) -> None:
        before = self.metadata.image
        builder = ImageBuilder(before)
        for offset, record in enumerate(records, before.offset + 1):
            builder.apply(record, offset, 1000)
        self._publisher.publish(before, builder.build())

    def creates(self, leader: int = THIS, replicas: tuple[int, ...] = (THIS, OTHER)) -> None:
        partition = PartitionRecord(
            partition_id=0,
            topic_id=ID,
            replicas=list(replicas),
            isr=list(replicas),
            leader=leader,
            leader_epoch=0,
            partition_epoch=0,
        )
        self.commits(TopicRecord(name=ORDERS.topic, topic_id=ID), partition)

    def elects(self, leader: int) -> None:
        """Each change of a leader raises its epoch."""
        self.commits(PartitionChangeRecord(partition_id=0, topic_id=ID, leader=leader))

    @property
    def role(self) -> Role | None:
        hosted = self.partitions.hosted(ORDERS)
        return None if hosted is None else hosted.role

    def code(self) -> ErrorCode:
        """What a client gets that produces or fetches."""
        try:
            self.partitions.find(*ORDERS)
        except Refused as refusal:
            return refusal.code
        return ErrorCode.NONE


def told(story: Callable[[NodePartitions], Awaitable[None]]) -> None:
    async def tell() -> None:
        await story(NodePartitions())

    asyncio.run(tell())


def a_batch() -> bytearray:
    return build_batch([Record(0, 1000, b"k", b"v")])


def test_the_leader_serves_clients() -> None:
    async def story(stage: NodePartitions) -> None:
        stage.creates(leader=THIS)

        assert (stage.role, stage.code()) == (Role.LEADER, ErrorCode.NONE)
        assert stage.led == [0]

    told(story)


@pytest.mark.parametrize("leader", [OTHER, NOBODY])
def test_a_follower_has_a_log_and_refuses_clients(leader: int) -> None:
    async def story(stage: NodePartitions) -> None:
        stage.creates(leader=leader)

        assert (stage.role, stage.code()) == (Role.FOLLOWER, ErrorCode.NOT_LEADER_OR_FOLLOWER)
        assert ORDERS in stage.store.logs
        assert stage.led == []

    told(story)


def test_a_node_without_a_replica_refuses_clients_and_has_no_log() -> None:
    async def story(stage: NodePartitions) -> None:
        stage.creates(leader=OTHER, replicas=(OTHER, 3))

        assert (stage.role, stage.code()) == (None, ErrorCode.NOT_LEADER_OR_FOLLOWER)
        assert ORDERS not in stage.store.logs

    told(story)


def test_leadership_goes_away_and_comes_back() -> None:
    async def story(stage: NodePartitions) -> None:
        stage.creates(leader=THIS)
        log = stage.store.logs[ORDERS]
        first = stage.partitions.find(*ORDERS)
        stage.elects(OTHER)

        assert (stage.role, stage.code()) == (Role.FOLLOWER, ErrorCode.NOT_LEADER_OR_FOLLOWER)
        assert first.has_resigned
        assert stage.lost == [ORDERS]
        stage.elects(THIS)
        second = stage.partitions.find(*ORDERS)
        assert (stage.role, second.leader_epoch) == (Role.LEADER, 2)
        assert second is not first
        assert second.log is log
        assert stage.led == [0, 2]
        second.append(a_batch(), 1000)
        assert (log.high_watermark, log.epochs.latest) == (1, 2)

    told(story)


def test_a_new_epoch_of_the_same_leader_keeps_whoever_waits_for_it() -> None:
    async def story(stage: NodePartitions) -> None:
        stage.creates(leader=THIS)
        leader = stage.partitions.find(*ORDERS)
        told: list[int] = []
        leader.watch(lambda: told.append(leader.high_watermark))
        stage.elects(THIS)

        assert stage.partitions.find(*ORDERS) is leader
        assert leader.leader_epoch == 1
        leader.append(a_batch(), 1000)
        assert told == [1]
        assert stage.led == [0, 1], "coordinators load again in the new epoch"

    told(story)


def test_a_change_of_the_in_sync_set_changes_no_role() -> None:
    async def story(stage: NodePartitions) -> None:
        stage.creates(leader=THIS)
        leader = stage.partitions.find(*ORDERS)
        stage.commits(PartitionChangeRecord(partition_id=0, topic_id=ID, isr=[THIS]))

        assert stage.partitions.find(*ORDERS) is leader
        assert stage.led == [0]

    told(story)


def test_a_follower_follows_another_leader_in_its_epoch() -> None:
    async def story(stage: NodePartitions) -> None:
        stage.creates(leader=OTHER, replicas=(THIS, OTHER, 3))
        stage.elects(3)

        hosted = stage.partitions.hosted(ORDERS)
        assert hosted is not None
        assert hosted.follower is not None
        assert (hosted.follower.leader_id, hosted.leader_epoch) == (3, 1)

    told(story)


@pytest.mark.parametrize("leader", [THIS, OTHER])
def test_a_failed_directory_takes_every_role_offline(leader: int) -> None:
    async def story(stage: NodePartitions) -> None:
        stage.creates(leader=leader)
        stage.faults.directory_failed(stage.store.logs[ORDERS], OSError(errno.EIO, "broken"))

        assert (stage.role, stage.code()) == (Role.OFFLINE, ErrorCode.KAFKA_STORAGE_ERROR)
        assert stage.lost[-1] == ORDERS
        stage.elects(THIS)
        assert stage.role is Role.OFFLINE, "its log cannot be used, whoever leads"
        assert stage.gave_up == ["no log directory is left"]

    told(story)


@pytest.mark.parametrize("leader", [THIS, OTHER])
def test_a_deleted_partition_has_no_role(leader: int) -> None:
    async def story(stage: NodePartitions) -> None:
        stage.creates(leader=leader)
        stage.commits(RemoveTopicRecord(topic_id=ID))

        assert (stage.role, stage.code()) == (None, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
        assert ORDERS not in stage.store.logs

    told(story)


def test_a_replica_that_moves_to_another_node_is_removed() -> None:
    async def story(stage: NodePartitions) -> None:
        stage.creates(leader=THIS)
        stage.commits(
            PartitionChangeRecord(partition_id=0, topic_id=ID, replicas=[OTHER, 3], isr=[OTHER, 3], leader=OTHER)
        )

        assert (stage.role, stage.code()) == (None, ErrorCode.NOT_LEADER_OR_FOLLOWER)
        assert stage.lost == [ORDERS]
        assert ORDERS not in stage.store.logs

    told(story)


def test_options_reach_the_log_of_a_follower() -> None:
    async def story(stage: NodePartitions) -> None:
        stage.creates(leader=OTHER)
        stage.commits(ConfigRecord(resource_type=2, resource_name=ORDERS.topic, name="retention.ms", value="1234"))

        assert stage.store.logs[ORDERS].options.retention_ms == 1234

    told(story)


@pytest.mark.parametrize(
    ("then", "code"),
    [
        (lambda stage: stage.elects(OTHER), ErrorCode.NOT_LEADER_OR_FOLLOWER),
        (lambda stage: stage.commits(RemoveTopicRecord(topic_id=ID)), ErrorCode.NOT_LEADER_OR_FOLLOWER),
    ],
    ids=["follower", "deleted"],
)
def test_a_produce_that_waits_for_a_leader_that_resigns_is_refused(
    then: Callable[[NodePartitions], None], code: ErrorCode
) -> None:
    async def story(stage: NodePartitions) -> None:
        stage.creates(leader=THIS)
        stage.commits(ConfigRecord(resource_type=2, resource_name=ORDERS.topic, name="flush.messages", value="1"))
        leader = stage.partitions.find(*ORDERS)
        base_offset, last_offset, _, _ = leader.append(a_batch(), 1000)
        answer = PartitionResponses(base_offset=base_offset)
        wait = CommittedWait(ProduceResponse(), [(leader, last_offset, answer)], -1, 60_000)

        then(stage)

        assert wait.deferred.is_done
        assert (answer.error_code, answer.base_offset) == (code, -1)

    told(story)
