"""Pipelines whose driver is a Spark Connect server: the same file, checked, run once over and once more, supervised."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

from ottla.client import Admin, NewTopic, Producer, TopicPartition, read_topic
from tests.spark_clusters.spark_servers import SparkServers
from tests.support.broker_process import BrokerProcess
from tests.support.ottla_command import OttlaCommand
from tests.support.waiting import eventually

pytest.importorskip("grpc", reason="pyspark is not installed with its extra connect")
pytestmark = pytest.mark.timeout(1200)

FILE = """\
pipeline: orders
bootstrap: <broker>
master: <master>
trigger: 500ms
sources:
  orders: {topic: orders, start: earliest, schema: "id INT, city STRING, amount INT", max_records_per_trigger: 40}
  cities: {table: cities.csv, header: true, schema: "city STRING, region STRING"}
rules:
  - {view: orders, name: positive, expect: "amount >= 0", otherwise: dead_letter}
dead_letter: dead
steps:
  - {name: enriched, sql: "SELECT o.*, c.region FROM orders o LEFT JOIN cities c USING (city)"}
  - {name: doubled, python: "steps.py:doubled"}
  - {name: totals, sql: "SELECT region, count(*) AS orders FROM doubled GROUP BY region"}
sinks:
  - {name: out, from: doubled, topic: out, key: id}
  - {name: totals, from: totals, topic: totals, key: region, mode: update}
  - {name: lake, from: doubled, parquet: lake, partition_by: [region]}
spark: {spark.sql.shuffle.partitions: 2}
"""
STEPS = """\
from pyspark.sql import functions as f


def doubled(views, spark):
    return views["enriched"].withColumn("amount", f.col("amount") * 2)
"""


class Orders:
    """A broker with the topics of the file, and what is in them."""

    def __init__(self, broker: BrokerProcess) -> None:
        self.address = broker.address
        with Admin(bootstrap_servers=broker.address) as admin:
            admin.create_topics([NewTopic(name, partitions=1) for name in ("orders", "dead", "out", "totals")])

    def send(self, numbers: range, *wrong: bytes) -> None:
        with Producer(bootstrap_servers=self.address) as producer:
            for number in numbers:
                city = "Praha" if number % 2 else "Brno"
                producer.send("orders", json.dumps({"id": number, "city": city, "amount": number}).encode())
            for value in wrong:
                producer.send("orders", value)

    def values(self, topic: str) -> list[bytes]:
        table = read_topic(topic, columns=["value"], isolation="read_committed", bootstrap_servers=self.address)
        found: list[bytes] = table.column("value").to_pylist()
        return found

    def rows(self, topic: str) -> list[dict[str, Any]]:
        return [json.loads(value) for value in self.values(topic)]

    def group(self) -> dict[TopicPartition, int]:
        with Admin(bootstrap_servers=self.address) as admin:
            return {each: offset.offset for each, offset in admin.list_group_offsets("pipeline-orders").items()}


@pytest.fixture
def orders(tmp_path: Path) -> Iterator[Orders]:
    (tmp_path / "node").mkdir()
    broker = BrokerProcess(tmp_path / "node").start()
    yield Orders(broker)
    broker.kill()


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[SparkServers]:
    (tmp_path / "spark").mkdir()
    started = SparkServers(tmp_path / "spark")
    yield started
    started.stop()


def test_a_connect_server_runs_a_pipeline(orders: Orders, servers: SparkServers, tmp_path: Path) -> None:
    master = servers.connect()
    (tmp_path / "cities.csv").write_text("city,region\nPraha,west\nBrno,south\n")
    (tmp_path / "steps.py").write_text(STEPS)
    text = FILE.replace("<broker>", orders.address).replace("<master>", master)
    (tmp_path / "orders.yaml").write_text(text)
    ottla = OttlaCommand(tmp_path, 600, OTTLA_STATE_DIR=str(tmp_path / "state-dir"))

    # What is wrong is found by the server, and reported with its line.
    assert "orders.yaml: valid" in ottla.run("pipeline", "validate", "orders.yaml")
    (tmp_path / "wrong.yaml").write_text(text.replace("mode: update", "mode: append"))
    assert "wrong.yaml:17: sink totals: " in ottla.run("pipeline", "validate", "wrong.yaml", code=78)

    # In two runs, each of several batches: every row once, the position as a group.
    orders.send(range(100), b"{not json", b'{"id": 1, "amount": -1}')
    ottla.run("pipeline", "run", "--once", "orders.yaml")
    (first,) = ottla.items("pipeline", "status")
    orders.send(range(100, 150))
    ottla.run("pipeline", "run", "--once", "orders.yaml")

    assert (first["state"], first["rows"], first["dead_letters"], first["lag"]) == ("finished", 102, 2, 0)
    assert sorted((row["id"], row["amount"]) for row in orders.rows("out")) == [(n, 2 * n) for n in range(150)]
    assert {row["region"]: row["orders"] for row in orders.rows("totals")} == {"west": 75, "south": 75}
    assert sorted(orders.values("dead")) == [b'{"id": 1, "amount": -1}', b"{not json"]
    assert lake_ids(tmp_path) == list(range(150))
    assert orders.group() == {TopicPartition("orders", 0): 152}

    # In the background: it goes on from its position.
    assert "orders: running" in ottla.run("pipeline", "start", "orders.yaml")
    orders.send(range(150, 160))
    eventually(lambda: len(orders.values("out")) >= 160, within_s=120, what=servers.output)
    eventually(lambda: lake_ids(tmp_path) == list(range(160)), within_s=120, what=servers.output)
    ottla.run("pipeline", "stop", "orders")
    (status,) = ottla.items("pipeline", "status")

    assert (status["state"], status["lag"], status["last_error"]) == ("stopped", 0, None)
    assert sorted(row["id"] for row in orders.rows("out")) == list(range(160))


def lake_ids(folder: Path) -> list[int]:
    """Read without Spark: files of complete batches, and nothing else."""
    files = (folder / "lake").glob("region=*/*.parquet")
    return sorted(n for path in files for n in pyarrow.parquet.read_table(path, columns=["id"]).column(0).to_pylist())
