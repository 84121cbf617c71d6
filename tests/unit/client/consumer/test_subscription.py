"""What a consumer was asked to read."""

import re

import pytest

from ottla.client.consumer.subscription import NOTHING, Subscription, SubscriptionKind
from ottla.client.metadata import NOTHING_KNOWN, TopicView
from ottla.model.topic import TopicPartition

IMAGE = NOTHING_KNOWN._replace(
    topics={
        name: TopicView(name, bytes(16), name.startswith("__"), ())
        for name in ("orders-1", "orders-2", "bills", "__offsets")
    }
)


def test_names_are_themselves() -> None:
    subscription = Subscription(["bills", "later"])

    assert subscription.kind is SubscriptionKind.NAMES
    assert subscription.topics(IMAGE, exclude_internal=True) == {"bills", "later"}


@pytest.mark.parametrize(
    "subscription",
    [Subscription(pattern="orders-.*"), Subscription(["^orders-.*"]), Subscription(pattern=re.compile("orders-.*"))],
)
def test_a_pattern_takes_the_topics_whose_whole_name_matches(subscription: Subscription) -> None:
    assert subscription.is_by_pattern
    assert subscription.topics(IMAGE, exclude_internal=True) == {"orders-1", "orders-2"}


def test_only_text_can_be_matched_by_the_broker() -> None:
    assert Subscription(pattern="a.*").text == "a.*"
    assert Subscription(["^a.*", "^b.*"]).text == "(^a.*)|(^b.*)"
    assert Subscription(pattern=re.compile("a.*")).text is None


def test_internal_topics_are_left_out_unless_they_are_wanted() -> None:
    everything = Subscription(pattern=".*")

    assert "__offsets" not in everything.topics(IMAGE, exclude_internal=True)
    assert "__offsets" in everything.topics(IMAGE, exclude_internal=False)


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="a/b"):
        Subscription(["a/b"])
    with pytest.raises(ValueError, match="pattern"):
        Subscription(pattern="(")
    with pytest.raises(ValueError, match="empty string"):
        Subscription(partitions=[TopicPartition("", 0)])


def test_no_partitions_are_an_assignment_and_nothing_is_nothing() -> None:
    assert Subscription(partitions=[]).kind is SubscriptionKind.PARTITIONS
    assert NOTHING.kind is SubscriptionKind.NOTHING
    assert not NOTHING.uses_group
