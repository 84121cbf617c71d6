"""Order and sequences of the batches of one partition."""

import pytest

from ottla.client.producer.batch import Batch
from ottla.client.producer.identity import MAX_EPOCH, NOBODY, Identity, bumped
from ottla.client.producer.partition_queue import PartitionQueue
from ottla.model.topic import TopicPartition
from ottla.records.record import Record, RecordLists

ME = Identity(7, 0)
ME_AGAIN = Identity(7, 1)


class Queue(PartitionQueue):
    """With records that need no content."""

    def __init__(self) -> None:
        super().__init__(TopicPartition("orders", 0))

    def add(self, count: int = 1) -> Batch:
        batch = self.new_batch(0)
        batch.records = RecordLists.of([Record(0, 0, None, b"")] * count)
        self.open = batch
        return batch

    def sent(self, identity: Identity = ME) -> Batch:
        batch = self.take()
        self.give_sequence(batch, identity)
        return batch


def sequences(queue: PartitionQueue) -> list[int]:
    return [batch.base_sequence for batch in queue.waiting]


def test_sequences_count_records() -> None:
    queue = Queue()
    for count in (3, 5, 2):
        queue.add(count)

    assert [queue.sent().base_sequence for _ in range(3)] == [0, 3, 8]


def test_a_returned_batch_goes_out_again_before_later_ones_with_the_same_sequence() -> None:
    queue = Queue()
    for _ in range(3):
        queue.add()
    first, second = queue.sent(), queue.sent()

    queue.returned(first, 0)

    assert not queue.may_take(0, 5), "the second is in flight: its fate is open"
    queue.returned(second, 0)
    assert queue.may_take(0, 5)
    assert [queue.sent().base_sequence for _ in range(3)] == [0, 1, 2]


def test_back_off_holds_the_whole_queue() -> None:
    queue = Queue()
    queue.add()
    queue.returned(queue.sent(), 100)

    assert not queue.may_take(99, 5)
    assert queue.may_take(100, 5)


def test_those_in_flight_are_limited() -> None:
    queue = Queue()
    for _ in range(3):
        queue.add()
    queue.sent()
    queue.sent()

    assert not queue.may_take(0, 2)


def test_the_first_batch_with_an_identity_is_alone_until_it_is_acknowledged() -> None:
    queue = Queue()
    for _ in range(5):
        queue.add()
    first = queue.sent()

    assert not queue.may_take(0, 5)
    queue.returned(first, 0)
    first = queue.sent()
    assert not queue.may_take(0, 5), "refused or lost: the broker may still not know the producer"
    queue.acknowledged(first)

    second, third = queue.sent(), queue.sent()
    assert queue.may_take(0, 5)
    queue.acknowledged(second)
    queue.acknowledged(third)
    queue.sent(ME_AGAIN)
    assert not queue.may_take(0, 5), "a new epoch begins in the same way"


def test_without_an_identity_several_batches_are_in_flight_from_the_start() -> None:
    queue = Queue()
    queue.add()
    queue.add()
    queue.take()

    assert queue.may_take(0, 5)


def test_new_sequences_begin_when_nothing_is_in_flight() -> None:
    queue = Queue()
    for _ in range(4):
        queue.add()
    done, refused, behind = queue.sent(), queue.sent(), queue.sent()
    queue.finished(done)

    queue.start_new_sequences()
    queue.returned(refused, 0)
    assert sequences(queue) == [1], "the other one may still be found written"
    queue.returned(behind, 0)

    assert [queue.sent(ME_AGAIN).base_sequence for _ in range(3)] == [0, 1, 2]
    assert queue.identity == ME_AGAIN


def test_an_old_identity_is_kept_while_batches_have_sequences_of_it() -> None:
    queue = Queue()
    for _ in range(3):
        queue.add()
    first = queue.sent(ME)

    second = queue.sent(ME_AGAIN)
    assert (second.producer_epoch, second.base_sequence) == (0, 1)

    queue.finished(first)
    queue.finished(second)
    third = queue.sent(ME_AGAIN)
    assert (third.producer_epoch, third.base_sequence) == (1, 0)


def test_the_sequence_of_a_refused_batch_is_used_again() -> None:
    queue = Queue()
    queue.add(4)
    queue.add(4)

    queue.refused_for_good(queue.sent())

    assert queue.sent().base_sequence == 0


def test_the_sequence_of_a_refused_batch_is_not_used_again_when_others_are_behind_it() -> None:
    queue = Queue()
    for _ in range(3):
        queue.add()
    refused, behind = queue.sent(), queue.sent()

    queue.refused_for_good(refused)
    queue.returned(behind, 0)

    assert [queue.sent().base_sequence for _ in range(2)] == [1, 2]


def test_parts_of_a_split_batch_come_in_its_place() -> None:
    queue = Queue()
    queue.add(4)
    queue.add(2)
    batch, behind = queue.sent(), queue.sent()
    parts = [Batch(batch.partition, batch.number + first, 0) for first in (0, 2)]

    queue.replaced(batch, parts)
    queue.returned(behind, 0)

    assert list(queue.waiting) == [*parts, behind]


def test_only_the_first_undecided_batch_can_be_out_of_order_by_itself() -> None:
    queue = Queue()
    queue.add()
    queue.add()
    first, second = queue.sent(), queue.sent()

    assert queue.is_first_undecided(first)
    assert not queue.is_first_undecided(second)
    queue.finished(first)
    assert queue.is_first_undecided(second)


@pytest.mark.parametrize(("epoch", "expected"), [(0, Identity(7, 1)), (MAX_EPOCH, NOBODY)])
def test_the_last_epoch_is_followed_by_a_new_id(epoch: int, expected: Identity) -> None:
    assert bumped(Identity(7, epoch)) == expected
