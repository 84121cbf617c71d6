"""What a batch must be like before it is appended. Answers as Apache Kafka does.

Only the 61-byte header and the checksum are looked at, so the work does not grow with the number of records. Records
are walked only where the topic asks for it: keys on compacted topics, a forced codec, a largest age of records,
`produce.validate=records`, or to name the records that made a batch fail. To walk many takes long: such a batch
`TakesLong`, and whoever appends it has it checked apart first (`long_checks`).
"""

from collections.abc import Callable, Iterator
from copy import copy
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from ottla.config.topic_options import TopicOptions
from ottla.doors.disk import Buffer
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.records.batch import (
    CLIENT_BITS,
    CODEC_MASK,
    CONTROL_BIT,
    HEADER_SIZE,
    LAST_CODEC,
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
from ottla.records.key_walk import WalkedKeys, walk_keys
from ottla.records.reader import iterate_records, records_bytes
from ottla.records.record import Record

if TYPE_CHECKING:
    from ottla.log.older_batches import OlderSearch

_CODECS: Final = {"uncompressed": 0, "gzip": 1, "snappy": 2, "lz4": 3, "zstd": 4}
#: Of a batch of this size the checksum covers next to nothing; smaller lengths are no batch in any of Kafka's formats.
_MIN_LENGTH: Final = 14
#: Where records are walked: a small packed batch must not unfold to millions of them.
_MAX_RECORDS: Final = 1_000_000
#: As many are walked in a few milliseconds; for more, others would have to wait too long.
MAX_RECORDS_IN_PLACE: Final = 4_096

_KEYLESS: Final = "Compacted topic cannot accept message without key"
_NO_LIMIT: Final = 2**63 - 1

#: Last offset delta, largest timestamp and producer id of a batch that may be appended.
Accepted = tuple[int, int, int]
RecordWalk = Callable[[Buffer, BatchHeader], Iterator[Record]]
KeyWalk = Callable[[Buffer, BatchHeader], WalkedKeys]


class AppendOrigin(Enum):
    """Who made a batch, and so what has to be checked."""

    CLIENT = "client"
    #: A group or transaction coordinator on this node: transaction markers, its own records.
    COORDINATOR = "coordinator"
    #: The leader of the metadata quorum.
    RAFT_LEADER = "raft leader"


class RecordError(NamedTuple):
    batch_index: int
    message: str


class BatchRefused(Refused):
    """Like `Refused`; names the records that are at fault, if it is them (KIP-467)."""

    def __init__(self, code: ErrorCode, message: str, record_errors: list[RecordError] | None = None) -> None:
        super().__init__(code, message)
        self.record_errors = record_errors or []


class NotOneBatch(BatchRefused):
    """What came is no batch, or several: Kafka sees that before it asks a log."""

    def __init__(self, message: str) -> None:
        super().__init__(ErrorCode.INVALID_RECORD, message)


class TakesLong(Refused):
    """The batch has to be checked apart before it can be appended; so far nothing was done.

    With `search` the log has to be searched for earlier batches of its producer.
    """

    def __init__(self, search: "OlderSearch | None" = None) -> None:
        super().__init__(ErrorCode.UNKNOWN_SERVER_ERROR, "the batch cannot be checked in place")
        self.search = search


class AppendRules:
    """The options that matter for each append, as plain attributes. Made anew when the options change."""

    __slots__ = (
        "_max_decompressed_bytes",
        "forced_codec",
        "level",
        "limits_age",
        "max_batch_bytes",
        "max_message_bytes",
        "needs_keys",
        "segment_bytes",
        "timestamp_after_max_ms",
        "timestamp_before_max_ms",
        "uses_log_append_time",
        "walk_keys",
        "walk_records",
        "walks_always",
    )

    def __init__(self, options: TopicOptions) -> None:
        self.max_message_bytes = options.max_message_bytes
        self.segment_bytes = options.internal_segment_bytes or options.segment_bytes
        #: A batch must fit into both, and is refused before it is touched.
        self.max_batch_bytes = min(self.max_message_bytes, self.segment_bytes)
        self.uses_log_append_time = options.message_timestamp_type == "LogAppendTime"
        self.timestamp_before_max_ms = options.message_timestamp_before_max_ms
        #: A header tells the first and the largest time of its records, not the smallest.
        self.limits_age = self.timestamp_before_max_ms < _NO_LIMIT and not self.uses_log_append_time
        self.timestamp_after_max_ms = options.message_timestamp_after_max_ms
        self.needs_keys = "compact" in options.cleanup_policy
        self.forced_codec = _CODECS.get(options.compression_type)
        self.level = _level_of(options)
        self.walks_always = self.needs_keys or options.produce_validate == "records"
        self._max_decompressed_bytes = options.ottla_decompressed_batch_max_bytes
        #: The only ways from here to the records; a test counts their calls.
        self.walk_records: RecordWalk = self._short_walk_of_records
        self.walk_keys: KeyWalk = self._short_walk_of_keys

    def _short_walk_of_records(self, data: Buffer, header: BatchHeader) -> Iterator[Record]:
        _check_in_place(header)
        return _walk_records(self._max_decompressed_bytes, data, header)

    def _short_walk_of_keys(self, data: Buffer, header: BatchHeader) -> WalkedKeys:
        _check_in_place(header)
        return _walk_keys(self._max_decompressed_bytes, data, header)

    def for_long_walks(self) -> "AppendRules":
        """The same rules for who may take as long as it takes."""
        rules = copy(self)
        rules.walk_records = partial(_walk_records, self._max_decompressed_bytes)
        rules.walk_keys = partial(_walk_keys, self._max_decompressed_bytes)
        return rules


def _level_of(options: TopicOptions) -> int | None:
    levels = {
        "gzip": options.compression_gzip_level,
        "lz4": options.compression_lz4_level,
        "zstd": options.compression_zstd_level,
    }
    level = levels.get(options.compression_type)
    return None if level == -1 and options.compression_type == "gzip" else level


def _walk_records(max_decompressed_bytes: int, data: Buffer, header: BatchHeader) -> Iterator[Record]:
    _check_count(header)
    return iterate_records(data, 0, header, max_decompressed_bytes=max_decompressed_bytes)


def _walk_keys(max_decompressed_bytes: int, data: Buffer, header: BatchHeader) -> WalkedKeys:
    _check_count(header)
    return walk_keys(records_bytes(data, 0, header, max_decompressed_bytes=max_decompressed_bytes), header)


def _check_count(header: BatchHeader) -> None:
    if header.record_count > _MAX_RECORDS:
        raise RecordsTooLarge(f"{header.record_count} records in one batch, the limit is {_MAX_RECORDS}")


def _check_in_place(header: BatchHeader) -> None:
    _check_count(header)
    if header.record_count > MAX_RECORDS_IN_PLACE:
        raise TakesLong


def check_client_batch(data: Buffer, rules: AppendRules, now_ms: int) -> Accepted:
    """Accepts a batch that may be appended as it is, apart from its offset, epoch, codec and append time."""
    problem, attributes, last_offset_delta, max_timestamp, producer_id = judge(data, rules.max_batch_bytes)
    if problem is not None:
        raise _refusal(problem, data, rules)
    if not rules.uses_log_append_time and (
        attributes & LOG_APPEND_TIME_BIT or max_timestamp - now_ms > rules.timestamp_after_max_ms or rules.limits_age
    ):
        max_timestamp = _check_timestamps(data, rules, now_ms)
    if rules.walks_always:
        latest = _check_records(data, read_header(data), rules)
        if latest != max_timestamp and not attributes & LOG_APPEND_TIME_BIT:
            # Kafka corrects a wrong maximum when it sees one, and some clients rely on that.
            max_timestamp = _set_max_timestamp(data, latest)
    return last_offset_delta, max_timestamp, producer_id


def _refusal(problem: Problem, data: Buffer, rules: AppendRules) -> BatchRefused:
    if len(data) < HEADER_SIZE:
        return _first_problem(data) or NotOneBatch(f"{len(data)} bytes are no record batch")
    header = read_header(data)
    if problem == "shape":
        return _shape_refusal(data, header, rules)
    if problem == "checksum":
        return BatchRefused(
            ErrorCode.CORRUPT_MESSAGE, f"Record is corrupt (stored crc = {header.crc}) in a batch of {len(data)} bytes"
        )
    return _content_refusal(header) if problem == "content" else _producer_refusal(header)


def _first_problem(data: Buffer) -> BatchRefused | None:
    """What Kafka's iterator over the bytes of a request would stumble over first."""
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


def _shape_refusal(data: Buffer, header: BatchHeader, rules: AppendRules) -> BatchRefused:
    problem = _first_problem(data)
    if problem is not None:
        return problem
    if header.size < HEADER_SIZE:
        return BatchRefused(ErrorCode.CORRUPT_MESSAGE, f"a record batch of {header.size} bytes")
    if header.size < len(data):
        return NotOneBatch("Produce requests may only contain exactly one record batch per partition")
    if header.base_offset:
        return BatchRefused(
            ErrorCode.INVALID_RECORD, f"The base offset of a record batch should be 0, but it is {header.base_offset}"
        )
    if header.size <= rules.max_message_bytes:
        return larger_than_segment(header.size, rules.segment_bytes)
    return BatchRefused(
        ErrorCode.MESSAGE_TOO_LARGE,
        f"The record batch size is {header.size} bytes, which exceeds the maximum of {rules.max_message_bytes}",
    )


def larger_than_segment(size: int, segment_bytes: int) -> BatchRefused:
    return BatchRefused(
        ErrorCode.RECORD_LIST_TOO_LARGE,
        f"Message batch size is {size} bytes, which exceeds the maximum configured segment size of {segment_bytes}",
    )


def _content_refusal(header: BatchHeader) -> BatchRefused:
    if header.attributes & CODEC_MASK > LAST_CODEC:
        return BatchRefused(
            ErrorCode.UNSUPPORTED_COMPRESSION_TYPE, f"Unknown compression type id {header.attributes & CODEC_MASK}"
        )
    if header.attributes & CONTROL_BIT:
        return BatchRefused(ErrorCode.INVALID_RECORD, "Clients are not allowed to write control records")
    if header.attributes & ~CLIENT_BITS:
        return BatchRefused(ErrorCode.INVALID_RECORD, f"Reserved attribute bits are set: {header.attributes:#06x}")
    return BatchRefused(
        ErrorCode.INVALID_RECORD,
        f"Inconsistent batch offset range: {header.record_count} records up to offset {header.last_offset_delta}",
    )


def _producer_refusal(header: BatchHeader) -> BatchRefused:
    if header.producer_id < 0:
        return BatchRefused(ErrorCode.INVALID_RECORD, "a transactional batch without a producer id")
    return BatchRefused(
        ErrorCode.INVALID_RECORD,
        f"producer {header.producer_id} with epoch {header.producer_epoch} and sequence number {header.base_sequence}",
    )


def _check_timestamps(data: Buffer, rules: AppendRules, now_ms: int) -> int:
    """Names the records whose timestamps are wrong, or corrects a maximum that no record has; returns the maximum."""
    header = read_header(data)
    if header.uses_log_append_time:
        raise BatchRefused(ErrorCode.INVALID_TIMESTAMP, "Producers should not set the timestamp type to LogAppendTime")
    earliest = now_ms - rules.timestamp_before_max_ms
    latest = now_ms + rules.timestamp_after_max_ms
    if header.record_count == 1 and earliest <= header.base_timestamp and header.max_timestamp <= latest:
        # Of a single record the header says everything.
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
    if header.uses_log_append_time:
        return header.max_timestamp
    return max(NO_TIMESTAMP, header.base_timestamp + walked.latest_delta)


def _set_max_timestamp(data: Buffer, timestamp_ms: int) -> int:
    """Returns what the header says then: bytes cannot be changed."""
    if not isinstance(data, bytes):
        patch_max_timestamp(data, 0, len(data), timestamp_ms)
    return read_header(data).max_timestamp


def in_forced_codec(
    data: bytearray | memoryview, accepted: Accepted, rules: AppendRules
) -> tuple[bytearray | memoryview, Accepted]:
    """The same batch in the codec that the topic forces, if any."""
    codec = rules.forced_codec
    header = read_header(data)
    if codec is None or codec == header.codec:
        return data, accepted
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
    header = read_header(batch)
    return batch, (header.last_offset_delta, header.max_timestamp, header.producer_id)


def _walked(data: Buffer, header: BatchHeader, rules: AppendRules) -> Iterator[Record]:
    try:
        yield from rules.walk_records(data, header)
    except (CorruptRecord, RecordsTooLarge) as error:
        raise _unreadable(error) from error


def _unreadable(error: CorruptRecord | RecordsTooLarge) -> BatchRefused:
    code = ErrorCode.MESSAGE_TOO_LARGE if isinstance(error, RecordsTooLarge) else ErrorCode.CORRUPT_MESSAGE
    return BatchRefused(code, str(error))
