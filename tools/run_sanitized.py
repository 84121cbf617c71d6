"""Runs tests with a build of the package that has sanitizers in it (`make sanitize`).

usage: PYTHONPATH=BUILD python -m tools.run_sanitized TESTS...
"""

import os
import subprocess
import sys

ENVIRONMENT = {
    # Blocks of Python's own allocator, and of Arrow's pools, are one piece of memory for the sanitizer.
    "PYTHONMALLOC": "malloc",
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    # Python itself leaves memory behind at its end.
    "ASAN_OPTIONS": "detect_leaks=0",
    "UBSAN_OPTIONS": "print_stacktrace=1",
}
CHECK = """
from ottla.compiled import MODULES, compiled_modules
missing = set(MODULES) - set(compiled_modules())
assert not missing, f"not compiled: {missing}"
"""


def main() -> int:
    compiler = os.environ.get("CC", "cc")
    found = subprocess.run([compiler, "-print-file-name=libasan.so"], capture_output=True, text=True, check=True)
    # Python is no sanitized program, so the library comes in before it.
    environment = {**os.environ, **ENVIRONMENT, "LD_PRELOAD": found.stdout.strip()}
    subprocess.run([sys.executable, "-c", CHECK], env=environment, check=True)
    # -s: a report goes to stderr right before the process ends.
    command = [sys.executable, "-m", "pytest", "-q", "-s", *sys.argv[1:]]
    return subprocess.run(command, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
