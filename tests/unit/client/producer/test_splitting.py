"""A batch in two parts: the same records, the same sequences."""

from ottla.client.producer.batch import Batch
from ottla.client.producer.delivery import Delivery
from ottla.client.producer.encoding import Encoding
from ottla.client.producer.splitting import split
from ottla.config.producer_options import ProducerOptions
from ottla.model.topic import TopicPartition
from ottla.records.batch import is_intact, read_header
from ottla.records.reader import read_records
from ottla.records.record import Record, RecordLists


def encoded_batch(count: int) -> Batch:
    batch = Batch(TopicPartition("orders", 0), 0, 0)
    batch.records = RecordLists.of(
        Record(0, 1000 + number, b"k", b"%d" % number, (("h", b"x"),)) for number in range(count)
    )
    batch.producer_id, batch.producer_epoch, batch.base_sequence = 7, 2, 40
    Encoding(ProducerOptions({"compression.type": "zstd"})).bytes_of(batch)
    return batch


def test_parts_have_the_records_and_their_sequences() -> None:
    parts = split(encoded_batch(5))

    assert [part.records.values for part in parts] == [[b"0", b"1"], [b"2", b"3", b"4"]]
    assert [part.records.headers[1] for part in parts] == [(("h", b"x"),)] * 2
    assert [part.base_sequence for part in parts] == [40, 42]
    assert [(part.producer_id, part.producer_epoch) for part in parts] == [(7, 2), (7, 2)]


def test_deliveries_follow_their_records() -> None:
    batch = encoded_batch(5)
    deliveries = [Delivery(batch, index) for index in range(5)]
    parts = split(batch)
    batch.split_into(parts)
    assert not deliveries[0].done()

    for part, offset in zip(parts, (100, 200), strict=True):
        Encoding(ProducerOptions({})).bytes_of(part)
        part.acknowledged(offset)

    assert [delivery.result().offset for delivery in deliveries] == [100, 101, 200, 201, 202]
    assert deliveries[4].result().timestamp_ms == 1004


def test_an_encoded_batch_gets_another_producer_and_sequence() -> None:
    batch = encoded_batch(3)
    batch.producer_epoch, batch.base_sequence, batch.is_transactional = 3, 0, True

    data = Encoding(ProducerOptions({})).bytes_of(batch)

    header = read_header(data)
    assert (header.producer_id, header.producer_epoch, header.base_sequence) == (7, 3, 0)
    assert header.is_transactional
    assert is_intact(data, 0, header)
    assert [record.value for record in read_records(data, 0, header)] == [b"0", b"1", b"2"]
