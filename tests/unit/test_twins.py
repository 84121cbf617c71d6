"""Which twin is chosen."""

import sys
from pathlib import Path

import pytest

from ottla.twins import PURE_VARIABLE, compiled_twin


@pytest.fixture
def twin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delenv(PURE_VARIABLE, raising=False)
    monkeypatch.delitem(sys.modules, "_a_twin", raising=False)
    return tmp_path / "_a_twin.py"


def test_a_twin_that_is_there_is_taken(twin: Path) -> None:
    twin.write_text("answer = 42")
    assert compiled_twin("_a_twin").answer == 42


def test_without_it_there_is_none() -> None:
    assert compiled_twin("_no_such_twin") is None


def test_it_can_be_forbidden(twin: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    twin.write_text("answer = 42")
    monkeypatch.setenv(PURE_VARIABLE, "1")
    assert compiled_twin("_a_twin") is None


def test_a_twin_that_lacks_something_is_an_error_and_not_silence(twin: Path) -> None:
    twin.write_text("import no_such_module")
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        compiled_twin("_a_twin")


def test_a_twin_that_lacks_another_one_is_not_there(twin: Path) -> None:
    twin.write_text("import _no_such_twin")
    assert compiled_twin("_a_twin") is None
