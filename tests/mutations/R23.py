"""R23 (own, clocks): the coordinator ends sessions by the wall clock."""

from collections.abc import Callable
from typing import Any

from ottla.doors.clock import Clock
from ottla.model.topic import TopicPartition
from ottla.sim.faults import Fault, FaultKind, FaultSchedule
from ottla.sim.group_client import GroupPlan
from ottla.sim.pace import Pace
from ottla.sim.run_result import RunResult
from ottla.sim.workloads.groups import HEARTBEAT_MS, HOUR_MS, SESSION_MS, Plan, run_groups

TARGET = "ottla.broker.shards.shard_host.ShardHost.__init__"
FINDINGS = ("needless-fencing",)
PARTITIONS = [TopicPartition("orders", index) for index in range(4)]


class WallClock:
    def __init__(self, clock: Clock) -> None:
        self.now_ms = clock.now_ms
        self.monotonic_ms = clock.now_ms


def planted(original: Callable[..., None]) -> Callable[..., None]:
    def init(self: Any, name: str, shard: Any, codec: Any, log: Any, clock: Clock) -> None:
        original(self, name, shard, codec, log, WallClock(clock))

    return init


def RUN(seed: int) -> RunResult:
    """A classic group and one of KIP-848, and a clock that somebody sets an hour on, back, and on again."""
    jumps = [Fault(2_000 + 700 * i, FaultKind.SKEW, HOUR_MS if i % 2 == 0 else -HOUR_MS) for i in range(8)]
    return run_groups(
        seed,
        plan=Plan(
            duration_ms=8_000,
            groups=[
                GroupPlan("classic", PARTITIONS, "range", SESSION_MS, HEARTBEAT_MS),
                GroupPlan("consumer", PARTITIONS, None, SESSION_MS, HEARTBEAT_MS),
            ],
            member_counts=[3, 3],
            static_percent=0,
            pace=Pace(),
            schedule=FaultSchedule(jumps),
            events=[],
        ),
    )
