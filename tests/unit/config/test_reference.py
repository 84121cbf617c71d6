"""The generated page of settings."""

from pathlib import Path

from ottla.config.reference import PAGE, reference_text
from ottla.config.topic_options import TopicOptions

ROOT = Path(__file__).parents[3]


def test_the_page_is_up_to_date() -> None:
    assert (ROOT / PAGE).read_text(encoding="utf-8") == reference_text()


def test_every_topic_setting_has_its_row() -> None:
    text = reference_text()

    assert all(f"| `{name}` | {row.kind.name.lower()} |" in text for name, row in TopicOptions.rows.items())


def test_every_row_of_a_table_has_as_many_cells_as_its_head() -> None:
    for section in reference_text().split("\n## ")[1:]:
        rows = [line for line in section.splitlines() if line.startswith("|")]
        assert len({line.replace("\\|", "").count("|") for line in rows}) == 1
