"""How the results of the benchmarks are shown."""

import pytest
from benchmarks.page import RunFacts, page_text
from benchmarks.plot import label
from benchmarks.results import Outcome, Row, Spread, at_least, at_most
from benchmarks.table import markdown_table, number, summary, text_table, with_spread

MET = Outcome(
    Row("a", "produce", "MB/s", at_least(2.5)), Spread(100.0, 90.0, 110.0), Spread(300.0, 300.0, 300.0),
    Spread(3.0, 2.7, 3.3), "met",
)  # fmt: skip
MISSED = Outcome(
    Row("b", "start | stop", "s", at_most(0.12)), Spread(4.0, 4.0, 4.0), Spread(1.0, 1.0, 1.0),
    Spread(0.25, 0.25, 0.25), "missed",
)  # fmt: skip
ALONE = Outcome(Row("c", "fetch", "MB/s"), None, Spread(5.0, 5.0, 5.0), None, "")
COMMAND = "python -m benchmarks.run --quick"
FACTS = RunFacts("2026-01-31", "quick", COMMAND, "abc123", 2, "0.3 GB", "Kafka", "Ottla", 2.5)


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0, "0"), (1234, "1,234"), (123.4, "123"), (12.34, "12.3"), (1.234, "1.23"), (0.123, "0.12"), (0.0123, "0.0123")],
)  # fmt: skip
def test_a_number_has_the_digits_that_say_something(value: float, expected: str) -> None:
    assert number(value) == expected


def test_a_spread_is_shown_where_rounds_differ() -> None:
    assert with_spread(Spread(3.0, 2.0, 4.0), "x") == "3.00x (2.00–4.00)"
    assert with_spread(Spread(3.0, 3.0, 3.0)) == "3.00"
    assert with_spread(None) == "-"


def test_columns_of_the_text_table_are_aligned() -> None:
    lines = text_table([MET, MISSED, ALONE], "Kafka", "Ottla").splitlines()

    assert lines[0].split() == ["row", "unit", "Kafka", "Ottla", "ratio", "goal"]
    assert lines[1].index("MB/s") == lines[0].index("unit") == lines[3].index("MB/s")
    assert lines[1].endswith(">= 2.5x   met")


def test_a_bar_in_a_title_does_not_break_the_markdown_table() -> None:
    lines = markdown_table([MET, MISSED], "Kafka", "Ottla").splitlines()

    assert lines[1] == "| --- | --- | ---: | ---: | ---: | --- | --- |"
    assert lines[3].startswith("| start \\| stop | s | 4.00 | 1.00 | 0.25x | <= 0.12x | missed |")


def test_the_summary_counts_goals_and_names_the_missed() -> None:
    assert summary([MET, MISSED, ALONE]) == "1 of 2 goals met; missed: start | stop (s)"
    assert summary([MET]) == "1 of 1 goals met"


def test_the_page_says_how_to_measure_again_and_shows_its_picture() -> None:
    text = page_text(FACTS, [MET], ["the peer was left out"], "picture.png")

    assert text.startswith("# Speed and memory, 2026-01-31 (quick)\n")
    assert "`python -m benchmarks.run --quick` at revision abc123." in text
    assert "load average before the run 2.5." in text
    assert "![Ratios to Kafka](picture.png)" in text
    assert text.endswith("## Notes\n\n- the peer was left out\n")


def test_a_page_without_a_picture_links_to_none() -> None:
    assert "![" not in page_text(FACTS, [MET], [], None)


def test_the_plot_says_which_way_is_better() -> None:
    assert label(MET.row) == "produce, MB/s ▲"
    assert label(MISSED.row) == "start | stop, s ▼"
    assert label(ALONE.row) == "fetch, MB/s"
