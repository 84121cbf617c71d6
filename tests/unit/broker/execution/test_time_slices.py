"""Long work in slices: short work at once, long work turn by turn, errors to whoever waits."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from ottla.broker.execution.time_slices import UNFINISHED, Failed, LongWork, TimeSlices
from ottla.model.steps import Steps
from tests.support.clocks import HandClock

LONG = 50_000


@pytest.fixture
def slices() -> TimeSlices:
    return TimeSlices(HandClock())


def run(slices: TimeSlices, work: Steps[Any], receive: Callable[[Any], None]) -> LongWork | None:
    result = slices.start(work)
    if result is UNFINISHED:
        return slices.resume(work, receive)
    receive(result)
    return None


def steps(count: int, result: str, done: list[int] | None = None) -> Steps[str]:
    for number in range(count):
        if done is not None:
            done.append(number)
        yield
    return result


def test_short_work_is_done_at_once(slices: TimeSlices) -> None:
    got: list[Any] = []

    assert run(slices, steps(10, "short"), got.append) is None

    assert got == ["short"]


def test_others_get_their_turn_between_the_slices_of_long_work(slices: TimeSlices) -> None:
    async def story() -> None:
        loop = asyncio.get_running_loop()
        result: asyncio.Future[Any] = loop.create_future()
        turns = 0

        run(slices, steps(LONG, "long"), result.set_result)
        while not result.done():
            turns += 1
            await asyncio.sleep(0)

        assert result.result() == "long"
        assert turns >= LONG // 2_000

    asyncio.run(story())


def test_two_works_take_turns(slices: TimeSlices) -> None:
    async def story() -> None:
        first: list[int] = []
        second: list[int] = []
        ends: list[Any] = []

        run(slices, steps(LONG, "first", first), ends.append)
        run(slices, steps(LONG, "second", second), ends.append)
        while len(ends) < 2:
            done = len(first) + len(second)
            await asyncio.sleep(0)
            assert len(first) + len(second) - done <= 2_001, "one slice per turn of the loop"
            assert abs(len(first) - len(second)) <= 2_001

        assert ends == ["first", "second"]

    asyncio.run(story())


def test_time_ends_a_slice_as_well(slices: TimeSlices) -> None:
    clock = HandClock()

    def slow() -> Steps[str]:
        for _ in range(10):
            clock.wall_ms += 3
            yield
        return "slow"

    async def story() -> None:
        got: list[Any] = []
        work = run(TimeSlices(clock), slow(), got.append)
        assert work is not None
        assert clock.monotonic_ms() == began_ms + 6, "1 ms is over after the step behind the first"
        await asyncio.sleep(0)
        assert clock.monotonic_ms() == began_ms + 15, "5 ms are over two steps of 3 behind the first"

    began_ms = clock.monotonic_ms()
    asyncio.run(story())


@pytest.mark.parametrize("count", [3, LONG])
def test_the_receiver_gets_an_error_as_well(slices: TimeSlices, count: int) -> None:
    def failing() -> Steps[str]:
        yield from steps(count, "")
        raise KeyError("a bug")

    async def story() -> None:
        got: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        run(slices, failing(), got.set_result)
        failed = await got
        assert isinstance(failed, Failed)
        assert isinstance(failed.error, KeyError)

    asyncio.run(story())


def test_a_coroutine_gets_the_result_or_the_error(slices: TimeSlices) -> None:
    def failing() -> Steps[str]:
        yield from steps(LONG, "")
        raise KeyError("a bug")

    async def story() -> None:
        assert await slices.finish(steps(3, "short")) == "short"
        assert await slices.finish(steps(LONG, "long")) == "long"
        with pytest.raises(KeyError):
            await slices.finish(failing())

    asyncio.run(story())


def test_a_coroutine_lets_others_have_their_turn(slices: TimeSlices) -> None:
    async def story() -> None:
        done: list[int] = []
        run(slices, steps(LONG, "", done), lambda _: None)
        pace = slices.pace()
        for number in range(LONG):
            await pace.step()
            assert abs(len(done) - number) <= 3 * 2_000

    asyncio.run(story())


def test_cancelled_work_ends(slices: TimeSlices) -> None:
    async def story() -> None:
        got: list[Any] = []
        done: list[int] = []
        work = run(slices, steps(LONG, "long", done), got.append)
        assert work is not None

        work.cancel()
        for _ in range(5):
            await asyncio.sleep(0)

        assert got == []
        assert len(done) <= 201

    asyncio.run(story())
