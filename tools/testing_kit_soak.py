"""Runs the example tests of the testing kit again and again under xdist; ends with the first session that fails.

python -m tools.testing_kit_soak --runs 200 --page docs/results/testing-kit-soak.md
"""

import argparse
import datetime
import os
import re
import subprocess
import sys
import time
from pathlib import Path

SUITE = "tests/testing_kit/examples"
#: Runs of the suite in one session of pytest, with new processes for the next session.
RUNS_PER_SESSION = 20
_LOAD_FORMAT = "{:.1f}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--page", type=Path, help="write the result to this file")
    given = parser.parse_args()
    began = time.monotonic()
    test_count = done = 0
    while done < given.runs:
        runs = min(RUNS_PER_SESSION, given.runs - done)
        passed = _session(runs)
        if passed is None:
            return 1
        done += runs
        test_count += passed
        print(f"{done} of {given.runs} runs, {passed} tests passed", flush=True)
    took_s = time.monotonic() - began
    print(f"{done} runs without a failure in {took_s:.0f} s")
    if given.page is not None:
        given.page.write_text(_page(done, test_count, took_s))
    return 0


def _session(runs: int) -> int | None:
    """How many tests passed; None when one did not, or did not run."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", SUITE]
    environment = {**os.environ, "OTTLA_TESTING_KIT_REPEAT": str(runs)}
    result = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    summary = re.search(r"(?m)^(\d+) passed in", result.stdout)
    if result.returncode != 0 or summary is None:
        print(result.stdout, result.stderr, sep="\n")
        return None
    return int(summary[1])


def _page(runs: int, test_count: int, took_s: float) -> str:
    today = datetime.datetime.now(datetime.UTC).date()
    load = " ".join(map(_LOAD_FORMAT.format, os.getloadavg()))
    return f"""# The example tests of the testing kit, {today}

`python -m tools.testing_kit_soak --runs {runs}`: the {test_count // runs} tests of `{SUITE}`, under `pytest -n 2`.

| runs of the suite | tests | failed | minutes | cores | load average at the end |
|--:|--:|--:|--:|--:|---|
| {runs} | {test_count:,} | 0 | {took_s / 60:.1f} | {os.cpu_count()} | {load} |
"""


if __name__ == "__main__":
    sys.exit(main())
