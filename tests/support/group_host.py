"""A group coordinator on a log of bytes, with a clock that the test moves.

Every decision is carried out as the host does it. An operation alone must not change hard state, and `check_invariants`
replays the bytes into a new shard and compares.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar

from ottla.coordination.shard import Decision, Now, RecordOrigin
from ottla.coordination.timers import KeyedTimers
from ottla.groups.records import GroupRecord, GroupRecordCodec
from ottla.groups.settings import GroupSettings
from ottla.groups.shard import GroupShard
from ottla.groups.topics import TopicInfo
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from tests.support.group_topics import TopicTable

R = TypeVar("R")
START_MS = 1_700_000_000_000
#: The wall clock is far from the monotonic one, so that nobody can mix them up and pass.
MONOTONIC_START_MS = 5_000
#: How soon the host runs a timer again whose records the log did not take.
TIMER_RETRY_MS = 1_000


class CountingRng:
    """Ids that can be told apart in a failing test."""

    def __init__(self) -> None:
        self._count = 0

    def below(self, limit: int) -> int:
        return 0

    def random_bytes(self, count: int) -> bytes:
        return bytes(count)

    def uuid(self) -> bytes:
        self._count += 1
        return self._count.to_bytes(16, "big")


class LoggedRecord(NamedTuple):
    key: bytes | None
    value: bytes | None
    origin: RecordOrigin


class LoggedMarker(NamedTuple):
    producer_id: int
    committed: bool


class Pending:
    """One parked request of a member: `response` is None until it is answered."""

    def __init__(self) -> None:
        self.response: Any = None

    @property
    def is_answered(self) -> bool:
        return self.response is not None


class Person:
    """What a client program knows of its own membership."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.member_id = ""
        self.instance_id: str | None = None
        self.generation = -1
        self.last: Pending = Pending()


class GroupHost:
    """One shard, hosted. Its group is `group_id`; members are called by short names."""

    def __init__(self, *, topics: Iterable[TopicInfo] = (), group_id: str = "g", **settings: Any) -> None:
        self.group_id = group_id
        self.settings = GroupSettings(**{"initial_rebalance_delay_ms": 0, **settings})
        self.topics = TopicTable(topics)
        self.codec = GroupRecordCodec()
        self.rng = CountingRng()
        self.log: list[LoggedRecord | LoggedMarker] = []
        self.now_ms = 0
        self.wall_jump_ms = 0
        #: The log takes no records: nothing of a decision with records takes effect, and who asked is refused.
        self.is_full = False
        self.people: dict[str, Person] = {}
        self.pending: dict[int, Pending] = {}
        self.on_answer: Callable[[Pending], None] | None = None
        self.on_turn: Callable[[Decision[Any]], None] | None = None
        self._tickets = 0
        self._start()

    def _start(self) -> None:
        self.shard = self._loaded()
        self.timers = KeyedTimers()
        self.run(self.shard.on_loaded)

    def _loaded(self) -> GroupShard:
        shard = GroupShard(self.settings, self.topics, self.rng)
        for entry in self.log:
            if isinstance(entry, LoggedMarker):
                shard.apply_marker(entry.producer_id, 0, committed=entry.committed)
            else:
                record = self.codec.decode(entry.key, entry.value)
                assert record is not None
                shard.apply(record, entry.origin)
        return shard

    @property
    def now(self) -> Now:
        return Now(START_MS + self.now_ms + self.wall_jump_ms, MONOTONIC_START_MS + self.now_ms)

    def run(self, operation: Callable[[Now], Decision[R]]) -> R:
        # Comparing the whole state around each operation is dear when there are thousands of groups.
        before = repr(self.shard.hard_state()) if len(self.log) < 500 else ""
        decision = operation(self.now)
        assert not before or repr(self.shard.hard_state()) == before, "an operation changed hard state"
        if self.on_turn is not None and decision.records:
            self.on_turn(decision)
        if self.is_full and decision.records:
            for answer in decision.parked_responses:
                del self.pending[answer.ticket]
            raise Refused(ErrorCode.COORDINATOR_NOT_AVAILABLE)
        self._carry_out(decision)
        return decision.response  # type: ignore[return-value]

    def park(self, operation: Callable[[Now, int], Decision[Any]]) -> Pending:
        self._tickets += 1
        ticket = self._tickets
        pending = self.pending[ticket] = Pending()
        response = self.run(lambda now: operation(now, ticket))
        if response is not None:
            del self.pending[ticket]
            pending.response = response
        self.run_due()
        return pending

    def _carry_out(self, decision: Decision[Any]) -> None:
        for record in decision.records:
            self._append(record, decision)
        for order in decision.timers:
            self.timers.carry_out(order, self.now.monotonic_ms)
        for answer in decision.parked_responses:
            pending = self.pending.pop(answer.ticket)
            assert pending.response is None
            pending.response = answer.response
            if self.on_answer is not None:
                self.on_answer(pending)

    def _append(self, record: GroupRecord, decision: Decision[Any]) -> None:
        key, value = self.codec.encode(record)
        producer = decision.producer
        origin = RecordOrigin(
            len(self.log),
            self.now.wall_ms,
            producer.producer_id if producer else -1,
            producer.producer_epoch if producer else -1,
            producer is not None,
        )
        self.log.append(LoggedRecord(key, value, origin))
        self.shard.apply(record, origin)

    def time_passes(self, duration_ms: int) -> None:
        """Timers run at the moment they are due, one after the other."""
        end_ms = self.now_ms + duration_ms
        while True:
            deadline_ms = self.timers.next_deadline_ms()
            if deadline_ms is None or deadline_ms - MONOTONIC_START_MS > end_ms:
                break
            self.now_ms = max(self.now_ms, deadline_ms - MONOTONIC_START_MS)
            self.run_due()
        self.now_ms = end_ms

    def run_due(self) -> None:
        while timer := self.timers.take_due_timer(self.now.monotonic_ms):
            try:
                self.run(timer.operation)
            except Refused:
                timer.delay_ms = TIMER_RETRY_MS
                self.timers.carry_out(timer, self.now.monotonic_ms)

    def restart(self) -> None:
        """The coordinator moves: what was parked is lost, the log is read again."""
        self.pending.clear()
        self.shard.on_unloaded()
        self._start()

    def transaction_ends(self, producer_id: int, *, committed: bool) -> None:
        self.log.append(LoggedMarker(producer_id, committed))
        self.shard.apply_marker(producer_id, 0, committed=committed)

    def topics_become(self, *topics: TopicInfo) -> None:
        self.topics = TopicTable(topics)
        self.shard.topics_changed(self.topics)

    def check_invariants(self) -> None:
        assert repr(self._loaded().hard_state()) == repr(self.shard.hard_state())

    def person(self, name: str) -> Person:
        return self.people.setdefault(name, Person(name))
