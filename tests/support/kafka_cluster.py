"""Three nodes of Apache Kafka in processes of their own, for what one node cannot show: leaders that move."""

import os
import signal
import subprocess
from functools import partial
from pathlib import Path

from tests.support.kafka_process import START_TIMEOUT_S, kafka_command, kafka_home, new_cluster_id, takes_connections
from tests.support.ports import free_port
from tests.support.waiting import eventually


class KafkaCluster:
    """Every node is broker and controller; topics have three replicas, two of which must be in sync."""

    def __init__(self, directory: Path, node_count: int = 3) -> None:
        self._home = kafka_home()
        self._directories = [directory / str(number) for number in range(1, node_count + 1)]
        self.ports = [free_port() for _ in self._directories]
        controllers = [free_port() for _ in self._directories]
        voters = ",".join(f"{number}@127.0.0.1:{port}" for number, port in enumerate(controllers, 1))
        cluster_id = new_cluster_id()
        formats = []
        for number, home in enumerate(self._directories, 1):
            home.mkdir(parents=True)
            port, controller = self.ports[number - 1], controllers[number - 1]
            (home / "server.properties").write_text(_properties(number, home, voters, port, controller))
            words = ("kafka.tools.StorageTool", "format", "-t", cluster_id, "-c", str(home / "server.properties"))
            formats.append(subprocess.Popen(self._java(*words), stdout=subprocess.DEVNULL))
        assert [each.wait(START_TIMEOUT_S) for each in formats] == [0] * node_count
        self._processes: dict[int, subprocess.Popen[bytes]] = {}
        self.address = ",".join(f"127.0.0.1:{port}" for port in self.ports)

    def start(self, *numbers: int) -> "KafkaCluster":
        """All nodes, or these; returns when they take connections."""
        chosen = numbers or range(1, len(self.ports) + 1)
        for number in chosen:
            home = self._directories[number - 1]
            with (home / "output.txt").open("ab") as output:
                self._processes[number] = subprocess.Popen(
                    self._java("kafka.Kafka", str(home / "server.properties")), stdout=output, stderr=output
                )
        for number in chosen:
            eventually(partial(self._listens, number), within_s=START_TIMEOUT_S, what=f"node {number}")
        return self

    def stop(self, number: int) -> None:
        """A controlled shutdown: its leaders move first."""
        self._processes[number].terminate()
        self._processes[number].wait(60)

    def kill(self, *numbers: int) -> None:
        for number in numbers or list(self._processes):
            process = self._processes[number]
            if process.poll() is None:
                os.kill(process.pid, signal.SIGKILL)
                process.wait(10)

    def pause(self, number: int) -> None:
        """Its connections stay open and nothing comes from it, until `resume`."""
        os.kill(self._processes[number].pid, signal.SIGSTOP)

    def resume(self, number: int) -> None:
        os.kill(self._processes[number].pid, signal.SIGCONT)

    def _listens(self, number: int) -> bool:
        if self._processes[number].poll() is not None:
            raise RuntimeError((self._directories[number - 1] / "output.txt").read_text()[-3000:])
        return takes_connections(self.ports[number - 1])

    def _java(self, *words: str) -> list[str]:
        return kafka_command(self._home, *words, heap_mib=300)


def _properties(number: int, home: Path, voters: str, port: int, controller: int) -> str:
    settings = {
        "process.roles": "broker,controller",
        "node.id": str(number),
        "broker.rack": f"rack-{number}",
        "controller.quorum.voters": voters,
        "listeners": f"PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}",
        "advertised.listeners": f"PLAINTEXT://127.0.0.1:{port}",
        "controller.listener.names": "CONTROLLER",
        "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
        "log.dirs": str(home / "data"),
        "default.replication.factor": "3",
        "min.insync.replicas": "2",
        "num.partitions": "6",
        "replica.selector.class": "org.apache.kafka.common.replica.RackAwareReplicaSelector",
        "group.initial.rebalance.delay.ms": "0",
        "group.consumer.assignment.interval.ms": "0",
    }
    return "".join(f"{name}={value}\n" for name, value in settings.items())
