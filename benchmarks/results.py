"""Rows, goals and samples: what was measured, how far the rounds differ, whether the goal was reached."""

import statistics
from enum import Enum
from typing import NamedTuple

#: Fewer rounds give figures but no verdict.
ROUNDS_MIN = 3
#: A row whose rounds differ by more than this share of their median is noisy.
NOISE_LIMIT = 0.3


class Bound(Enum):
    AT_LEAST = ">="
    AT_MOST = "<="


class Goal(NamedTuple):
    """A bound on the ratio Ottla / Apache Kafka or, when absolute, on Ottla's own figure."""

    bound: Bound
    value: float
    is_absolute: bool = False

    def holds(self, figure: float) -> bool:
        return figure >= self.value if self.bound is Bound.AT_LEAST else figure <= self.value

    def __str__(self) -> str:
        return f"{self.bound.value} {self.value:,g}{'' if self.is_absolute else 'x'}"


def at_least(value: float, *, is_absolute: bool = False) -> Goal:
    return Goal(Bound.AT_LEAST, value, is_absolute)


def at_most(value: float, *, is_absolute: bool = False) -> Goal:
    return Goal(Bound.AT_MOST, value, is_absolute)


class Row(NamedTuple):
    """One line of the table. `key` is how the measuring code names it."""

    key: str
    title: str
    unit: str
    goal: Goal | None = None


class Spread(NamedTuple):
    median: float
    low: float
    high: float
    rounds: int

    @property
    def share(self) -> float:
        """How far the rounds differ, as a share of their median."""
        return (self.high - self.low) / self.median if self.median else float(self.high > self.low)


def spread(values: list[float]) -> Spread | None:
    if not values:
        return None
    return Spread(statistics.median(values), min(values), max(values), len(values))


def percentile(values: list[float], share: float) -> float:
    """The value that `share` of the values do not exceed (nearest rank)."""
    ordered = sorted(values)
    rank = max(0, min(len(ordered) - 1, int(len(ordered) * share)))
    return ordered[rank]


class Verdict(Enum):
    MET = "met"
    MISSED = "missed"
    NO_GOAL = ""
    NOT_MEASURED = "not measured"
    NO_PEER = "no peer"
    NOT_JUDGED = "not judged"


class Outcome(NamedTuple):
    """One row with everything that the table and the plot need."""

    row: Row
    reference: Spread | None
    tested: Spread | None
    ratio: Spread | None
    verdict: Verdict

    @property
    def compared(self) -> Spread | None:
        """The figure that counts: the ratio to the peer, or Ottla's own where there is none or the goal is absolute."""
        return figure_that_counts(self.row.goal, self.tested, self.ratio) or self.tested

    @property
    def is_noisy(self) -> bool:
        return self.compared is not None and self.compared.share > NOISE_LIMIT


class Samples:
    """Collects figures by row and peer, one per round."""

    def __init__(self) -> None:
        self._values: dict[tuple[str, str], list[float]] = {}
        self._failures: list[tuple[str, str]] = []

    def add(self, key: str, peer: str, value: float) -> None:
        self._values.setdefault((key, peer), []).append(value)

    def failed(self, peer: str, family: str, reason: str) -> None:
        self._failures.append((family, f"{family} on {peer}: {reason}"))

    def failures(self, families: list[str]) -> list[str]:
        return [text for family, text in self._failures if family in families]

    def of(self, key: str, peer: str) -> list[float]:
        return self._values.get((key, peer), [])

    def outcome(self, row: Row, reference: str, tested: str, *, is_full_size: bool) -> Outcome:
        ours, theirs = self.of(row.key, tested), self.of(row.key, reference)
        ratio = spread(ratios(ours, theirs))
        return Outcome(
            row, spread(theirs), spread(ours), ratio, verdict(row.goal, spread(ours), ratio, is_full_size=is_full_size)
        )


def ratios(tested: list[float], reference: list[float]) -> list[float]:
    """Round by round: what disturbs a round disturbs both peers. A round that one peer did not end is left out."""
    return [ours / theirs for ours, theirs in zip(tested, reference, strict=False) if theirs]


def figure_that_counts(goal: Goal | None, tested: Spread | None, ratio: Spread | None) -> Spread | None:
    return tested if goal is not None and goal.is_absolute else ratio


def verdict(goal: Goal | None, tested: Spread | None, ratio: Spread | None, *, is_full_size: bool) -> Verdict:
    """A goal is met or missed by the median of enough rounds in full size; anything less is a smoke test."""
    if goal is None:
        return Verdict.NO_GOAL
    if tested is None:
        return Verdict.NOT_MEASURED
    judged = figure_that_counts(goal, tested, ratio)
    if judged is None:
        return Verdict.NO_PEER
    if not is_full_size or judged.rounds < ROUNDS_MIN:
        return Verdict.NOT_JUDGED
    return Verdict.MET if goal.holds(judged.median) else Verdict.MISSED
