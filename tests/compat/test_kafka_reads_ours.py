"""The other way round: Apache Kafka's own tool reads our files, and Apache Kafka itself runs on our directory.

Needs Java and, for the first run, Maven and the network; skips with one line otherwise.
"""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic

from tests.support.broker_process import BrokerProcess
from tests.support.kafka_process import kafka_command, kafka_home
from tests.support.ports import free_port
from tests.support.waiting import eventually
from tests.support.whole_partitions import as_in_manifest, read_to_ends

pytestmark = pytest.mark.timeout(300)
CODECS = ["none", "gzip", "snappy", "lz4", "zstd"]
PLACES = [*((f"codec-{codec}", 0) for codec in CODECS), ("transfers", 0)]


@pytest.fixture(scope="module")
def home() -> Path:
    return kafka_home()


class Ours:
    """What Ottla has written and then shown to a client, before it was stopped."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        broker = BrokerProcess(directory).start()
        self.logs = broker.log_directory
        self._fill(broker.address)
        self.shown = self.as_shown_by(broker.address)
        assert broker.stop() == 0

    def _fill(self, address: str) -> None:
        admin = AdminClient({"bootstrap.servers": address})
        for future in admin.create_topics([NewTopic(topic, 1, 1) for topic, _ in PLACES]).values():
            future.result(20)
        for codec in CODECS:
            producer = Producer({"bootstrap.servers": address, "compression.type": codec, "linger.ms": 5})
            for number in range(200):
                producer.produce(
                    f"codec-{codec}", b"value %d" % number, key=b"k%d" % number, headers={"h": b"x", "n": None}
                )
            assert producer.flush(20) == 0
        transfers = Producer({"bootstrap.servers": address, "transactional.id": "transfers"})
        transfers.init_transactions(20)
        for number in range(4):
            transfers.begin_transaction()
            transfers.produce("transfers", b"%d" % number, partition=0)
            transfers.flush(20)
            (transfers.commit_transaction if number % 2 == 0 else transfers.abort_transaction)(20)
        consumer = Consumer({"bootstrap.servers": address, "group.id": "readers"})
        consumer.commit(offsets=[TopicPartition("codec-none", 0, 77)], asynchronous=False)
        consumer.close()

    def as_shown_by(self, address: str) -> dict[str, object]:
        consumer = Consumer({"bootstrap.servers": address, "group.id": "readers"})
        committed: list[int] = []

        def is_answered() -> bool:
            try:
                committed.append(consumer.committed([TopicPartition("codec-none", 0)], timeout=20)[0].offset)
            except KafkaException:
                return False  # the coordinator loads
            return True

        eventually(is_answered, what="the committed offset is answered")
        consumer.close()
        records = read_to_ends(address, PLACES)
        return {
            "committed": committed[0],
            **{f"{topic}-{index}": list(map(as_in_manifest, found)) for (topic, index), found in records.items()},
        }


@pytest.fixture(scope="module")
def ours(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Ours:
    return Ours(tmp_path_factory.mktemp("ours"))


def dump(home: Path, *words: str) -> str:
    command = kafka_command(home, "org.apache.kafka.tools.DumpLogSegments", *words)
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_kafkas_tool_reads_our_segments_and_indexes(home: Path, ours: Ours) -> None:
    files = sorted(
        str(file)
        for topic, index in PLACES
        for file in (ours.logs / f"{topic}-{index}").iterdir()
        if file.suffix in (".log", ".index", ".timeindex", ".txnindex", ".snapshot")
    )

    told = dump(home, "--deep-iteration", "--print-data-log", "--files", ",".join(files))

    assert "isvalid: false" not in told
    assert "Mismatches" not in told
    assert "Error" not in told
    assert told.count("payload: value ") == 200 * len(CODECS)
    assert told.count("endTxnMarker: ABORT") == told.count("endTxnMarker: COMMIT") == 2


@pytest.mark.parametrize(
    ("topic", "decoder", "words"),
    [
        ("__consumer_offsets", "--offsets-decoder", ['"group":"readers"', '"offset":77']),
        ("__transaction_state", "--transaction-log-decoder", ['"transactionalId":"transfers"']),
        ("__cluster_metadata", "--cluster-metadata-decoder", ["TOPIC_RECORD", '"name":"transfers"']),
    ],
)
def test_kafkas_tool_decodes_our_internal_topics(
    home: Path, ours: Ours, topic: str, decoder: str, words: list[str]
) -> None:
    files = [
        str(file) for folder in ours.logs.glob(f"{topic}-*") for file in folder.glob("*.log") if file.stat().st_size
    ]

    told = dump(home, decoder, "--files", ",".join(sorted(files)))

    assert [word for word in words if word not in told] == []


@pytest.fixture
def kafka_on_ours(home: Path, ours: Ours, tmp_path: Path) -> Iterator[str]:
    """Apache Kafka on a copy of our directory; its address."""
    shutil.copytree(ours.logs, tmp_path / "logs")
    port, controller_port = free_port(), free_port()
    settings = f"""\
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller_port}
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller_port}
advertised.listeners=PLAINTEXT://127.0.0.1:{port}
controller.listener.names=CONTROLLER
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
log.dirs={tmp_path / "logs"}
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
"""
    (tmp_path / "server.properties").write_text(settings)
    log = tmp_path / "kafka.txt"
    with log.open("wb") as output:
        command = kafka_command(home, "kafka.Kafka", str(tmp_path / "server.properties"))
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
    address = f"127.0.0.1:{port}"

    def answers() -> bool:
        assert process.poll() is None, f"Apache Kafka does not start on our directory:\n{log.read_text()[-4000:]}"
        try:
            return bool(AdminClient({"bootstrap.servers": address, "log_level": 0}).list_topics(timeout=2).brokers)
        except KafkaException:
            return False

    try:
        eventually(answers, within_s=120, what="Apache Kafka answers")
        yield address
    finally:
        process.kill()
        process.wait(20)


def test_apache_kafka_runs_on_our_directory(kafka_on_ours: str, ours: Ours) -> None:
    assert ours.as_shown_by(kafka_on_ours) == ours.shown
