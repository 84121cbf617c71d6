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

    broker_heartbeat_interval_ms = int_option(
        "broker.heartbeat.interval.ms", 2000, "How often a broker sends a heartbeat to the controller.", effect=False
    )
    broker_id = int_option("broker.id", -1, "Old name of node.id; one may be given for the other.", importance=HIGH)
    broker_rack = string_option(
        "broker.rack", None, "Name of the rack or zone of this node, used to spread replicas and to read nearby."
    )
    broker_session_timeout_ms = int_option(
        "broker.session.timeout.ms",
        9000,
        "Time without a heartbeat after which the controller takes a broker for dead.",
        effect=False,
    )
    controlled_shutdown_enable = boolean_option(
        "controlled.shutdown.enable", True, "Whether a broker hands its leaderships over before it stops.", effect=False
    )
    controller_listener_names = list_option(
        "controller.listener.names",
        ("CONTROLLER",),
        "Names of the listeners that only controllers and brokers use among themselves.",
        check=no_blank_entries(),
        importance=HIGH,
    )
    controller_performance_always_log_threshold_ms = long_option(
        "controller.performance.always.log.threshold.ms",
        2000,
        "Controller events slower than this are always written to the log.",
        check=at_least(0),
        internal=True,
        effect=False,
    )
    controller_performance_sample_period_ms = long_option(
        "controller.performance.sample.period.ms",
        60_000,
        "How often the controller looks for its slowest events.",
        check=at_least(100),
        internal=True,
        effect=False,
    )
    controller_quorum_append_linger_ms = int_option(
        "controller.quorum.append.linger.ms",
        25,
        "How long the leader of the metadata log collects records before it writes them.",
        check=at_least(0),
        effect=False,
    )
    controller_quorum_auto_join_enable = boolean_option(
        "controller.quorum.auto.join.enable",
        False,
        "Whether a new controller joins the voters by itself.",
        importance=LOW,
        effect=False,
    )
    controller_quorum_bootstrap_servers = list_option(
        "controller.quorum.bootstrap.servers",
        (),
        "Addresses at which the controllers of the cluster are found.",
        check=non_empty_entries(),
        importance=HIGH,
        effect=False,
    )
    controller_quorum_election_backoff_max_ms = int_option(
        "controller.quorum.election.backoff.max.ms",
        1000,
        "Max random pause before a controller stands for election again.",
        check=at_least(0),
        importance=HIGH,
        effect=False,
    )
    controller_quorum_election_timeout_ms = int_option(
        "controller.quorum.election.timeout.ms",
        1000,
        "Time without a response to its votes after which a controller starts another election.",
        check=at_least(0),
        importance=HIGH,
        effect=False,
    )
    controller_quorum_fetch_max_bytes = int_option(
        "controller.quorum.fetch.max.bytes",
        MIB,
        "Max bytes of the metadata log in one fetch.",
        check=at_least(1),
        importance=LOW,
        effect=False,
    )
    controller_quorum_fetch_snapshot_max_bytes = int_option(
        "controller.quorum.fetch.snapshot.max.bytes",
        MIB,
        "Max bytes of a metadata snapshot in one fetch.",
        check=at_least(1),
        importance=LOW,
        effect=False,
    )
    controller_quorum_fetch_timeout_ms = int_option(
        "controller.quorum.fetch.timeout.ms",
        2000,
        "Time without a successful fetch after which a follower of the metadata log seeks a new leader.",
        check=at_least(0),
        importance=HIGH,
        effect=False,
    )
    controller_quorum_request_timeout_ms = int_option(
        "controller.quorum.request.timeout.ms",
        2000,
        "How long a request between controllers may take.",
        check=at_least(0),
        effect=False,
    )
    controller_quorum_retry_backoff_ms = int_option(
        "controller.quorum.retry.backoff.ms",
        20,
        "Pause before a failed request between controllers is sent again.",
        check=at_least(0),
        importance=LOW,
        effect=False,
    )
    controller_quorum_voters = list_option(
        "controller.quorum.voters",
        (),
        "The controllers of a fixed quorum, as id@host:port.",
        check=non_empty_entries(),
        importance=HIGH,
        effect=False,
    )
    controller_quota_window_num = int_option(
        "controller.quota.window.num",
        11,
        "Samples kept to measure the rate of controller mutations.",
        check=at_least(1),
        importance=LOW,
        effect=False,
    )
    controller_quota_window_size_seconds = int_option(
        "controller.quota.window.size.seconds",
        1,
        "Length of one sample when measuring controller mutations.",
        check=at_least(1),
        importance=LOW,
        effect=False,
    )
    controller_socket_timeout_ms = int_option(
        "controller.socket.timeout.ms", 30_000, "Socket timeout of connections to the controller.", effect=False
    )
    initial_broker_registration_timeout_ms = int_option(
        "initial.broker.registration.timeout.ms",
        60_000,
        "How long a starting broker tries to register before it gives up.",
        effect=False,
    )
    internal_metadata_delete_delay_millis = long_option(
        "internal.metadata.delete.delay.millis",
        60_000,
        "How long removed files of the metadata log stay on disk.",
        importance=LOW,
        internal=True,
    )
    internal_metadata_log_segment_bytes = int_option(
        "internal.metadata.log.segment.bytes",
        None,
        "Segment size of the metadata log without the usual lower bound, for tests.",
        importance=LOW,
        internal=True,
    )
    internal_metadata_max_batch_size_in_bytes = int_option(
        "internal.metadata.max.batch.size.in.bytes",
        8 * MIB,
        "Largest batch of the metadata log, for tests.",
        importance=LOW,
        internal=True,
        effect=False,
    )
    metadata_log_dir = string_option(
        "metadata.log.dir", None, "Directory of the metadata log; the first of log.dirs when not set.", importance=HIGH
    )
    metadata_log_max_record_bytes_between_snapshots = long_option(
        "metadata.log.max.record.bytes.between.snapshots",
        20 * MIB,
        "Bytes of new metadata after which a snapshot is made.",
        check=at_least(1),
        importance=HIGH,
    )
    metadata_log_max_snapshot_interval_ms = long_option(
        "metadata.log.max.snapshot.interval.ms",
        3_600_000,
        "Time after which a snapshot is made if anything changed; 0 never for time alone.",
        check=at_least(0),
        importance=HIGH,
    )
    metadata_log_segment_bytes = int_option(
        "metadata.log.segment.bytes",
        1024 * MIB,
        "Largest segment of the metadata log.",
        check=at_least(8 * MIB),
        importance=HIGH,
    )
    metadata_log_segment_ms = long_option(
        "metadata.log.segment.ms",
        604_800_000,
        "Time after which the metadata log starts a new segment.",
        importance=HIGH,
    )
    metadata_max_idle_interval_ms = int_option(
        "metadata.max.idle.interval.ms",
        500,
        "How often an idle controller writes a record to show that it lives; 0 never.",
        check=at_least(0),
        importance=LOW,
        effect=False,
    )
    metadata_max_retention_bytes = long_option(
        "metadata.max.retention.bytes",
        100 * MIB,
        "Max bytes of metadata log and snapshots before old ones go.",
        importance=HIGH,
    )
    metadata_max_retention_ms = long_option(
        "metadata.max.retention.ms",
        604_800_000,
        "How long old metadata log segments and snapshots are kept.",
        importance=HIGH,
    )
    node_id = int_option("node.id", 1, "Number of this node in the cluster.", check=at_least(0), importance=HIGH)
    process_roles = list_option(
        "process.roles",
        ("broker", "controller"),
        "What this node is: broker, controller or both.",
        check=subset_of("broker", "controller", may_be_empty=False),
        importance=HIGH,
    )
    server_max_startup_time_ms = long_option(
        "server.max.startup.time.ms",
        MAX_LONG,
        "How long a start may take before it counts as failed.",
        check=at_least(0),
        internal=True,
        effect=False,
    )
    unstable_api_versions_enable = boolean_option(
        "unstable.api.versions.enable",
        False,
        "Whether API versions that are not final are offered.",
        importance=HIGH,
        internal=True,
        effect=False,
    )
    unstable_feature_versions_enable = boolean_option(
        "unstable.feature.versions.enable",
        False,
        "Whether feature levels that are not final may be used.",
        importance=HIGH,
        internal=True,
        effect=False,
    )
