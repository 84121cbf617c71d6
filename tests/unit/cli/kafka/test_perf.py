"""The figures of the performance tools, in Kafka's lines."""

import math
from datetime import datetime

import pytest

from ottla.cli.failures import Failure
from ottla.cli.perf.latencies import Latencies, ProducerReport, total_line, window_line
from ottla.cli.perf.payloads import random_payloads
from ottla.cli.perf.reports import java_date, metric_lines
from ottla.client.metrics import MetricName


def latencies(*pairs: tuple[float, int], size: int = 100) -> Latencies:
    found = Latencies()
    for latency_ms, count in pairs:
        found.add(latency_ms, count, count * size)
    return found


def test_a_window_has_kafkas_line() -> None:
    line = window_line(latencies((1.2, 24_998), (87.0, 1), size=1000), seconds=5.0)

    assert line == ("24999 records sent, 4999.8 records/sec (4.77 MB/sec), 1.2 ms avg latency, 87.0 ms max latency.")


def test_a_total_has_kafkas_line_and_percentiles() -> None:
    line = total_line(latencies((1, 900), (3, 80), (9, 19), (41, 1)), seconds=2.0)

    assert line == (
        "1000 records sent, 500.000000 records/sec (0.05 MB/sec), 1.35 ms avg latency, 41.00 ms max latency, "
        "1 ms 50th, 3 ms 95th, 9 ms 99th, 41 ms 99.9th."
    )


def test_records_of_the_warm_up_are_not_in_the_second_total() -> None:
    report = ProducerReport(0.0, interval_s=5.0, warmup_count=10)
    report.add(50.0, 10, 1000, 1.0)
    report.add(2.0, 30, 3000, 2.0)

    total, steady = report.totals(2.0)

    assert total.startswith("40 records sent, 20.000000 records/sec")
    assert steady.startswith("30 steady state records sent, 30.000000 records/sec")
    assert " 2.00 ms max latency" in steady


def test_a_window_ends_after_the_interval() -> None:
    report = ProducerReport(0.0, interval_s=5.0)

    assert report.add(1.0, 10, 1000, 4.9) is None
    assert (report.add(1.0, 10, 1000, 5.0) or "").startswith("20 records sent, 4.0 records/sec")
    assert report.add(1.0, 10, 1000, 5.1) is None


def test_no_records_have_no_percentiles() -> None:
    assert Latencies().percentiles((0.5, 0.99)) == [0, 0]


def test_random_payloads_are_letters_of_the_size() -> None:
    payloads = random_payloads(37)

    assert len(payloads.next()) == 37
    assert payloads.next().isalpha()
    assert payloads.next() != payloads.next()


def test_columns_hold_different_values_of_the_size() -> None:
    pytest.importorskip("pyarrow")

    rows = random_payloads(100).rows(50_000).to_pylist()

    assert {len(value) for value in rows} == {100}
    assert len(set(rows)) > 40_000


def test_dates_have_javas_patterns() -> None:
    moment = datetime(2026, 3, 4, 15, 6, 7, 89_000)

    assert java_date(moment, "yyyy-MM-dd HH:mm:ss:SSS") == "2026-03-04 15:06:07:089"
    assert java_date(moment, "yy/M/d 'at' h:mm") == "26/3/4 at 3:06"
    with pytest.raises(Failure):
        java_date(moment, "EEE")


def test_metrics_are_printed_sorted_and_aligned() -> None:
    metrics = {
        MetricName("producer-metrics", "request-latency-avg", "p"): 1.25,
        MetricName("producer-metrics", "batch-size-avg", "p"): math.nan,
    }

    assert list(metric_lines(metrics)) == [
        "",
        "Metric Name                                          Value",
        "producer-metrics:batch-size-avg:{client-id=p}      : NaN",
        "producer-metrics:request-latency-avg:{client-id=p} : 1.250",
    ]
