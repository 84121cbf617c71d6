"""Where a consumer is in a partition: resets, validation against new leaders, preferred replicas."""

import pytest

from ottla.client.consumer.assignment import Assignment
from ottla.client.consumer.positions import NO_NODE, PartitionState, Position, Readiness
from ottla.client.consumer.reset_policy import EARLIEST, LATEST, NO_RESET, ResetKind, ResetPolicy, read_policy
from ottla.client.errors import ConnectionFailed, LogTruncated, NoOffset, OffsetOutOfRange
from ottla.client.metadata import NOTHING_KNOWN, ClusterImage, Node, PartitionView, TopicView
from ottla.model.topic import TopicPartition

ORDERS = TopicPartition("orders", 0)
ID, OTHER_ID = bytes([1] * 16), bytes([2] * 16)


def state(policy: ResetPolicy = EARLIEST, *, uses_committed: bool = False) -> PartitionState:
    return PartitionState(ORDERS, policy, uses_committed=uses_committed)


def at(offset: int, epoch: int = 3, policy: ResetPolicy = EARLIEST) -> PartitionState:
    """Ready at an offset that was read from a leader of this epoch."""
    made = state(policy, uses_committed=True)
    made.leader_is(1, epoch)
    made.reset_found(Position(offset, epoch))
    return made


def image(leader: int = 1, epoch: int = 3, topic_id: bytes = ID, nodes: tuple[int, ...] = (1, 2)) -> ClusterImage:
    view = PartitionView(0, leader, epoch, (1, 2), (1, 2), ())
    topic = TopicView("orders", topic_id, False, (view,))
    known = {node_id: Node(node_id, "h", 9092) for node_id in nodes}
    return NOTHING_KNOWN._replace(nodes=known, topics={"orders": topic}, topic_names={topic_id: "orders"})


@pytest.mark.parametrize(
    ("text", "policy"),
    [
        ("earliest", EARLIEST),
        ("latest", LATEST),
        ("none", NO_RESET),
        ("by_duration:PT1H30M", ResetPolicy(ResetKind.BY_DURATION, 5_400_000)),
        ("by_duration:P1DT0.5S", ResetPolicy(ResetKind.BY_DURATION, 86_400_500)),
    ],
)
def test_reset_policies_are_read_from_the_setting(text: str, policy: ResetPolicy) -> None:
    assert read_policy(text) == policy


def test_a_group_asks_for_the_committed_offset_first_and_others_reset_at_once() -> None:
    assert state(uses_committed=True).readiness is Readiness.NEEDS_COMMITTED
    assert state().readiness is Readiness.NEEDS_RESET


def test_without_a_policy_nothing_committed_is_an_error() -> None:
    mine = state(NO_RESET, uses_committed=True)

    mine.needs_reset()

    assert mine.readiness is Readiness.FAILED
    assert isinstance(mine.failure, NoOffset)


def test_a_seek_ends_a_failure_and_makes_late_responses_stale() -> None:
    mine = state(NO_RESET)
    version = mine.version

    mine.seek(Position(7))

    assert mine.readiness is Readiness.READY
    assert mine.failure is None
    assert mine.version > version
    assert mine.fetch_offset == 7


def test_a_new_leader_epoch_has_the_position_validated() -> None:
    mine = at(10)

    assert mine.leader_is(2, 4)

    before = mine.readiness
    mine.validated(end_offset=10, epoch=3)
    assert (before, mine.readiness) == (Readiness.NEEDS_VALIDATION, Readiness.READY)
    assert mine.position == Position(10, 3)


def test_the_same_epoch_again_changes_nothing() -> None:
    mine = at(10)

    assert not mine.leader_is(1, 3)
    assert not mine.leader_is(1, 2)
    assert mine.readiness is Readiness.READY


def test_a_position_without_an_epoch_cannot_be_validated() -> None:
    mine = at(10)
    mine.seek(Position(5))

    assert not mine.leader_is(2, 4)
    assert mine.readiness is Readiness.READY


def test_a_truncated_log_moves_the_position_back_to_where_it_differs() -> None:
    mine = at(10)
    mine.leader_is(2, 4)

    mine.validated(end_offset=6, epoch=2)

    assert mine.readiness is Readiness.READY
    assert mine.position == Position(6, 2)


def test_a_truncated_log_is_an_error_without_a_policy() -> None:
    mine = at(10, policy=NO_RESET)
    mine.leader_is(2, 4)

    mine.validated(end_offset=6, epoch=2)

    assert isinstance(mine.failure, LogTruncated)
    assert mine.failure.end_offset == 6
    assert mine.failure.offsets == {ORDERS: 10}


def test_a_leader_that_does_not_know_the_epoch_has_the_position_reset() -> None:
    mine = at(10)
    mine.leader_is(2, 4)

    mine.validated(end_offset=-1, epoch=-1)

    assert mine.readiness is Readiness.NEEDS_RESET


def test_another_change_of_leader_during_validation_starts_it_anew() -> None:
    mine = at(10)
    mine.leader_is(2, 4)
    version = mine.version

    assert mine.leader_is(1, 5)
    assert mine.version > version
    assert mine.readiness is Readiness.NEEDS_VALIDATION


def test_out_of_range_resets_or_fails() -> None:
    mine, strict = at(10), at(10, policy=NO_RESET)

    mine.out_of_range(10)
    strict.out_of_range(10)

    assert mine.readiness is Readiness.NEEDS_RESET
    assert isinstance(strict.failure, OffsetOutOfRange)


def test_a_preferred_replica_is_read_until_it_expires() -> None:
    mine = at(10)

    mine.prefer(2, until_ms=100)

    assert mine.read_node(99) == 2
    assert mine.read_node(100) == 1


def test_an_assignment_keeps_the_state_of_what_stays() -> None:
    assignment = Assignment(EARLIEST, uses_committed=False)
    other = TopicPartition("orders", 1)
    assignment.replace([ORDERS, other], NOTHING_KNOWN)
    kept, gone = assignment.get(ORDERS), assignment.get(other)
    assert kept is not None
    assert gone is not None
    version = gone.version

    assignment.replace([ORDERS], image())

    assert assignment.get(ORDERS) is kept
    assert assignment.partitions == {ORDERS}
    assert gone.version > version
    assert kept.leader_id == 1


def test_a_topic_with_another_id_is_another_topic() -> None:
    assignment = Assignment(EARLIEST, uses_committed=True)
    assignment.replace([ORDERS], image())
    mine = assignment.get(ORDERS)
    assert mine is not None
    mine.seek(Position(50))

    changed = assignment.image_changed(image(topic_id=OTHER_ID, epoch=0))

    assert changed == [mine]
    assert mine.readiness is Readiness.NEEDS_COMMITTED
    assert mine.leader_epoch == 0


def test_look_ups_wait_for_a_leader_and_for_their_back_off() -> None:
    assignment = Assignment(EARLIEST, uses_committed=False)
    assignment.replace([ORDERS], image(leader=NO_NODE))
    mine = assignment.get(ORDERS)
    assert mine is not None
    assert not assignment.due_lookups(0)
    assert assignment.lacks_leaders()

    assignment.image_changed(image())
    assert assignment.due_lookups(0).resets == [mine]
    mine.is_asking = True
    assert not assignment.due_lookups(0)
    mine.failed(ConnectionFailed("gone"), 50)
    assert not assignment.due_lookups(49)
    assert assignment.next_lookup_ms(49) == 50
    assert assignment.due_lookups(50).resets == [mine]


def test_a_fetch_that_failed_is_no_look_up() -> None:
    """A consumer whose broker was gone woke up every millisecond: nothing was due, and nothing lay ahead."""
    assignment = Assignment(EARLIEST, uses_committed=False)
    assignment.replace([ORDERS], image())
    mine = assignment.get(ORDERS)
    assert mine is not None
    mine.reset_found(Position(7))
    mine.failed(ConnectionFailed("gone"), 50)

    assert assignment.next_lookup_ms(0) is None
    assert assignment.next_lookup_ms(60) is None


def test_a_look_up_that_lacks_a_leader_waits_for_metadata() -> None:
    assignment = Assignment(EARLIEST, uses_committed=False)
    assignment.replace([ORDERS], image(leader=NO_NODE))
    mine = assignment.get(ORDERS)
    assert mine is not None
    mine.failed(ConnectionFailed("gone"), 50)

    assert assignment.next_lookup_ms(0) is None
    assert not assignment.due_lookups(60)
