"""Apache Kafka's own tools, for tests that compare them with ours on the same broker or on the same files."""

import subprocess
from collections.abc import Sequence
from typing import NamedTuple

from tests.support.kafka_process import kafka_home

_TOOLS = "org.apache.kafka.tools"
CLASSES = {
    "topics": f"{_TOOLS}.TopicCommand",
    "configs": "kafka.admin.ConfigCommand",
    "get-offsets": f"{_TOOLS}.GetOffsetShell",
    "consumer-groups": f"{_TOOLS}.consumer.group.ConsumerGroupCommand",
    "groups": f"{_TOOLS}.GroupsCommand",
    "log-dirs": f"{_TOOLS}.LogDirsCommand",
    "broker-api-versions": f"{_TOOLS}.BrokerApiVersionsCommand",
    "cluster": f"{_TOOLS}.ClusterTool",
    "features": f"{_TOOLS}.FeatureCommand",
    "metadata-quorum": f"{_TOOLS}.MetadataQuorumCommand",
    "transactions": f"{_TOOLS}.TransactionsCommand",
    "leader-election": f"{_TOOLS}.LeaderElectionCommand",
    "delete-records": f"{_TOOLS}.DeleteRecordsCommand",
    "reassign-partitions": f"{_TOOLS}.reassign.ReassignPartitionsCommand",
    "console-producer": f"{_TOOLS}.ConsoleProducer",
    "console-consumer": f"{_TOOLS}.consumer.ConsoleConsumer",
    "producer-perf-test": f"{_TOOLS}.ProducerPerformance",
    "consumer-perf-test": f"{_TOOLS}.ConsumerPerformance",
    "e2e-latency": f"{_TOOLS}.EndToEndLatency",
    "verifiable-producer": f"{_TOOLS}.VerifiableProducer",
    "verifiable-consumer": f"{_TOOLS}.VerifiableConsumer",
    "dump-log": f"{_TOOLS}.DumpLogSegments",
}
_TIMEOUT_S = 100


class Printed(NamedTuple):
    code: int
    out: str
    err: str


def with_server(words: Sequence[str], address: str) -> list[str]:
    """The command line with its bootstrap server where all tools accept it: behind the name of a sub-command."""
    tool, *rest = words
    if tool == "dump-log":
        return list(words)
    server = ["--bootstrap-server", address]
    return [tool, *rest, *server] if tool == "cluster" else [tool, *server, *rest]


def kafka_prints(words: Sequence[str], *, typed: str = "") -> Printed:
    """Runs the tool of Apache Kafka; skips the test where there is no Java or no Apache Kafka."""
    tool, *rest = words
    home = kafka_home()
    # Short lives: the small collector and the first compiler start twice as fast.
    java = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", f"{home / 'libs'}/*"]
    logging = f"-Dlog4j2.configurationFile={home / 'log4j2.properties'}"
    done = subprocess.run(
        [*java, logging, CLASSES[tool], *rest],
        input=typed,
        capture_output=True,
        text=True,
        timeout=_TIMEOUT_S,
        check=False,
    )
    return Printed(done.returncode, done.stdout, done.stderr)
