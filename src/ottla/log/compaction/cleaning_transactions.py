"""Follows transactions through the batches of a log while it is cleaned (see tests/mutations/R15.py).

Data of aborted transactions go at once. A marker may go only when a pass has met no data of its transaction any more,
and then only after the delete horizon: a reader that began before must still find it. Entries of the transaction index
are kept exactly as long as data of their transaction were met, because a reader that gets an entry without a marker
would skip what the producer wrote next.
"""

from collections.abc import Sequence

from ottla.log.segments.transaction_index import AbortedTransaction
from ottla.records.batch import BatchHeader
from ottla.records.control import EndTransactionMarker


class CleaningTransactions:
    """One per pass over the log, fed with every batch in order."""

    def __init__(self, aborted: Sequence[AbortedTransaction]) -> None:
        self._coming = sorted(aborted, key=lambda entry: entry.first_offset, reverse=True)
        self._aborted: dict[int, AbortedTransaction] = {}
        #: Producers of aborted transactions whose data this pass has met.
        self._met: dict[int, bool] = {}
        self._committed: dict[int, bool] = {}

    def is_aborted(self, header: BatchHeader) -> bool:
        """To be asked once for each data batch: it is remembered that the transaction has data."""
        self._advance(header.last_offset)
        if not header.is_transactional:
            return False
        entry = self._aborted.get(header.producer_id)
        if entry is not None and header.base_offset <= entry.last_offset:
            self._met[header.producer_id] = True
            return True
        self._committed[header.producer_id] = True
        return False

    def end(self, header: BatchHeader, marker: EndTransactionMarker | None) -> tuple[bool, AbortedTransaction | None]:
        """For a control batch: whether its transaction has no data left, and the index entry that must be kept.

        Without a marker (another kind of control record) the batch stays.
        """
        self._advance(header.last_offset)
        if marker is None:
            return False, None
        producer_id = header.producer_id
        if marker.is_commit:
            return self._committed.pop(producer_id, None) is None, None
        entry = self._aborted.pop(producer_id, None)
        if self._met.pop(producer_id, False):
            return False, entry
        return True, None

    def _advance(self, offset: int) -> None:
        while self._coming and self._coming[-1].first_offset <= offset:
            entry = self._coming.pop()
            self._aborted[entry.producer_id] = entry
            self._met.pop(entry.producer_id, None)
