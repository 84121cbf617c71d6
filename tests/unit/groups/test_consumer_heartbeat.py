"""ConsumerGroupHeartbeat: joining, epochs, reconciliation, fencing, time, regular expressions."""

from collections.abc import Callable
from typing import Any

import pytest

from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from tests.support.consumer_requests import partitions_in
from tests.support.group_topics import a_topic
from tests.support.groups import GroupTest

MakeGroups = Callable[..., GroupTest]
ALL = {"orders": [0, 1, 2, 3]}


@pytest.fixture
def groups(make_groups: MakeGroups) -> GroupTest:
    return make_groups(consumer_assignment_interval_ms=0)


def test_the_first_member_gets_everything(groups: GroupTest) -> None:
    answer = groups.beat("a", "orders")

    assert answer.member_epoch == 2
    assert answer.heartbeat_interval_ms == 5_000
    assert groups.assigned("a") == ALL
    assert groups.state == "Stable"


@pytest.mark.parametrize(
    ("fields", "code", "text"),
    [
        ({"member_id": ""}, ErrorCode.INVALID_REQUEST, "MemberId can't be empty."),
        ({"rebalance_timeout_ms": -1}, ErrorCode.INVALID_REQUEST, "RebalanceTimeoutMs must be provided"),
        ({"topic_partitions": None}, ErrorCode.INVALID_REQUEST, "TopicPartitions must be empty"),
        ({"subscribed_topic_names": None}, ErrorCode.INVALID_REQUEST, "Either SubscribedTopicNames or"),
        ({"instance_id": ""}, ErrorCode.INVALID_REQUEST, "InstanceId can't be empty."),
        ({"rack_id": ""}, ErrorCode.INVALID_REQUEST, "RackId can't be empty."),
        ({"epoch": -3}, ErrorCode.INVALID_REQUEST, "MemberEpoch is invalid."),
        ({"epoch": -2}, ErrorCode.INVALID_REQUEST, "InstanceId can't be null."),
        ({"server_assignor": "x"}, ErrorCode.UNSUPPORTED_ASSIGNOR, "Supported assignors: uniform, range."),
        ({"subscribed_topic_regex": "(a"}, ErrorCode.INVALID_REGULAR_EXPRESSION, "SubscribedTopicRegex `(a`"),
        ({"epoch": 4}, ErrorCode.GROUP_ID_NOT_FOUND, "Consumer group g not found."),
    ],
)
def test_wrong_requests_get_their_code_and_leave_nothing(
    groups: GroupTest, fields: dict[str, Any], code: ErrorCode, text: str
) -> None:
    answer = groups.beat("a", "orders", **fields)

    assert answer.error_code == code
    assert text in (answer.error_message or "")
    assert groups.log == []
    assert groups.state == "Dead"


def test_in_version_0_the_coordinator_makes_the_id(groups: GroupTest) -> None:
    answer = groups.beat("a", "orders", member_id="", version=0)

    assert len(answer.member_id or "") == 22


def test_a_second_member_waits_until_the_first_has_given_up_its_part(groups: GroupTest) -> None:
    groups.beat("a", "orders")

    groups.beat("b", "orders")
    assert groups.assigned("b") == {}
    told = groups.beat("a")
    assert partitions_in(told) == [[0, 1]]
    assert told.member_epoch == 2
    assert groups.state == "Reconciling"
    groups.beat("b")
    assert groups.assigned("b") == {}

    groups.beat("a", owned={"orders": [0, 1]})
    groups.beat("b")

    assert (groups.assigned("a"), groups.assigned("b")) == ({"orders": [0, 1]}, {"orders": [2, 3]})
    assert groups.person("a").generation == groups.person("b").generation == 3
    assert groups.state == "Stable"


def test_a_member_that_still_has_a_revoked_partition_does_not_go_on(groups: GroupTest) -> None:
    groups.beat("a", "orders")
    groups.beat("b", "orders")
    groups.beat("a")

    groups.beat("a", owned={"orders": [0, 1, 2]})
    groups.beat("b")

    assert groups.person("a").generation == 2
    assert groups.assigned("b") == {}


def test_an_answer_without_news_has_no_assignment(groups: GroupTest) -> None:
    groups.beat("a", "orders")

    assert groups.beat("a").assignment is None
    assert groups.beat("a", "orders", owned=ALL, rebalance_timeout_ms=60_000).assignment is not None


def test_a_wrong_epoch_is_fenced(groups: GroupTest) -> None:
    groups.beat("a", "orders")

    assert groups.beat("a", epoch=9).error_code == ErrorCode.FENCED_MEMBER_EPOCH
    assert groups.beat("a", epoch=1).error_code == ErrorCode.FENCED_MEMBER_EPOCH
    assert groups.beat("who", epoch=2).error_code == ErrorCode.UNKNOWN_MEMBER_ID


def test_the_epoch_before_is_taken_when_an_answer_was_lost(groups: GroupTest) -> None:
    groups.beat("a", "orders")
    groups.beat("b", "orders")
    groups.beat("a")
    groups.beat("a", owned={"orders": [0, 1]})
    assert groups.person("a").generation == 3

    again = groups.beat("a", epoch=2, owned={"orders": [0, 1]})

    assert again.error_code == ErrorCode.NONE
    assert again.member_epoch == 3
    assert groups.beat("a", epoch=2, owned={"orders": [0, 1, 2]}).error_code == ErrorCode.FENCED_MEMBER_EPOCH
    assert groups.beat("a", epoch=2).error_code == ErrorCode.FENCED_MEMBER_EPOCH


def test_a_member_that_joins_again_gets_its_assignment_again(groups: GroupTest) -> None:
    groups.beat("a", "orders")

    answer = groups.beat("a", "orders", epoch=0)

    assert answer.member_epoch == 2
    assert partitions_in(answer) == [[0, 1, 2, 3]]


def test_leaving_frees_the_partitions(groups: GroupTest) -> None:
    groups.beat("a", "orders")
    groups.beat("b", "orders")

    assert groups.steps_down("a") is ErrorCode.NONE
    groups.beat("b")

    assert groups.assigned("b") == ALL
    assert groups.steps_down("a") is ErrorCode.UNKNOWN_MEMBER_ID


def test_the_last_to_leave_leaves_an_empty_group(groups: GroupTest) -> None:
    groups.beat("a", "orders")

    groups.steps_down("a")

    assert groups.state == "Empty"
    assert groups.delete() is ErrorCode.NONE
    assert groups.state == "Dead"


def test_a_member_is_fenced_when_its_session_ends(groups: GroupTest) -> None:
    groups.beat("a", "orders")
    groups.time_passes(44_999)
    groups.beat("a")

    groups.time_passes(45_001)

    assert groups.state == "Empty"
    assert groups.beat("a").error_code == ErrorCode.UNKNOWN_MEMBER_ID


def test_the_session_timeout_of_a_group_can_be_changed(make_groups: MakeGroups) -> None:
    groups = make_groups(overrides=lambda group_id: {"consumer.session.timeout.ms": 50_000})
    groups.beat("a", "orders")

    groups.time_passes(49_999)
    assert groups.state == "Stable"
    groups.time_passes(2)

    assert groups.state == "Empty"


def test_a_jump_of_the_wall_clock_fences_nobody(groups: GroupTest) -> None:
    groups.beat("a", "orders")

    groups.wall_jump_ms = 3_600_000
    groups.time_passes(1)

    assert groups.beat("a").error_code == ErrorCode.NONE


def test_who_does_not_give_up_its_partitions_in_time_is_fenced(groups: GroupTest) -> None:
    groups.beat("a", "orders", rebalance_timeout_ms=20_000)
    groups.beat("b", "orders")
    groups.beat("a")

    for _ in range(4):
        groups.time_passes(5_001)
        groups.beat("a", owned=ALL)

    assert groups.beat("a").error_code == ErrorCode.UNKNOWN_MEMBER_ID
    groups.beat("b")
    assert groups.assigned("b") == ALL


def test_after_a_reload_members_go_on_and_slow_ones_are_fenced_still(groups: GroupTest) -> None:
    groups.beat("a", "orders", rebalance_timeout_ms=20_000)
    groups.beat("b", "orders")
    groups.beat("a")

    groups.restart()

    assert groups.beat("a").error_code == ErrorCode.NONE
    groups.time_passes(20_001)
    assert groups.beat("a").error_code == ErrorCode.UNKNOWN_MEMBER_ID


def test_the_group_has_a_largest_size(make_groups: MakeGroups) -> None:
    groups = make_groups(consumer_max_size=1)
    groups.beat("a", "orders")

    assert groups.beat("b", "orders").error_code == ErrorCode.GROUP_MAX_SIZE_REACHED
    assert groups.beat("a").error_code == ErrorCode.NONE


def test_changes_are_gathered_for_the_assignment_interval(make_groups: MakeGroups) -> None:
    groups = make_groups(consumer_assignment_interval_ms=1_000)
    groups.beat("a", "orders")
    groups.beat("b", "orders")

    assert groups.state == "Assigning"
    assert groups.person("b").generation == 2
    groups.time_passes(1_000)
    groups.beat("b")

    assert groups.target("b") == {"orders": [2, 3]}
    assert groups.person("b").generation == 3


def test_a_changed_subscription_moves_partitions(groups: GroupTest) -> None:
    groups.beat("a", "orders")

    told = groups.beat("a", "payments")

    assert partitions_in(told) == []
    groups.beat("a", owned={})
    assert groups.assigned("a") == {"payments": [0, 1]}


def test_a_topic_that_grows_is_noticed_at_the_next_heartbeat(groups: GroupTest) -> None:
    groups.beat("a", "orders")

    groups.topics_become(a_topic("orders", 6))
    groups.beat("a")

    assert groups.assigned("a") == {"orders": [0, 1, 2, 3, 4, 5]}


def test_a_topic_that_grew_while_the_disk_was_full_is_noticed_later(groups: GroupTest) -> None:
    groups.beat("a", "orders")
    groups.topics_become(a_topic("orders", 6))
    groups.is_full = True
    with pytest.raises(Refused):
        groups.beat("a")
    groups.is_full = False

    groups.beat("a")

    assert groups.assigned("a") == {"orders": [0, 1, 2, 3, 4, 5]}


def test_changes_of_other_topics_change_nothing(groups: GroupTest) -> None:
    groups.beat("a", "orders")
    count = len(groups.log)

    groups.topics_become(a_topic("orders", 4), a_topic("news", 3))
    groups.beat("a")

    assert len(groups.log) == count


def test_a_deleted_topic_is_taken_away(groups: GroupTest) -> None:
    groups.beat("a", "orders", "payments")

    groups.topics_become(a_topic("payments", 2))
    groups.beat("a")
    groups.beat("a", owned={"payments": [0, 1]})

    assert groups.assigned("a") == {"payments": [0, 1]}
    assert groups.state == "Stable"


def test_a_subscription_to_a_topic_that_comes_later_is_served_then(groups: GroupTest) -> None:
    groups.beat("a", "future")
    assert groups.assigned("a") == {}

    groups.topics_become(a_topic("future", 1))
    groups.beat("a")

    assert groups.assigned("a") == {"future": [0]}


def test_a_regular_expression_follows_the_topics(groups: GroupTest) -> None:
    groups.beat("a", subscribed_topic_regex="o.*s")
    assert groups.assigned("a") == ALL

    groups.topics_become(a_topic("orders", 4), a_topic("offers", 1), a_topic("payments", 2))
    groups.beat("a")

    assert groups.assigned("a") == {**ALL, "offers": [0]}


def test_a_regular_expression_must_match_the_whole_name(groups: GroupTest) -> None:
    groups.beat("a", subscribed_topic_regex="order")

    assert groups.assigned("a") == {}


def test_an_unused_regular_expression_is_forgotten(groups: GroupTest) -> None:
    groups.beat("a", subscribed_topic_regex="orders")
    groups.beat("b", "payments")

    groups.steps_down("a")

    assert "regular" not in repr(groups.shard.hard_state())
    assert groups.consumer_group().members[0].subscribed_topic_regex == ""


def test_most_members_choose_the_assignor(groups: GroupTest) -> None:
    groups.beat("a", "orders", "payments", server_assignor="range")
    groups.beat("b", "orders", "payments")

    assert groups.consumer_group().assignor_name == "range"


@pytest.mark.parametrize("wishes", [("range", "uniform"), ("uniform", "range")])
def test_of_equally_wanted_assignors_the_brokers_order_decides(groups: GroupTest, wishes: tuple[str, str]) -> None:
    for name, wish in zip("ab", wishes, strict=True):
        groups.beat(name, "orders", server_assignor=wish)

    assert groups.consumer_group().assignor_name == "uniform"


def test_partitions_that_a_member_must_give_up_are_still_shown_as_its_own(groups: GroupTest) -> None:
    groups.beat("a", "orders")
    groups.beat("b", "orders")
    groups.beat("a")

    (shown,) = groups.consumer_group().members[0].assignment.topic_partitions

    assert (shown.topic_name, shown.partitions) == ("orders", [0, 1, 2, 3])


def test_a_static_member_steps_aside_and_comes_back_without_a_rebalance(groups: GroupTest) -> None:
    groups.beat("a", "orders", instance_id="one")
    assert groups.beat("b", "orders", instance_id="one").error_code == ErrorCode.UNRELEASED_INSTANCE_ID

    groups.steps_down("a", epoch=-2)
    answer = groups.beat("c", "orders", instance_id="one")

    assert answer.member_epoch == 2
    assert groups.assigned("c") == ALL
    assert groups.beat("a", epoch=2).error_code == ErrorCode.FENCED_INSTANCE_ID
    assert groups.beat("x", epoch=2, instance_id="none").error_code == ErrorCode.UNKNOWN_MEMBER_ID


def test_in_version_0_a_static_member_comes_back_under_a_new_id_of_the_coordinator(groups: GroupTest) -> None:
    first = groups.beat("a", "orders", member_id="", instance_id="one", version=0)
    groups.beat("a", epoch=-2, member_id=first.member_id)

    again = groups.beat("b", "orders", member_id="", instance_id="one", version=0)

    assert len(again.member_id or "") == 22
    assert again.member_id != first.member_id
    assert groups.assigned("b") == ALL
    assert groups.beat("b", member_id=again.member_id, version=0).error_code == ErrorCode.NONE


def test_a_static_member_that_stays_away_is_fenced(groups: GroupTest) -> None:
    groups.beat("a", "orders", instance_id="one")
    groups.beat("b", "orders")
    groups.steps_down("a", epoch=-2)

    for _ in range(10):
        groups.time_passes(5_000)
        groups.beat("b")

    assert groups.assigned("b") == ALL


def test_the_same_static_member_comes_back_under_its_own_id(groups: GroupTest) -> None:
    groups.beat("a", "orders", instance_id="one")
    groups.steps_down("a", epoch=-2)

    answer = groups.beat("a", "orders", instance_id="one")

    assert answer.member_epoch == 2
    assert groups.assigned("a") == ALL


def test_members_commit_with_their_epoch(groups: GroupTest) -> None:
    groups.beat("a", "orders")

    assert groups.commit("a", 5) is ErrorCode.NONE
    assert groups.commit("a", 6, generation=9) is ErrorCode.STALE_MEMBER_EPOCH
    assert groups.commit("a", 6, generation=1) is ErrorCode.STALE_MEMBER_EPOCH
    assert groups.commit("a", 6, version=8) is ErrorCode.UNSUPPORTED_VERSION
    assert groups.commit("who", 6, generation=2) is ErrorCode.UNKNOWN_MEMBER_ID
    assert groups.commit(None, 6) is ErrorCode.UNKNOWN_MEMBER_ID
    assert groups.committed() == 5


def test_a_commit_with_an_older_epoch_is_taken_for_partitions_held_since(groups: GroupTest) -> None:
    groups.beat("a", "orders")
    groups.beat("b", "orders")
    groups.beat("a")
    groups.beat("a", owned={"orders": [0, 1]})
    groups.beat("b")

    assert groups.commit("a", 5, partition=0, generation=2) is ErrorCode.NONE
    assert groups.commit("a", 5, partition=2, generation=2) is ErrorCode.STALE_MEMBER_EPOCH


def test_fetching_offsets_checks_the_member(groups: GroupTest) -> None:
    groups.beat("a", "orders")
    groups.commit("a", 5)

    assert groups.fetch_group(None, member_id="a", member_epoch=2).topics[0].partitions[0].committed_offset == 5
    assert groups.fetch_group(None, member_id="a", member_epoch=1).error_code == ErrorCode.STALE_MEMBER_EPOCH
    assert groups.fetch_group(None, member_id="who", member_epoch=2).error_code == ErrorCode.UNKNOWN_MEMBER_ID
    assert groups.committed() == 5


def test_an_empty_classic_group_becomes_a_consumer_group_and_keeps_its_offsets(groups: GroupTest) -> None:
    groups.has_stable_group("old")
    groups.commit("old", 5)
    groups.leave("old")

    groups.beat("a", "orders")

    assert groups.state == "Stable"
    assert groups.committed() == 5
    groups.restart()
    assert groups.beat("a").error_code == ErrorCode.NONE


def test_an_empty_consumer_group_becomes_classic_when_a_classic_member_joins(groups: GroupTest) -> None:
    groups.beat("a", "orders")
    groups.commit("a", 5)
    groups.steps_down("a")

    groups.join("old", version=3)

    assert groups.joined("old").error_code == ErrorCode.NONE
    assert groups.describe().group_state == "CompletingRebalance"
    assert groups.committed() == 5


def test_offsets_of_a_consumer_group_expire_when_nobody_reads_the_topic(groups: GroupTest) -> None:
    groups.beat("a", "orders", "payments")
    groups.commit("a", 5)
    groups.steps_down("a")

    groups.time_passes(8 * 24 * 3_600_000)

    assert groups.committed() == -1
    assert groups.state == "Dead"


def test_a_topic_that_is_not_wanted_any_more_is_taken_away_at_once(make_groups: MakeGroups) -> None:
    groups = make_groups(consumer_assignment_interval_ms=1_000)
    groups.beat("a", "orders", "payments")

    told = groups.beat("a", "payments")

    assert partitions_in(told) == [[0, 1]]


def test_answers_of_a_refused_heartbeat_carry_nothing(groups: GroupTest) -> None:
    groups.beat("a", "orders")
    count = len(groups.log)

    groups.beat("a", epoch=77)

    assert len(groups.log) == count
