"""Copying partitions between brokers: fetching, lag, elections, throttles."""

from ottla.config.checks import at_least
from ottla.config.option import OptionSet
from ottla.config.rows import CLUSTER_WIDE, HIGH, LOW, MIB, boolean_option, int_option, long_option, string_option


class BrokerReplicationOptions(OptionSet):
    """Rows of BrokerOptions about replication."""

    alter_log_dirs_replication_quota_window_num = int_option(
        "alter.log.dirs.replication.quota.window.num",
        11,
        "Samples kept to measure how fast replicas move between directories.",
        check=at_least(1),
        importance=LOW,
        effect=False,
    )
    alter_log_dirs_replication_quota_window_size_seconds = int_option(
        "alter.log.dirs.replication.quota.window.size.seconds",
        1,
        "Length of one sample when measuring moves between directories.",
        check=at_least(1),
        importance=LOW,
        effect=False,
    )
    auto_leader_rebalance_enable = boolean_option(
        "auto.leader.rebalance.enable",
        True,
        "Whether leadership goes back to the preferred replicas from time to time.",
        importance=HIGH,
        effect=False,
    )
    default_replication_factor = int_option(
        "default.replication.factor", 1, "Replicas of a topic that is made without a number."
    )
    leader_imbalance_check_interval_seconds = long_option(
        "leader.imbalance.check.interval.seconds",
        300,
        "How often the controller looks whether leadership should go back to preferred replicas.",
        check=at_least(1),
        importance=HIGH,
        effect=False,
    )
    min_insync_replicas = int_option(
        "min.insync.replicas",
        1,
        "Replicas that must have a record before a write with acks=all succeeds.",
        check=at_least(1),
        importance=HIGH,
        update=CLUSTER_WIDE,
    )
    num_replica_alter_log_dirs_threads = int_option(
        "num.replica.alter.log.dirs.threads",
        None,
        "Replicas that move between directories side by side.",
        importance=HIGH,
        effect=False,
    )
    num_replica_fetchers = int_option(
        "num.replica.fetchers",
        1,
        "Connections per leader with which a follower copies partitions.",
        check=at_least(1),
        importance=HIGH,
        update=CLUSTER_WIDE,
        effect=False,
    )
    replica_fetch_backoff_ms = int_option(
        "replica.fetch.backoff.ms", 1000, "Pause of a follower after a failed fetch.", check=at_least(0), effect=False
    )
    replica_fetch_max_bytes = int_option(
        "replica.fetch.max.bytes", MIB, "Bytes a follower asks for per partition.", check=at_least(0), effect=False
    )
    replica_fetch_min_bytes = int_option(
        "replica.fetch.min.bytes",
        1,
        "Bytes a leader waits for before it responds to a follower.",
        importance=HIGH,
        effect=False,
    )
    replica_fetch_response_max_bytes = int_option(
        "replica.fetch.response.max.bytes",
        10 * MIB,
        "Bytes a follower requests in one response.",
        check=at_least(0),
        effect=False,
    )
    replica_fetch_wait_max_ms = int_option(
        "replica.fetch.wait.max.ms",
        500,
        "How long a leader waits for data before it responds to a follower.",
        importance=HIGH,
        effect=False,
    )
    replica_high_watermark_checkpoint_interval_ms = long_option(
        "replica.high.watermark.checkpoint.interval.ms",
        5000,
        "How often high watermarks are written down.",
        importance=HIGH,
        effect=False,
    )
    replica_lag_time_max_ms = long_option(
        "replica.lag.time.max.ms",
        30_000,
        "Time without catching up after which a follower counts as out of sync.",
        importance=HIGH,
        effect=False,
    )
    replica_selector_class = string_option(
        "replica.selector.class",
        None,
        "How the replica to read from is chosen; Kafka's rack-aware class name switches nearby reads on.",
        effect=False,
    )
    replica_socket_receive_buffer_bytes = int_option(
        "replica.socket.receive.buffer.bytes",
        65_536,
        "Receive buffer of the sockets followers fetch with.",
        importance=HIGH,
        effect=False,
    )
    replica_socket_timeout_ms = int_option(
        "replica.socket.timeout.ms", 30_000, "Socket timeout of a follower's fetches.", importance=HIGH, effect=False
    )
    replication_quota_window_num = int_option(
        "replication.quota.window.num",
        11,
        "Samples kept to measure throttled replication.",
        check=at_least(1),
        importance=LOW,
        effect=False,
    )
    replication_quota_window_size_seconds = int_option(
        "replication.quota.window.size.seconds",
        1,
        "Length of one sample when measuring throttled replication.",
        check=at_least(1),
        importance=LOW,
        effect=False,
    )
    unclean_leader_election_enable = boolean_option(
        "unclean.leader.election.enable",
        False,
        "Whether a replica that is not in sync may lead, at the price of lost records.",
        importance=HIGH,
        update=CLUSTER_WIDE,
    )
    unclean_leader_election_interval_ms = long_option(
        "unclean.leader.election.interval.ms",
        300_000,
        "How often partitions without a leader are looked at for an unclean election.",
        check=at_least(1),
        internal=True,
        effect=False,
    )
