"""Settings that producer, consumer and admin client share: the cluster, connections, back-off, metadata."""

from ottla.config.checks import at_least, one_of, one_of_any_case
from ottla.config.client_security_options import ClientSecurityOptions
from ottla.config.rows import HIGH, LOW, int_option, list_option, long_option, string_option


class ClientOptions(ClientSecurityOptions):
    """How a client finds its cluster and talks to it."""

    bootstrap_servers = list_option(
        "bootstrap.servers",
        (),
        "host:port of brokers to ask first; the rest of the cluster is learnt.",
        importance=HIGH,
    )
    client_dns_lookup = string_option(
        "client.dns.lookup",
        "use_all_dns_ips",
        "Every address of a name is tried; Ottla does nothing else.",
        check=one_of("use_all_dns_ips", "resolve_canonical_bootstrap_servers_only"),
        effect=False,
    )
    client_id = string_option("client.id", "", "Name of this client in the broker's logs, quotas and metrics.")
    connections_max_idle_ms = long_option(
        "connections.max.idle.ms", 540_000, "A connection that is not used for this long is closed."
    )
    metadata_max_age_ms = long_option(
        "metadata.max.age.ms",
        300_000,
        "Metadata is refreshed after this time even without a reason.",
        importance=LOW,
        check=at_least(0),
    )
    metadata_recovery_rebootstrap_trigger_ms = long_option(
        "metadata.recovery.rebootstrap.trigger.ms",
        300_000,
        "Ottla starts again from the bootstrap servers as soon as no known broker can be reached.",
        importance=LOW,
        check=at_least(0),
        effect=False,
    )
    metadata_recovery_strategy = string_option(
        "metadata.recovery.strategy",
        "rebootstrap",
        "What to do when no known broker can be reached: start again from the bootstrap servers, or not.",
        importance=LOW,
        check=one_of_any_case("REBOOTSTRAP", "NONE"),
    )
    metric_reporters = list_option(
        "metric.reporters",
        ("org.apache.kafka.common.metrics.JmxReporter",),
        "Java classes; Ottla's client has none.",
        importance=LOW,
        effect=False,
    )
    metrics_num_samples = int_option(
        "metrics.num.samples", 2, "Samples of a metric.", importance=LOW, check=at_least(1), effect=False
    )
    metrics_recording_level = string_option(
        "metrics.recording.level",
        "INFO",
        "Detail of metrics.",
        importance=LOW,
        check=one_of("INFO", "DEBUG", "TRACE"),
        effect=False,
    )
    metrics_sample_window_ms = long_option(
        "metrics.sample.window.ms", 30_000, "Window of a metric.", importance=LOW, check=at_least(0), effect=False
    )
    reconnect_backoff_max_ms = long_option(
        "reconnect.backoff.max.ms",
        1000,
        "Max pause between attempts to connect to a node.",
        importance=LOW,
        check=at_least(0),
    )
    reconnect_backoff_ms = long_option(
        "reconnect.backoff.ms",
        50,
        "First pause between attempts to connect to a node; then it doubles.",
        importance=LOW,
        check=at_least(0),
    )
    request_timeout_ms = int_option(
        "request.timeout.ms",
        30_000,
        "A request without a response for this long fails and is tried again.",
        check=at_least(0),
    )
    retry_backoff_max_ms = long_option(
        "retry.backoff.max.ms",
        1000,
        "Max pause before a request is tried again.",
        importance=LOW,
        check=at_least(0),
    )
    retry_backoff_ms = long_option(
        "retry.backoff.ms",
        100,
        "First pause before a request is tried again; then it doubles.",
        importance=LOW,
        check=at_least(0),
    )
    send_buffer_bytes = int_option(
        "send.buffer.bytes",
        131_072,
        "Size of the socket's send buffer; unless set, the system chooses.",
        check=at_least(-1),
    )
    socket_connection_setup_timeout_max_ms = long_option(
        "socket.connection.setup.timeout.max.ms", 30_000, "Max time for one attempt to connect."
    )
    socket_connection_setup_timeout_ms = long_option(
        "socket.connection.setup.timeout.ms", 10_000, "Time for the first attempt to connect; then it doubles."
    )
