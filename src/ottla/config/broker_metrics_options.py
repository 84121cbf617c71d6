"""Metrics, client telemetry and quota windows."""

from ottla.config.checks import at_least, no_blank_entries
from ottla.config.option import OptionSet
from ottla.config.rows import CLUSTER_WIDE, LOW, MIB, class_option, int_option, list_option, long_option, string_option


class BrokerMetricsOptions(OptionSet):
    """Rows of BrokerOptions about metrics and quotas."""

    client_quota_callback_class = class_option("client.quota.callback.class", None, "", importance=LOW)
    kafka_metrics_polling_interval_secs = int_option(
        "kafka.metrics.polling.interval.secs", 10, "", check=at_least(1), importance=LOW
    )
    kafka_metrics_reporters = list_option("kafka.metrics.reporters", (), "", check=no_blank_entries(), importance=LOW)
    metric_reporters = list_option(
        "metric.reporters",
        ("org.apache.kafka.common.metrics.JmxReporter",),
        "",
        check=no_blank_entries(),
        importance=LOW,
        update=CLUSTER_WIDE,
    )
    metrics_num_samples = int_option("metrics.num.samples", 2, "", check=at_least(1), importance=LOW)
    metrics_recording_level = string_option("metrics.recording.level", "INFO", "", importance=LOW)
    metrics_sample_window_ms = long_option("metrics.sample.window.ms", 30_000, "", check=at_least(1), importance=LOW)
    quota_window_num = int_option("quota.window.num", 11, "", check=at_least(1), importance=LOW)
    quota_window_size_seconds = int_option("quota.window.size.seconds", 1, "", check=at_least(1), importance=LOW)
    telemetry_max_bytes = int_option("telemetry.max.bytes", MIB, "", check=at_least(1), importance=LOW)
