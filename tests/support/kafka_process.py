"""Apache Kafka as one node in a process, for tests that compare with it or need what our broker does not serve yet.

Needs Java and, for the first run, Maven and the network.
"""

import base64
import os
import socket
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from benchmarks.apache_kafka import fetch
from benchmarks.broker_node import PeerUnavailable

from tests.support.broker_process import BrokerProcess
from tests.support.node_process import NodeProcess
from tests.support.ports import free_port
from tests.support.waiting import eventually

CACHE = Path(__file__).parent.parent.parent / ".cache" / "benchmarks"
START_TIMEOUT_S = 90


def kafka_home() -> Path:
    """The folder with its jars; skips the test with one line where it cannot be had."""
    try:
        return fetch(CACHE).absolute()
    except PeerUnavailable as reason:
        pytest.skip(str(reason))


def kafka_command(home: Path, *words: str, heap_mib: int = 512) -> list[str]:
    """One of Kafka's programs on a small Java machine."""
    logging = f"-Dlog4j2.configurationFile={home / 'log4j2.properties'}"
    flags = [f"-Xmx{heap_mib}m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
    return ["java", *flags, "-cp", f"{home / 'libs'}/*", logging, *words]


def new_cluster_id() -> str:
    return base64.urlsafe_b64encode(os.urandom(16)).decode().rstrip("=").replace("-", "A")


def takes_connections(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


class KafkaProcess(NodeProcess):
    """One node with both roles on loopback. Underscores in the names of properties stand for dots, {port} for the port
    of the main listener, {port2} and {port3} for those of others. `more` has properties with their own names."""

    def __init__(self, directory: Path, more: Mapping[str, str] | None = None, **properties: str) -> None:
        super().__init__(directory)
        self._home = kafka_home()
        self.port, *self.other_ports, controller = (free_port() for _ in range(4))
        self.address = f"127.0.0.1:{self.port}"
        self._is_formatted = False
        ports = {"port": self.port, "port2": self.other_ports[0], "port3": self.other_ports[1]}
        given = {name.replace("_", "."): value for name, value in properties.items()}
        for name, port in ports.items():
            given = {key: value.replace(f"{{{name}}}", str(port)) for key, value in given.items()}
        listeners = given.pop("listeners", f"PLAINTEXT://{self.address}")
        protocols = given.pop("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT")
        settings = {
            "process.roles": "broker,controller",
            "node.id": "1",
            "controller.quorum.voters": f"1@127.0.0.1:{controller}",
            "listeners": f"{listeners},CONTROLLER://127.0.0.1:{controller}",
            "advertised.listeners": listeners,
            "controller.listener.names": "CONTROLLER",
            "listener.security.protocol.map": f"CONTROLLER:PLAINTEXT,{protocols}",
            "log.dirs": str(directory / "data"),
            "offsets.topic.replication.factor": "1",
            "transaction.state.log.replication.factor": "1",
            "transaction.state.log.min.isr": "1",
            "group.initial.rebalance.delay.ms": "0",
            "group.consumer.assignment.interval.ms": "0",
            **given,
            **(more or {}),
        }
        self._file = directory / "server.properties"
        self._file.write_text("".join(f"{name}={value}\n" for name, value in settings.items()))

    def start(self) -> "KafkaProcess":
        if not self._is_formatted:
            words = ("kafka.tools.StorageTool", "format", "-t", new_cluster_id(), "-c", str(self._file))
            format_command = self._java(*words)
            subprocess.run(format_command, check=True, capture_output=True, timeout=START_TIMEOUT_S)
            self._is_formatted = True
        with self._output.open("ab") as output:
            self._process = subprocess.Popen(
                self._java("kafka.Kafka", str(self._file)), stdout=output, stderr=subprocess.STDOUT
            )
        eventually(
            self._listens, within_s=START_TIMEOUT_S, what=lambda: f"the start of Kafka:\n{self.output()[-2000:]}"
        )
        return self

    def _listens(self) -> bool:
        if not self.is_running():
            raise RuntimeError(f"Kafka did not start:\n{self.output()[-4000:]}")
        return takes_connections(self.port)

    def _java(self, *words: str) -> list[str]:
        return kafka_command(self._home, *words, heap_mib=400)


#: What a test of a client runs against.
Target = BrokerProcess | KafkaProcess
TARGETS = ("ottla", "apache-kafka")


def start_target(name: str, directory: Path, **properties: Any) -> Target:
    if name == "ottla":
        return BrokerProcess(directory, **properties).start()
    return KafkaProcess(directory, **properties).start()
