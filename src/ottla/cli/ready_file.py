"""`--ready-file`: a file that exists while the broker serves, for programs that start it."""

import contextlib
import os
from pathlib import Path

from ottla.model.errors import InvalidConfig


class ReadyFile:
    """Contains the addresses of the broker in the form of bootstrap.servers, and a line feed."""

    def __init__(self, path: Path) -> None:
        self._path = path.absolute()

    def prepare(self) -> None:
        """Removes what an earlier run has left behind. Raises InvalidConfig where the file cannot be written."""
        try:
            self._path.unlink(missing_ok=True)
            self._write("")
            self._path.unlink()
        except OSError as error:
            raise InvalidConfig([f"--ready-file {self._path}: {error.strerror}"]) from None

    def write(self, bootstrap: str) -> None:
        """The file appears with its whole content. Raises OSError."""
        self._write(f"{bootstrap}\n")

    def _write(self, text: str) -> None:
        unfinished = self._path.with_name(f"{self._path.name}.tmp")
        unfinished.write_text(text, encoding="utf-8")
        os.replace(unfinished, self._path)

    def remove(self) -> None:
        with contextlib.suppress(OSError):
            self._path.unlink()
