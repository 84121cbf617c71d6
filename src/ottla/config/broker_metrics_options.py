"""Metrics, client telemetry and quota windows."""

from ottla.config.checks import at_least, no_blank_entries
from ottla.config.option import OptionSet
from ottla.config.rows import CLUSTER_WIDE, LOW, MIB, class_option, int_option, list_option, long_option, string_option


class BrokerMetricsOptions(OptionSet):
    """Rows of BrokerOptions about metrics and quotas."""

    client_quota_callback_class = class_option(
        "client.quota.callback.class",
        None,
        "Java class that decides about client quotas; Ottla loads no Java classes.",
        importance=LOW,
        effect=False,
    )
    kafka_metrics_polling_interval_secs = int_option(
        "kafka.metrics.polling.interval.secs",
        10,
        "How often Kafka's own metrics reporters are asked.",
        check=at_least(1),
        importance=LOW,
        effect=False,
    )
    kafka_metrics_reporters = list_option(
        "kafka.metrics.reporters",
        (),
        "Java classes that report Kafka's own metrics; Ottla loads no Java classes.",
        check=no_blank_entries(),
        importance=LOW,
        effect=False,
    )
    metric_reporters = list_option(
        "metric.reporters",
        ("org.apache.kafka.common.metrics.JmxReporter",),
        "Java classes that report metrics; Ottla loads no Java classes.",
        check=no_blank_entries(),
        importance=LOW,
        update=CLUSTER_WIDE,
        effect=False,
    )
    metrics_num_samples = int_option(
        "metrics.num.samples", 2, "Samples kept to work a metric out.", check=at_least(1), importance=LOW, effect=False
    )
    metrics_recording_level = string_option(
        "metrics.recording.level", "INFO", "How detailed metrics are.", importance=LOW, effect=False
    )
    metrics_sample_window_ms = long_option(
        "metrics.sample.window.ms",
        30_000,
        "Length of one sample of a metric.",
        check=at_least(1),
        importance=LOW,
        effect=False,
    )
    quota_window_num = int_option(
        "quota.window.num",
        11,
        "Samples kept to measure the rates of clients.",
        check=at_least(1),
        importance=LOW,
        effect=False,
    )
    quota_window_size_seconds = int_option(
        "quota.window.size.seconds",
        1,
        "Length of one sample when measuring the rates of clients.",
        check=at_least(1),
        importance=LOW,
        effect=False,
    )
    telemetry_max_bytes = int_option(
        "telemetry.max.bytes",
        MIB,
        "Largest metrics message accepted from a client.",
        check=at_least(1),
        importance=LOW,
        effect=False,
    )
