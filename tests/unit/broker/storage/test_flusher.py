"""Rounds of the flusher: who shares one, who waits for whom, and for how long."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec, TypeVar

from ottla.broker.storage.flusher import Flusher
from ottla.log.partition_log import PartitionLog
from tests.support.clocks import HandClock
from tests.support.log_builders import append, new_log
from tests.support.memory_disk import MemoryDisk

P = ParamSpec("P")
T = TypeVar("T")

SYNC_MS = 5000


class SlowExecutor:
    """Each round takes its time, and waits at the gate."""

    def __init__(self, clock: HandClock) -> None:
        self.rounds = 0
        self.gate = asyncio.Event()
        self.gate.set()
        self._clock = clock

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        self.rounds += 1
        await self.gate.wait()
        self._clock.wall_ms += SYNC_MS
        return work(*args, **kwargs)

    async def run_apart(self, work: Any, *args: Any, **kwargs: Any) -> Any:
        raise AssertionError("a flush needs no helper process")


class FlusherStage:
    def __init__(self, *, one_by_one: bool = False) -> None:
        self.clock = HandClock()
        self.executor = SlowExecutor(self.clock)
        self.flusher = Flusher(self.executor, self.clock, self._on_failed, one_by_one=one_by_one)
        self.log = new_log(MemoryDisk())
        self.flushed = 0

    def append(self) -> None:
        append(self.log)
        self.flusher.want(self.log, self._on_flushed)

    def _on_flushed(self) -> None:
        self.flushed += 1

    def _on_failed(self, log: PartitionLog, error: OSError) -> None:
        raise AssertionError("no disk fails here")

    async def pass_a_round(self) -> None:
        """Later rounds know how long one takes."""
        self.append()
        await self.flusher.settle()
        self.executor.rounds = 0


async def some_turns() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def run(story: Callable[[FlusherStage], Coroutine[Any, Any, None]], **how: Any) -> None:
    async def whole() -> None:
        await story(FlusherStage(**how))

    asyncio.run(whole())


def test_what_is_wanted_while_nothing_runs_is_flushed_at_once() -> None:
    async def story(stage: FlusherStage) -> None:
        await stage.pass_a_round()
        begin_ms = stage.clock.wall_ms
        stage.append()
        await stage.flusher.settle()

        assert stage.clock.wall_ms == begin_ms + SYNC_MS
        assert stage.log.recovery_point == stage.log.end_offset
        assert stage.flushed == 2

    run(story)


def test_who_joins_appends_once_and_right_before_the_round() -> None:
    async def story(stage: FlusherStage) -> None:
        stage.executor.gate.clear()
        stage.append()
        await some_turns()
        for _ in range(3):
            stage.flusher.join(stage.append)
        await some_turns()
        assert stage.log.end_offset == 1, "the round before it has not ended"

        stage.executor.gate.set()
        await stage.flusher.settle()
        assert stage.log.end_offset == stage.log.recovery_point == 2
        assert stage.executor.rounds == 2

    run(story)


def test_a_round_waits_while_each_turn_of_the_loop_brings_company() -> None:
    async def story(stage: FlusherStage) -> None:
        await stage.pass_a_round()
        for _ in range(20):
            stage.append()
            await asyncio.sleep(0)
        await stage.flusher.settle()

        assert stage.executor.rounds == 1
        assert stage.log.recovery_point == stage.log.end_offset == 21

    run(story)


def test_a_round_waits_no_longer_than_the_one_before_took() -> None:
    async def story(stage: FlusherStage) -> None:
        await stage.pass_a_round()
        for _ in range(20):
            stage.append()
            await asyncio.sleep(0)
            stage.clock.wall_ms += SYNC_MS // 10

        assert stage.executor.rounds >= 1, "company came for twice the time of a round"
        await stage.flusher.settle()
        assert stage.log.recovery_point == stage.log.end_offset

    run(story)


def test_flushes_that_nobody_waits_for_do_not_wait_for_company() -> None:
    async def story(stage: FlusherStage) -> None:
        await stage.pass_a_round()
        stage.executor.gate.clear()
        stage.append()
        await asyncio.sleep(0)
        stage.append()
        await some_turns()
        stage.executor.gate.set()
        await stage.flusher.settle()
        assert stage.executor.rounds == 2

    run(story, one_by_one=True)


def test_one_who_fails_to_append_does_not_stop_the_round() -> None:
    async def story(stage: FlusherStage) -> None:
        failures: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: failures.append(context))

        def fail() -> None:
            raise ZeroDivisionError

        stage.flusher.join(fail)
        stage.flusher.join(stage.append)
        await stage.flusher.settle()

        assert stage.flushed == 1
        assert [type(context["exception"]) for context in failures] == [ZeroDivisionError]

    run(story)


def test_who_joins_and_has_nothing_to_append_costs_no_sync() -> None:
    async def story(stage: FlusherStage) -> None:
        stage.flusher.join(lambda: None)
        await stage.flusher.settle()
        assert stage.executor.rounds == 0

    run(story)


def test_one_who_cannot_append_does_not_keep_others_from_the_flush() -> None:
    async def story(stage: FlusherStage) -> None:
        failures: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: failures.append(context))

        def fail() -> None:
            raise ZeroDivisionError

        stage.flusher.join(fail)
        stage.flusher.join(stage.append)
        await stage.flusher.settle()

        assert stage.flushed == 1
        assert [type(context["exception"]) for context in failures] == [ZeroDivisionError]

    run(story)


def test_one_who_fails_when_told_of_the_flush_does_not_keep_it_from_others() -> None:
    async def story(stage: FlusherStage) -> None:
        failures: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: failures.append(context))
        other = new_log(MemoryDisk())

        def fail() -> None:
            raise ZeroDivisionError

        append(other)
        stage.flusher.want(other, fail)
        stage.append()
        await stage.flusher.settle()

        assert stage.flushed == 1
        assert [type(context["exception"]) for context in failures] == [ZeroDivisionError]

    run(story)


def test_a_flush_does_not_wait_for_those_who_go_on_appending() -> None:
    async def story(stage: FlusherStage) -> None:
        other = new_log(MemoryDisk())

        def append_again() -> None:
            append(other)
            stage.append()
            stage.flusher.want(other, lambda: None)
            stage.flusher.join(append_again)

        append_again()
        await some_turns()
        end_offset = stage.log.end_offset
        rounds_before = stage.executor.rounds
        await stage.flusher.flush(stage.log, lambda: None)

        assert stage.log.recovery_point >= end_offset
        assert stage.executor.rounds - rounds_before <= 2

    run(story)


def test_a_log_that_another_flusher_is_busy_with_is_flushed_after_that() -> None:
    async def story(stage: FlusherStage) -> None:
        append(stage.log)
        job = stage.log.flush_job()
        assert job is not None
        stage.append()
        flushing = asyncio.ensure_future(stage.flusher.flush(stage.log, lambda: None))
        await some_turns()
        assert stage.executor.rounds == 0

        job.run()
        stage.log.flush_done(job)
        assert stage.log.recovery_point == 1
        await flushing

        assert stage.log.recovery_point == 2

    run(story)


def test_a_log_that_has_failed_is_not_waited_for() -> None:
    async def story(stage: FlusherStage) -> None:
        append(stage.log)
        stage.log.release("the topic was deleted")
        await stage.flusher.flush(stage.log, lambda: None)

        assert stage.executor.rounds == 0

    run(story)
