"""What a family of rows is: its rows, how one round of it is measured, and what it needs from the node."""

from collections.abc import Callable
from typing import NamedTuple

from benchmarks.broker_node import BrokerNode
from benchmarks.results import Row


class Load(NamedTuple):
    """How much of everything one round does. The defaults are the full size."""

    gb: float = 1.0
    tiny_seconds: float = 3.0
    paced_seconds: float = 4.0
    round_trips: int = 1500
    polls: int = 400
    partitions: int = 10_000
    unflushed_gb: float = 1.0
    cold_gb: float = 0.3
    client_records: int = 1_000_000
    compaction_seconds: float = 15.0
    members: int = 100
    groups: int = 1000
    group_seconds: float = 3.0
    transaction_seconds: float = 4.0
    copy_gb: float = 0.5
    stall_gb: float = 1.0
    stall_partitions: int = 5000
    micro_batch_seconds: float = 8.0

    @property
    def is_full_size(self) -> bool:
        """Whether goals may be judged by it."""
        return all(amount >= full for amount, full in zip(self, Load(), strict=True))


QUICK = Load(
    gb=0.3,
    tiny_seconds=2.0,
    paced_seconds=2.0,
    round_trips=700,
    partitions=1000,
    unflushed_gb=0.3,
    cold_gb=0.1,
    client_records=200_000,
    compaction_seconds=8.0,
    groups=200,
    group_seconds=2.0,
    transaction_seconds=2.0,
    copy_gb=0.1,
    stall_gb=0.25,
    stall_partitions=1000,
    micro_batch_seconds=5.0,
)

#: Takes one figure of the round: the row's key and the value.
Put = Callable[[str, float], None]


class Family(NamedTuple):
    """`page`: the results page that shows its rows.

    `needs_own_node`: the node is stopped before the round; the family empties, starts and stops it itself.
    """

    name: str
    page: str
    rows: Callable[[Load], list[Row]]
    measure: Callable[[BrokerNode, Load, Put], None]
    needs_own_node: bool = False
