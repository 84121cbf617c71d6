"""A shard loads whatever is stored in its partition: `apply` never refuses, and nonsense is skipped."""

import struct

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ottla.broker.coordinators.coordinators import SkippingCodec
from ottla.coordination.shard import Now, RecordCodec, RecordOrigin, Shard
from ottla.groups.records import KINDS, GroupRecordCodec
from ottla.groups.settings import GroupSettings
from ottla.groups.shard import GroupShard
from ottla.protocol.generated.transaction_log_key import TransactionLogKey
from ottla.protocol.generated.transaction_log_value import TransactionLogValue
from ottla.protocol.message import Message
from ottla.transactions.records import TransactionCodec
from ottla.transactions.settings import TransactionSettings
from ottla.transactions.shard import TransactionShard
from ottla.transactions.transaction import TransactionVersion
from tests.support.golden_messages import message_class, schemas
from tests.support.group_host import CountingRng
from tests.support.group_topics import TopicTable
from tests.support.message_strategies import messages

NOW = Now(1_700_000_000_000, 5_000)
SCHEMAS = {message_class(schema): schema for schema in schemas().values()}
#: Names that meet again in several records.
NAMES = {"group": "g", "group_id": "g", "member_id": "m", "topic": "t", "transactional_id": "x"}
Stored = tuple[bytes | None, bytes | None]


def with_known_names(message: Message) -> Message:
    for field, name in NAMES.items():
        if hasattr(message, field):
            setattr(message, field, name)
    return message


def values_of(value: type[Message], version: int) -> st.SearchStrategy[bytes]:
    return messages(SCHEMAS[value], version).map(lambda made: struct.pack(">h", version) + made.to_bytes(version))


def stored(kind: int, key: type[Message], value: type[Message]) -> st.SearchStrategy[Stored]:
    """Keys and values as bytes: well made in any version, removed, or with a value that is cut off."""
    keys = messages(SCHEMAS[key], 0).map(lambda made: struct.pack(">h", kind) + with_known_names(made).to_bytes(0))
    versions = SCHEMAS[value].versions
    values = st.one_of([values_of(value, version) for version in range(versions.first, versions.last + 1)])
    cut = st.tuples(values, st.integers(0, 40)).map(lambda pair: pair[0][: pair[1]])
    return st.tuples(keys, st.one_of(values, values, st.none(), cut))


GROUP_RECORDS = st.one_of(*(stored(kind, key, value) for kind, (key, value) in KINDS.items()))
TRANSACTION_RECORDS = stored(0, TransactionLogKey, TransactionLogValue)
MANY = settings(max_examples=200, deadline=None, database=None, suppress_health_check=list(HealthCheck))


def load(shard: Shard, codec: RecordCodec, records: list[Stored]) -> None:
    reader = SkippingCodec(codec, "test-0")
    for offset, (key, value) in enumerate(records):
        record = reader.decode(key, value)
        if record is not None:
            shard.apply(record, RecordOrigin(offset, NOW.wall_ms, -1, -1, False))
    shard.on_loaded(NOW)


@MANY
@given(st.lists(GROUP_RECORDS, min_size=1, max_size=6))
def test_any_records_of_groups_can_be_loaded(records: list[Stored]) -> None:
    load(GroupShard(GroupSettings(), TopicTable([]), CountingRng()), GroupRecordCodec(), records)


@MANY
@given(st.lists(TRANSACTION_RECORDS, min_size=1, max_size=4))
def test_any_records_of_transactions_can_be_loaded(records: list[Stored]) -> None:
    version = TransactionVersion.TV2
    shard = TransactionShard(TransactionSettings(), lambda: 7, 0, lambda: version)
    load(shard, TransactionCodec(lambda: version), records)
