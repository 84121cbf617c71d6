"""How fast the command line starts: `ottla --help` beside a bare Python, and `topic list` on a running broker.

On Apache Kafka's node its own tool lists the topics, so that the ratio compares the tools as people use them.
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Final

from benchmarks.broker_node import BrokerNode
from benchmarks.family import Family, Load, Put
from benchmarks.ottla_broker import OttlaBroker
from benchmarks.results import Row, at_most
from benchmarks.tool_commands import kafka_command, ottla_command

_STARTS: Final = 9
_KAFKA_STARTS: Final = 3
_TIMEOUT_S: Final = 60
_BARE: Final = (sys.executable, "-c", "import asyncio, json")
_TOPICS_CLASS: Final = "org.apache.kafka.tools.TopicCommand"


def rows(load: Load) -> list[Row]:
    return [
        Row("tools.bare", "Python with asyncio and json, start to end", "ms"),
        Row("tools.help", "`ottla --help`", "ms", at_most(150.0, is_absolute=True)),
        Row("tools.help.ratio", "`ottla --help` / Python with asyncio and json", "x", at_most(3.0, is_absolute=True)),
        Row(
            "tools.topic-list",
            "`ottla topic list` (Apache Kafka: kafka-topics.sh --list)",
            "ms",
            at_most(300.0, is_absolute=True),
        ),
    ]


def measure(node: BrokerNode, load: Load, put: Put) -> None:
    if not isinstance(node, OttlaBroker):
        words = ["--bootstrap-server", node.address, "--list"]
        put("tools.topic-list", median_ms([kafka_command(_TOPICS_CLASS, words)], _KAFKA_STARTS)[0])
        return
    bare, helped, listed = median_ms(
        [_BARE, ottla_command("--help"), ottla_command("-b", node.address, "topic", "list")], _STARTS
    )
    put("tools.bare", bare)
    put("tools.help", helped)
    put("tools.help.ratio", helped / bare)
    put("tools.topic-list", listed)


def median_ms(commands: Sequence[Sequence[str]], starts: int) -> list[float]:
    """Of each command. They take turns; the first turn, which fills the page cache, does not count."""
    took: list[list[float]] = [[] for _ in commands]
    for number in range(starts + 1):
        for command, times in zip(commands, took, strict=True):
            began = time.perf_counter()
            done = subprocess.run(
                command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=_TIMEOUT_S, check=False
            )
            elapsed_ms = (time.perf_counter() - began) * 1000
            if done.returncode:
                raise RuntimeError(f"{' '.join(command)} failed: {done.stderr.decode(errors='replace')[-300:]}")
            if number:
                times.append(elapsed_ms)
    return [statistics.median(times) for times in took]


FAMILY = Family("tools", "throughput-and-latency", rows, measure)
