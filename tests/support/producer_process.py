"""A transactional producer (tests/compat/programs/transactional_producer.py) as a process of its own."""

import queue
import subprocess
import sys
import threading
from pathlib import Path

_PATIENCE_S = 60


class ProducerProcess:
    """Started and ready when it is made."""

    def __init__(
        self, kind: str, address: str, topic: str, transactional_id: str, directory: Path, *, timeout_ms: int = 60_000
    ) -> None:
        program = "tests.compat.programs.transactional_producer"
        words = [kind, address, topic, transactional_id, str(timeout_ms)]
        self._errors = directory / "producer.txt"
        with self._errors.open("ab") as stderr:
            self._process = subprocess.Popen(
                [sys.executable, "-m", program, *words],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                text=True,
            )
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()
        assert self._next_line() == "ready"

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line.strip())

    def _next_line(self) -> str:
        try:
            return self._lines.get(timeout=_PATIENCE_S)
        except queue.Empty:
            raise AssertionError(f"the producer says nothing\n{self._errors.read_text()[-3000:]}") from None

    def tell(self, *words: str) -> str:
        """What came of it: `done`, or `refused` and why."""
        assert self._process.stdin is not None
        self._process.stdin.write(" ".join(words) + "\n")
        self._process.stdin.flush()
        return self._next_line()

    def kill(self) -> None:
        self._process.kill()
        self._process.wait(10)
