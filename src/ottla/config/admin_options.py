"""Settings of an admin client."""

from ottla.config.checks import at_least, between
from ottla.config.client_options import ClientOptions
from ottla.config.rows import HIGH, KIB, LOW, MAX_INT, boolean_option, int_option, list_option, long_option


class AdminOptions(ClientOptions):
    """How long an admin client tries."""

    bootstrap_controllers = list_option(
        "bootstrap.controllers",
        (),
        "host:port of controllers to ask instead of brokers (KIP-919); bootstrap.servers must not be set then.",
        importance=HIGH,
    )
    connections_max_idle_ms = long_option(
        "connections.max.idle.ms", 300_000, "A connection that is not used for this long is closed."
    )
    default_api_timeout_ms = int_option(
        "default.api.timeout.ms", 60_000, "Limit of calls without a timeout of their own.", check=at_least(0)
    )
    enable_metrics_push = boolean_option(
        "enable.metrics.push", False, "Pushes metrics to the broker.", importance=LOW, effect=False
    )
    receive_buffer_bytes = int_option(
        "receive.buffer.bytes",
        64 * KIB,
        "Size of the socket's receive buffer; unless set, the system chooses.",
        check=at_least(-1),
    )
    retries = int_option(
        "retries", MAX_INT, "How often a request is tried again.", importance=LOW, check=between(0, MAX_INT)
    )
