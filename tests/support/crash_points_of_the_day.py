"""A sample of the crash points of a workload that has an end: every n-th, from another one each day."""

import os
import time

import pytest

from ottla.sim.run_result import RunResult
from ottla.sim.workloads import ENUMERATIONS, WORKLOADS


def survived_crashes(workload: str, stride: int, capsys: pytest.CaptureFixture[str]) -> list[RunResult]:
    """Fails with the first crash that something is found after. Take a prime: all kinds of points have their turn."""
    points = ENUMERATIONS[workload]()
    start = int(os.environ.get("OTTLA_SIM_SEED", str(int(time.time()) // 86_400))) % stride
    results = []
    for number in range(start, len(points), stride):
        story, point = points[number]
        result = WORKLOADS[workload](number, None)
        again = f"python -m ottla.sim run --workload {workload} --seed {number} --trace"
        assert result.findings == [], f"{story}: crash {point}: {result.findings[:4]}\nagain: {again}"
        results.append(result)
    with capsys.disabled():
        print(f"\ncrash points: {len(results)} of {len(points)} run, from number {start} on, none failed")
    return results
