"""The same command line to Apache Kafka's own tool and to ours, on the same broker: the same output.

Differences that are meant are in docs/from-kafka-scripts.md; here they are masked, one line each.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ottla.testing import Broker
from tests.support.cli_run import RunCli, broker_with_orders, runner
from tests.support.kafka_tools import kafka_prints, with_server

SAME = [
    "topics --list",
    "topics --describe --topic orders",
    "configs --describe --entity-type topics --entity-name orders --all",
    "configs --describe --entity-type brokers --entity-default",
    "get-offsets --topic-partitions orders:0-1 --time earliest",
    "consumer-groups --list --state",
    "consumer-groups --describe --group idle",
    "consumer-groups --describe --group idle --state --verbose",
    "consumer-groups --describe --all-groups --members --verbose",
    "consumer-groups --reset-offsets --group idle --topic orders --to-earliest --dry-run",
    "consumer-groups --reset-offsets --group idle --topic orders --shift-by -1 --export --dry-run",
    "groups --list",
    "log-dirs --describe --topic-list orders",
    "broker-api-versions",
    "cluster cluster-id",
    "cluster list-endpoints",
    "features describe",
    "metadata-quorum describe --status",
    "transactions describe-producers --topic orders --partition 0",
    "leader-election --election-type preferred --topic orders --partition 0",
    "reassign-partitions --list",
]
#: Each tool has a topic of its own, whose name is masked: {topic}.
CHANGES = [
    "topics --create --topic {topic} --partitions 3 --config retention.ms=1000",
    "topics --create --topic {topic} --if-not-exists",
    "configs --alter --entity-type topics --entity-name {topic} --add-config max.message.bytes=128000",
    "configs --describe --entity-type topics --entity-name {topic}",
    "configs --alter --entity-type topics --entity-name {topic} --delete-config max.message.bytes",
    "topics --alter --topic {topic} --partitions 4",
    "reassign-partitions --execute --reassignment-json-file {plan}",
    "reassign-partitions --verify --reassignment-json-file {plan}",
    "delete-records --offset-json-file {offsets}",
    "consumer-groups --reset-offsets --group {topic} --topic {topic}:0,1 --to-latest --execute",
    "consumer-groups --delete-offsets --group {topic} --topic {topic}",
    "consumer-groups --delete --group {topic}",
    "topics --delete --topic {topic}",
]


@pytest.fixture(scope="module")
def broker() -> Iterator[Broker]:
    with broker_with_orders("idle", kv=1) as broker:
        yield broker


@pytest.fixture
def cli(broker: Broker, capsys: pytest.CaptureFixture[str]) -> RunCli:
    return runner(broker.bootstrap, capsys)


def comparable(text: str) -> str:
    """Without the differences that are meant."""
    # The high watermark moves while the tools run.
    return re.sub(r"HighWatermark: +\d+", "HighWatermark: N", text)


@pytest.mark.parametrize("line", SAME)
def test_our_tool_prints_what_kafkas_prints(line: str, cli: RunCli, broker: Broker) -> None:
    words = line.split()
    expected = kafka_prints(with_server(words, broker.bootstrap))
    assert expected.code == 0, expected.err[-1000:]

    found = cli(*words)

    assert found.code == 0, found.err
    assert comparable(found.out) == comparable(expected.out)


def test_our_tools_change_what_kafkas_change(cli: RunCli, broker: Broker, tmp_path: Path) -> None:
    """One story, told twice."""
    expected, found = {}, {}
    for line in CHANGES:
        words = files_and_names(line, "java", tmp_path)
        printed = kafka_prints(with_server(words, broker.bootstrap))
        assert printed.code == 0, (line, printed.err[-1000:])
        expected[line] = masked(printed.out, "java")
    for line in CHANGES:
        done = cli(*files_and_names(line, "ours", tmp_path))
        assert done.code == 0, (line, done.err)
        found[line] = masked(done.out, "ours")

    assert found == expected


def files_and_names(line: str, who: str, directory: Path) -> list[str]:
    topic = f"of-{who}"
    place = {"topic": topic, "partition": 0}
    plan = directory / f"{who}-plan.json"
    plan.write_text(json.dumps({"version": 1, "partitions": [{**place, "replicas": [1], "log_dirs": ["any"]}]}))
    offsets = directory / f"{who}-offsets.json"
    offsets.write_text(json.dumps({"version": 1, "partitions": [{**place, "offset": 0}]}))
    return line.format(topic=topic, plan=plan, offsets=offsets).split()


def masked(text: str, who: str) -> str:
    return comparable(text.replace(f"of-{who}", "of-somebody"))
