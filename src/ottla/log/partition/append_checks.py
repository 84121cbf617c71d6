"""What a batch must be like before it is appended. Refuses with the errors of Apache Kafka.

Only the 61-byte header and the checksum are looked at, so the work does not grow with the number of records. Records
are walked only where the topic asks for it: keys on compacted topics, a forced codec, a largest age of records,
`produce.validate=records`, or to name the records that made a batch fail. To walk many takes long:

    try: log.append_as_leader(batch, ...)
    except TakesLong: log.remember(await executor.run(check_apart, *log.long_check(batch, now_ms)))   and again

What was checked is good for the rules under which it was; after a change of the topic's options it takes long again.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from ottla.doors.disk import Buffer
from ottla.log.partition.append_rules import AppendRules, BatchRefused, NotOneBatch, RecordError
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.records.batch import (
    HEADER_SIZE,
    LENGTH_OVERHEAD,
    LOG_APPEND_TIME_BIT,
    MAGIC,
    MAGIC_POSITION,
    NO_TIMESTAMP,
    BatchHeader,
    magic_of,
    patch_max_timestamp,
    read_header,
)
from ottla.records.builder import build_batch
from ottla.records.errors import CorruptRecord, RecordsTooLarge
from ottla.records.header_verdict import Problem, judge
from ottla.records.record import Record

#: Of a batch of this size the checksum covers next to nothing; smaller lengths are no batch in any of Kafka's formats.
_MIN_LENGTH: Final = 14
_KEYLESS: Final = "Compacted topic cannot accept message without key"

#: What is wrong with a header, and how it is reported.
_REFUSALS: Final[Mapping[Problem, tuple[ErrorCode, str]]] = {
    "base offset": (
        ErrorCode.INVALID_RECORD,
        "The base offset of a record batch should be 0, but it is {0.base_offset}",
    ),
    "checksum": (ErrorCode.CORRUPT_MESSAGE, "Record is corrupt (stored crc = {0.crc}) in a batch of {0.size} bytes"),
    "codec": (ErrorCode.UNSUPPORTED_COMPRESSION_TYPE, "Unknown compression type id {0.codec}"),
    "control": (ErrorCode.INVALID_RECORD, "Clients are not allowed to write control records"),
    "attributes": (ErrorCode.INVALID_RECORD, "Reserved attribute bits are set: {0.attributes:#06x}"),
    "count": (
        ErrorCode.INVALID_RECORD,
        "Inconsistent batch offset range: {0.record_count} records up to offset {0.last_offset_delta}",
    ),
    "sequence": (
        ErrorCode.INVALID_RECORD,
        "producer {0.producer_id} with epoch {0.producer_epoch} and sequence number {0.base_sequence}",
    ),
    "producer": (ErrorCode.INVALID_RECORD, "a transactional batch without a producer id"),
}

#: A batch that may be appended, apart from its offset, epoch and append time; its attributes, last offset delta and
#: largest timestamp; its producer's id, epoch and sequence.
Accepted = tuple[bytearray | memoryview, int, int, int, int, int, int]


def check_client_batch(data: bytearray | memoryview, rules: AppendRules, now_ms: int) -> Accepted:
    """Accepts a batch as it is, or in the codec that the topic forces."""
    problem, attributes, last_offset_delta, max_timestamp, producer_id, producer_epoch, base_sequence = judge(
        data, rules.max_batch_bytes
    )
    if problem is not None:
        raise _refusal(problem, data, rules)
    if attributes & LOG_APPEND_TIME_BIT or (
        not rules.uses_log_append_time and (max_timestamp - now_ms > rules.timestamp_after_max_ms or rules.limits_age)
    ):
        max_timestamp = _check_timestamps(data, rules, now_ms)
    if rules.walks_always:
        latest = _check_records(data, read_header(data), rules)
        if latest != max_timestamp:
            # Kafka corrects a wrong maximum when it sees one, and some clients rely on that.
            max_timestamp = _set_max_timestamp(data, latest)
            _check_found_maximum(data, latest, rules, now_ms)
    accepted = data, attributes, last_offset_delta, max_timestamp, producer_id, producer_epoch, base_sequence
    if rules.forced_codec is not None:
        accepted = _in_forced_codec(accepted, rules, rules.forced_codec)
        _check_found_maximum(accepted[0], accepted[3], rules, now_ms)
    return accepted


def _refusal(problem: Problem, data: Buffer, rules: AppendRules) -> BatchRefused:
    if problem == "framing":
        return _framing_refusal(data)
    if problem == "size":
        return _size_refusal(len(data), rules)
    code, text = _REFUSALS[problem]
    return BatchRefused(code, text.format(read_header(data)))


def _framing_refusal(data: Buffer) -> BatchRefused:
    problem = _first_problem(data)
    if problem is not None:
        return problem
    size = read_header(data).size
    if size < HEADER_SIZE:
        return BatchRefused(ErrorCode.CORRUPT_MESSAGE, f"a record batch of {size} bytes")
    return NotOneBatch("Produce requests may only contain exactly one record batch per partition")


def _first_problem(data: Buffer) -> BatchRefused | None:
    """What Kafka's iterator over the bytes of a request would fail on first."""
    if len(data) <= MAGIC_POSITION:
        return NotOneBatch("Produce requests must have at least one record batch per partition")
    length = int.from_bytes(data[8:12], "big", signed=True)
    magic = magic_of(data)
    if length < _MIN_LENGTH or not 0 <= magic <= MAGIC:
        return BatchRefused(ErrorCode.CORRUPT_MESSAGE, f"a record batch of length {length} with magic {magic}")
    if length + LENGTH_OVERHEAD > len(data):
        return NotOneBatch("Produce requests must have at least one record batch per partition")
    if magic != MAGIC:
        return NotOneBatch(f"Produce requests may only contain record batches with magic {MAGIC}, not {magic}")
    if len(data) < HEADER_SIZE:
        return BatchRefused(ErrorCode.CORRUPT_MESSAGE, f"a record batch of {len(data)} bytes")
    return None


def _size_refusal(size: int, rules: AppendRules) -> BatchRefused:
    if size <= rules.max_message_bytes:
        return larger_than_segment(size, rules.segment_bytes)
    return BatchRefused(
        ErrorCode.MESSAGE_TOO_LARGE,
        f"The record batch size is {size} bytes, which exceeds the maximum of {rules.max_message_bytes}",
    )


def larger_than_segment(size: int, segment_bytes: int) -> BatchRefused:
    return BatchRefused(
        ErrorCode.RECORD_LIST_TOO_LARGE,
        f"Message batch size is {size} bytes, which exceeds the maximum configured segment size of {segment_bytes}",
    )


def _check_timestamps(data: Buffer, rules: AppendRules, now_ms: int) -> int:
    """Names the records whose timestamps are wrong, or corrects a maximum that no record has; returns the maximum."""
    header = read_header(data)
    if header.uses_log_append_time:
        raise BatchRefused(ErrorCode.INVALID_TIMESTAMP, "Producers should not set the timestamp type to LogAppendTime")
    earliest = now_ms - rules.timestamp_before_max_ms
    latest = now_ms + rules.timestamp_after_max_ms
    if header.record_count == 1 and earliest <= header.base_timestamp and header.max_timestamp <= latest:
        # Of a single record the header holds everything.
        return header.max_timestamp
    largest = NO_TIMESTAMP
    is_wrong = False
    errors = []
    for index, record in enumerate(_walked(data, header, rules)):
        largest = max(largest, record.timestamp_ms)
        if rules.needs_keys and record.key is None:
            errors.append(RecordError(index, _KEYLESS))
        elif record.timestamp_ms != NO_TIMESTAMP and not earliest <= record.timestamp_ms <= latest:
            is_wrong = True
            reason = f"Timestamp {record.timestamp_ms} of message with offset {index} is out of range. "
            errors.append(RecordError(index, f"{reason}The timestamp should be within [{earliest}, {latest}]"))
    if is_wrong:
        raise BatchRefused(
            ErrorCode.INVALID_TIMESTAMP, "One or more records have been rejected due to invalid timestamp", errors
        )
    return _set_max_timestamp(data, largest) if header.max_timestamp > latest else header.max_timestamp


def _check_found_maximum(data: Buffer, latest: int, rules: AppendRules, now_ms: int) -> None:
    """The records were walked, and the header that came may have hidden how late they are; now it says so."""
    if not rules.uses_log_append_time and latest - now_ms > rules.timestamp_after_max_ms:
        _check_timestamps(data, rules, now_ms)


def _check_records(data: Buffer, header: BatchHeader, rules: AppendRules) -> int:
    """Returns the largest timestamp."""
    try:
        walked = rules.walk_keys(data, header)
    except (CorruptRecord, RecordsTooLarge) as error:
        raise _unreadable(error) from error
    if walked.keyless and rules.needs_keys:
        raise BatchRefused(
            ErrorCode.INVALID_RECORD,
            f"One or more records have been rejected due to {len(walked.keyless)} record errors in total",
            [RecordError(index, _KEYLESS) for index in walked.keyless],
        )
    return max(NO_TIMESTAMP, header.base_timestamp + walked.latest_delta)


def _set_max_timestamp(data: Buffer, timestamp_ms: int) -> int:
    """Returns the maximum that the batch has then: bytes cannot be changed."""
    if not isinstance(data, bytes):
        patch_max_timestamp(data, 0, len(data), timestamp_ms)
    return read_header(data).max_timestamp


def _in_forced_codec(accepted: Accepted, rules: AppendRules, codec: int) -> Accepted:
    data = accepted[0]
    header = read_header(data)
    if codec == header.codec:
        return accepted
    records = list(_walked(data, header, rules))
    try:
        batch = build_batch(
            records,
            codec=codec,
            level=rules.level,
            producer_id=header.producer_id,
            producer_epoch=header.producer_epoch,
            base_sequence=header.base_sequence,
            is_transactional=header.is_transactional,
        )
    except ValueError as error:
        raise BatchRefused(ErrorCode.INVALID_TIMESTAMP, str(error)) from error
    if len(batch) > rules.max_message_bytes:
        raise BatchRefused(
            ErrorCode.MESSAGE_TOO_LARGE,
            f"The record batch size is {len(batch)} bytes, which exceeds the maximum of {rules.max_message_bytes}",
        )
    rebuilt = read_header(batch)
    # Its producer and the numbers of its records stay what they were.
    return batch, rebuilt.attributes, rebuilt.last_offset_delta, rebuilt.max_timestamp, *accepted[4:]


def _walked(data: Buffer, header: BatchHeader, rules: AppendRules) -> Iterator[Record]:
    try:
        yield from rules.walk_records(data, header)
    except (CorruptRecord, RecordsTooLarge) as error:
        raise _unreadable(error) from error


def _unreadable(error: CorruptRecord | RecordsTooLarge) -> BatchRefused:
    code = ErrorCode.MESSAGE_TOO_LARGE if isinstance(error, RecordsTooLarge) else ErrorCode.CORRUPT_MESSAGE
    return BatchRefused(code, str(error))


class CheckedBatch(NamedTuple):
    """What came, under which rules it was checked, and what came of it."""

    data: Buffer
    rules: AppendRules
    outcome: Accepted | Refused


def check_apart(data: bytearray | memoryview, rules: AppendRules, now_ms: int) -> CheckedBatch:
    """Does what an append of a client's batch does first, however many records there are. Not for the event loop."""
    try:
        return CheckedBatch(data, rules, check_client_batch(data, rules.for_long_walks(), now_ms))
    except Refused as refusal:
        return CheckedBatch(data, rules, refusal)
