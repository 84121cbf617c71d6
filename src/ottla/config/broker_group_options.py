"""Consumer groups, classic and new, and committed offsets."""

from ottla.config.checks import at_least, no_blank_entries, one_of_any_case, subset_of
from ottla.config.option import OptionSet
from ottla.config.rows import (
    CLUSTER_WIDE,
    HIGH,
    MAX_INT,
    MIB,
    int_option,
    list_option,
    long_option,
    short_option,
    string_option,
)


class BrokerGroupOptions(OptionSet):
    """Rows of BrokerOptions about groups and offsets."""

    group_consumer_assignment_interval_ms = int_option(
        "group.consumer.assignment.interval.ms",
        1000,
        "Least time between two new assignments of a consumer group.",
        check=at_least(0),
        update=CLUSTER_WIDE,
    )
    group_consumer_assignors = list_option(
        "group.consumer.assignors",
        ("uniform", "range"),
        "Assignors the broker offers to consumer groups, the preferred one first.",
        check=no_blank_entries(),
    )
    group_consumer_heartbeat_interval_ms = int_option(
        "group.consumer.heartbeat.interval.ms",
        5000,
        "Heartbeat interval of members of consumer groups.",
        check=at_least(1),
    )
    group_consumer_max_assignment_interval_ms = int_option(
        "group.consumer.max.assignment.interval.ms",
        15_000,
        "Largest assignment interval a consumer group may set for itself.",
        check=at_least(0),
    )
    group_consumer_max_heartbeat_interval_ms = int_option(
        "group.consumer.max.heartbeat.interval.ms",
        15_000,
        "Largest heartbeat interval a consumer group may set for itself.",
        check=at_least(1),
    )
    group_consumer_max_session_timeout_ms = int_option(
        "group.consumer.max.session.timeout.ms",
        60_000,
        "Largest session timeout a consumer group may set for itself.",
        check=at_least(1),
    )
    group_consumer_max_size = int_option(
        "group.consumer.max.size", MAX_INT, "Max members in one consumer group.", check=at_least(1)
    )
    group_consumer_migration_policy = string_option(
        "group.consumer.migration.policy",
        "bidirectional",
        "Whether groups may change between the classic and the consumer protocol while they run.",
        check=one_of_any_case("DISABLED", "DOWNGRADE", "UPGRADE", "BIDIRECTIONAL"),
    )
    group_consumer_min_assignment_interval_ms = int_option(
        "group.consumer.min.assignment.interval.ms",
        0,
        "Smallest assignment interval a consumer group may set for itself.",
        check=at_least(0),
    )
    group_consumer_min_heartbeat_interval_ms = int_option(
        "group.consumer.min.heartbeat.interval.ms",
        5000,
        "Smallest heartbeat interval a consumer group may set for itself.",
        check=at_least(1),
    )
    group_consumer_min_session_timeout_ms = int_option(
        "group.consumer.min.session.timeout.ms",
        45_000,
        "Smallest session timeout a consumer group may set for itself.",
        check=at_least(1),
    )
    group_consumer_regex_refresh_interval_ms = int_option(
        "group.consumer.regex.refresh.interval.ms",
        600_000,
        "How often regular expressions of subscriptions are matched against the topics again.",
        check=at_least(10_000),
        internal=True,
        effect=False,
    )
    group_consumer_session_timeout_ms = int_option(
        "group.consumer.session.timeout.ms",
        45_000,
        "Time without a heartbeat after which a member leaves its consumer group.",
        check=at_least(1),
    )
    group_coordinator_append_linger_ms = int_option(
        "group.coordinator.append.linger.ms",
        -1,
        "How long the group coordinator collects records before it writes them; -1 lets it decide.",
        check=at_least(-1),
        effect=False,
    )
    group_coordinator_background_threads = int_option(
        "group.coordinator.background.threads",
        2,
        "Threads Kafka's group coordinator uses for long calculations.",
        check=at_least(1),
        importance=HIGH,
        effect=False,
    )
    group_coordinator_cached_buffer_max_bytes = int_option(
        "group.coordinator.cached.buffer.max.bytes",
        1_048_588,
        "Largest write buffer the group coordinator keeps for later use.",
        check=at_least(524_288),
        update=CLUSTER_WIDE,
        effect=False,
    )
    group_coordinator_rebalance_protocols = list_option(
        "group.coordinator.rebalance.protocols",
        ("classic", "consumer", "streams"),
        "Group protocols the broker offers.",
        check=subset_of("consumer", "classic", "share", "streams"),
    )
    group_coordinator_threads = int_option(
        "group.coordinator.threads",
        4,
        "Threads Kafka's group coordinator uses.",
        check=at_least(1),
        importance=HIGH,
        effect=False,
    )
    group_initial_rebalance_delay_ms = int_option(
        "group.initial.rebalance.delay.ms",
        3000,
        "How long the first rebalance of an empty classic group waits for more members; 10 ms at least.",
    )
    group_max_session_timeout_ms = int_option(
        "group.max.session.timeout.ms", 1_800_000, "Largest session timeout a member of a classic group may ask for."
    )
    group_max_size = int_option("group.max.size", MAX_INT, "Max members in one classic group.", check=at_least(1))
    group_min_session_timeout_ms = int_option(
        "group.min.session.timeout.ms", 6000, "Smallest session timeout a member of a classic group may ask for."
    )
    offset_metadata_max_bytes = int_option(
        "offset.metadata.max.bytes", 4096, "Largest text a client may store with a committed offset.", importance=HIGH
    )
    offsets_commit_timeout_ms = int_option(
        "offsets.commit.timeout.ms",
        5000,
        "How long a commit of offsets waits for the replicas.",
        check=at_least(1),
        importance=HIGH,
        effect=False,
    )
    offsets_load_buffer_size = int_option(
        "offsets.load.buffer.size",
        5 * MIB,
        "Bytes read at a time when committed offsets are loaded.",
        check=at_least(1),
        importance=HIGH,
        effect=False,
    )
    offsets_retention_check_interval_ms = long_option(
        "offsets.retention.check.interval.ms",
        600_000,
        "How often old committed offsets are looked for.",
        check=at_least(1),
        importance=HIGH,
    )
    offsets_retention_minutes = int_option(
        "offsets.retention.minutes",
        10_080,
        "How long offsets are kept after their group became empty.",
        check=at_least(1),
        importance=HIGH,
    )
    offsets_topic_compression_codec = int_option(
        "offsets.topic.compression.codec",
        0,
        "Codec number of the topic of committed offsets.",
        importance=HIGH,
        effect=False,
    )
    offsets_topic_num_partitions = int_option(
        "offsets.topic.num.partitions",
        50,
        "Partitions of the topic of committed offsets; must not change once it exists.",
        check=at_least(1),
        importance=HIGH,
    )
    offsets_topic_replication_factor = short_option(
        "offsets.topic.replication.factor",
        3,
        "Replicas of the topic of committed offsets; unless set, not more than there are brokers.",
        check=at_least(1),
        importance=HIGH,
    )
    offsets_topic_segment_bytes = int_option(
        "offsets.topic.segment.bytes",
        100 * MIB,
        "Segment size of the topic of committed offsets.",
        check=at_least(1),
        importance=HIGH,
    )
