"""The public names of `ottla.spark`."""

import subprocess
import sys

import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed")


@pytest.mark.parametrize("name", ["attach", "session", "table", "topic_writer"])
def test_functions_stay_functions_when_they_were_used_before(name: str) -> None:
    # In a process of its own: what is imported already would hide a module of the same name.
    program = f"import ottla.spark; ottla.spark.{name}; from ottla.spark import {name}; assert callable({name})"
    subprocess.run([sys.executable, "-c", program], check=True)
