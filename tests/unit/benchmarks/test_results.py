"""Statistics and goals of the benchmarks."""

import pytest
from benchmarks.results import Row, Samples, Spread, at_least, at_most, percentile, ratios, spread, verdict


def test_a_spread_is_the_median_and_both_ends() -> None:
    assert spread([3.0, 1.0, 10.0]) == Spread(3.0, 1.0, 10.0)


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
        (at_least(2.5), 2.5, "met"),
        (at_least(2.5), 2.49, "missed"),
        (at_most(0.25), 0.25, "met"),
        (at_most(0.25), 0.26, "missed"),
    ],
)
def test_a_goal_is_a_bound_on_the_median_ratio(goal: object, ratio: float, expected: str) -> None:
    outcome = verdict(goal, Spread(1.0, 1.0, 1.0), Spread(ratio, 0.0, 99.0))  # type: ignore[arg-type]

    assert outcome == expected


def test_an_absolute_goal_needs_no_peer() -> None:
    goal = at_least(10_000, is_absolute=True)

    assert verdict(goal, Spread(12_000.0, 11_000.0, 13_000.0), None) == "met"
    assert verdict(goal, Spread(9_000.0, 8_000.0, 13_000.0), None) == "missed"


def test_without_a_peer_a_ratio_is_neither_met_nor_missed() -> None:
    assert verdict(at_least(2.0), Spread(1.0, 1.0, 1.0), None) == "no peer"
    assert verdict(at_least(2.0), None, None) == "not measured"


def test_samples_become_the_outcome_of_their_row() -> None:
    row = Row("produce", "produce", "MB/s", at_least(2.5))
    samples = Samples()
    for ours, theirs in ((300.0, 100.0), (500.0, 100.0), (200.0, 100.0)):
        samples.add("produce", "ottla", ours)
        samples.add("produce", "kafka", theirs)
    samples.add("another", "ottla", 1.0)

    outcome = samples.outcome(row, "kafka", "ottla")

    assert outcome.tested == Spread(300.0, 200.0, 500.0)
    assert outcome.reference == Spread(100.0, 100.0, 100.0)
    assert outcome.ratio == Spread(3.0, 2.0, 5.0)
    assert outcome.verdict == "met"
