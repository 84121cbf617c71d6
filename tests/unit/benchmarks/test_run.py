"""Which families there are, which run may replace a page, and which figures are doubtful."""

import pytest
from benchmarks.family import QUICK, Family, Load
from benchmarks.run import FAMILIES, can_publish, doubts, main

SCALE = [family for family in FAMILIES if family.page == "partitions-and-stalls"]


@pytest.mark.parametrize("load", [Load(), QUICK], ids=["full", "quick"])
def test_every_row_has_a_key_of_its_own(load: Load) -> None:
    keys = [row.key for family in FAMILIES for row in family.rows(load)]

    assert len(keys) == len(set(keys)) > 40


def test_an_unknown_family_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--only", "throughput,nonsense"])

    assert "nonsense" in capsys.readouterr().err


def test_a_full_run_of_all_its_families_replaces_a_page() -> None:
    assert len(SCALE) > 1
    assert can_publish(SCALE, Load(), 3)
    assert can_publish(SCALE, Load(gb=2.0), 5)


@pytest.mark.parametrize(
    ("families", "load", "rounds"),
    [(SCALE[1:], Load(), 3), (SCALE, QUICK, 3), (SCALE, Load(gb=0.9), 3), (SCALE, Load(), 2)],
    ids=["not all families", "quick", "fewer bytes", "too few rounds"],
)
def test_anything_less_replaces_no_page(families: list[Family], load: Load, rounds: int) -> None:
    assert not can_publish(families, load, rounds)


def test_a_quiet_machine_with_compiled_code_leaves_no_doubt() -> None:
    assert doubts(0.9, []) == []


def test_a_busy_machine_is_named() -> None:
    assert doubts(1.1, []) == ["the machine was busy before the run (load average 1.1): measure again"]


def test_compiled_code_that_did_not_run_is_named() -> None:
    (doubt,) = doubts(0.0, ["ottla.model.murmur2"])

    assert "older than ottla.model.murmur2" in doubt
    assert "make .venv/.base" in doubt
