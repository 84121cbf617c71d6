"""Which modules are compiled, and that compiled code is what runs where it was built."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ottla.compiled import MODULES, compiled_modules, is_compiled
from tests.support.stale_builds import is_stale

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
def test_what_was_built_is_used(module: str) -> None:
    if os.environ.get("OTTLA_PURE"):
        pytest.skip("only Python sources run here")
    built = SOURCES.joinpath(*module.split(".")[:-1]).glob(module.rpartition(".")[2] + ".*.so")
    if not any(built):
        pytest.skip(f"{module} was not built: there is no compiler here")

    assert is_compiled(module)
    assert module in compiled_modules()


def test_an_ordinary_module_is_not_compiled() -> None:
    assert not is_compiled("ottla.compiled")


def test_with_ottla_pure_only_python_sources_run() -> None:
    code = "import ottla.records.reader, ottla.log.partition_log, ottla.compiled as c; print(c.compiled_modules())"
    environment = {**os.environ, "OTTLA_PURE": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)

    assert done.stdout == "[]\n"


def test_compiled_code_that_is_older_than_its_source_is_stale(tmp_path: Path) -> None:
    source, built = tmp_path / "walk.py", tmp_path / "walk.cpython-311-x86_64-linux-gnu.so"
    source.touch()
    assert not is_stale(tmp_path / "walk"), "nothing was built"

    built.touch()
    os.utime(source, (1, 1))
    assert not is_stale(tmp_path / "walk")

    os.utime(built, (0, 0))
    assert is_stale(tmp_path / "walk")
