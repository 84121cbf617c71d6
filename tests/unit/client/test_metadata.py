"""The image of the cluster: what a response changes in it."""

from ottla.client.metadata import NOTHING_KNOWN, ClusterImage, Node, image_after
from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from ottla.protocol.generated.metadata_response import Brokers, MetadataResponse, Partitions, Topics

ID, OTHER_ID = bytes([1] * 16), bytes([2] * 16)
ORDERS_0 = TopicPartition("orders", 0)


def response(
    *, leader: int = 1, epoch: int = 5, topic_id: bytes = ID, error: int = 0, count: int = 1
) -> MetadataResponse:
    partitions = [
        Partitions(partition_index=index, leader_id=leader, leader_epoch=epoch, replica_nodes=[1, 2], isr_nodes=[1])
        for index in range(count)
    ]
    return MetadataResponse(
        brokers=[Brokers(1, "a", 9092, "r1"), Brokers(2, "b", 9093)],
        cluster_id="c",
        controller_id=2,
        topics=[Topics(error_code=error, name="orders", topic_id=topic_id, partitions=partitions)],
    )


def image(**facts: int) -> ClusterImage:
    return image_after(NOTHING_KNOWN, response(**facts))  # type: ignore[arg-type]


def test_nodes_topics_and_leaders_are_known() -> None:
    known = image(count=3)

    assert known.leader_of(TopicPartition("orders", 2)) == Node(1, "a", 9092, "r1")
    assert known.topic_names == {ID: "orders"}
    assert known.leader_of(TopicPartition("orders", 3)) is None
    assert known.leader_of(TopicPartition("other", 0)) is None


def test_a_partition_without_leader_has_none() -> None:
    assert image(leader=-1).leader_of(ORDERS_0) is None


def test_a_broker_that_is_behind_does_not_bring_an_old_leader_back() -> None:
    known = image_after(image(leader=2, epoch=6), response(leader=1, epoch=5))

    assert known.leader_of(ORDERS_0) == Node(2, "b", 9093)


def test_another_topic_with_the_same_name_starts_with_epochs_of_its_own() -> None:
    known = image_after(image(leader=2, epoch=6), response(leader=1, epoch=0, topic_id=OTHER_ID))

    assert known.leader_of(ORDERS_0) == Node(1, "a", 9092, "r1")


def test_a_newer_leader_that_a_response_names_is_taken() -> None:
    known = image(leader=1, epoch=5)

    assert known.with_leader(ORDERS_0, 2, 6).leader_of(ORDERS_0) == Node(2, "b", 9093)
    assert known.with_leader(ORDERS_0, 2, 5) is known
    assert known.with_leader(ORDERS_0, 3, 6) is known


def test_a_topic_with_an_error_is_known_as_such() -> None:
    assert image(error=3, count=0).topics["orders"].error == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION


def test_topics_that_were_not_asked_for_stay_only_when_told_so() -> None:
    answer = MetadataResponse(brokers=[Brokers(1, "a", 9092)], topics=[])

    assert image_after(image(), answer, keeps=True).topics
    assert not image_after(image(), answer).topics
