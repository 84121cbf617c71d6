"""List, describe and delete groups."""

import pytest

from ottla.model.error_codes import ErrorCode
from tests.support.group_host import LoggedRecord
from tests.support.groups import GroupTest


@pytest.mark.parametrize(("version", "code"), [(5, ErrorCode.NONE), (6, ErrorCode.GROUP_ID_NOT_FOUND)])
def test_an_unknown_group_is_dead(groups: GroupTest, version: int, code: ErrorCode) -> None:
    answer = groups.describe(version=version)

    assert (answer.group_state, answer.error_code) == ("Dead", code)


def test_a_stable_group_shows_subscriptions_and_assignments(groups: GroupTest) -> None:
    groups.has_stable_group("a", protocols=[("range", b"wants")])

    answer = groups.describe()

    assert (answer.protocol_type, answer.protocol_data) == ("consumer", "range")
    (member,) = answer.members
    assert (member.client_id, member.client_host) == ("a", "/a")
    assert (member.member_metadata, member.member_assignment) == (b"wants", b"a")


def test_a_rebalancing_group_shows_no_protocol(groups: GroupTest) -> None:
    groups.join("a")

    answer = groups.describe()

    assert answer.group_state == "CompletingRebalance"
    assert answer.protocol_data == ""
    assert answer.members[0].member_metadata == b""


def test_each_kind_is_described_by_its_own_request(groups: GroupTest) -> None:
    groups.beat("a", "orders")

    assert groups.describe().error_message == "Group g is not a classic group."
    groups.group_id = "classic"
    groups.has_stable_group("b")
    assert groups.consumer_group().error_message == "Group classic is not a consumer group."
    groups.group_id = "none"
    assert groups.consumer_group().error_message == "Group none not found."
    groups.group_id = ""
    assert groups.consumer_group().error_code == ErrorCode.INVALID_GROUP_ID


@pytest.mark.parametrize(
    ("states", "types", "expected"),
    [
        ([], [], ["simple", "classic", "consumer"]),
        (["stable"], [], ["classic", "consumer"]),
        (["Empty"], ["Classic"], ["simple"]),
        ([], ["consumer"], ["consumer"]),
        (["nonsense"], [], []),
    ],
)
def test_groups_are_listed_by_state_and_type(
    groups: GroupTest, states: list[str], types: list[str], expected: list[str]
) -> None:
    groups.group_id = "simple"
    groups.commit(None, 1)
    groups.group_id = "classic"
    groups.has_stable_group("a")
    groups.group_id = "consumer"
    groups.beat("b", "orders")

    found = groups.shard.list_groups(states=states, types=types).response or []

    assert [group.group_id for group in found] == expected


def test_a_group_named_twice_is_deleted_once(groups: GroupTest) -> None:
    groups.commit(None, 1)

    response = groups.run(lambda now: groups.shard.delete_groups(["g", "none", "g"], now=now))

    assert [(result.group_id, result.error_code) for result in response.results] == [
        ("g", ErrorCode.NONE),
        ("none", ErrorCode.GROUP_ID_NOT_FOUND),
    ]


def test_a_consumer_group_with_members_cannot_be_deleted(groups: GroupTest) -> None:
    groups.beat("a", "orders")

    assert groups.delete() is ErrorCode.NON_EMPTY_GROUP


def test_a_deleted_consumer_group_leaves_nothing_of_older_kafkas_in_the_log(groups: GroupTest) -> None:
    groups.beat("a", "orders")
    groups.steps_down("a")

    assert groups.delete() is ErrorCode.NONE

    written = [entry for entry in groups.log if isinstance(entry, LoggedRecord)]
    partition_metadata, metadata = b"\0\4\0\1g", b"\0\3\0\1g"
    assert [(entry.key, entry.value) for entry in written[-2:]] == [(partition_metadata, None), (metadata, None)]
