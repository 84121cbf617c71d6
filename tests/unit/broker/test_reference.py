"""The generated pages of APIs and error codes."""

from pathlib import Path

import pytest

from ottla.broker.handlers import load_handlers
from ottla.broker.reference import apis_markdown, errors_markdown, main, pages
from ottla.model.error_codes import ErrorCode
from ottla.protocol.api_keys import ApiKey

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("page", ["docs/reference/apis.md", "docs/reference/errors.md"])
def test_the_page_is_up_to_date(page: str) -> None:
    assert (ROOT / page).read_text(encoding="utf-8") == pages()[Path(page)]


def test_every_api_has_a_row_that_says_which_versions_are_served() -> None:
    rows = [line for line in apis_markdown().splitlines() if line.startswith("| ")]
    unserved = [key for key in ApiKey if int(key) not in load_handlers()]

    assert len(rows) == len(ApiKey) + 1
    assert "| 1 | Fetch | 4–18 | 4–18 | 12 |" in rows
    assert "| 47 | OffsetDelete | 0 | 0 | never |" in rows
    assert sum("| – |" in row for row in rows) == len(unserved)


def test_an_unstable_version_is_not_told() -> None:
    assert "| 22 | InitProducerId | 0–5 | 0–5 | 2 |" in apis_markdown()


def test_every_error_code_has_a_row() -> None:
    rows = [line for line in errors_markdown().splitlines() if line.startswith("| ")]

    assert len(rows) == len(ErrorCode) + 1
    assert any(row.startswith("| 6 | `NOT_LEADER_OR_FOLLOWER` | after new metadata |") for row in rows)
    assert any(row.startswith("| 7 | `REQUEST_TIMED_OUT` | yes |") for row in rows)
    assert any(row.startswith("| 10 | `MESSAGE_TOO_LARGE` |  |") for row in rows)


def test_check_finds_a_page_that_was_edited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    assert main(["--check"]) == 1
    assert main([]) == 0
    assert main(["--check"]) == 0
    (tmp_path / "docs/reference/errors.md").write_text("by hand")
    assert main(["--check"]) == 1
