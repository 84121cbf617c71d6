"""A broker in the background: `server-start -daemon`."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from ottla.cli.failures import Failure

FLAGS = ("-daemon", "--daemon")


def start_in_background(words: Sequence[str]) -> int:
    """Starts `ottla WORDS` without -daemon in a session of its own. The exit code."""
    directory = Path(os.environ.get("LOG_DIR", "logs"))
    output = directory / "server.out"
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with output.open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "ottla", *(word for word in words if word not in FLAGS)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
    except OSError as error:
        raise Failure(f"{error.filename or output}: {error.strerror}") from error
    print(f"broker started, process {process.pid}, output in {output}", file=sys.stderr)
    return 0
