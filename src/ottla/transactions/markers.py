"""The markers of a decided transaction that are not yet in its partitions, as plain data for whoever writes them."""

from typing import NamedTuple

from ottla.model.topic import TopicPartition
from ottla.transactions.state import PREPARE_COMMIT
from ottla.transactions.transaction import NO_PRODUCER_ID, Transaction, TransactionVersion


class SendMarkers(NamedTuple):
    """Write an end-transaction marker to every partition; then notify the shard with `markers_written`.

    Writing one twice does no harm: the partition sees an equal epoch and no open transaction.
    """

    transactional_id: str
    producer_id: int
    producer_epoch: int
    coordinator_epoch: int
    committed: bool
    transaction_version: TransactionVersion
    partitions: tuple[TopicPartition, ...]
    #: Written means on the device: a marker that is lost could not be found again (`lost_markers.py`).
    must_be_durable: bool = False

    @property
    def key(self) -> tuple[str, int, int]:
        """Distinguishes the transactions of one id: a prepared transaction has an epoch, or a state, of its own."""
        return self.transactional_id, self.producer_id, self.producer_epoch


def markers_of(transaction: Transaction, coordinator_epoch: int) -> SendMarkers:
    return SendMarkers(
        transaction.transactional_id,
        transaction.producer_id,
        transaction.producer_epoch,
        coordinator_epoch,
        transaction.state is PREPARE_COMMIT,
        transaction.client_version,
        transaction.partitions,
        must_be_durable=not transaction.client_version.bumps_epoch or transaction.next_producer_id != NO_PRODUCER_ID,
    )
