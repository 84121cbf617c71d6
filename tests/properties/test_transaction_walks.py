"""Random walks over the transaction shard: late and repeated messages never touch a later transaction (R06).

Two processes share a transactional id. Every request may be kept and sent again at any later time. The coordinator may
restart at any time, markers are slow, time passes. The harness refuses each move that is not in the table of states.
"""

import random
from collections.abc import Callable

import pytest

from ottla.model.error_codes import ErrorCode
from ottla.transactions.markers import SendMarkers
from ottla.transactions.state import IDLE, PREPARED
from ottla.transactions.transaction import LAST_CLIENT_EPOCH
from tests.support.transaction_coordinator import Coordinator, at_epoch

STEPS = 150
WALKS = 100


class WalkingProducer:
    """A TV2 producer: it knows its id and epoch, or nothing."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.producer: tuple[int, int] | None = None


class Walk:
    """Remembers what each (producer id, epoch) opened, how it was decided, and every message that was sent."""

    def __init__(self, first_epoch: int) -> None:
        self.coordinator = Coordinator()
        self.clients = (WalkingProducer("first"), WalkingProducer("second"))
        self.sent: list[tuple[tuple[int, int], Callable[[], ErrorCode]]] = []
        #: The outcome that the log decided for the transaction of each (producer id, client epoch).
        self.decided: dict[tuple[int, int], bool] = {}
        self.written: list[SendMarkers] = []
        if first_epoch:
            at_epoch(self.coordinator, first_epoch)

    def walk(self, chance: random.Random) -> None:
        for _ in range(STEPS):
            self.step(chance)
            self._note_decisions()
        self.coordinator.check_invariants()

    def step(self, chance: random.Random) -> None:
        client = self.clients[chance.random() < 0.3]
        detail = chance.randrange(1000)
        actions: dict[Callable[[], None], int] = {
            (lambda: self.start(client)): 4,
            (lambda: self.resume(client)): 3,
            (lambda: self.add(client, detail)): 30,
            (lambda: self.end(client, detail % 2 == 0)): 20,
            (lambda: self.late(detail)): 20,
            self.markers_arrive: 20,
            self.markers_again: 3,
            self.coordinator.restarts: 3,
            (lambda: self.coordinator.time_passes(detail * 100)): 3,
        }
        (action,) = chance.choices(list(actions), list(actions.values()))
        action()

    def start(self, client: WalkingProducer) -> None:
        self._become(client, (-1, -1))

    def resume(self, client: WalkingProducer) -> None:
        if client.producer is not None:
            self._become(client, client.producer)

    def _become(self, client: WalkingProducer, known: tuple[int, int]) -> None:
        def send() -> ErrorCode:
            answer = self.coordinator.init(known)
            if answer.error_code == ErrorCode.NONE:
                client.producer = (answer.producer_id, answer.producer_epoch)
            return ErrorCode(answer.error_code)

        if known == (-1, -1):
            send()  # a new producer is welcome at any time: it is never late
        else:
            self._send(known, send)

    def add(self, client: WalkingProducer, detail: int) -> None:
        if client.producer is None:
            return
        producer = client.producer
        self._send(producer, lambda: self.coordinator.add(producer, f"orders-{detail % 4}"))

    def end(self, client: WalkingProducer, committed: bool) -> None:
        if client.producer is None:
            return
        producer = client.producer

        def send() -> ErrorCode:
            answer = self.coordinator.end(producer, committed=committed)
            if answer.error_code == ErrorCode.NONE and client.producer == producer:
                client.producer = (answer.producer_id, answer.producer_epoch)
            return ErrorCode(answer.error_code)

        self._send(producer, send)

    def _send(self, producer: tuple[int, int], message: Callable[[], ErrorCode]) -> None:
        self.sent.append((producer, message))
        message()

    def late(self, detail: int) -> None:
        """An earlier message arrives again. If its epoch is over, the transaction of today must not change."""
        if not self.sent:
            return
        producer, message = self.sent[detail % len(self.sent)]
        before = self.coordinator.hard_state()
        today = self.coordinator.shard.transaction("transfer")
        is_over = today is not None and (today.producer_id, today.producer_epoch) != producer
        message()
        if is_over and self.coordinator.hard_state() != before:
            # Only a producer that goes on after a lost answer may do so, and only where nothing is open.
            assert today is not None
            assert today.state in IDLE
            assert self.coordinator.state == "Empty"

    def markers_arrive(self) -> None:
        self.written += self.coordinator.writes_markers()

    def markers_again(self) -> None:
        for order in self.written:
            before = self.coordinator.hard_state()
            assert self.coordinator.tell_written(order) is ErrorCode.INVALID_TXN_STATE
            assert self.coordinator.hard_state() == before

    def _note_decisions(self) -> None:
        """Reads the log: a transaction that was decided once is never decided otherwise."""
        for order in self.coordinator.markers():
            key = (order.producer_id, order.producer_epoch)
            assert self.decided.setdefault(key, order.committed) == order.committed


@pytest.mark.parametrize("first_epoch", [0, LAST_CLIENT_EPOCH - 2])
def test_late_messages_never_touch_a_later_transaction(first_epoch: int) -> None:
    for seed in range(WALKS):
        Walk(first_epoch).walk(random.Random(seed))


def test_no_transaction_outlives_its_timeout() -> None:
    for seed in range(WALKS):
        walk = Walk(0)
        walk.walk(random.Random(seed))

        walk.coordinator.time_passes(60_000)
        walk.coordinator.writes_markers()

        found = walk.coordinator.shard.transactions()
        assert all(each.partitions == () and each.state not in PREPARED for each in found)
