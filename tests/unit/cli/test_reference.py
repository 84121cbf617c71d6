"""The generated page of commands."""

from pathlib import Path

import pytest

from ottla.cli.commands import COMMANDS
from ottla.cli.reference import PAGE, main, reference_text

ROOT = Path(__file__).parents[3]


def test_the_page_is_up_to_date() -> None:
    assert (ROOT / PAGE).read_text(encoding="utf-8") == reference_text()


def test_every_command_that_is_shown_has_a_section() -> None:
    headings = [line for line in reference_text().splitlines() if line.startswith("## ")]

    assert headings[1:] == [f"## ottla {name}" for name, entry in COMMANDS.items() if not entry.hidden]


def test_options_are_listed_with_their_defaults() -> None:
    text = reference_text()

    assert "| `--port PORT` | `9092` |" in text
    assert "| `--insecure` |  | Allow open listeners without TLS or login. |" in text


def test_check_finds_a_page_that_was_edited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    assert main(["--check"]) == 1
    assert main([]) == 0
    assert main(["--check"]) == 0
    (tmp_path / PAGE).write_text("by hand")
    assert main(["--check"]) == 1
