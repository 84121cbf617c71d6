"""Runs the suite of the testing kit again and again under xdist; ends with the first run that fails.

python -m tools.testing_kit_soak --runs 200
"""

import argparse
import subprocess
import sys
import time

#: Every hook with every client.
SUITE = ["tests/testing_kit/test_faults.py"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    runs: int = parser.parse_args().runs
    began = time.monotonic()
    for number in range(1, runs + 1):
        command = [sys.executable, "-m", "pytest", "-q", "-n", "2", *SUITE]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        summary = (result.stdout.strip().splitlines() or ["no output"])[-1]
        print(f"run {number} of {runs}: {summary}", flush=True)
        if result.returncode != 0:
            print(result.stdout, result.stderr, sep="\n")
            return 1
    print(f"{runs} runs without a failure in {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
