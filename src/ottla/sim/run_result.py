"""What one simulated run came to."""

from typing import NamedTuple

from ottla.sim.history import Finding


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

    def __str__(self) -> str:
        return (
            f"seed {self.seed}: digest {self.digest}, {self.event_count} events, {self.simulated_ms} ms simulated, "
            f"{self.acked_count} batches acked, {self.read_count} records read, {self.start_count} starts, "
            f"{self.operation_count} disk operations"
        )
