"""How the results of the benchmarks are shown."""

from pathlib import Path

import pytest
from benchmarks.page import RunFacts, page_text, write_page
from benchmarks.plot import label
from benchmarks.results import Outcome, Row, Spread, Verdict, at_least, at_most
from benchmarks.table import markdown_table, number, spread_cell, summary, text_table, with_range

MET = Outcome(
    Row("a", "produce", "MB/s", at_least(2.5)), Spread(100.0, 90.0, 110.0, 3), Spread(300.0, 300.0, 300.0, 3),
    Spread(3.0, 2.7, 3.3, 3), Verdict.MET,
)  # fmt: skip
MISSED = Outcome(
    Row("b", "start | stop", "s", at_most(0.12)), Spread(4.0, 4.0, 4.0, 3), Spread(1.0, 1.0, 1.0, 3),
    Spread(0.25, 0.1, 0.35, 3), Verdict.MISSED,
)  # fmt: skip
ALONE = Outcome(Row("c", "fetch", "MB/s"), None, Spread(5.0, 5.0, 5.0, 1), None, Verdict.NO_GOAL)
COMMAND = "python -m benchmarks.run --quick"
FACTS = RunFacts("2026-01-31", COMMAND, "abc123", 2, "0.3 GB", "Kafka", "Ottla", 2.5)


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0, "0"), (1234, "1,234"), (123.4, "123"), (12.34, "12.3"), (1.234, "1.23"), (0.123, "0.12"), (0.0123, "0.0123")],
)  # fmt: skip
def test_a_number_has_the_digits_that_say_something(value: float, expected: str) -> None:
    assert number(value) == expected


def test_a_range_is_shown_where_rounds_differ() -> None:
    assert with_range(Spread(3.0, 2.0, 4.0, 3), "x") == "3.00x (2.00–4.00)"
    assert with_range(Spread(3.0, 3.0, 3.0, 3)) == "3.00"
    assert with_range(None) == "-"


def test_columns_of_the_text_table_are_aligned() -> None:
    lines = text_table([MET, MISSED, ALONE], "Kafka", "Ottla").splitlines()

    assert lines[0].split() == ["row", "unit", "Kafka", "Ottla", "ratio", "spread", "goal"]
    assert lines[1].index("MB/s") == lines[0].index("unit") == lines[3].index("MB/s")
    assert lines[1].endswith(">= 2.5x   met")


def test_a_bar_in_a_title_does_not_break_the_markdown_table() -> None:
    lines = markdown_table([MET, MISSED], "Kafka", "Ottla").splitlines()

    assert lines[1] == "| --- | --- | ---: | ---: | ---: | ---: | --- | --- |"
    assert lines[3].startswith(
        "| start \\| stop | s | 4.00 | 1.00 | 0.25x (0.10–0.35) | noisy: 100% | <= 0.12x | missed |"
    )


def test_the_spread_of_a_row_is_shown_and_one_that_is_noisy_is_marked() -> None:
    assert spread_cell(MET) == "20%"
    assert spread_cell(MISSED) == "noisy: 100%"


def test_one_round_has_no_spread() -> None:
    assert spread_cell(ALONE) == ""


def test_the_summary_counts_goals_and_names_the_missed_and_the_noisy() -> None:
    assert summary([MET, MISSED, ALONE]) == (
        "1 of 2 goals met; missed: start | stop (s), noisy. "
        "1 of 3 rows are noisy (their rounds differ by more than 30%)"
    )
    assert summary([MET]) == "1 of 1 goals met"


def test_the_summary_of_a_smoke_test_says_that_nothing_is_judged() -> None:
    smoke = MET._replace(verdict=Verdict.NOT_JUDGED)

    assert summary([smoke, ALONE]) == "no goal is judged: that takes a peer, the full size and 3 rounds"


def test_the_page_says_how_to_measure_again_and_shows_its_picture() -> None:
    text = page_text("core", FACTS, [MET], ["the peer was left out"], "core.png")

    assert text.startswith("# Speed and memory: core\n")
    assert "2026-01-31, `python -m benchmarks.run --quick` at revision abc123." in text
    assert "load average before the run 2.5." in text
    assert "![Ratios to Kafka](core.png)" in text
    assert text.endswith("## Notes\n\n- the peer was left out\n")


def test_the_newest_page_replaces_the_one_of_its_name(tmp_path: Path) -> None:
    write_page(tmp_path, "core", FACTS, [ALONE], [])
    page = write_page(tmp_path, "core", FACTS._replace(date="2026-02-01"), [ALONE], [])

    assert [path.name for path in tmp_path.iterdir()] == ["core.md"]
    assert "2026-02-01" in page.read_text()


def test_a_page_without_a_picture_links_to_none() -> None:
    assert "![" not in page_text("core", FACTS, [MET], [], None)


def test_the_plot_says_which_way_is_better() -> None:
    assert label(MET.row) == "produce, MB/s ▲"
    assert label(MISSED.row) == "start | stop, s ▼"
    assert label(ALONE.row) == "fetch, MB/s"
