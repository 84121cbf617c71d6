"""An asyncio event loop on virtual time: no sockets, no threads, no waiting.

When nothing is ready, time jumps to the next timer. Ready tasks are permuted by the seed, which finds races that
first-come-first-served hides; plain callbacks keep the order in which they were created, as asyncio promises.

The private parts of `asyncio.BaseEventLoop` that this needs (`_ready`, `_scheduled`, `_run_once`) are the same in
CPython 3.11 to 3.13; a test guards them.
"""

import asyncio
import heapq
import math
from collections.abc import Callable, Coroutine
from typing import Any, NoReturn, TypeVar

from ottla.sim.disk_faults import SimulatedCrash
from ottla.sim.process import CURRENT, SimProcess
from ottla.sim.rng import SimRng

T = TypeVar("T")

#: Iterations at one instant of simulated time after which the run counts as an endless loop.
MAX_ITERATIONS_PER_INSTANT = 200_000


class SimulationStuck(Exception):
    """Nothing is ready and no timer is set, or time does not move on."""


class SimLoop(asyncio.BaseEventLoop):
    def __init__(self, rng: SimRng) -> None:
        super().__init__()
        self._rng = rng
        self._now_ns = 0
        self._clock_resolution = 1e-9
        self._iterations_at_this_instant = 0
        #: Exceptions that nobody caught; the world fails the run if there is one.
        self.unhandled: list[dict[str, Any]] = []
        self._ready: Any
        self._scheduled: list[asyncio.TimerHandle]
        task_factory: Any = _make_task
        self.set_task_factory(task_factory)
        #: Called when a process ends itself.
        self.on_exit: Callable[[SimProcess, SystemExit], None] = lambda process, exit_: None
        self.set_exception_handler(self._note_unhandled)
        self._running: SimProcess | None = None

    # time

    def time(self) -> float:
        return self._now_ns / 1e9

    @property
    def now_ms(self) -> int:
        return self._now_ns // 1_000_000

    @property
    def now_ns(self) -> int:
        return self._now_ns

    @property
    def iteration(self) -> tuple[int, int]:
        """Which iteration of the loop this is: callbacks within one keep everybody else waiting."""
        return self._now_ns, self._iterations_at_this_instant

    # one iteration of the loop

    def _run_once(self) -> None:
        self._drop_cancelled_timers()
        if not self._ready and not self._stopping:  # type: ignore[attr-defined]
            self._jump()
        self._take_due_timers()
        for handle in self._permuted():
            if not handle._cancelled:
                self._run(handle)

    def _run(self, handle: asyncio.Handle) -> None:
        process = handle._context.get(CURRENT)  # type: ignore[attr-defined]
        if process is not None:
            if not process.is_alive:
                return
            if process.is_paused:
                process.hold(handle)
                return
        self._running = process
        try:
            handle._run()
        except SystemExit as exit_:
            if process is None:
                raise
            self.on_exit(process, exit_)
            process.kill()

    def _note_unhandled(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        # What a process does in the moment of its death does not matter to anyone.
        is_dead = self._running is not None and not self._running.is_alive
        if not is_dead and not isinstance(context.get("exception"), SimulatedCrash):
            self.unhandled.append(context)

    def _drop_cancelled_timers(self) -> None:
        scheduled = self._scheduled
        while scheduled and scheduled[0]._cancelled:
            heapq.heappop(scheduled)._scheduled = False  # type: ignore[attr-defined]

    def _jump(self) -> None:
        if not self._scheduled:
            waiting = sorted(task.get_name() for task in asyncio.all_tasks(self))
            raise SimulationStuck(f"nothing is ready and no timer is set; tasks that wait: {waiting}")
        when_ns = math.ceil(self._scheduled[0].when() * 1e9 - 0.5)
        if when_ns > self._now_ns:
            self._now_ns = when_ns
            self._iterations_at_this_instant = 0

    def _take_due_timers(self) -> None:
        self._iterations_at_this_instant += 1
        if self._iterations_at_this_instant > MAX_ITERATIONS_PER_INSTANT:
            raise SimulationStuck(f"{MAX_ITERATIONS_PER_INSTANT} loop iterations at {self.time()} s of simulated time")
        end = self.time() + self._clock_resolution
        scheduled = self._scheduled
        while scheduled and scheduled[0].when() < end:
            handle = heapq.heappop(scheduled)
            handle._scheduled = False  # type: ignore[attr-defined]
            self._ready.append(handle)

    def _permuted(self) -> list[asyncio.Handle]:
        """What is ready now: tasks anywhere, plain callbacks in their order."""
        handles = list(self._ready)
        self._ready.clear()
        if len(handles) < 2:
            return handles
        plain = [handle for handle in handles if not _is_task_step(handle)]
        if len(plain) == len(handles):
            return handles
        mixed = [*handles]
        self._rng.shuffle(mixed)
        in_order = iter(plain)
        return [handle if _is_task_step(handle) else next(in_order) for handle in mixed]

    # what the real loop would ask of the operating system

    def _process_events(self, event_list: Any) -> None:
        pass

    def _write_to_self(self) -> None:
        pass

    def run_in_executor(self, executor: Any, func: Callable[..., T], *args: Any) -> "asyncio.Future[T]":  # type: ignore[override]
        future: asyncio.Future[T] = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:  # noqa: BLE001 - whatever the work raises belongs to who awaits it
            future.set_exception(error)
        return future

    async def create_connection(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise RuntimeError("no sockets in simulation: use the Network door")

    async def create_server(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise RuntimeError("no sockets in simulation: use the Network door")

    async def getaddrinfo(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise RuntimeError("no name service in simulation: use the Network door")

    # processes

    def resume_process(self, process: SimProcess) -> None:
        self._ready.extend(process.resume())


def _make_task(loop: asyncio.AbstractEventLoop, coroutine: Coroutine[Any, Any, T], **options: Any) -> "asyncio.Task[T]":
    task = asyncio.Task(coroutine, loop=loop, **options)
    context = options.get("context")
    process = CURRENT.get() if context is None else context.get(CURRENT)
    if process is not None:
        process.adopt(task)
    return task


def _is_task_step(handle: asyncio.Handle) -> bool:
    return isinstance(getattr(handle._callback, "__self__", None), asyncio.Task)  # type: ignore[attr-defined]
