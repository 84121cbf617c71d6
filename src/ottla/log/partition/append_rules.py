"""Who appends a batch, how it is refused, and the options of the topic that decide about it."""

from collections.abc import Callable, Iterator
from copy import copy
from enum import Enum
from functools import partial
from typing import Final, NamedTuple

from ottla.config.topic_options import TopicOptions
from ottla.doors.disk import Buffer
from ottla.log.producers.older_batches import TakesLong
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.records.batch import BatchHeader
from ottla.records.errors import RecordsTooLarge
from ottla.records.key_walk import WalkedKeys, walk_keys
from ottla.records.reader import iterate_records, records_bytes
from ottla.records.record import Record

_CODECS: Final = {"uncompressed": 0, "gzip": 1, "snappy": 2, "lz4": 3, "zstd": 4}
#: Where records are walked: a small packed batch must not unfold to millions of them.
_MAX_RECORDS: Final = 1_000_000
#: As many are walked in a few milliseconds; for more, others would have to wait too long.
MAX_RECORDS_IN_PLACE: Final = 4_096
_NO_LIMIT: Final = 2**63 - 1

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


class AppendRules:
    """The options that matter for each append, as plain attributes. Replaced when the options change."""

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
        #: A header holds the first and the largest time of its records, not the smallest.
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
