"""The host of a shard: append, apply, hold, answer, reload, lose."""

import asyncio
from collections.abc import Callable, Iterator

import pytest

from ottla.broker.shard_host import ShardHost
from ottla.broker.shard_log import LoadedBatch
from ottla.coordination.shard import Answer, Decision, Now, RecordOrigin, StartTimer, Ticket
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.records.record import Record


class MemoryShardLog:
    """A partition whose commits the test decides."""

    def __init__(self) -> None:
        self.stored: list[Record] = []
        self.committed_end_offset = 0
        self.is_full = False
        self.has_refused = asyncio.Event()
        #: Numbers of records that `append` was given.
        self.batch_sizes: list[int] = []
        self.refuses: bytes | None = None
        self._listeners: list[Callable[[], None]] = []

    @property
    def end_offset(self) -> int:
        return len(self.stored)

    def append(self, records: list[Record], *, producer_id: int, producer_epoch: int) -> int:
        if self.is_full:
            self.has_refused.set()
            raise OSError("no room")
        if self.refuses is not None and any(record.value == self.refuses for record in records):
            raise Refused(ErrorCode.MESSAGE_TOO_LARGE)
        self.batch_sizes.append(len(records))
        base = len(self.stored)
        self.stored += [record._replace(offset=base + index) for index, record in enumerate(records)]
        return base

    def on_committed(self, listener: Callable[[], None]) -> None:
        self._listeners.append(listener)

    def commit(self) -> None:
        self.committed_end_offset = len(self.stored)
        for listener in self._listeners:
            listener()

    def batches(self) -> Iterator[LoadedBatch]:
        for record in self.stored:
            yield LoadedBatch([record], -1, -1, False, None)


class CounterShard:
    """Counts: a record is a number to add. `wait_for` parks until the sum is reached."""

    def __init__(self) -> None:
        self.total = 0
        self.is_unloaded = False
        self._waiting: dict[Ticket, int] = {}

    def add(self, number: int) -> Decision[int]:
        reached = self.total + number
        answers = [Answer(ticket, reached) for ticket, wanted in self._waiting.items() if wanted <= reached]
        return Decision(reached, [number], answers)

    def wait_for(self, wanted: int, ticket: Ticket) -> Decision[int]:
        self._waiting[ticket] = wanted
        return Decision(parked=True)

    def apply(self, record: int, origin: RecordOrigin) -> None:
        self.total += record

    def apply_marker(self, producer_id: int, producer_epoch: int, *, committed: bool) -> None:
        raise AssertionError("no transactions here")

    def on_loaded(self, now: Now) -> Decision[None]:
        return Decision()

    def on_unloaded(self) -> None:
        self.is_unloaded = True


class NumberCodec:
    def encode(self, record: int) -> tuple[bytes | None, bytes | None]:
        return None, str(record).encode()

    def decode(self, key: bytes | None, value: bytes | None) -> int | None:
        return None if value is None else int(value)


class FixedClock:
    def now_ms(self) -> int:
        return 1_000_000

    def monotonic_ms(self) -> int:
        return int(asyncio.get_running_loop().time() * 1000)


class Stage:
    def __init__(self, log: MemoryShardLog | None = None) -> None:
        self.log = log or MemoryShardLog()
        self.shard = CounterShard()
        self.host = ShardHost("counter", self.shard, NumberCodec(), self.log, FixedClock())


@pytest.fixture
def stage() -> Stage:
    return Stage()


def test_an_answer_is_held_until_its_records_are_committed(stage: Stage) -> None:
    async def story() -> None:
        stage.host.load_now()
        answer = stage.host.run(lambda now: stage.shard.add(5))

        assert stage.shard.total == 5
        assert not answer.done()
        stage.log.commit()
        assert await answer == 5

    asyncio.run(story())


def test_an_answer_without_records_waits_for_the_state_it_tells_of(stage: Stage) -> None:
    async def story() -> None:
        stage.host.load_now()
        stage.host.run(lambda now: stage.shard.add(5))
        total = stage.host.run(lambda now: Decision(stage.shard.total))

        assert not total.done()
        stage.log.commit()
        assert await total == 5

    asyncio.run(story())


def test_a_parked_request_is_answered_by_a_later_decision(stage: Stage) -> None:
    async def story() -> None:
        stage.host.load_now()
        waiting = stage.host.run_with_ticket(lambda now, ticket: stage.shard.wait_for(7, ticket))
        stage.host.run(lambda now: stage.shard.add(3))
        stage.log.commit()
        assert not waiting.done()

        stage.host.run(lambda now: stage.shard.add(4))
        stage.log.commit()
        assert await waiting == 7

    asyncio.run(story())


def test_a_failed_append_changes_nothing_and_fails_its_answer(stage: Stage) -> None:
    async def story() -> None:
        stage.host.load_now()
        stage.log.is_full = True
        answer = stage.host.run(lambda now: stage.shard.add(5))

        with pytest.raises(Refused) as refusal:
            await answer
        assert refusal.value.code is ErrorCode.COORDINATOR_NOT_AVAILABLE
        assert stage.shard.total == 0

    asyncio.run(story())


def test_a_parked_request_whose_records_were_not_appended_is_refused(stage: Stage) -> None:
    async def story() -> None:
        stage.host.load_now()
        stage.log.is_full = True
        waiting = stage.host.run_with_ticket(lambda now, ticket: Decision[int](parked=True, records=[1]))

        with pytest.raises(Refused) as refusal:
            await waiting
        assert refusal.value.code is ErrorCode.COORDINATOR_NOT_AVAILABLE

    asyncio.run(story())


def test_reloading_gives_the_same_state(stage: Stage) -> None:
    async def story() -> int:
        stage.host.load_now()
        for number in (1, 2, 3):
            stage.host.run(lambda now, number=number: stage.shard.add(number))
        stage.log.commit()
        again = Stage(stage.log)
        await again.host.load()
        return again.shard.total

    assert asyncio.run(story()) == 6


def test_requests_before_and_after_are_sent_elsewhere(stage: Stage) -> None:
    async def story() -> None:
        with pytest.raises(Refused) as loading:
            stage.host.run(lambda now: stage.shard.add(1))
        stage.host.load_now()
        stage.host.unload()
        with pytest.raises(Refused) as gone:
            stage.host.run(lambda now: stage.shard.add(1))

        assert loading.value.code is ErrorCode.COORDINATOR_LOAD_IN_PROGRESS
        assert gone.value.code is ErrorCode.NOT_COORDINATOR

    asyncio.run(story())


def test_losing_the_partition_fails_everything_that_waits(stage: Stage) -> None:
    async def story() -> None:
        stage.host.load_now()
        held = stage.host.run(lambda now: stage.shard.add(1))
        parked = stage.host.run_with_ticket(lambda now, ticket: stage.shard.wait_for(9, ticket))
        stage.host.unload()

        for future in (held, parked):
            with pytest.raises(Refused) as refusal:
                await future
            assert refusal.value.code is ErrorCode.NOT_COORDINATOR
        assert stage.shard.is_unloaded

    asyncio.run(story())


async def has_rung(stage: Stage, delay_ms: int) -> None:
    """A timer of that delay has rung, and with it every timer that was due before."""
    rang = asyncio.Event()

    def ring(now: Now) -> Decision[None]:
        rang.set()
        return Decision()

    stage.host.run(lambda now: Decision(timers=[StartTimer("the test's", delay_ms, ring)]))
    await asyncio.wait_for(rang.wait(), 30)


def test_a_timer_runs_its_operation(stage: Stage) -> None:
    async def story() -> None:
        stage.host.load_now()
        rang = asyncio.Event()

        def ring(now: Now) -> Decision[None]:
            rang.set()
            return Decision(records=[10])

        stage.host.run(lambda now: Decision(timers=[StartTimer("later", 1, ring)]))
        await asyncio.wait_for(rang.wait(), 30)
        assert stage.shard.total == 10

    asyncio.run(story())


def test_a_timer_whose_records_were_refused_rings_again(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ottla.broker.shard_host._TIMER_RETRY_MS", 5)

    async def story() -> None:
        stage.host.load_now()
        stage.host.run(lambda now: Decision(timers=[StartTimer("later", 1, lambda now: Decision(records=[10]))]))
        stage.log.is_full = True
        await asyncio.wait_for(stage.log.has_refused.wait(), 30)
        assert stage.shard.total == 0

        stage.log.is_full = False
        await has_rung(stage, 20)
        assert stage.shard.total == 10

    asyncio.run(story())


def test_a_timer_that_was_put_off_does_not_ring_again_for_its_refused_records(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A session has ended on a full disk; before it is tried again the member is heard."""
    monkeypatch.setattr("ottla.broker.shard_host._TIMER_RETRY_MS", 5)

    def end(now: Now) -> Decision[None]:
        return Decision(records=[10])

    async def story() -> None:
        stage.host.load_now()
        stage.host.run(lambda now: Decision(timers=[StartTimer("session", 1, end)]))
        stage.log.is_full = True
        await asyncio.wait_for(stage.log.has_refused.wait(), 30)

        stage.host.run(lambda now: Decision(timers=[StartTimer("session", 60_000, end)]))
        stage.log.is_full = False
        await has_rung(stage, 20)
        assert stage.shard.total == 0

    asyncio.run(story())


# -- decisions that share a batch


async def end_of_turn() -> None:
    """What was decided in one turn of the event loop goes to the log at its end."""
    await asyncio.sleep(0)


class Outcomes(list[object]):
    """What receivers were given, in order."""

    def add_to(self, stage: Stage, number: int) -> None:
        """`number` is its own response: the sum is not looked at."""
        stage.host.submit_batched(lambda now: Decision(number, [number]), self.append)

    @property
    def codes(self) -> list[object]:
        return [one.code if isinstance(one, Refused) else one for one in self]


def test_decisions_of_one_turn_go_to_the_log_as_one_batch(stage: Stage) -> None:
    async def story() -> None:
        stage.host.load_now()
        outcomes = Outcomes()
        for number in (1, 2, 3):
            outcomes.add_to(stage, number)
        await end_of_turn()

        assert stage.log.batch_sizes == [3]
        assert stage.shard.total == 6
        assert outcomes == []
        stage.log.commit()
        assert outcomes == [1, 2, 3]

    asyncio.run(story())


def test_while_a_commit_is_under_way_decisions_wait_for_each_other(stage: Stage) -> None:
    async def story() -> None:
        stage.host.load_now()
        outcomes = Outcomes()
        outcomes.add_to(stage, 1)
        await end_of_turn()
        for number in (2, 3):
            outcomes.add_to(stage, number)
            await end_of_turn()
        assert stage.log.batch_sizes == [1]

        stage.log.commit()
        assert outcomes == [1]
        assert stage.log.batch_sizes == [1, 2]
        stage.log.commit()
        assert outcomes == [1, 2, 3]

    asyncio.run(story())


def test_any_other_operation_finds_the_waiting_decisions_in_the_log(stage: Stage) -> None:
    async def story() -> None:
        stage.host.load_now()
        outcomes = Outcomes()
        outcomes.add_to(stage, 1)
        outcomes.add_to(stage, 2)
        total = stage.host.run(lambda now: stage.shard.add(4))
        outcomes.add_to(stage, 8)
        stage.log.commit()
        stage.log.commit()

        assert await total == 7
        assert [record.value for record in stage.log.stored] == [b"1", b"2", b"4", b"8"]
        assert outcomes == [1, 2, 8]

    asyncio.run(story())


def test_a_timer_finds_the_waiting_decisions_in_the_log(stage: Stage) -> None:
    async def story() -> None:
        stage.host.load_now()
        outcomes = Outcomes()
        rang = asyncio.Event()

        def ring(now: Now) -> Decision[None]:
            rang.set()
            return Decision(records=[stage.shard.total * 10])

        stage.host.run(lambda now: Decision(records=[1], timers=[StartTimer("later", 1, ring)]))
        outcomes.add_to(stage, 2)
        await asyncio.wait_for(rang.wait(), 30)
        await end_of_turn()

        assert [record.value for record in stage.log.stored] == [b"1", b"2", b"30"]

    asyncio.run(story())


def test_a_decision_that_the_log_refuses_does_not_take_its_neighbours_with_it(stage: Stage) -> None:
    async def story() -> None:
        stage.host.load_now()
        stage.log.refuses = b"2"
        outcomes = Outcomes()
        for number in (1, 2, 3):
            outcomes.add_to(stage, number)
        await end_of_turn()
        stage.log.commit()

        assert sorted(map(str, outcomes.codes)) == sorted(map(str, [ErrorCode.INVALID_COMMIT_OFFSET_SIZE, 1, 3]))
        assert [record.value for record in stage.log.stored] == [b"1", b"3"]
        assert stage.shard.total == 4

    asyncio.run(story())


def test_a_full_disk_fails_the_whole_batch_and_changes_nothing(stage: Stage) -> None:
    async def story() -> None:
        stage.host.load_now()
        stage.log.is_full = True
        outcomes = Outcomes()
        for number in (1, 2):
            outcomes.add_to(stage, number)
        await end_of_turn()

        assert outcomes.codes == [ErrorCode.COORDINATOR_NOT_AVAILABLE] * 2
        assert stage.shard.total == 0

    asyncio.run(story())


def test_losing_the_partition_fails_decisions_that_are_not_in_the_log_yet(stage: Stage) -> None:
    async def story() -> None:
        stage.host.load_now()
        outcomes = Outcomes()
        outcomes.add_to(stage, 1)
        stage.host.unload()
        await end_of_turn()

        assert outcomes.codes == [ErrorCode.NOT_COORDINATOR]
        assert stage.log.stored == []

    asyncio.run(story())


def test_a_batch_has_a_bounded_number_of_records(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ottla.broker.shard_host._BATCH_RECORDS", 4)

    async def story() -> None:
        stage.host.load_now()
        outcomes = Outcomes()
        for number in range(10):
            outcomes.add_to(stage, number)
        await end_of_turn()
        stage.log.commit()

        assert stage.log.batch_sizes == [4, 4, 2]
        assert outcomes == list(range(10))

    asyncio.run(story())


def test_a_commit_that_nobody_told_of_holds_up_no_more_than_one_decision(stage: Stage) -> None:
    async def story() -> None:
        stage.host.load_now()
        outcomes = Outcomes()
        outcomes.add_to(stage, 1)
        await end_of_turn()
        outcomes.add_to(stage, 2)
        stage.log.committed_end_offset = 1
        outcomes.add_to(stage, 3)
        await end_of_turn()

        assert stage.log.batch_sizes == [1, 2]

    asyncio.run(story())


def test_a_decision_that_cannot_be_written_fails_where_it_is_made(stage: Stage) -> None:
    async def story() -> None:
        stage.host.load_now()
        outcomes = Outcomes()
        outcomes.add_to(stage, 1)
        with pytest.raises(UnicodeEncodeError):
            stage.host.submit_batched(lambda now: Decision("bad", ["\ud800"]), outcomes.append)
        outcomes.add_to(stage, 2)
        await end_of_turn()
        stage.log.commit()

        assert outcomes == [1, 2]

    asyncio.run(story())


def test_decisions_that_were_refused_together_stay_before_what_their_answers_bring(stage: Stage) -> None:
    """Each answer makes its client ask for something else, at once."""

    async def story() -> None:
        stage.host.load_now()
        stage.log.refuses = b"1"

        def asks_again(outcome: object) -> None:
            if isinstance(outcome, Refused):
                stage.host.submit(lambda now: Decision(0, [9]), lambda outcome: None)

        for number in (1, 2, 3):
            stage.host.submit_batched(lambda now, number=number: Decision(number, [number]), asks_again)  # type: ignore[misc]
        await end_of_turn()

        assert [record.value for record in stage.log.stored] == [b"2", b"3", b"9"]

    asyncio.run(story())
