"""pandas is imported before a task waits for it, and only then."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest

from ottla.spark import outgoing
from ottla.spark.pandas_import import import_pandas_soon

WAIT = "[each.join() for each in threading.enumerate() if each is not threading.current_thread()]; "


def output_of(program: str) -> str:
    """In a process of its own: here pandas may be imported already."""
    code = f"import sys, threading; from ottla.spark.pandas_import import import_pandas_soon; {program}"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return done.stdout + done.stderr


def test_it_is_imported_in_a_thread_of_its_own() -> None:
    pytest.importorskip("pandas", reason="pandas is not installed")

    assert output_of(f"import_pandas_soon(); {WAIT} print('pandas' in sys.modules)") == "True\n"


def test_there_is_no_thread_when_it_is_there_already(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", sys)
    monkeypatch.setattr("ottla.spark.pandas_import.Thread", None)

    import_pandas_soon()


def test_nobody_hears_of_it_when_it_is_not_installed() -> None:
    without = "sys.path_importer_cache.clear(); sys.path.clear(); "

    assert output_of(f"{without} import_pandas_soon(); {WAIT} print('pandas' in sys.modules)") == "False\n"


def test_a_task_that_writes_asks_for_it_before_it_waits_for_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    happened: list[str] = []
    monkeypatch.setattr(outgoing, "import_pandas_soon", lambda: happened.append("pandas"))

    class Producer:
        def send_batch(self, topic: str | None, table: pa.Table) -> None:
            happened.append(f"sent {table.num_rows}")

    def rows() -> Iterator[pa.RecordBatch]:
        happened.append("rows")
        yield pa.RecordBatch.from_pydict({"value": [b"1", b"2"]})

    producer: Any = Producer()
    outgoing.send_rows(producer, "orders", rows())

    assert happened == ["pandas", "rows", "sent 2"]
