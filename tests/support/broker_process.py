"""A real broker in a real process, for tests with other people's clients and for kill -9."""

import contextlib
import os
import resource
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.support import process_facts
from tests.support.node_process import NodeProcess
from tests.support.ports import free_port
from tests.support.waiting import eventually

#: Limits for what must come: long, because a machine may be busy, and nobody waits for them where all is well.
START_TIMEOUT_S = 60
STOP_TIMEOUT_S = 30
ANSWER_TIMEOUT_S = 30


class BrokerProcess(NodeProcess):
    """One node on loopback with its data in `directory`. The port stays the same over restarts."""

    def __init__(
        self, directory: Path, *, python: str = sys.executable, open_files: int | None = None, **properties: str
    ) -> None:
        """`python` is the interpreter whose Ottla is run, `open_files` what `ulimit -n` says there. Underscores in the
        names of properties stand for dots, {port} in their values for the port."""
        super().__init__(directory)
        self._python = python
        self._open_files = open_files
        self.port = free_port()
        self.address = f"127.0.0.1:{self.port}"
        self.log_directory = directory / "logs"
        settings = {
            "listeners": f"PLAINTEXT://127.0.0.1:{self.port}",
            "log.dirs": str(self.log_directory),
            "node.id": "1",
            "group.initial.rebalance.delay.ms": "0",
            "group.consumer.assignment.interval.ms": "0",
            **{name.replace("_", "."): value.replace("{port}", str(self.port)) for name, value in properties.items()},
        }
        self._file = directory / "server.properties"
        self._file.write_text("".join(f"{name}={value}\n" for name, value in settings.items()))

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> "BrokerProcess":
        self.launch()
        eventually(self._is_up, within_s=START_TIMEOUT_S, what=lambda: f"the start of the broker:\n{self.output()}\n")
        return self

    def launch(self) -> None:
        """Starts the process and does not wait until it serves. Its working directory is `directory`, its home too."""
        command = [self._python, "-m", "ottla", "server-start", str(self._file)]
        environment = {**os.environ, "HOME": str(self.directory)}
        with self._output.open("ab") as output:
            self._process = subprocess.Popen(
                command, stdout=output, stderr=subprocess.STDOUT, cwd=self.directory, env=environment,
                preexec_fn=self._limit_files,
            )  # fmt: skip

    def _limit_files(self) -> None:
        if self._open_files is not None:
            resource.setrlimit(resource.RLIMIT_NOFILE, (self._open_files, self._open_files))

    def stop(self, signal_name: str = "SIGTERM") -> int:
        """The signal, and the exit code."""
        assert self._process is not None
        if self._process.poll() is None:
            self._process.send_signal(signal.Signals[signal_name])
        return self._process.wait(STOP_TIMEOUT_S)

    def resident_bytes(self) -> int:
        return process_facts.resident_bytes(self.pid)

    def descriptor_count(self) -> int:
        return process_facts.descriptor_count(self.pid)

    def removed_but_open(self) -> list[str]:
        """Files without a name that the process, or a helper of it, still has open: their space stays taken."""
        found = []
        for pid in (self.pid, *_children_of(self.pid)):
            for descriptor in Path(f"/proc/{pid}/fd").iterdir():
                # It may be closed meanwhile.
                with contextlib.suppress(OSError):
                    found.append(str(descriptor.readlink()))
        return [path for path in found if path.startswith(str(self.directory.parent)) and path.endswith(" (deleted)")]

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), ANSWER_TIMEOUT_S)

    def _is_up(self) -> bool:
        if not self.is_running():
            raise RuntimeError(f"the broker did not start:\n{self.output()}")
        return self.responds()

    def responds(self) -> bool:
        """A broker listens before it serves: it is up when it responds to ApiVersions."""
        request = struct.pack(">ihhih", 10, 18, 0, 1, -1)
        try:
            with self.connect() as connection:
                connection.settimeout(0.5)
                connection.sendall(request)
                return bool(connection.recv(4))
        except OSError:
            return False


#: What the fixture `start_broker` gives: settings, with underscores for dots, to a broker that is up.
StartBroker = Callable[..., BrokerProcess]


def _children_of(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
