"""Classic and consumer members in one group: online upgrade, the time between, online downgrade."""

from collections.abc import Callable

import pytest

from ottla.groups.settings import MigrationPolicy
from ottla.model.error_codes import ErrorCode
from tests.support.consumer_requests import partitions_in
from tests.support.group_topics import assigned_in, subscription
from tests.support.groups import GroupTest

MakeGroups = Callable[..., GroupTest]
SUBSCRIBED = [("range", subscription("orders"))]
ALL = b"\0\1\0\0\0\1\0\6orders\0\0\0\4\0\0\0\0\0\0\0\1\0\0\0\2\0\0\0\3\xff\xff\xff\xff"

FIRST_HALF = b"\0\1\0\0\0\1\0\6orders\0\0\0\2\0\0\0\0\0\0\0\1\xff\xff\xff\xff"


@pytest.fixture
def groups(make_groups: MakeGroups) -> GroupTest:
    return make_groups(consumer_assignment_interval_ms=0)


def has_classic_member_with_everything(groups: GroupTest) -> None:
    groups.join("old", protocols=SUBSCRIBED)
    groups.joined("old")
    groups.sync("old", {"old": ALL})


def rejoin(groups: GroupTest, *, owned: list[int]) -> dict[str, list[int]]:
    """JoinGroup and SyncGroup of the classic member, and what it has then."""
    groups.join("old", protocols=[("range", subscription("orders", owned={"orders": owned}))])
    assert groups.joined("old").error_code == ErrorCode.NONE
    return assigned_in(groups.sync("old").response.assignment)


def test_a_consumer_member_upgrades_a_classic_group(groups: GroupTest) -> None:
    has_classic_member_with_everything(groups)
    groups.commit("old", 5)

    answer = groups.beat("new", "orders")

    assert answer.member_epoch == 2
    assert partitions_in(answer) == []
    assert groups.state == "Reconciling"
    assert {member.member_type for member in groups.consumer_group().members} == {0, 1}
    assert groups.committed() == 5


def test_the_classic_member_gives_up_its_part_by_joining_again(groups: GroupTest) -> None:
    has_classic_member_with_everything(groups)
    groups.beat("new", "orders")

    assert groups.heartbeat("old") is ErrorCode.REBALANCE_IN_PROGRESS
    assert rejoin(groups, owned=[0, 1, 2, 3]) == {"orders": [0, 1]}
    groups.beat("new")
    assert groups.assigned("new") == {}
    assert groups.heartbeat("old") is ErrorCode.REBALANCE_IN_PROGRESS
    assert rejoin(groups, owned=[0, 1]) == {"orders": [0, 1]}
    groups.beat("new")

    assert groups.assigned("new") == {"orders": [2, 3]}
    assert groups.heartbeat("old") is ErrorCode.NONE
    assert groups.commit("old", 7) is ErrorCode.NONE
    assert groups.commit("old", 8, generation=99) is ErrorCode.ILLEGAL_GENERATION


def test_those_who_wait_during_an_upgrade_are_told_to_join_again(groups: GroupTest) -> None:
    has_classic_member_with_everything(groups)
    waiting = groups.join("second", protocols=SUBSCRIBED)

    groups.beat("new", "orders")

    assert waiting.response.error_code == ErrorCode.REBALANCE_IN_PROGRESS


def test_one_that_waited_for_its_partitions_during_an_upgrade_and_does_not_come_back_is_dropped(
    groups: GroupTest,
) -> None:
    has_classic_member_with_everything(groups)
    groups.join("second", protocols=SUBSCRIBED)
    groups.join("old", protocols=SUBSCRIBED)
    groups.joined("second")
    waiting = groups.sync("second")
    groups.beat("new", "orders")
    assert waiting.response.error_code == ErrorCode.REBALANCE_IN_PROGRESS

    for _ in range(10):
        groups.time_passes(5_000)
        groups.beat("new")

    assert groups.assigned("new") == {"orders": [0, 1, 2, 3]}


def test_partitions_of_a_rebalance_that_began_again_still_have_their_owner(groups: GroupTest) -> None:
    """Cooperative members read on until they are told to revoke."""
    has_classic_member_with_everything(groups)
    groups.join("second", protocols=SUBSCRIBED)
    groups.join("old", protocols=SUBSCRIBED)
    groups.joined("old")
    groups.join("third", protocols=SUBSCRIBED)

    answer = groups.beat("new", "orders")

    assert partitions_in(answer) == []


def test_what_a_member_is_about_to_revoke_still_has_its_owner(groups: GroupTest) -> None:
    """The leader has left out what a cooperative member has to give up; it joins again when it has done so."""
    has_classic_member_with_everything(groups)
    groups.join("second", protocols=SUBSCRIBED)
    groups.join("old", protocols=[("range", subscription("orders", owned={"orders": [0, 1, 2, 3]}))])
    groups.joined("old")
    groups.sync("old", {"old": FIRST_HALF})

    assert partitions_in(groups.beat("new", "orders")) == []
    rejoin(groups, owned=[0, 1])
    groups.beat("new")
    assert groups.assigned("new") == {"orders": [2]}


def test_a_group_with_an_assignment_that_cannot_be_read_stays_classic(groups: GroupTest) -> None:
    groups.join("old", protocols=SUBSCRIBED)
    groups.joined("old")
    groups.sync("old", {"old": b"\xff\xff\xff"})

    assert groups.beat("new", "orders").error_code == ErrorCode.GROUP_ID_NOT_FOUND
    assert groups.describe().group_state == "Stable"
    assert groups.heartbeat("old") is ErrorCode.NONE


def has_consumer_member_that_is_static(groups: GroupTest) -> None:
    """Beside it a classic one; each has two partitions, and all is well."""
    has_classic_member_with_everything(groups)
    groups.beat("new", "orders", instance_id="one")
    rejoin(groups, owned=[0, 1, 2, 3])
    rejoin(groups, owned=[0, 1])
    groups.beat("new")
    assert groups.state == "Stable"


@pytest.mark.parametrize("has_left", [True, False])
def test_the_last_consumer_member_comes_back_as_a_classic_one_without_a_rebalance(
    groups: GroupTest, has_left: bool
) -> None:
    has_consumer_member_that_is_static(groups)
    if has_left:
        groups.steps_down("new", epoch=-2)

    groups.join("again", instance_id="one", protocols=SUBSCRIBED)

    answer = groups.joined("again")
    assert (answer.error_code, answer.generation_id, answer.leader) == (ErrorCode.NONE, 2, "")
    assert answer.member_id.startswith("one-")
    assert groups.describe().group_state == "Stable"
    assert groups.heartbeat("old") is ErrorCode.NONE
    assert assigned_in(groups.sync("again").response.assignment) == {"orders": [2, 3]}
    assert groups.heartbeat("again") is ErrorCode.NONE
    assert groups.commit("again", 7) is ErrorCode.NONE
    groups.time_passes(60_000)
    assert groups.state == "Empty"


def test_a_static_member_that_comes_back_with_other_topics_makes_a_rebalance(groups: GroupTest) -> None:
    has_consumer_member_that_is_static(groups)
    groups.steps_down("new", epoch=-2)

    groups.join("again", instance_id="one", protocols=[("range", subscription("payments"))])

    assert groups.heartbeat("old") is ErrorCode.REBALANCE_IN_PROGRESS


@pytest.mark.parametrize("policy", [MigrationPolicy.DISABLED, MigrationPolicy.DOWNGRADE])
def test_without_permission_a_classic_group_stays_classic(make_groups: MakeGroups, policy: MigrationPolicy) -> None:
    groups = make_groups(migration_policy=policy)
    has_classic_member_with_everything(groups)

    answer = groups.beat("new", "orders")

    assert answer.error_code == ErrorCode.GROUP_ID_NOT_FOUND
    assert answer.error_message == "Group g is not a consumer group."
    assert groups.heartbeat("old") is ErrorCode.NONE


def test_groups_of_other_types_are_never_upgraded(groups: GroupTest) -> None:
    groups.join("worker", protocol_type="connect")
    groups.joined("worker")

    assert groups.beat("new", "orders").error_code == ErrorCode.GROUP_ID_NOT_FOUND


def test_a_classic_member_joins_a_consumer_group(groups: GroupTest) -> None:
    groups.beat("new", "orders")

    groups.join("old", protocols=SUBSCRIBED)

    answer = groups.joined("old")
    assert (answer.error_code, answer.leader, answer.protocol_name) == (ErrorCode.NONE, "", "range")
    assert assigned_in(groups.sync("old").response.assignment) == {}
    groups.beat("new")
    groups.beat("new", owned=groups.target("new"))
    assert groups.heartbeat("old") is ErrorCode.REBALANCE_IN_PROGRESS
    rejoined = rejoin(groups, owned=[])
    assert sorted(rejoined["orders"] + groups.assigned("new")["orders"]) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    "change", [{"protocol_type": "connect"}, {"protocols": []}, {"protocols": [("range", b"nonsense")], "version": 3}]
)
def test_a_classic_member_must_speak_the_consumer_protocol(groups: GroupTest, change: dict[str, object]) -> None:
    groups.beat("new", "orders")

    answer = groups.join("old", **{"protocols": SUBSCRIBED, **change}).response  # type: ignore[arg-type]

    assert answer.error_code == ErrorCode.INCONSISTENT_GROUP_PROTOCOL


def test_consumer_members_cannot_use_classic_requests(groups: GroupTest) -> None:
    groups.beat("new", "orders")

    assert groups.heartbeat("new") is ErrorCode.UNKNOWN_MEMBER_ID
    assert groups.sync("new").response.error_code == ErrorCode.UNKNOWN_MEMBER_ID


def test_the_group_is_classic_again_when_the_last_consumer_member_leaves(groups: GroupTest) -> None:
    has_classic_member_with_everything(groups)
    groups.beat("new", "orders")
    rejoin(groups, owned=[0, 1, 2, 3])
    rejoin(groups, owned=[0, 1])
    groups.commit("old", 5)

    groups.steps_down("new")

    assert groups.describe().group_state == "PreparingRebalance"
    assert groups.heartbeat("old", generation=groups.person("old").generation) is ErrorCode.REBALANCE_IN_PROGRESS
    groups.join("old", protocols=SUBSCRIBED)
    answer = groups.joined("old")
    assert answer.leader == answer.member_id
    assert groups.committed() == 5


def test_the_group_is_classic_again_when_the_session_of_the_last_consumer_member_ends(groups: GroupTest) -> None:
    has_classic_member_with_everything(groups)
    groups.beat("new", "orders")
    rejoin(groups, owned=[0, 1, 2, 3])
    rejoin(groups, owned=[0, 1])

    for _ in range(10):
        groups.time_passes(5_000)
        groups.heartbeat("old")

    assert groups.describe().group_state == "PreparingRebalance"


def test_without_permission_the_group_stays_a_consumer_group(make_groups: MakeGroups) -> None:
    groups = make_groups(migration_policy=MigrationPolicy.UPGRADE, consumer_assignment_interval_ms=0)
    has_classic_member_with_everything(groups)
    groups.beat("new", "orders")

    groups.steps_down("new")

    assert groups.consumer_group().error_code == ErrorCode.NONE
    assert groups.heartbeat("old") is ErrorCode.REBALANCE_IN_PROGRESS
    assert rejoin(groups, owned=[0, 1, 2, 3]) == {"orders": [0, 1, 2, 3]}


def test_a_classic_member_that_does_not_join_again_in_time_is_dropped(groups: GroupTest) -> None:
    groups.join("old", protocols=SUBSCRIBED, rebalance_timeout_ms=20_000)
    groups.joined("old")
    groups.sync("old", {"old": ALL})
    groups.beat("new", "orders")

    for _ in range(5):
        groups.heartbeat("old")
        groups.time_passes(4_500)
        groups.beat("new")

    assert groups.heartbeat("old") is ErrorCode.UNKNOWN_MEMBER_ID
    groups.beat("new")
    assert groups.assigned("new") == {"orders": [0, 1, 2, 3]}


def test_a_classic_member_cannot_change_to_a_protocol_that_the_group_does_not_know(groups: GroupTest) -> None:
    groups.beat("new", "orders")
    groups.join("old", protocols=SUBSCRIBED)
    groups.joined("old")

    groups.join("old", protocols=[("sticky", subscription("orders"))])

    answer = groups.joined("old")
    assert (answer.error_code, answer.member_id) == (ErrorCode.INCONSISTENT_GROUP_PROTOCOL, "")


def test_a_classic_member_leaves_a_consumer_group(groups: GroupTest) -> None:
    groups.beat("new", "orders")
    groups.join("old", protocols=SUBSCRIBED)
    groups.joined("old")

    assert groups.leave("old", "old") == [ErrorCode.NONE, ErrorCode.UNKNOWN_MEMBER_ID]
    assert len(groups.consumer_group().members) == 1


def test_a_static_member_goes_back_to_the_classic_protocol_by_restarting(groups: GroupTest) -> None:
    groups.beat("new", "orders", instance_id="one")

    groups.join("old", protocols=SUBSCRIBED, instance_id="one", version=9)

    answer = groups.joined("old")
    assert (answer.error_code, answer.generation_id) == (ErrorCode.NONE, 2)
    assert groups.describe().group_state == "Stable"
    assert assigned_in(groups.sync("old").response.assignment) == {"orders": [0, 1, 2, 3]}


@pytest.mark.parametrize("policy", [MigrationPolicy.DISABLED, MigrationPolicy.UPGRADE])
def test_where_groups_stay_consumer_groups_the_last_consumer_member_is_replaced_by_a_classic_one(
    make_groups: MakeGroups, policy: MigrationPolicy
) -> None:
    groups = make_groups(migration_policy=policy, consumer_assignment_interval_ms=0)
    groups.beat("new", "orders", instance_id="one")

    groups.join("old", protocols=SUBSCRIBED, instance_id="one")

    answer = groups.joined("old")
    assert (answer.error_code, answer.generation_id) == (ErrorCode.NONE, 2)
    assert assigned_in(groups.sync("old").response.assignment) == {"orders": [0, 1, 2, 3]}
    assert [member.member_type for member in groups.consumer_group().members] == [0]
    assert groups.beat("new").error_code == ErrorCode.FENCED_INSTANCE_ID


def test_a_static_classic_member_is_replaced_inside_a_consumer_group(groups: GroupTest) -> None:
    groups.beat("new", "orders")
    groups.join("old", protocols=SUBSCRIBED, instance_id="one")
    old_id = groups.joined("old").member_id

    groups.join("old", protocols=SUBSCRIBED, instance_id="one", as_new=True)

    assert groups.joined("old").member_id != old_id
    assert len(groups.consumer_group().members) == 2


def test_a_mixed_group_survives_a_reload(groups: GroupTest) -> None:
    has_classic_member_with_everything(groups)
    groups.beat("new", "orders")

    groups.restart()

    assert groups.heartbeat("old") is ErrorCode.REBALANCE_IN_PROGRESS
    assert groups.beat("new").error_code == ErrorCode.NONE


def test_a_refused_upgrade_leaves_those_who_wait_waiting(groups: GroupTest) -> None:
    has_classic_member_with_everything(groups)
    waiting = groups.join("second", protocols=SUBSCRIBED)
    count = len(groups.log)

    answer = groups.beat("new", subscribed_topic_regex="(")

    assert answer.error_code == ErrorCode.INVALID_REGULAR_EXPRESSION
    assert len(groups.log) == count
    assert not waiting.is_answered
    groups.join("old", protocols=SUBSCRIBED)
    assert waiting.response.error_code == ErrorCode.NONE


def test_a_static_member_comes_back_with_the_consumer_protocol(groups: GroupTest) -> None:
    groups.join("old", protocols=SUBSCRIBED, instance_id="one")
    groups.joined("old")
    groups.sync("old", {"old": ALL})

    answer = groups.beat("new", "orders", instance_id="one")

    assert (answer.error_code, answer.member_epoch) == (ErrorCode.NONE, 1)
    assert groups.assigned("new") == {"orders": [0, 1, 2, 3]}
    assert [member.member_type for member in groups.consumer_group().members] == [1]
