"""The performance tools: `ottla producer-perf-test` beside Apache Kafka's own, on the same broker.

Figures are those that the tools print, so the start of a JVM does not count. They take turns, on each broker.
"""

import re
import subprocess
from typing import Final

from benchmarks.broker_node import BrokerNode
from benchmarks.family import Family, Load, Put
from benchmarks.host_memory import touch
from benchmarks.results import Row, at_least
from benchmarks.tool_commands import kafka_command, ottla_command
from benchmarks.topics import create_topic, delete_topic, fresh_name

_TIMEOUT_S: Final = 180
_OURS, _THEIRS = "ottla", "kafka"
_PRODUCER_CLASS: Final = "org.apache.kafka.tools.ProducerPerformance"
_CONSUMER_CLASS: Final = "org.apache.kafka.tools.ConsumerPerformance"
#: Column of nMsg.sec of the fetches in the line of the consumer.
_FETCH_RATE: Final = 9


def rows(load: Load) -> list[Row]:
    found = []
    for size in (100, 1024):
        for work, verb in (("produce", "producer-perf-test"), ("consume", "consumer-perf-test")):
            key = f"perf-tools.{work}.{size}"
            found += [
                Row(f"{key}.{_OURS}", f"ottla {verb}, {size} B", "records/s"),
                Row(f"{key}.{_THEIRS}", f"kafka-{verb}.sh, {size} B", "records/s"),
                Row(f"{key}.ratio", f"ottla {verb} / Apache's, {size} B", "x", at_least(1.0, is_absolute=True)),
            ]
    return found


def measure(node: BrokerNode, load: Load, put: Put) -> None:
    for size in (100, 1024):
        count = load.client_records if size == 100 else load.client_records // 4
        rates: dict[tuple[str, str], float] = {}
        for tool in (_THEIRS, _OURS):
            topic = fresh_name("perf-tools")
            create_topic(node, topic)
            touch(2 * count * size)
            rates["produce", tool] = produce(tool, node, topic, count, size)
            rates["consume", tool] = consume(tool, node, topic, count)
            delete_topic(node, topic)
        for work in ("produce", "consume"):
            key = f"perf-tools.{work}.{size}"
            put(f"{key}.{_OURS}", rates[work, _OURS])
            put(f"{key}.{_THEIRS}", rates[work, _THEIRS])
            put(f"{key}.ratio", rates[work, _OURS] / rates[work, _THEIRS])


def produce(tool: str, node: BrokerNode, topic: str, count: int, size: int) -> float:
    """Records a second, from the tool's last line."""
    words = ["--topic", topic, "--num-records", str(count), "--record-size", str(size), "--throughput", "-1"]
    words += ["--command-property", f"bootstrap.servers={node.address}", "acks=all"]
    line = _run(tool, "producer-perf-test", _PRODUCER_CLASS, words)
    found = re.search(r"records sent, ([\d.]+) records/sec", line)
    if found is None:
        raise RuntimeError(f"no figure in {line!r}")
    return float(found[1])


def consume(tool: str, node: BrokerNode, topic: str, count: int) -> float:
    """Records a second while fetching: joining the group is not counted."""
    words = ["--bootstrap-server", node.address, "--topic", topic, "--num-records", str(count), "--hide-header"]
    line = _run(tool, "consumer-perf-test", _CONSUMER_CLASS, words)
    return float(line.split(", ")[_FETCH_RATE])


def _run(tool: str, name: str, java_class: str, words: list[str]) -> str:
    """The last line that the tool prints."""
    command = ottla_command(name, *words) if tool == _OURS else kafka_command(java_class, words)
    done = subprocess.run(command, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False)
    lines = [line for line in done.stdout.splitlines() if line.strip()]
    if done.returncode or not lines:
        raise RuntimeError(f"{name} of {tool} failed: {done.stderr.strip()[-300:]}")
    return lines[-1]


FAMILY = Family("perf-tools", "throughput-and-latency", rows, measure)
