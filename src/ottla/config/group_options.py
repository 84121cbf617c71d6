"""Settings of a single group: resource type GROUP."""

from ottla.config.checks import at_least, one_of, share_offset_reset
from ottla.config.option import OptionSet
from ottla.config.rows import boolean_option, int_option, string_option


class GroupOptions(OptionSet):
    """One row per group setting; the synonyms are the broker settings that give its default."""

    consumer_assignment_interval_ms = int_option(
        "consumer.assignment.interval.ms",
        1000,
        "Least time between two new assignments of this consumer group.",
        check=at_least(0),
        synonyms=("group.consumer.assignment.interval.ms",),
    )
    consumer_heartbeat_interval_ms = int_option(
        "consumer.heartbeat.interval.ms",
        5000,
        "How often members of this consumer group send heartbeats.",
        check=at_least(1),
        synonyms=("group.consumer.heartbeat.interval.ms",),
    )
    consumer_session_timeout_ms = int_option(
        "consumer.session.timeout.ms",
        45_000,
        "Time without a heartbeat after which a member leaves this consumer group.",
        check=at_least(1),
        synonyms=("group.consumer.session.timeout.ms",),
    )
    share_assignment_interval_ms = int_option(
        "share.assignment.interval.ms",
        1000,
        "Least time between two new assignments of this share group.",
        check=at_least(0),
        synonyms=("group.share.assignment.interval.ms",),
        effect=False,
    )
    share_auto_offset_reset = string_option(
        "share.auto.offset.reset",
        "latest",
        "Where the group starts in a partition it has not read yet.",
        check=share_offset_reset(),
        effect=False,
    )
    share_delivery_count_limit = int_option(
        "share.delivery.count.limit",
        5,
        "How often a record is delivered to this group before it is archived.",
        check=at_least(2),
        synonyms=("group.share.delivery.count.limit",),
        effect=False,
    )
    share_heartbeat_interval_ms = int_option(
        "share.heartbeat.interval.ms",
        5000,
        "How often members of this share group send heartbeats.",
        check=at_least(1),
        synonyms=("group.share.heartbeat.interval.ms",),
        effect=False,
    )
    share_isolation_level = string_option(
        "share.isolation.level",
        "read_uncommitted",
        "Whether the group sees records of open and aborted transactions.",
        check=one_of("read_committed", "read_uncommitted"),
        effect=False,
    )
    share_partition_max_record_locks = int_option(
        "share.partition.max.record.locks",
        2000,
        "Max records of one partition that this group holds locked at a time.",
        check=at_least(100),
        synonyms=("group.share.partition.max.record.locks",),
        effect=False,
    )
    share_record_lock_duration_ms = int_option(
        "share.record.lock.duration.ms",
        30_000,
        "How long a record stays locked for the member that fetched it.",
        check=at_least(1000),
        synonyms=("group.share.record.lock.duration.ms",),
        effect=False,
    )
    share_renew_acknowledge_enable = boolean_option(
        "share.renew.acknowledge.enable", True, "Whether members may prolong the lock on a record.", effect=False
    )
    share_session_timeout_ms = int_option(
        "share.session.timeout.ms",
        45_000,
        "Time without a heartbeat after which a member leaves this share group.",
        check=at_least(1),
        synonyms=("group.share.session.timeout.ms",),
        effect=False,
    )
    streams_assignment_interval_ms = int_option(
        "streams.assignment.interval.ms",
        1000,
        "Least time between two new assignments of this streams group.",
        check=at_least(0),
        synonyms=("group.streams.assignment.interval.ms",),
        effect=False,
    )
    streams_heartbeat_interval_ms = int_option(
        "streams.heartbeat.interval.ms",
        5000,
        "How often members of this streams group send heartbeats.",
        check=at_least(1),
        synonyms=("group.streams.heartbeat.interval.ms",),
        effect=False,
    )
    streams_initial_rebalance_delay_ms = int_option(
        "streams.initial.rebalance.delay.ms",
        3000,
        "How long the first assignment of this group waits for more members.",
        check=at_least(0),
        synonyms=("group.streams.initial.rebalance.delay.ms",),
        effect=False,
    )
    streams_num_standby_replicas = int_option(
        "streams.num.standby.replicas",
        0,
        "Standby copies of each task of this streams group.",
        check=at_least(0),
        synonyms=("group.streams.num.standby.replicas",),
        effect=False,
    )
    streams_session_timeout_ms = int_option(
        "streams.session.timeout.ms",
        45_000,
        "Time without a heartbeat after which a member leaves this streams group.",
        check=at_least(1),
        synonyms=("group.streams.session.timeout.ms",),
        effect=False,
    )
