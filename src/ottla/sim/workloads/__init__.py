"""Workloads: each is a function `(seed, show) -> RunResult`, by its name."""

from collections.abc import Callable

from ottla.sim.run_result import RunResult
from ottla.sim.workloads import every_transaction_write, every_write
from ottla.sim.workloads.client import run_client
from ottla.sim.workloads.compaction import run_compaction
from ottla.sim.workloads.copy import run_copy
from ottla.sim.workloads.crash_points import CrashPoint
from ottla.sim.workloads.disk_space import run_disk_space
from ottla.sim.workloads.groups import run_groups
from ottla.sim.workloads.lost_power import run_lost_power
from ottla.sim.workloads.produce_consume import run_produce_consume
from ottla.sim.workloads.transfers import run_transfers

Workload = Callable[[int, Callable[[str], None] | None], RunResult]

WORKLOADS: dict[str, Workload] = {
    "produce_consume": run_produce_consume,
    "every_write": every_write.run_every_write,
    "transfers": run_transfers,
    "every_transaction_write": every_transaction_write.run_every_transaction_write,
    "groups": run_groups,
    "copy": run_copy,
    "lost_power": run_lost_power,
    "compaction": run_compaction,
    "disk_space": run_disk_space,
    "client": run_client,
}

#: Workloads that have an end: the story of each point, and the point. Seed n of the workload is the n-th of them.
ENUMERATIONS: dict[str, Callable[[], list[tuple[str, CrashPoint]]]] = {
    "every_write": lambda: [("storage", point) for point in every_write.all_points()],
    "every_transaction_write": lambda: [(story.name, point) for story, point in every_transaction_write.all_points()],
}
