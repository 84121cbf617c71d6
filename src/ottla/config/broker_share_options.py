"""Share groups and the state they keep."""

from ottla.config.checks import at_least, between, no_blank_entries
from ottla.config.option import OptionSet
from ottla.config.rows import CLUSTER_WIDE, HIGH, LOW, MIB, int_option, list_option, short_option, string_option


class BrokerShareOptions(OptionSet):
    """Rows of BrokerOptions about share groups."""

    group_share_assignment_interval_ms = int_option(
        "group.share.assignment.interval.ms",
        1000,
        "Least time between two new assignments of a share group.",
        check=at_least(0),
        update=CLUSTER_WIDE,
        effect=False,
    )
    group_share_assignors = list_option(
        "group.share.assignors",
        ("simple",),
        "Assignors the broker offers to share groups.",
        check=no_blank_entries(),
        effect=False,
    )
    group_share_delivery_count_limit = int_option(
        "group.share.delivery.count.limit",
        5,
        "How often a record is delivered to a share group before it is archived.",
        check=between(2, 10),
        effect=False,
    )
    group_share_heartbeat_interval_ms = int_option(
        "group.share.heartbeat.interval.ms",
        5000,
        "Heartbeat interval of members of share groups.",
        check=at_least(1),
        effect=False,
    )
    group_share_initialize_retry_interval_ms = int_option(
        "group.share.initialize.retry.interval.ms",
        30_000,
        "Pause before the state of a share group's partition is set up again after a failure.",
        check=at_least(1),
        importance=LOW,
        internal=True,
        effect=False,
    )
    group_share_max_assignment_interval_ms = int_option(
        "group.share.max.assignment.interval.ms",
        15_000,
        "Largest assignment interval a share group may set for itself.",
        check=at_least(0),
        effect=False,
    )
    group_share_max_delivery_count_limit = int_option(
        "group.share.max.delivery.count.limit",
        10,
        "Largest delivery limit a share group may set for itself.",
        check=between(5, 25),
        effect=False,
    )
    group_share_max_heartbeat_interval_ms = int_option(
        "group.share.max.heartbeat.interval.ms",
        15_000,
        "Largest heartbeat interval a share group may set for itself.",
        check=at_least(1),
        effect=False,
    )
    group_share_max_partition_max_record_locks = int_option(
        "group.share.max.partition.max.record.locks",
        4000,
        "Largest number of locked records per partition a share group may set for itself.",
        check=between(2000, 10_000),
        effect=False,
    )
    group_share_max_record_lock_duration_ms = int_option(
        "group.share.max.record.lock.duration.ms",
        60_000,
        "Max lock on a record a share group may set for itself.",
        check=between(30_000, 3_600_000),
        effect=False,
    )
    group_share_max_session_timeout_ms = int_option(
        "group.share.max.session.timeout.ms",
        60_000,
        "Largest session timeout a share group may set for itself.",
        check=at_least(1),
        effect=False,
    )
    group_share_max_share_sessions = int_option(
        "group.share.max.share.sessions", 2000, "Max share sessions on one broker.", check=at_least(1), effect=False
    )
    group_share_max_size = int_option(
        "group.share.max.size", 200, "Max members in one share group.", check=between(1, 1000), effect=False
    )
    group_share_min_assignment_interval_ms = int_option(
        "group.share.min.assignment.interval.ms",
        0,
        "Smallest assignment interval a share group may set for itself.",
        check=at_least(0),
        effect=False,
    )
    group_share_min_delivery_count_limit = int_option(
        "group.share.min.delivery.count.limit",
        2,
        "Smallest delivery limit a share group may set for itself.",
        check=between(2, 5),
        effect=False,
    )
    group_share_min_heartbeat_interval_ms = int_option(
        "group.share.min.heartbeat.interval.ms",
        5000,
        "Smallest heartbeat interval a share group may set for itself.",
        check=at_least(1),
        effect=False,
    )
    group_share_min_partition_max_record_locks = int_option(
        "group.share.min.partition.max.record.locks",
        100,
        "Smallest number of locked records per partition a share group may set for itself.",
        check=between(100, 2000),
        effect=False,
    )
    group_share_min_record_lock_duration_ms = int_option(
        "group.share.min.record.lock.duration.ms",
        15_000,
        "Shortest lock on a record a share group may set for itself.",
        check=between(1000, 30_000),
        effect=False,
    )
    group_share_min_session_timeout_ms = int_option(
        "group.share.min.session.timeout.ms",
        45_000,
        "Smallest session timeout a share group may set for itself.",
        check=at_least(1),
        effect=False,
    )
    group_share_partition_max_record_locks = int_option(
        "group.share.partition.max.record.locks",
        2000,
        "Max records of one partition that a share group holds locked at a time.",
        check=between(100, 10_000),
        effect=False,
    )
    group_share_persister_class_name = string_option(
        "group.share.persister.class.name",
        "org.apache.kafka.server.share.persister.DefaultStatePersister",
        "Java class that keeps the state of share groups; Ottla has its own.",
        internal=True,
        effect=False,
    )
    group_share_record_lock_duration_ms = int_option(
        "group.share.record.lock.duration.ms",
        30_000,
        "How long a record stays locked for the member that fetched it.",
        check=between(1000, 3_600_000),
        effect=False,
    )
    group_share_session_timeout_ms = int_option(
        "group.share.session.timeout.ms",
        45_000,
        "Time without a heartbeat after which a member leaves its share group.",
        check=at_least(1),
        effect=False,
    )
    share_coordinator_append_linger_ms = int_option(
        "share.coordinator.append.linger.ms",
        -1,
        "How long the share coordinator collects records before it writes them; -1 lets it decide.",
        check=at_least(-1),
        effect=False,
    )
    share_coordinator_cached_buffer_max_bytes = int_option(
        "share.coordinator.cached.buffer.max.bytes",
        1_048_588,
        "Largest write buffer the share coordinator keeps for later use.",
        check=at_least(524_288),
        update=CLUSTER_WIDE,
        effect=False,
    )
    share_coordinator_cold_partition_snapshot_interval_ms = int_option(
        "share.coordinator.cold.partition.snapshot.interval.ms",
        300_000,
        "How often quiet share partitions get a snapshot.",
        check=at_least(1),
        importance=LOW,
        internal=True,
        effect=False,
    )
    share_coordinator_load_buffer_size = int_option(
        "share.coordinator.load.buffer.size",
        5 * MIB,
        "Bytes read at a time when the state of share groups is loaded.",
        check=at_least(1),
        importance=HIGH,
        effect=False,
    )
    share_coordinator_snapshot_update_records_per_snapshot = int_option(
        "share.coordinator.snapshot.update.records.per.snapshot",
        500,
        "Updates after which the share coordinator writes a snapshot.",
        check=between(0, 500),
        effect=False,
    )
    share_coordinator_state_topic_compression_codec = int_option(
        "share.coordinator.state.topic.compression.codec",
        0,
        "Codec number of the topic of share group state.",
        importance=HIGH,
        effect=False,
    )
    share_coordinator_state_topic_min_isr = short_option(
        "share.coordinator.state.topic.min.isr",
        2,
        "In-sync replicas the topic of share group state needs; unless set, not more than it has replicas.",
        check=at_least(1),
        importance=HIGH,
        effect=False,
    )
    share_coordinator_state_topic_num_partitions = int_option(
        "share.coordinator.state.topic.num.partitions",
        50,
        "Partitions of the topic of share group state; must not change once it exists.",
        check=at_least(1),
        importance=HIGH,
        effect=False,
    )
    share_coordinator_state_topic_prune_interval_ms = int_option(
        "share.coordinator.state.topic.prune.interval.ms",
        300_000,
        "How often records nobody needs any more are cut from the topic of share group state.",
        check=at_least(1),
        importance=LOW,
        internal=True,
        effect=False,
    )
    share_coordinator_state_topic_replication_factor = short_option(
        "share.coordinator.state.topic.replication.factor",
        3,
        "Replicas of the topic of share group state; unless set, not more than there are brokers.",
        check=at_least(1),
        importance=HIGH,
        effect=False,
    )
    share_coordinator_state_topic_segment_bytes = int_option(
        "share.coordinator.state.topic.segment.bytes",
        100 * MIB,
        "Segment size of the topic of share group state.",
        check=at_least(1),
        importance=HIGH,
        effect=False,
    )
    share_coordinator_threads = int_option(
        "share.coordinator.threads", 1, "Threads Kafka's share coordinator uses.", check=at_least(1), effect=False
    )
    share_coordinator_write_timeout_ms = int_option(
        "share.coordinator.write.timeout.ms",
        5000,
        "How long a write of share group state waits for the replicas.",
        check=at_least(1),
        importance=HIGH,
        effect=False,
    )
    share_fetch_purgatory_purge_interval_requests = int_option(
        "share.fetch.purgatory.purge.interval.requests",
        1000,
        "After how many finished share fetches Kafka clears its waiting list.",
        effect=False,
    )
