"""Settings of a topic."""

from collections.abc import Iterable

from ottla.config.checks import at_least, between, between_or, one_of, subset_of, throttled_replicas
from ottla.config.option import OptionSet
from ottla.config.rows import (
    MAX_LONG,
    MIB,
    boolean_option,
    double_option,
    int_option,
    list_option,
    long_option,
    string_option,
)


class TopicOptions(OptionSet):
    """One row per topic setting; the synonyms are the broker settings that give its default."""

    cleanup_policy = list_option(
        "cleanup.policy",
        ("delete",),
        "What happens to old data: delete segments, compact by key, both, or nothing when empty.",
        check=subset_of("compact", "delete"),
        synonyms=("log.cleanup.policy",),
    )
    compression_gzip_level = int_option(
        "compression.gzip.level",
        -1,
        "Level of gzip when the broker compresses this topic with it; -1 is the codec's own choice.",
        check=between_or(1, 9, -1),
        synonyms=("compression.gzip.level",),
    )
    compression_lz4_level = int_option(
        "compression.lz4.level",
        9,
        "Level of lz4 when the broker compresses this topic with it.",
        check=between(1, 17),
        synonyms=("compression.lz4.level",),
    )
    compression_type = string_option(
        "compression.type",
        "producer",
        "Codec in which the topic is kept; `producer` keeps what the producer sent.",
        check=one_of("uncompressed", "zstd", "lz4", "snappy", "gzip", "producer"),
        synonyms=("compression.type",),
    )
    compression_zstd_level = int_option(
        "compression.zstd.level",
        3,
        "Level of zstd when the broker compresses this topic with it.",
        check=between(-131_072, 22),
        synonyms=("compression.zstd.level",),
    )
    delete_retention_ms = long_option(
        "delete.retention.ms",
        86_400_000,
        "How long a compacted topic keeps the mark of a deleted key.",
        check=at_least(0),
        synonyms=("log.cleaner.delete.retention.ms",),
    )
    file_delete_delay_ms = long_option(
        "file.delete.delay.ms",
        60_000,
        "How long the files of removed segments stay on disk.",
        check=at_least(0),
        synonyms=("log.segment.delete.delay.ms",),
    )
    flush_messages = long_option(
        "flush.messages",
        MAX_LONG,
        "Records after which the log is forced to the device.",
        check=at_least(1),
        synonyms=("log.flush.interval.messages",),
    )
    flush_ms = long_option(
        "flush.ms",
        MAX_LONG,
        "Time after which written records are forced to the device.",
        check=at_least(0),
        synonyms=("log.flush.interval.ms", "log.flush.scheduler.interval.ms"),
    )
    follower_replication_throttled_replicas = list_option(
        "follower.replication.throttled.replicas",
        (),
        "Replicas whose followers copy at a limited rate, as partition:broker, or `*`.",
        check=throttled_replicas(),
        effect=False,
    )
    index_interval_bytes = int_option(
        "index.interval.bytes",
        4096,
        "Bytes of log between two entries of the offset index.",
        check=at_least(0),
        synonyms=("log.index.interval.bytes",),
    )
    internal_segment_bytes = int_option(
        "internal.segment.bytes", None, "Segment size without the usual lower bound, for tests.", internal=True
    )
    leader_replication_throttled_replicas = list_option(
        "leader.replication.throttled.replicas",
        (),
        "Replicas whose leaders send at a limited rate, as partition:broker, or `*`.",
        check=throttled_replicas(),
        effect=False,
    )
    local_retention_bytes = long_option(
        "local.retention.bytes",
        -2,
        "Bytes of a tiered partition that stay local; -2 is retention.bytes.",
        check=at_least(-2),
        synonyms=("log.local.retention.bytes",),
        effect=False,
    )
    local_retention_ms = long_option(
        "local.retention.ms",
        -2,
        "How long data of a tiered partition stays local; -2 is retention.ms.",
        check=at_least(-2),
        synonyms=("log.local.retention.ms",),
        effect=False,
    )
    max_compaction_lag_ms = long_option(
        "max.compaction.lag.ms",
        MAX_LONG,
        "Max time a record of a compacted topic may wait for compaction.",
        check=at_least(1),
        synonyms=("log.cleaner.max.compaction.lag.ms",),
    )
    max_message_bytes = int_option(
        "max.message.bytes",
        1_048_588,
        "Largest record batch the topic takes.",
        check=at_least(0),
        synonyms=("message.max.bytes",),
    )
    message_timestamp_after_max_ms = long_option(
        "message.timestamp.after.max.ms",
        3_600_000,
        "How far in the future the timestamp of a record may lie.",
        check=at_least(0),
        synonyms=("log.message.timestamp.after.max.ms",),
    )
    message_timestamp_before_max_ms = long_option(
        "message.timestamp.before.max.ms",
        MAX_LONG,
        "How far in the past the timestamp of a record may lie.",
        check=at_least(0),
        synonyms=("log.message.timestamp.before.max.ms",),
    )
    message_timestamp_type = string_option(
        "message.timestamp.type",
        "CreateTime",
        "Whether records keep the time of their creation or get the time of their arrival.",
        check=one_of("CreateTime", "LogAppendTime"),
        synonyms=("log.message.timestamp.type",),
    )
    min_cleanable_dirty_ratio = double_option(
        "min.cleanable.dirty.ratio",
        0.5,
        "Part of the log that must be new before it is compacted.",
        check=between(0, 1),
        synonyms=("log.cleaner.min.cleanable.ratio",),
    )
    min_compaction_lag_ms = long_option(
        "min.compaction.lag.ms",
        0,
        "Min time a record stays before it may be compacted away.",
        check=at_least(0),
        synonyms=("log.cleaner.min.compaction.lag.ms",),
    )
    min_insync_replicas = int_option(
        "min.insync.replicas",
        1,
        "Replicas that must have a record before a write with acks=all succeeds.",
        check=at_least(1),
        synonyms=("min.insync.replicas",),
    )
    preallocate = boolean_option(
        "preallocate",
        False,
        "Whether the file of a new segment gets its full size at once.",
        synonyms=("log.preallocate",),
        effect=False,
    )
    remote_log_copy_disable = boolean_option(
        "remote.log.copy.disable", False, "Whether a tiered topic stops copying to tiered storage.", effect=False
    )
    remote_log_delete_on_disable = boolean_option(
        "remote.log.delete.on.disable",
        False,
        "Whether tiered data is deleted when tiering is switched off.",
        effect=False,
    )
    remote_storage_enable = boolean_option(
        "remote.storage.enable",
        False,
        "Whether the topic is tiered; refused, Ottla keeps all data local.",
        effect=False,
    )
    retention_bytes = long_option(
        "retention.bytes",
        -1,
        "Size of a partition above which old segments are deleted; -1 is no limit.",
        synonyms=("log.retention.bytes",),
    )
    retention_ms = long_option(
        "retention.ms",
        604_800_000,
        "Age at which segments are deleted; -1 keeps them for ever.",
        check=at_least(-1),
        synonyms=("log.retention.ms", "log.retention.minutes", "log.retention.hours"),
    )
    segment_bytes = int_option(
        "segment.bytes",
        1024 * MIB,
        "Max size of one segment file.",
        check=at_least(MIB),
        synonyms=("log.segment.bytes",),
    )
    segment_index_bytes = int_option(
        "segment.index.bytes",
        10 * MIB,
        "Max size of one index file.",
        check=at_least(4),
        synonyms=("log.index.size.max.bytes",),
    )
    segment_jitter_ms = long_option(
        "segment.jitter.ms",
        0,
        "Random part of segment.ms, so that not all segments roll at once.",
        check=at_least(0),
        synonyms=("log.roll.jitter.ms", "log.roll.jitter.hours"),
    )
    segment_ms = long_option(
        "segment.ms",
        604_800_000,
        "Time after which a new segment is started even if the old one is not full.",
        check=at_least(1),
        synonyms=("log.roll.ms", "log.roll.hours"),
    )
    unclean_leader_election_enable = boolean_option(
        "unclean.leader.election.enable",
        False,
        "Whether a replica that is not in sync may lead, at the price of lost records.",
        synonyms=("unclean.leader.election.enable",),
    )
    produce_validate = string_option(
        "produce.validate",
        "headers",
        "How far a produced batch is checked: its header and checksum, or every record in it.",
        check=one_of("headers", "records"),
        synonyms=("produce.validate",),
        own=True,
    )
    ottla_producers_max = int_option(
        "ottla.producers.max",
        100_000,
        "Max producer ids that a partition remembers at a time; they expire with producer.id.expiration.ms.",
        check=at_least(1),
        synonyms=("ottla.producers.max",),
        own=True,
    )
    ottla_decompressed_batch_max_bytes = int_option(
        "ottla.decompressed.batch.max.bytes",
        64 * MIB,
        "Max size to which a produced batch may unfold when its records have to be read.",
        check=between(MIB, 64 * MIB),
        synonyms=("ottla.decompressed.batch.max.bytes",),
        own=True,
    )

    def _contradictions(self) -> Iterable[str]:
        min_ms, max_ms = self.min_compaction_lag_ms, self.max_compaction_lag_ms
        if min_ms > max_ms:
            yield (f"conflict topic config setting min.compaction.lag.ms ({min_ms}) > max.compaction.lag.ms ({max_ms})")
