"""One broker of either kind as a process on loopback: start, stop, kill, empty its data, ask what it has used."""

import os
import shutil
import signal
import socket
import subprocess
import time
from abc import ABC, abstractmethod
from pathlib import Path

from benchmarks.process_figures import cpu_seconds, pss_bytes

HOST = "127.0.0.1"
_START_TIMEOUT_S = 600.0
_STOP_TIMEOUT_S = 600.0


class PeerUnavailable(Exception):
    """A peer cannot be had on this machine. The text is one line with the reason."""


class NodeFailed(RuntimeError):
    """The broker process ended, or does not listen."""


class BrokerNode(ABC):
    """Owned by the run. Has one data directory and two ports of its own; both peers get the same settings."""

    name: str

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.port, self._controller_port = free_ports(2)
        self._process: subprocess.Popen[bytes] | None = None
        directory.mkdir(parents=True, exist_ok=True)
        (directory / "server.properties").write_text(self._properties())

    # -- what differs

    @abstractmethod
    def command(self) -> list[str]: ...

    def prepare_data(self) -> None:  # noqa: B027  most have nothing to do
        """What must be done to an empty data directory before the first start."""

    def environment(self) -> dict[str, str]:
        return dict(os.environ)

    # -- start and stop

    def reset(self) -> None:
        """An empty data directory, ready for a first start."""
        shutil.rmtree(self.directory / "data", ignore_errors=True)
        self.prepare_data()

    def launch(self) -> float:
        """Starts the process without waiting for it; gives the time of the start."""
        with (self.directory / "broker.log").open("ab") as log:
            began = time.perf_counter()
            self._process = subprocess.Popen(
                self.command(), cwd=self.directory, env=self.environment(), stdin=subprocess.DEVNULL, stdout=log,
                stderr=log, start_new_session=True,
            )  # fmt: skip
        return began

    def await_port(self) -> None:
        """Until the listener accepts connections."""
        deadline = time.monotonic() + _START_TIMEOUT_S
        while time.monotonic() < deadline:
            try:
                socket.create_connection((HOST, self.port), timeout=5).close()
                return
            except OSError:
                self._check_alive()
                time.sleep(0.002)
        raise NodeFailed(f"{self.name} did not listen within {_START_TIMEOUT_S:.0f} s")

    def start(self) -> None:
        self.launch()
        self.await_port()

    def stop(self) -> float:
        """A clean stop; the seconds it took."""
        return self._end(signal.SIGTERM)

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    # -- figures

    @property
    def pid(self) -> int:
        if self._process is None:
            raise NodeFailed(f"{self.name} is not running")
        return self._process.pid

    @property
    def address(self) -> str:
        return f"{HOST}:{self.port}"

    def cpu_seconds(self) -> float:
        self._check_alive()
        return cpu_seconds(self.pid)

    def memory_bytes(self) -> int:
        return pss_bytes(self.pid)

    # -- inside

    def _end(self, number: signal.Signals) -> float:
        process = self._process
        if process is None:
            return 0.0
        self._process = None
        began = time.perf_counter()
        process.send_signal(number)
        try:
            process.wait(_STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise NodeFailed(f"{self.name} did not stop within {_STOP_TIMEOUT_S:.0f} s") from None
        return time.perf_counter() - began

    def _check_alive(self) -> None:
        if not self.is_running:
            raise NodeFailed(f"{self.name} has ended; the end of its log: {self._log_tail()}")

    def _log_tail(self) -> str:
        try:
            lines = (self.directory / "broker.log").read_text(errors="replace").splitlines()
        except OSError:
            return "(none)"
        return " / ".join(lines[-3:]) or "(none)"

    def _properties(self) -> str:
        rows = {
            "process.roles": "broker,controller",
            "node.id": "1",
            "controller.quorum.voters": f"1@{HOST}:{self._controller_port}",
            "listeners": f"PLAINTEXT://{HOST}:{self.port},CONTROLLER://{HOST}:{self._controller_port}",
            "advertised.listeners": f"PLAINTEXT://{HOST}:{self.port}",
            "controller.listener.names": "CONTROLLER",
            "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
            "log.dirs": str((self.directory / "data").absolute()),
            "offsets.topic.replication.factor": "1",
            "transaction.state.log.replication.factor": "1",
            "transaction.state.log.min.isr": "1",
            "share.coordinator.state.topic.replication.factor": "1",
            "share.coordinator.state.topic.min.isr": "1",
            "group.initial.rebalance.delay.ms": "0",
            # Deleted topics leave the disk and the page cache before the next round needs the room.
            "log.segment.delete.delay.ms": "1000",
            # The rows about compaction need a cleaner that checks often.
            "log.cleaner.backoff.ms": "500",
        }
        return "".join(f"{key}={value}\n" for key, value in rows.items())


def free_ports(count: int) -> list[int]:
    """Ports nobody listens on now. All are held until the last is found, so that they differ."""
    holders = [socket.socket() for _ in range(count)]
    try:
        for holder in holders:
            holder.bind((HOST, 0))
        return [int(holder.getsockname()[1]) for holder in holders]
    finally:
        for holder in holders:
            holder.close()
