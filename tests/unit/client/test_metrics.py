"""What clients count, with Kafka's names."""

import math

from ottla.client.metrics import FetchMetrics, MetricName, Metrics, SendMetrics, Summary


def value(metrics: Metrics, group: str, name: str) -> float:
    return metrics[MetricName(group, name, "c")]


def test_a_summary_has_average_and_maximum() -> None:
    summary = Summary()
    for each in (1.0, 5.0, 3.0):
        summary.record(each)

    assert (summary.avg, summary.max, summary.count) == (3.0, 5.0, 3)


def test_nothing_recorded_is_not_a_number() -> None:
    assert math.isnan(Summary().avg)
    assert math.isnan(Summary().max)


def test_requests_of_a_producer_are_counted_with_their_batches() -> None:
    counted = SendMetrics(began_ms=1000)
    counted.request_count = 2
    for record_count, size, queued_ms in ((10, 400, 500), (30, 600, 10), (20, 500, 10)):
        counted.batch_sent(record_count, size, queued_ms)

    found = counted.metrics("c", 3000, in_flight=2, buffer_bytes=1000, buffer_used_bytes=300)

    expected = {
        "record-send-total": 60.0,
        "record-send-rate": 30.0,
        "batch-size-avg": 500.0,
        "batch-size-max": 600.0,
        "records-per-request-avg": 30.0,
        "record-queue-time-max": 500.0,
        "requests-in-flight": 2.0,
        "buffer-available-bytes": 700.0,
        "record-error-total": 0.0,
    }
    assert {name: value(found, "producer-metrics", name) for name in expected} == expected


def test_fetches_of_a_consumer_are_counted_with_their_bytes() -> None:
    counted = FetchMetrics(began_ms=0)
    for size in (100, 300):
        counted.fetch_size.record(size)

    found = counted.metrics("c", 2000, record_count=50, assigned_count=3)

    group = "consumer-fetch-manager-metrics"
    assert value(found, group, "bytes-consumed-total") == 400.0
    assert value(found, group, "bytes-consumed-rate") == 200.0
    assert value(found, group, "fetch-total") == 2.0
    assert value(found, group, "records-per-request-avg") == 25.0
    assert value(found, "consumer-coordinator-metrics", "assigned-partitions") == 3.0
