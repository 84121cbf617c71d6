"""Offsets belong to a topic, not to its name: what becomes of those of a deleted topic."""

from collections.abc import Callable

import pytest

from ottla.groups.offsets import removal
from ottla.groups.topics import TopicInfo
from tests.support.groups import GroupTest

MakeGroups = Callable[..., GroupTest]
OLD, NEW = TopicInfo("orders", b"o" * 16, 1), TopicInfo("orders", b"n" * 16, 1)
PAYMENTS = TopicInfo("payments", b"p" * 16, 1)


@pytest.fixture
def groups(make_groups: MakeGroups) -> GroupTest:
    """With an offset of each topic."""
    groups = make_groups(topics=[OLD, PAYMENTS])
    groups.commit(None, 5)
    groups.commit(None, 6, topic="payments")
    return groups


def forget_deleted_topics(groups: GroupTest) -> None:
    groups.run(lambda now: groups.shard.forget_deleted_topics(now=now))
    groups.time_passes(1)


def test_a_new_topic_is_not_shown_the_offsets_of_the_old_one(groups: GroupTest) -> None:
    groups.topics_become(NEW, PAYMENTS)

    assert groups.committed("orders") == -1
    assert [topic.name for topic in groups.fetch_group(None).topics] == ["payments"]
    groups.commit(None, 1)
    assert groups.committed("orders") == 1


@pytest.mark.parametrize("topics", [[PAYMENTS], [NEW, PAYMENTS]], ids=["deleted", "created again"])
def test_after_a_load_offsets_of_deleted_topics_are_removed(groups: GroupTest, topics: list[TopicInfo]) -> None:
    groups.topics_become(*topics)

    forget_deleted_topics(groups)
    groups.topics_become(OLD, PAYMENTS)

    assert (groups.committed("orders"), groups.committed("payments")) == (-1, 6)


def test_offsets_without_a_topic_id_go_only_with_the_name(groups: GroupTest) -> None:
    groups.commit(None, 7, retention_ms=1_000_000)
    groups.topics_become(NEW, PAYMENTS)
    forget_deleted_topics(groups)
    assert groups.committed("orders") == 7

    groups.topics_become(PAYMENTS)
    forget_deleted_topics(groups)
    groups.topics_become(NEW, PAYMENTS)

    assert groups.committed("orders") == -1


def test_what_an_open_transaction_wrote_for_the_new_topic_stays(groups: GroupTest) -> None:
    groups.topics_become(NEW, PAYMENTS)
    groups.commit_in_transaction(9)

    forget_deleted_topics(groups)
    groups.transaction_ends(7, committed=True)

    assert groups.committed("orders") == 9


def test_what_an_open_transaction_wrote_for_a_deleted_topic_goes(groups: GroupTest) -> None:
    groups.commit_in_transaction(9, topic="payments")
    groups.commit_in_transaction(9, topic="payments", partition=1)
    groups.topics_become(NEW)

    forget_deleted_topics(groups)
    groups.transaction_ends(7, committed=True)
    groups.topics_become(NEW, PAYMENTS)

    assert groups.committed("payments") == groups.committed("payments", 1) == -1


def test_very_many_groups_are_looked_at_in_small_turns(groups: GroupTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(removal, "MAX_RECORDS_PER_OPERATION", 20)
    for number in range(50):
        groups.group_id = f"g{number}"
        groups.commit(None, 1)
    groups.topics_become(PAYMENTS)
    turns: list[int] = []
    groups.on_turn = lambda decision: turns.append(len(decision.records))

    forget_deleted_topics(groups)

    assert sum(turns) == 51
    assert max(turns) <= 20


@pytest.mark.parametrize("is_transactional", [False, True])
def test_what_is_committed_for_a_new_topic_before_the_groups_turn_stays(
    groups: GroupTest, monkeypatch: pytest.MonkeyPatch, is_transactional: bool
) -> None:
    monkeypatch.setattr(removal, "MAX_RECORDS_PER_OPERATION", 20)
    for number in range(50):
        groups.group_id = f"g{number}"
        groups.commit(None, 1)
    groups.topics_become(PAYMENTS)
    groups.run(lambda now: groups.shard.partitions_deleted({"orders": [0]}, now=now))
    groups.topics_become(NEW, PAYMENTS)
    if is_transactional:
        groups.commit_in_transaction(3)
    else:
        groups.commit(None, 3)

    groups.time_passes(1)
    groups.transaction_ends(7, committed=True)

    assert groups.committed("orders") == 3
    groups.group_id = "g48"
    assert groups.committed("orders") == -1
