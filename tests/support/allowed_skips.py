"""Fails a run in which a test is skipped for a reason that tests/allowed-skips.txt does not have."""

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

FILE = Path(__file__).parents[1] / "allowed-skips.txt"


def patterns(text: str) -> list[re.Pattern[str]]:
    lines = (line.strip() for line in text.splitlines())
    return [re.compile(line) for line in lines if line and not line.startswith("#")]


def is_allowed(reason: str, allowed: Iterable[re.Pattern[str]]) -> bool:
    return any(pattern.match(reason) for pattern in allowed)


class AllowedSkips:
    """A plug-in of pytest. With xdist it sees the reports of all workers."""

    def __init__(self) -> None:
        self._allowed = patterns(FILE.read_text(encoding="utf-8"))
        self._unknown: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._look_at(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self._look_at(report)

    def _look_at(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        if not report.skipped or hasattr(report, "wasxfail"):
            return
        where = report.longrepr
        reason = str(where[2] if isinstance(where, tuple) else where).removeprefix("Skipped: ")
        if not is_allowed(reason, self._allowed):
            self._unknown[report.nodeid] = reason

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self._unknown and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for test, reason in self._unknown.items():
            terminalreporter.write_line(f"{test}: skipped for a reason that is not in {FILE.name}: {reason}", red=True)
