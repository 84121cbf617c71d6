"""What producers and consumers count, with Kafka's names of metrics.

Totals, averages and maxima are exact since the client was started. Rates are averages over the same time: Kafka's are
over the last 30 seconds or so. Metrics that this client does not count are left out.
"""

from collections.abc import Mapping
from typing import NamedTuple

#: Averages and maxima of nothing, as in Kafka.
_NOTHING = float("nan")


class MetricName(NamedTuple):
    group: str
    name: str
    client_id: str

    def __str__(self) -> str:
        """As Kafka's tools print it."""
        return f"{self.group}:{self.name}:{{client-id={self.client_id}}}"


Metrics = dict[MetricName, float]


class Summary:
    """Number, sum and maximum of recorded values."""

    __slots__ = ("count", "max", "total")

    def __init__(self) -> None:
        self.count = 0
        self.total = 0.0
        self.max = _NOTHING

    def record(self, value: float) -> None:
        self.count += 1
        self.total += value
        if not value <= self.max:
            self.max = value

    @property
    def avg(self) -> float:
        return self.total / self.count if self.count else _NOTHING

    def named(self, name: str) -> dict[str, float]:
        return {f"{name}-avg": self.avg, f"{name}-max": self.max}


class SendMetrics:
    """Owned by the sender of a producer, which records each request, retry and error."""

    def __init__(self, began_ms: int) -> None:
        self.began_ms = began_ms
        self.request_latency_ms = Summary()
        self.batch_size = Summary()
        self.queue_time_ms = Summary()
        self.request_count = 0
        self.record_count = 0
        self.record_errors = 0
        self.record_retries = 0
        self.batch_splits = 0

    def batch_sent(self, record_count: int, size: int, queued_ms: int) -> None:
        """A batch is on the wire."""
        self.record_count += record_count
        self.batch_size.record(size)
        self.queue_time_ms.record(queued_ms)

    def metrics(
        self, client_id: str, now_ms: int, *, in_flight: int, buffer_bytes: int, buffer_used_bytes: int
    ) -> Metrics:
        seconds = _seconds(self.began_ms, now_ms)
        return _in_group(
            "producer-metrics",
            client_id,
            {
                **self.batch_size.named("batch-size"),
                **_counted("batch-split", self.batch_splits, seconds),
                "buffer-available-bytes": float(buffer_bytes - buffer_used_bytes),
                "buffer-total-bytes": float(buffer_bytes),
                **_counted("record-error", self.record_errors, seconds),
                **self.queue_time_ms.named("record-queue-time"),
                **_counted("record-retry", self.record_retries, seconds),
                **_counted("record-send", self.record_count, seconds),
                "records-per-request-avg": _share(self.record_count, self.request_count),
                **self.request_latency_ms.named("request-latency"),
                "requests-in-flight": float(in_flight),
            },
        )


class FetchMetrics:
    """Owned by the fetcher of a consumer, which records each response."""

    def __init__(self, began_ms: int) -> None:
        self.began_ms = began_ms
        self.fetch_latency_ms = Summary()
        self.fetch_size = Summary()

    def metrics(self, client_id: str, now_ms: int, *, record_count: int, assigned_count: int) -> Metrics:
        seconds = _seconds(self.began_ms, now_ms)
        fetches = _in_group(
            "consumer-fetch-manager-metrics",
            client_id,
            {
                **_counted("bytes-consumed", self.fetch_size.total, seconds),
                **self.fetch_latency_ms.named("fetch-latency"),
                **_counted("fetch", self.fetch_size.count, seconds),
                **self.fetch_size.named("fetch-size"),
                **_counted("records-consumed", record_count, seconds),
                "records-per-request-avg": _share(record_count, self.fetch_size.count),
            },
        )
        group = {"assigned-partitions": float(assigned_count)}
        return {**fetches, **_in_group("consumer-coordinator-metrics", client_id, group)}


def _in_group(group: str, client_id: str, values: Mapping[str, float]) -> Metrics:
    return {MetricName(group, name, client_id): value for name, value in values.items()}


def _counted(name: str, count: float, seconds: float) -> dict[str, float]:
    return {f"{name}-rate": count / seconds, f"{name}-total": float(count)}


def _share(count: int, of: int) -> float:
    return count / of if of else _NOTHING


def _seconds(began_ms: int, now_ms: int) -> float:
    return max(1, now_ms - began_ms) / 1000
