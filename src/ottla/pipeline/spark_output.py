"""Where the JVM and its Python processes print: a file, so that a terminal shows what the command itself has to say."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO


@contextmanager
def spark_output_in(path: Path) -> Iterator[TextIO]:
    """File descriptor 2, which new processes inherit, leads to `path`; `sys.stderr` stays what it was."""
    path.parent.mkdir(parents=True, exist_ok=True)
    sys.stderr.flush()
    kept = os.dup(2)
    with open(path, "ab") as target:
        os.dup2(target.fileno(), 2)
    terminal = os.fdopen(os.dup(kept), "w", encoding="utf-8", errors="replace")
    before, sys.stderr = sys.stderr, terminal
    try:
        yield terminal
    finally:
        terminal.flush()
        sys.stderr = before
        os.dup2(kept, 2)
        os.close(kept)
        terminal.close()
