"""R25 (own, idempotence): of the batches that were in flight at a clean stop only the last is known afterwards."""

from collections.abc import Callable

from ottla.sim.faults import Fault, FaultKind
from ottla.sim.workloads.produce_consume import Scenario

TARGET = "ottla.log.producers.older_batches.OlderSearch.step"
FINDINGS = ("producer-refused", "state-differs-from-log-fold")
#: Answers on their way are lost, and the broker stops before the producers have asked again.
SCENARIO = Scenario(
    tuple(
        fault
        for i in range(12)
        for fault in (
            Fault(400 * i + 300, FaultKind.RESET),
            Fault(400 * i + 310, FaultKind.STOP, 50),
        )
    ),
    syncs=False,
)


def planted(original: Callable[..., bool]) -> Callable[..., bool]:
    return lambda self: True
