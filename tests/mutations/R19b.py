"""R19 (the fsync lesson), over a restart: nobody remembers the error, and a clean page is taken for a written one.

The pages that a failed fsync has lost stay in the cache; the process starts again, sees them, syncs them with success
and acks them. Only the power loss tells.
"""

from collections.abc import Callable
from typing import Any

from ottla.sim.disk_faults import LostPages
from ottla.sim.faults import Fault, FaultKind
from ottla.sim.workloads.produce_consume import Scenario

_STAY = list(LostPages).index(LostPages.STAY)

TARGET = "ottla.log.files.disk_errors.DiskErrorNote.leave"
FINDINGS = ("lost-write",)
SCENARIO = Scenario(
    (
        Fault(500, FaultKind.SYNC_ERROR, _STAY),
        Fault(1100, FaultKind.POWER_LOSS, 100, loses_power=True),
        Fault(1600, FaultKind.SYNC_ERROR, _STAY),
        Fault(1800, FaultKind.SYNC_ERROR, _STAY, nasty=True),
        Fault(2600, FaultKind.POWER_LOSS, 100, loses_power=True, nasty=True),
    ),
    syncs=True,
)


def planted(original: Callable[..., None]) -> Any:
    return staticmethod(lambda disk, directory: None)
