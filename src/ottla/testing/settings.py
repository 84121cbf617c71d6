"""Settings of test brokers where they differ from Kafka's defaults."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

#: Nothing waits for members that never come (Kafka lets a member that joins within a second of another change of its
#: consumer group wait for its next heartbeat, 5 seconds), the broker's own topics are small, and no connection counts
#: as idle because a test has moved the clock.
SETTINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "node.id": "1",
        "listeners": "PLAINTEXT://127.0.0.1:0",
        "group.initial.rebalance.delay.ms": "0",
        "group.consumer.assignment.interval.ms": "0",
        "offsets.topic.num.partitions": "1",
        "offsets.topic.replication.factor": "1",
        "transaction.state.log.num.partitions": "1",
        "transaction.state.log.replication.factor": "1",
        "transaction.state.log.min.isr": "1",
        "connections.max.idle.ms": str(1 << 53),
    }
)
