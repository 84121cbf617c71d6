"""Which Java runs Spark."""

import stat
import subprocess
from pathlib import Path

import pytest

from ottla.spark import java
from ottla.spark.java import JavaNotFound, java_home


def a_java(home: Path, version: int) -> Path:
    script = home / "bin" / "java"
    script.parent.mkdir(parents=True)
    script.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}.0.1\"' >&2\n")
    script.chmod(0o755)
    return home


def test_java_home_comes_first(tmp_path: Path) -> None:
    home, other = a_java(tmp_path / "a", 21), a_java(tmp_path / "b", 17)

    assert java_home({"JAVA_HOME": str(home), "PATH": str(other / "bin")}) == home


def test_a_java_that_is_too_old_is_passed_over(tmp_path: Path) -> None:
    old, new = a_java(tmp_path / "a", 11), a_java(tmp_path / "b", 17)

    assert java_home({"JAVA_HOME": str(old), "PATH": str(new / "bin")}) == new


def test_without_java_the_error_says_what_was_found_and_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(java, "find_spec", lambda name: None)
    old = a_java(tmp_path / "a", 11)

    with pytest.raises(JavaNotFound, match=r"JAVA_HOME \(.*\) is Java 11.*pip install 'ottla\[spark\]'"):
        java_home({"JAVA_HOME": str(old), "PATH": ""})


def test_the_script_drops_the_module_that_the_java_of_pypi_lacks(tmp_path: Path) -> None:
    echo = tmp_path / "echo"
    echo.write_text('#!/bin/sh\nprintf "%s|" "$@"\n')
    echo.chmod(0o755)

    home = java._wrapped(echo, tmp_path / "cache")
    script = home / "bin" / "java"
    shown = subprocess.run(
        [script, "-cp", "a b", "--add-modules=jdk.incubator.vector", "Main"], capture_output=True, text=True, check=True
    )

    assert shown.stdout == "-cp|a b|Main|"
    assert script.stat().st_mode & stat.S_IXUSR
    assert java._wrapped(echo, tmp_path / "cache") == home
