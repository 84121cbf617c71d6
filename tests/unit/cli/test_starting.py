"""What a start that is refused says."""

import pytest

from ottla.cli.dev import HINTS
from ottla.cli.exit_codes import EXIT_CONFIG, EXIT_IN_USE
from ottla.cli.starting import report
from ottla.log.store.store_directory import DIRECTORY_IN_USE
from ottla.model.errors import InUse, InvalidConfig


def test_every_problem_stands_on_a_line_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert report(InvalidConfig(["one", "two"]), {}) == EXIT_CONFIG

    assert capsys.readouterr().err.splitlines() == [
        "error: 2 problems in the configuration, nothing was started",
        "  - one",
        "  - two",
    ]


def test_a_second_dev_broker_in_one_directory_is_told_how_to_run_beside_the_first(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert report(InUse([f"log.dirs=/here: {DIRECTORY_IN_USE}"]), HINTS) == EXIT_IN_USE

    assert capsys.readouterr().err.splitlines()[2:] == [
        "hint: ottla dev --memory --port 0 runs beside it, with data that is thrown away"
    ]


def test_a_problem_that_no_hint_fits_gets_none(capsys: pytest.CaptureFixture[str]) -> None:
    report(InvalidConfig(["node.id: not a number"]), HINTS)

    assert "hint" not in capsys.readouterr().err
