"""Latencies of many records and Kafka's lines about them.

Records of one batch are acknowledged together: `add` takes a latency and for how many records it holds.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final

MIB: Final = 1024 * 1024
TOTAL_PERCENTILES: Final = (0.5, 0.95, 0.99, 0.999)


class Latencies:
    """A histogram in milliseconds; exact in count, sum and maximum."""

    def __init__(self) -> None:
        self._counts: Counter[int] = Counter()
        self.count = 0
        self.size = 0
        self.total_ms = 0.0
        self.max_ms = 0.0

    def add(self, latency_ms: float, count: int, size: int) -> None:
        """`size`: bytes of all these records."""
        self._counts[int(latency_ms)] += count
        self.count += count
        self.size += size
        self.total_ms += latency_ms * count
        if latency_ms > self.max_ms:
            self.max_ms = latency_ms

    @property
    def average_ms(self) -> float:
        return self.total_ms / self.count if self.count else 0.0

    def percentiles(self, shares: Iterable[float]) -> list[int]:
        """For each share the latency that so many records do not exceed, as Kafka counts it."""
        ranks = [min(int(share * self.count), max(self.count - 1, 0)) for share in shares]
        found = []
        for rank in ranks:
            seen = 0
            for latency in sorted(self._counts):
                seen += self._counts[latency]
                if seen > rank:
                    found.append(latency)
                    break
            else:
                found.append(0)
        return found


def window_line(window: Latencies, seconds: float) -> str:
    per_second, mib = _rates(window, seconds)
    return (
        f"{window.count} records sent, {per_second:.1f} records/sec ({mib:.2f} MB/sec),"
        f" {window.average_ms:.1f} ms avg latency, {float(int(window.max_ms)):.1f} ms max latency."
    )


def total_line(total: Latencies, seconds: float, *, steady: bool = False) -> str:
    per_second, mib = _rates(total, seconds)
    p50, p95, p99, p999 = total.percentiles(TOTAL_PERCENTILES)
    return (
        f"{total.count}{' steady state' if steady else ''} records sent, {per_second:f} records/sec ({mib:.2f} MB/sec),"
        f" {total.average_ms:.2f} ms avg latency, {float(int(total.max_ms)):.2f} ms max latency,"
        f" {p50} ms 50th, {p95} ms 95th, {p99} ms 99th, {p999} ms 99.9th."
    )


def _rates(latencies: Latencies, seconds: float) -> tuple[float, float]:
    seconds = max(seconds, 1e-9)
    return latencies.count / seconds, latencies.size / seconds / MIB


class ProducerReport:
    """Windows and totals of one run. `now_s` is a monotonic time in seconds."""

    def __init__(self, now_s: float, *, interval_s: float, warmup_count: int = 0) -> None:
        self._interval_s = interval_s
        self._warmup_count = warmup_count
        self._began_s = now_s
        self._window_began_s = now_s
        self._steady_began_s = now_s
        self._window = Latencies()
        self._total = Latencies()
        self._steady = Latencies()

    @property
    def count(self) -> int:
        return self._total.count

    def add(self, latency_ms: float, count: int, size: int, now_s: float) -> str | None:
        """The line of the window that ends now, if one does."""
        is_steady = self._warmup_count > 0 and self._total.count >= self._warmup_count
        self._total.add(latency_ms, count, size)
        self._window.add(latency_ms, count, size)
        if is_steady:
            self._steady.add(latency_ms, count, size)
        elif self._warmup_count:
            self._steady_began_s = now_s
        if now_s - self._window_began_s < self._interval_s:
            return None
        line = window_line(self._window, now_s - self._window_began_s)
        self._window, self._window_began_s = Latencies(), now_s
        return line

    def totals(self, now_s: float) -> list[str]:
        lines = [total_line(self._total, now_s - self._began_s)]
        if self._warmup_count:
            lines.append(total_line(self._steady, now_s - self._steady_began_s, steady=True))
        return lines
