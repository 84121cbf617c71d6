"""Share groups and the state they keep."""

from ottla.config.checks import at_least, between, no_blank_entries
from ottla.config.option import OptionSet
from ottla.config.rows import CLUSTER_WIDE, HIGH, LOW, MIB, int_option, list_option, short_option, string_option


class BrokerShareOptions(OptionSet):
    """Rows of BrokerOptions about share groups."""

    group_share_assignment_interval_ms = int_option(
        "group.share.assignment.interval.ms", 1000, "", check=at_least(0), update=CLUSTER_WIDE
    )
    group_share_assignors = list_option("group.share.assignors", ("simple",), "", check=no_blank_entries())
    group_share_delivery_count_limit = int_option("group.share.delivery.count.limit", 5, "", check=between(2, 10))
    group_share_heartbeat_interval_ms = int_option("group.share.heartbeat.interval.ms", 5000, "", check=at_least(1))
    group_share_initialize_retry_interval_ms = int_option(
        "group.share.initialize.retry.interval.ms", 30_000, "", check=at_least(1), importance=LOW, internal=True
    )
    group_share_max_assignment_interval_ms = int_option(
        "group.share.max.assignment.interval.ms", 15_000, "", check=at_least(0)
    )
    group_share_max_delivery_count_limit = int_option(
        "group.share.max.delivery.count.limit", 10, "", check=between(5, 25)
    )
    group_share_max_heartbeat_interval_ms = int_option(
        "group.share.max.heartbeat.interval.ms", 15_000, "", check=at_least(1)
    )
    group_share_max_partition_max_record_locks = int_option(
        "group.share.max.partition.max.record.locks", 4000, "", check=between(2000, 10_000)
    )
    group_share_max_record_lock_duration_ms = int_option(
        "group.share.max.record.lock.duration.ms", 60_000, "", check=between(30_000, 3_600_000)
    )
    group_share_max_session_timeout_ms = int_option("group.share.max.session.timeout.ms", 60_000, "", check=at_least(1))
    group_share_max_share_sessions = int_option("group.share.max.share.sessions", 2000, "", check=at_least(1))
    group_share_max_size = int_option("group.share.max.size", 200, "", check=between(1, 1000))
    group_share_min_assignment_interval_ms = int_option(
        "group.share.min.assignment.interval.ms", 0, "", check=at_least(0)
    )
    group_share_min_delivery_count_limit = int_option(
        "group.share.min.delivery.count.limit", 2, "", check=between(2, 5)
    )
    group_share_min_heartbeat_interval_ms = int_option(
        "group.share.min.heartbeat.interval.ms", 5000, "", check=at_least(1)
    )
    group_share_min_partition_max_record_locks = int_option(
        "group.share.min.partition.max.record.locks", 100, "", check=between(100, 2000)
    )
    group_share_min_record_lock_duration_ms = int_option(
        "group.share.min.record.lock.duration.ms", 15_000, "", check=between(1000, 30_000)
    )
    group_share_min_session_timeout_ms = int_option("group.share.min.session.timeout.ms", 45_000, "", check=at_least(1))
    group_share_partition_max_record_locks = int_option(
        "group.share.partition.max.record.locks", 2000, "", check=between(100, 10_000)
    )
    group_share_persister_class_name = string_option(
        "group.share.persister.class.name",
        "org.apache.kafka.server.share.persister.DefaultStatePersister",
        "",
        internal=True,
    )
    group_share_record_lock_duration_ms = int_option(
        "group.share.record.lock.duration.ms", 30_000, "", check=between(1000, 3_600_000)
    )
    group_share_session_timeout_ms = int_option("group.share.session.timeout.ms", 45_000, "", check=at_least(1))
    share_coordinator_append_linger_ms = int_option("share.coordinator.append.linger.ms", -1, "", check=at_least(-1))
    share_coordinator_cached_buffer_max_bytes = int_option(
        "share.coordinator.cached.buffer.max.bytes", 1_048_588, "", check=at_least(524_288), update=CLUSTER_WIDE
    )
    share_coordinator_cold_partition_snapshot_interval_ms = int_option(
        "share.coordinator.cold.partition.snapshot.interval.ms",
        300_000,
        "",
        check=at_least(1),
        importance=LOW,
        internal=True,
    )
    share_coordinator_load_buffer_size = int_option(
        "share.coordinator.load.buffer.size", 5 * MIB, "", check=at_least(1), importance=HIGH
    )
    share_coordinator_snapshot_update_records_per_snapshot = int_option(
        "share.coordinator.snapshot.update.records.per.snapshot", 500, "", check=between(0, 500)
    )
    share_coordinator_state_topic_compression_codec = int_option(
        "share.coordinator.state.topic.compression.codec", 0, "", importance=HIGH
    )
    share_coordinator_state_topic_min_isr = short_option(
        "share.coordinator.state.topic.min.isr", 2, "", check=at_least(1), importance=HIGH
    )
    share_coordinator_state_topic_num_partitions = int_option(
        "share.coordinator.state.topic.num.partitions", 50, "", check=at_least(1), importance=HIGH
    )
    share_coordinator_state_topic_prune_interval_ms = int_option(
        "share.coordinator.state.topic.prune.interval.ms", 300_000, "", check=at_least(1), importance=LOW, internal=True
    )
    share_coordinator_state_topic_replication_factor = short_option(
        "share.coordinator.state.topic.replication.factor", 3, "", check=at_least(1), importance=HIGH
    )
    share_coordinator_state_topic_segment_bytes = int_option(
        "share.coordinator.state.topic.segment.bytes", 100 * MIB, "", check=at_least(1), importance=HIGH
    )
    share_coordinator_threads = int_option("share.coordinator.threads", 1, "", check=at_least(1))
    share_coordinator_write_timeout_ms = int_option(
        "share.coordinator.write.timeout.ms", 5000, "", check=at_least(1), importance=HIGH
    )
    share_fetch_purgatory_purge_interval_requests = int_option(
        "share.fetch.purgatory.purge.interval.requests", 1000, ""
    )
