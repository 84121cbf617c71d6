from collections import Counter

import pytest

from ottla.controller.placement import place_partitions
from ottla.metadata.broker_registration import BrokerRegistration
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.protocol.generated.alter_partition_reassignments_request import (
    AlterPartitionReassignmentsRequest,
    Partitions,
)
from ottla.protocol.generated.alter_partition_reassignments_request import Topics as Move
from ottla.protocol.generated.create_partitions_request import Assignments, CreatePartitionsRequest, Topics
from ottla.protocol.generated.create_partitions_response import Results
from ottla.protocol.generated.create_topics_request import Assignments as Placed
from ottla.protocol.generated.create_topics_request import Topics as NewTopic
from ottla.protocol.generated.elect_leaders_request import ElectLeadersRequest, TopicPartitions
from ottla.protocol.generated.elect_leaders_response import ElectLeadersResponse
from ottla.protocol.generated.list_partition_reassignments_request import ListPartitionReassignmentsRequest
from ottla.sim.rng import SimRng
from tests.support.controller_host import ControllerHost

# -- more partitions


def grow(host: ControllerHost, *topics: Topics, validate_only: bool = False) -> list[Results]:
    request = CreatePartitionsRequest(topics=list(topics), validate_only=validate_only)
    return host.run(lambda shard, now: shard.create_partitions(request)).results


def to(count: int, *assignments: list[int], name: str = "t") -> Topics:
    return Topics(name, count, [Assignments(brokers) for brokers in assignments] or None)


def test_a_topic_grows_by_the_partitions_that_are_missing(host: ControllerHost) -> None:
    host.create("t", 2)

    [result] = grow(host, to(4))

    topic = host.image.topic("t")
    assert topic is not None
    assert (result.error_code, result.error_message) == (0, None)
    assert list(topic.partitions) == [0, 1, 2, 3]


def test_a_dry_run_of_growing_changes_nothing(host: ControllerHost) -> None:
    host.create("t", 2)

    [result] = grow(host, to(4), validate_only=True)

    assert result.error_code == 0
    assert host.image.topics.by_name["t"].partition_count == 2


@pytest.mark.parametrize(
    ("wanted", "code", "text"),
    [
        (to(2), 37, "Topic already has 2 partition(s)."),
        (to(1), 37, "The topic t currently has 2 partition(s); 1 would not be an increase."),
        (to(-3), 37, "The topic t currently has 2 partition(s); -3 would not be an increase."),
        (to(3, name="nowhere"), 3, None),
        (to(3, [9]), 39, "The manual partition assignment includes broker 9, but no such broker is registered."),
        (to(4, [1]), 39, "Attempted to add 2 additional partition(s), but only 1 assignment(s) were specified."),
        (
            Topics("t", 3, []),
            39,
            "Attempted to add 1 additional partition(s), but only 0 assignment(s) were specified.",
        ),
        (to(3, []), 39, "The manual partition assignment includes an empty replica list."),
        (to(3, [1, 1]), 39, "The manual partition assignment includes the broker 1 more than once."),
        (to(20_000), -1, None),
    ],
)
def test_growing_is_refused_as_apache_kafka_does(
    host: ControllerHost, wanted: Topics, code: int, text: str | None
) -> None:
    host.create("t", 2)

    [result] = grow(host, wanted)

    assert (result.error_code, result.error_message) == (code, text)


def test_a_topic_named_twice_does_not_grow(host: ControllerHost) -> None:
    host.create("t", 1)

    [result] = grow(host, to(2), to(3))

    assert (result.error_code, result.error_message) == (42, "Duplicate topic name.")


# -- placement


def a_broker(broker_id: int, rack: str | None = None, *, fenced: bool = False) -> BrokerRegistration:
    directories = (bytes([broker_id]) * 16,)
    return BrokerRegistration(broker_id, 1, bytes(16), (), (), rack, fenced, False, directories, ())


@pytest.mark.parametrize("seed", range(5))
def test_leaders_and_replicas_are_spread_evenly(seed: int) -> None:
    placed = place_partitions([a_broker(number) for number in (1, 2, 3)], 30, 2, SimRng(seed))

    assert Counter(replicas[0] for replicas in placed) == {1: 10, 2: 10, 3: 10}
    assert Counter(replica for replicas in placed for replica in replicas) == {1: 20, 2: 20, 3: 20}
    assert len({tuple(replicas) for replicas in placed}) == 6
    assert all(len(set(replicas)) == 2 for replicas in placed)


@pytest.mark.parametrize("seed", range(5))
def test_replicas_are_in_different_racks(seed: int) -> None:
    racks = {1: "a", 2: "a", 3: "b", 4: "b", 5: "c", 6: "c"}
    brokers = [a_broker(broker_id, rack) for broker_id, rack in racks.items()]

    placed = place_partitions(brokers, 24, 3, SimRng(seed))

    assert all(len({racks[replica] for replica in replicas}) == 3 for replicas in placed)
    assert Counter(replicas[0] for replicas in placed) == dict.fromkeys(racks, 4)


def test_a_fenced_broker_gets_followers_only_when_it_must_and_never_leads() -> None:
    brokers = [a_broker(1), a_broker(2), a_broker(3, fenced=True)]

    assert all(3 not in replicas for replicas in place_partitions(brokers, 6, 2, SimRng(1)))
    all_three = place_partitions(brokers, 6, 3, SimRng(1))
    assert all(sorted(replicas) == [1, 2, 3] and replicas[0] != 3 for replicas in all_three)


def test_placement_is_refused_when_all_are_fenced() -> None:
    with pytest.raises(Refused, match="INVALID_REPLICATION_FACTOR"):
        place_partitions([a_broker(1, fenced=True)], 1, 1, SimRng(1))


def test_the_same_seed_places_the_same() -> None:
    brokers = [a_broker(number) for number in range(1, 8)]

    assert place_partitions(brokers, 20, 3, SimRng(4)) == place_partitions(brokers[::-1], 20, 3, SimRng(4))


# -- elections


def elect(
    host: ControllerHost, *names: tuple[str, list[int]], kind: int = 0, every: bool = False
) -> ElectLeadersResponse:
    wanted = None if every else [TopicPartitions(name, indexes) for name, indexes in names]
    request = ElectLeadersRequest(election_type=kind, topic_partitions=wanted)
    return host.run(lambda shard, now: shard.elect_leaders(request, now))


def results_of(response: ElectLeadersResponse) -> list[tuple[str, int, int, str | None]]:
    return [
        (topic.topic, each.partition_id, each.error_code, each.error_message)
        for topic in response.replica_election_results
        for each in topic.partition_result
    ]


@pytest.mark.parametrize("kind", [0, 1])
def test_an_election_that_is_not_needed_says_so(host: ControllerHost, kind: int) -> None:
    host.create("t")

    response = elect(host, ("t", [0, 9]), ("nowhere", [0]), kind=kind)

    assert response.error_code == 0
    assert results_of(response) == [
        ("t", 0, 84, "Leader election not needed for topic partition."),
        ("t", 9, 3, "No such partition as t-9"),
        ("nowhere", 0, 3, "No such topic as nowhere"),
    ]


def test_asked_for_all_only_what_needed_an_election_is_named(host: ControllerHost) -> None:
    host.create("t", 3)

    response = elect(host, every=True)

    assert [each.topic for each in response.replica_election_results] == ["t"]
    assert results_of(response) == []


def test_an_unknown_election_type_is_refused(host: ControllerHost) -> None:
    host.create("t")

    response = elect(host, ("t", [0]), kind=7)

    assert response.error_code == 42
    assert results_of(response) == [("t", 0, 42, "Unknown election type 7")]


# -- reassignment


def move(
    host: ControllerHost, index: int, replicas: list[int] | None, *, name: str = "t", other: bool = True
) -> tuple[int, str | None]:
    request = AlterPartitionReassignmentsRequest(
        topics=[Move(name, [Partitions(index, replicas)])], allow_replication_factor_change=other
    )
    answer = host.run(lambda shard, now: shard.alter_partition_reassignments(request, now))
    assert (answer.error_code, answer.allow_replication_factor_change) == (0, other)
    result = answer.responses[0].partitions[0]
    return result.error_code, result.error_message


def test_reassignments_are_answered_as_apache_kafka_does(host: ControllerHost) -> None:
    host.create("t")

    assert move(host, 0, [1]) == (0, None)
    assert move(host, 0, [7]) == (
        39,
        "The manual partition assignment includes broker 7, but no such broker is registered.",
    )
    assert move(host, 0, []) == (39, "The manual partition assignment includes an empty replica list.")
    assert move(host, 0, None) == (85, None)
    assert move(host, 9, [1]) == (3, "Unable to find partition t:9.")
    assert move(host, 0, [1], name="nowhere") == (3, "Unable to find a topic named nowhere.")
    assert host.partition("t").partition_epoch == 0


def test_a_move_keeps_the_old_replicas_until_the_new_ones_are_in_sync(cluster: ControllerHost) -> None:
    cluster.create_all(_placed([1, 2]))

    assert move(cluster, 0, [3, 2]) == (0, None)

    partition = cluster.partition("t")
    assert partition.replicas == (3, 2, 1)
    assert (partition.adding_replicas, partition.removing_replicas) == ((3,), (1,))
    assert (partition.leader, partition.isr) == (1, (1, 2))
    listed = cluster.shard.list_partition_reassignments(ListPartitionReassignmentsRequest(topics=None))
    assert [(each.partition_index, each.replicas) for each in listed.topics[0].partitions] == [(0, [3, 2, 1])]


def test_a_cancelled_move_gives_back_the_old_replicas(cluster: ControllerHost) -> None:
    cluster.create_all(_placed([1, 2]))
    move(cluster, 0, [3, 2])

    assert move(cluster, 0, None) == (0, None)

    partition = cluster.partition("t")
    assert sorted(partition.replicas) == [1, 2]
    assert not partition.is_reassigning
    assert cluster.shard.list_partition_reassignments(ListPartitionReassignmentsRequest(topics=None)).topics == []


def test_a_move_that_only_removes_is_done_at_once_and_the_leader_moves(cluster: ControllerHost) -> None:
    cluster.create_all(_placed([1, 2]))

    assert move(cluster, 0, [2]) == (0, None)

    partition = cluster.partition("t")
    assert (partition.replicas, partition.isr, partition.leader, partition.leader_epoch) == ((2,), (2,), 2, 1)


def test_another_replication_factor_is_refused_when_asked(cluster: ControllerHost) -> None:
    cluster.create_all(_placed([1, 2]))

    code, _ = move(cluster, 0, [1, 2, 3], other=False)

    assert code == ErrorCode.INVALID_REPLICATION_FACTOR


def _placed(replicas: list[int]) -> NewTopic:
    return NewTopic("t", -1, -1, assignments=[Placed(0, replicas)])


def test_more_partitions_count_against_the_limit_of_all() -> None:
    host = ControllerHost({"ottla.partitions.max": "5"})
    host.start_node()
    host.create("orders", 3)
    request = CreatePartitionsRequest(topics=[Topics("orders", 6, assignments=None)])

    refused = host.run(lambda shard, now: shard.create_partitions(request)).results[0]

    assert refused.error_code == ErrorCode.POLICY_VIOLATION
    assert "ottla.partitions.max" in (refused.error_message or "")
    request.topics[0].count = 5
    assert host.run(lambda shard, now: shard.create_partitions(request)).results[0].error_code == 0
