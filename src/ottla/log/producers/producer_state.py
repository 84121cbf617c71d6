"""What a partition knows of its producers: last sequences (idempotence) and open transactions.

Kafka's rules, exactly: the last five batches of a producer are remembered; one of them sent again gets
its old offsets; the next must follow without a gap; a new epoch starts at sequence 0; a producer that is not known
may start anywhere. State is the fold over the log: followers and recovery apply batches without checking them.
Beyond Kafka's rules, what a snapshot has left out is looked up in the log when it is asked for (`older_batches`).
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from ottla.log.producers.older_batches import OlderSearch, TakesLong
from ottla.log.producers.producer_entry import REMEMBERED_BATCHES, BatchMark, ProducerEntry
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.records.batch import TRANSACTIONAL_BIT, BatchHeader
from ottla.records.control import EndTransactionMarker

#: Above every offset: nothing is unstable.
NO_OFFSET: Final = (1 << 63) - 1
_SEQUENCE_MASK: Final = 0x7FFFFFFF


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
        #: Looks in the log for batches of an entry that came from a snapshot.
        self.find_older: Callable[[ProducerEntry], OlderSearch] | None = None

    def __len__(self) -> int:
        return len(self.entries)

    # before an append

    def check(self, header: BatchHeader, *, must_start_at_zero: bool = False) -> BatchMark | None:
        """Raises Refused when a client's batch does not follow; returns the mark of the batch that it repeats.

        TakesLong when the log has to be searched for that first (`learn`).
        """
        entry = self.entries.get(header.producer_id)
        if entry is None:
            if must_start_at_zero and header.base_sequence != 0:
                raise _out_of_order(header, -1)
            if len(self.entries) >= self.max_count:
                raise Refused(
                    ErrorCode.POLICY_VIOLATION,
                    f"The partition has {len(self.entries)} producers already (ottla.producers.max)",
                )
            return None
        if (
            header.base_sequence == entry.next_sequence
            and header.producer_epoch == entry.epoch
            and (entry.open_offset < 0 or header.attributes & TRANSACTIONAL_BIT)
        ):
            return None
        mark = entry.find_duplicate(header.producer_epoch, header.base_sequence, header.last_sequence)
        if mark is None and entry.has_older_batches and header.producer_epoch == entry.epoch:
            self._complete(entry)
            mark = entry.find_duplicate(header.producer_epoch, header.base_sequence, header.last_sequence)
        if mark is None:
            self._check_epoch_and_sequence(entry, header)
            self.check_transaction(entry, header)
        return mark

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

    def _check_epoch_and_sequence(self, entry: ProducerEntry, header: BatchHeader) -> None:
        if header.producer_epoch < entry.epoch:
            raise _old_epoch(header, entry.epoch)
        if header.producer_epoch > entry.epoch:
            if header.base_sequence != 0:
                raise Refused(
                    ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER,
                    f"Invalid sequence number for new epoch of producer {header.producer_id}: "
                    f"{header.producer_epoch} (request epoch), {header.base_sequence} (seq. number), "
                    f"{entry.epoch} (current producer epoch)",
                )
        elif header.base_sequence != entry.next_sequence:
            raise _out_of_order(header, entry.last_sequence)

    def check_transaction(self, entry: ProducerEntry, header: BatchHeader) -> None:
        if entry.open_offset >= 0 and not header.is_transactional:
            raise Refused(
                ErrorCode.INVALID_TXN_STATE, f"Expected transactional write from producer {header.producer_id}"
            )

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
            raise _old_epoch(header, entry.epoch)
        if marker is None:
            self.check_transaction(entry, header)
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

    # after an append

    def add_batch(self, header: BatchHeader, base_offset: int, max_timestamp: int) -> None:
        """A data batch of a producer is in the log."""
        last_offset = base_offset + header.last_offset_delta
        sequence = header.base_sequence
        if sequence >= 0:
            last_sequence = (sequence + header.last_offset_delta) & _SEQUENCE_MASK
            next_sequence = (last_sequence + 1) & _SEQUENCE_MASK
        else:
            last_sequence, next_sequence = -1, 0
        entry = self.entries.get(header.producer_id)
        if entry is None or entry.epoch != header.producer_epoch:
            entry = self._entry_of_epoch(entry, header)
        batches = entry.batches
        batches.append(BatchMark(sequence, last_sequence, base_offset, last_offset, max_timestamp))
        if len(batches) > REMEMBERED_BATCHES:
            del batches[0]
            entry.has_older_batches = False
        entry.next_sequence = next_sequence
        entry.last_timestamp = max_timestamp
        entry.idle_since_ms = None
        if header.attributes & TRANSACTIONAL_BIT and entry.open_offset < 0:
            entry.open_offset = base_offset
            self.open_transactions[header.producer_id] = base_offset
            if base_offset < self.first_unstable_offset:
                self.first_unstable_offset = base_offset

    def _entry_of_epoch(self, entry: ProducerEntry | None, header: BatchHeader) -> ProducerEntry:
        if entry is None:
            entry = self.entries[header.producer_id] = ProducerEntry(header.producer_id, header.producer_epoch)
        else:
            entry.epoch = header.producer_epoch
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
            entry = self._entry_of_epoch(entry, header)
        self.has_markers = True
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


def _old_epoch(header: BatchHeader, current_epoch: int) -> Refused:
    return Refused(
        ErrorCode.INVALID_PRODUCER_EPOCH,
        f"Epoch of producer {header.producer_id} is {header.producer_epoch}, "
        f"which is not above the last seen epoch {current_epoch}",
    )


def _out_of_order(header: BatchHeader, last_sequence: int) -> Refused:
    return Refused(
        ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER,
        f"Out of order sequence number for producer {header.producer_id}: {header.base_sequence} (incoming seq. "
        f"number), {last_sequence} (current end sequence number)",
    )
