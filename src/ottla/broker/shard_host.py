"""Runs one shard: loads it from its partition, appends and applies what it decides, holds answers until committed.

One operation at a time per shard; nothing in an operation awaits. What comes first in the log is applied first, so the
state after a reload is the state before it. Losing the partition drops the shard and fails every held answer.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol, TypeVar

from ottla.coordination.shard import Decision, Now, RecordCodec, RecordOrigin, Shard, Ticket
from ottla.coordination.timers import KeyedTimers
from ottla.doors.clock import Clock
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.records.record import Record

_log = logging.getLogger(__name__)
R = TypeVar("R")
_TIMER_RETRY_MS = 1_000


_TOO_LARGE = (ErrorCode.MESSAGE_TOO_LARGE, ErrorCode.RECORD_LIST_TOO_LARGE)


class LoadedBatch(NamedTuple):
    """What one batch of the shard's partition holds: records, or the end of a transaction."""

    records: list[Record]
    producer_id: int
    producer_epoch: int
    is_transactional: bool
    #: True or False for a commit or abort marker; None for an ordinary batch.
    marker_commits: bool | None


class ShardLog(Protocol):
    """The shard's partition, as the host sees it."""

    def append(self, records: list[Record], *, producer_id: int, producer_epoch: int) -> int:
        """Appends one batch and gives its base offset. Raises OSError or Refused; then nothing was appended."""

    @property
    def committed_end_offset(self) -> int:
        """Records below are safe and may be answered for."""

    @property
    def end_offset(self) -> int: ...

    def on_committed(self, listener: Callable[[], None]) -> None:
        """`listener` is called whenever `committed_end_offset` has moved."""

    def batches(self) -> Iterator[LoadedBatch]:
        """Everything in the partition, from its start to its end."""


class _Held(NamedTuple):
    end_offset: int
    deliveries: list[tuple[asyncio.Future[Any], Any]]


class ShardHost:
    """Owned by the node, one for each shard it serves. `state` is 'loading', 'active' or 'gone'."""

    def __init__(self, name: str, shard: Shard, codec: RecordCodec, log: ShardLog, clock: Clock) -> None:
        self.name = name
        self.shard = shard
        self._codec = codec
        self._log = log
        self._clock = clock
        self._timers = KeyedTimers()
        self._alarm: asyncio.TimerHandle | None = None
        self._alarm_ms = 0
        self._held: deque[_Held] = deque()
        self._parked: dict[Ticket, asyncio.Future[Any]] = {}
        self._next_ticket = 0
        self.state = "loading"
        #: Called after each decision that changed the state; the transaction host looks for markers to send there.
        self.on_applied: Callable[[], None] | None = None

    # -- life

    async def load(self) -> None:
        """Replays the partition. Gives the loop a turn now and then: other shards serve meanwhile."""
        count = 0
        for batch in self._log.batches():
            self.replay(batch)
            count += len(batch.records)
            if count > 500:
                count = 0
                await asyncio.sleep(0)
                if self.state != "loading":
                    return
        self.activate()

    def load_now(self) -> None:
        for batch in self._log.batches():
            self.replay(batch)
        self.activate()

    def activate(self) -> None:
        self.state = "active"
        self._log.on_committed(self._release_committed)
        self._carry_out(self.shard.on_loaded(self._now()), None)

    def unload(self, code: ErrorCode = ErrorCode.NOT_COORDINATOR) -> None:
        """The partition has left this node, or its log has failed."""
        if self.state == "gone":
            return
        self.state = "gone"
        self._timers.clear()
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        refusal = Refused(code, f"{self.name} is no longer served here")
        for held in self._held:
            for future, _ in held.deliveries:
                _fail(future, refusal)
        for future in self._parked.values():
            _fail(future, refusal)
        self._held.clear()
        self._parked.clear()
        self.shard.on_unloaded()

    # -- operations

    def run(self, operation: Callable[[Now], Decision[R]]) -> asyncio.Future[R]:
        """Runs an operation; the future is done when its records are committed. Raises Refused when not active."""
        return self.run_with_ticket(lambda now, _: operation(now))

    def run_with_ticket(self, operation: Callable[[Now, Ticket], Decision[R]]) -> asyncio.Future[R]:
        """For operations that may park their answer under the ticket they are given."""
        self._check_active()
        future: asyncio.Future[R] = asyncio.get_running_loop().create_future()
        self._next_ticket += 1
        ticket = self._next_ticket
        decision = operation(self._now(), ticket)
        if not decision.parked:
            self._carry_out(decision, future)
            return future
        self._parked[ticket] = future
        if not self._carry_out(decision, None):
            # Its answer would have come from a state that never came to be.
            self._parked.pop(ticket, None)
            _fail(future, Refused(ErrorCode.COORDINATOR_NOT_AVAILABLE, "the coordinator's log took no records"))
        return future

    def _check_active(self) -> None:
        if self.state == "loading":
            raise Refused(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)
        if self.state == "gone":
            raise Refused(ErrorCode.NOT_COORDINATOR)

    # -- decisions

    def _carry_out(self, decision: Decision[Any], future: asyncio.Future[Any] | None) -> bool:
        """False when the records could not be appended: then nothing of the decision has taken effect."""
        deliveries: list[tuple[asyncio.Future[Any], Any]] = []
        if future is not None:
            deliveries.append((future, decision.response))
        for answer in decision.answers:
            waiting = self._parked.pop(answer.ticket, None)
            if waiting is not None:
                deliveries.append((waiting, answer.response))
        if decision.records:
            try:
                self._append_and_apply(decision)
            except (OSError, Refused) as error:
                self._append_failed(error, deliveries)
                return False
            if self.on_applied is not None:
                self.on_applied()
        now_ms = self._clock.monotonic_ms()
        for order in decision.timers:
            self._timers.carry_out(order, now_ms)
        if decision.timers:
            self._set_alarm(now_ms)
        self._deliver_when_committed(deliveries)
        return True

    def _append_and_apply(self, decision: Decision[Any]) -> None:
        now_ms = self._clock.now_ms()
        pairs = [self._codec.encode(record) for record in decision.records]
        producer = decision.producer
        base_offset = self._log.append(
            [Record(index, now_ms, key, value, ()) for index, (key, value) in enumerate(pairs)],
            producer_id=producer.producer_id if producer else -1,
            producer_epoch=producer.producer_epoch if producer else -1,
        )
        for index, record in enumerate(decision.records):
            origin = RecordOrigin(
                base_offset + index,
                now_ms,
                producer.producer_id if producer else -1,
                producer.producer_epoch if producer else -1,
                producer is not None,
            )
            self.shard.apply(record, origin)

    def _append_failed(self, error: OSError | Refused, deliveries: list[tuple[asyncio.Future[Any], Any]]) -> None:
        _log.error("%s: its records could not be appended: %s", self.name, error)
        code = ErrorCode.COORDINATOR_NOT_AVAILABLE
        if isinstance(error, Refused) and error.code in _TOO_LARGE:
            # Trying again would not help: what the client asks to be remembered does not fit into one batch.
            code = ErrorCode.INVALID_COMMIT_OFFSET_SIZE
        refusal = Refused(code, str(error))
        for future, _ in deliveries:
            _fail(future, refusal)

    def apply_marker(self, producer_id: int, producer_epoch: int, *, committed: bool) -> None:
        """A marker was appended to the shard's partition by the transaction coordinator."""
        if self.state == "active":
            self.shard.apply_marker(producer_id, producer_epoch, committed=committed)

    def _deliver_when_committed(self, deliveries: list[tuple[asyncio.Future[Any], Any]]) -> None:
        if not deliveries:
            return
        # An answer without records of its own may tell of state that is not committed yet: it waits as well.
        end_offset = self._log.end_offset
        if not self._held and end_offset <= self._log.committed_end_offset:
            for future, response in deliveries:
                _resolve(future, response)
            return
        self._held.append(_Held(end_offset, deliveries))

    def _release_committed(self) -> None:
        committed = self._log.committed_end_offset
        while self._held and self._held[0].end_offset <= committed:
            for future, response in self._held.popleft().deliveries:
                _resolve(future, response)

    # -- replay

    def replay(self, batch: LoadedBatch) -> None:
        if batch.marker_commits is not None:
            self.shard.apply_marker(batch.producer_id, batch.producer_epoch, committed=batch.marker_commits)
            return
        for stored in batch.records:
            record = self._codec.decode(stored.key, stored.value)
            if record is None:
                continue
            origin = RecordOrigin(
                stored.offset, stored.timestamp_ms, batch.producer_id, batch.producer_epoch, batch.is_transactional
            )
            self.shard.apply(record, origin)

    # -- time

    def _now(self) -> Now:
        return Now(self._clock.now_ms(), self._clock.monotonic_ms())

    def _set_alarm(self, now_ms: int) -> None:
        deadline_ms = self._timers.next_deadline_ms()
        if deadline_ms is None:
            return
        if self._alarm is not None:
            # An alarm that rings too early is harmless; most timers are put off by heartbeats before they are due.
            if self._alarm_ms <= deadline_ms:
                return
            self._alarm.cancel()
        self._alarm_ms = deadline_ms
        delay_s = max(0, deadline_ms - now_ms) / 1000
        self._alarm = asyncio.get_running_loop().call_later(delay_s, self._ring)

    def _ring(self) -> None:
        self._alarm = None
        while self.state == "active":
            timer = self._timers.take_due_timer(self._clock.monotonic_ms())
            if timer is None:
                break
            if not self._carry_out(timer.operation(self._now()), None):
                # An abandoned transaction must not live on for a full disk. Under the same key, so that whoever puts
                # the timer off or stops it (a member is heard again) does so with this one too.
                timer.delay_ms = _TIMER_RETRY_MS
                self._timers.carry_out(timer, self._clock.monotonic_ms())
        self._set_alarm(self._clock.monotonic_ms())


def _resolve(future: asyncio.Future[Any], response: Any) -> None:
    if not future.done():
        future.set_result(response)


def _fail(future: asyncio.Future[Any], error: Exception) -> None:
    if not future.done():
        future.set_exception(error)
