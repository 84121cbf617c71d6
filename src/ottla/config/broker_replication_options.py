"""Copying partitions between brokers: fetching, lag, elections, throttles."""

from ottla.config.checks import at_least
from ottla.config.option import OptionSet
from ottla.config.rows import CLUSTER_WIDE, HIGH, LOW, MIB, boolean_option, int_option, long_option, string_option


class BrokerReplicationOptions(OptionSet):
    """Rows of BrokerOptions about replication."""

    alter_log_dirs_replication_quota_window_num = int_option(
        "alter.log.dirs.replication.quota.window.num", 11, "", check=at_least(1), importance=LOW
    )
    alter_log_dirs_replication_quota_window_size_seconds = int_option(
        "alter.log.dirs.replication.quota.window.size.seconds", 1, "", check=at_least(1), importance=LOW
    )
    auto_leader_rebalance_enable = boolean_option("auto.leader.rebalance.enable", True, "", importance=HIGH)
    default_replication_factor = int_option("default.replication.factor", 1, "")
    leader_imbalance_check_interval_seconds = long_option(
        "leader.imbalance.check.interval.seconds", 300, "", check=at_least(1), importance=HIGH
    )
    min_insync_replicas = int_option(
        "min.insync.replicas", 1, "", check=at_least(1), importance=HIGH, update=CLUSTER_WIDE
    )
    num_replica_alter_log_dirs_threads = int_option("num.replica.alter.log.dirs.threads", None, "", importance=HIGH)
    num_replica_fetchers = int_option(
        "num.replica.fetchers", 1, "", check=at_least(1), importance=HIGH, update=CLUSTER_WIDE
    )
    replica_fetch_backoff_ms = int_option("replica.fetch.backoff.ms", 1000, "", check=at_least(0))
    replica_fetch_max_bytes = int_option("replica.fetch.max.bytes", MIB, "", check=at_least(0))
    replica_fetch_min_bytes = int_option("replica.fetch.min.bytes", 1, "", importance=HIGH)
    replica_fetch_response_max_bytes = int_option("replica.fetch.response.max.bytes", 10 * MIB, "", check=at_least(0))
    replica_fetch_wait_max_ms = int_option("replica.fetch.wait.max.ms", 500, "", importance=HIGH)
    replica_high_watermark_checkpoint_interval_ms = long_option(
        "replica.high.watermark.checkpoint.interval.ms", 5000, "", importance=HIGH
    )
    replica_lag_time_max_ms = long_option("replica.lag.time.max.ms", 30_000, "", importance=HIGH)
    replica_selector_class = string_option("replica.selector.class", None, "")
    replica_socket_receive_buffer_bytes = int_option("replica.socket.receive.buffer.bytes", 65_536, "", importance=HIGH)
    replica_socket_timeout_ms = int_option("replica.socket.timeout.ms", 30_000, "", importance=HIGH)
    replication_quota_window_num = int_option("replication.quota.window.num", 11, "", check=at_least(1), importance=LOW)
    replication_quota_window_size_seconds = int_option(
        "replication.quota.window.size.seconds", 1, "", check=at_least(1), importance=LOW
    )
    unclean_leader_election_enable = boolean_option(
        "unclean.leader.election.enable", False, "", importance=HIGH, update=CLUSTER_WIDE
    )
    unclean_leader_election_interval_ms = long_option(
        "unclean.leader.election.interval.ms", 300_000, "", check=at_least(1), internal=True
    )
