"""Stories of a cluster, told on the bare controller: what happens, and what the metadata says of it.

After each line of a story the partitions that changed are written down as `name-index leader@epoch in-sync`.
"""

import pytest

from ottla.coordination.shard import Decision
from ottla.metadata.delta import MetadataDelta
from ottla.protocol.generated.alter_partition_reassignments_request import (
    AlterPartitionReassignmentsRequest,
    Partitions,
)
from ottla.protocol.generated.alter_partition_reassignments_request import Topics as Move
from ottla.protocol.generated.create_topics_request import Assignments, Configs, Topics
from ottla.protocol.generated.delete_topics_request import DeleteTopicsRequest
from ottla.protocol.generated.feature_level_record import FeatureLevelRecord
from tests.support.controller_host import ControllerHost, registration


class Storyteller:
    """Reads a story line by line; the words are the methods below."""

    def __init__(self) -> None:
        self.host = ControllerHost()
        self.trace: list[str] = []

    def tell(self, story: str) -> list[str]:
        for line in filter(None, (line.strip() for line in story.splitlines())):
            before = self.host.image
            word, *rest = line.split()
            getattr(self, word.replace("-", "_"))(*rest)
            delta = MetadataDelta(before, self.host.image)
            seen = [(tp, now) for tp, _, now in delta.created_partitions()]
            seen += [(tp, now) for tp, _, now in delta.changed_partitions()]
            for topic_partition, now in seen:
                in_sync = ",".join(map(str, now.isr)) or "nobody"
                self.trace.append(f"{line}: {topic_partition} {now.leader}@{now.leader_epoch} {in_sync}")
            self.trace += [f"{line}: {topic.name} gone" for topic in delta.deleted_topics]
        self.host.check_replay()
        return self.trace

    def join(self, *broker_ids: str) -> None:
        self.host.join(*map(int, broker_ids))

    def create(self, name: str, replicas: str, *configs: str) -> None:
        brokers = [int(each) for each in replicas.split(",")]
        rows = [Configs(*config.split("=")) for config in configs]
        topic = Topics(name, -1, -1, assignments=[Assignments(0, brokers)], configs=rows)
        assert self.host.create_all(topic)[0].error_code == 0

    def delete(self, name: str) -> None:
        request = DeleteTopicsRequest(topic_names=[name])
        self.host.run(lambda shard, now: shard.delete_topics(request, 5))

    def silent(self, *broker_ids: str) -> None:
        """These are not heard for a session; the others are."""
        for _ in range(4):
            self.host.time_passes(3000)
            for broker_id, broker in self.host.image.brokers.items():
                if str(broker_id) not in broker_ids and not broker.is_fenced:
                    self.host.beat(broker_id)

    def beat(self, *broker_ids: str) -> None:
        for broker_id in broker_ids:
            self.host.beat(int(broker_id))

    def crash_and_return(self, broker_id: str) -> None:
        request = registration(int(broker_id), incarnation=len(self.host.log) % 200, previous_epoch=-1)
        assert self.host.run(lambda shard, now: shard.register_broker(request, now)).error_code == 0
        self.host.beat(int(broker_id))

    def shut_down(self, broker_id: str) -> None:
        while not self.host.beat(int(broker_id), want_shut_down=True).should_shut_down:
            pass

    def move(self, name: str, replicas: str) -> None:
        target = None if replicas == "back" else [int(each) for each in replicas.split(",")]
        request = AlterPartitionReassignmentsRequest(topics=[Move(name, [Partitions(0, target)])])
        answer = self.host.run(lambda shard, now: shard.alter_partition_reassignments(request, now))
        assert answer.responses[0].partitions[0].error_code == 0

    def keep_eligible_leaders(self) -> None:
        record = FeatureLevelRecord(name="eligible.leader.replicas.version", feature_level=1)
        self.host.carry_out(Decision(None, [record]))


@pytest.fixture
def storyteller() -> Storyteller:
    return Storyteller()


def test_leadership_moves_along_the_replicas_and_ends_with_the_last_in_sync(storyteller: Storyteller) -> None:
    trace = storyteller.tell(
        """
        join 1 2 3
        create orders 1,2,3
        silent 1
        silent 2
        silent 3
        beat 1
        beat 3
        """
    )

    assert trace == [
        "create orders 1,2,3: orders-0 1@0 1,2,3",
        "silent 1: orders-0 2@1 2,3",
        "silent 2: orders-0 3@2 3",
        "silent 3: orders-0 -1@3 3",
        # Broker 1 is back, but only 3 has all records: nobody leads until 3 is back.
        "beat 3: orders-0 3@4 3",
    ]


def test_an_unclean_election_prefers_a_leader_to_all_records(storyteller: Storyteller) -> None:
    trace = storyteller.tell(
        """
        join 1 2
        create orders 1,2 unclean.leader.election.enable=true
        silent 2
        silent 1
        beat 2
        """
    )

    assert trace == [
        "create orders 1,2 unclean.leader.election.enable=true: orders-0 1@0 1,2",
        "silent 2: orders-0 1@0 1",
        "silent 1: orders-0 -1@1 1",
        "beat 2: orders-0 2@2 2",
    ]
    assert storyteller.host.partition("orders").leader_recovery_state == 1


def test_a_controlled_shutdown_hands_over_before_the_broker_goes(storyteller: Storyteller) -> None:
    trace = storyteller.tell(
        """
        join 1 2
        create orders 1,2
        create bills 2,1
        shut-down 1
        """
    )

    assert trace[2:] == ["shut-down 1: orders-0 2@1 2", "shut-down 1: bills-0 2@0 2"]


def test_with_eligible_leaders_one_that_left_below_the_minimum_may_lead_again(storyteller: Storyteller) -> None:
    trace = storyteller.tell(
        """
        keep-eligible-leaders
        join 1 2
        create orders 1,2 min.insync.replicas=2
        silent 2
        silent 1
        beat 2
        """
    )

    # Broker 2 left when two had to be in sync: nothing was committed without it, so it has everything.
    assert trace[1:] == [
        "silent 2: orders-0 1@0 1",
        "silent 1: orders-0 -1@1 nobody",
        "beat 2: orders-0 2@2 2",
    ]
    assert storyteller.host.partition("orders").leader_recovery_state == 0


def test_one_that_lost_its_tail_is_not_eligible_any_more(storyteller: Storyteller) -> None:
    trace = storyteller.tell(
        """
        keep-eligible-leaders
        join 1 2
        create orders 1,2 min.insync.replicas=2
        silent 2
        silent 1
        crash-and-return 2
        beat 1
        """
    )

    assert trace[3:] == [
        "crash-and-return 2: orders-0 -1@1 nobody",
        "beat 1: orders-0 1@2 1",
    ]


def test_a_move_is_begun_taken_back_and_a_topic_goes(storyteller: Storyteller) -> None:
    trace = storyteller.tell(
        """
        join 1 2 3
        create orders 1,2
        move orders 3,2
        move orders back
        move orders 2
        delete orders
        """
    )

    assert trace == [
        "create orders 1,2: orders-0 1@0 1,2",
        "move orders 3,2: orders-0 1@0 1,2",
        "move orders back: orders-0 1@0 1,2",
        "move orders 2: orders-0 2@1 2",
        "delete orders: orders gone",
    ]
