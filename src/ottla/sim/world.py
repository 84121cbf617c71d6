"""One simulated world: made from a seed, it holds loop, network and nodes, and returns a digest of what happened."""

import asyncio
import contextlib
import gc
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Any, Self, TypeVar

from ottla.doors.world import World
from ottla.sim.clock import SimClock
from ottla.sim.disk import SimDisk
from ottla.sim.disk_faults import SimulatedCrash
from ottla.sim.executor import SimExecutor
from ottla.sim.loop import SimLoop
from ottla.sim.network import SimNet, SimNetwork
from ottla.sim.network_path import Latency
from ottla.sim.node import Service, SimNode
from ottla.sim.process import SimProcess
from ottla.sim.rng import SimRng
from ottla.sim.trace import Trace

T = TypeVar("T")


class SimWorld:
    """A context manager: garbage is collected at its end and not in between.

    Collecting runs the `finally` blocks of coroutines that died with their process, at moments which depend on memory.
    """

    def __init__(self, seed: int, *, show: Callable[[str], None] | None = None, latency: Latency | None = None) -> None:
        self.seed = seed
        self.rng = SimRng(seed)
        self.loop = SimLoop(self.rng.split("loop"))
        self.trace = Trace(self.loop, show)
        self.net = SimNet(self.loop, self.rng.split("net"), self.trace, latency=latency)
        self.loop.on_exit = lambda process, exit_: self.trace.event("exit", process.name, exit_.code)
        self.nodes: dict[str, SimNode] = {}
        self._collects = False

    def __enter__(self) -> Self:
        self._collects = gc.isenabled()
        gc.disable()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._release()
        self.loop.close()
        if self._collects:
            gc.enable()

    def _release(self) -> None:
        """Ends the coroutines that are in the middle of something, the dead ones too, while there is a loop for them.

        When the collector found them later, their `finally` blocks would complain about the closed loop.
        """
        for task in sorted(asyncio.all_tasks(self.loop), key=lambda task: task.get_name()):
            task._log_destroy_pending = False  # type: ignore[attr-defined]
            coroutine: Any = task.get_coro()
            # Some try to wait once more on their way out, or fail there: nobody is left to care.
            with contextlib.suppress(Exception, SimulatedCrash):
                coroutine.close()

    def add_node(self, name: str, make_service: Callable[[World], Service]) -> SimNode:
        """`name` is also its host name."""
        node = SimNode(name, make_service, loop=self.loop, rng=self.rng, net=self.net, trace=self.trace)
        self.nodes[name] = node
        return node

    def client_doors(self, name: str) -> World:
        """The doors of a client on a host of its own: no faults of its own, no disk worth speaking of."""
        disk = SimDisk()
        rng = self.rng.split(name)
        network = SimNetwork(self.net, name, SimProcess(name, self.loop))
        return World(SimClock(self.loop), rng, disk, network, SimExecutor(disk, rng))

    def run(self, story: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(story)

    @property
    def unhandled(self) -> list[str]:
        """Errors that nobody has caught, in words."""
        return [_in_words(context) for context in self.loop.unhandled]


def _in_words(context: dict[str, Any]) -> str:
    error = context.get("exception")
    return f"{context.get('message')}: {error!r}" if error is not None else str(context.get("message"))


async def sleep_ms(duration_ms: int) -> None:
    await asyncio.sleep(duration_ms / 1000)
