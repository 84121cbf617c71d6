"""Checkers: one file per family of invariants. Each takes a history and gives its findings."""

from ottla.sim.checkers.acknowledged import acknowledged_findings
from ottla.sim.checkers.duplicates import duplicate_findings
from ottla.sim.checkers.offsets import offset_findings
from ottla.sim.checkers.order import order_findings
from ottla.sim.checkers.origin import origin_findings
from ottla.sim.history import Finding, History

CLIENT_CHECKERS = (
    acknowledged_findings,
    offset_findings,
    duplicate_findings,
    order_findings,
    origin_findings,
)


def check_history(history: History) -> list[Finding]:
    """All findings about what clients saw, those of the run first."""
    findings = list(history.findings)
    for checker in CLIENT_CHECKERS:
        findings.extend(checker(history))
    return findings
