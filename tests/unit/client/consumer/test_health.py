"""Why nothing arrives: from facts to reasons."""

from typing import Any

import pytest

from ottla.client.consumer.health import HealthFacts, HealthReason, assess
from ottla.client.consumer.positions import NO_NODE, PartitionState, Position
from ottla.client.consumer.reset_policy import EARLIEST, NO_RESET
from ottla.client.consumer.subscription import NOTHING, Subscription
from ottla.client.errors import AuthenticationFailed, ClientError, ConnectionFailed, refusal
from ottla.client.group.member import Stage
from ottla.client.metadata import NOTHING_KNOWN, ClusterImage, Node, PartitionView, TopicView
from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition

ZERO = TopicPartition("orders", 0)
ORDERS = Subscription(["orders"])


def image(error: ErrorCode = ErrorCode.NONE) -> ClusterImage:
    partitions = (PartitionView(0, 1, 3, (1,), (1,), ()),) if error == ErrorCode.NONE else ()
    topic = TopicView("orders", bytes(16), False, partitions, error)
    return NOTHING_KNOWN._replace(nodes={1: Node(1, "h", 9092)}, topics={"orders": topic})


def state(offset: int = 10, **facts: Any) -> PartitionState:
    made = PartitionState(ZERO, EARLIEST, uses_committed=True)
    made.leader_is(1, 3)
    made.reset_found(Position(offset, 3))
    made.high_watermark = made.last_stable_offset = 10
    for name, value in facts.items():
        setattr(made, name, value)
    return made


def reasons(
    *states: PartitionState, stage: Stage = Stage.STABLE, subscription: Subscription = ORDERS, **facts: Any
) -> list[HealthReason]:
    facts.setdefault("image", image())
    found = assess(HealthFacts(subscription, states=states, stage=stage, **facts))
    return [finding.reason for finding in found.findings]


def failing(state: PartitionState, error: ClientError) -> PartitionState:
    state.failed(error, 100)
    return state


def test_a_consumer_at_the_end_of_everything_is_good() -> None:
    health = assess(HealthFacts(ORDERS, image(), [state()], stage=Stage.STABLE))

    assert health.reason is HealthReason.AT_END
    assert health.is_good
    assert str(health) == "orders-0: everything was consumed"


@pytest.mark.parametrize(
    ("partition", "reason"),
    [
        (state(offset=4), HealthReason.FETCHING),
        (state(is_paused=True), HealthReason.PAUSED),
        (state(leader_id=NO_NODE), HealthReason.NO_LEADER),
        (failing(state(), ConnectionFailed("refused")), HealthReason.NODE_UNREACHABLE),
        (failing(state(), refusal(ErrorCode.TOPIC_AUTHORIZATION_FAILED)), HealthReason.NOT_AUTHORIZED),
        (failing(state(), AuthenticationFailed("no")), HealthReason.AUTHENTICATION_FAILED),
        (failing(state(), refusal(ErrorCode.UNSTABLE_OFFSET_COMMIT)), HealthReason.OPEN_TRANSACTION),
        (failing(state(), refusal(ErrorCode.NOT_LEADER_OR_FOLLOWER)), HealthReason.FAILING),
        (PartitionState(ZERO, EARLIEST, uses_committed=True), HealthReason.NO_LEADER),
        (PartitionState(ZERO, NO_RESET, uses_committed=False), HealthReason.NEEDS_SEEK),
    ],
)
def test_each_partition_has_a_reason(partition: PartitionState, reason: HealthReason) -> None:
    assert reasons(partition) == [reason]


def test_records_that_wait_a_quota_and_an_open_transaction_are_seen() -> None:
    assert reasons(state(4), buffered={ZERO}) == [HealthReason.RECORDS_WAIT]
    assert reasons(state(4), throttled_nodes=[1]) == [HealthReason.THROTTLED]
    held = state(6, last_stable_offset=6)
    assert reasons(held, is_committed_only=True) == [HealthReason.OPEN_TRANSACTION]
    assert reasons(held, is_committed_only=False) == [HealthReason.FETCHING]


def test_a_topic_that_is_missing_or_forbidden_is_named() -> None:
    for error, reason in (
        (ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, HealthReason.NO_TOPIC),
        (ErrorCode.TOPIC_AUTHORIZATION_FAILED, HealthReason.NOT_AUTHORIZED),
    ):
        found = assess(HealthFacts(ORDERS, image(error), [], stage=Stage.STABLE))
        assert (found.reason, found.findings[0].detail) == (reason, "orders")
    assert reasons(subscription=Subscription(pattern="x.*")) == [HealthReason.NO_TOPIC]


def test_a_member_without_partitions_has_too_many_neighbours() -> None:
    assert reasons() == [HealthReason.NO_ASSIGNMENT]


@pytest.mark.parametrize(
    ("stage", "failure", "reason"),
    [
        (Stage.JOINING, None, HealthReason.REBALANCING),
        (Stage.EXPIRED, None, HealthReason.NOT_POLLED),
        (Stage.APPLYING, None, HealthReason.NOT_POLLED),
        (Stage.JOINING, ConnectionFailed("refused"), HealthReason.COORDINATOR_UNAVAILABLE),
        (Stage.JOINING, refusal(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS), HealthReason.COORDINATOR_LOADING),
        (Stage.JOINING, refusal(ErrorCode.GROUP_AUTHORIZATION_FAILED), HealthReason.NOT_AUTHORIZED),
        (Stage.JOINING, refusal(ErrorCode.INCONSISTENT_GROUP_PROTOCOL), HealthReason.CANNOT_JOIN),
        (Stage.FAILED, refusal(ErrorCode.FENCED_INSTANCE_ID), HealthReason.CANNOT_JOIN),
    ],
)
def test_the_group_has_reasons_of_its_own(stage: Stage, failure: ClientError | None, reason: HealthReason) -> None:
    assert reasons(stage=stage, group_failure=failure)[0] is reason


def test_the_most_serious_reason_comes_first_and_equal_ones_share_a_line() -> None:
    other = PartitionState(TopicPartition("orders", 1), NO_RESET, uses_committed=False)

    health = assess(HealthFacts(ORDERS, image(), [state(is_paused=True), other], stage=Stage.STABLE))

    assert [finding.reason for finding in health.findings] == [HealthReason.NEEDS_SEEK, HealthReason.PAUSED]
    assert not health.is_good


def test_nothing_subscribed_is_the_first_thing_to_say() -> None:
    assert reasons(subscription=NOTHING) == [HealthReason.NOT_SUBSCRIBED]
