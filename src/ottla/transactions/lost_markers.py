"""Markers that partitions have lost although the transaction was decided, and is over for its coordinator.

Power loss can take the marker from a partition that does not sync and leave the data before it. The decision is safe in
the transaction log. Each transaction of TV2 has an epoch of its own: the producer id and epoch of what is open in a
partition name the decision, however many transactions have followed elsewhere. Where they would not (TV1, and the last
epoch of a producer id), the transaction is not complete before its markers are on the device
(`SendMarkers.must_be_durable`).

Decisions are looked up in the log, not kept: compaction may remove them only when the markers are on the device.
"""

from collections.abc import Iterable
from typing import NamedTuple

from ottla.model.topic import TopicPartition
from ottla.transactions.markers import SendMarkers, markers_of
from ottla.transactions.state import ONGOING, PREPARED
from ottla.transactions.transaction import Transaction


class OpenTransaction(NamedTuple):
    """What the log of a partition shows of a transaction without a marker."""

    partition: TopicPartition
    producer_id: int
    producer_epoch: int


def unexplained(opened: Iterable[OpenTransaction], transactions: Iterable[Transaction]) -> list[OpenTransaction]:
    """Those of known producers that are neither ongoing nor about to get their marker."""
    latest = {each.producer_id: each for each in transactions}
    return [each for each in opened if each.producer_id in latest and not _explains(latest[each.producer_id], each)]


def _explains(transaction: Transaction, opened: OpenTransaction) -> bool:
    if transaction.state is ONGOING:
        is_of_this_epoch = transaction.producer_epoch == opened.producer_epoch
    else:
        # The marker has the next epoch, or the same one where the client is of TV1 and was not fenced.
        is_of_this_epoch = transaction.producer_epoch - opened.producer_epoch in (0, 1)
        is_of_this_epoch = is_of_this_epoch and transaction.state in PREPARED
    return is_of_this_epoch and transaction.includes(opened.partition)


class LostMarkers:
    """One search through a transaction log. Lives for one pass."""

    def __init__(self, opened: Iterable[OpenTransaction]) -> None:
        #: By producer id and the epoch that the marker has.
        self._partitions: dict[tuple[int, int], list[TopicPartition]] = {}
        for each in opened:
            self._partitions.setdefault((each.producer_id, each.producer_epoch + 1), []).append(each.partition)
        self._decisions: dict[tuple[int, int], Transaction] = {}

    def see(self, transaction: Transaction | None) -> None:
        """The next record of the log."""
        if transaction is not None and transaction.state in PREPARED and transaction.client_version.bumps_epoch:
            key = (transaction.producer_id, transaction.producer_epoch)
            if key in self._partitions:
                self._decisions[key] = transaction

    def orders(self, coordinator_epoch: int) -> list[SendMarkers]:
        """What is to be written again, when all records were seen."""
        found = []
        for key, transaction in self._decisions.items():
            partitions = tuple(each for each in self._partitions[key] if transaction.includes(each))
            if partitions:
                found.append(markers_of(transaction, coordinator_epoch)._replace(partitions=partitions))
        return found
