"""JoinGroup and SyncGroup of classic groups: how a generation comes to be."""

from collections.abc import Callable

import pytest

from ottla.model.error_codes import ErrorCode
from ottla.protocol.generated.join_group_request import JoinGroupRequest, Protocols
from tests.support.groups import GroupTest

MakeGroups = Callable[..., GroupTest]


def test_a_member_without_id_is_given_one_and_must_come_again(groups: GroupTest) -> None:
    request = JoinGroupRequest(
        group_id="g", session_timeout_ms=10_000, protocol_type="consumer", protocols=[Protocols(name="range")]
    )

    answer = groups.ask_to_join(request, 4, "a").response

    assert answer.error_code == ErrorCode.MEMBER_ID_REQUIRED
    assert answer.member_id.startswith("a-")
    assert answer.protocol_name is None


@pytest.mark.parametrize(("instance_id", "start"), [(None, "a-"), ("one", "one-"), ("", "-")])
def test_member_ids_tell_the_instance_or_else_the_client(
    groups: GroupTest, instance_id: str | None, start: str
) -> None:
    groups.join("a", instance_id=instance_id)

    assert groups.joined("a").member_id.startswith(start)


def test_an_old_client_joins_at_once(groups: GroupTest) -> None:
    groups.join("a", version=3)

    assert groups.joined("a").generation_id == 1


def test_the_first_member_leads_and_learns_of_all(groups: GroupTest) -> None:
    groups.join("a", protocols=[("range", b"my subscription")])

    answer = groups.joined("a")

    assert answer.leader == answer.member_id
    assert [(member.member_id, member.metadata) for member in answer.members] == [
        (answer.member_id, b"my subscription")
    ]
    assert groups.state == "CompletingRebalance"


def test_members_get_the_bytes_of_the_leader_unchanged(groups: GroupTest) -> None:
    groups.join("a")
    groups.joined("a")

    groups.sync("a", {"a": b"\x00any bytes\xff"})

    assert groups.synced("a").assignment == b"\x00any bytes\xff"
    assert groups.state == "Stable"


def test_a_member_that_the_leader_forgot_gets_empty_bytes(groups: GroupTest) -> None:
    groups.join("a")
    groups.joined("a")

    groups.sync("a", {})

    assert groups.synced("a").assignment == b""


def test_a_second_member_waits_until_the_first_joins_again(groups: GroupTest) -> None:
    groups.has_stable_group("a")

    waiting = groups.join("b")

    assert waiting.response is None
    assert groups.state == "PreparingRebalance"
    assert groups.heartbeat("a") is ErrorCode.REBALANCE_IN_PROGRESS
    groups.join("a")
    assert groups.joined("a").generation_id == groups.joined("b").generation_id == 2
    assert groups.joined("b").members == []
    assert groups.joined("b").leader == groups.person("a").member_id


def test_a_follower_waits_for_the_leaders_assignment(groups: GroupTest) -> None:
    groups.has_stable_group("a", "b")
    groups.join("a")
    groups.join("b")
    groups.joined("a"), groups.joined("b")

    waiting = groups.sync("b")

    assert waiting.response is None
    groups.sync("a", {"a": b"1", "b": b"2"})
    assert groups.synced("b").assignment == b"2"


def test_the_first_rebalance_waits_for_more_members(make_groups: MakeGroups) -> None:
    groups = make_groups(initial_rebalance_delay_ms=3_000)
    groups.join("a")
    groups.time_passes(2_000)
    groups.join("b")

    groups.time_passes(1_000)
    assert groups.person("a").last.response is None
    groups.time_passes(3_000)

    assert len(groups.joined("a").members) == 2
    assert groups.joined("b").generation_id == 1


def test_the_first_rebalance_ends_at_the_rebalance_timeout_at_the_latest(make_groups: MakeGroups) -> None:
    groups = make_groups(initial_rebalance_delay_ms=3_000)
    for second in range(9):
        groups.join(f"m{second}", rebalance_timeout_ms=6_000)
        groups.time_passes(1_000)

    assert groups.joined("m0").generation_id == 1


def test_members_that_do_not_come_back_are_dropped_after_the_rebalance_timeout(groups: GroupTest) -> None:
    groups.has_stable_group("a", "b", session_timeout_ms=600_000, rebalance_timeout_ms=20_000)
    groups.join("c", rebalance_timeout_ms=20_000)
    groups.join("a", rebalance_timeout_ms=20_000)

    groups.time_passes(20_000)

    assert len(groups.joined("a").members) == 2
    assert groups.heartbeat("b") is ErrorCode.UNKNOWN_MEMBER_ID


def test_the_protocol_with_most_votes_wins(groups: GroupTest) -> None:
    groups.has_stable_group("a", protocols=[("range", b"r"), ("sticky", b"s")])
    groups.join("b", protocols=[("sticky", b"s"), ("range", b"r")])
    groups.join("c", protocols=[("sticky", b"s"), ("range", b"r")])
    groups.join("a", protocols=[("range", b"r"), ("sticky", b"s")])

    assert groups.joined("a").protocol_name == "sticky"
    assert {member.metadata for member in groups.joined("a").members} == {b"s"}


def test_a_member_without_a_common_protocol_is_refused(groups: GroupTest) -> None:
    groups.has_stable_group("a")

    answer = groups.join("b", protocols=[("other", b"")]).response

    assert answer.error_code == ErrorCode.INCONSISTENT_GROUP_PROTOCOL
    assert groups.state == "Stable"


@pytest.mark.parametrize("change", [{"protocols": []}, {"protocol_type": ""}])
def test_a_first_member_must_name_type_and_protocol(groups: GroupTest, change: dict[str, object]) -> None:
    answer = groups.join("a", **change).response  # type: ignore[arg-type]

    assert answer.error_code == ErrorCode.INCONSISTENT_GROUP_PROTOCOL
    assert groups.state == "Dead"


@pytest.mark.parametrize("timeout_ms", [1, 5_999, 1_800_001])
def test_session_timeouts_out_of_range_are_refused(groups: GroupTest, timeout_ms: int) -> None:
    answer = groups.join("a", session_timeout_ms=timeout_ms).response

    assert answer.error_code == ErrorCode.INVALID_SESSION_TIMEOUT


def test_an_unknown_member_id_is_refused(groups: GroupTest) -> None:
    groups.person("a").member_id = "never-heard-of"

    answer = groups.join("a").response

    assert answer.error_code == ErrorCode.UNKNOWN_MEMBER_ID
    assert answer.member_id == "never-heard-of"


def test_the_group_has_a_largest_size(make_groups: MakeGroups) -> None:
    groups = make_groups(max_size=2)
    groups.has_stable_group("a", "b")

    answer = groups.join("c").response

    assert answer.error_code == ErrorCode.GROUP_MAX_SIZE_REACHED
    assert groups.state == "Stable"


def test_a_follower_that_joins_unchanged_gets_the_present_generation(groups: GroupTest) -> None:
    groups.has_stable_group("a", "b")
    generation = groups.person("b").generation

    answer = groups.join("b").response

    assert answer.generation_id == generation
    assert groups.state == "Stable"


def test_the_leader_can_ask_for_a_rebalance_by_joining(groups: GroupTest) -> None:
    groups.has_stable_group("a", "b")

    assert groups.join("a").response is None
    assert groups.state == "PreparingRebalance"


def test_a_changed_subscription_makes_a_rebalance(groups: GroupTest) -> None:
    groups.has_stable_group("a", "b")

    assert groups.join("b", protocols=[("range", b"other topics")]).response is None
    assert groups.state == "PreparingRebalance"


def test_a_lost_answer_to_join_is_given_again(groups: GroupTest) -> None:
    groups.join("a")
    first = groups.joined("a")

    second = groups.join("a").response

    assert second == first


def test_sync_with_another_protocol_is_refused(groups: GroupTest) -> None:
    groups.join("a", protocols=[("sticky", b"")])
    groups.joined("a")

    groups.sync("a", {})

    assert groups.synced("a").error_code == ErrorCode.INCONSISTENT_GROUP_PROTOCOL


def test_sync_during_a_rebalance_is_told_to_join(groups: GroupTest) -> None:
    groups.has_stable_group("a")
    groups.join("b")

    groups.sync("a", {})

    assert groups.synced("a").error_code == ErrorCode.REBALANCE_IN_PROGRESS


def test_sync_with_a_wrong_generation_is_refused(groups: GroupTest) -> None:
    groups.has_stable_group("a")
    groups.person("a").generation = 5

    groups.sync("a", {})

    assert groups.synced("a").error_code == ErrorCode.ILLEGAL_GENERATION


def test_waiting_followers_are_told_when_somebody_joins_meanwhile(groups: GroupTest) -> None:
    groups.has_stable_group("a", "b")
    groups.join("a")
    groups.join("b")
    groups.joined("a"), groups.joined("b")
    groups.sync("b")

    groups.join("c")

    assert groups.synced("b").error_code == ErrorCode.REBALANCE_IN_PROGRESS


def test_a_second_join_of_a_waiting_member_answers_the_first(groups: GroupTest) -> None:
    groups.has_stable_group("a", "b")
    first = groups.join("a")

    second = groups.join("a")

    assert first.response.error_code == ErrorCode.REBALANCE_IN_PROGRESS
    assert second.response is None
