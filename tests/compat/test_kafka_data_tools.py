"""Apache Kafka's tools for records and ours, on the same broker or the same files: the same lines.

What is measured differs from run to run: numbers are masked then, and the form of the lines is compared.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ottla.client import Admin, OffsetAndMetadata, Producer, TopicPartition
from ottla.testing import Broker
from tests.support.archives import unpack
from tests.support.cli_run import Finished, RunCli, runner
from tests.support.kafka_tools import Printed, kafka_prints, with_server

ARCHIVE = Path(__file__).parents[1] / "data" / "kafka-4.3-data-dirs.tar.xz"
FROM_START = "--from-beginning --max-messages 4"
ALL_COLUMNS = " ".join(
    f"--formatter-property print.{name}=true"
    for name in ("timestamp", "partition", "offset", "epoch", "headers", "key")
)
SERIALIZATION = "org.apache.kafka.common.serialization"
FORMATTERS = "org.apache.kafka.tools.consumer"
CONSOLE = [
    f"--topic kv {FROM_START}",
    f"--topic kv {FROM_START} {ALL_COLUMNS}",
    f"--topic kv {FROM_START} {ALL_COLUMNS} --formatter-property print.value=false",
    f"--topic kv {FROM_START} {ALL_COLUMNS} --formatter-property key.separator=| --formatter-property null.literal=NIL"
    " --formatter-property headers.separator=; --formatter-property line.separator=!",
    f"--topic numbers {FROM_START} --value-deserializer {SERIALIZATION}.LongDeserializer"
    f" --formatter-property print.key=true --key-deserializer {SERIALIZATION}.IntegerDeserializer",
    f"--topic kv {FROM_START} --formatter {FORMATTERS}.NoOpMessageFormatter",
    f"--topic kv {FROM_START} --formatter {FORMATTERS}.LoggingMessageFormatter",
    "--topic kv --partition 0 --offset 2 --max-messages 1",
    "--topic kv --partition 0 --offset earliest --max-messages 2 --isolation-level read_committed",
    "--include k.* --from-beginning --timeout-ms 3000",
    f"--topic __consumer_offsets --from-beginning --timeout-ms 3000 --formatter {FORMATTERS}.OffsetsMessageFormatter",
    "--topic __transaction_state --from-beginning --timeout-ms 3000"
    f" --formatter {FORMATTERS}.TransactionLogMessageFormatter",
]
DUMPS = [
    "",
    "--print-data-log",
    "--print-data-log --skip-record-metadata",
    "--deep-iteration --max-bytes 300",
]


@pytest.fixture(scope="module")
def broker() -> Iterator[Broker]:
    # The records are old, and are to stay.
    config = {
        "offsets.topic.num.partitions": 1,
        "transaction.state.log.num.partitions": 1,
        "log.retention.ms": -1,
    }
    with Broker(topics=["kv", "numbers", "perf", "e2e"], config=config) as broker:
        fill(broker.bootstrap)
        yield broker


def fill(servers: str) -> None:
    with Producer(bootstrap_servers=servers) as producer:
        headers = {"a": b"1", "b": None}
        producer.send("kv", b"one", b"k1", headers=headers, timestamp_ms=1_700_000_000_000)
        producer.send("kv", b"two", timestamp_ms=1_700_000_000_001)
        producer.send("kv", None, b"k3", timestamp_ms=1_700_000_000_002)
        producer.send("kv", "čtyři".encode(), b"", headers={"c": b""}, timestamp_ms=1_700_000_000_003)
        for number in range(4000):
            producer.send("perf", b"%0100d" % number)
        for number in (1, -1, 2**40, 0):
            producer.send("numbers", number.to_bytes(8, "big", signed=True), (number % 7).to_bytes(4, "big"))
    with Admin(bootstrap_servers=servers) as admin:
        admin.alter_group_offsets("g", {TopicPartition("kv", 0): OffsetAndMetadata(2)})
    with Producer(bootstrap_servers=servers, transactional_id="tx") as producer, producer.transaction():
        producer.send("other", b"in a transaction")


@pytest.fixture
def cli(broker: Broker, capfd: pytest.CaptureFixture[str]) -> RunCli:
    # The lines of the consumer go to the buffer below sys.stdout.
    return runner(broker.bootstrap, capfd)


@pytest.mark.parametrize("line", CONSOLE)
def test_our_console_consumer_prints_what_kafkas_prints(line: str, cli: RunCli, broker: Broker) -> None:
    words = ["console-consumer", *line.split()]
    expected = kafka_prints(with_server(words, broker.bootstrap))

    found = cli(*words)

    assert records_of(found.out, line) == records_of(expected.out, line)
    if "__consumer_offsets" in line:
        return  # each consumer writes to it, so the totals differ
    # Logging and deprecations are on stderr too.
    totals = [each for each in expected.err.splitlines() if each.startswith("Processed")]
    assert found.err.splitlines()[-1] == totals[-1]


def records_of(text: str, line: str) -> list[Any]:
    """Without the differences that are meant, see docs/from-kafka-scripts.md, and without Kafka's log of a timeout."""
    printed = re.sub(r"\d{4}-\d\d-\d\d \S+ ERROR [^\n]*\n[^\n]*TimeoutException\n", "", text)
    if "__" not in line:
        return [re.sub(r"Epoch:\d+", "Epoch:NOT_PRESENT", printed)]
    # Kafka's formatters of internal topics print no line breaks.
    return [json.loads(each) for each in printed.replace('}{"key"', '}\n{"key"').splitlines()]


@pytest.mark.parametrize(
    "line",
    [
        "console-producer --topic {topic}",
        "console-producer --topic {topic} --reader-property parse.key=true --reader-property key.separator=:",
        "console-producer --topic {topic} --sync --reader-property parse.headers=true --reader-property parse.key=true"
        " --reader-property key.separator=: --reader-property headers.delimiter=/ --reader-property null.marker=NIL",
    ],
    ids=["values", "keys", "headers"],
)
def test_our_console_producer_sends_what_kafkas_sends(
    line: str, broker: Broker, cli: RunCli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    typed = "h1=1,h2=2/k:v\nNIL/k2:NIL\n".replace("=", ":") if "headers" in line else "a:1\nb:2\n"
    file = tmp_path / "typed"
    file.write_text(typed)
    topics = {who: f"typed-{len(line)}-{who}" for who in ("java", "ours")}
    for topic in topics.values():
        broker.create_topic(topic)
    kafka = kafka_prints(with_server(line.format(topic=topics["java"]).split(), broker.bootstrap), typed=typed)
    assert kafka.code == 0, kafka.err[-1000:]

    with file.open() as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        assert cli(*line.format(topic=topics["ours"]).split()).code == 0

    sent = {who: [(each.key, each.value, each.headers) for each in broker.read(topics[who], n=2)] for who in topics}
    assert sent["ours"] == sent["java"]


def events(printed: Printed | Finished, topic: str) -> list[dict[str, Any]]:
    """The events without what differs from run to run."""
    found = [json.loads(line.replace(topic, "TOPIC")) for line in printed.out.splitlines()]
    for event in found:
        assert isinstance(event.pop("timestamp"), int)
        if "avg_throughput" in event:
            event["avg_throughput"] = "N"
    return found


@pytest.mark.parametrize("options", ["", "--value-prefix 7 --repeating-keys 2", "--throughput 100 --acks 1"])
def test_the_verifiable_producer_prints_kafkas_events(options: str, cli: RunCli, broker: Broker) -> None:
    name = f"verified-{len(options)}"
    for topic in (f"{name}-java", f"{name}-ours"):
        broker.create_topic(topic)
    words = ["verifiable-producer", "--max-messages", "3", *options.split(), "--topic"]
    expected = kafka_prints(with_server([*words, f"{name}-java"], broker.bootstrap))

    found = cli(*words, f"{name}-ours")

    assert events(found, f"{name}-ours") == events(expected, f"{name}-java")


def test_the_verifiable_consumer_prints_kafkas_events(cli: RunCli, broker: Broker) -> None:
    words = ["verifiable-consumer", "--topic", "kv", "--max-messages", "4", "--verbose", "--group-id"]
    expected = kafka_prints(with_server([*words, "by-java"], broker.bootstrap))

    found = cli(*words, "by-ours")

    assert events(found, "kv") == events(expected, "kv")


def form(text: str) -> str:
    """Every number is N."""
    return re.sub(r"\d+(\.\d+(E-?\d+)?)?", "N", text)


@pytest.mark.parametrize(
    "line",
    [
        "producer-perf-test --topic perf --num-records 2000 --record-size 100 --throughput -1"
        " --command-property bootstrap.servers={servers} acks=all",
        "producer-perf-test --topic perf --num-records 2000 --record-size 100 --throughput 5000 --warmup-records 500"
        " --command-property bootstrap.servers={servers}",
        "consumer-perf-test --bootstrap-server {servers} --topic perf --num-records 1000",
        "consumer-perf-test --bootstrap-server {servers} --topic perf --num-records 1000 --hide-header",
        "consumer-perf-test --bootstrap-server {servers} --topic perf --num-records 4000 --show-detailed-stats"
        " --reporting-interval 1",
        "e2e-latency --bootstrap-server {servers} --topic e2e --num-records 20 --producer-acks all --record-size 100",
    ],
)
def test_measurements_are_printed_in_kafkas_form(line: str, cli: RunCli, broker: Broker) -> None:
    words = line.format(servers=broker.bootstrap).split()
    expected = kafka_prints(words)
    assert expected.code == 0, expected.err[-1000:]

    found = cli(*words, connected=False)

    assert found.code == 0, found.err
    # How many windows there are depends on the speed.
    assert set(form(found.out).splitlines()) == set(form(expected.out).splitlines())


@pytest.mark.parametrize("options", DUMPS)
def test_dump_log_prints_what_kafkas_prints(options: str, cli: RunCli, tmp_path: Path) -> None:
    unpack(ARCHIVE, tmp_path)
    files = sorted((tmp_path / "clean").rglob("*.log"))[:6]
    words = ["dump-log", "--files", ",".join(map(str, files)), *options.split()]
    expected = kafka_prints(words)

    found = cli(*words, connected=False)

    # Line breaks in records are not kept when the output of a process is read as text.
    assert found.out.replace("\r\n", "\n").replace("\r", "\n") == expected.out
