"""`ottla bench`, `ottla demo`, `ottla topic export` and `import`, against a broker in this process."""

import gzip
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ottla.cli.main import main
from ottla.testing import Broker


@pytest.fixture(scope="module")
def broker() -> Iterator[Broker]:
    with Broker() as running:
        yield running


def run(broker: Broker, *words: str) -> int:
    return main([*words, "-b", broker.bootstrap])


def topics(broker: Broker) -> set[str]:
    return {listing.name for listing in broker.admin(lambda admin: admin.list_topics())}


def test_bench_measures_and_leaves_no_topic(broker: Broker, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(broker, "bench", "produce", "consume", "-n", "5000", "-o", "json") == 0
    assert run(broker, "bench", "e2e", "-n", "20", "-o", "jsonl") == 0

    first, _, last = capfd.readouterr().out.rpartition("}\n{")
    document = json.loads(first + "}" if last else "{}")
    assert [(item["test"], item["records"]) for item in document["items"]] == [("produce", 5000), ("consume", 5000)]
    assert json.loads("{" + last)["records"] == 20
    assert "ottla-bench" not in topics(broker)


def test_a_topic_is_exported_and_imported(broker: Broker, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    lines = tmp_path / "lines"
    lines.write_bytes(b"1\n2\n\xff\n")
    run(broker, "topic", "create", "exported", "-p", "3", "-c", "retention.ms=-1")
    run(broker, "produce", "exported", str(lines), "-k", "k", "-p", "2")
    file = tmp_path / "topic.jsonl.gz"

    assert run(broker, "topic", "export", "exported", str(file)) == 0
    assert run(broker, "topic", "import", "imported", str(file)) == 0

    with gzip.open(file) as source:
        header = json.loads(source.readline())
    assert (header["partitions"], header["configs"]["retention.ms"]) == (3, "-1")
    capfd.readouterr()
    assert run(broker, "consume", "imported", "--format", "%p %k %S ") == 0
    assert capfd.readouterr().out == "2 k 1 2 k 1 2 k 1 "
    assert not (tmp_path / "topic.jsonl.gz.part").exists()


def test_a_file_is_not_overwritten_without_being_asked(
    broker: Broker, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    run(broker, "topic", "create", "kept")
    file = tmp_path / "kept.jsonl"
    file.write_text("mine")

    assert run(broker, "topic", "export", "kept", str(file)) == 1

    assert file.read_text() == "mine"
    assert "hint: --overwrite replaces it" in capfd.readouterr().err


def test_a_file_of_another_kind_creates_no_topic(
    broker: Broker, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "other"
    file.write_text("hello\n")

    assert run(broker, "topic", "import", "never", str(file)) == 1

    assert "not an exported topic" in capfd.readouterr().err
    assert "never" not in topics(broker)


def test_the_demo_runs_and_is_cleaned_up(broker: Broker, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(broker, "demo", "--duration", "0.5", "--rate", "50", "--yes") == 0
    assert run(broker, "consume", "demo.orders", "-n", "1") == 0
    order = json.loads(json.loads(capfd.readouterr().out)["value"])
    assert set(order) == {"id", "customer", "dish", "city", "total"}

    assert run(broker, "demo", "--clean") == 0

    assert not {name for name in topics(broker) if name.startswith("demo.")}


def test_the_demo_does_not_touch_a_cluster_with_other_data_unasked(
    broker: Broker, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run(broker, "topic", "create", "foreign")
    monkeypatch.setattr("sys.stdin", open("/dev/null"))  # noqa: SIM115

    assert run(broker, "demo") == 2

    assert "hint: --yes confirms it" in capfd.readouterr().err
    assert "demo.orders" not in topics(broker)


def test_a_running_demo_is_stopped_from_elsewhere(broker: Broker, capfd: pytest.CaptureFixture[str]) -> None:
    words = ["demo", "--yes", "--rate", "50", "-b", broker.bootstrap]
    demo = subprocess.Popen([sys.executable, "-m", "ottla", *words], stderr=subprocess.PIPE, text=True)
    assert demo.stderr is not None
    assert demo.stderr.readline().startswith("topics demo.orders, demo.payments, demo.shipments; groups ")
    assert broker.read("demo.orders", n=1)

    assert run(broker, "demo", "--stop", "--clean") == 0

    _, notes = demo.communicate(timeout=60)
    assert demo.returncode == 0
    assert notes.endswith(" orders sent; ottla demo --clean deletes the topics\n")
    assert f"stopped the demo, process {demo.pid}\n" in capfd.readouterr().err
    assert not {name for name in topics(broker) if name.startswith("demo.")}
    assert run(broker, "demo", "--stop") == 1


def test_a_demo_that_does_not_run_cannot_be_stopped(broker: Broker, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(broker, "demo", "--stop") == 1

    assert "no demo is running" in capfd.readouterr().err
