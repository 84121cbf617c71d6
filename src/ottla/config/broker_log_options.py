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

    cordoned_log_dirs = list_option(
        "cordoned.log.dirs",
        (),
        "Directories that get no new replicas.",
        check=no_blank_entries(),
        update=PER_BROKER,
        effect=False,
    )
    log_cleaner_backoff_ms = long_option(
        "log.cleaner.backoff.ms",
        15_000,
        "How long the cleaner rests when there is nothing to compact.",
        check=at_least(0),
        update=CLUSTER_WIDE,
    )
    log_cleaner_dedupe_buffer_size = long_option(
        "log.cleaner.dedupe.buffer.size", 128 * MIB, "Memory the cleaner may use to remember keys.", update=CLUSTER_WIDE
    )
    log_cleaner_delete_retention_ms = long_option(
        "log.cleaner.delete.retention.ms",
        86_400_000,
        "Default of delete.retention.ms for topics.",
        check=at_least(0),
        update=CLUSTER_WIDE,
    )
    log_cleaner_enable = boolean_option("log.cleaner.enable", True, "Whether compacted topics are compacted at all.")
    log_cleaner_io_buffer_load_factor = double_option(
        "log.cleaner.io.buffer.load.factor",
        0.9,
        "How full the cleaner's key memory may get.",
        update=CLUSTER_WIDE,
        effect=False,
    )
    log_cleaner_io_buffer_size = int_option(
        "log.cleaner.io.buffer.size",
        524_288,
        "Memory the cleaner uses for reading and writing.",
        check=at_least(0),
        update=CLUSTER_WIDE,
        effect=False,
    )
    log_cleaner_io_max_bytes_per_second = double_option(
        "log.cleaner.io.max.bytes.per.second",
        MAX_DOUBLE,
        "Max bytes the cleaner reads and writes per second.",
        update=CLUSTER_WIDE,
    )
    log_cleaner_max_compaction_lag_ms = long_option(
        "log.cleaner.max.compaction.lag.ms",
        MAX_LONG,
        "Default of max.compaction.lag.ms for topics.",
        check=at_least(1),
        update=CLUSTER_WIDE,
    )
    log_cleaner_min_cleanable_ratio = double_option(
        "log.cleaner.min.cleanable.ratio",
        0.5,
        "Default of min.cleanable.dirty.ratio for topics.",
        check=between(0, 1),
        update=CLUSTER_WIDE,
    )
    log_cleaner_min_compaction_lag_ms = long_option(
        "log.cleaner.min.compaction.lag.ms",
        0,
        "Default of min.compaction.lag.ms for topics.",
        check=at_least(0),
        update=CLUSTER_WIDE,
    )
    log_cleaner_threads = int_option(
        "log.cleaner.threads",
        1,
        "Partitions that are compacted side by side.",
        check=at_least(0),
        update=CLUSTER_WIDE,
        effect=False,
    )
    log_cleanup_policy = list_option(
        "log.cleanup.policy",
        ("delete",),
        "Default of cleanup.policy for topics.",
        check=subset_of("compact", "delete"),
        update=CLUSTER_WIDE,
    )
    log_dir = list_option(
        "log.dir",
        None,
        "Directory for data; only looked at when log.dirs is not set.",
        check=no_blank_entries(),
        importance=HIGH,
    )
    log_dir_failure_timeout_ms = long_option(
        "log.dir.failure.timeout.ms",
        30_000,
        "How long a broker continues when it cannot report a failed directory to the controller.",
        check=at_least(1),
        importance=LOW,
        effect=False,
    )
    log_dirs = list_option(
        "log.dirs", None, "Directories for data, on one or several disks.", check=no_blank_entries(), importance=HIGH
    )
    log_flush_interval_messages = long_option(
        "log.flush.interval.messages",
        MAX_LONG,
        "Default of flush.messages for topics.",
        check=at_least(1),
        importance=HIGH,
        update=CLUSTER_WIDE,
    )
    log_flush_interval_ms = long_option(
        "log.flush.interval.ms",
        None,
        "Default of flush.ms for topics; log.flush.scheduler.interval.ms when not set.",
        importance=HIGH,
        update=CLUSTER_WIDE,
        synonyms=("log.flush.scheduler.interval.ms",),
    )
    log_flush_offset_checkpoint_interval_ms = int_option(
        "log.flush.offset.checkpoint.interval.ms",
        60_000,
        "How often the point up to which logs are safe on disk is written down.",
        check=at_least(0),
        importance=HIGH,
    )
    log_flush_scheduler_interval_ms = long_option(
        "log.flush.scheduler.interval.ms",
        MAX_LONG,
        "How often logs are looked at for data that is due to be flushed.",
        importance=HIGH,
    )
    log_flush_start_offset_checkpoint_interval_ms = int_option(
        "log.flush.start.offset.checkpoint.interval.ms",
        60_000,
        "How often the start offsets of logs are written down.",
        check=at_least(0),
        importance=HIGH,
        effect=False,
    )
    log_index_interval_bytes = int_option(
        "log.index.interval.bytes",
        4096,
        "Default of index.interval.bytes for topics.",
        check=at_least(0),
        update=CLUSTER_WIDE,
    )
    log_index_size_max_bytes = int_option(
        "log.index.size.max.bytes",
        10 * MIB,
        "Default of segment.index.bytes for topics.",
        check=at_least(4),
        update=CLUSTER_WIDE,
    )
    log_initial_task_delay_ms = long_option(
        "log.initial.task.delay.ms",
        30_000,
        "How long after the start the first round of retention and cleaning waits.",
        check=at_least(0),
        importance=LOW,
        internal=True,
    )
    log_local_retention_bytes = long_option(
        "log.local.retention.bytes",
        -2,
        "Default of local.retention.bytes for topics.",
        check=at_least(-2),
        update=CLUSTER_WIDE,
        effect=False,
    )
    log_local_retention_ms = long_option(
        "log.local.retention.ms",
        -2,
        "Default of local.retention.ms for topics.",
        check=at_least(-2),
        update=CLUSTER_WIDE,
        effect=False,
    )
    log_message_timestamp_after_max_ms = long_option(
        "log.message.timestamp.after.max.ms",
        3_600_000,
        "Default of message.timestamp.after.max.ms for topics.",
        check=at_least(0),
        update=CLUSTER_WIDE,
    )
    log_message_timestamp_before_max_ms = long_option(
        "log.message.timestamp.before.max.ms",
        MAX_LONG,
        "Default of message.timestamp.before.max.ms for topics.",
        check=at_least(0),
        update=CLUSTER_WIDE,
    )
    log_message_timestamp_type = string_option(
        "log.message.timestamp.type",
        "CreateTime",
        "Default of message.timestamp.type for topics.",
        check=one_of("CreateTime", "LogAppendTime"),
        update=CLUSTER_WIDE,
    )
    log_preallocate = boolean_option(
        "log.preallocate", False, "Default of preallocate for topics.", update=CLUSTER_WIDE, effect=False
    )
    log_retention_bytes = long_option(
        "log.retention.bytes", -1, "Default of retention.bytes for topics.", importance=HIGH, update=CLUSTER_WIDE
    )
    log_retention_check_interval_ms = long_option(
        "log.retention.check.interval.ms", 300_000, "How often segments are looked at for deletion.", check=at_least(1)
    )
    log_retention_hours = int_option(
        "log.retention.hours",
        168,
        "Default retention of topics in hours; minutes and ms count more.",
        importance=HIGH,
        synonyms=("log.retention.ms", "log.retention.minutes"),
    )
    log_retention_minutes = int_option(
        "log.retention.minutes",
        None,
        "Default retention of topics in minutes; ms counts more.",
        importance=HIGH,
        synonyms=("log.retention.ms", "log.retention.hours"),
    )
    log_retention_ms = long_option(
        "log.retention.ms",
        None,
        "Default of retention.ms for topics; minutes, then hours when not set.",
        importance=HIGH,
        update=CLUSTER_WIDE,
        synonyms=("log.retention.minutes", "log.retention.hours"),
    )
    log_roll_hours = int_option(
        "log.roll.hours",
        168,
        "Default of segment.ms for topics in hours; ms counts more.",
        check=at_least(1),
        importance=HIGH,
        synonyms=("log.roll.ms",),
    )
    log_roll_jitter_hours = int_option(
        "log.roll.jitter.hours",
        0,
        "Default of segment.jitter.ms for topics in hours; ms counts more.",
        check=at_least(0),
        importance=HIGH,
        synonyms=("log.roll.jitter.ms",),
    )
    log_roll_jitter_ms = long_option(
        "log.roll.jitter.ms",
        None,
        "Default of segment.jitter.ms for topics; hours when not set.",
        importance=HIGH,
        update=CLUSTER_WIDE,
        synonyms=("log.roll.jitter.hours",),
    )
    log_roll_ms = long_option(
        "log.roll.ms",
        None,
        "Default of segment.ms for topics; hours when not set.",
        importance=HIGH,
        update=CLUSTER_WIDE,
        synonyms=("log.roll.hours",),
    )
    log_segment_bytes = int_option(
        "log.segment.bytes",
        1024 * MIB,
        "Default of segment.bytes for topics.",
        check=at_least(MIB),
        importance=HIGH,
        update=CLUSTER_WIDE,
    )
    log_segment_delete_delay_ms = long_option(
        "log.segment.delete.delay.ms",
        60_000,
        "Default of file.delete.delay.ms for topics.",
        check=at_least(0),
        importance=HIGH,
        update=CLUSTER_WIDE,
    )
    num_recovery_threads_per_data_dir = int_option(
        "num.recovery.threads.per.data.dir",
        2,
        "Logs of one directory that are recovered side by side at start.",
        check=at_least(1),
        importance=HIGH,
        update=CLUSTER_WIDE,
        effect=False,
    )
