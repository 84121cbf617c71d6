"""Logs on disk: directories, segments, retention, cleaning, flushing."""

from ottla.config.checks import at_least, between, no_blank_entries, one_of, subset_of
from ottla.config.option import OptionSet
from ottla.config.rows import (
    CLUSTER_WIDE,
    HIGH,
    LOW,
    MAX_DOUBLE,
    MAX_LONG,
    MIB,
    PER_BROKER,
    boolean_option,
    double_option,
    int_option,
    list_option,
    long_option,
    string_option,
)


class BrokerLogOptions(OptionSet):
    """Rows of BrokerOptions about logs."""

    cordoned_log_dirs = list_option("cordoned.log.dirs", (), "", check=no_blank_entries(), update=PER_BROKER)
    log_cleaner_backoff_ms = long_option("log.cleaner.backoff.ms", 15_000, "", check=at_least(0), update=CLUSTER_WIDE)
    log_cleaner_dedupe_buffer_size = long_option("log.cleaner.dedupe.buffer.size", 128 * MIB, "", update=CLUSTER_WIDE)
    log_cleaner_delete_retention_ms = long_option(
        "log.cleaner.delete.retention.ms", 86_400_000, "", check=at_least(0), update=CLUSTER_WIDE
    )
    log_cleaner_enable = boolean_option("log.cleaner.enable", True, "")
    log_cleaner_io_buffer_load_factor = double_option("log.cleaner.io.buffer.load.factor", 0.9, "", update=CLUSTER_WIDE)
    log_cleaner_io_buffer_size = int_option(
        "log.cleaner.io.buffer.size", 524_288, "", check=at_least(0), update=CLUSTER_WIDE
    )
    log_cleaner_io_max_bytes_per_second = double_option(
        "log.cleaner.io.max.bytes.per.second", MAX_DOUBLE, "", update=CLUSTER_WIDE
    )
    log_cleaner_max_compaction_lag_ms = long_option(
        "log.cleaner.max.compaction.lag.ms", MAX_LONG, "", check=at_least(1), update=CLUSTER_WIDE
    )
    log_cleaner_min_cleanable_ratio = double_option(
        "log.cleaner.min.cleanable.ratio", 0.5, "", check=between(0, 1), update=CLUSTER_WIDE
    )
    log_cleaner_min_compaction_lag_ms = long_option(
        "log.cleaner.min.compaction.lag.ms", 0, "", check=at_least(0), update=CLUSTER_WIDE
    )
    log_cleaner_threads = int_option("log.cleaner.threads", 1, "", check=at_least(0), update=CLUSTER_WIDE)
    log_cleanup_policy = list_option(
        "log.cleanup.policy", ("delete",), "", check=subset_of("compact", "delete"), update=CLUSTER_WIDE
    )
    log_dir = list_option("log.dir", None, "", check=no_blank_entries(), importance=HIGH)
    log_dir_failure_timeout_ms = long_option(
        "log.dir.failure.timeout.ms", 30_000, "", check=at_least(1), importance=LOW
    )
    log_dirs = list_option("log.dirs", None, "", check=no_blank_entries(), importance=HIGH)
    log_flush_interval_messages = long_option(
        "log.flush.interval.messages", MAX_LONG, "", check=at_least(1), importance=HIGH, update=CLUSTER_WIDE
    )
    log_flush_interval_ms = long_option(
        "log.flush.interval.ms",
        None,
        "",
        importance=HIGH,
        update=CLUSTER_WIDE,
        synonyms=("log.flush.scheduler.interval.ms",),
    )
    log_flush_offset_checkpoint_interval_ms = int_option(
        "log.flush.offset.checkpoint.interval.ms", 60_000, "", check=at_least(0), importance=HIGH
    )
    log_flush_scheduler_interval_ms = long_option("log.flush.scheduler.interval.ms", MAX_LONG, "", importance=HIGH)
    log_flush_start_offset_checkpoint_interval_ms = int_option(
        "log.flush.start.offset.checkpoint.interval.ms", 60_000, "", check=at_least(0), importance=HIGH
    )
    log_index_interval_bytes = int_option("log.index.interval.bytes", 4096, "", check=at_least(0), update=CLUSTER_WIDE)
    log_index_size_max_bytes = int_option(
        "log.index.size.max.bytes", 10 * MIB, "", check=at_least(4), update=CLUSTER_WIDE
    )
    log_initial_task_delay_ms = long_option(
        "log.initial.task.delay.ms", 30_000, "", check=at_least(0), importance=LOW, internal=True
    )
    log_local_retention_bytes = long_option(
        "log.local.retention.bytes", -2, "", check=at_least(-2), update=CLUSTER_WIDE
    )
    log_local_retention_ms = long_option("log.local.retention.ms", -2, "", check=at_least(-2), update=CLUSTER_WIDE)
    log_message_timestamp_after_max_ms = long_option(
        "log.message.timestamp.after.max.ms", 3_600_000, "", check=at_least(0), update=CLUSTER_WIDE
    )
    log_message_timestamp_before_max_ms = long_option(
        "log.message.timestamp.before.max.ms", MAX_LONG, "", check=at_least(0), update=CLUSTER_WIDE
    )
    log_message_timestamp_type = string_option(
        "log.message.timestamp.type", "CreateTime", "", check=one_of("CreateTime", "LogAppendTime"), update=CLUSTER_WIDE
    )
    log_preallocate = boolean_option("log.preallocate", False, "", update=CLUSTER_WIDE)
    log_retention_bytes = long_option("log.retention.bytes", -1, "", importance=HIGH, update=CLUSTER_WIDE)
    log_retention_check_interval_ms = long_option("log.retention.check.interval.ms", 300_000, "", check=at_least(1))
    log_retention_hours = int_option(
        "log.retention.hours", 168, "", importance=HIGH, synonyms=("log.retention.ms", "log.retention.minutes")
    )
    log_retention_minutes = int_option(
        "log.retention.minutes", None, "", importance=HIGH, synonyms=("log.retention.ms", "log.retention.hours")
    )
    log_retention_ms = long_option(
        "log.retention.ms",
        None,
        "",
        importance=HIGH,
        update=CLUSTER_WIDE,
        synonyms=("log.retention.minutes", "log.retention.hours"),
    )
    log_roll_hours = int_option(
        "log.roll.hours", 168, "", check=at_least(1), importance=HIGH, synonyms=("log.roll.ms",)
    )
    log_roll_jitter_hours = int_option(
        "log.roll.jitter.hours", 0, "", check=at_least(0), importance=HIGH, synonyms=("log.roll.jitter.ms",)
    )
    log_roll_jitter_ms = long_option(
        "log.roll.jitter.ms", None, "", importance=HIGH, update=CLUSTER_WIDE, synonyms=("log.roll.jitter.hours",)
    )
    log_roll_ms = long_option(
        "log.roll.ms", None, "", importance=HIGH, update=CLUSTER_WIDE, synonyms=("log.roll.hours",)
    )
    log_segment_bytes = int_option(
        "log.segment.bytes", 1024 * MIB, "", check=at_least(MIB), importance=HIGH, update=CLUSTER_WIDE
    )
    log_segment_delete_delay_ms = long_option(
        "log.segment.delete.delay.ms", 60_000, "", check=at_least(0), importance=HIGH, update=CLUSTER_WIDE
    )
    num_recovery_threads_per_data_dir = int_option(
        "num.recovery.threads.per.data.dir", 2, "", check=at_least(1), importance=HIGH, update=CLUSTER_WIDE
    )
