"""The transaction coordinator of one partition of `__transaction_state`.

Operations ask the rules (one module for each noun) and turn their outcomes into records, one timer for each id, and an
response. Hard state: the transactions by id. There is no soft state except `previous_epoch` inside a transaction.
"""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from ottla.coordination.shard import Decision, Now, RecordOrigin, StartTimer, StopTimer, TimerKey, TimerOrder
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.topic import CONSUMER_OFFSETS, TopicPartition
from ottla.protocol.generated.add_offsets_to_txn_request import AddOffsetsToTxnRequest
from ottla.protocol.generated.add_offsets_to_txn_response import AddOffsetsToTxnResponse
from ottla.protocol.generated.describe_transactions_response import TransactionStates as Described
from ottla.protocol.generated.end_txn_request import EndTxnRequest
from ottla.protocol.generated.end_txn_response import EndTxnResponse
from ottla.protocol.generated.init_producer_id_request import InitProducerIdRequest
from ottla.protocol.generated.init_producer_id_response import InitProducerIdResponse
from ottla.protocol.generated.list_transactions_request import ListTransactionsRequest
from ottla.protocol.generated.list_transactions_response import ListTransactionsResponse
from ottla.transactions import views
from ottla.transactions.add_partitions import add_partitions, verify_partitions
from ottla.transactions.end_transaction import end_bumped, end_unbumped, fence
from ottla.transactions.init_producer_id import KnownProducer, first_init, init_again, may_time_out_after
from ottla.transactions.lost_markers import OpenTransaction, unexplained
from ottla.transactions.markers import SendMarkers, markers_of
from ottla.transactions.outcome import NewProducerId, Outcome, code_for_version, refused
from ottla.transactions.records import TransactionRecord
from ottla.transactions.settings import TransactionSettings
from ottla.transactions.state import IDLE, ONGOING, PREPARED
from ottla.transactions.transaction import NO_PRODUCER_ID, FinalisedVersion, Transaction, TransactionVersion

R = TypeVar("R")

#: From these versions on a client knows PRODUCER_FENCED.
_INIT_FENCED_SINCE = 4
_FENCED_SINCE = 2
_END_BUMPS_SINCE = 5
#: How soon a timeout is retried when no producer id could be had for it.
_TRY_AGAIN_MS = 100


class TransactionShard:
    """Made by the node when it becomes leader of the partition; dropped with the leadership.

    `coordinator_epoch` is the leader epoch of the partition: leaders refuse markers of an older one.
    """

    def __init__(
        self,
        settings: TransactionSettings,
        new_producer_id: NewProducerId,
        coordinator_epoch: int,
        finalised_version: FinalisedVersion,
    ) -> None:
        self.settings = settings
        self.coordinator_epoch = coordinator_epoch
        self._new_producer_id = new_producer_id
        self._finalised_version = finalised_version
        self._transactions: dict[str, Transaction] = {}
        self._prepared: dict[str, Transaction] = {}

    # -- clients

    def init_producer_id(
        self, request: InitProducerIdRequest, version: int, now: Now
    ) -> Decision[InitProducerIdResponse]:
        """For a transactional id; a producer that is only idempotent needs no coordinator."""
        try:
            outcome = self._init(request, now.wall_ms)
        except Refused as refusal:
            outcome = refused(refusal.code)
        response = InitProducerIdResponse(
            error_code=code_for_version(outcome.code, version, _INIT_FENCED_SINCE),
            producer_id=outcome.producer_id,
            producer_epoch=outcome.producer_epoch,
        )
        return self._decide(outcome, response, now)

    def _init(self, request: InitProducerIdRequest, wall_ms: int) -> Outcome:
        transactional_id, timeout_ms = request.transactional_id, request.transaction_timeout_ms
        named = KnownProducer(request.producer_id, request.producer_epoch)
        if not transactional_id or not named.is_whole:
            return refused(ErrorCode.INVALID_REQUEST)
        if not may_time_out_after(timeout_ms, self.settings.max_timeout_ms):
            return refused(ErrorCode.INVALID_TRANSACTION_TIMEOUT)
        transaction = self._transactions.get(transactional_id)
        if transaction is None:
            return first_init(transactional_id, timeout_ms, wall_ms, self._new_producer_id)
        known = None if named.producer_id == NO_PRODUCER_ID else named
        return init_again(transaction, known, timeout_ms, wall_ms, self._new_producer_id, self._finalised_version())

    def add_partitions(
        self,
        transactional_id: str,
        producer_id: int,
        producer_epoch: int,
        partitions: Sequence[TopicPartition],
        now: Now,
        client_version: TransactionVersion = TransactionVersion.TV0,
    ) -> Decision[ErrorCode]:
        """One transaction of AddPartitionsToTxn. From v4 on (and for the implicit add of TV2) the client is TV2."""
        if not transactional_id:
            return Decision(ErrorCode.INVALID_REQUEST)
        transaction = self._transactions.get(transactional_id)
        outcome = add_partitions(transaction, producer_id, producer_epoch, partitions, client_version, now.wall_ms)
        return self._decide(outcome, outcome.code, now)

    def verify_partitions(
        self,
        transactional_id: str,
        producer_id: int,
        producer_epoch: int,
        partitions: Sequence[TopicPartition],
        now: Now,
    ) -> Decision[dict[TopicPartition, ErrorCode]]:
        """AddPartitionsToTxn with VerifyOnly: what a leader asks before it takes data of a TV1 client."""
        return Decision(self.verified(transactional_id, producer_id, producer_epoch, partitions))

    def verified(
        self, transactional_id: str, producer_id: int, producer_epoch: int, partitions: Sequence[TopicPartition]
    ) -> dict[TopicPartition, ErrorCode]:
        """The same as a question, for who must know it in the very step that appends."""
        if not transactional_id:
            return dict.fromkeys(partitions, ErrorCode.INVALID_REQUEST)
        transaction = self._transactions.get(transactional_id)
        return verify_partitions(transaction, producer_id, producer_epoch, partitions)

    def add_offsets(
        self, request: AddOffsetsToTxnRequest, version: int, now: Now, offsets_partition: int
    ) -> Decision[AddOffsetsToTxnResponse]:
        """`offsets_partition`: the one of `__consumer_offsets` that keeps the offsets of the group."""
        decided = self.add_partitions(
            request.transactional_id,
            request.producer_id,
            request.producer_epoch,
            [TopicPartition(CONSUMER_OFFSETS, offsets_partition)],
            now,
        )
        assert decided.response is not None
        code = code_for_version(decided.response, version, _FENCED_SINCE)
        return Decision(AddOffsetsToTxnResponse(error_code=code), decided.records, timers=decided.timers)

    def end_transaction(self, request: EndTxnRequest, version: int, now: Now) -> Decision[EndTxnResponse]:
        try:
            outcome = self._end(request, version, now.wall_ms)
        except Refused as refusal:
            outcome = refused(refusal.code)
        response = EndTxnResponse(
            error_code=code_for_version(outcome.code, version, _FENCED_SINCE),
            producer_id=outcome.producer_id,
            producer_epoch=outcome.producer_epoch,
        )
        return self._decide(outcome, response, now)

    def _end(self, request: EndTxnRequest, version: int, wall_ms: int) -> Outcome:
        if not request.transactional_id:
            return refused(ErrorCode.INVALID_REQUEST)
        transaction = self._transactions.get(request.transactional_id)
        producer_id, epoch, committed = request.producer_id, request.producer_epoch, request.committed
        if version < _END_BUMPS_SINCE:
            return end_unbumped(transaction, producer_id, epoch, committed, wall_ms)
        return end_bumped(transaction, producer_id, epoch, committed, wall_ms, self._new_producer_id)

    # -- markers

    @property
    def owes_markers(self) -> bool:
        return bool(self._prepared)

    def unexplained(self, opened: Iterable[OpenTransaction]) -> list[OpenTransaction]:
        """What is open in partitions although no transaction of its producer accounts for it."""
        found = list(opened)
        return unexplained(found, self._transactions.values()) if found else []

    def is_decided(self, transactional_id: str) -> bool:
        """Its transaction is decided and not complete."""
        return transactional_id in self._prepared

    def markers_to_send(self, now: Now) -> Decision[list[SendMarkers]]:
        """What all decided transactions owe. An operation, so that its response waits until decisions are committed.

        The host asks when the shard is loaded and after decisions that changed something.
        """
        return Decision([markers_of(each, self.coordinator_epoch) for each in self._prepared.values()])

    def markers_written(
        self, transactional_id: str, producer_id: int, producer_epoch: int, now: Now
    ) -> Decision[ErrorCode]:
        """Every partition has its marker. A second call changes nothing."""
        transaction = self._prepared.get(transactional_id)
        if (
            transaction is None
            or transaction.producer_id != producer_id
            or transaction.producer_epoch != producer_epoch
        ):
            return Decision(ErrorCode.INVALID_TXN_STATE)
        return self._decide(Outcome(ErrorCode.NONE, (transaction.completed(now.wall_ms),)), ErrorCode.NONE, now)

    # -- administrators

    def describe(self, transactional_id: str, now: Now) -> Decision[Described]:
        return Decision(views.describe(transactional_id, self._transactions.get(transactional_id)))

    def list_transactions(self, request: ListTransactionsRequest, now: Now) -> Decision[ListTransactionsResponse]:
        return Decision(views.list_transactions(self._transactions.values(), request, now.wall_ms))

    def transaction(self, transactional_id: str) -> Transaction | None:
        return self._transactions.get(transactional_id)

    def transactions(self) -> list[Transaction]:
        return list(self._transactions.values())

    # -- time

    def _timer_of(self, transaction: Transaction, now: Now) -> TimerOrder:
        """One timer for each id: an open transaction times out, an idle id expires, a decided one waits for nobody.

        The times in the log are wall time and may lie: they may only shorten the wait, to no less than nothing.
        """
        key = _timer_key(transaction.transactional_id)
        if transaction.state is ONGOING:
            due_ms = transaction.start_ms + transaction.timeout_ms - now.wall_ms
            delay_ms = min(max(0, due_ms), transaction.timeout_ms)
            return StartTimer(key, delay_ms, lambda later: self._time_out(transaction, later))
        if transaction.state in IDLE:
            now_ms = self.settings.believed_ms(now.wall_ms)
            due_ms = transaction.last_update_ms + self.settings.id_expiration_ms - now_ms
            delay_ms = min(max(0, due_ms), self.settings.id_expiration_ms)
            return StartTimer(key, delay_ms, lambda later: self._expire(transaction, later))
        return StopTimer(key)

    def _time_out(self, known: Transaction, now: Now) -> Decision[None]:
        """Aborts an abandoned transaction: its producer, should it still live, is fenced."""
        transaction = self._transactions.get(known.transactional_id)
        if transaction is None or transaction.state is not ONGOING or transaction.start_ms != known.start_ms:
            return Decision()
        try:
            outcome = fence(transaction, now.wall_ms, self._new_producer_id, self._finalised_version())
        except Refused:
            key = _timer_key(known.transactional_id)
            return Decision(timers=[StartTimer(key, _TRY_AGAIN_MS, lambda later: self._time_out(known, later))])
        return self._decide(outcome, None, now)

    def _expire(self, known: Transaction, now: Now) -> Decision[None]:
        """Forgets an id that nobody has used for long."""
        transaction = self._transactions.get(known.transactional_id)
        if transaction is None or transaction != known:
            return Decision()
        transaction.check_may_die()
        return Decision(records=[TransactionRecord(transaction.transactional_id, None)])

    # -- the shard

    def apply(self, record: TransactionRecord, origin: RecordOrigin) -> None:
        transactional_id, transaction = record
        self._prepared.pop(transactional_id, None)
        if transaction is None:
            self._transactions.pop(transactional_id, None)
            return
        self._transactions[transactional_id] = transaction
        if transaction.state in PREPARED:
            self._prepared[transactional_id] = transaction

    def apply_marker(self, producer_id: int, producer_epoch: int, *, committed: bool) -> None:
        """No transaction writes to this partition."""

    def on_loaded(self, now: Now) -> Decision[None]:
        """Timers only. Decided transactions are in `markers_to_send`, which the host asks for next."""
        return Decision(timers=[self._timer_of(each, now) for each in self._transactions.values()])

    def on_unloaded(self) -> None:
        """Nothing is held outside the log."""

    def _decide(self, outcome: Outcome, response: R, now: Now) -> Decision[R]:
        if not outcome.moves:
            return Decision(response)
        records = [TransactionRecord(each.transactional_id, each) for each in outcome.moves]
        return Decision(response, records, timers=[self._timer_of(outcome.moves[-1], now)])


def _timer_key(transactional_id: str) -> TimerKey:
    return "transaction", transactional_id
