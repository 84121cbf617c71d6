"""A batch that is too large for its topic, as two. No I/O."""

from ottla.client.producer.accumulator import size_of
from ottla.client.producer.batch import Batch
from ottla.client.producer.encoding import unpack
from ottla.records.batch import HEADER_SIZE, advance_sequence
from ottla.records.record import Record


def split(batch: Batch) -> list[Batch]:
    """Both parts have the sequences that their records had, so that batches behind them keep theirs."""
    unpack(batch)
    middle = batch.count // 2
    return [_part(batch, 0, batch.records[:middle]), _part(batch, middle, batch.records[middle:])]


def _part(batch: Batch, first: int, records: list[Record]) -> Batch:
    # Numbers leave room for this: between two batches there are as many as a batch can have records.
    part = Batch(batch.partition, batch.number + first, batch.created_ms)
    part.records = records
    part.size = HEADER_SIZE + sum(size_of(record.key, record.value, record.headers) for record in records)
    part.is_transactional = batch.is_transactional
    if batch.has_sequence:
        part.producer_id, part.producer_epoch = batch.producer_id, batch.producer_epoch
        part.base_sequence = advance_sequence(batch.base_sequence, first)
    return part
