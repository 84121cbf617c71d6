"""A transaction coordinator on a log of bytes, with a clock that the test moves.

Every decision is carried out as the host does it. `check_invariants` replays the bytes into a new shard and compares.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from ottla.coordination.shard import Decision, Now, RecordOrigin
from ottla.coordination.timers import KeyedTimers
from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from ottla.protocol.generated.end_txn_request import EndTxnRequest
from ottla.protocol.generated.end_txn_response import EndTxnResponse
from ottla.protocol.generated.init_producer_id_request import InitProducerIdRequest
from ottla.protocol.generated.init_producer_id_response import InitProducerIdResponse
from ottla.transactions.markers import SendMarkers
from ottla.transactions.records import TransactionCodec, TransactionRecord
from ottla.transactions.settings import TransactionSettings
from ottla.transactions.shard import TransactionShard
from ottla.transactions.state import DEAD, NEXT_STATES
from ottla.transactions.transaction import NO_EPOCH, Transaction, TransactionVersion

R = TypeVar("R")
START_MS = 1_700_000_000_000


class Coordinator:
    """`transactional_id` is the id that the short methods use; there may be others."""

    def __init__(self, transactional_id: str = "transfer", settings: TransactionSettings | None = None) -> None:
        self.transactional_id = transactional_id
        self.settings = settings or TransactionSettings()
        #: The finalised level of the feature; a test may change it at any time.
        self.transaction_version = TransactionVersion.TV2
        self.codec = TransactionCodec(lambda: self.transaction_version)
        self.log: list[tuple[bytes | None, bytes | None]] = []
        self.now_ms = 0
        self.producer_ids = 1000
        self.coordinator_epoch = 0
        self._start()

    def _start(self) -> None:
        self.shard = self._loaded()
        self.timers = KeyedTimers()
        self.run(self.shard.on_loaded)

    def _loaded(self) -> TransactionShard:
        shard = TransactionShard(
            self.settings, self.new_producer_id, self.coordinator_epoch, lambda: self.transaction_version
        )
        for offset, (key, value) in enumerate(self.log):
            record = self.codec.decode(key, value)
            assert record is not None
            shard.apply(record, RecordOrigin(offset, START_MS))
        return shard

    # -- what the host does

    def new_producer_id(self) -> int:
        self.producer_ids += 1
        return self.producer_ids

    @property
    def now(self) -> Now:
        return Now(START_MS + self.now_ms, self.now_ms)

    def run(self, operation: Callable[[Now], Decision[R]]) -> R:
        """Carries the decision out and gives its response. An operation alone must not change the state."""
        before = self.hard_state()
        decision = operation(self.now)
        assert self.hard_state() == before
        self._append(decision)
        return decision.response  # type: ignore[return-value]

    def _append(self, decision: Decision[Any]) -> None:
        for record in decision.records:
            self._check_move(record)
            self.log.append(self.codec.encode(record))
            self.shard.apply(record, RecordOrigin(len(self.log) - 1, self.now.wall_ms))
        for order in decision.timers:
            self.timers.carry_out(order, self.now_ms)

    def _check_move(self, record: TransactionRecord) -> None:
        known = self.shard.transaction(record.transactional_id)
        if known is not None:
            state = DEAD if record.transaction is None else record.transaction.state
            assert state in NEXT_STATES[known.state], f"{known.state.label} -> {state.label}"

    def time_passes(self, duration_ms: int) -> None:
        end_ms = self.now_ms + duration_ms
        while (deadline_ms := self.timers.next_deadline_ms()) is not None and deadline_ms <= end_ms:
            self.now_ms = max(self.now_ms, deadline_ms)
            operation = self.timers.take_due(self.now_ms)
            assert operation is not None
            self.run(operation)
        self.now_ms = end_ms

    def restarts(self) -> None:
        self.coordinator_epoch += 1
        self._start()

    # -- requests

    def init(
        self, known: tuple[int, int] = (-1, -1), *, timeout_ms: int = 60_000, version: int = 5
    ) -> InitProducerIdResponse:
        request = InitProducerIdRequest(
            transactional_id=self.transactional_id,
            transaction_timeout_ms=timeout_ms,
            producer_id=known[0],
            producer_epoch=known[1],
        )
        return self.run(lambda now: self.shard.init_producer_id(request, version, now))

    def starts(self, *, timeout_ms: int = 60_000) -> tuple[int, int]:
        """InitProducerId as a client does it: again and again until it is accepted."""
        response = self.init(timeout_ms=timeout_ms)
        while response.error_code == ErrorCode.CONCURRENT_TRANSACTIONS:
            self.writes_markers()
            response = self.init(timeout_ms=timeout_ms)
        assert response.error_code == ErrorCode.NONE
        return response.producer_id, response.producer_epoch

    def add(
        self,
        producer: tuple[int, int],
        *names: str,
        client_version: TransactionVersion = TransactionVersion.TV2,
    ) -> ErrorCode:
        partitions = partitions_of(*(names or ("orders-0",)))
        return self.run(
            lambda now: self.shard.add_partitions(self.transactional_id, *producer, partitions, now, client_version)
        )

    def verify(self, producer: tuple[int, int], *names: str) -> list[ErrorCode]:
        partitions = partitions_of(*names)
        verified = self.run(lambda now: self.shard.verify_partitions(self.transactional_id, *producer, partitions, now))
        return [verified[partition] for partition in partitions]

    def end(self, producer: tuple[int, int], *, committed: bool = True, version: int = 5) -> EndTxnResponse:
        request = EndTxnRequest(
            transactional_id=self.transactional_id,
            producer_id=producer[0],
            producer_epoch=producer[1],
            committed=committed,
        )
        return self.run(lambda now: self.shard.end_transaction(request, version, now))

    def markers(self) -> list[SendMarkers]:
        return self.run(self.shard.markers_to_send)

    def writes_markers(self) -> list[SendMarkers]:
        """Every due marker is written, and the shard is told."""
        due = self.markers()
        for order in due:
            self.tell_written(order)
        return due

    def tell_written(self, order: SendMarkers) -> ErrorCode:
        return self.run(lambda now: self.shard.markers_written(*order.key, now))

    # -- state

    @property
    def transaction(self) -> Transaction:
        found = self.shard.transaction(self.transactional_id)
        assert found is not None
        return found

    @property
    def state(self) -> str:
        return self.transaction.state.label

    @property
    def epoch(self) -> int:
        return self.transaction.producer_epoch

    def hard_state(self) -> dict[str, Transaction]:
        return hard_state_of(self.shard)

    def check_invariants(self) -> None:
        replayed = self._loaded()
        assert hard_state_of(replayed) == self.hard_state()
        assert replayed.markers_to_send(self.now).response == self.shard.markers_to_send(self.now).response


def hard_state_of(shard: TransactionShard) -> dict[str, Transaction]:
    """Without the one field that the log does not keep."""
    return {each.transactional_id: each._replace(previous_epoch=NO_EPOCH) for each in shard.transactions()}


def partitions_of(*names: str) -> list[TopicPartition]:
    """'orders-0' -> TopicPartition('orders', 0)"""
    return [TopicPartition(name.rpartition("-")[0], int(name.rpartition("-")[2])) for name in names]


def at_epoch(coordinator: Coordinator, epoch: int) -> tuple[int, int]:
    """A producer that has used most of its epochs. Only the record of the last one matters."""
    coordinator.init()
    known = coordinator.transaction._replace(producer_epoch=epoch)
    coordinator.log.append(coordinator.codec.encode(TransactionRecord(known.transactional_id, known)))
    coordinator.restarts()
    return known.producer_id, epoch
