"""A story that is told in a simulated world of its own."""

import asyncio
from collections.abc import Awaitable, Callable

from ottla.sim.world import SimWorld

#: Simulated seconds: a story that hangs is a failure, not a wait.
_MAX_S = 600


def told(tell: Callable[[SimWorld], Awaitable[None]]) -> None:
    async def in_time(world: SimWorld) -> None:
        async with asyncio.timeout(_MAX_S):
            await tell(world)

    with SimWorld(1) as world:
        world.run(in_time(world))
        assert world.unhandled == []
