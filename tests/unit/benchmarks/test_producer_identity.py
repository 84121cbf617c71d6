"""Batches that get their producer id and sequences when they are sent."""

from itertools import islice

from benchmarks.producer_identity import NO_IDENTITY, Identity, sequenced_frames
from benchmarks.raw_client import batch_of
from benchmarks.transactional_client import copied_batches

from ottla.records.batch import BatchHeader, checksum, read_header


def headers_of(identity: Identity, count: int) -> list[BatchHeader]:
    """Of the batches in the first frames; their checksums are right."""
    batch = batch_of(10, 100)
    headers = []
    for frame in islice(sequenced_frames("topic", 3, batch, identity), count):
        sent = frame[-len(batch) :]
        headers.append(read_header(sent))
        assert checksum(sent, 0, len(sent)) == headers[-1].crc
    return headers


def test_each_frame_of_an_idempotent_producer_has_the_next_sequence() -> None:
    headers = headers_of(Identity(77, 3), 3)

    assert [(one.producer_id, one.producer_epoch) for one in headers] == [(77, 3)] * 3
    assert [one.base_sequence for one in headers] == [0, 10, 20]
    assert not any(one.is_transactional for one in headers)


def test_frames_without_an_identity_have_no_sequence() -> None:
    headers = headers_of(NO_IDENTITY, 2)

    assert [(one.producer_id, one.producer_epoch, one.base_sequence) for one in headers] == [(-1, -1, -1)] * 2


def test_copied_batches_join_the_transaction_with_growing_sequences() -> None:
    batch = bytearray(batch_of(10, 100))
    batch[:8] = (4711).to_bytes(8, "big")

    copies = copied_batches(memoryview(batch + batch + batch[:100]), Identity(77, 3))

    headers = [read_header(copy) for copy in copies]
    assert [(one.producer_id, one.producer_epoch, one.base_sequence) for one in headers] == [(77, 3, 0), (77, 3, 10)]
    assert [one.base_offset for one in headers] == [0, 0]
    assert all(one.is_transactional for one in headers)
    assert all(checksum(copy, 0, len(copy)) == one.crc for copy, one in zip(copies, headers, strict=True))
