"""Which modules are compiled, and that compiled code is what runs where it was built."""

import os
import shutil
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from ottla.compiled import MODULES, compiled_modules, is_compiled, stale_modules

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
    if os.environ.get("OTTLA_PURE") or stale_modules():
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
    path = tmp_path.joinpath(*MODULES[0].split("."))
    path.parent.mkdir(parents=True)
    source, built = path.with_suffix(".pxd"), path.with_name(path.name + EXTENSION_SUFFIXES[0])
    source.touch()
    assert stale_modules(str(tmp_path)) == [], "nothing was built"

    built.touch()
    os.utime(source, (1, 1))
    assert stale_modules(str(tmp_path)) == []

    os.utime(built, (0, 0))
    assert stale_modules(str(tmp_path)) == [MODULES[0]]


def test_a_checkout_with_stale_code_runs_its_sources(tmp_path: Path) -> None:
    shutil.copytree(SOURCES / "ottla", tmp_path / "src" / "ottla", ignore=shutil.ignore_patterns("*.so"))
    (tmp_path / "setup.py").touch()
    built = tmp_path.joinpath("src", *MODULES[0].split("."))
    built = built.with_name(built.name + EXTENSION_SUFFIXES[0])
    built.write_bytes(b"no code at all")
    os.utime(built, (1, 1))
    code = f"import {MODULES[0]} as module; print(module.__file__)"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "src"), "OTTLA_PURE": ""}

    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)

    assert done.stdout.strip() == str(tmp_path.joinpath("src", *MODULES[0].split(".")).with_suffix(".py"))
