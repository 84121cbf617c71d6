"""What a partition knows of its producers: last sequences (idempotence) and open transactions.

Kafka's rules, exactly: the last five batches of a producer are remembered; one of them sent again gets
its old offsets; the next must follow without a gap; a new epoch starts at sequence 0; a producer that is not known
may start anywhere. State is the fold over the log: followers and recovery apply batches without checking them.
Beyond Kafka's rules, what a snapshot has left out is looked up in the log when it is asked for (`older_batches`).
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from ottla.log.producers.older_batches import OlderSearch, TakesLong
from ottla.log.producers.producer_entry import REMEMBERED_BATCHES, ProducerBatch, ProducerEntry
from ottla.log.producers.verification import Verification, Verifications
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.records.batch import SEQUENCE_MASK, BatchHeader, is_later_sequence
from ottla.records.control import EndTransactionMarker

#: Above every offset: nothing is unstable.
NO_OFFSET: Final = (1 << 63) - 1


class CompletedTransaction(NamedTuple):
    """A transaction that had records in this partition and has just got its marker."""

    producer_id: int
    first_offset: int
    last_offset: int
    is_aborted: bool
    last_stable_offset: int


class ProducerStates:
    """All producers of one partition. Owned by its PartitionLog."""

    __slots__ = (
        "entries",
        "find_older",
        "first_unstable_offset",
        "has_markers",
        "max_count",
        "open_transactions",
        "undecided",
        "verifications",
    )

    def __init__(self) -> None:
        self.entries: dict[int, ProducerEntry] = {}
        #: Of clients: a new producer beyond it is refused until others have expired.
        self.max_count = 100_000
        #: Producer id -> first offset. Transactions are added as they begin, so offsets rise.
        self.open_transactions: dict[int, int] = {}
        #: First offset -> marker offset of completed transactions whose marker is not below the high watermark yet.
        self.undecided: dict[int, int] = {}
        self.first_unstable_offset = NO_OFFSET
        #: Transactions have ended here.
        self.has_markers = False
        #: Producers whose next transaction the coordinator is asked about.
        self.verifications = Verifications()
        #: Looks in the log for batches of an entry that came from a snapshot.
        self.find_older: Callable[[ProducerEntry], OlderSearch] | None = None

    def __len__(self) -> int:
        return len(self.entries)

    # before an append

    def check(self, batch: ProducerBatch, verification: Verification | None) -> ProducerBatch | None:
        """Raises Refused when a client's batch does not follow; returns the batch in the log that it repeats.

        The first batch of a transaction needs the `verification` that was begun for it; None: nobody had to ask.
        TakesLong when the log has to be searched for a repeated batch first (`learn`).
        """
        entry = self.entries.get(batch.producer_id)
        if entry is None:
            self._check_new(batch, verification)
            return None
        is_next = batch.first_sequence == entry.next_sequence and batch.epoch == entry.epoch
        if is_next and (entry.open_offset >= 0) is batch.is_transactional:
            return None
        if not is_next:
            known = self._find_repeated(entry, batch)
            if known is not None:
                return known
            if batch.epoch < entry.epoch:
                raise _old_epoch(entry, batch.epoch)
        if batch.is_transactional and (entry.open_offset < 0 or batch.epoch != entry.epoch):
            self._check_verified(batch, verification)
        _check_sequence(entry, batch)
        _check_transaction(entry, batch.is_transactional)
        return None

    def _find_repeated(self, entry: ProducerEntry, batch: ProducerBatch) -> ProducerBatch | None:
        known = entry.find_duplicate(batch)
        if known is None and entry.has_older_batches and batch.epoch == entry.epoch:
            self._complete(entry)
            known = entry.find_duplicate(batch)
        return known

    def _check_verified(self, batch: ProducerBatch, verification: Verification | None) -> None:
        if verification is None:
            return
        if not self.verifications.holds(batch.producer_id, verification):
            raise Refused(ErrorCode.INVALID_TXN_STATE, "Record was not part of an ongoing transaction")
        if is_later_sequence(batch.first_sequence, verification.lowest_sequence):
            raise Refused(
                ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER,
                f"Out of order sequence number for producer {batch.producer_id}: {batch.first_sequence} (incoming seq. "
                f"number), {verification.lowest_sequence} (earliest seen sequence)",
            )

    def _check_new(self, batch: ProducerBatch, verification: Verification | None) -> None:
        if batch.is_transactional and verification is not None:
            self._check_verified(batch, verification)
            if verification.joins and batch.first_sequence != 0:
                raise _out_of_order(batch, -1)
        if len(self.entries) >= self.max_count:
            raise Refused(
                ErrorCode.POLICY_VIOLATION,
                f"The partition has {len(self.entries)} producers already (ottla.producers.max)",
            )

    def _complete(self, entry: ProducerEntry) -> None:
        """Adds what a snapshot did not name. Raises OSError and CorruptLog; TakesLong when it lies further back."""
        if self.find_older is not None:
            search = self.find_older(entry)
            if not search.step():
                raise TakesLong(search)
            self.learn(search)

    def learn(self, search: OlderSearch) -> None:
        """The search has ended. Meanwhile the producer may have sent more, or be another one."""
        entry = search.entry
        oldest = entry.batches[0] if entry.batches else None
        if (
            self.entries.get(entry.producer_id) is not entry
            or not entry.has_older_batches
            or oldest is not search.oldest
        ):
            return
        room = REMEMBERED_BATCHES - len(entry.batches)
        entry.batches[:0] = search.found[-room:] if room else []
        entry.has_older_batches = False

    def check_coordinator(
        self, header: BatchHeader, marker: EndTransactionMarker | None, transaction_version: int
    ) -> None:
        """For batches that a coordinator writes: transaction markers, and records of a producer's transaction."""
        entry = self.entries.get(header.producer_id)
        if entry is None:
            return
        # From version 2 on a marker has a higher epoch than the transaction it ends, so one with the same epoch is
        # late; it may pass when nothing is open, because then it only repeats the marker that is there.
        is_late = marker is not None and transaction_version >= 2 and entry.open_offset >= 0
        if header.producer_epoch < entry.epoch or (is_late and header.producer_epoch == entry.epoch):
            raise _old_epoch(entry, header.producer_epoch)
        if marker is None:
            _check_transaction(entry, header.is_transactional)
        elif marker.coordinator_epoch < entry.coordinator_epoch:
            raise Refused(
                ErrorCode.TRANSACTION_COORDINATOR_FENCED,
                f"Invalid coordinator epoch for producer {header.producer_id}: {marker.coordinator_epoch} "
                f"(zombie), {entry.coordinator_epoch} (current)",
            )

    def has_open_transaction(self, producer_id: int, producer_epoch: int) -> bool:
        """Whether a transactional batch of this producer needs no more verification with the coordinator."""
        entry = self.entries.get(producer_id)
        return entry is not None and entry.open_offset >= 0 and entry.epoch == producer_epoch

    def is_repeated(self, header: BatchHeader) -> bool:
        """Whether the batch is among the last ones of its producer in the log."""
        entry = self.entries.get(header.producer_id)
        return entry is not None and entry.find_duplicate(ProducerBatch.stored(header)) is not None

    # after an append

    def add_batch(self, batch: ProducerBatch) -> None:
        """A data batch of a producer is in the log."""
        entry = self.entries.get(batch.producer_id)
        if entry is None or entry.epoch != batch.epoch:
            entry = self._entry_of_epoch(entry, batch.producer_id, batch.epoch)
        batches = entry.batches
        batches.append(batch)
        if len(batches) > REMEMBERED_BATCHES:
            del batches[0]
            entry.has_older_batches = False
        # Of a batch without a sequence the last one is -1: what follows it has to begin with 0.
        entry.next_sequence = (batch.last_sequence + 1) & SEQUENCE_MASK
        entry.last_timestamp = batch.timestamp
        entry.idle_since_ms = None
        if batch.is_transactional and entry.open_offset < 0:
            self.verifications.transaction_begun(batch.producer_id)
            base_offset = batch.base_offset
            entry.open_offset = base_offset
            self.open_transactions[batch.producer_id] = base_offset
            if base_offset < self.first_unstable_offset:
                self.first_unstable_offset = base_offset

    def _entry_of_epoch(self, entry: ProducerEntry | None, producer_id: int, epoch: int) -> ProducerEntry:
        if entry is None:
            entry = self.entries[producer_id] = ProducerEntry(producer_id, epoch)
        else:
            entry.epoch = epoch
            entry.batches.clear()
            entry.has_older_batches = False
            entry.next_sequence = 0
        return entry

    def add_marker(
        self, header: BatchHeader, marker: EndTransactionMarker, offset: int, high_watermark: int
    ) -> CompletedTransaction | None:
        """A transaction marker is in the log. None when the producer had no open transaction here."""
        entry = self.entries.get(header.producer_id)
        if entry is None or entry.epoch != header.producer_epoch:
            entry = self._entry_of_epoch(entry, header.producer_id, header.producer_epoch)
        self.has_markers = True
        self.verifications.transaction_ended(header.producer_id, header.producer_epoch)
        entry.coordinator_epoch = marker.coordinator_epoch
        entry.last_timestamp = header.max_timestamp
        entry.idle_since_ms = None
        first_offset, entry.open_offset = entry.open_offset, -1
        if first_offset < 0:
            return None
        self.open_transactions.pop(header.producer_id, None)
        if offset >= high_watermark:
            self.undecided[first_offset] = offset
        self._find_first_unstable()
        stable = next(iter(self.open_transactions.values()), offset + 1)
        return CompletedTransaction(header.producer_id, first_offset, offset, not marker.is_commit, stable)

    def on_high_watermark(self, high_watermark: int) -> None:
        """Markers below it have reached all in-sync replicas: their transactions are decided for readers."""
        if not self.undecided:
            return
        self.undecided = {first: last for first, last in self.undecided.items() if last >= high_watermark}
        self._find_first_unstable()

    def _find_first_unstable(self) -> None:
        first_open = next(iter(self.open_transactions.values()), NO_OFFSET)
        self.first_unstable_offset = min(first_open, min(self.undecided, default=NO_OFFSET))

    # the whole state

    def load(self, entries: list[ProducerEntry]) -> None:
        """Replaces everything by what a snapshot holds."""
        self.entries = {entry.producer_id: entry for entry in entries}
        open_entries = sorted((entry for entry in entries if entry.open_offset >= 0), key=lambda e: e.open_offset)
        self.open_transactions = {entry.producer_id: entry.open_offset for entry in open_entries}
        self.undecided = {}
        self.has_markers |= any(entry.coordinator_epoch >= 0 for entry in entries)
        self._find_first_unstable()

    def expire(self, now_ms: int, expiration_ms: int) -> list[int]:
        """Forgets producers from which nothing came for that long, by the monotonic clock; returns their ids.

        Nothing is noted at appends: the idle time counts from the first call after the last batch, so a producer may
        live one interval longer than it must, never shorter. One with an open transaction stays.
        """
        expired = []
        for entry in self.entries.values():
            if entry.open_offset >= 0:
                continue
            if entry.idle_since_ms is None:
                entry.idle_since_ms = now_ms
            if now_ms - entry.idle_since_ms >= expiration_ms:
                expired.append(entry.producer_id)
        for producer_id in expired:
            del self.entries[producer_id]
        self.verifications.expire(now_ms, expiration_ms)
        return expired

    def digest(self) -> list[tuple[int, ...]]:
        """The state that a fold over the log must give. Older batches than the last: `older_batches`."""
        return sorted(
            (
                entry.producer_id,
                entry.epoch,
                entry.last_sequence,
                entry.batches[-1].last_offset if entry.batches else -1,
                entry.coordinator_epoch,
                entry.open_offset,
            )
            for entry in self.entries.values()
        )


def _check_sequence(entry: ProducerEntry, batch: ProducerBatch) -> None:
    if batch.epoch > entry.epoch:
        if batch.first_sequence != 0:
            raise Refused(
                ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER,
                f"Invalid sequence number for new epoch of producer {batch.producer_id}: "
                f"{batch.epoch} (request epoch), {batch.first_sequence} (seq. number), "
                f"{entry.epoch} (current producer epoch)",
            )
    elif batch.first_sequence != entry.next_sequence:
        raise _out_of_order(batch, entry.last_sequence)


def _check_transaction(entry: ProducerEntry, is_transactional: bool) -> None:
    if entry.open_offset >= 0 and not is_transactional:
        raise Refused(ErrorCode.INVALID_TXN_STATE, f"Expected transactional write from producer {entry.producer_id}")


def _old_epoch(entry: ProducerEntry, epoch: int) -> Refused:
    return Refused(
        ErrorCode.INVALID_PRODUCER_EPOCH,
        f"Epoch of producer {entry.producer_id} is {epoch}, which is not above the last seen epoch {entry.epoch}",
    )


def _out_of_order(batch: ProducerBatch, last_sequence: int) -> Refused:
    return Refused(
        ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER,
        f"Out of order sequence number for producer {batch.producer_id}: {batch.first_sequence} (incoming seq. "
        f"number), {last_sequence} (current end sequence number)",
    )
