"""Committed offsets: who may commit, what is kept, when it goes away, and offsets inside transactions."""

from collections.abc import Callable
from typing import Any

import pytest

from ottla.groups.offsets import removal
from ottla.model.error_codes import ErrorCode
from ottla.protocol.generated.offset_commit_value import OffsetCommitValue
from tests.support.group_host import LoggedRecord
from tests.support.group_topics import a_topic, subscription, topic_id
from tests.support.groups import GroupTest

MakeGroups = Callable[..., GroupTest]
DAY_MS = 24 * 3_600_000
WEEK_MS = 7 * DAY_MS


def test_a_consumer_without_membership_makes_a_group_by_committing(groups: GroupTest) -> None:
    assert groups.commit(None, 42) is ErrorCode.NONE

    assert groups.committed() == 42
    assert groups.state == "Empty"
    assert groups.describe().protocol_type == ""


def test_metadata_is_kept_and_null_becomes_empty(groups: GroupTest) -> None:
    groups.commit(None, 1, metadata="my notes")
    groups.commit(None, 1, partition=1, metadata=None)

    assert groups.fetch().metadata == "my notes"
    assert groups.fetch(partition=1).metadata == ""


def test_metadata_over_the_limit_is_refused_and_the_old_offset_stays(make_groups: MakeGroups) -> None:
    groups = make_groups(metadata_max_bytes=10)
    groups.commit(None, 1, metadata="x" * 10)

    assert groups.commit(None, 2, metadata="x" * 11) is ErrorCode.OFFSET_METADATA_TOO_LARGE
    assert groups.committed() == 1


def test_a_commit_of_which_nothing_is_taken_makes_no_group(make_groups: MakeGroups) -> None:
    groups = make_groups(metadata_max_bytes=10)

    assert groups.commit(None, 1, metadata="x" * 11) is ErrorCode.OFFSET_METADATA_TOO_LARGE
    assert groups.state == "Dead"
    assert groups.commit_in_transaction(1, metadata="x" * 11) is ErrorCode.OFFSET_METADATA_TOO_LARGE
    assert groups.state == "Dead"


def test_a_commit_in_a_transaction_makes_a_group(groups: GroupTest) -> None:
    assert groups.commit_in_transaction(1) is ErrorCode.NONE

    assert groups.state == "Empty"


def test_what_was_never_committed_is_minus_one(groups: GroupTest) -> None:
    answer = groups.fetch("nowhere", 7)

    assert (answer.committed_offset, answer.committed_leader_epoch, answer.metadata) == (-1, -1, "")
    assert answer.error_code == ErrorCode.NONE


def test_all_offsets_of_a_group_can_be_fetched(groups: GroupTest) -> None:
    groups.commit(None, 1)
    groups.commit(None, 2, topic="payments", partition=1)

    found = groups.fetch_group(None)

    assert [(topic.name, [each.committed_offset for each in topic.partitions]) for topic in found.topics] == [
        ("orders", [1]),
        ("payments", [2]),
    ]


def test_the_topic_id_is_kept_with_the_offset(groups: GroupTest) -> None:
    groups.commit(None, 1)

    (entry,) = groups.log
    assert isinstance(entry, LoggedRecord)
    record = groups.codec.decode(entry.key, entry.value)
    assert record is not None
    assert isinstance(record.value, OffsetCommitValue)
    assert record.value.topic_id == topic_id("orders")


@pytest.mark.parametrize(("version", "code"), [(8, ErrorCode.ILLEGAL_GENERATION), (9, ErrorCode.GROUP_ID_NOT_FOUND)])
def test_a_member_of_an_unknown_group_cannot_commit(groups: GroupTest, version: int, code: ErrorCode) -> None:
    assert groups.commit(None, 1, generation=3, version=version) is code


def test_members_commit_in_their_generation_only(groups: GroupTest) -> None:
    groups.has_stable_group("a")

    assert groups.commit("a", 1) is ErrorCode.NONE
    assert groups.commit("a", 2, generation=9) is ErrorCode.ILLEGAL_GENERATION
    assert groups.commit("who", 2, generation=1) is ErrorCode.UNKNOWN_MEMBER_ID
    assert groups.commit(None, 2) is ErrorCode.UNKNOWN_MEMBER_ID
    assert groups.committed() == 1


def test_commits_are_taken_while_members_join_but_not_before_they_sync(groups: GroupTest) -> None:
    groups.has_stable_group("a")
    groups.join("b")
    assert groups.commit("a", 1) is ErrorCode.NONE

    groups.join("a")
    groups.joined("a")

    assert groups.state == "CompletingRebalance"
    assert groups.commit("a", 2) is ErrorCode.REBALANCE_IN_PROGRESS


def test_a_member_that_was_dropped_cannot_commit(groups: GroupTest) -> None:
    groups.has_stable_group("a")
    groups.commit("a", 5)

    groups.time_passes(10_001)

    assert groups.commit("a", 6) is ErrorCode.UNKNOWN_MEMBER_ID
    assert groups.committed() == 5


def test_offsets_survive_a_reload(groups: GroupTest) -> None:
    groups.commit(None, 5)

    groups.restart()

    assert groups.committed() == 5
    assert groups.state == "Empty"


def test_offsets_of_an_empty_group_expire_from_the_day_it_became_empty(groups: GroupTest) -> None:
    groups.has_stable_group("a", session_timeout_ms=1_800_000)
    groups.commit("a", 5)
    groups.time_passes(1_000_000)
    groups.leave("a")

    groups.time_passes(WEEK_MS - 600_000)
    assert groups.committed() == 5
    groups.time_passes(1_200_001)

    assert groups.committed() == -1
    assert groups.state == "Dead"


def test_offsets_of_a_live_group_do_not_expire(groups: GroupTest) -> None:
    groups.has_stable_group("a", protocols=[("range", subscription("orders"))], session_timeout_ms=1_800_000)
    groups.commit("a", 5)

    for _ in range(16 * 24 * 4):
        groups.time_passes(900_000)
        assert groups.heartbeat("a") is ErrorCode.NONE

    assert groups.committed() == 5


def test_a_live_group_loses_offsets_of_topics_it_does_not_read_any_more(groups: GroupTest) -> None:
    groups.commit(None, 7, topic="payments")
    groups.has_stable_group("a", protocols=[("range", subscription("orders"))], session_timeout_ms=1_800_000)
    groups.commit("a", 5)

    for _ in range(8 * 24 * 4):
        groups.time_passes(900_000)
        groups.heartbeat("a")

    assert groups.committed("payments") == -1
    assert groups.committed("orders") == 5


def test_offsets_of_a_simple_consumer_expire_from_their_commit(groups: GroupTest) -> None:
    groups.commit(None, 1)
    groups.time_passes(6 * DAY_MS)
    groups.commit(None, 2, partition=1)

    groups.time_passes(2 * DAY_MS)

    assert groups.committed(partition=0) == -1
    assert groups.committed(partition=1) == 2


def test_an_old_client_can_ask_for_its_own_retention(groups: GroupTest) -> None:
    groups.commit(None, 1, retention_ms=3_600_000, version=2)

    groups.time_passes(3_000_000)
    assert groups.committed() == 1
    groups.time_passes(1_300_000)

    assert groups.committed() == -1


def test_the_default_retention_of_an_old_client_is_the_brokers(groups: GroupTest) -> None:
    groups.commit(None, 1, retention_ms=-1, version=2)

    groups.time_passes(6 * DAY_MS)

    assert groups.committed() == 1


def test_offsets_in_use_cannot_be_deleted(groups: GroupTest) -> None:
    groups.has_stable_group("a", protocols=[("range", subscription("orders"))])
    groups.commit("a", 1)
    groups.commit("a", 2, topic="payments")

    assert groups.delete_offsets("orders") == (ErrorCode.NONE, [ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC])
    assert groups.delete_offsets("payments") == (ErrorCode.NONE, [ErrorCode.NONE])
    assert (groups.committed("orders"), groups.committed("payments")) == (1, -1)


def test_deleting_offsets_of_unknown_groups_is_refused(groups: GroupTest) -> None:
    assert groups.delete_offsets() == (ErrorCode.GROUP_ID_NOT_FOUND, [])


def test_live_groups_of_other_types_keep_all_their_offsets(groups: GroupTest) -> None:
    groups.join("a", protocol_type="connect", protocols=[("range", b"")])
    groups.joined("a")

    assert groups.delete_offsets()[0] is ErrorCode.NON_EMPTY_GROUP


def test_a_new_topic_of_the_same_name_starts_without_offsets(groups: GroupTest) -> None:
    groups.commit(None, 5)
    groups.commit(None, 6, topic="payments")

    groups.topics_become(a_topic("payments", 2))
    groups.run(lambda now: groups.shard.partitions_deleted({"orders": [0]}, now=now))

    assert groups.committed("orders") == -1
    assert groups.committed("payments") == 6


def test_deleting_a_group_deletes_its_offsets(groups: GroupTest) -> None:
    groups.commit(None, 5)
    groups.commit_in_transaction(9, partition=1)

    assert groups.delete() is ErrorCode.NONE
    groups.transaction_ends(7, committed=True)

    assert groups.committed() == groups.committed(partition=1) == -1
    assert groups.state == "Dead"


def test_offsets_in_a_transaction_count_when_it_commits(groups: GroupTest) -> None:
    groups.commit(None, 1)

    assert groups.commit_in_transaction(10) is ErrorCode.NONE
    assert groups.committed() == 1
    groups.transaction_ends(7, committed=True)

    assert groups.committed() == 10


def test_offsets_of_an_aborted_transaction_never_count(groups: GroupTest) -> None:
    groups.commit(None, 1)
    groups.commit_in_transaction(10)

    groups.transaction_ends(7, committed=False)

    assert groups.committed() == 1
    assert groups.fetch(require_stable=True).error_code == ErrorCode.NONE


def test_readers_that_want_stable_offsets_wait_for_the_end_of_the_transaction(groups: GroupTest) -> None:
    groups.commit(None, 1)
    groups.commit_in_transaction(10)

    answer = groups.fetch(require_stable=True)

    assert answer.error_code == ErrorCode.UNSTABLE_OFFSET_COMMIT
    assert answer.committed_offset == -1
    assert groups.fetch(partition=1, require_stable=True).error_code == ErrorCode.NONE
    assert groups.fetch_group(None, require_stable=True).topics[0].partitions[0].error_code == answer.error_code


@pytest.mark.parametrize("require_stable", [True, False])
def test_all_offsets_of_a_group_are_those_that_were_committed(groups: GroupTest, require_stable: bool) -> None:
    groups.commit_in_transaction(10)

    assert groups.fetch_group(None, require_stable=require_stable).topics == []


def test_a_pending_offset_outlives_a_reload(groups: GroupTest) -> None:
    groups.commit_in_transaction(10)

    groups.restart()

    assert groups.fetch(require_stable=True).error_code == ErrorCode.UNSTABLE_OFFSET_COMMIT
    groups.transaction_ends(7, committed=True)
    assert groups.committed() == 10


def test_a_later_commit_wins_over_an_earlier_one_in_a_transaction(groups: GroupTest) -> None:
    groups.commit_in_transaction(10)
    groups.commit(None, 20)

    groups.transaction_ends(7, committed=True)

    assert groups.committed() == 20


def test_two_transactions_are_told_apart(groups: GroupTest) -> None:
    groups.commit_in_transaction(10, producer_id=1)
    groups.commit_in_transaction(20, producer_id=2, partition=1)

    groups.transaction_ends(1, committed=False)
    groups.transaction_ends(2, committed=True)

    assert (groups.committed(), groups.committed(partition=1)) == (-1, 20)


def test_a_pending_offset_keeps_the_old_one_from_expiring(groups: GroupTest) -> None:
    groups.commit(None, 1)
    groups.commit_in_transaction(10)

    groups.time_passes(2 * WEEK_MS)

    assert groups.committed() == 1


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"generation_id": 1}, ErrorCode.UNKNOWN_MEMBER_ID),
        ({"generation_id": 5, "member_id": "real"}, ErrorCode.ILLEGAL_GENERATION),
        ({"generation_id": 1, "member_id": "who"}, ErrorCode.UNKNOWN_MEMBER_ID),
        ({"generation_id": 1, "member_id": "real"}, ErrorCode.NONE),
        ({}, ErrorCode.NONE),
    ],
)
def test_transactional_commits_check_what_they_say_of_the_group(
    groups: GroupTest, fields: dict[str, Any], code: ErrorCode
) -> None:
    groups.has_stable_group("a")
    if fields.get("member_id") == "real":
        fields = {**fields, "member_id": groups.person("a").member_id}

    assert groups.commit_in_transaction(1, **fields) is code


def test_transactional_commits_are_taken_in_every_live_state(groups: GroupTest) -> None:
    groups.join("a")
    groups.joined("a")

    member = groups.person("a")
    assert groups.state == "CompletingRebalance"
    assert groups.commit_in_transaction(1, generation_id=1, member_id=member.member_id) is ErrorCode.NONE


def test_transactional_commits_for_an_unknown_group_with_a_generation_are_refused(groups: GroupTest) -> None:
    assert groups.commit_in_transaction(1, generation_id=4, member_id="x") is ErrorCode.ILLEGAL_GENERATION


def turns_over_fifty_groups(groups: GroupTest, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many records each turn from here on has; each group has one offset, and a turn at most 20."""
    monkeypatch.setattr(removal, "MAX_RECORDS_PER_OPERATION", 20)
    for number in range(50):
        groups.group_id = f"g{number}"
        groups.commit(None, 1)
    turns: list[int] = []
    groups.on_turn = lambda decision: turns.append(len(decision.records))
    return turns


def test_many_offsets_expire_in_small_turns(groups: GroupTest, monkeypatch: pytest.MonkeyPatch) -> None:
    turns = turns_over_fifty_groups(groups, monkeypatch)

    groups.time_passes(8 * DAY_MS)

    assert max(turns) == 20
    assert groups.shard.list_groups().response == []


def test_a_deleted_topic_of_many_groups_is_forgotten_in_small_turns(
    groups: GroupTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = turns_over_fifty_groups(groups, monkeypatch)

    groups.topics_become()
    groups.run(lambda now: groups.shard.partitions_deleted({"orders": [0]}, now=now))
    groups.time_passes(1)

    assert turns == [20, 20, 10]
    assert groups.committed() == -1


def test_offsets_grow_old_by_the_time_that_is_believed(make_groups: MakeGroups) -> None:
    doubted_ms = 0
    groups = make_groups(believed_ms=lambda wall_ms: wall_ms - doubted_ms)
    groups.commit(None, 42)

    doubted_ms = WEEK_MS
    groups.time_passes(WEEK_MS)
    assert groups.committed() == 42

    doubted_ms = 0
    groups.time_passes(600_000)
    assert groups.committed() == -1
