"""The virtual-time loop. Here `asyncio.sleep` is what is tested: on this loop it moves the clock."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from ottla.sim.clock import SimClock
from ottla.sim.loop import SimLoop, SimulationStuck
from ottla.sim.process import SimProcess
from ottla.sim.rng import SimRng
from tests.support.virtual_time import time_passes


def play(story: Coroutine[Any, Any, Any], seed: int = 1) -> Any:
    loop = SimLoop(SimRng(seed))
    try:
        return loop.run_until_complete(story)
    finally:
        loop.close()


def test_time_jumps_to_the_next_timer() -> None:
    async def story() -> list[float]:
        loop = asyncio.get_running_loop()
        times = [loop.time()]
        for delay in (0.5, 3600, 0.25):
            await asyncio.sleep(delay)
            times.append(loop.time())
        return times

    assert play(story()) == [0.0, 0.5, 3600.5, 3600.75]


def test_timers_run_in_the_order_of_their_times() -> None:
    async def story() -> list[int]:
        seen: list[int] = []
        loop = asyncio.get_running_loop()
        for number in (3, 1, 2):
            loop.call_later(number, seen.append, number)
        await time_passes(5)
        return seen

    assert play(story()) == [1, 2, 3]


def test_plain_callbacks_keep_their_order() -> None:
    async def story() -> list[int]:
        seen: list[int] = []
        loop = asyncio.get_running_loop()
        tasks = []
        for number in range(20):
            loop.call_soon(seen.append, number)
            tasks.append(loop.create_task(asyncio.sleep(0)))
        await asyncio.gather(*tasks)
        return seen

    for seed in range(10):
        assert play(story(), seed) == list(range(20))


async def order_of_tasks() -> list[int]:
    seen: list[int] = []

    async def step(number: int) -> None:
        seen.append(number)

    await asyncio.gather(*(step(number) for number in range(6)))
    return seen


def test_the_seed_permutes_ready_tasks() -> None:
    orders = {tuple(play(order_of_tasks(), seed)) for seed in range(10)}

    assert len(orders) > 5
    assert play(order_of_tasks(), 3) == play(order_of_tasks(), 3)


def test_a_deadlock_is_an_error_that_names_the_tasks() -> None:
    async def story() -> None:
        asyncio.current_task().set_name("waits for nothing")  # type: ignore[union-attr]
        await asyncio.get_running_loop().create_future()

    with pytest.raises(SimulationStuck, match="waits for nothing"):
        play(story())


def test_an_endless_loop_without_time_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ottla.sim.loop.MAX_ITERATIONS_PER_INSTANT", 1000)

    async def story() -> None:
        for _ in range(2000):
            await asyncio.sleep(0)

    with pytest.raises(SimulationStuck, match="1000 loop iterations"):
        play(story())


def test_executors_run_inline() -> None:
    async def story() -> int:
        return await asyncio.get_running_loop().run_in_executor(None, lambda: 42)

    assert play(story()) == 42


def test_sockets_are_refused() -> None:
    async def story() -> None:
        await asyncio.get_running_loop().create_connection(asyncio.Protocol, "localhost", 1)

    with pytest.raises(RuntimeError, match="Network door"):
        play(story())


def test_time_limits_of_asyncio_work() -> None:
    async def story() -> float:
        loop = asyncio.get_running_loop()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(5):
                await asyncio.sleep(100)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(loop.create_future(), 2)
        return loop.time()

    assert play(story()) == 7.0


def test_a_killed_process_is_never_run_again() -> None:
    seen: list[str] = []

    async def victim() -> None:
        try:
            await asyncio.sleep(1)
            seen.append("lived on")
        finally:
            seen.append("cleaned up")

    async def story(loop: SimLoop) -> None:
        process = SimProcess("victim", loop)
        process.run(victim())
        await time_passes(0.5)
        process.kill()
        await time_passes(2)
        assert seen == []

    loop = SimLoop(SimRng(1))
    loop.run_until_complete(story(loop))
    loop.close()


def test_a_paused_process_goes_on_where_it_was() -> None:
    async def counter(seen: list[float], loop: SimLoop) -> None:
        for _ in range(3):
            await asyncio.sleep(1)
            seen.append(loop.time())

    async def story(loop: SimLoop) -> list[float]:
        seen: list[float] = []
        process = SimProcess("paused", loop)
        process.run(counter(seen, loop))
        await time_passes(1.5)
        process.pause()
        await time_passes(8.5)
        loop.resume_process(process)
        await time_passes(5)
        return seen

    loop = SimLoop(SimRng(1))
    assert loop.run_until_complete(story(loop)) == [1.0, 10.0, 11.0]
    loop.close()


def test_an_exit_ends_the_process_and_not_the_world() -> None:
    async def exits() -> None:
        raise SystemExit(1)

    async def story(loop: SimLoop) -> bool:
        process = SimProcess("exits", loop)
        process.run(exits())
        await time_passes(1)
        return process.is_alive

    loop = SimLoop(SimRng(1))
    assert loop.run_until_complete(story(loop)) is False
    loop.close()


def test_errors_that_nobody_catches_are_kept() -> None:
    async def story() -> None:
        asyncio.get_running_loop().call_soon(lambda: 1 / 0)
        await time_passes(1)

    loop = SimLoop(SimRng(1))
    loop.run_until_complete(story())

    assert [type(context["exception"]) for context in loop.unhandled] == [ZeroDivisionError]
    loop.close()


def test_a_jump_of_the_wall_clock_leaves_the_monotonic_clock_alone() -> None:
    loop = SimLoop(SimRng(1))
    clock = SimClock(loop, monotonic_start_ms=77)
    wall_ms = clock.now_ms()

    clock.jump(-3_600_000)

    assert clock.now_ms() == wall_ms - 3_600_000
    assert clock.monotonic_ms() == 77
    loop.close()
