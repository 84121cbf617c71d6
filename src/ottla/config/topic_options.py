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
        "cleanup.policy", ("delete",), "", check=subset_of("compact", "delete"), synonyms=("log.cleanup.policy",)
    )
    compression_gzip_level = int_option(
        "compression.gzip.level", -1, "", check=between_or(1, 9, -1), synonyms=("compression.gzip.level",)
    )
    compression_lz4_level = int_option(
        "compression.lz4.level", 9, "", check=between(1, 17), synonyms=("compression.lz4.level",)
    )
    compression_type = string_option(
        "compression.type",
        "producer",
        "",
        check=one_of("uncompressed", "zstd", "lz4", "snappy", "gzip", "producer"),
        synonyms=("compression.type",),
    )
    compression_zstd_level = int_option(
        "compression.zstd.level", 3, "", check=between(-131_072, 22), synonyms=("compression.zstd.level",)
    )
    delete_retention_ms = long_option(
        "delete.retention.ms", 86_400_000, "", check=at_least(0), synonyms=("log.cleaner.delete.retention.ms",)
    )
    file_delete_delay_ms = long_option(
        "file.delete.delay.ms", 60_000, "", check=at_least(0), synonyms=("log.segment.delete.delay.ms",)
    )
    flush_messages = long_option(
        "flush.messages", MAX_LONG, "", check=at_least(1), synonyms=("log.flush.interval.messages",)
    )
    flush_ms = long_option(
        "flush.ms",
        MAX_LONG,
        "",
        check=at_least(0),
        synonyms=("log.flush.interval.ms", "log.flush.scheduler.interval.ms"),
    )
    follower_replication_throttled_replicas = list_option(
        "follower.replication.throttled.replicas", (), "", check=throttled_replicas()
    )
    index_interval_bytes = int_option(
        "index.interval.bytes", 4096, "", check=at_least(0), synonyms=("log.index.interval.bytes",)
    )
    internal_segment_bytes = int_option("internal.segment.bytes", None, "", internal=True)
    leader_replication_throttled_replicas = list_option(
        "leader.replication.throttled.replicas", (), "", check=throttled_replicas()
    )
    local_retention_bytes = long_option(
        "local.retention.bytes", -2, "", check=at_least(-2), synonyms=("log.local.retention.bytes",)
    )
    local_retention_ms = long_option(
        "local.retention.ms", -2, "", check=at_least(-2), synonyms=("log.local.retention.ms",)
    )
    max_compaction_lag_ms = long_option(
        "max.compaction.lag.ms", MAX_LONG, "", check=at_least(1), synonyms=("log.cleaner.max.compaction.lag.ms",)
    )
    max_message_bytes = int_option(
        "max.message.bytes", 1_048_588, "", check=at_least(0), synonyms=("message.max.bytes",)
    )
    message_timestamp_after_max_ms = long_option(
        "message.timestamp.after.max.ms",
        3_600_000,
        "",
        check=at_least(0),
        synonyms=("log.message.timestamp.after.max.ms",),
    )
    message_timestamp_before_max_ms = long_option(
        "message.timestamp.before.max.ms",
        MAX_LONG,
        "",
        check=at_least(0),
        synonyms=("log.message.timestamp.before.max.ms",),
    )
    message_timestamp_type = string_option(
        "message.timestamp.type",
        "CreateTime",
        "",
        check=one_of("CreateTime", "LogAppendTime"),
        synonyms=("log.message.timestamp.type",),
    )
    min_cleanable_dirty_ratio = double_option(
        "min.cleanable.dirty.ratio", 0.5, "", check=between(0, 1), synonyms=("log.cleaner.min.cleanable.ratio",)
    )
    min_compaction_lag_ms = long_option(
        "min.compaction.lag.ms", 0, "", check=at_least(0), synonyms=("log.cleaner.min.compaction.lag.ms",)
    )
    min_insync_replicas = int_option("min.insync.replicas", 1, "", check=at_least(1), synonyms=("min.insync.replicas",))
    preallocate = boolean_option("preallocate", False, "", synonyms=("log.preallocate",))
    remote_log_copy_disable = boolean_option("remote.log.copy.disable", False, "")
    remote_log_delete_on_disable = boolean_option("remote.log.delete.on.disable", False, "")
    remote_storage_enable = boolean_option("remote.storage.enable", False, "")
    retention_bytes = long_option("retention.bytes", -1, "", synonyms=("log.retention.bytes",))
    retention_ms = long_option(
        "retention.ms",
        604_800_000,
        "",
        check=at_least(-1),
        synonyms=("log.retention.ms", "log.retention.minutes", "log.retention.hours"),
    )
    segment_bytes = int_option("segment.bytes", 1024 * MIB, "", check=at_least(MIB), synonyms=("log.segment.bytes",))
    segment_index_bytes = int_option(
        "segment.index.bytes", 10 * MIB, "", check=at_least(4), synonyms=("log.index.size.max.bytes",)
    )
    segment_jitter_ms = long_option(
        "segment.jitter.ms", 0, "", check=at_least(0), synonyms=("log.roll.jitter.ms", "log.roll.jitter.hours")
    )
    segment_ms = long_option(
        "segment.ms", 604_800_000, "", check=at_least(1), synonyms=("log.roll.ms", "log.roll.hours")
    )
    unclean_leader_election_enable = boolean_option(
        "unclean.leader.election.enable", False, "", synonyms=("unclean.leader.election.enable",)
    )
    produce_validate = string_option(
        "produce.validate", "headers", "", check=one_of("headers", "records"), synonyms=("produce.validate",), own=True
    )

    def _contradictions(self) -> Iterable[str]:
        least_ms, most_ms = self.min_compaction_lag_ms, self.max_compaction_lag_ms
        if least_ms > most_ms:
            yield (
                f"conflict topic config setting min.compaction.lag.ms ({least_ms}) > max.compaction.lag.ms ({most_ms})"
            )
