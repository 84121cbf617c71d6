"""A broker as a process of its own (`ottla serve`), with its data in a temporary directory: for heavy tests."""

import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ottla.testing.errors import StartFailed
from ottla.testing.settings import SETTINGS

_START_TIMEOUT_S = 60
_STOP_TIMEOUT_S = 30
_LOOK_AGAIN_S = 0.01
_READY = re.compile(r"ready in [\d.]+ s: \w+://(\S+?:\d+)")


class ServerProcess:
    """Serves from when it is created until `close`, which removes its data."""

    kind = "a broker in a process of its own"

    def __init__(self, config: Mapping[str, Any]) -> None:
        """Raises StartFailed with what the process has logged."""
        self._directory = tempfile.TemporaryDirectory(prefix="ottla-testing-")
        home = Path(self._directory.name)
        self._output = home / "output.txt"
        settings = {**SETTINGS, "log.dirs": str(home / "data"), **{key: str(value) for key, value in config.items()}}
        file = home / "server.properties"
        file.write_text("".join(f"{name}={value}\n" for name, value in settings.items()))
        with self._output.open("wb") as output:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "ottla", "serve", str(file), "--log-format", "text"],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=home,
            )
        try:
            self.bootstrap = self._address()
        except BaseException:
            self.close()
            raise

    def _address(self) -> str:
        until = time.monotonic() + _START_TIMEOUT_S
        while True:
            found = _READY.search(self.output())
            if found is not None:
                return found[1]
            if self._process.poll() is not None:
                raise StartFailed(f"the broker ended with exit code {self._process.returncode}:\n{self.output()}")
            if time.monotonic() > until:
                raise StartFailed(f"the broker was not ready after {_START_TIMEOUT_S} s:\n{self.output()}")
            time.sleep(_LOOK_AGAIN_S)

    def output(self) -> str:
        return self._output.read_text(errors="replace")

    def close(self) -> None:
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(_STOP_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._directory.cleanup()
