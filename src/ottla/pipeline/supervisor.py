"""`python -m ottla.pipeline.supervisor ROOT DRIVER`: the process that keeps one driver alive."""

import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from ottla.pipeline.background import HEALTHY_S, backoff_s, wait_until, wanted_by
from ottla.pipeline.locks import LockHeld, held
from ottla.pipeline.status import DriverFiles


def supervise(root: Path, driver: str, command: Sequence[str]) -> None:
    """Runs the driver until nothing is wanted. Returns at once if the driver has a supervisor already."""
    # Looked at again after the lock is released: a `start` in between relied on this supervisor.
    while wanted_by(root, driver):
        try:
            with held(DriverFiles(root, driver).supervisor_lock):
                _keep_running(root, driver, command)
        except LockHeld:
            return


def _keep_running(root: Path, driver: str, command: Sequence[str]) -> None:
    """Started again with back-off when it dies."""
    failures = 0
    while wanted_by(root, driver):
        started = time.monotonic()
        code = subprocess.call(list(command))
        if code == 0:
            failures = 0
            continue
        failures = 1 if time.monotonic() - started > HEALTHY_S else failures + 1
        pause_s = backoff_s(failures)
        print(f"the driver ended with {code}; started again in {pause_s:.0f} s", flush=True)
        wait_until(lambda: not wanted_by(root, driver), pause_s)


def main() -> int:
    root, driver = sys.argv[1:]
    # It has nothing to clean up: the driver stops by its own signal, or because nothing is wanted.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    supervise(Path(root), driver, [sys.executable, "-m", "ottla.pipeline.driver", root, driver])
    return 0


if __name__ == "__main__":
    sys.exit(main())
