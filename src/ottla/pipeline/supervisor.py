"""`python -m ottla.pipeline.supervisor ROOT DRIVER`: the process that keeps one driver alive."""

import signal
import sys
from pathlib import Path

from ottla.pipeline.background import supervise


def main() -> int:
    root, driver = sys.argv[1:]
    # It has nothing to clean up: the driver stops by its own signal, or because nothing is wanted.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    supervise(Path(root), driver, [sys.executable, "-m", "ottla.pipeline.driver", root, driver])
    return 0


if __name__ == "__main__":
    sys.exit(main())
