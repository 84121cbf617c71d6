"""Pauses between attempts."""

from ottla.client.retrying import Backoff
from ottla.sim.rng import SimRng


def test_pauses_double_up_to_the_limit_with_a_fifth_of_jitter() -> None:
    backoff = Backoff(100, 1000, SimRng(1))

    pauses = [backoff.failed_ms() for _ in range(8)]

    for pause, whole in zip(pauses, [100, 200, 400, 800, 1000, 1000, 1000, 1000], strict=True):
        assert whole * 0.8 <= pause <= min(1000, whole * 1.2)


def test_success_starts_again() -> None:
    backoff = Backoff(100, 1000, SimRng(1))
    for _ in range(5):
        backoff.failed_ms()

    backoff.succeeded()

    assert backoff.failed_ms() <= 120


def test_no_pause_is_possible() -> None:
    assert Backoff(0, 0, SimRng(1)).failed_ms() == 0
