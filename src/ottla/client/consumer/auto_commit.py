"""When positions are committed without being asked for. No I/O."""

from collections.abc import Mapping

from ottla.client.consumer.positions import Position
from ottla.client.offsets import OffsetAndMetadata
from ottla.model.topic import TopicPartition


class AutoCommit:
    """Owned by the consumer. Due every `interval_ms`, but only for what is not committed yet."""

    def __init__(self, interval_ms: int, now_ms: int) -> None:
        self._interval_ms = interval_ms
        self.due_ms = now_ms + interval_ms

    def is_due(self, now_ms: int) -> bool:
        return now_ms >= self.due_ms

    def restart(self, now_ms: int) -> None:
        self.due_ms = now_ms + self._interval_ms


def uncommitted(
    positions: Mapping[TopicPartition, Position], committed: Mapping[TopicPartition, int]
) -> dict[TopicPartition, OffsetAndMetadata]:
    """A position that a reset has found counts too: otherwise a restart would reset once more, to somewhere else."""
    return {
        partition: OffsetAndMetadata(position.offset, leader_epoch=position.epoch)
        for partition, position in positions.items()
        if committed.get(partition) != position.offset
    }
