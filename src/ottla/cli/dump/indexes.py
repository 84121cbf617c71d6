"""Indexes, producer snapshots and the epoch file as lines, compared with the log that they belong to."""

import os
import struct
from collections.abc import Iterator
from typing import BinaryIO, Final

from ottla.cli.dump.segments import NO_LIMIT, Findings, base_offset_of, scan
from ottla.log.leader_epochs import decode_leader_epochs
from ottla.log.producers.snapshots import decode_snapshot
from ottla.log.segments import offset_index, time_index, transaction_index
from ottla.log.segments.log_directory import LOG, OFFSET_INDEX
from ottla.records.batch import MAGIC, read_header
from ottla.records.errors import CorruptRecord
from ottla.records.reader import iterate_records

_TIME_ENTRY: Final = struct.Struct(">qi")
_TRANSACTION: Final = struct.Struct(">hqqqq")


def dump_offset_index(
    path: str, findings: Findings, *, sanity_only: bool = False, verify_only: bool = False
) -> Iterator[str]:
    base = base_offset_of(path)
    data = _read(path)
    index = offset_index.entries_in(data)
    if not len(index):
        yield f"{path} is empty."
        return
    if sanity_only:
        last = index.offsets[-1]
        if len(data) % offset_index.ENTRY_SIZE or last < 0:
            findings.failures.append(f"{path}: corrupt index: {len(data)} bytes, the last offset is {base + last}")
        else:
            yield f"{path} passed sanity check."
        return
    with open(_beside(path, LOG), "rb") as log:
        for number, (relative, position) in enumerate(zip(index.offsets, index.positions, strict=True)):
            # Apache Kafka fills the file of its active segment with zeros.
            if number and not relative:
                return
            found = _last_offset_at(log, position)
            # The first batch never gets an entry: 0 -> 0 is filling as well.
            if found != base + relative and position:
                findings.index_mismatches.setdefault(os.path.abspath(path), []).append((base + relative, found))
            if not verify_only:
                yield f"offset: {base + relative} position: {position}"


def _last_offset_at(log: BinaryIO, position: int) -> int:
    """-1 where no batch begins."""
    try:
        batch = next(scan(log, position, os.fstat(log.fileno()).st_size), None)
    except CorruptRecord:
        return -1
    if batch is None:
        return -1
    return read_header(batch.data).last_offset if batch.magic >= MAGIC else int.from_bytes(batch.data[:8], "big")


def dump_time_index(
    path: str, findings: Findings, *, sanity_only: bool = False, verify_only: bool = False
) -> Iterator[str]:
    base = base_offset_of(path)
    data = _read(path)
    entries = list(_TIME_ENTRY.iter_unpack(data[: len(data) // time_index.ENTRY_SIZE * time_index.ENTRY_SIZE]))
    if sanity_only:
        if len(data) % time_index.ENTRY_SIZE or (entries and entries[-1][1] < 0):
            findings.failures.append(f"{path}: corrupt time index: {len(data)} bytes")
        else:
            yield f"{path} passed sanity check."
        return
    positions = offset_index.entries_in(_read_if_there(_beside(path, OFFSET_INDEX)))
    previous = -1
    with open(_beside(path, LOG), "rb") as log:
        for number, (timestamp, relative) in enumerate(entries):
            if number and not relative:
                return
            _check_time(path, log, positions.lookup(relative), base + relative, timestamp, previous, findings)
            if not verify_only:
                yield f"timestamp: {timestamp} offset: {base + relative}"
            previous = timestamp


def _check_time(
    path: str, log: BinaryIO, position: int, offset: int, timestamp: int, previous: int, findings: Findings
) -> None:
    """The batch of the entry's offset must have its timestamp; timestamps rise."""
    name = os.path.abspath(path)
    last, newest = _batch_ending_at(log, position, offset)
    if last != offset:
        findings.missing_offsets.setdefault(name, []).append((offset, last))
        return
    if newest != timestamp:
        findings.time_mismatches.setdefault(name, []).append((timestamp, newest))
    if previous >= timestamp:
        findings.time_disorder.setdefault(name, []).append((timestamp, previous))


def _batch_ending_at(log: BinaryIO, position: int, offset: int) -> tuple[int, int]:
    """Last offset and greatest timestamp of the first batch that ends at `offset` or behind it; -1 without one."""
    try:
        for batch in scan(log, position, min(os.fstat(log.fileno()).st_size, position + NO_LIMIT)):
            if batch.magic < MAGIC:
                continue
            header = read_header(batch.data)
            if header.last_offset >= offset:
                times = (record.timestamp_ms for record in iterate_records(batch.data, 0, header))
                return header.last_offset, max(times, default=-1)
    except CorruptRecord:
        pass
    return -1, -1


def dump_transaction_index(path: str, findings: Findings) -> Iterator[str]:
    data = _read(path)
    whole = len(data) // transaction_index.ENTRY_SIZE * transaction_index.ENTRY_SIZE
    for version, producer_id, first, last, stable in _TRANSACTION.iter_unpack(data[:whole]):
        yield (
            f"version: {version} producerId: {producer_id} firstOffset: {first} lastOffset: {last}"
            f" lastStableOffset: {stable}"
        )
    if whole != len(data):
        findings.failures.append(f"{path}: {len(data) - whole} bytes at the end are no entry")


def dump_producer_snapshot(path: str, findings: Findings) -> Iterator[str]:
    try:
        entries = decode_snapshot(_read(path))
    except ValueError as error:
        findings.failures.append(f"{path}: {error}")
        return
    for entry in entries:
        # Kafka shows a transaction that is not open as an empty optional.
        is_open = entry.open_offset >= 0
        first = f"OptionalLong[{entry.open_offset}]" if is_open else "OptionalLong.empty"
        line = (
            f"producerId: {entry.producer_id} producerEpoch: {entry.epoch}"
            f" coordinatorEpoch: {entry.coordinator_epoch} currentTxnFirstOffset: {first}"
            f" lastTimestamp: {entry.last_timestamp} "
        )
        if entry.batches:
            batch = entry.batches[0]
            line += (
                f"firstSequence: {batch.first_sequence} lastSequence: {batch.last_sequence}"
                f" lastOffset: {batch.last_offset} offsetDelta: {batch.last_offset - batch.base_offset}"
                f" timestamp: {batch.timestamp}"
            )
        yield line


def dump_leader_epochs(path: str, findings: Findings) -> Iterator[str]:
    try:
        epochs = decode_leader_epochs(_read(path))
    except ValueError as error:
        findings.failures.append(f"{path}: {error}")
        return
    for epoch, start_offset in epochs.items():
        yield f"epoch: {epoch} startOffset: {start_offset}"


def _beside(path: str, suffix: str) -> str:
    return os.path.join(os.path.dirname(path), os.path.basename(path).partition(".")[0] + suffix)


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _read_if_there(path: str) -> bytes:
    return _read(path) if os.path.exists(path) else b""
