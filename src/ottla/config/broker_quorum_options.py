"""The node, its part in the cluster, the metadata log and its quorum."""

from ottla.config.checks import at_least, no_blank_entries, non_empty_entries, subset_of
from ottla.config.option import OptionSet
from ottla.config.rows import (
    HIGH,
    LOW,
    MAX_LONG,
    MIB,
    boolean_option,
    int_option,
    list_option,
    long_option,
    string_option,
)


class BrokerQuorumOptions(OptionSet):
    """Rows of BrokerOptions about the node, the controller and the metadata log."""

    broker_heartbeat_interval_ms = int_option("broker.heartbeat.interval.ms", 2000, "")
    broker_id = int_option("broker.id", -1, "", importance=HIGH)
    broker_rack = string_option("broker.rack", None, "")
    broker_session_timeout_ms = int_option("broker.session.timeout.ms", 9000, "")
    controlled_shutdown_enable = boolean_option("controlled.shutdown.enable", True, "")
    controller_listener_names = list_option(
        "controller.listener.names", ("CONTROLLER",), "", check=no_blank_entries(), importance=HIGH
    )
    controller_performance_always_log_threshold_ms = long_option(
        "controller.performance.always.log.threshold.ms", 2000, "", check=at_least(0), internal=True
    )
    controller_performance_sample_period_ms = long_option(
        "controller.performance.sample.period.ms", 60_000, "", check=at_least(100), internal=True
    )
    controller_quorum_append_linger_ms = int_option("controller.quorum.append.linger.ms", 25, "", check=at_least(0))
    controller_quorum_auto_join_enable = boolean_option("controller.quorum.auto.join.enable", False, "", importance=LOW)
    controller_quorum_bootstrap_servers = list_option(
        "controller.quorum.bootstrap.servers", (), "", check=non_empty_entries(), importance=HIGH
    )
    controller_quorum_election_backoff_max_ms = int_option(
        "controller.quorum.election.backoff.max.ms", 1000, "", check=at_least(0), importance=HIGH
    )
    controller_quorum_election_timeout_ms = int_option(
        "controller.quorum.election.timeout.ms", 1000, "", check=at_least(0), importance=HIGH
    )
    controller_quorum_fetch_max_bytes = int_option(
        "controller.quorum.fetch.max.bytes", MIB, "", check=at_least(1), importance=LOW
    )
    controller_quorum_fetch_snapshot_max_bytes = int_option(
        "controller.quorum.fetch.snapshot.max.bytes", MIB, "", check=at_least(1), importance=LOW
    )
    controller_quorum_fetch_timeout_ms = int_option(
        "controller.quorum.fetch.timeout.ms", 2000, "", check=at_least(0), importance=HIGH
    )
    controller_quorum_request_timeout_ms = int_option(
        "controller.quorum.request.timeout.ms", 2000, "", check=at_least(0)
    )
    controller_quorum_retry_backoff_ms = int_option(
        "controller.quorum.retry.backoff.ms", 20, "", check=at_least(0), importance=LOW
    )
    controller_quorum_voters = list_option(
        "controller.quorum.voters", (), "", check=non_empty_entries(), importance=HIGH
    )
    controller_quota_window_num = int_option("controller.quota.window.num", 11, "", check=at_least(1), importance=LOW)
    controller_quota_window_size_seconds = int_option(
        "controller.quota.window.size.seconds", 1, "", check=at_least(1), importance=LOW
    )
    controller_socket_timeout_ms = int_option("controller.socket.timeout.ms", 30_000, "")
    initial_broker_registration_timeout_ms = int_option("initial.broker.registration.timeout.ms", 60_000, "")
    internal_metadata_delete_delay_millis = long_option(
        "internal.metadata.delete.delay.millis", 60_000, "", importance=LOW, internal=True
    )
    internal_metadata_log_segment_bytes = int_option(
        "internal.metadata.log.segment.bytes", None, "", importance=LOW, internal=True
    )
    internal_metadata_max_batch_size_in_bytes = int_option(
        "internal.metadata.max.batch.size.in.bytes", 8 * MIB, "", importance=LOW, internal=True
    )
    metadata_log_dir = string_option("metadata.log.dir", None, "", importance=HIGH)
    metadata_log_max_record_bytes_between_snapshots = long_option(
        "metadata.log.max.record.bytes.between.snapshots", 20 * MIB, "", check=at_least(1), importance=HIGH
    )
    metadata_log_max_snapshot_interval_ms = long_option(
        "metadata.log.max.snapshot.interval.ms", 3_600_000, "", check=at_least(0), importance=HIGH
    )
    metadata_log_segment_bytes = int_option(
        "metadata.log.segment.bytes", 1024 * MIB, "", check=at_least(8 * MIB), importance=HIGH
    )
    metadata_log_segment_ms = long_option("metadata.log.segment.ms", 604_800_000, "", importance=HIGH)
    metadata_max_idle_interval_ms = int_option(
        "metadata.max.idle.interval.ms", 500, "", check=at_least(0), importance=LOW
    )
    metadata_max_retention_bytes = long_option("metadata.max.retention.bytes", 100 * MIB, "", importance=HIGH)
    metadata_max_retention_ms = long_option("metadata.max.retention.ms", 604_800_000, "", importance=HIGH)
    node_id = int_option("node.id", 1, "", check=at_least(0), importance=HIGH)
    process_roles = list_option(
        "process.roles",
        ("broker", "controller"),
        "",
        check=subset_of("broker", "controller", may_be_empty=False),
        importance=HIGH,
    )
    server_max_startup_time_ms = long_option(
        "server.max.startup.time.ms", MAX_LONG, "", check=at_least(0), internal=True
    )
    unstable_api_versions_enable = boolean_option(
        "unstable.api.versions.enable", False, "", importance=HIGH, internal=True
    )
    unstable_feature_versions_enable = boolean_option(
        "unstable.feature.versions.enable", False, "", importance=HIGH, internal=True
    )
