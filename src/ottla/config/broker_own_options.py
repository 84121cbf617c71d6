"""Settings that Kafka's own table does not have: Ottla's, and those that Kafka leaves to its authorizer."""

from ottla.config.checks import at_least, between, between_or, one_of
from ottla.config.option import OptionSet
from ottla.config.rows import (
    CLUSTER_WIDE,
    HIGH,
    LOW,
    MAX_INT,
    MIB,
    boolean_option,
    int_option,
    long_option,
    string_option,
)


class BrokerOwnOptions(OptionSet):
    """Rows of BrokerOptions beyond Kafka's. No name of Kafka ever starts with `ottla.`."""

    allow_insecure_listener = boolean_option(
        "allow.insecure.listener",
        False,
        "Allows listeners without TLS or without login on addresses that other machines can reach.",
        importance=HIGH,
        own=True,
    )
    ottla_ignore_security_settings = boolean_option(
        "ottla.ignore.security.settings",
        False,
        "Starts although settings ask for access control, TLS or SASL, and serves without them.",
        importance=HIGH,
        own=True,
    )
    super_users = string_option(
        "super.users",
        "",
        "Principals that may do everything, separated by semicolons.",
        effect=False,
        own=True,
    )
    allow_everyone_if_no_acl_found = boolean_option(
        "allow.everyone.if.no.acl.found",
        False,
        "Whether a resource without any rule is open to everybody.",
        effect=False,
        own=True,
    )
    produce_validate = string_option(
        "produce.validate",
        "headers",
        "How far a produced batch is checked: its header and checksum, or every record in it.",
        check=one_of("headers", "records"),
        own=True,
    )
    ottla_log_background_flush_interval_ms = long_option(
        "ottla.log.background.flush.interval.ms",
        1000,
        "How often written data is forced to the device in the background; 0 leaves it to the operating system.",
        check=at_least(0),
        importance=HIGH,
        own=True,
    )
    ottla_decompressed_batch_max_bytes = int_option(
        "ottla.decompressed.batch.max.bytes",
        64 * MIB,
        "Max size to which a produced batch may unfold when its records have to be read.",
        check=between(MIB, 64 * MIB),
        own=True,
    )
    ottla_request_memory_max_percent = int_option(
        "ottla.request.memory.max.percent",
        25,
        "Share of the machine's memory that requests in work may hold together before reading pauses.",
        check=between(1, 90),
        own=True,
    )
    ottla_request_elements_max = int_option(
        "ottla.request.elements.max",
        -1,
        "Max elements of all arrays of a request; -1: 10,000, or four per partition of the cluster if that is more.",
        check=between_or(1, MAX_INT, -1),
        update=CLUSTER_WIDE,
        own=True,
    )
    ottla_fetch_sessions_max_bytes = long_option(
        "ottla.fetch.sessions.max.bytes",
        -1,
        "Max memory of all fetch sessions; clients beyond it are served without one. -1: a fiftieth of the machine's.",
        check=at_least(-1),
        own=True,
    )
    ottla_unsent_responses_max_bytes = long_option(
        "ottla.unsent.responses.max.bytes",
        -1,
        "Max memory of responses that clients do not read, then the slowest are closed; -1: a tenth of the machine's.",
        check=at_least(-1),
        own=True,
    )
    ottla_frame_before_login_max_bytes = int_option(
        "ottla.frame.before.login.max.bytes",
        524_288,
        "Largest request accepted from a client that has not logged in on a listener that asks for it.",
        check=at_least(1024),
        own=True,
        effect=False,
    )
    ottla_login_timeout_ms = int_option(
        "ottla.login.timeout.ms",
        30_000,
        "Time a client has to finish its login.",
        check=at_least(1),
        own=True,
        effect=False,
    )
    ottla_first_request_timeout_ms = int_option(
        "ottla.first.request.timeout.ms",
        10_000,
        "Time after which a new connection is closed that has not sent a whole request.",
        check=at_least(1),
        own=True,
    )
    ottla_send_stall_timeout_ms = int_option(
        "ottla.send.stall.timeout.ms",
        30_000,
        "Time after which a connection is closed whose peer takes none of the bytes waiting for it.",
        check=at_least(1),
        own=True,
    )
    ottla_partitions_max = int_option(
        "ottla.partitions.max",
        100_000,
        "Max partitions of all topics together; topics that would exceed it are refused.",
        check=at_least(1),
        update=CLUSTER_WIDE,
        own=True,
    )
    ottla_groups_max = int_option(
        "ottla.groups.max",
        200_000,
        "Max groups of all kinds together, spread evenly over the partitions of __consumer_offsets.",
        check=at_least(1),
        update=CLUSTER_WIDE,
        own=True,
    )
    ottla_producers_max = int_option(
        "ottla.producers.max",
        100_000,
        "Max producer ids that a partition remembers at a time; they expire with producer.id.expiration.ms.",
        check=at_least(1),
        own=True,
    )
    ottla_retention_clock_jump_hold_ms = long_option(
        "ottla.retention.clock.jump.hold.ms",
        3_600_000,
        "How long a forward jump of the clock, also over a restart, lasts before retention goes by it; 0 is at once.",
        check=at_least(0),
        own=True,
    )
    ottla_disk_reserve_max_bytes = long_option(
        "ottla.disk.reserve.max.bytes",
        64 * MIB,
        "Max size of the file that keeps room in each log directory for the time when the disk is full; 0: none.",
        check=at_least(0),
        own=True,
    )
    ottla_log_level = string_option(
        "ottla.log.level",
        "info",
        "Level of the program's own log: one level, or logger=level pairs separated by commas.",
        importance=LOW,
        own=True,
    )
