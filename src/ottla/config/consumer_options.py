"""Settings of a consumer."""

from collections.abc import Iterable

from ottla.config.checks import at_least, non_empty, offset_reset, one_of, one_of_any_case
from ottla.config.client_options import ClientOptions
from ottla.config.rows import (
    HIGH,
    KIB,
    LOW,
    MIB,
    boolean_option,
    class_option,
    int_option,
    list_option,
    string_option,
)


class ConsumerOptions(ClientOptions):
    """What a consumer reads, and with whom it shares."""

    allow_auto_create_topics = boolean_option(
        "allow.auto.create.topics", True, "Whether the broker may create a topic that is subscribed or assigned."
    )
    auto_commit_interval_ms = int_option(
        "auto.commit.interval.ms", 5000, "How often positions are committed.", importance=LOW, check=at_least(0)
    )
    auto_offset_reset = string_option(
        "auto.offset.reset",
        "latest",
        "Where to start without a committed offset, or when it is out of range.",
        check=offset_reset(),
    )
    check_crcs = boolean_option("check.crcs", True, "Checks the CRC of each batch.", importance=LOW)
    client_rack = string_option(
        "client.rack",
        "",
        "Rack of this client: with it brokers may name a nearer replica to read from.",
        importance=LOW,
    )
    client_id = string_option(
        "client.id", "", "Name of this client in the broker's logs, quotas and metrics.", importance=LOW
    )
    default_api_timeout_ms = int_option(
        "default.api.timeout.ms", 60_000, "Limit of calls without a timeout of their own.", check=at_least(0)
    )
    enable_auto_commit = boolean_option("enable.auto.commit", True, "Commits positions in the background.")
    enable_metrics_push = boolean_option(
        "enable.metrics.push", True, "Pushes metrics to the broker.", importance=LOW, effect=False
    )
    exclude_internal_topics = boolean_option(
        "exclude.internal.topics", True, "Whether a pattern leaves out internal topics."
    )
    fetch_max_bytes = int_option(
        "fetch.max.bytes", 50 * MIB, "Largest fetch response; one batch always fits.", check=at_least(0)
    )
    fetch_max_wait_ms = int_option(
        "fetch.max.wait.ms", 500, "How long the broker waits for `fetch.min.bytes`.", importance=LOW, check=at_least(0)
    )
    fetch_min_bytes = int_option(
        "fetch.min.bytes", 1, "The broker waits until it has this many bytes.", importance=HIGH, check=at_least(0)
    )
    group_id = string_option("group.id", None, "The group that shares the partitions.", importance=HIGH)
    group_instance_id = string_option(
        "group.instance.id",
        None,
        "Makes the member static: it may return within the session without a rebalance.",
        check=non_empty(),
    )
    group_protocol = string_option(
        "group.protocol",
        "classic",
        "classic, or consumer: the broker assigns (KIP-848).",
        importance=HIGH,
        check=one_of_any_case("CONSUMER", "CLASSIC"),
    )
    group_remote_assignor = string_option(
        "group.remote.assignor", None, "The broker's assignor with group.protocol=consumer: uniform or range."
    )
    heartbeat_interval_ms = int_option(
        "heartbeat.interval.ms", 3000, "How often a classic member sends heartbeats.", importance=HIGH
    )
    interceptor_classes = list_option(
        "interceptor.classes", (), "`package.module:name` of interceptors; or pass objects.", importance=LOW
    )
    isolation_level = string_option(
        "isolation.level",
        "read_uncommitted",
        "Whether records of open and aborted transactions are read.",
        check=one_of("read_committed", "read_uncommitted"),
    )
    key_deserializer = class_option(
        "key.deserializer", "bytes", "bytes, str, json, or a callable: what becomes of a key.", importance=HIGH
    )
    max_partition_fetch_bytes = int_option(
        "max.partition.fetch.bytes",
        MIB,
        "Bytes of one partition in a fetch response; one batch always fits.",
        importance=HIGH,
        check=at_least(0),
    )
    max_poll_interval_ms = int_option(
        "max.poll.interval.ms",
        300_000,
        "A member that does not poll for this long leaves its group.",
        check=at_least(1),
    )
    max_poll_records = int_option("max.poll.records", 500, "Records of one poll.", check=at_least(1))
    partition_assignment_strategy = list_option(
        "partition.assignment.strategy",
        ("range", "cooperative-sticky"),
        "Assignors of a classic group: range, roundrobin, sticky, cooperative-sticky; first wins.",
    )
    receive_buffer_bytes = int_option(
        "receive.buffer.bytes",
        64 * KIB,
        "Size of the socket's receive buffer; unless set, the system chooses.",
        check=at_least(-1),
    )
    session_timeout_ms = int_option(
        "session.timeout.ms", 45_000, "A classic member without heartbeats for this long is removed.", importance=HIGH
    )
    value_deserializer = class_option(
        "value.deserializer", "bytes", "bytes, str, json, or a callable: what becomes of a value.", importance=HIGH
    )

    def _contradictions(self) -> Iterable[str]:
        yield from super()._contradictions()
        if self.group_protocol.upper() == "CONSUMER":
            for name in ("session.timeout.ms", "heartbeat.interval.ms", "partition.assignment.strategy"):
                if self.is_set(name):
                    yield f"{name}={self.given[name]}: the broker decides it with group.protocol=consumer; leave it out"
        elif self.heartbeat_interval_ms >= self.session_timeout_ms:
            yield (
                f"heartbeat.interval.ms={self.heartbeat_interval_ms}: must be less than session.timeout.ms, "
                f"which is {self.session_timeout_ms}"
            )
