"""The command lines of Apache Kafka's quick start and operations pages, with only the first word changed."""

import io
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from ottla.cli.main import main
from ottla.testing import Broker

QUICK_START = """
topics --create --topic quickstart-events --bootstrap-server localhost:9092
topics --describe --topic quickstart-events --bootstrap-server localhost:9092
console-producer --topic quickstart-events --bootstrap-server localhost:9092
console-consumer --topic quickstart-events --from-beginning --bootstrap-server localhost:9092 --max-messages 2
topics --bootstrap-server localhost:9092 --create --topic my_topic_name --partitions 2 --replication-factor 1
topics --bootstrap-server localhost:9092 --alter --topic my_topic_name --partitions 4
configs --bootstrap-server localhost:9092 --entity-type topics --entity-name my_topic_name --alter --add-config max.message.bytes=128000
configs --bootstrap-server localhost:9092 --entity-type topics --entity-name my_topic_name --describe
configs --bootstrap-server localhost:9092 --entity-type topics --entity-name my_topic_name --alter --delete-config max.message.bytes
configs --bootstrap-server localhost:9092 --entity-type brokers --entity-name 1 --alter --add-config log.cleaner.threads=2
configs --bootstrap-server localhost:9092 --entity-type brokers --entity-name 1 --describe
configs --bootstrap-server localhost:9092 --entity-type brokers --entity-name 1 --alter --delete-config log.cleaner.threads
configs --bootstrap-server localhost:9092 --entity-type brokers --entity-default --describe
console-consumer --bootstrap-server localhost:9092 --topic quickstart-events --group my-group --from-beginning --max-messages 2
consumer-groups --bootstrap-server localhost:9092 --list
consumer-groups --bootstrap-server localhost:9092 --describe --group my-group
consumer-groups --bootstrap-server localhost:9092 --describe --group my-group --members
consumer-groups --bootstrap-server localhost:9092 --describe --group my-group --members --verbose
consumer-groups --bootstrap-server localhost:9092 --describe --group my-group --state
consumer-groups --bootstrap-server localhost:9092 --reset-offsets --group my-group --topic quickstart-events --to-latest
consumer-groups --bootstrap-server localhost:9092 --delete --group my-group
groups --bootstrap-server localhost:9092 --list
broker-api-versions --bootstrap-server localhost:9092
metadata-quorum --bootstrap-server localhost:9092 describe --status
metadata-quorum --bootstrap-server localhost:9092 describe --replication
features --bootstrap-server localhost:9092 describe
transactions --bootstrap-server localhost:9092 list
log-dirs --bootstrap-server localhost:9092 --describe
leader-election --bootstrap-server localhost:9092 --election-type preferred --all-topic-partitions
get-offsets --bootstrap-server localhost:9092 --topic quickstart-events
producer-perf-test --topic my_topic_name --num-records 50 --record-size 100 --throughput -1 --producer-props bootstrap.servers=localhost:9092
consumer-perf-test --bootstrap-server localhost:9092 --topic my_topic_name --messages 50
topics --bootstrap-server localhost:9092 --delete --topic my_topic_name
"""  # noqa: E501


@pytest.fixture
def broker() -> Iterator[Broker]:
    with Broker() as broker:
        yield broker


def test_each_line_of_the_quick_start_runs(
    broker: Broker, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    typed = tmp_path / "typed.txt"
    typed.write_text("This is my first event\nThis is my second event\n")
    failed: list[str] = []
    for line in QUICK_START.strip().splitlines():
        with typed.open(encoding="utf-8") as stdin:
            monkeypatch.setattr("sys.stdin", io.TextIOWrapper(stdin.buffer, encoding="utf-8"))
            code = main(shlex.split(line.replace("localhost:9092", broker.bootstrap)))
        if code != 0:
            failed.append(f"{line}: {capfd.readouterr().err}")

    assert failed == []
    assert "This is my first event" in capfd.readouterr().out
