"""Random lives of a cluster: whatever operators, brokers and crashes do, the metadata stays consistent and replays."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from ottla.coordination.shard import Decision
from ottla.metadata.checkpoint import build_checkpoint, parse_checkpoint
from ottla.metadata.image import EMPTY_IMAGE, MetadataImage
from ottla.metadata.image_builder import ImageBuilder
from ottla.metadata.partition_registration import NO_LEADER
from ottla.metadata.snapshot import image_records
from ottla.protocol.generated.alter_partition_reassignments_request import (
    AlterPartitionReassignmentsRequest,
    Partitions,
)
from ottla.protocol.generated.alter_partition_reassignments_request import Topics as Move
from ottla.protocol.generated.create_partitions_request import CreatePartitionsRequest
from ottla.protocol.generated.create_partitions_request import Topics as Growth
from ottla.protocol.generated.delete_topics_request import DeleteTopicsRequest
from ottla.protocol.generated.elect_leaders_request import ElectLeadersRequest
from ottla.protocol.generated.feature_level_record import FeatureLevelRecord
from tests.support.controller_host import ControllerHost, registration

BROKERS = st.integers(1, 4)
NAMES = st.sampled_from(["a", "b.c", "b_c", "d"])


class ControllerWalk(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.host = ControllerHost()
        self.last_epochs: dict[tuple[bytes, int], tuple[int, int]] = {}
        self.incarnation = 0

    @initialize(keeps_eligible=st.booleans())
    def begin(self, keeps_eligible: bool) -> None:
        if keeps_eligible:
            record = FeatureLevelRecord(name="eligible.leader.replicas.version", feature_level=1)
            self.host.carry_out(Decision(None, [record]))
        self.host.join(1)

    # -- brokers

    @rule(broker_id=BROKERS, clean=st.booleans())
    def register(self, broker_id: int, clean: bool) -> None:
        self.incarnation += 1
        known = self.host.image.broker(broker_id)
        epoch = known.epoch if known is not None and clean else -1
        request = registration(broker_id, incarnation=self.incarnation % 250, previous_epoch=epoch)
        self.host.run(lambda shard, now: shard.register_broker(request, now))

    @rule(broker_id=BROKERS, fence=st.booleans(), stop=st.booleans())
    def beat(self, broker_id: int, fence: bool, stop: bool) -> None:
        if self.host.image.broker(broker_id) is not None:
            self.host.beat(broker_id, want_fence=fence, want_shut_down=stop)

    @rule(span_ms=st.sampled_from([1000, 9000]))
    def wait(self, span_ms: int) -> None:
        self.host.time_passes(span_ms)

    @rule(broker_id=BROKERS)
    def forget(self, broker_id: int) -> None:
        self.host.carry_out(self.host.shard.unregister_broker(broker_id, self.host.now))

    # -- operators

    @rule(
        name=NAMES, count=st.integers(1, 3), factor=st.integers(1, 3), unclean=st.booleans(), minimum=st.integers(1, 2)
    )
    def create(self, name: str, count: int, factor: int, unclean: bool, minimum: int) -> None:
        self.host.create(
            name,
            count,
            factor,
            unclean_leader_election_enable=str(unclean).lower(),
            min_insync_replicas=str(minimum),
        )

    @rule(name=NAMES)
    def delete(self, name: str) -> None:
        request = DeleteTopicsRequest(topic_names=[name])
        self.host.run(lambda shard, now: shard.delete_topics(request, 5))

    @rule(name=NAMES, count=st.integers(1, 5))
    def grow(self, name: str, count: int) -> None:
        request = CreatePartitionsRequest(topics=[Growth(name, count, None)])
        self.host.run(lambda shard, now: shard.create_partitions(request))

    @rule(name=NAMES, goal=st.none() | st.lists(BROKERS, min_size=1, max_size=3, unique=True))
    def move(self, name: str, goal: list[int] | None) -> None:
        request = AlterPartitionReassignmentsRequest(topics=[Move(name, [Partitions(0, goal)])])
        self.host.run(lambda shard, now: shard.alter_partition_reassignments(request, now))

    @rule(kind=st.integers(0, 1))
    def elect(self, kind: int) -> None:
        request = ElectLeadersRequest(election_type=kind, topic_partitions=None)
        self.host.run(lambda shard, now: shard.elect_leaders(request, now))

    # -- what must always hold

    @invariant()
    def leaders_are_up_and_in_sync(self) -> None:
        image = self.host.image
        assert image.topics.partition_count == sum(topic.partition_count for topic in image.topics)
        for topic in image.topics:
            for index, partition in topic.partitions.items():
                where = f"{topic.name}-{index} {partition}"
                assert len(partition.replicas) == len(partition.directories) > 0, where
                assert not [each for each in partition.isr if each not in partition.replicas], where
                if partition.leader != NO_LEADER:
                    assert partition.leader in partition.isr, where
                    assert image.is_alive(partition.leader), where

    @invariant()
    def epochs_never_go_back(self) -> None:
        for topic in self.host.image.topics:
            for index, partition in topic.partitions.items():
                now = (partition.leader_epoch, partition.partition_epoch)
                before = self.last_epochs.get((topic.topic_id, index), (0, 0))
                assert now[0] >= before[0]
                assert now[1] >= before[1]
                self.last_epochs[topic.topic_id, index] = now

    def teardown(self) -> None:
        self.host.check_replay()
        image = self.host.image
        content = build_checkpoint(image_records(image), timestamp_ms=image.timestamp_ms)
        assert _image_of(bytes(content), image) == image


def _image_of(content: bytes, like: MetadataImage) -> MetadataImage:
    builder = ImageBuilder(EMPTY_IMAGE._replace(cluster_id=like.cluster_id, controller_id=like.controller_id))
    for record in parse_checkpoint(content, "x").records:
        builder.apply(record, like.offset, like.timestamp_ms)
    return builder.build()


TestControllerWalk = ControllerWalk.TestCase
TestControllerWalk.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
