"""The same job on a standalone cluster, through Spark Connect, and with the oldest PySpark that is supported."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from benchmarks.broker_node import PeerUnavailable
from benchmarks.spark_connector import VERSION, environment_with, fetch, fetch_pyspark

from ottla.client import Admin, NewTopic, Producer, TopicPartition, read_topic
from tests.spark_clusters.spark_servers import SparkServers
from tests.support.broker_process import BrokerProcess

pytestmark = pytest.mark.timeout(600)
ROWS = 1000
ROOT = Path(__file__).parents[2]
CACHE = ROOT / ".cache" / "benchmarks"


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[BrokerProcess]:
    (tmp_path / "node").mkdir()
    process = BrokerProcess(tmp_path / "node").start()
    with Admin(bootstrap_servers=process.address) as admin:
        admin.create_topics([NewTopic("source", partitions=2), NewTopic("target", partitions=2)])
    with Producer(bootstrap_servers=process.address) as producer:
        for number in range(ROWS):
            producer.send("source", b"%d" % number, partition=number % 2)
    yield process
    process.stop()


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[SparkServers]:
    (tmp_path / "spark").mkdir()
    started = SparkServers(tmp_path / "spark")
    yield started
    started.stop()


def run_job(
    master: str, broker: BrokerProcess, directory: Path, environment: dict[str, str] | None = None, *more: str
) -> dict[str, Any]:
    """`more`: the format of the copy, and what its session needs."""
    words = (master, broker.address, "source", "target", str(directory), *more)
    done = subprocess.run(
        [sys.executable, "-m", "tests.spark_clusters.job", *words],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=500, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def assert_right(found: dict[str, Any], broker: BrokerProcess) -> None:
    assert found["total"] == sum(range(ROWS))
    assert found["copied"] == list(range(ROWS))
    with Admin(bootstrap_servers=broker.address) as admin:
        positions = {each: offset.offset for each, offset in admin.list_group_offsets("copy").items()}
    assert positions == {TopicPartition("source", number): ROWS // 2 for number in range(2)}


def test_a_standalone_cluster_runs_the_job(broker: BrokerProcess, servers: SparkServers, tmp_path: Path) -> None:
    assert_right(run_job(servers.standalone(), broker, tmp_path), broker)


def test_a_connect_server_runs_the_job(broker: BrokerProcess, servers: SparkServers, tmp_path: Path) -> None:
    pytest.importorskip("grpc", reason="pyspark is not installed with its extra connect")
    assert_right(run_job(servers.connect(), broker, tmp_path), broker)


def test_the_oldest_pyspark_runs_the_job(broker: BrokerProcess, tmp_path: Path) -> None:
    try:
        pyspark = fetch_pyspark(CACHE)
    except PeerUnavailable as reason:
        pytest.skip(f"pyspark is not installed: {reason}")

    found = run_job("local[2]", broker, tmp_path, environment_with(pyspark))

    assert found["version"] == VERSION
    assert_right(found, broker)


def test_a_query_of_sparks_kafka_connector_goes_on_with_its_checkpoint(broker: BrokerProcess, tmp_path: Path) -> None:
    try:
        connector = fetch(CACHE)
    except PeerUnavailable as reason:
        pytest.skip(f"the jars of the connector cannot be had: {reason}")
    jars = ",".join(map(str, connector.jars))

    before = run_job("local[2]", broker, tmp_path, connector.environment(), "kafka", jars)
    with Producer(bootstrap_servers=broker.address) as producer:
        for number in range(ROWS, 2 * ROWS):
            producer.send("source", b"%d" % number, partition=number % 2)
    after = run_job("local[2]", broker, tmp_path, connector.environment())

    assert before["copied"] == list(range(ROWS))
    assert after["copied"] == list(range(2 * ROWS))


PIPELINE = """\
pipeline: copy
bootstrap: {bootstrap}
group: copy
master: {master}
checkpoint: state
trigger: available-now
sources:
  numbers: {{topic: source, start: earliest, decode: text}}
sinks:
  - {{from: numbers, topic: target, value: value, encode: text}}
"""


def test_a_standalone_cluster_runs_a_pipeline(broker: BrokerProcess, servers: SparkServers, tmp_path: Path) -> None:
    file = tmp_path / "copy.yaml"
    file.write_text(PIPELINE.format(bootstrap=broker.address, master=servers.standalone()))
    environment = {**os.environ, "OTTLA_STATE_DIR": str(tmp_path / "state")}
    done = subprocess.run(
        [sys.executable, "-m", "ottla", "pipeline", "run", "--once", str(file)],
        env=environment, capture_output=True, text=True, timeout=500, check=False,
    )  # fmt: skip

    assert done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    table = read_topic("target", columns=["value"], isolation="read_committed", bootstrap_servers=broker.address)
    assert sorted(int(value) for value in table.column("value").to_pylist()) == list(range(ROWS))
