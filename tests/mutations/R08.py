"""R08 (KIP-360): the state of producers is forgotten too early, here with each new segment."""

from collections.abc import Callable
from typing import Any

from ottla.sim.faults import Fault, FaultKind
from ottla.sim.workloads.produce_consume import Scenario

TARGET = "ottla.log.partition.roll.SegmentRoller.roll"
FINDINGS = ("duplicate",)
SCENARIO = Scenario(
    tuple(Fault(at_ms, FaultKind.RESET) for at_ms in range(200, 3000, 97)),
    syncs=True,
    segment_bytes=4000,
)


def planted(original: Callable[..., Any]) -> Callable[..., Any]:
    def roll(self: Any) -> Any:
        fresh = original(self)
        self._log.producers.load([])
        return fresh

    return roll
