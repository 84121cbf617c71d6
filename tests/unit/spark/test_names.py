"""The public names of `ottla.spark`."""

import subprocess
import sys

import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed")


def test_session_stays_a_function_when_it_was_used_before() -> None:
    # In a process of its own: what is imported already would hide a module of the same name.
    program = "import ottla.spark; ottla.spark.session; from ottla.spark import session; assert callable(session)"
    subprocess.run([sys.executable, "-c", program], check=True)
