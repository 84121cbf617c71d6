"""The one place where the producer turns records into the bytes of a batch, and back where it must."""

from ottla.client.producer.batch import Batch
from ottla.config.producer_options import ProducerOptions
from ottla.protocol.wire import Buffer
from ottla.records.batch import patch_producer, read_header
from ottla.records.builder import build_batch
from ottla.records.compression import Codec
from ottla.records.reader import read_records
from ottla.records.record import RecordLists

_LEVELS = {
    Codec.GZIP: "compression.gzip.level",
    Codec.LZ4: "compression.lz4.level",
    Codec.ZSTD: "compression.zstd.level",
}


class Encoding:
    """Codec and level of one producer."""

    def __init__(self, options: ProducerOptions) -> None:
        self.codec = Codec[options.compression_type.upper()]
        name = _LEVELS.get(self.codec)
        level = options.value_of(name) if name is not None and options.is_set(name) else None
        self.level = level if isinstance(level, int) else None

    def bytes_of(self, batch: Batch) -> Buffer:
        """The batch with its producer and sequence; encoded once, patched when these have changed."""
        if batch.encoded is None:
            self._encode(batch)
        else:
            self._patch(batch)
        assert batch.encoded is not None
        return batch.encoded

    def _encode(self, batch: Batch) -> None:
        records = batch.records
        batch.timestamps = records.timestamps
        encoded = build_batch(
            records,
            codec=self.codec,
            level=self.level,
            producer_id=batch.producer_id,
            producer_epoch=batch.producer_epoch,
            base_sequence=batch.base_sequence,
            is_transactional=batch.is_transactional,
        )
        batch.encoded_as(encoded, len(records))

    def _patch(self, batch: Batch) -> None:
        assert batch.encoded is not None
        header = read_header(batch.encoded)
        has = (header.producer_id, header.producer_epoch, header.base_sequence, header.is_transactional)
        wanted = (batch.producer_id, batch.producer_epoch, batch.base_sequence, batch.is_transactional)
        if has != wanted or not batch.has_checksum:
            data = batch.encoded if isinstance(batch.encoded, bytearray) else bytearray(batch.encoded)
            patch_producer(data, 0, len(data), *wanted)
            batch.encoded = data
            batch.has_checksum = True


def unpack(batch: Batch) -> None:
    """Back to records, so that the batch can be split."""
    if batch.encoded is not None:
        batch.records = RecordLists.of(read_records(batch.encoded, 0, read_header(batch.encoded)))
        batch.encoded = None
