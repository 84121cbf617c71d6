"""A story that is told in a simulated world of its own."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable

from ottla.sim.world import SimWorld


def told(tell: Callable[[SimWorld], Awaitable[None]], *, seeds: Iterable[int] = (1,), within_s: float = 3600) -> None:
    """Once for each seed. A story that takes longer, in simulated time, hangs: that is a failure, not a wait."""

    async def in_time(world: SimWorld) -> None:
        async with asyncio.timeout(within_s):
            await tell(world)

    for seed in seeds:
        with SimWorld(seed) as world:
            world.run(in_time(world))
            assert world.unhandled == []
