"""Workloads: each is a class with `name` and `run(seed, show) -> RunResult`."""

from collections.abc import Callable

from ottla.sim.run_result import RunResult
from ottla.sim.workloads.every_write import run_every_write
from ottla.sim.workloads.produce_consume import run_produce_consume

Workload = Callable[[int, Callable[[str], None] | None], RunResult]

WORKLOADS: dict[str, Workload] = {
    "produce_consume": run_produce_consume,
    "every_write": run_every_write,
}
