"""R22 (Jepsen, Bufstream 0.1.0): the answer to a batch that is sent again names offset 0."""

from collections.abc import Callable
from typing import Any

from ottla.sim.faults import Fault, FaultKind
from ottla.sim.workloads.produce_consume import Scenario

TARGET = "ottla.log.partition_log.PartitionLog.append_as_leader"
FINDINGS = ("ack-offset-differs-from-log",)
SCENARIO = Scenario(tuple(Fault(at_ms, FaultKind.RESET) for at_ms in range(200, 4000, 37)), syncs=True)


def planted(original: Callable[..., Any]) -> Callable[..., Any]:
    def append_as_leader(self: Any, *args: Any, **kwargs: Any) -> Any:
        appended = original(self, *args, **kwargs)
        is_duplicate = appended[3]
        return (0, *appended[1:]) if is_duplicate else appended

    return append_as_leader
