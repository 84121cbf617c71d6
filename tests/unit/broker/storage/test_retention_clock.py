"""Data do not grow old by a jump of the clock."""

import pytest

from ottla.broker.storage.retention_clock import RetentionClock
from tests.support.clocks import JumpingClock

START_MS = 1_700_000_000_000
MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS


@pytest.fixture
def clock() -> JumpingClock:
    return JumpingClock(START_MS)


@pytest.fixture
def retention(clock: JumpingClock) -> RetentionClock:
    return RetentionClock(clock, HOUR_MS)


def test_it_is_the_wall_clock_as_long_as_that_behaves(clock: JumpingClock, retention: RetentionClock) -> None:
    for _ in range(100):
        clock.passes(5 * MINUTE_MS)
        clock.jumps(200)
        assert retention.now_ms() == clock.now_ms()


@pytest.mark.parametrize("jump_ms", [HOUR_MS, 365 * 24 * HOUR_MS])
def test_a_jump_forward_makes_nothing_older(clock: JumpingClock, retention: RetentionClock, jump_ms: int) -> None:
    clock.passes(5 * MINUTE_MS)
    retention.now_ms()
    clock.jumps(jump_ms)
    clock.passes(5 * MINUTE_MS)

    assert retention.now_ms() == START_MS + 10 * MINUTE_MS
    assert retention.is_doubted


def test_a_clock_that_is_set_right_again_has_done_no_harm(clock: JumpingClock, retention: RetentionClock) -> None:
    clock.jumps(HOUR_MS)
    retention.now_ms()
    clock.passes(30 * MINUTE_MS)
    clock.jumps(-HOUR_MS)

    assert retention.now_ms() == clock.now_ms() == START_MS + 30 * MINUTE_MS
    assert not retention.is_doubted


def test_a_jump_that_lasts_is_believed(clock: JumpingClock, retention: RetentionClock) -> None:
    clock.jumps(24 * HOUR_MS)
    retention.now_ms()
    clock.passes(HOUR_MS - 1)
    assert retention.now_ms() == START_MS + HOUR_MS - 1

    clock.passes(1)

    assert retention.now_ms() == clock.now_ms()
    clock.passes(1)
    assert retention.now_ms() == clock.now_ms()


def test_a_jump_back_counts_at_once(clock: JumpingClock, retention: RetentionClock) -> None:
    clock.jumps(-HOUR_MS)

    assert retention.now_ms() == START_MS - HOUR_MS


def test_without_a_hold_every_jump_counts(clock: JumpingClock) -> None:
    retention = RetentionClock(clock, 0)
    clock.jumps(HOUR_MS)

    assert retention.now_ms() == START_MS + HOUR_MS


def test_time_goes_on_where_the_last_run_ended(clock: JumpingClock, retention: RetentionClock) -> None:
    retention.resume(START_MS - 24 * HOUR_MS)
    clock.passes(MINUTE_MS)

    assert retention.now_ms() == retention.held_ms == START_MS - 24 * HOUR_MS + MINUTE_MS
    clock.passes(HOUR_MS - MINUTE_MS)
    assert retention.now_ms() == clock.now_ms()
    assert retention.held_ms is None


def test_a_clock_that_is_set_back_after_the_start_is_believed(clock: JumpingClock, retention: RetentionClock) -> None:
    retention.resume(START_MS - 24 * HOUR_MS)
    clock.passes(MINUTE_MS)
    clock.jumps(-24 * HOUR_MS)

    assert retention.now_ms() == clock.now_ms()
    assert not retention.is_doubted


@pytest.mark.parametrize("alive_ms", [None, START_MS - MINUTE_MS, START_MS, START_MS + 24 * HOUR_MS])
def test_a_restart_without_much_delay_is_no_jump(
    clock: JumpingClock, retention: RetentionClock, alive_ms: int | None
) -> None:
    retention.resume(alive_ms)

    assert not retention.is_doubted
    assert retention.now_ms() == clock.now_ms()


def test_without_a_hold_a_long_absence_counts_at_once(clock: JumpingClock) -> None:
    retention = RetentionClock(clock, 0)
    retention.resume(START_MS - 24 * HOUR_MS)

    assert retention.now_ms() == clock.now_ms()
