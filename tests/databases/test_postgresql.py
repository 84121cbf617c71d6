"""Import from and export to a real PostgreSQL: each row once, also when a batch is repeated. `make test-databases`."""

import json
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ottla.client import Admin, NewTopic, Producer, read_topic
from ottla.pipeline.check import check_plan
from ottla.pipeline.file import load
from ottla.pipeline.jdbc_batches import write_jdbc
from ottla.pipeline.model import JdbcSink
from ottla.pipeline.problems import PipelineFailed
from ottla.pipeline.run import PipelineRun
from ottla.pipeline.status import PipelineStatus
from tests.support.broker_process import BrokerProcess
from tests.support.postgresql import PostgreSql, driver_jar, why_not

pytest.importorskip("pyspark", reason="pyspark is not installed: pip install 'ottla[spark]'")
pytestmark = pytest.mark.timeout(400)

EXAMPLES = Path(__file__).parents[2] / "examples" / "pipelines"
RunOnce = Callable[[str], PipelineStatus]


@pytest.fixture(scope="module")
def database() -> Iterator[PostgreSql]:
    reason = why_not()
    if reason is not None:
        pytest.skip(reason)
    server = PostgreSql()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def spark(database: PostgreSql) -> Iterator[Any]:
    import ottla.spark

    conf: dict[str, Any] = {
        "spark.ui.enabled": False,
        "spark.sql.shuffle.partitions": 2,
        "spark.driver.memory": "1g",
        "spark.jars": driver_jar(),
    }
    try:
        session = ottla.spark.session("local[2]", **conf)
    except ottla.spark.JavaNotFound as error:
        pytest.skip(str(error))
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrokerProcess]:
    process = BrokerProcess(tmp_path_factory.mktemp("node")).start()
    yield process
    process.stop()


@pytest.fixture
def variables(broker: BrokerProcess, database: PostgreSql) -> dict[str, str]:
    return {"KAFKA": broker.address, "DATABASE": database.url, "PGUSER": "ottla", "JDBC_JAR": driver_jar() or ""}


@pytest.fixture
def run_once(spark: Any, variables: dict[str, str], tmp_path: Path) -> RunOnce:
    def run(text: str) -> PipelineStatus:
        path = tmp_path / "p.yaml"
        path.write_text(text)
        return PipelineRun(load(path, (), variables), spark, lambda status: None, once=True).run(threading.Event())

    return run


def values(broker: BrokerProcess, topic: str) -> list[Any]:
    table = read_topic(topic, columns=["value"], isolation="read_committed", bootstrap_servers=broker.address)
    return [json.loads(value) for value in table.column("value").to_pylist()]


def send(broker: BrokerProcess, topic: str, rows: list[dict[str, Any]]) -> None:
    with Admin(bootstrap_servers=broker.address) as admin, Producer(bootstrap_servers=broker.address) as producer:
        admin.create_topics([NewTopic(topic, partitions=1)])
        for row in rows:
            producer.send(topic, json.dumps(row).encode(), partition=0)
        producer.flush()


def test_new_rows_of_a_table_are_imported_once(run_once: RunOnce, broker: BrokerProcess, database: PostgreSql) -> None:
    database.sql("CREATE TABLE visits (id BIGSERIAL PRIMARY KEY, city TEXT, at TIMESTAMP DEFAULT now())")
    text = """\
pipeline: import
bootstrap: ${KAFKA}
sources: {visits: {jdbc: "${DATABASE}", table: visits, increment: id, user: ottla}}
steps: [{name: named, sql: "SELECT id, city FROM visits"}]
sinks: [{from: named, topic: imported, key: id, create: {partitions: 1}}]
"""
    database.sql("INSERT INTO visits (city) SELECT 'Brno' FROM generate_series(1, 5)")
    first = run_once(text)
    idle = run_once(text)
    database.sql("INSERT INTO visits (city) VALUES ('Praha')")
    second = run_once(text)

    assert (first.rows, idle.rows, second.rows) == (5, 0, 1)
    found = values(broker, "imported")
    assert sorted(row["id"] for row in found) == [1, 2, 3, 4, 5, 6]
    assert found[-1]["city"] == "Praha"


def test_a_time_can_be_the_increment_and_a_batch_that_was_not_done_is_repeated(
    run_once: RunOnce, broker: BrokerProcess, database: PostgreSql, tmp_path: Path
) -> None:
    database.sql("CREATE TABLE changes (id TEXT, at TIMESTAMPTZ)")
    database.sql("INSERT INTO changes VALUES ('a', '2026-11-16 10:00:00.123456+01')")
    text = """\
pipeline: changes
bootstrap: ${KAFKA}
sources: {changes: {jdbc: "${DATABASE}", table: changes, increment: at, user: ottla}}
sinks: [{name: out, from: changes, topic: changes, key: id, value: [id], create: {partitions: 1}}]
"""
    run_once(text)
    position = tmp_path / "state" / "changes" / "out" / "import.json"
    # As after a kill between the commit of the sink and that of the position.
    position.write_text(json.dumps({**json.loads(position.read_text()), "is_done": False}))
    run_once(text)
    database.sql("INSERT INTO changes VALUES ('b', '2026-11-16 10:00:00.123457+01')")
    run_once(text)

    assert values(broker, "changes") == [{"id": "a"}, {"id": "b"}]


def test_a_topic_is_exported_and_the_youngest_row_of_a_key_wins(
    run_once: RunOnce, broker: BrokerProcess, database: PostgreSql
) -> None:
    database.sql('CREATE TABLE "Stock" (id TEXT PRIMARY KEY, pieces BIGINT)')
    send(broker, "stock", [{"id": f"i{number % 2}", "pieces": number} for number in range(10)])
    text = """\
pipeline: export
bootstrap: ${KAFKA}
sources: {stock: {topic: stock, start: earliest, schema: "id STRING, pieces BIGINT", max_records_per_trigger: 4}}
sinks: [{from: stock, jdbc: "${DATABASE}", table: Stock, upsert_by: [id], user: ottla}]
"""

    run_once(text)

    assert database.sql('SELECT id, pieces FROM "Stock" ORDER BY id') == ["i0|8", "i1|9"]
    assert database.sql("SELECT count(*) FROM pg_tables WHERE tablename LIKE '%__ottla_%'") == ["0"]


def test_a_batch_that_is_repeated_is_inserted_once(spark: Any, database: PostgreSql) -> None:
    database.sql("CREATE TABLE plain (id BIGINT)")
    properties = {"user": "ottla", "driver": "org.postgresql.Driver"}
    sink = JdbcSink("s", "v", 1, "append", database.url, "plain", (), properties)

    for batch in (0, 0, 1):
        write_jdbc(sink, spark.range(3), "query-1", batch)

    assert database.sql("SELECT count(*) FROM plain") == ["6"]


def test_a_table_that_does_not_exist_is_named(run_once: RunOnce, broker: BrokerProcess) -> None:
    send(broker, "lost", [{"id": "a"}])
    text = """\
pipeline: lost
bootstrap: ${KAFKA}
sources: {lost: {topic: lost, start: earliest, schema: "id STRING"}}
sinks: [{from: lost, jdbc: "${DATABASE}", table: nowhere, user: ottla}]
"""

    with pytest.raises(PipelineFailed, match='relation "nowhere" does not exist'):
        run_once(text)


def test_the_examples_of_databases_run(
    spark: Any, variables: dict[str, str], broker: BrokerProcess, database: PostgreSql, tmp_path: Path
) -> None:
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    database.sql((EXAMPLES / "steps" / "orders_table.sql").read_text())
    order = {"city": "Praha", "amount": 12.5, "at": "2026-11-16T10:00:00Z", "region": "west", "size": "small"}
    send(broker, "orders.enriched", [{"id": name, **order} for name in ("o1", "o2", "o1")])

    for name in ("7-export-database.yaml", "8-import-database.yaml"):
        pipeline = load(tmp_path / "examples" / name, (), variables)
        assert check_plan(pipeline, spark) == []
        PipelineRun(pipeline, spark, lambda status: None, once=True).run(threading.Event())

    assert database.sql("SELECT id, amount, at AT TIME ZONE 'UTC' FROM orders ORDER BY id") == [
        "o1|12.50|2026-11-16 10:00:00",
        "o2|12.50|2026-11-16 10:00:00",
    ]
    assert sorted(row["id"] for row in values(broker, "orders.imported")) == ["o1", "o2"]
