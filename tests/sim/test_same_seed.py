"""One seed is one run: the same events in every process, whatever the hash seed; another seed gives another run."""

import os
import re
import subprocess
import sys

import pytest

from ottla.sim.workloads import WORKLOADS


def digest(workload: str, seed: int, hash_seed: str) -> str:
    command = [sys.executable, "-m", "ottla.sim", "run", "--workload", workload, "--seed", str(seed)]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120, check=False)
    found = re.search(r"digest ([0-9a-f]{16})", done.stdout)
    assert found is not None, done.stdout + done.stderr
    return found[1]


@pytest.mark.parametrize("workload", sorted(WORKLOADS))
def test_the_same_seed_gives_the_same_events_in_two_processes(workload: str) -> None:
    assert digest(workload, 7, hash_seed="1") == digest(workload, 7, hash_seed="4711")


@pytest.mark.parametrize("workload", sorted(WORKLOADS))
def test_another_seed_gives_other_events(workload: str) -> None:
    assert digest(workload, 7, hash_seed="0") != digest(workload, 8, hash_seed="0")
