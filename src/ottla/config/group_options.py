"""Settings of a single group: resource type GROUP."""

from ottla.config.checks import at_least, one_of, share_offset_reset
from ottla.config.option import OptionSet
from ottla.config.rows import boolean_option, int_option, string_option


class GroupOptions(OptionSet):
    """One row per group setting; the synonyms are the broker settings that give its default."""

    consumer_assignment_interval_ms = int_option(
        "consumer.assignment.interval.ms",
        1000,
        "",
        check=at_least(0),
        synonyms=("group.consumer.assignment.interval.ms",),
    )
    consumer_heartbeat_interval_ms = int_option(
        "consumer.heartbeat.interval.ms",
        5000,
        "",
        check=at_least(1),
        synonyms=("group.consumer.heartbeat.interval.ms",),
    )
    consumer_session_timeout_ms = int_option(
        "consumer.session.timeout.ms", 45_000, "", check=at_least(1), synonyms=("group.consumer.session.timeout.ms",)
    )
    share_assignment_interval_ms = int_option(
        "share.assignment.interval.ms", 1000, "", check=at_least(0), synonyms=("group.share.assignment.interval.ms",)
    )
    share_auto_offset_reset = string_option("share.auto.offset.reset", "latest", "", check=share_offset_reset())
    share_delivery_count_limit = int_option(
        "share.delivery.count.limit", 5, "", check=at_least(2), synonyms=("group.share.delivery.count.limit",)
    )
    share_heartbeat_interval_ms = int_option(
        "share.heartbeat.interval.ms", 5000, "", check=at_least(1), synonyms=("group.share.heartbeat.interval.ms",)
    )
    share_isolation_level = string_option(
        "share.isolation.level", "read_uncommitted", "", check=one_of("read_committed", "read_uncommitted")
    )
    share_partition_max_record_locks = int_option(
        "share.partition.max.record.locks",
        2000,
        "",
        check=at_least(100),
        synonyms=("group.share.partition.max.record.locks",),
    )
    share_record_lock_duration_ms = int_option(
        "share.record.lock.duration.ms",
        30_000,
        "",
        check=at_least(1000),
        synonyms=("group.share.record.lock.duration.ms",),
    )
    share_renew_acknowledge_enable = boolean_option("share.renew.acknowledge.enable", True, "")
    share_session_timeout_ms = int_option(
        "share.session.timeout.ms", 45_000, "", check=at_least(1), synonyms=("group.share.session.timeout.ms",)
    )
    streams_assignment_interval_ms = int_option(
        "streams.assignment.interval.ms",
        1000,
        "",
        check=at_least(0),
        synonyms=("group.streams.assignment.interval.ms",),
    )
    streams_heartbeat_interval_ms = int_option(
        "streams.heartbeat.interval.ms", 5000, "", check=at_least(1), synonyms=("group.streams.heartbeat.interval.ms",)
    )
    streams_initial_rebalance_delay_ms = int_option(
        "streams.initial.rebalance.delay.ms",
        3000,
        "",
        check=at_least(0),
        synonyms=("group.streams.initial.rebalance.delay.ms",),
    )
    streams_num_standby_replicas = int_option(
        "streams.num.standby.replicas", 0, "", check=at_least(0), synonyms=("group.streams.num.standby.replicas",)
    )
    streams_session_timeout_ms = int_option(
        "streams.session.timeout.ms", 45_000, "", check=at_least(1), synonyms=("group.streams.session.timeout.ms",)
    )
