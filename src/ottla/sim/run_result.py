"""What one simulated run came to."""

from typing import NamedTuple, Self

from ottla.sim.history import Finding
from ottla.sim.node import SimNode
from ottla.sim.world import SimWorld


class RunResult(NamedTuple):
    seed: int
    digest: str
    event_count: int
    simulated_ms: int
    acked_count: int
    read_count: int
    start_count: int
    operation_count: int
    findings: list[Finding]

    @classmethod
    def of(cls, world: SimWorld, node: SimNode, findings: list[Finding], *, acked_count: int, read_count: int) -> Self:
        """Errors that nobody has caught are findings of every run. All findings are events of the trace as well."""
        findings = findings + [Finding("unhandled-error", text) for text in world.unhandled]
        for finding in findings:
            world.trace.event("finding", finding)
        return cls(
            seed=world.seed,
            digest=world.trace.digest,
            event_count=world.trace.event_count,
            simulated_ms=world.loop.now_ms,
            acked_count=acked_count,
            read_count=read_count,
            start_count=node.start_count,
            operation_count=node.operation_count,
            findings=findings,
        )

    def __str__(self) -> str:
        return (
            f"seed {self.seed}: digest {self.digest}, {self.event_count} events, {self.simulated_ms} ms simulated, "
            f"{self.acked_count} batches acked, {self.read_count} records read, {self.start_count} starts, "
            f"{self.operation_count} disk operations"
        )
