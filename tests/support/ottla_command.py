"""The `ottla` command of this environment in a process of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any


class OttlaCommand:
    """Runs commands in `folder`, with variables on top of those of the test's own process."""

    def __init__(self, folder: Path, timeout_s: float, **variables: str) -> None:
        self._folder = folder
        self._timeout_s = timeout_s
        self._environment: Mapping[str, str] = {**os.environ, **variables}

    def run(self, *arguments: str, code: int = 0) -> str:
        """What it prints; fails if it ends with another code."""
        command = [sys.executable, "-m", "ottla", *arguments]
        done = subprocess.run(
            command, cwd=self._folder, env=self._environment, capture_output=True, text=True, timeout=self._timeout_s
        )
        output = done.stdout + done.stderr
        assert done.returncode == code, f"{' '.join(arguments)} ended with {done.returncode}:\n{output}"
        return output

    def items(self, *arguments: str) -> list[dict[str, Any]]:
        """The items of `-o json`."""
        found: list[dict[str, Any]] = json.loads(self.run(*arguments, "-o", "json"))["items"]
        return found
