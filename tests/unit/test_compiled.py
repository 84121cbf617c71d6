"""Which modules are compiled, and that compiled code is what runs where it was built."""

from pathlib import Path

import pytest

from ottla.compiled import MODULES, compiled_modules, is_compiled
from ottla.twins import PURE_VARIABLE

SOURCES = Path(__file__).parent.parent.parent / "src"


def test_every_module_of_the_list_has_a_source() -> None:
    paths = [SOURCES.joinpath(*module.split(".")) for module in MODULES]

    assert [
        path.name for path in paths if not (path.with_suffix(".py").exists() or path.with_suffix(".pyx").exists())
    ] == []


def test_every_cython_source_is_in_the_list() -> None:
    sources = {".".join(path.relative_to(SOURCES).with_suffix("").parts) for path in SOURCES.rglob("*.pyx")}

    assert sources <= set(MODULES)


@pytest.mark.parametrize("module", MODULES)
def test_what_was_built_is_used(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PURE_VARIABLE, raising=False)
    built = SOURCES.joinpath(*module.split(".")[:-1]).glob(module.rpartition(".")[2] + ".*.so")
    if not any(built):
        pytest.skip(f"{module} was not built: there is no compiler here")

    assert is_compiled(module)
    assert module in compiled_modules()


def test_an_ordinary_module_is_not_compiled() -> None:
    assert not is_compiled("ottla.compiled")
