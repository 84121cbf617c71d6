"""Every file of examples/pipelines runs: each source, sink and kind of step once."""

import json
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ottla.client import Admin, NewTopic, read_topic
from ottla.pipeline.file import load
from ottla.pipeline.run import PipelineRun
from ottla.pipeline.status import PipelineStatus
from tests.support.broker_process import BrokerProcess

EXAMPLES = Path(__file__).parents[2] / "examples" / "pipelines"
#: Those of databases: tests/databases.
WITHOUT_DATABASE = sorted(path.name for path in EXAMPLES.glob("*.yaml") if "database" not in path.name)
Run = Callable[[str], PipelineStatus]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, admin: Admin) -> Path:
    """A copy of the examples; the topics that they need, as their README says."""
    copy = tmp_path_factory.mktemp("examples") / "pipelines"
    shutil.copytree(EXAMPLES, copy)
    dead = ("orders.dead", "orders.dead.windows", "orders.dead.join")
    admin.create_topics([NewTopic(name, partitions=1) for name in dead])
    return copy


@pytest.fixture(scope="module")
def run(folder: Path, spark: Any, broker: BrokerProcess) -> Run:
    def run_once(name: str) -> PipelineStatus:
        pipeline = load(folder / name, (), {"KAFKA": broker.address})
        return PipelineRun(pipeline, spark, lambda status: None, once=True).run(threading.Event())

    return run_once


@pytest.fixture(scope="module")
def records(broker: BrokerProcess) -> Callable[[str], list[Any]]:
    """Values and headers of a topic."""

    def read(topic: str) -> list[Any]:
        table = read_topic(
            topic, columns=["value", "headers"], isolation="read_committed", bootstrap_servers=broker.address
        )
        return list(table.to_pylist())

    return read


def rows(records: list[Any]) -> list[Any]:
    return [json.loads(record["value"]) for record in records]


@pytest.mark.timeout(300)
def test_the_examples_run_one_after_the_other(run: Run, records: Callable[[str], list[Any]], folder: Path) -> None:
    for name in WITHOUT_DATABASE:
        status = run(name)
        assert (status.state, status.last_error) == ("finished", None), name

    assert len(records("orders")) == 7
    enriched = {row["id"]: row for row in rows(records("orders.enriched"))}
    assert sorted(enriched) == ["o1", "o2", "o3", "o6"]
    assert (enriched["o1"]["region"], enriched["o1"]["size"]) == ("west", "large")
    dead = {record["value"][:12]: dict(headers(record)) for record in records("orders.dead")}
    assert {reasons["ottla.rule"] for reasons in dead.values()} == {b"decode", b"positive_amount"}
    assert dead[b'{"id": "o4",']["ottla.error"] == b"does not meet amount >= 0"

    minutes = {row["minute"]: row["total"] for row in rows(records("orders.per_minute"))}
    assert minutes == {
        "2026-11-16T10:00:00.000Z": 160.5,
        "2026-11-16T10:01:00.000Z": 72.25,
        "2026-11-16T10:02:00.000Z": 0,
    }
    assert "2026-11-16T12:00:00.000Z" in {row["minute"] for row in rows(records("orders.per_minute.live"))}
    assert sorted(row["id"] for row in rows(records("orders.paid"))) == ["o1", "o3"]

    assert [path.name for path in (folder / "lake" / "orders").glob("day=*")] == ["day=2026-11-16"]
    copies = sorted((row["id"], row["format"]) for row in rows(records("orders.copies")))
    assert copies == [(order, kind) for order in sorted(enriched) for kind in ("csv", "json", "orc", "parquet")]


def headers(record: Any) -> list[tuple[str, bytes]]:
    return [(header["key"], header["value"]) if isinstance(header, dict) else header for header in record["headers"]]
