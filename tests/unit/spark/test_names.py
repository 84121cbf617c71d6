"""The public names of `ottla.spark`, and what importing its modules brings along."""

import subprocess
import sys

import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed")


@pytest.mark.parametrize("name", ["attach", "session", "table", "topic_writer"])
def test_functions_stay_functions_when_they_were_used_before(name: str) -> None:
    # In a process of its own: what is imported already would hide a module of the same name.
    program = f"import ottla.spark; ottla.spark.{name}; from ottla.spark import {name}; assert callable({name})"
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize(
    "module", ["source", "write_options", "outgoing", "plain_writers", "transactional_writers", "task_results"]
)
def test_the_process_that_plans_a_write_imports_no_client(module: str) -> None:
    program = (
        f"import sys, ottla.spark.{module}; heavy = {{'ottla.client.cluster', 'ottla.records.batch', 'pyarrow'}}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)

    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("module", ["batch_commit", "batch_reader", "stream_reader", "range_reading"])
def test_readers_and_commits_import_no_producer(module: str) -> None:
    program = f"import sys, ottla.spark.{module}; print('ottla.client.producer.producer' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)

    assert done.stdout.strip() == "False"
