"""Runs one shard: loads it from its partition, appends and applies what it decides, holds responses until committed.

One operation at a time per shard; nothing in an operation awaits. What comes first in the log is applied first, so the
state after a reload is the state before it. Losing the partition drops the shard and fails every held response.

Group commit: decisions that do not depend on each other (`submit_batched`) wait while a commit is under way and then go
to the log as one batch, so that many of them share a write and an fsync. None of them waits longer for that: what is
appended during an fsync is committed by the next one in any case.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Protocol, TypeAlias, TypeVar

from ottla.broker.shards.shard_log import KeyAndValue, LoadedBatch, ShardLog
from ottla.coordination.shard import (
    Decision,
    Now,
    ProducerOfRecords,
    RecordCodec,
    RecordOrigin,
    Shard,
    Ticket,
    TimerOrder,
)
from ottla.coordination.timers import KeyedTimers
from ottla.doors.clock import Clock
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused

_log = logging.getLogger(__name__)
R = TypeVar("R")
_new = tuple.__new__  # half the time of calling a NamedTuple
_TIMER_RETRY_MS = 1_000
#: Records of one batch: far below what `max.message.bytes` takes, far above what makes a write cheap.
_BATCH_RECORDS = 500
_TOO_LARGE = (ErrorCode.MESSAGE_TOO_LARGE, ErrorCode.RECORD_LIST_TOO_LARGE)


class Receiver(Protocol):
    """Is given what becomes of an operation, once: its response, or why there is none."""

    def resolve(self, response: Any) -> None: ...

    def refuse(self, refusal: Refused) -> None: ...


# Plain tuples: each commit makes one of both.
#: A decision that is made but not appended yet, with its records as they will be written.
_Waiting: TypeAlias = tuple[Decision[Any], list[KeyAndValue], Receiver]
_Delivery: TypeAlias = tuple[Receiver, Any]


class ShardHost:
    """Owned by the node, one for each shard it serves. `state` is 'loading', 'active' or 'gone'."""

    def __init__(self, name: str, shard: Shard, codec: RecordCodec, log: ShardLog, clock: Clock) -> None:
        self.name = name
        self.shard = shard
        self._codec = codec
        self._log = log
        self._clock = clock
        self._timers = KeyedTimers()
        self._timer_handle: asyncio.TimerHandle | None = None
        self._timer_due_ms = 0
        #: Responses that wait until what is below an end offset is committed.
        self._held: deque[tuple[int, list[_Delivery]]] = deque()
        self._parked: dict[Ticket, Receiver] = {}
        #: These wait for each other. The first so many of them go alone: the log has refused them together.
        self._waiting: list[_Waiting] = []
        self._alone_count = 0
        self._is_batch_due = False
        self._next_ticket = 0
        self.state = "loading"
        #: Called after each decision that changed the state; the transaction host looks for markers to send there.
        self.on_applied: Callable[[], None] | None = None
        #: Called soon after the disk has not taken records: it may take the partition, and so this host, away.
        self.on_disk_failed: Callable[[OSError], None] | None = None
        #: Awaited when all is replayed, before the first request is served.
        self.before_active: Callable[[], Awaitable[None]] | None = None

    # -- life

    async def load(self) -> None:
        """Replays the partition. Yields to the loop now and then: other shards serve meanwhile."""
        count = 0
        for batch in self._log.batches():
            self.replay(batch)
            count += len(batch.records)
            if count > 500:
                count = 0
                await asyncio.sleep(0)
                if self.state != "loading":
                    return
        if self.before_active is not None:
            await self.before_active()
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
        if self._timer_handle is not None:
            self._timer_handle.cancel()
            self._timer_handle = None
        refusal = Refused(code, f"{self.name} is no longer served here")
        receivers = [receiver for _, deliveries in self._held for receiver, _ in deliveries]
        receivers += [receiver for _, _, receiver in self._waiting]
        receivers += self._parked.values()
        self._held.clear()
        self._waiting.clear()
        self._parked.clear()
        self.shard.on_unloaded()
        for receiver in receivers:
            receiver.refuse(refusal)

    # -- operations

    def run(self, operation: Callable[[Now], Decision[R]]) -> asyncio.Future[R]:
        """Runs an operation; the future is done when its records are committed. Raises Refused when not active."""
        future: asyncio.Future[R] = asyncio.get_running_loop().create_future()
        self.submit(operation, _FutureReceiver(future))
        return future

    def run_with_ticket(self, operation: Callable[[Now, Ticket], Decision[R]]) -> asyncio.Future[R]:
        """For operations that may park their response under the ticket they are given."""
        future: asyncio.Future[R] = asyncio.get_running_loop().create_future()
        self.submit_with_ticket(operation, _FutureReceiver(future))
        return future

    def submit(self, operation: Callable[[Now], Decision[Any]], receiver: Receiver | None) -> None:
        """As `run`, without the cost of a future: `receiver` is told when it is done, maybe before this returns."""
        if self.state != "active":
            self._check_active()
        if self._waiting:
            self._append_waiting()
        self._carry_out(operation(self._now()), receiver)

    def submit_with_ticket(self, operation: Callable[[Now, Ticket], Decision[Any]], receiver: Receiver) -> None:
        self._check_active()
        self._append_waiting()
        self._next_ticket += 1
        ticket = self._next_ticket
        decision = operation(self._now(), ticket)
        if not decision.parked:
            self._carry_out(decision, receiver)
            return
        self._parked[ticket] = receiver
        if not self._carry_out(decision, None):
            # Its response would have come from a state that never came to be.
            if self._parked.pop(ticket, None) is not None:
                receiver.refuse(Refused(ErrorCode.COORDINATOR_NOT_AVAILABLE, "the coordinator's log took no records"))

    def submit_batched(self, operation: Callable[[Now], Decision[Any]], receiver: Receiver) -> None:
        """For operations that neither park nor look at what others of their kind have decided: offset commits.

        Decides now. The records go to the log with those of its neighbours, before those of any later operation.
        """
        if self.state != "active":
            self._check_active()
        decision = operation(self._now())
        # Encoded now: what cannot be written must fail by itself.
        pairs = list(map(self._codec.encode, decision.records))
        self._waiting.append((decision, pairs, receiver))
        log = self._log
        if log.join_flush(self._append_due):
            self._is_batch_due = True
        elif not self._is_batch_due and log.end_offset <= log.committed_end_offset:
            # No commit is under way that they could wait for: they go at the end of this iteration of the loop.
            self._is_batch_due = True
            asyncio.get_running_loop().call_soon(self._append_due)

    def _check_active(self) -> None:
        if self.state == "loading":
            raise Refused(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)
        if self.state == "gone":
            raise Refused(ErrorCode.NOT_COORDINATOR)

    # -- decisions

    def _append_due(self) -> None:
        if self._is_batch_due:
            self._append_waiting()

    def _append_waiting(self) -> None:
        self._is_batch_due = False
        while self._waiting and self.state == "active":
            self._append_batch()

    def _append_batch(self) -> None:
        """The first of those that wait, as many as may go together."""
        records: list[Any] = []
        pairs: list[KeyAndValue] = []
        timers: list[TimerOrder] = []
        deliveries: list[_Delivery] = []
        count = 0
        for decision, encoded, receiver in self._waiting:
            if count and (self._alone_count or len(pairs) + len(encoded) > _BATCH_RECORDS):
                break
            count += 1
            records += decision.records
            pairs += encoded
            timers += decision.timers
            deliveries.append((receiver, decision.response))
        batch = self._waiting[:count]
        del self._waiting[:count]
        self._alone_count = max(0, self._alone_count - 1)
        try:
            if records:
                self._append_and_apply(records, pairs, None)
        except (OSError, Refused) as error:
            if len(batch) > 1 and isinstance(error, Refused):
                # One of them may be what the log does not take: it must not take its neighbours with it.
                self._waiting[:0] = batch
                self._alone_count = len(batch)
            else:
                self._append_failed(error, deliveries)
        else:
            self._take_effect(timers, deliveries)

    def _carry_out(self, decision: Decision[Any], receiver: Receiver | None) -> bool:
        """False when the records could not be appended: then nothing of the decision has taken effect."""
        deliveries: list[_Delivery] = []
        if receiver is not None:
            deliveries.append((receiver, decision.response))
        for ticket, response in decision.parked_responses:
            parked = self._parked.pop(ticket, None)
            if parked is not None:
                deliveries.append((parked, response))
        records = decision.records
        if records:
            pairs = list(map(self._codec.encode, records))
            try:
                self._append_and_apply(records, pairs, decision.producer)
            except (OSError, Refused) as error:
                self._append_failed(error, deliveries)
                return False
        self._take_effect(decision.timers, deliveries)
        return True

    def _take_effect(self, timers: list[TimerOrder], deliveries: list[_Delivery]) -> None:
        if timers:
            now_ms = self._clock.monotonic_ms()
            for order in timers:
                self._timers.carry_out(order, now_ms)
            self._schedule_timer(now_ms)
        if not deliveries:
            return
        # A response without records of its own may contain state that is not committed yet: it waits as well.
        end_offset = self._log.end_offset
        if self._held or end_offset > self._log.committed_end_offset:
            self._held.append((end_offset, deliveries))
            return
        for receiver, response in deliveries:
            receiver.resolve(response)

    def _append_and_apply(
        self, records: list[Any], pairs: list[KeyAndValue], producer: ProducerOfRecords | None
    ) -> None:
        now_ms = self._clock.now_ms()
        producer_id, producer_epoch = producer or (-1, -1)
        offset = self._log.append(pairs, now_ms, producer_id, producer_epoch)
        apply = self.shard.apply
        is_transactional = producer is not None
        for record in records:
            apply(record, _new(RecordOrigin, (offset, now_ms, producer_id, producer_epoch, is_transactional)))
            offset += 1
        if self.on_applied is not None:
            self.on_applied()

    def _append_failed(self, error: OSError | Refused, deliveries: list[_Delivery]) -> None:
        _log.error("%s: its records could not be appended: %s", self.name, error)
        code = ErrorCode.COORDINATOR_NOT_AVAILABLE
        if isinstance(error, Refused) and error.code in _TOO_LARGE:
            # Trying again would not help: what the client asks to be remembered does not fit into one batch.
            code = ErrorCode.INVALID_COMMIT_OFFSET_SIZE
        elif isinstance(error, Refused) and error.code is ErrorCode.INVALID_PRODUCER_EPOCH:
            # Nor here: another producer has begun, and this one has to stop.
            code = error.code
        refusal = Refused(code, str(error))
        for receiver, _ in deliveries:
            receiver.refuse(refusal)
        if isinstance(error, OSError) and self.on_disk_failed is not None:
            asyncio.get_running_loop().call_soon(self.on_disk_failed, error)

    def apply_marker(self, producer_id: int, producer_epoch: int, *, committed: bool) -> None:
        """A marker was appended to the shard's partition by the transaction coordinator."""
        if self.state == "active":
            self.shard.apply_marker(producer_id, producer_epoch, committed=committed)

    def _release_committed(self) -> None:
        committed = self._log.committed_end_offset
        held = self._held
        while held and held[0][0] <= committed:
            _, deliveries = held.popleft()
            for receiver, response in deliveries:
                receiver.resolve(response)
        if self._waiting and not self._is_batch_due and self._log.end_offset <= committed:
            self._append_waiting()

    # -- replay

    def stored(self) -> Iterator[Any]:
        """The records in the log, compaction permitting, without their markers."""
        for batch in self._log.batches():
            for stored in batch.records:
                record = self._codec.decode(stored.key, stored.value)
                if record is not None:
                    yield record

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
        clock = self._clock
        return _new(Now, (clock.now_ms(), clock.monotonic_ms()))

    def _schedule_timer(self, now_ms: int) -> None:
        # A handle that fires too early is harmless; most timers are postponed by heartbeats before they are due.
        if self._timer_handle is not None and not self._timers.may_be_due_before(self._timer_due_ms):
            return
        deadline_ms = self._timers.next_deadline_ms()
        if deadline_ms is None:
            return
        if self._timer_handle is not None:
            if self._timer_due_ms <= deadline_ms:
                return
            self._timer_handle.cancel()
        self._timer_due_ms = deadline_ms
        delay_s = max(0, deadline_ms - now_ms) / 1000
        self._timer_handle = asyncio.get_running_loop().call_later(delay_s, self._run_due_timers)

    def _run_due_timers(self) -> None:
        self._timer_handle = None
        self._append_waiting()
        while self.state == "active":
            timer = self._timers.take_due_timer(self._clock.monotonic_ms())
            if timer is None:
                break
            if not self._carry_out(timer.operation(self._now()), None):
                # An abandoned transaction must not stay open for a full disk. Under the same key, so that whoever
                # postpones or cancels the timer (a member is heard again) does so with this one too.
                timer.delay_ms = _TIMER_RETRY_MS
                self._timers.carry_out(timer, self._clock.monotonic_ms())
        self._schedule_timer(self._clock.monotonic_ms())


class _FutureReceiver:
    __slots__ = ("_future",)

    def __init__(self, future: asyncio.Future[Any]) -> None:
        self._future = future

    def resolve(self, response: Any) -> None:
        if not self._future.done():
            self._future.set_result(response)

    def refuse(self, refusal: Refused) -> None:
        if not self._future.done():
            self._future.set_exception(refusal)
