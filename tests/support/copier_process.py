"""A copier (tests/compat/programs/copier.py or its Java twin) that is started again whenever it has ended."""

import subprocess
import sys
import threading
from pathlib import Path

from tests.support.java_programs import JavaPrograms


class CopierProcess:
    """Copies `source` to `target`. `keep_alive` is what a supervisor does; `kill` is what the world does."""

    def __init__(self, kind: str, words: list[str], directory: Path, java: JavaPrograms | None) -> None:
        if kind == "java":
            assert java is not None
            self._command = java.command("Copier", kind, *words)
        else:
            self._command = [sys.executable, "-m", "tests.compat.programs.copier", kind, *words]
        self._errors = directory / "copier.txt"
        self.committed_count = 0
        self.lives = 0
        self._process: subprocess.Popen[str] | None = None

    def keep_alive(self) -> None:
        if self._process is not None and self._process.poll() is None:
            return
        with self._errors.open("ab") as stderr:
            self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, stderr=stderr, text=True)
        self.lives += 1
        threading.Thread(target=self._listen, args=(self._process,), daemon=True).start()

    def _listen(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("copied "):
                self.committed_count += int(line.split()[1])

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait(10)

    def errors(self) -> str:
        return self._errors.read_text(errors="replace")[-3000:]
