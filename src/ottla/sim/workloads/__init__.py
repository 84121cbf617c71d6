"""Workloads: each is a class with `name` and `run(seed, show) -> RunResult`."""

from collections.abc import Callable

from ottla.sim.run_result import RunResult
from ottla.sim.workloads.compaction import run_compaction
from ottla.sim.workloads.copy import run_copy
from ottla.sim.workloads.every_transaction_write import run_every_transaction_write
from ottla.sim.workloads.every_write import run_every_write
from ottla.sim.workloads.groups import run_groups
from ottla.sim.workloads.produce_consume import run_produce_consume
from ottla.sim.workloads.transfers import run_transfers

Workload = Callable[[int, Callable[[str], None] | None], RunResult]

WORKLOADS: dict[str, Workload] = {
    "produce_consume": run_produce_consume,
    "every_write": run_every_write,
    "transfers": run_transfers,
    "every_transaction_write": run_every_transaction_write,
    "groups": run_groups,
    "copy": run_copy,
    "compaction": run_compaction,
}
