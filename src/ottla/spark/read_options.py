"""What a read is asked for: which partitions, from where to where, how much at once, in which form."""

from dataclasses import dataclass
from typing import Any, Final

from ottla.config.consumer_options import ConsumerOptions
from ottla.model.errors import InvalidConfig
from ottla.model.topic import TopicPartition
from ottla.spark.options import GivenOptions

EARLIEST: Final = -2
LATEST: Final = -1
_NAMED: Final = {"earliest": EARLIEST, "latest": LATEST}
_MAX_TRIGGER_DELAY_MS: Final = 15 * 60 * 1000


@dataclass(frozen=True)
class Subscription:
    """Exactly one of the three is set."""

    topics: tuple[str, ...] = ()
    pattern: str | None = None
    partitions: tuple[TopicPartition, ...] = ()


@dataclass(frozen=True)
class Bound:
    """Where a read starts or ends. What is set by partition counts more than what holds for all."""

    #: An offset, EARLIEST or LATEST, for partitions that are not named.
    offset: int
    #: Instead of it: the first record at or after this time.
    timestamp_ms: int | None = None
    offsets: dict[TopicPartition, int] | None = None
    timestamps_ms: dict[TopicPartition, int] | None = None
    #: No record is that young: an error, or the end of the log.
    fails_without_match: bool = False

    @property
    def named(self) -> dict[TopicPartition, int]:
        return self.offsets or self.timestamps_ms or {}


@dataclass(frozen=True)
class ReadOptions:
    """Checked. Picklable: it goes to the executors."""

    subscription: Subscription
    start: Bound
    end: Bound
    client: dict[str, Any]
    admin: dict[str, Any]
    read_committed: bool
    fail_on_data_loss: bool
    include_headers: bool
    min_partitions: int | None
    max_records_per_partition: int | None
    split_large_ranges: bool
    max_offsets_per_trigger: int | None
    min_offsets_per_trigger: int | None
    max_trigger_delay_ms: int
    decode: str
    decode_errors: str
    group_id: str | None


def read_options_of(given: GivenOptions, *, is_stream: bool) -> ReadOptions:
    """Raises InvalidConfig."""
    given.refuse(("topic", "guarantee", "queryId", "batchId"), "an option of writes; to read, set subscribe")
    if is_stream:
        ends = ("endingOffsets", "endingTimestamp", "endingOffsetsByTimestamp")
        given.refuse(ends, "a stream has no end; use a batch read, or the trigger availableNow")
    client = given.client_config(ConsumerOptions, isolation_level="read_committed", client_id="ottla-spark")
    max_offsets = given.whole("maxOffsetsPerTrigger", at_least=1)
    min_offsets = given.whole("minOffsetsPerTrigger", at_least=1)
    if max_offsets is not None and min_offsets is not None and min_offsets > max_offsets:
        raise InvalidConfig([f"minOffsetsPerTrigger={min_offsets}: must not exceed maxOffsetsPerTrigger={max_offsets}"])
    return ReadOptions(
        subscription=_subscription(given),
        start=_bound(given, "starting", LATEST if is_stream else EARLIEST, is_start=True),
        end=_bound(given, "ending", LATEST, is_start=False),
        client=client,
        admin=given.admin_config(),
        read_committed=str(client["isolation.level"]) == "read_committed",
        fail_on_data_loss=given.flag("failOnDataLoss", True),
        include_headers=given.flag("includeHeaders", False),
        min_partitions=given.whole("minPartitions", at_least=1),
        max_records_per_partition=given.whole("maxRecordsPerPartition", at_least=1),
        # Parts of a range are read at the same time: a stream keeps the order of each partition unless set otherwise.
        split_large_ranges=given.flag("splitLargeRanges", not is_stream),
        max_offsets_per_trigger=max_offsets,
        min_offsets_per_trigger=min_offsets,
        max_trigger_delay_ms=given.duration_ms("maxTriggerDelay", _MAX_TRIGGER_DELAY_MS),
        decode=given.one_of("decode", ("bytes", "json"), "bytes"),
        decode_errors=given.one_of("decodeErrors", ("fail", "null"), "fail"),
        group_id=given.text("groupId"),
    )


def _subscription(given: GivenOptions) -> Subscription:
    chosen = [name for name in ("subscribe", "subscribePattern", "assign") if given.text(name) is not None]
    if len(chosen) != 1:
        found = f"{' and '.join(chosen)} are set" if chosen else "none is set"
        raise InvalidConfig([f"set exactly one of subscribe, subscribePattern and assign: {found}"])
    if chosen == ["subscribe"]:
        topics = sorted({name.strip() for name in (given.text("subscribe") or "").split(",") if name.strip()})
        if not topics:
            raise InvalidConfig(["subscribe is empty: give one or more topics, separated by commas"])
        return Subscription(topics=tuple(topics))
    if chosen == ["assign"]:
        partitions = given.partitions_json("assign")
        if not partitions:
            raise InvalidConfig(['assign is empty: give partitions such as {"orders": [0, 1]}'])
        return Subscription(partitions=tuple(partitions))
    return Subscription(pattern=given.text("subscribePattern"))


def _bound(given: GivenOptions, side: str, default: int, *, is_start: bool) -> Bound:
    """As in Spark: a timestamp for all counts more than timestamps by partition, and these more than offsets."""
    strategy = given.one_of("startingOffsetsByTimestampStrategy", ("error", "latest"), "error")
    fails = is_start and strategy == "error"
    # Partitions that a list does not name are read in full.
    unnamed = EARLIEST if is_start else LATEST
    timestamp_ms = given.whole(f"{side}Timestamp", at_least=0)
    if timestamp_ms is not None:
        return Bound(unnamed, timestamp_ms=timestamp_ms, fails_without_match=fails)
    timestamps_ms = given.numbers_by_partition(f"{side}OffsetsByTimestamp")
    if timestamps_ms is not None:
        return Bound(unnamed, timestamps_ms=timestamps_ms, fails_without_match=fails)
    name = f"{side}Offsets"
    text = (given.text(name) or "").strip()
    if not text:
        return Bound(default)
    if text.lower() in _NAMED:
        return _named_bound(name, _NAMED[text.lower()], is_start)
    offsets = given.numbers_by_partition(name) or {}
    for partition, offset in offsets.items():
        if offset < EARLIEST or (offset == EARLIEST and not is_start):
            raise InvalidConfig([f"{name}: {partition} has offset {offset}, which makes no sense there"])
    return Bound(unnamed, offsets=offsets)


def _named_bound(name: str, offset: int, is_start: bool) -> Bound:
    if offset == EARLIEST and not is_start:
        raise InvalidConfig([f"{name}=earliest: a read cannot end before it starts; use latest or offsets"])
    return Bound(offset)
