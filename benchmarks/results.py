"""Rows, goals and samples: what was measured, how far it spreads, whether the goal was reached."""

import statistics
from enum import Enum
from typing import NamedTuple


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


def spread(values: list[float]) -> Spread | None:
    if not values:
        return None
    return Spread(statistics.median(values), min(values), max(values))


def percentile(values: list[float], share: float) -> float:
    """The value that `share` of the values do not pass (nearest rank)."""
    ordered = sorted(values)
    rank = max(0, min(len(ordered) - 1, int(len(ordered) * share)))
    return ordered[rank]


class Outcome(NamedTuple):
    """One row with everything that the table and the plot need."""

    row: Row
    reference: Spread | None
    tested: Spread | None
    ratio: Spread | None
    verdict: str


class Samples:
    """Collects figures by row and peer, one per round."""

    def __init__(self) -> None:
        self._values: dict[tuple[str, str], list[float]] = {}
        self.failures: list[str] = []

    def add(self, key: str, peer: str, value: float) -> None:
        self._values.setdefault((key, peer), []).append(value)

    def failed(self, peer: str, family: str, reason: str) -> None:
        self.failures.append(f"{family} on {peer}: {reason}")

    def of(self, key: str, peer: str) -> list[float]:
        return self._values.get((key, peer), [])

    def outcome(self, row: Row, reference: str, tested: str) -> Outcome:
        ours, theirs = self.of(row.key, tested), self.of(row.key, reference)
        ratio = spread(ratios(ours, theirs))
        return Outcome(row, spread(theirs), spread(ours), ratio, verdict(row.goal, spread(ours), ratio))


def ratios(tested: list[float], reference: list[float]) -> list[float]:
    """Round by round: what disturbs a round disturbs both peers. A round that one peer did not end is left out."""
    return [ours / theirs for ours, theirs in zip(tested, reference, strict=False) if theirs]


def verdict(goal: Goal | None, tested: Spread | None, ratio: Spread | None) -> str:
    if goal is None:
        return ""
    judged = tested if goal.is_absolute else ratio
    if judged is None:
        return "not measured" if tested is None else "no peer"
    return "met" if goal.holds(judged.median) else "missed"
