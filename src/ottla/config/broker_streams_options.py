"""Groups of Kafka Streams applications."""

from ottla.config.checks import at_least
from ottla.config.option import OptionSet
from ottla.config.rows import CLUSTER_WIDE, MAX_INT, int_option


class BrokerStreamsOptions(OptionSet):
    """Rows of BrokerOptions about streams groups."""

    group_streams_assignment_interval_ms = int_option(
        "group.streams.assignment.interval.ms",
        1000,
        "Least time between two new assignments of a streams group.",
        check=at_least(0),
        update=CLUSTER_WIDE,
        effect=False,
    )
    group_streams_heartbeat_interval_ms = int_option(
        "group.streams.heartbeat.interval.ms",
        5000,
        "Heartbeat interval of members of streams groups.",
        check=at_least(1),
        effect=False,
    )
    group_streams_initial_rebalance_delay_ms = int_option(
        "group.streams.initial.rebalance.delay.ms",
        3000,
        "How long the first assignment of an empty streams group waits for more members.",
        check=at_least(0),
        effect=False,
    )
    group_streams_max_assignment_interval_ms = int_option(
        "group.streams.max.assignment.interval.ms",
        15_000,
        "Largest assignment interval a streams group may set for itself.",
        check=at_least(0),
        effect=False,
    )
    group_streams_max_heartbeat_interval_ms = int_option(
        "group.streams.max.heartbeat.interval.ms",
        15_000,
        "Largest heartbeat interval a streams group may set for itself.",
        check=at_least(1),
        effect=False,
    )
    group_streams_max_session_timeout_ms = int_option(
        "group.streams.max.session.timeout.ms",
        60_000,
        "Largest session timeout a streams group may set for itself.",
        check=at_least(1),
        effect=False,
    )
    group_streams_max_size = int_option(
        "group.streams.max.size", MAX_INT, "Max members in one streams group.", check=at_least(1), effect=False
    )
    group_streams_max_standby_replicas = int_option(
        "group.streams.max.standby.replicas",
        2,
        "Max standby copies per task a streams group may set for itself.",
        check=at_least(0),
        effect=False,
    )
    group_streams_min_assignment_interval_ms = int_option(
        "group.streams.min.assignment.interval.ms",
        0,
        "Smallest assignment interval a streams group may set for itself.",
        check=at_least(0),
        effect=False,
    )
    group_streams_min_heartbeat_interval_ms = int_option(
        "group.streams.min.heartbeat.interval.ms",
        5000,
        "Smallest heartbeat interval a streams group may set for itself.",
        check=at_least(1),
        effect=False,
    )
    group_streams_min_session_timeout_ms = int_option(
        "group.streams.min.session.timeout.ms",
        45_000,
        "Smallest session timeout a streams group may set for itself.",
        check=at_least(1),
        effect=False,
    )
    group_streams_num_standby_replicas = int_option(
        "group.streams.num.standby.replicas",
        0,
        "Standby copies of each task of a streams group.",
        check=at_least(0),
        effect=False,
    )
    group_streams_session_timeout_ms = int_option(
        "group.streams.session.timeout.ms",
        45_000,
        "Time without a heartbeat after which a member leaves its streams group.",
        check=at_least(1),
        effect=False,
    )
