"""A shard has room for so many groups; those that exist go on when it is full."""

from collections.abc import Callable

from ottla.model.error_codes import ErrorCode
from tests.support.groups import GroupTest

MakeGroups = Callable[..., GroupTest]


def full_shard(make_groups: MakeGroups) -> GroupTest:
    """One group by committing, one by joining: that is all there is room for."""
    groups = make_groups(max_groups=2, initial_rebalance_delay_ms=0)
    groups.group_id = "by committing"
    assert groups.commit(None, 1) is ErrorCode.NONE
    groups.group_id = "by joining"
    assert groups.join("a").response.error_code == ErrorCode.NONE
    groups.group_id = "one too many"
    return groups


def test_a_full_shard_takes_no_new_group_of_any_kind(make_groups: MakeGroups) -> None:
    groups = full_shard(make_groups)

    assert groups.join("b").response.error_code == ErrorCode.GROUP_MAX_SIZE_REACHED
    assert groups.commit(None, 1) is ErrorCode.GROUP_MAX_SIZE_REACHED
    answer = groups.beat("c", "orders")
    assert answer.error_code == ErrorCode.GROUP_MAX_SIZE_REACHED
    assert "ottla.groups.max" in (answer.error_message or "")
    assert groups.state == "Dead"


def test_groups_that_exist_go_on_in_a_full_shard(make_groups: MakeGroups) -> None:
    groups = full_shard(make_groups)

    groups.group_id = "by committing"
    assert groups.commit(None, 2) is ErrorCode.NONE
    assert groups.committed() == 2


def test_a_group_that_goes_away_makes_room(make_groups: MakeGroups) -> None:
    groups = full_shard(make_groups)
    groups.group_id = "by committing"
    groups.delete()

    groups.group_id = "one too many"

    assert groups.commit(None, 1) is ErrorCode.NONE


def test_a_member_that_tells_too_much_is_refused_and_leaves_nothing(make_groups: MakeGroups) -> None:
    groups = make_groups(max_member_bytes=100, initial_rebalance_delay_ms=0)

    refused = groups.join("a", protocols=[("range", bytes(60)), ("roundrobin", bytes(41))])

    assert refused.response.error_code == ErrorCode.INVALID_REQUEST
    assert groups.state == "Dead"
    assert groups.join("a", protocols=[("range", bytes(60)), ("roundrobin", bytes(40))]).response.error_code == 0


def test_groups_whose_regular_expression_is_refused_leave_nothing(make_groups: MakeGroups) -> None:
    groups = make_groups()

    refused = groups.beat("a", subscribed_topic_regex="(a")

    assert refused.error_code == ErrorCode.INVALID_REGULAR_EXPRESSION
    assert groups.shard._state._soft == {}
