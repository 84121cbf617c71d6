"""R17 (own, disk full): half a batch is left after a failed write, and the next batch stands behind the garbage."""

from collections.abc import Callable
from typing import Any

from ottla.sim.faults import Fault, FaultKind
from ottla.sim.workloads.produce_consume import Scenario

TARGET = "ottla.log.segments.segment.Segment._cut_back"
FINDINGS = ("bad-crc-below-end",)
SCENARIO = Scenario(
    (
        Fault(300, FaultKind.DISK_FULL, 500),
        Fault(900, FaultKind.DISK_ROOM),
        Fault(1300, FaultKind.DISK_FULL, 77),
        Fault(1800, FaultKind.DISK_ROOM),
    ),
    syncs=False,
)


def planted(original: Callable[..., None]) -> Callable[..., None]:
    def cut_back(self: Any, file: Any, size: int) -> None:
        self.size = file.size()

    return cut_back
