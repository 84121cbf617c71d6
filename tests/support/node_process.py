"""A server in a process of its own: what tests do to it, whoever wrote it."""

import os
import signal
import subprocess
from pathlib import Path


class NodeProcess:
    """Its files and its output are in `directory`."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._output = directory / "output.txt"
        self._process: subprocess.Popen[bytes] | None = None

    def kill(self) -> None:
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait(10)

    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def output(self) -> str:
        return self._output.read_text(errors="replace") if self._output.exists() else ""
