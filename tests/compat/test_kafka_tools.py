"""The same command line to Apache Kafka's own tool and to ours, on the same broker: the same output.

Differences that are meant are in docs/from-kafka-scripts.md; here they are masked, one line each.
"""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from ottla.testing import Broker
from tests.support.cli_run import RunCli, broker_with_orders, runner
from tests.support.kafka_process import kafka_home

TOOLS = "org.apache.kafka.tools"
CLASSES = {
    "topics": f"{TOOLS}.TopicCommand",
    "configs": "kafka.admin.ConfigCommand",
    "consumer-groups": f"{TOOLS}.consumer.group.ConsumerGroupCommand",
    "groups": f"{TOOLS}.GroupsCommand",
    "log-dirs": f"{TOOLS}.LogDirsCommand",
    "broker-api-versions": f"{TOOLS}.BrokerApiVersionsCommand",
    "cluster": f"{TOOLS}.ClusterTool",
    "features": f"{TOOLS}.FeatureCommand",
    "metadata-quorum": f"{TOOLS}.MetadataQuorumCommand",
    "transactions": f"{TOOLS}.TransactionsCommand",
}
SAME = [
    "topics --describe --topic orders",
    "configs --describe --entity-type topics --entity-name orders --all",
    "consumer-groups --list --state",
    "consumer-groups --describe --group idle",
    "consumer-groups --describe --all-groups --members --verbose",
    "consumer-groups --reset-offsets --group idle --topic orders --to-earliest --dry-run",
    "groups --list",
    "log-dirs --describe --topic-list orders",
    "broker-api-versions",
    "cluster list-endpoints",
    "features describe",
    "metadata-quorum describe --status",
    "transactions describe-producers --topic orders --partition 0",
]


@pytest.fixture(scope="module")
def broker() -> Iterator[Broker]:
    with broker_with_orders("idle", kv=1) as broker:
        yield broker


@pytest.fixture
def cli(broker: Broker, capsys: pytest.CaptureFixture[str]) -> RunCli:
    return runner(broker.bootstrap, capsys)


def kafka_output(home: Path, words: list[str], address: str) -> str:
    """What Apache Kafka's tool prints on stdout."""
    tool, *rest = words
    server = ["--bootstrap-server", address]
    rest = [*rest, *server] if tool == "cluster" else [*server, *rest]
    java = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", f"{home / 'libs'}/*"]
    logging = f"-Dlog4j2.configurationFile={home / 'log4j2.properties'}"
    done = subprocess.run(
        [*java, logging, CLASSES[tool], *rest], capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == 0, done.stderr[-1000:]
    return done.stdout


def comparable(text: str) -> str:
    """Without the differences that are meant."""
    # The high watermark moves while the tools run.
    return re.sub(r"HighWatermark: +\d+", "HighWatermark: N", text)


@pytest.mark.parametrize("line", SAME)
def test_our_tool_prints_what_kafkas_prints(line: str, cli: RunCli, broker: Broker) -> None:
    words = line.split()
    expected = kafka_output(kafka_home(), words, broker.bootstrap)

    found = cli(*words)

    assert found.code == 0
    assert comparable(found.out) == comparable(expected)
