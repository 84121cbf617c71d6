"""Bytes on disk, against files that Apache Kafka 4.3 wrote."""

from ottla.log.files.partition_metadata import decode, encode
from ottla.log.leader_epochs import LeaderEpochs, decode_leader_epochs
from ottla.log.producers.snapshots import decode_snapshot, encode_snapshot
from ottla.log.segments.offset_index import decode_offset_index
from ottla.log.segments.time_index import decode_time_index
from ottla.log.segments.transaction_index import AbortedTransaction, decode_transaction_index

SNAPSHOT = bytes.fromhex(
    "0001 15efc05a 00000001 0000000000000001 0000 0000001d 0000000000000022 00000004 000001a1e14f6d3b 00000000"
    "ffffffffffffffff"
)
TRANSACTIONS = bytes.fromhex(
    "0000 0000000000000001 000000000000000c 0000000000000011 0000000000000012"
    "0000 0000000000000001 000000000000001e 0000000000000023 0000000000000024"
)
TIMES = bytes.fromhex("000001a1e14f6d3b 00000023")


def test_producer_snapshots() -> None:
    (entry,) = decode_snapshot(SNAPSHOT)

    assert (entry.producer_id, entry.epoch, entry.coordinator_epoch, entry.open_offset) == (1, 0, 0, -1)
    (batch,) = entry.batches
    assert (batch.first_sequence, batch.last_sequence) == (25, 29)
    assert (batch.base_offset, batch.last_offset) == (30, 34)
    assert entry.next_sequence == 30
    assert encode_snapshot([entry]) == SNAPSHOT


def test_transaction_indexes() -> None:
    index, is_sound = decode_transaction_index(TRANSACTIONS, 0)

    assert is_sound
    assert index.entries == [AbortedTransaction(1, 12, 17, 18), AbortedTransaction(1, 30, 35, 36)]
    assert index.encoded_from(0) == TRANSACTIONS
    assert index.encoded_from(1) == TRANSACTIONS[34:]


def test_time_indexes() -> None:
    index, is_sound = decode_time_index(TIMES)

    assert is_sound
    assert index.last() == (1794781441339, 35)
    assert index.encoded_from(0) == TIMES


def test_offset_indexes() -> None:
    data = bytes.fromhex("00000025 00004abc 00000038 00008f10")
    index, is_sound = decode_offset_index(data, log_size=100_000)

    assert is_sound
    assert [index.lookup(offset) for offset in (0, 36, 37, 55, 56, 99)] == [0, 0, 0x4ABC, 0x4ABC, 0x8F10, 0x8F10]
    assert index.encoded_from(0) == data


def test_leader_epochs() -> None:
    epochs = decode_leader_epochs(b"0\n2\n0 0\n2 2600\n")

    assert epochs.items() == [(0, 0), (2, 2600)]
    assert epochs.encoded() == b"0\n2\n0 0\n2 2600\n"
    assert LeaderEpochs().encoded() == b"0\n0\n"


def test_topic_ids() -> None:
    data = b"version: 0\ntopic_id: HsdwdhuXSrOIrQUboVWHOw"
    topic_id = decode(data)

    assert topic_id is not None
    assert encode(topic_id) == data
    assert decode(b"version: 1\ntopic_id: HsdwdhuXSrOIrQUboVWHOw") is None
