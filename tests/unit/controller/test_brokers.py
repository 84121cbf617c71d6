import pytest

from ottla.coordination.shard import Decision
from ottla.model.error_codes import ErrorCode
from ottla.protocol.generated.allocate_producer_ids_request import AllocateProducerIdsRequest
from ottla.protocol.generated.broker_heartbeat_request import BrokerHeartbeatRequest
from ottla.protocol.generated.broker_registration_request import BrokerRegistrationRequest
from ottla.protocol.generated.create_topics_request import Assignments, Topics
from ottla.protocol.generated.elect_leaders_request import ElectLeadersRequest
from ottla.protocol.generated.feature_level_record import FeatureLevelRecord
from ottla.protocol.generated.partition_change_record import PartitionChangeRecord
from tests.support.controller_host import ControllerHost, registration

SESSION_MS = 9000


def placed(*replicas: int) -> Topics:
    return Topics("t", -1, -1, assignments=[Assignments(0, list(replicas))])


def register(host: ControllerHost, request: BrokerRegistrationRequest) -> tuple[int, int]:
    answer = host.run(lambda shard, now: shard.register_broker(request, now))
    return answer.error_code, answer.broker_epoch


# -- a single node


def test_a_new_cluster_starts_with_its_feature_levels() -> None:
    host = ControllerHost()

    assert host.image.features == {"metadata.version": 30, "group.version": 1, "transaction.version": 2}
    assert host.image.configs == {(4, ""): {"min.insync.replicas": "1"}}
    assert host.last_records(len(host.log))[1] == FeatureLevelRecord(name="metadata.version", feature_level=30)


def test_a_loaded_cluster_is_not_started_again(host: ControllerHost) -> None:
    assert host.shard.on_loaded(host.now).records == []


def test_a_single_node_is_up_at_once_and_its_epoch_rises_with_each_start(host: ControllerHost) -> None:
    first = host.image.brokers[1].epoch

    second = host.start_node(previous_epoch=first)

    assert second > first
    assert host.image.brokers[1].epoch == second
    assert host.image.is_active(1)


def test_a_restart_that_lost_nothing_keeps_all_leader_epochs(host: ControllerHost) -> None:
    host.create("t", 5)
    records_before = len(host.log)

    host.start_node(previous_epoch=host.image.brokers[1].epoch)

    assert host.partition("t", 4).leader_epoch == 0
    assert len(host.log) == records_before + 2


def test_a_restart_that_may_have_lost_records_raises_all_leader_epochs(host: ControllerHost) -> None:
    host.create("t", 5)

    host.start_node(previous_epoch=-1)

    assert [host.partition("t", index).leader_epoch for index in range(5)] == [1] * 5
    assert host.partition("t").isr == (1,)


# -- registration


def test_a_registered_broker_is_fenced_until_it_has_caught_up() -> None:
    host = ControllerHost()
    code, epoch = register(host, registration(1))
    behind = BrokerHeartbeatRequest(broker_id=1, broker_epoch=epoch, current_metadata_offset=epoch - 1)

    answer = host.run(lambda shard, now: shard.heartbeat(behind, now))
    assert (code, answer.is_caught_up, answer.is_fenced) == (0, False, True)
    answer = host.beat(1)

    assert (answer.is_caught_up, answer.is_fenced) == (True, False)
    assert host.image.is_active(1)


def test_another_incarnation_is_refused_while_the_first_is_heard(cluster: ControllerHost) -> None:
    assert register(cluster, registration(2, incarnation=9))[0] == ErrorCode.DUPLICATE_BROKER_REGISTRATION

    cluster.time_passes(SESSION_MS)

    assert register(cluster, registration(2, incarnation=9))[0] == 0


def test_a_new_incarnation_leads_nothing_until_it_is_unfenced(cluster: ControllerHost) -> None:
    cluster.create_all(placed(2, 1))
    # A new controller has heard nobody yet.
    cluster.shard.on_unloaded()

    assert register(cluster, registration(2, incarnation=9, previous_epoch=cluster.image.brokers[2].epoch))[0] == 0

    assert not cluster.image.is_alive(2)
    assert (cluster.partition("t").leader, cluster.partition("t").isr) == (1, (1,))


def test_the_same_incarnation_may_register_again_and_keeps_its_epoch(cluster: ControllerHost) -> None:
    epoch = cluster.image.brokers[2].epoch

    assert register(cluster, registration(2)) == (0, epoch)


@pytest.mark.parametrize("what", ["cluster", "listeners", "directories", "feature"])
def test_a_registration_that_does_not_fit_is_refused(what: str) -> None:
    host = ControllerHost()
    request = registration(1)
    expected = ErrorCode.INVALID_REGISTRATION
    if what == "cluster":
        request.cluster_id, expected = "another", ErrorCode.INCONSISTENT_CLUSTER_ID
    elif what == "listeners":
        request.listeners = []
    elif what == "directories":
        request.log_dirs = [b"d" * 16, b"d" * 16]
    else:
        request.features, expected = [], ErrorCode.UNSUPPORTED_VERSION

    assert register(host, request)[0] == expected
    assert host.image.brokers == {}


def test_old_epochs_and_strangers_are_refused(cluster: ControllerHost) -> None:
    def beat(broker_id: int, epoch: int) -> int:
        request = BrokerHeartbeatRequest(broker_id=broker_id, broker_epoch=epoch)
        return cluster.run(lambda shard, now: shard.heartbeat(request, now)).error_code

    assert beat(9, 1) == ErrorCode.BROKER_ID_NOT_REGISTERED
    assert beat(1, 999) == ErrorCode.STALE_BROKER_EPOCH


# -- going


def test_a_silent_broker_is_fenced_and_its_leadership_moves(cluster: ControllerHost) -> None:
    cluster.create_all(placed(1, 2, 3))
    cluster.time_passes(SESSION_MS - 1)
    cluster.beat(2)
    cluster.beat(3)

    cluster.time_passes(1)

    partition = cluster.partition("t")
    assert not cluster.image.is_alive(1)
    assert (partition.leader, partition.leader_epoch, partition.isr) == (2, 1, (2, 3))


def test_the_last_one_in_sync_stays_on_the_list_and_leads_again(cluster: ControllerHost) -> None:
    cluster.create_all(placed(1))

    cluster.beat(1, want_fence=True)
    alone = cluster.partition("t")
    cluster.beat(1)

    back = cluster.partition("t")
    assert (alone.leader, alone.isr, alone.leader_epoch) == (-1, (1,), 1)
    assert (back.leader, back.isr, back.leader_epoch) == (1, (1,), 2)


def test_a_controlled_shutdown_moves_leaders_first_and_fences_then(cluster: ControllerHost) -> None:
    cluster.create_all(placed(1, 2))

    first = cluster.beat(1, want_shut_down=True)
    moved = cluster.partition("t")
    second = cluster.beat(1, want_shut_down=True)

    assert (first.should_shut_down, second.should_shut_down) == (False, True)
    assert (moved.leader, moved.isr) == (2, (2,))
    assert not cluster.image.is_alive(1)


def test_a_broker_that_crashed_leaves_the_in_sync_set_before_it_returns(cluster: ControllerHost) -> None:
    cluster.create_all(placed(1, 2))
    cluster.time_passes(SESSION_MS - 1)
    cluster.beat(1)
    cluster.beat(3)
    cluster.time_passes(1)
    assert cluster.partition("t").isr == (1,)

    assert register(cluster, registration(2, incarnation=1, previous_epoch=-1))[0] == 0
    cluster.beat(2)

    assert cluster.partition("t").isr == (1,)
    assert cluster.partition("t").leader == 1


def test_preferred_leaders_come_back_on_request(cluster: ControllerHost) -> None:
    cluster.create_all(placed(1, 2))
    cluster.beat(1, want_fence=True)
    cluster.beat(1)
    assert cluster.partition("t").leader == 2
    request = ElectLeadersRequest(election_type=0, topic_partitions=None)

    refused = cluster.run(lambda shard, now: shard.elect_leaders(request, now))
    [result] = refused.replica_election_results[0].partition_result
    assert result.error_code == ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE

    topic = cluster.image.topic("t")
    assert topic is not None
    in_sync_again = PartitionChangeRecord(partition_id=0, topic_id=topic.topic_id, isr=[1, 2])
    cluster.run(lambda shard, now: _decided(in_sync_again))
    done = cluster.run(lambda shard, now: shard.elect_leaders(request, now))

    assert [each.error_code for each in done.replica_election_results[0].partition_result] == [0]
    assert cluster.partition("t").leader == 1


def test_a_broker_is_forgotten_on_request(cluster: ControllerHost) -> None:
    decision = cluster.shard.unregister_broker(3, cluster.now)
    assert decision.response is None
    cluster.carry_out(decision)

    unknown = cluster.shard.unregister_broker(9, cluster.now)

    assert list(cluster.image.brokers) == [1, 2]
    assert unknown.response is not None
    assert unknown.response.code == ErrorCode.BROKER_ID_NOT_REGISTERED


# -- producer ids


def test_producer_ids_come_in_blocks_and_never_twice(host: ControllerHost) -> None:
    def allocate(broker_id: int, epoch: int) -> tuple[int, int, int]:
        request = AllocateProducerIdsRequest(broker_id=broker_id, broker_epoch=epoch)
        answer = host.run(lambda shard, now: shard.allocate_producer_ids(request, now))
        return answer.error_code, answer.producer_id_start, answer.producer_id_len

    epoch = host.image.brokers[1].epoch

    assert allocate(1, epoch) == (0, 0, 1000)
    assert allocate(1, epoch) == (0, 1000, 1000)
    assert allocate(1, epoch - 1)[0] == ErrorCode.STALE_BROKER_EPOCH
    assert allocate(2, epoch)[0] == ErrorCode.BROKER_ID_NOT_REGISTERED
    assert host.replayed().next_producer_id == 2000


def _decided(*records: object) -> Decision[str]:
    return Decision("done", list(records))
