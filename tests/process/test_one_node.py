"""What a cluster of one node truly answers where there is nothing to elect, to move, to allow or to limit."""

import pytest

from ottla.model.error_codes import ErrorCode
from ottla.protocol.generated import (
    alter_partition_reassignments_request,
    create_acls_request,
    elect_leaders_request,
    metadata_request,
    update_features_request,
)
from ottla.protocol.generated.describe_acls_request import DescribeAclsRequest
from ottla.protocol.generated.describe_client_quotas_request import DescribeClientQuotasRequest
from ottla.protocol.generated.describe_user_scram_credentials_request import DescribeUserScramCredentialsRequest
from ottla.protocol.generated.find_coordinator_request import FindCoordinatorRequest
from ottla.protocol.generated.list_partition_reassignments_request import ListPartitionReassignmentsRequest
from tests.support.batches import batch_of
from tests.support.partition_requests import create, produce
from tests.support.wire import Wire

PREFERRED = 0
UPGRADE = 1


def test_a_leader_that_leads_needs_no_election(wire: Wire) -> None:
    create(wire, "led")
    asked = [
        elect_leaders_request.TopicPartitions(topic="led", partitions=[0, 7]),
        elect_leaders_request.TopicPartitions(topic="nowhere", partitions=[0]),
    ]

    answer = wire.ask(elect_leaders_request.ElectLeadersRequest(PREFERRED, asked, 5000), 2)

    codes = [[each.error_code for each in topic.partition_result] for topic in answer.replica_election_results]
    assert answer.error_code == 0
    assert codes == [
        [ErrorCode.ELECTION_NOT_NEEDED, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION],
        [ErrorCode.UNKNOWN_TOPIC_OR_PARTITION],
    ]


@pytest.mark.parametrize(
    ("replicas", "code"),
    [
        ([1], ErrorCode.NONE),
        ([1, 2], ErrorCode.INVALID_REPLICA_ASSIGNMENT),
        ([2], ErrorCode.INVALID_REPLICA_ASSIGNMENT),
        ([1, 1], ErrorCode.INVALID_REPLICA_ASSIGNMENT),
        ([], ErrorCode.INVALID_REPLICA_ASSIGNMENT),
        (None, ErrorCode.NO_REASSIGNMENT_IN_PROGRESS),
    ],
)
def test_a_partition_can_go_nowhere(wire: Wire, replicas: list[int] | None, code: ErrorCode) -> None:
    topic = f"settled-{replicas}".translate(str.maketrans("[], ", "____"))
    create(wire, topic)
    moved = alter_partition_reassignments_request.Partitions(partition_index=0, replicas=replicas)
    topics = [alter_partition_reassignments_request.Topics(name=topic, partitions=[moved])]
    request = alter_partition_reassignments_request.AlterPartitionReassignmentsRequest(topics=topics)

    [answer] = wire.ask(request, 1).responses[0].partitions

    assert answer.error_code == code
    assert wire.ask(ListPartitionReassignmentsRequest(), 0).topics == []


def test_without_an_authorizer_there_are_no_acls(wire: Wire) -> None:
    creation = create_acls_request.Creations(2, "orders", 3, "User:me", "*", 3, 3)

    described = wire.ask(DescribeAclsRequest(resource_type_filter=2, operation=1, permission_type=1), 3)
    [created] = wire.ask(create_acls_request.CreateAclsRequest([creation]), 3).results

    assert (described.error_code, described.resources) == (ErrorCode.SECURITY_DISABLED, [])
    assert created.error_code == ErrorCode.SECURITY_DISABLED


def test_there_are_no_quotas_and_no_credentials(wire: Wire) -> None:
    quotas = wire.ask(DescribeClientQuotasRequest(), 1)
    credentials = wire.ask(DescribeUserScramCredentialsRequest(), 0)

    assert (quotas.error_code, quotas.entries or []) == (0, [])
    assert (credentials.error_code, credentials.results) == (0, [])


def test_a_feature_that_nobody_knows_cannot_be_raised(wire: Wire) -> None:
    update = update_features_request.FeatureUpdates("flying", 1, UPGRADE)

    answer = wire.ask(update_features_request.UpdateFeaturesRequest(feature_updates=[update]), 2)

    assert answer.error_code == ErrorCode.INVALID_UPDATE_VERSION


def test_a_topic_is_made_by_metadata_only_where_that_is_allowed(wire: Wire) -> None:
    def asked(name: str, *, may_create: bool) -> int:
        topics = [metadata_request.Topics(name=name)]
        request = metadata_request.MetadataRequest(topics=topics, allow_auto_topic_creation=may_create)
        [topic] = wire.ask(request, 9).topics
        code: int = topic.error_code
        return code

    assert asked("wanted", may_create=False) == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    assert asked("not/a name", may_create=True) == ErrorCode.INVALID_TOPIC_EXCEPTION
    assert asked("wanted", may_create=True) in (0, ErrorCode.LEADER_NOT_AVAILABLE)
    assert produce(wire, "wanted", batch_of(b"first")) == (0, 0)


def test_internal_topics_are_written_by_the_broker_alone(wire: Wire) -> None:
    assert wire.ask(FindCoordinatorRequest(key="g"), 2).error_code == 0

    assert produce(wire, "__consumer_offsets", batch_of(b"x"))[0] == ErrorCode.INVALID_TOPIC_EXCEPTION
