"""The admin APIs of a running broker: what they change is seen at once and survives a kill; every version is served."""

import pytest

from ottla.protocol.api_keys import ApiKey, api, request_class
from ottla.protocol.generated import create_partitions_request, incremental_alter_configs_request
from ottla.protocol.generated.alter_replica_log_dirs_request import AlterReplicaLogDirsRequest, Dirs
from ottla.protocol.generated.alter_replica_log_dirs_request import Topics as MovedTopic
from ottla.protocol.generated.create_topics_request import CreateTopicsRequest
from ottla.protocol.generated.create_topics_request import Topics as NewTopic
from ottla.protocol.generated.delete_topics_request import DeleteTopicsRequest
from ottla.protocol.generated.describe_client_quotas_request import Components, DescribeClientQuotasRequest
from ottla.protocol.generated.describe_configs_request import DescribeConfigsRequest
from ottla.protocol.generated.describe_configs_request import Resources as Described
from ottla.protocol.generated.describe_log_dirs_request import DescribeLogDirsRequest
from ottla.protocol.generated.describe_quorum_request import DescribeQuorumRequest
from ottla.protocol.generated.describe_quorum_request import Partitions as QuorumPartition
from ottla.protocol.generated.describe_quorum_request import Topics as QuorumTopic
from ottla.protocol.generated.describe_topic_partitions_request import Cursor, DescribeTopicPartitionsRequest
from ottla.protocol.generated.describe_topic_partitions_request import Topics as PagedTopic
from ottla.protocol.generated.list_config_resources_request import ListConfigResourcesRequest
from tests.support.broker_process import BrokerProcess, StartBroker
from tests.support.wire import Wire

#: APIs whose empty request must get an answer in every version.
SERVED = [
    ApiKey.CREATE_TOPICS,
    ApiKey.DELETE_TOPICS,
    ApiKey.CREATE_PARTITIONS,
    ApiKey.DESCRIBE_CONFIGS,
    ApiKey.ALTER_CONFIGS,
    ApiKey.INCREMENTAL_ALTER_CONFIGS,
    ApiKey.LIST_CONFIG_RESOURCES,
    ApiKey.DESCRIBE_CLUSTER,
    ApiKey.DESCRIBE_TOPIC_PARTITIONS,
    ApiKey.DESCRIBE_LOG_DIRS,
    ApiKey.ALTER_REPLICA_LOG_DIRS,
    ApiKey.DESCRIBE_QUORUM,
    ApiKey.UPDATE_FEATURES,
    ApiKey.ELECT_LEADERS,
    ApiKey.ALTER_PARTITION_REASSIGNMENTS,
    ApiKey.LIST_PARTITION_REASSIGNMENTS,
    ApiKey.DESCRIBE_CLIENT_QUOTAS,
    ApiKey.DESCRIBE_USER_SCRAM_CREDENTIALS,
    ApiKey.DESCRIBE_ACLS,
    ApiKey.CREATE_ACLS,
    ApiKey.DELETE_ACLS,
]
TOPIC, BROKER, LOGGER = 2, 4, 8
SET = 0


def create(wire: Wire, name: str, count: int = 1) -> None:
    answer = wire.ask(CreateTopicsRequest(topics=[NewTopic(name, count, 1)], timeout_ms=5000), 7)
    assert [each.error_code for each in answer.topics] == [0]


def alter(wire: Wire, kind: int, name: str, key: str, value: str) -> tuple[int, str | None]:
    rows = [incremental_alter_configs_request.Configs(key, SET, value)]
    resource = incremental_alter_configs_request.Resources(kind, name, rows)
    request = incremental_alter_configs_request.IncrementalAlterConfigsRequest(resources=[resource])
    [answer] = wire.ask(request, 1).responses
    return answer.error_code, answer.error_message


def described(wire: Wire, kind: int, name: str, key: str) -> tuple[str | None, int]:
    request = DescribeConfigsRequest(resources=[Described(kind, name, [key])])
    [result] = wire.ask(request, 4).results
    assert result.error_code == 0
    [row] = result.configs
    return row.value, row.config_source


@pytest.mark.parametrize("key", SERVED, ids=lambda key: key.name)
def test_every_version_gets_an_answer(wire: Wire, key: ApiKey) -> None:
    row = api(key)

    for version in range(row.min_version, row.last_stable + 1):
        assert wire.ask(request_class(key)(), version) is not None


def test_a_topic_is_there_when_the_answer_comes_and_gone_after_the_next(wire: Wire) -> None:
    create(wire, "short-lived", 2)
    ask = DescribeTopicPartitionsRequest(topics=[PagedTopic("short-lived")])

    [there] = wire.ask(ask, 0).topics
    deleted = wire.ask(DeleteTopicsRequest(topic_names=["short-lived"], timeout_ms=5000), 5)
    [gone] = wire.ask(ask, 0).topics

    assert (there.error_code, [each.leader_id for each in there.partitions]) == (0, [1, 1])
    assert [each.error_code for each in deleted.responses] == [0]
    assert gone.error_code == 3


def test_pages_of_partitions_lead_from_one_to_the_next(wire: Wire) -> None:
    create(wire, "page-a", 3)
    create(wire, "page-b", 2)
    topics = [PagedTopic("page-b"), PagedTopic("page-a")]
    seen: list[tuple[str, int]] = []
    cursor: Cursor | None = None

    for _ in range(10):
        request = DescribeTopicPartitionsRequest(topics=topics, response_partition_limit=2, cursor=cursor)
        answer = wire.ask(request, 0)
        seen += [(topic.name, each.partition_index) for topic in answer.topics for each in topic.partitions]
        if answer.next_cursor is None:
            break
        cursor = Cursor(answer.next_cursor.topic_name, answer.next_cursor.partition_index)

    assert seen == [("page-a", 0), ("page-a", 1), ("page-a", 2), ("page-b", 0), ("page-b", 1)]


def test_settings_of_topics_and_brokers_are_changed_and_shown_with_their_source(wire: Wire) -> None:
    create(wire, "tuned")

    assert alter(wire, TOPIC, "tuned", "retention.ms", "5000") == (0, None)
    assert described(wire, TOPIC, "tuned", "retention.ms") == ("5000", 1)
    assert alter(wire, BROKER, "1", "log.cleaner.threads", "2") == (0, None)
    assert described(wire, BROKER, "1", "log.cleaner.threads") == ("2", 2)
    assert alter(wire, BROKER, "7", "log.cleaner.threads", "2") == (
        42,
        "Unexpected broker id, expected 1, but received 7",
    )


def test_a_loggers_level_is_changed_in_the_running_process(wire: Wire) -> None:
    assert alter(wire, LOGGER, "1", "ottla.broker", "DEBUG") == (0, None)
    assert described(wire, LOGGER, "1", "ottla.broker") == ("DEBUG", 6)
    assert alter(wire, LOGGER, "1", "ottla.broker", "LOUD")[0] == 40
    assert alter(wire, LOGGER, "1", "no.such.logger", "DEBUG") == (40, "Logger no.such.logger does not exist!")


def test_all_that_can_have_settings_is_listed(wire: Wire) -> None:
    create(wire, "listed")

    answer = wire.ask(ListConfigResourcesRequest(resource_types=[]), 1)
    unknown = wire.ask(ListConfigResourcesRequest(resource_types=[3]), 1)

    rows = [(each.resource_type, each.resource_name) for each in answer.config_resources]
    assert (TOPIC, "listed") in rows
    assert (BROKER, "1") in rows
    assert unknown.error_code == 35


def test_log_directories_tell_their_replicas_and_their_room(wire: Wire, broker: BrokerProcess) -> None:
    create(wire, "stored", 2)

    [directory] = wire.ask(DescribeLogDirsRequest(topics=None), 4).results

    assert directory.log_dir == str(broker.log_directory)
    assert directory.total_bytes > directory.usable_bytes > 0
    indexes = {topic.name: [each.partition_index for each in topic.partitions] for topic in directory.topics}
    assert indexes["stored"] == [0, 1]


def test_a_replica_is_moved_to_known_directories_only(wire: Wire, broker: BrokerProcess) -> None:
    create(wire, "movable")

    def move(path: str, index: int) -> int:
        request = AlterReplicaLogDirsRequest(dirs=[Dirs(path, [MovedTopic("movable", [index])])])
        code: int = wire.ask(request, 2).results[0].partitions[0].error_code
        return code

    assert move("/nowhere", 0) == 57
    assert move(str(broker.log_directory), 9) == 3
    assert move(str(broker.log_directory), 0) == 0


def test_the_quorum_is_this_node(wire: Wire) -> None:
    wanted = QuorumTopic("__cluster_metadata", [QuorumPartition(0)])

    answer = wire.ask(DescribeQuorumRequest(topics=[wanted]), 2)

    [partition] = answer.topics[0].partitions
    assert (answer.error_code, partition.error_code, partition.leader_id) == (0, 0, 1)
    assert partition.leader_epoch >= 1
    assert partition.high_watermark == partition.current_voters[0].log_end_offset > 0


def test_a_filter_of_quotas_that_makes_no_sense_is_refused(wire: Wire) -> None:
    def ask(*components: Components) -> int:
        code: int = wire.ask(DescribeClientQuotasRequest(components=list(components)), 1).error_code
        return code

    assert ask(Components("user", 0, "u")) == 0
    assert ask(Components("user", 0, "u"), Components("user", 2)) == 42
    assert ask(Components("nonsense", 0, "u")) == 35
    assert ask(Components("user", 9)) == 42


@pytest.mark.parametrize("end", ["stop", "kill"])
def test_a_restart_that_lost_nothing_keeps_the_leader_epochs(start_broker: StartBroker, end: str) -> None:
    own = start_broker()
    with Wire(own) as wire:
        create(wire, "steady")

    for _ in range(2):
        getattr(own, end)()
        own.start()

    with Wire(own) as wire:
        [topic] = wire.ask(DescribeTopicPartitionsRequest(topics=[PagedTopic("steady")]), 0).topics
    assert [(each.leader_id, each.leader_epoch) for each in topic.partitions] == [(1, 0)]


def test_topics_and_settings_survive_a_kill(start_broker: StartBroker) -> None:
    own = start_broker()
    with Wire(own) as wire:
        create(wire, "kept", 2)
        create(wire, "dropped")
        alter(wire, TOPIC, "kept", "retention.ms", "5000")
        more = [create_partitions_request.Topics("kept", 4, None)]
        wire.ask(create_partitions_request.CreatePartitionsRequest(topics=more), 3)
        wire.ask(DeleteTopicsRequest(topic_names=["dropped"]), 5)
        ask = DescribeTopicPartitionsRequest(topics=[PagedTopic("kept"), PagedTopic("dropped")])
        before = wire.ask(ask, 0)

    own.kill()
    own.start()

    with Wire(own) as wire:
        after = wire.ask(ask, 0)
        assert described(wire, TOPIC, "kept", "retention.ms") == ("5000", 1)
    assert [(each.name, each.error_code, each.topic_id) for each in after.topics] == [
        (each.name, each.error_code, each.topic_id) for each in before.topics
    ]
    assert [each.leader_id for each in after.topics[1].partitions] == [1, 1, 1, 1]
