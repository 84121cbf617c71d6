"""When batches are ready, and what they take of the memory."""

from ottla.client.producer.accumulator import Accumulator, AccumulatorLimits, size_of
from ottla.client.producer.batch import Batch
from ottla.model.topic import TopicPartition

ORDERS = TopicPartition("orders", 0)
OTHERS = TopicPartition("others", 0)


def accumulator(**limits: int) -> Accumulator:
    return Accumulator(AccumulatorLimits(**limits))


def append(subject: Accumulator, now_ms: int = 0, *, size: int = 100, partition: TopicPartition = ORDERS) -> Batch:
    batch = subject.batch_for(subject.queue(partition), size, now_ms)
    batch.records.append(0, None, bytes(size), ())
    return batch


def ready(subject: Accumulator, now_ms: int) -> list[TopicPartition]:
    return [queue.partition for queue in subject.ready(now_ms).queues]


def test_a_batch_lingers() -> None:
    subject = accumulator(linger_ms=5)
    append(subject, 10)

    assert ready(subject, 14) == []
    assert subject.ready(10).again_ms == 15
    assert ready(subject, 15) == [ORDERS]


def test_a_full_batch_does_not_linger() -> None:
    subject = accumulator(batch_size=300, linger_ms=1000)

    append(subject)
    assert ready(subject, 0) == []
    append(subject)
    append(subject)

    assert ready(subject, 0) == [ORDERS]


def test_a_record_larger_than_a_batch_has_one_of_its_own() -> None:
    subject = accumulator(batch_size=300)
    small, large = append(subject), append(subject, size=1000)

    assert small is not large
    assert large.count == 1


def test_nothing_lingers_while_somebody_flushes_or_memory_is_full() -> None:
    flushed = accumulator(linger_ms=1000)
    append(flushed)
    flushed.flush_count += 1
    full = accumulator(linger_ms=1000, buffer_memory=600, batch_size=600)
    append(full)

    assert ready(flushed, 0) == [ORDERS]
    assert ready(full, 0) == [ORDERS]


def test_a_queue_with_enough_in_flight_is_not_ready() -> None:
    subject = accumulator(batch_size=1, max_in_flight=1)
    append(subject)
    append(subject)
    subject.queue(ORDERS).take()

    assert ready(subject, 100) == []


def test_a_batch_takes_its_whole_size_when_it_is_opened() -> None:
    subject = accumulator(buffer_memory=1000, batch_size=600)
    append(subject)
    queue, other = subject.queue(ORDERS), subject.queue(OTHERS)

    assert subject.used_bytes == 600
    assert subject.fits(queue, 400), "into the open batch"
    assert not subject.fits(queue, 500)
    assert not subject.fits(other, 100)


def test_an_encoded_batch_takes_what_it_has() -> None:
    subject = accumulator(buffer_memory=1000, batch_size=600)
    subject.takes(append(subject), 150)

    assert subject.used_bytes == 150
    assert subject.fits(subject.queue(OTHERS), 100)


def test_memory_is_given_back_when_a_batch_is_decided() -> None:
    subject = accumulator(buffer_memory=1000, batch_size=600)
    batch = append(subject)
    queue = subject.queue(ORDERS)
    queue.finished(queue.take())

    subject.decided(batch)

    assert subject.used_bytes == 0
    assert subject.active == {}


def test_an_empty_buffer_takes_any_record() -> None:
    assert accumulator(buffer_memory=10).has_room(1000)


def test_batches_expire_from_their_first_record_on() -> None:
    subject = accumulator(delivery_timeout_ms=1000)
    old = append(subject, 0)
    append(subject, 500, partition=OTHERS)

    assert subject.expired(999) == []
    assert subject.expired(1000) == [old]


def test_whoever_had_a_turn_comes_last() -> None:
    subject = accumulator(linger_ms=0, batch_size=1)
    for partition in (ORDERS, OTHERS, ORDERS):
        append(subject, partition=partition)

    subject.had_a_turn(subject.queue(ORDERS))

    assert ready(subject, 0) == [OTHERS, ORDERS]


def test_an_encoded_batch_keeps_its_place_behind_earlier_records() -> None:
    subject = accumulator(linger_ms=1000)
    first = append(subject)

    encoded = subject.append_encoded(subject.queue(ORDERS), bytes(500), 3, 0)
    last = append(subject)

    assert list(subject.queue(ORDERS).waiting) == [first, encoded]
    assert subject.queue(ORDERS).open is last


def test_sizes_count_keys_values_and_headers() -> None:
    assert size_of(None, None, ()) == 12
    assert size_of(b"abc", b"defg", (("h", b"xy"), ("i", None))) == 12 + 7 + 7 + 5
