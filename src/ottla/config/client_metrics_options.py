"""Settings of a client metrics subscription: resource type CLIENT_METRICS."""

from ottla.config.checks import between
from ottla.config.option import OptionSet
from ottla.config.rows import int_option, list_option


class ClientMetricsOptions(OptionSet):
    """Which clients send which metrics, and how often."""

    interval_ms = int_option(
        "interval.ms", 300_000, "How often matching clients send their metrics.", check=between(100, 3_600_000)
    )
    match = list_option(
        "match", (), "Clients this subscription is for: name=regular-expression pairs; empty means every client."
    )
    metrics = list_option("metrics", (), "Prefixes of the names of the metrics that clients send; `*` means all.")
