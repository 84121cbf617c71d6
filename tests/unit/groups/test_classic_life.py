"""Sessions, heartbeats, leaving, reload and removal of classic members."""

from collections.abc import Callable

import pytest

from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.protocol.generated.join_group_request import JoinGroupRequest, Protocols
from tests.support.groups import GroupTest

MakeGroups = Callable[..., GroupTest]


def test_a_member_is_removed_after_its_session_ends(groups: GroupTest) -> None:
    groups.has_stable_group("a", session_timeout_ms=10_000)

    groups.time_passes(10_001)

    assert groups.state == "Empty"
    assert groups.heartbeat("a") is ErrorCode.UNKNOWN_MEMBER_ID


def test_heartbeats_keep_a_member(groups: GroupTest) -> None:
    groups.has_stable_group("a", session_timeout_ms=10_000)

    for _ in range(5):
        groups.time_passes(9_999)
        assert groups.heartbeat("a") is ErrorCode.NONE


def test_commits_keep_a_member(groups: GroupTest) -> None:
    groups.has_stable_group("a", session_timeout_ms=10_000)

    for offset in range(5):
        groups.time_passes(9_999)
        assert groups.commit("a", offset) is ErrorCode.NONE


def test_a_jump_of_the_wall_clock_ends_no_session(groups: GroupTest) -> None:
    groups.has_stable_group("a")

    groups.wall_jump_ms = 3_600_000
    groups.time_passes(1)

    assert groups.state == "Stable"
    assert groups.heartbeat("a") is ErrorCode.NONE


def test_a_member_that_waits_in_join_has_no_session_to_lose(groups: GroupTest) -> None:
    groups.has_stable_group("a", "b", session_timeout_ms=10_000, rebalance_timeout_ms=60_000)
    groups.join("b", session_timeout_ms=10_000, protocols=[("range", b"changed")])

    for _ in range(5):
        groups.time_passes(5_000)
        groups.heartbeat("a")

    assert groups.person("b").last.response is None


def test_a_new_member_that_is_never_answered_is_dropped_after_five_minutes(groups: GroupTest) -> None:
    groups.has_stable_group("a", session_timeout_ms=600_000, rebalance_timeout_ms=900_000)
    groups.join("b", rebalance_timeout_ms=900_000)

    groups.time_passes(300_001)

    assert groups.joined("b").error_code == ErrorCode.UNKNOWN_MEMBER_ID


def ask_for_an_id(groups: GroupTest) -> None:
    """It is waited for during a session timeout of 10 seconds."""
    request = JoinGroupRequest(
        group_id="g", session_timeout_ms=10_000, protocol_type="consumer", protocols=[Protocols(name="range")]
    )
    groups.ask_to_join(request, 9, "b")


def test_an_id_that_is_never_used_is_forgotten_and_holds_nobody_up(groups: GroupTest) -> None:
    groups.has_stable_group("a", session_timeout_ms=600_000)
    ask_for_an_id(groups)
    groups.join("a", session_timeout_ms=600_000)
    assert groups.person("a").last.response is None

    groups.time_passes(10_001)

    assert groups.joined("a").generation_id == 2


def test_members_that_never_sync_are_dropped_after_the_rebalance_timeout(groups: GroupTest) -> None:
    groups.has_stable_group("a", "b", session_timeout_ms=100_000, rebalance_timeout_ms=20_000)
    for name in "ab":
        groups.join(name, session_timeout_ms=100_000, rebalance_timeout_ms=20_000)
    groups.joined("a"), groups.joined("b")
    groups.sync("a", {"a": b"1"})

    groups.time_passes(20_001)

    assert groups.heartbeat("b") is ErrorCode.UNKNOWN_MEMBER_ID
    assert groups.heartbeat("a") is ErrorCode.REBALANCE_IN_PROGRESS


def test_the_leader_that_leaves_is_followed_by_another(groups: GroupTest) -> None:
    groups.has_stable_group("a", "b")

    assert groups.leave("a") == [ErrorCode.NONE]
    groups.join("b")

    assert groups.joined("b").leader == groups.person("b").member_id
    assert groups.joined("b").members != []


def test_the_last_to_leave_makes_the_group_empty(groups: GroupTest) -> None:
    groups.has_stable_group("a")

    groups.leave("a")

    assert groups.state == "Empty"
    assert groups.describe().protocol_type == "consumer"


def test_a_group_whose_last_member_left_on_a_full_disk_becomes_empty_later(groups: GroupTest) -> None:
    groups.has_stable_group("a", session_timeout_ms=10_000)
    groups.is_full = True
    with pytest.raises(Refused):
        groups.leave("a")
    groups.is_full = False

    groups.time_passes(10_001)

    assert groups.state == "Empty"


def test_a_group_whose_last_session_ended_on_a_full_disk_becomes_empty_later(groups: GroupTest) -> None:
    groups.has_stable_group("a", session_timeout_ms=10_000)
    groups.is_full = True
    groups.time_passes(10_001)
    groups.is_full = False

    groups.time_passes(1_000)

    assert groups.state == "Empty"


def test_a_group_that_waited_in_vain_on_a_full_disk_becomes_empty_later(groups: GroupTest) -> None:
    groups.has_stable_group("a")
    ask_for_an_id(groups)
    groups.join("a")
    groups.leave("a")
    groups.is_full = True
    groups.time_passes(10_001)
    groups.is_full = False

    groups.time_passes(1_000)

    assert groups.state == "Empty"


def test_each_member_of_a_batch_has_its_own_code(groups: GroupTest) -> None:
    groups.has_stable_group("a", "b")
    groups.person("stranger").member_id = "who"

    assert groups.leave("a", "stranger", "a") == [
        ErrorCode.NONE,
        ErrorCode.UNKNOWN_MEMBER_ID,
        ErrorCode.UNKNOWN_MEMBER_ID,
    ]


def test_a_waiting_member_that_is_removed_is_told(groups: GroupTest) -> None:
    groups.has_stable_group("a", "b")
    groups.join("b", protocols=[("range", b"changed")])
    waiting = groups.person("b").last

    groups.leave("b")

    assert waiting.response.error_code == ErrorCode.UNKNOWN_MEMBER_ID


def test_generations_go_on_after_the_group_was_empty(groups: GroupTest) -> None:
    groups.has_stable_group("a")
    groups.leave("a")

    groups.join("b")

    assert groups.joined("b").generation_id == 3


@pytest.mark.parametrize(
    ("generation", "member", "code"),
    [(5, "a", ErrorCode.ILLEGAL_GENERATION), (1, "who", ErrorCode.UNKNOWN_MEMBER_ID)],
)
def test_heartbeats_of_others_are_refused(groups: GroupTest, generation: int, member: str, code: ErrorCode) -> None:
    groups.has_stable_group("a")
    groups.person("who").member_id = "who"

    assert groups.heartbeat(member, generation=generation) is code


def test_a_heartbeat_before_the_sync_is_accepted(groups: GroupTest) -> None:
    groups.join("a")
    groups.joined("a")

    assert groups.heartbeat("a") is ErrorCode.NONE


def test_after_a_reload_members_go_on_where_they_were(groups: GroupTest) -> None:
    groups.has_stable_group("a", "b")

    groups.restart()

    assert groups.state == "Stable"
    assert groups.heartbeat("a") is ErrorCode.NONE
    assert groups.sync("b").response.assignment == b"b"


def test_after_a_reload_members_have_a_full_session(groups: GroupTest) -> None:
    groups.has_stable_group("a", session_timeout_ms=10_000)
    groups.time_passes(9_000)

    groups.restart()
    groups.time_passes(9_000)

    assert groups.heartbeat("a") is ErrorCode.NONE
    groups.time_passes(10_001)
    assert groups.state == "Empty"


def test_a_rebalance_that_a_reload_interrupts_starts_again(groups: GroupTest) -> None:
    groups.has_stable_group("a")
    groups.join("a")
    groups.joined("a")
    assert groups.person("a").generation == 2

    groups.restart()

    assert groups.sync("a", {"a": b"x"}).response.error_code == ErrorCode.ILLEGAL_GENERATION
    groups.join("a")
    assert groups.joined("a").generation_id == 2
    assert groups.sync("a", {"a": b"x"}).response.assignment == b"x"


def test_a_loaded_group_over_the_size_limit_rebalances(make_groups: MakeGroups) -> None:
    groups = make_groups()
    groups.has_stable_group("a", "b", "c")

    groups.settings.max_size = 2
    groups.restart()

    assert groups.state == "PreparingRebalance"


def test_a_group_with_members_cannot_be_deleted(groups: GroupTest) -> None:
    groups.has_stable_group("a")

    assert groups.delete() is ErrorCode.NON_EMPTY_GROUP
    groups.leave("a")
    assert groups.delete() is ErrorCode.NONE
    assert groups.delete() is ErrorCode.GROUP_ID_NOT_FOUND
    assert groups.state == "Dead"


def test_a_static_member_comes_back_without_a_rebalance(groups: GroupTest) -> None:
    groups.has_stable_group("a", instance_id="one")
    old_id = groups.person("a").member_id

    answer = groups.join("a", instance_id="one", as_new=True).response

    assert answer.generation_id == 1
    assert answer.member_id != old_id
    assert answer.skip_assignment
    assert [member.member_id for member in answer.members] == [answer.member_id]
    groups.joined("a")
    assert groups.sync("a").response.assignment == b"a"


def test_before_version_9_a_static_leader_is_not_asked_to_assign(groups: GroupTest) -> None:
    groups.has_stable_group("a", instance_id="one")
    old_id = groups.person("a").member_id

    answer = groups.join("a", instance_id="one", as_new=True, version=5).response

    assert answer.leader == old_id
    assert answer.members == []
    assert not answer.skip_assignment


def test_the_old_id_of_a_static_member_is_fenced(groups: GroupTest) -> None:
    groups.has_stable_group("a", instance_id="one")
    groups.person("zombie").member_id = groups.person("a").member_id
    groups.person("zombie").generation = 1
    groups.person("zombie").instance_id = "one"
    groups.join("a", instance_id="one", as_new=True)

    assert groups.heartbeat("zombie") is ErrorCode.FENCED_INSTANCE_ID
    assert groups.commit("zombie", 5) is ErrorCode.FENCED_INSTANCE_ID
    assert groups.leave("zombie") == [ErrorCode.FENCED_INSTANCE_ID]
    assert groups.join("zombie", instance_id="one").response.error_code == ErrorCode.FENCED_INSTANCE_ID


def test_a_parked_request_of_the_old_id_is_fenced(groups: GroupTest) -> None:
    groups.has_stable_group("a", session_timeout_ms=100_000)
    groups.join("static", instance_id="one")
    waiting = groups.person("static").last
    assert not waiting.is_answered

    groups.join("static", instance_id="one", as_new=True)

    assert waiting.response.error_code == ErrorCode.FENCED_INSTANCE_ID
    assert groups.person("static").last.response is None


def test_a_static_member_keeps_its_place_over_a_reload(groups: GroupTest) -> None:
    groups.has_stable_group("a", instance_id="one")

    groups.restart()
    answer = groups.join("a", instance_id="one", as_new=True).response

    assert answer.generation_id == 1
    assert groups.state == "Stable"


def test_a_static_member_with_another_protocol_makes_a_rebalance(groups: GroupTest) -> None:
    groups.has_stable_group("a", instance_id="one", protocols=[("range", b""), ("sticky", b"")])

    groups.join("a", instance_id="one", as_new=True, protocols=[("sticky", b"")])

    assert groups.joined("a").generation_id == 2
    assert groups.joined("a").protocol_name == "sticky"


def test_static_members_that_are_late_keep_the_generation_open_until_their_session_ends(groups: GroupTest) -> None:
    groups.has_stable_group("a", instance_id="one", session_timeout_ms=100_000, rebalance_timeout_ms=10_000)
    groups.join("b", rebalance_timeout_ms=10_000, session_timeout_ms=100_000)

    groups.time_passes(10_001)

    assert len(groups.joined("b").members) == 2
    assert groups.joined("b").leader == groups.person("b").member_id
