"""What ties the first batch of a transaction to the transaction that its coordinator knows (KIP-890).

The coordinator is asked before the append, and others are served meanwhile: a marker may end the transaction. What is
appended behind that marker would hang until another transaction of the producer decides it. So whoever asks leaves a
`Verification` in the partition first. The next batch or marker of the producer takes it away, and an append has to
present the one that is there. (Kafka: VerificationGuard, VerificationStateEntry.)
"""

from typing import Final

from ottla.records.batch import is_later_sequence


class Verification:
    """One for all requests of a producer that ask at the same time."""

    __slots__ = ("epoch", "idle_since_ms", "joins", "lowest_sequence")

    def __init__(self, epoch: int, first_sequence: int, joins: bool) -> None:
        self.epoch = epoch
        #: What has a later one may not be appended first: those before were refused, and are sent again.
        self.lowest_sequence = first_sequence
        #: The partition joins the transaction with this batch (version 2); in version 1 it was added before.
        self.joins = joins
        #: Monotonic time at which `expire` first found it; None since somebody asked.
        self.idle_since_ms: int | None = None

    def asked_again(self, epoch: int, first_sequence: int, joins: bool) -> None:
        self.idle_since_ms = None
        if epoch > self.epoch:
            self.epoch, self.lowest_sequence, self.joins = epoch, first_sequence, joins
        elif epoch == self.epoch and is_later_sequence(self.lowest_sequence, first_sequence):
            self.lowest_sequence = first_sequence


#: For batches of a transaction that was open in the partition: there is nothing to ask, and it has to be open still.
NOT_ASKED: Final = Verification(-1, -1, False)


class Verifications:
    """Those of one partition, by producer id."""

    __slots__ = ("_by_producer", "max_count")

    def __init__(self) -> None:
        self._by_producer: dict[int, Verification] = {}
        #: The one that was asked for longest ago gives way to a new one beyond it: its producer has to ask again.
        self.max_count = 100_000

    def __len__(self) -> int:
        return len(self._by_producer)

    def begin(self, producer_id: int, epoch: int, first_sequence: int, *, joins: bool) -> Verification:
        """The coordinator is about to be asked."""
        known = self._by_producer.pop(producer_id, None)
        if known is not None:
            known.asked_again(epoch, first_sequence, joins)
            self._by_producer[producer_id] = known
            return known
        if len(self._by_producer) >= self.max_count:
            del self._by_producer[next(iter(self._by_producer))]
        verification = self._by_producer[producer_id] = Verification(epoch, first_sequence, joins)
        return verification

    def holds(self, producer_id: int, verification: Verification) -> bool:
        return self._by_producer.get(producer_id) is verification

    def transaction_begun(self, producer_id: int) -> None:
        """Its first batch is in the log: until the marker there is nothing to verify."""
        self._by_producer.pop(producer_id, None)

    def transaction_ended(self, producer_id: int, marker_epoch: int) -> None:
        """Its marker is in the log."""
        known = self._by_producer.get(producer_id)
        # In version 2 a marker has the epoch of the transaction that follows, which may be waiting to join already.
        if known is not None and not (known.joins and known.epoch == marker_epoch):
            del self._by_producer[producer_id]

    def expire(self, now_ms: int, expiration_ms: int) -> None:
        """Forgets those that nobody has asked for again for so long; as `ProducerStates.expire`."""
        for producer_id, verification in list(self._by_producer.items()):
            if verification.idle_since_ms is None:
                verification.idle_since_ms = now_ms
            if now_ms - verification.idle_since_ms >= expiration_ms:
                del self._by_producer[producer_id]
