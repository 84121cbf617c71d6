"""The clocks of the system."""

import time

from ottla.runtime.clock import OsClock


def test_now_is_the_time_of_day_in_whole_milliseconds() -> None:
    before = time.time_ns() // 1_000_000
    now_ms = OsClock().now_ms()
    assert before <= now_ms <= time.time_ns() // 1_000_000


def test_monotonic_time_never_goes_back() -> None:
    clock = OsClock()
    read = [clock.monotonic_ms() for _ in range(100)]
    assert read == sorted(read)


def test_monotonic_time_is_that_of_pythons_own_clock() -> None:
    before = time.monotonic_ns() // 1_000_000
    now_ms = OsClock().monotonic_ms()
    assert before <= now_ms <= time.monotonic_ns() // 1_000_000
