"""Command lines of Apache Kafka's documentation and of scripts in the wild, with only the first word changed.

Addresses, file names and values that are placeholders in the documentation are filled in; nothing else is changed.
"""

import io
import json
import shlex
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from ottla.cli.main import main
from ottla.client import Admin, OffsetAndMetadata, Producer, TopicPartition
from ottla.testing import Broker
from tests.support.broker_process import BrokerProcess
from tests.support.waiting import eventually

SERVER = "localhost:9092"
TOPIC = f"--bootstrap-server {SERVER} --entity-type topics --entity-name my_topic_name"
NODE = f"--bootstrap-server {SERVER} --entity-type brokers --entity-name 1"
QUOTAS = (
    f"configs --bootstrap-server {SERVER} --alter"
    " --add-config producer_byte_rate=1024,consumer_byte_rate=2048,request_percentage=200"
)
#: From the quick start, the operations pages and the configuration pages.
DOCUMENTED = [
    f"topics --create --topic new-events --bootstrap-server {SERVER}",
    f"topics --describe --topic quickstart-events --bootstrap-server {SERVER}",
    f"console-producer --topic quickstart-events --bootstrap-server {SERVER}",
    f"topics --bootstrap-server {SERVER} --create --topic new_topic --partitions 20 --replication-factor 1"
    " --config max.message.bytes=64000 --config flush.messages=1",
    f"topics --bootstrap-server {SERVER} --alter --topic my_topic_name --partitions 40",
    f"configs {TOPIC} --alter --add-config max.message.bytes=128000",
    f"configs {TOPIC} --describe",
    f"configs {TOPIC} --alter --delete-config retention.ms",
    f"topics --bootstrap-server {SERVER} --delete --topic my_topic_name",
    f"topics --bootstrap-server {SERVER} --topic my_topic_name --describe",
    f"leader-election --bootstrap-server {SERVER} --election-type preferred --all-topic-partitions",
    f"consumer-groups --bootstrap-server {SERVER} --list",
    f"consumer-groups --bootstrap-server {SERVER} --describe --group my-group",
    f"consumer-groups --bootstrap-server {SERVER} --describe --group my-group --members",
    f"consumer-groups --bootstrap-server {SERVER} --describe --group my-group --members --verbose",
    f"consumer-groups --bootstrap-server {SERVER} --describe --group my-group --state",
    f"consumer-groups --bootstrap-server {SERVER} --delete --group my-group --group my-other-group",
    f"consumer-groups --bootstrap-server {SERVER} --reset-offsets --group my-group"
    " --topic quickstart-events --to-latest",
    f"reassign-partitions --bootstrap-server {SERVER} --topics-to-move-json-file topics-to-move.json"
    ' --broker-list "1" --generate',
    f"reassign-partitions --bootstrap-server {SERVER} --reassignment-json-file plan.json --execute",
    f"reassign-partitions --bootstrap-server {SERVER} --reassignment-json-file plan.json --verify",
    f"reassign-partitions --bootstrap-server {SERVER} --execute --reassignment-json-file plan.json"
    " --throttle 50000000 --replica-alter-log-dirs-throttle 100000000",
    f"reassign-partitions --bootstrap-server {SERVER} --additional --execute --reassignment-json-file plan.json"
    " --throttle 700000000",
    f"configs --describe --bootstrap-server {SERVER} --entity-type brokers",
    f"configs --describe --bootstrap-server {SERVER} --entity-type topics",
    f"configs {NODE} --alter --add-config log.cleaner.threads=2",
    f"configs {NODE} --describe",
    f"configs {NODE} --alter --delete-config log.cleaner.threads",
    f"configs --bootstrap-server {SERVER} --entity-type brokers --entity-default --alter"
    " --add-config log.cleaner.threads=2",
    f"configs --bootstrap-server {SERVER} --entity-type brokers --entity-default --describe",
    f"configs --bootstrap-server {SERVER} --describe --entity-type users --entity-name user1"
    " --entity-type clients --entity-name clientA",
    f"configs --bootstrap-server {SERVER} --describe --entity-type users --entity-name user1",
    f"configs --bootstrap-server {SERVER} --describe --entity-type clients --entity-name clientA",
    f"configs --bootstrap-server {SERVER} --describe --entity-type users",
    f"configs --bootstrap-server {SERVER} --describe --entity-type users --entity-type clients",
    f"metadata-quorum --bootstrap-server {SERVER} describe --status",
    f"metadata-quorum --bootstrap-server {SERVER} describe --replication",
    f"features --bootstrap-server {SERVER} describe",
    f"transactions --bootstrap-server {SERVER} list",
    f"log-dirs --bootstrap-server {SERVER} --describe",
    f"broker-api-versions --bootstrap-server {SERVER}",
    f"groups --bootstrap-server {SERVER} --list",
    f"get-offsets --bootstrap-server {SERVER} --topic quickstart-events",
    "storage random-uuid",
    "producer-perf-test --topic my_topic_name --num-records 1200 --record-size 1024 --throughput -1"
    f" --producer-props bootstrap.servers={SERVER}",
    f"consumer-perf-test --bootstrap-server {SERVER} --topic quickstart-events --messages 2",
    "console-consumer --topic quickstart-events --from-beginning --max-messages 1"
    f" --bootstrap-server {SERVER} --property print.offset=true",
]
#: The broker has no quotas yet: these lines say so.
NOT_SERVED = [
    f"{QUOTAS} --entity-type users --entity-name user1 --entity-type clients --entity-name clientA",
    f"{QUOTAS} --entity-type users --entity-name user1",
    f"{QUOTAS} --entity-type clients --entity-name clientA",
    f"{QUOTAS} --entity-type users --entity-name user1 --entity-type clients --entity-default",
    f"{QUOTAS} --entity-type users --entity-default",
    f"{QUOTAS} --entity-type clients --entity-default",
]
#: From scripts of users: several servers, flags of old releases, more records than there are.
IN_THE_WILD = [
    f"consumer-perf-test --bootstrap-server {SERVER},{SERVER},{SERVER} --topic  registry  --fetch-size 10000"
    " --messages 10000000 --threads 12",
    f"consumer-groups  --bootstrap-server {SERVER},{SERVER},{SERVER} --describe --group registry",
    f"reassign-partitions --bootstrap-server {SERVER} --reassignment-json-file plan.json --execute --throttle 50000000",
]


@pytest.fixture(scope="module")
def broker() -> Iterator[Broker]:
    with Broker(config={"auto.create.topics.enable": "false"}) as broker:
        with Producer(bootstrap_servers=broker.bootstrap) as producer:
            for topic in ("quickstart-events", "registry"):
                broker.create_topic(topic)
                producer.send(topic, b"This is my first event")
                producer.send(topic, b"This is my second event")
        yield broker


@pytest.fixture
def prepared(broker: Broker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Broker:
    """What a line needs, whatever ran before it: a topic, groups with offsets, files in the working directory."""
    monkeypatch.chdir(tmp_path)
    if "my_topic_name" in broker.topics():
        broker.admin(lambda admin: admin.delete_topics(["my_topic_name"]))
    broker.create_topic("my_topic_name", 2, config={"retention.ms": "1000"})
    with Admin(bootstrap_servers=broker.bootstrap) as admin:
        for group, topic in (
            ("my-group", "quickstart-events"),
            ("my-other-group", "quickstart-events"),
            ("registry", "registry"),
        ):
            admin.alter_group_offsets(group, {TopicPartition(topic, 0): OffsetAndMetadata(1)})
    place = {"topic": "my_topic_name", "partition": 0, "replicas": [1]}
    Path("plan.json").write_text(json.dumps({"version": 1, "partitions": [place]}))
    Path("topics-to-move.json").write_text(json.dumps({"version": 1, "topics": [{"topic": "my_topic_name"}]}))
    return broker


@pytest.mark.parametrize("line", [*DOCUMENTED, *IN_THE_WILD])
def test_the_line_runs(
    line: str, prepared: Broker, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"This is my third event\n")))

    code = main(shlex.split(line.replace(SERVER, prepared.bootstrap)))

    printed = capfd.readouterr()
    assert code == 0, printed.err
    assert "Traceback" not in printed.err


@pytest.mark.parametrize("line", NOT_SERVED)
def test_a_line_that_the_broker_does_not_serve_says_so(
    line: str, broker: Broker, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(shlex.split(line.replace(SERVER, broker.bootstrap))) == 1

    assert "the broker does not serve AlterClientQuotas" in capsys.readouterr().err


def test_a_tool_without_flags_names_the_actions(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reassign-partitions"]) == 1

    assert "exactly one action: --generate, --execute, --verify, --cancel or --list" in capsys.readouterr().err


def test_the_quick_start_runs_with_kafkas_names(tmp_path: Path) -> None:
    """From an empty directory, as a script: `ottla link` gives it bin/kafka-*.sh."""
    assert main(["link", "--dir", str(tmp_path)]) == 0
    node = BrokerProcess(tmp_path)

    def script(name: str, *words: str, typed: str = "") -> str:
        command = [str(tmp_path / "bin" / f"kafka-{name}.sh"), *words]
        return subprocess.run(command, input=typed, capture_output=True, text=True, check=True, timeout=60).stdout

    cluster_id = script("storage", "random-uuid").strip()
    file = str(tmp_path / "server.properties")
    assert "Formatting " in script("storage", "format", "--standalone", "-t", cluster_id, "-c", file)
    server = subprocess.Popen([tmp_path / "bin" / "kafka-server-start.sh", file], stderr=subprocess.PIPE, text=True)
    consumer = None
    try:
        at = ["--bootstrap-server", node.address]
        eventually(node.responds, within_s=60, what="the start of the broker")
        assert f"Cluster ID: {cluster_id}\n" == script("cluster", "cluster-id", *at)
        assert script("topics", "--create", "--topic", "quickstart-events", *at) == "Created topic quickstart-events.\n"
        script("console-producer", "--topic", "quickstart-events", *at, typed="first\nsecond\n")
        words = ["--topic", "quickstart-events", "--from-beginning", *at]
        consumer = subprocess.Popen(
            [tmp_path / "bin" / "kafka-console-consumer.sh", *words], stdout=subprocess.PIPE, text=True
        )
        assert consumer.stdout is not None
        assert [consumer.stdout.readline(), consumer.stdout.readline()] == ["first\n", "second\n"]
        consumer.send_signal(signal.SIGINT)
        assert consumer.wait(60) == 130
        server.send_signal(signal.SIGTERM)
        assert server.wait(60) == 0
    finally:
        for process in (consumer, server):
            if process is not None:
                process.kill()
                process.communicate()
