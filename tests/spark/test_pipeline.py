"""Pipelines with a real Spark and a real broker: each source and sink of docs/pipelines.md, once over and once more."""

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ottla.client import Admin, NewTopic, Producer, read_topic
from ottla.pipeline.cases import run_case
from ottla.pipeline.check import check_plan
from ottla.pipeline.file import load
from ottla.pipeline.file_batches import write_files
from ottla.pipeline.model import FileSink
from ottla.pipeline.problems import PipelineFailed
from ottla.pipeline.run import PipelineRun
from ottla.pipeline.sample import write_sample
from ottla.pipeline.status import PipelineStatus
from tests.support.broker_process import BrokerProcess
from tests.support.waiting import eventually

pytestmark = pytest.mark.timeout(300)


@pytest.fixture
def run_once(spark: Any, broker: BrokerProcess, tmp_path: Path) -> Callable[..., PipelineStatus]:
    """Runs a file once; topics in it are named by keyword: {orders} in the text is the topic of orders=…"""

    def run(text: str, **names: str) -> PipelineStatus:
        for name, value in {"broker": broker.address, **names}.items():
            text = text.replace(f"<{name}>", value)
        path = tmp_path / "p.yaml"
        path.write_text(text)
        return PipelineRun(load(path), spark, lambda status: None, once=True).run(threading.Event())

    return run


def values(broker: BrokerProcess, topic: str) -> list[Any]:
    table = read_topic(topic, columns=["value"], isolation="read_committed", bootstrap_servers=broker.address)
    return [json.loads(value) for value in table.column("value").to_pylist()]


ORDERS = """\
pipeline: orders-<orders>
bootstrap: <broker>
sources:
  orders: {topic: <orders>, start: earliest, schema: "id STRING, city STRING, amount DOUBLE"}
  cities: {table: cities.csv, header: true, schema: "city STRING, region STRING"}
rules:
  - {view: orders, name: positive, expect: "amount >= 0", otherwise: dead_letter}
dead_letter: <dead>
steps:
  - {name: enriched, sql: "SELECT o.*, c.region FROM orders o LEFT JOIN cities c USING (city)"}
sinks:
  - {name: enriched, from: enriched, topic: <out>, key: id}
  - {from: enriched, parquet: lake, partition_by: [region]}
"""


def test_orders_are_joined_written_once_and_the_position_is_a_group(
    run_once: Callable[..., PipelineStatus],
    broker: BrokerProcess,
    admin: Admin,
    producer: Producer,
    new_topic: Callable[..., str],
    spark: Any,
    tmp_path: Path,
) -> None:
    orders, dead, out = new_topic(2), new_topic(1), new_topic(2)
    (tmp_path / "cities.csv").write_text("city,region\nPraha,west\n")
    wrong = [b"{not json", b'{"id": "n", "amount": -1}', b'{"id": "z"} {"id": "y"}']
    for number in range(20):
        producer.send(orders, b'{"id": "%d", "city": "Praha", "amount": %d}' % (number, number), partition=number % 2)
    for value in wrong:
        producer.send(orders, value, partition=0, headers=[("h", b"1")])
    producer.flush()

    first = run_once(ORDERS, orders=orders, dead=dead, out=out)
    producer.send(orders, b'{"id": "20", "city": "Praha", "amount": 1}', partition=1)
    producer.flush()
    second = run_once(ORDERS, orders=orders, dead=dead, out=out)

    assert (first.state, first.rows, first.dead_letters, first.lag) == ("finished", 23, 3, 0)
    assert first.refused == {"positive": 1}
    assert (second.rows, second.dead_letters, second.lag) == (1, 0, 0)
    written = values(broker, out)
    assert sorted(int(row["id"]) for row in written) == list(range(21))
    assert {row["region"] for row in written} == {"west"}
    assert sorted(int(row.id) for row in spark.read.parquet(str(tmp_path / "lake")).collect()) == list(range(21))
    table = read_topic(dead, columns=["value", "headers"], bootstrap_servers=broker.address)
    assert sorted(table.column("value").to_pylist()) == sorted(wrong)
    group = admin.list_group_offsets(f"pipeline-orders-{orders}")
    assert {str(p): committed.offset for p, committed in group.items()} == {f"{orders}-0": 13, f"{orders}-1": 11}


def test_files_that_arrive_are_imported_into_a_topic(
    run_once: Callable[..., PipelineStatus], broker: BrokerProcess, new_topic: Callable[..., str], tmp_path: Path
) -> None:
    out = new_topic(1)
    text = """\
pipeline: files
bootstrap: <broker>
sources: {lines: {files: "in/*.json", schema: "id STRING"}}
sinks: [{from: lines, topic: <out>, key: id, headers: {source: "'files'"}, tombstone_when: "id = 'gone'"}]
"""
    (tmp_path / "in").mkdir()
    for number in range(2):
        (tmp_path / "in" / f"{number}.json").write_text(f'{{"id": "{number}"}}\n')
        run_once(text, out=out)

    assert values(broker, out) == [{"id": "0"}, {"id": "1"}]


def test_a_rule_that_must_hold_fails_the_pipeline_and_names_the_row(
    run_once: Callable[..., PipelineStatus], producer: Producer, new_topic: Callable[..., str]
) -> None:
    orders, out = new_topic(1), new_topic(1)
    producer.send(orders, b'{"id": null}', partition=0)
    producer.flush()
    text = """\
pipeline: strict
bootstrap: <broker>
group: strict-<orders>
sources: {orders: {topic: <orders>, start: earliest, schema: "id STRING"}}
rules: [{view: orders, name: has_id, expect: "id IS NOT NULL"}]
sinks: [{from: orders, topic: <out>}]
"""

    with pytest.raises(PipelineFailed, match=f"rule has_id of orders: a row does not meet .*{orders}-0 offset 0"):
        run_once(text, orders=orders, out=out)


def test_the_sample_passes_its_own_test_and_wrong_sql_is_found(spark: Any, tmp_path: Path) -> None:
    write_sample(tmp_path)
    path = tmp_path / "orders.yaml"
    sample = load(path, (), {})

    assert check_plan(sample, spark) == []
    assert [run_case(sample, case, spark) for case in sample.cases] == [[]]

    path.write_text(path.read_text().replace("FROM orders o LEFT", "FROM ordres o LEFT"))
    (problem,) = check_plan(load(path, (), {}), spark)
    assert "step enriched" in problem.message
    assert "did you mean 'orders'" in problem.message


def test_a_batch_of_files_that_is_repeated_is_there_once(spark: Any, tmp_path: Path) -> None:
    sink = FileSink("lake", "v", 1, "append", "json", str(tmp_path / "lake"), (), {})
    journal = tmp_path / "lake" / "_ottla" / "q"

    write_files(sink, spark.range(3), "q", 0)
    write_files(sink, spark.range(3), "q", 0)
    # A crash after the files were complete and before they were moved: the next attempt moves them, and no others.
    spark.range(3, 5).write.json(str(journal / "1"))
    write_files(sink, spark.range(100, 105), "q", 1)

    assert sorted(row.id for row in spark.read.json(str(tmp_path / "lake")).collect()) == [0, 1, 2, 3, 4]
    assert (journal / "done").read_text() == "1"


def test_a_change_that_the_checkpoint_cannot_follow_is_refused_with_what_to_do(
    run_once: Callable[..., PipelineStatus], producer: Producer, new_topic: Callable[..., str]
) -> None:
    orders, out = new_topic(1), new_topic(1)
    producer.send(orders, b'{"city": "Brno", "amount": 2}')
    producer.flush()
    text = """\
pipeline: totals
bootstrap: <broker>
group: totals-<orders>
sources: {orders: {topic: <orders>, start: earliest, schema: "city STRING, amount INT"}}
steps: [{name: totals, sql: "SELECT city, sum(amount) AS total FROM orders GROUP BY city"}]
sinks: [{name: totals, from: totals, topic: <out>, key: city, mode: update}]
"""
    run_once(text, orders=orders, out=out)
    producer.send(orders, b'{"city": "Brno", "amount": 3}')
    producer.flush()
    other_state = text.replace("city, sum(amount) AS total", "amount AS city, count(*) AS total").replace(
        "GROUP BY city", "GROUP BY amount"
    )

    with pytest.raises(PipelineFailed, match="checkpoint cannot follow: undo the change, or drop the state"):
        run_once(other_state, orders=orders, out=out)


def test_a_table_is_read_again_when_its_refresh_is_due(
    spark: Any, broker: BrokerProcess, producer: Producer, new_topic: Callable[..., str], tmp_path: Path
) -> None:
    orders, out = new_topic(1), new_topic(1)
    cities = tmp_path / "cities"
    cities.mkdir()
    (cities / "1.csv").write_text("city,region\nBrno,south\n")
    path = tmp_path / "p.yaml"
    path.write_text(
        f"""\
pipeline: refresh-{orders}
bootstrap: {broker.address}
trigger: 100ms
sources:
  orders: {{topic: {orders}, start: earliest, schema: "city STRING"}}
  cities: {{table: cities, format: csv, header: true, schema: "city STRING, region STRING", refresh: 1s}}
steps: [{{name: named, sql: "SELECT region FROM orders JOIN cities USING (city)"}}]
sinks: [{{from: named, topic: {out}}}]
"""
    )
    stop = threading.Event()
    run = PipelineRun(load(path), spark, lambda status: None, once=False)
    worker = threading.Thread(target=run.run, args=(stop,))

    def is_written(city: bytes, region: str) -> bool:
        producer.send(orders, b'{"city": "%s"}' % city)
        producer.flush()
        return {"region": region} in values(broker, out)

    worker.start()
    try:
        eventually(lambda: is_written(b"Brno", "south"), within_s=60, what="a row with the first table")
        # Spark lists the files of a table once: it does not see this one by itself.
        (cities / "2.csv").write_text("city,region\nPraha,west\n")
        eventually(lambda: is_written(b"Praha", "west"), within_s=60, what="a row with the second table")
    finally:
        stop.set()
        worker.join()


def test_a_broker_that_is_gone_is_shown_until_it_is_back(spark: Any, tmp_path: Path) -> None:
    (tmp_path / "node").mkdir()
    broker = BrokerProcess(tmp_path / "node").start()
    with Admin(bootstrap_servers=broker.address) as admin:
        admin.create_topics([NewTopic("in", partitions=1), NewTopic("out", partitions=1)])
    path = tmp_path / "p.yaml"
    path.write_text(
        f"""\
pipeline: away
bootstrap: {broker.address}
sources: {{lines: {{topic: in, start: earliest, decode: text}}}}
sinks: [{{from: lines, topic: out}}]
"""
    )
    told: list[PipelineStatus] = []
    stop = threading.Event()
    run = PipelineRun(load(path), spark, told.append, once=False)
    worker = threading.Thread(target=run.run, args=(stop,))

    def becomes(state: str) -> PipelineStatus:
        def shown() -> str:
            return f"{state}: {told[-1:]}"

        return eventually(lambda: next((s for s in told[-1:] if s.state == state), None), within_s=60, what=shown)

    worker.start()
    try:
        # The group is there as soon as it runs: nobody has to wait for the first batch.
        assert becomes("running").lag == 0
        broker.kill()
        waiting = becomes("waiting for broker")
        assert (waiting.last_error or "").startswith("no broker responds since 2")
        assert waiting.lag is None
        broker.start()
        assert becomes("running").last_error is None
    finally:
        stop.set()
        worker.join()
        broker.kill()
    assert told[-1].state == "stopped"


@pytest.mark.parametrize(
    ("sink", "missing"),
    [
        ("delta: lake", "delta is not in this Spark: add its jars, for example `spark: {spark.jars.packages:"),
        ("iceberg: db.t", "iceberg is not in this Spark"),
        ('jdbc: "jdbc:oracle:x", table: t', "Spark has no class oracle.jdbc.OracleDriver: add the JDBC driver"),
    ],
)
def test_what_needs_jars_is_refused_with_its_line_when_they_are_missing(
    spark: Any, tmp_path: Path, sink: str, missing: str
) -> None:
    path = tmp_path / "p.yaml"
    path.write_text(
        f"""\
pipeline: jars
sources: {{orders: {{topic: orders, decode: text}}}}
sinks:
  - {{name: lake, from: orders, {sink}}}
"""
    )

    (problem,) = check_plan(load(path), spark)

    assert (problem.line, problem.message[:11]) == (4, "sink lake: ")
    assert missing in problem.message
