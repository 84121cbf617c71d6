"""Time that passes without anybody waiting for it: for tests on the simulated loop."""

import asyncio

from ottla.sim.loop import SimLoop


async def time_passes(seconds: float) -> None:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, SimLoop), "a test never waits for real time: wait for what should come true"
    await asyncio.sleep(seconds)
