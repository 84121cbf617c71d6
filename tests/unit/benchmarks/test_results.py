"""Statistics and goals of the benchmarks."""

import pytest
from benchmarks.results import (
    Goal,
    Outcome,
    Row,
    Samples,
    Spread,
    Verdict,
    at_least,
    at_most,
    percentile,
    ratios,
    spread,
    verdict,
)

ABSOLUTE = at_least(2_500, is_absolute=True)


def three_rounds(median: float, low: float | None = None, high: float | None = None) -> Spread:
    return Spread(median, median if low is None else low, median if high is None else high, 3)


def test_a_spread_is_the_median_and_both_ends() -> None:
    assert spread([3.0, 1.0, 10.0]) == Spread(3.0, 1.0, 10.0, 3)


def test_the_share_of_a_spread_is_its_range_beside_its_median() -> None:
    assert spread([90.0, 100.0, 120.0]).share == pytest.approx(0.3)  # type: ignore[union-attr]
    assert spread([0.0, 0.0, 5.0]).share == 1.0  # type: ignore[union-attr]
    assert spread([0.0]).share == 0.0  # type: ignore[union-attr]


def test_nothing_measured_has_no_spread() -> None:
    assert spread([]) is None


@pytest.mark.parametrize(("share", "expected"), [(0.0, 1.0), (0.5, 51.0), (0.99, 100.0), (1.0, 100.0)])
def test_a_percentile_is_one_of_the_values(share: float, expected: float) -> None:
    values = [float(number) for number in range(100, 0, -1)]

    assert percentile(values, share) == expected


def test_ratios_compare_the_same_round_of_both_peers() -> None:
    assert ratios([10.0, 30.0], [5.0, 10.0]) == [2.0, 3.0]


def test_a_round_that_one_peer_did_not_end_is_left_out() -> None:
    assert ratios([10.0, 30.0], [5.0]) == [2.0]


def test_a_peer_that_measured_nothing_gives_no_ratio() -> None:
    assert ratios([10.0], [0.0]) == []


@pytest.mark.parametrize(
    ("goal", "ratio", "expected"),
    [
        (at_least(2.5), 2.5, Verdict.MET),
        (at_least(2.5), 2.49, Verdict.MISSED),
        (at_most(0.25), 0.25, Verdict.MET),
        (at_most(0.25), 0.26, Verdict.MISSED),
    ],
)
def test_a_goal_is_a_bound_on_the_median_ratio(goal: Goal, ratio: float, expected: Verdict) -> None:
    assert verdict(goal, three_rounds(1.0), three_rounds(ratio, 0.0, 99.0), is_full_size=True) is expected


def test_an_absolute_goal_needs_no_peer() -> None:
    assert verdict(ABSOLUTE, three_rounds(3_000.0), None, is_full_size=True) is Verdict.MET
    assert verdict(ABSOLUTE, three_rounds(2_000.0, high=9_000.0), None, is_full_size=True) is Verdict.MISSED


def test_without_a_peer_a_ratio_is_neither_met_nor_missed() -> None:
    assert verdict(at_least(2.0), three_rounds(1.0), None, is_full_size=True) is Verdict.NO_PEER
    assert verdict(at_least(2.0), None, None, is_full_size=True) is Verdict.NOT_MEASURED


def test_two_rounds_are_not_enough_to_judge_a_goal() -> None:
    ratio = Spread(9.0, 9.0, 9.0, 2)

    assert verdict(at_least(2.0), three_rounds(1.0), ratio, is_full_size=True) is Verdict.NOT_JUDGED


def test_a_small_load_judges_no_goal() -> None:
    assert verdict(at_least(2.0), three_rounds(1.0), three_rounds(9.0), is_full_size=False) is Verdict.NOT_JUDGED
    assert verdict(ABSOLUTE, three_rounds(3_000.0), None, is_full_size=False) is Verdict.NOT_JUDGED


@pytest.mark.parametrize(("low", "is_noisy"), [(2.0, False), (1.9, True)])
def test_a_row_is_noisy_when_its_ratio_differs_by_more_than_30_percent(low: float, is_noisy: bool) -> None:
    steady = three_rounds(10.0)
    outcome = Outcome(Row("a", "a", "s"), steady, steady, three_rounds(2.5, low, 2.7), Verdict.NO_GOAL)

    assert outcome.is_noisy is is_noisy


def test_rounds_that_were_slow_for_both_peers_are_not_noise() -> None:
    swinging = three_rounds(10.0, 5.0, 20.0)
    outcome = Outcome(Row("a", "a", "s"), swinging, swinging, three_rounds(1.0), Verdict.NO_GOAL)

    assert not outcome.is_noisy


def test_a_row_with_an_absolute_goal_is_noisy_by_its_own_figure() -> None:
    swinging = three_rounds(3_000.0, 2_000.0, 4_000.0)
    outcome = Outcome(Row("a", "a", "s", ABSOLUTE), None, swinging, three_rounds(1.0), Verdict.MET)

    assert outcome.is_noisy


def test_samples_become_the_outcome_of_their_row() -> None:
    row = Row("produce", "produce", "MB/s", at_least(2.5))
    samples = Samples()
    for ours, theirs in ((300.0, 100.0), (500.0, 100.0), (200.0, 100.0)):
        samples.add("produce", "ottla", ours)
        samples.add("produce", "kafka", theirs)
    samples.add("another", "ottla", 1.0)

    outcome = samples.outcome(row, "kafka", "ottla", is_full_size=True)

    assert outcome.tested == Spread(300.0, 200.0, 500.0, 3)
    assert outcome.reference == Spread(100.0, 100.0, 100.0, 3)
    assert outcome.ratio == Spread(3.0, 2.0, 5.0, 3)
    assert outcome.verdict is Verdict.MET
    assert outcome.is_noisy


def test_failures_are_listed_with_the_families_they_belong_to() -> None:
    samples = Samples()
    samples.failed("kafka", "groups", "timeout")
    samples.failed("ottla", "tiny", "closed")

    assert samples.failures(["groups", "start"]) == ["groups on kafka: timeout"]
