"""A batch that is too large for its topic, as two. No I/O."""

from ottla.client.producer.accumulator import size_of
from ottla.client.producer.batch import Batch
from ottla.client.producer.encoding import unpack
from ottla.records.batch import HEADER_SIZE, advance_sequence
from ottla.records.record import RecordLists


def split(batch: Batch) -> list[Batch]:
    """Both parts have the sequences that their records had, so that batches behind them keep theirs."""
    unpack(batch)
    middle = batch.count // 2
    return [
        _part(batch, first, batch.records.part(first, last)) for first, last in ((0, middle), (middle, batch.count))
    ]


def _part(batch: Batch, first: int, records: RecordLists) -> Batch:
    # Numbers leave room for this: between two batches there are as many as a batch can have records.
    part = Batch(batch.partition, batch.number + first, batch.created_ms)
    part.records = records
    fields = zip(records.keys, records.values, strict=True)
    part.size = HEADER_SIZE + sum(
        size_of(key, value, records.headers.get(index, ())) for index, (key, value) in enumerate(fields)
    )
    part.is_transactional = batch.is_transactional
    if batch.has_sequence:
        part.producer_id, part.producer_epoch = batch.producer_id, batch.producer_epoch
        part.base_sequence = advance_sequence(batch.base_sequence, first)
    return part
