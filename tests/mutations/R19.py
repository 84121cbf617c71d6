"""R19 (the fsync lesson): a failed fsync is tried again, succeeds, and what it did not write is acked."""

from collections.abc import Callable
from typing import Any

from ottla.sim.faults import Fault, FaultKind
from ottla.sim.workloads.produce_consume import Scenario

TARGET = "ottla.log.partition.flush.FlushJob.finish"
FINDINGS = ("lost-write",)
SCENARIO = Scenario(
    (
        Fault(500, FaultKind.SYNC_ERROR),
        Fault(900, FaultKind.POWER_LOSS, 100, loses_power=True),
        Fault(1600, FaultKind.SYNC_ERROR),
        Fault(1700, FaultKind.SYNC_ERROR),
        Fault(1900, FaultKind.POWER_LOSS, 100, loses_power=True),
    ),
    syncs=True,
)


def planted(original: Callable[..., Any]) -> Callable[..., Any]:
    def finish(self: Any, outcomes: Any) -> Any:
        if any(outcome is not None for outcome in outcomes):
            outcomes = self.disk.sync_all(self.files)
        return original(self, outcomes)

    return finish
