"""The flushers of a node, and which of them flushes a log."""

from ottla.broker.storage.flusher import Flusher
from ottla.log.partition_log import PartitionLog
from ottla.replication.partition_leader import PartitionLeader


class Flushers:
    """Owned by the node. A log has one flusher: acks that wait must not wait behind gigabytes of other topics."""

    def __init__(self, acks: Flusher, transactions: Flusher, background: Flusher) -> None:
        """For acks that wait; for topics where only the end of a transaction waits; for those where nobody does."""
        self.acks = acks
        self.transactions = transactions
        self.background = background

    def of(self, log: PartitionLog) -> Flusher:
        if log.flushes_before_ack or log.counts_to_flush:
            return self.acks
        return self.transactions if log.producers.has_markers else self.background

    def want(self, leader: PartitionLeader) -> None:
        self.of(leader.log).want(leader.log, leader.flushed)

    async def flush(self, leader: PartitionLeader) -> None:
        await self.of(leader.log).flush(leader.log, leader.flushed)
