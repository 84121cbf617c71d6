"""A simulated machine with one service on it, such as a broker.

It can be started, stopped, killed, lose its power, be paused, and have its wall clock set. Each start builds the
service again, from the disk image alone.
"""

import asyncio
from collections.abc import Callable
from typing import Any, Protocol

from ottla.doors.machine import Machine
from ottla.doors.world import World
from ottla.runtime.ordered import first_done
from ottla.sim.clock import SimClock
from ottla.sim.disk import SimDisk
from ottla.sim.disk_faults import DiskFaults, LostPages, Operation
from ottla.sim.disk_image import DiskImage
from ottla.sim.executor import SimExecutor
from ottla.sim.loop import SimLoop
from ottla.sim.network import SimNet, SimNetwork
from ottla.sim.process import SimProcess
from ottla.sim.rng import SimRng
from ottla.sim.trace import Trace

#: Small, so that the reserve that a broker keeps on its disk costs little memory here.
DISK_BYTES = 32 * 1024 * 1024


class Service(Protocol):
    @property
    def has_ended(self) -> asyncio.Event:
        """Set by the service when it cannot continue."""

    async def start(self) -> None: ...

    async def stop(self) -> None: ...


class SimNode:
    def __init__(
        self,
        name: str,
        make_service: Callable[[World], Service],
        *,
        loop: SimLoop,
        rng: SimRng,
        net: SimNet,
        trace: Trace,
    ) -> None:
        self.name = name
        self.image = DiskImage()
        self.clock = SimClock(loop, monotonic_start_ms=rng.split(f"{name} boot").below(10_000_000))
        self.service: Any = None
        self.disk: SimDisk
        self.executor: SimExecutor
        #: Work in threads takes up to this long.
        self.max_executor_delay_ms = 0
        #: How many files a process of it may have open.
        self.machine = Machine()
        self.start_count = 0
        self._has_started = False
        self.operation_count = 0
        #: Called with every change of the disk.
        self.on_operation: Callable[[Operation], None] | None = None
        self._loop = loop
        self._net = net
        self._trace = trace
        self._make_service = make_service
        self._rng: SimRng = rng.split(name)
        self._process: SimProcess | None = None
        self._died: asyncio.Event = asyncio.Event()
        self._crash_means_power_loss = False

    @property
    def is_up(self) -> bool:
        return self._process is not None and self._process.is_alive

    @property
    def has_started(self) -> bool:
        return self.is_up and self._has_started

    @property
    def is_paused(self) -> bool:
        return self._process is not None and self._process.is_paused

    @property
    def faults(self) -> DiskFaults:
        return self.disk.faults

    # up

    async def start(self, image: DiskImage | None = None, *, faults: DiskFaults | None = None) -> bool:
        """True once the service has started; False when the process died on the way. Raises what its start raises."""
        if image is not None:
            self.image = image
        self.start_count += 1
        self._has_started = False
        self._trace.event("start", self.name, self.start_count)
        process = self._new_process()
        doors = self._doors(process, DiskFaults() if faults is None else faults)
        self.service = process.context.run(self._make_service, doors)
        started = process.run(self.service.start())
        died = asyncio.ensure_future(self._died.wait())
        try:
            await first_done(started, died)
        finally:
            died.cancel()
        if not self.is_up:
            return False
        started.result()
        self._has_started = True
        self._trace.event("started", self.name)
        process.run(self._end_with(self.service))
        return True

    async def _end_with(self, service: Service) -> None:
        """A service that fails for good is stopped, and its process ends, as the program around it would do."""
        await service.has_ended.wait()
        self._trace.event("gives up", self.name)
        try:
            await service.stop()
        finally:
            raise SystemExit(1)

    def _new_process(self) -> SimProcess:
        process = SimProcess(f"{self.name}/{self.start_count}", self._loop)
        self._process = process
        self._died.clear()
        process.on_death.append(self._note_death)
        self._net.machine_back(self.name)
        return process

    def _doors(self, process: SimProcess, faults: DiskFaults) -> World:
        if self.start_count > 1:
            faults.lost_pages = self.faults.lost_pages
            self._evict_lost_pages(faults.lost_pages)
        faults.claimed_bytes = DISK_BYTES
        faults.open_files_max = self.machine.open_files
        faults.on_operation = self._note_operation
        faults.on_crash = self._crashed
        self.disk = SimDisk(self.image, faults=faults, now_ms=self.clock.now_ms)
        executor = SimExecutor(self.disk, self._rng.split(f"executor {self.start_count}"))
        executor.max_delay_ms = self.max_executor_delay_ms
        self.executor = executor
        rng = self._rng.split(f"start {self.start_count}")
        network = SimNetwork(self._net, self.name, process)
        return World(self.clock, rng, self.disk, network, executor, self.machine)

    def _evict_lost_pages(self, lost_pages: LostPages) -> None:
        """A failed sync has left bytes in the cache that the device never got; this is what a new process finds."""
        if lost_pages is LostPages.SOME_AT_RESTART:
            self.image.evict_lost_pages(self._rng.split(f"eviction {self.start_count}"))
        elif lost_pages is not LostPages.STAY:
            self.image.evict_lost_pages()

    # down

    async def stop(self) -> None:
        """An orderly end. If it takes forever, or fails, that is the service's fault."""
        process = self._process
        if process is None or not process.is_alive:
            return
        self._trace.event("stop", self.name)
        stopped = process.run(self.service.stop())
        died = asyncio.ensure_future(self._died.wait())
        try:
            await first_done(stopped, died)
        finally:
            died.cancel()
        if self.is_up:
            stopped.result()
            self.kill()

    def kill(self) -> None:
        """kill -9."""
        if self._process is not None:
            self._process.kill()

    def power_off(self, *, nasty: bool = False) -> None:
        self._trace.event("power off", self.name)
        self._net.machine_lost(self.name)
        self.kill()
        self.lose_power(nasty=nasty)

    def lose_power(self, *, nasty: bool = False) -> None:
        """What the disk of a process that is already dead would look like after a power loss."""
        rng = self._rng.split(f"power loss {self.start_count}")
        self.image = self.disk.power_loss(rng, nasty=nasty)

    async def died(self) -> None:
        await self._died.wait()

    def crash_at(self, operations_from_now: int, *, written_bytes: int = 0, power_loss: bool = False) -> None:
        """Ends the process in the middle of a coming change of its disk."""
        self._crash_means_power_loss = power_loss
        number = self.disk.operation_count + operations_from_now
        self.faults.crash_at(number, written_bytes=written_bytes)

    def pause(self) -> None:
        self._trace.event("pause", self.name)
        if self._process is not None:
            self._process.pause()

    def resume(self) -> None:
        self._trace.event("resume", self.name)
        if self._process is not None and self._process.is_alive:
            self._loop.resume_process(self._process)

    def skew(self, delta_ms: int) -> None:
        """Sets the wall clock; the monotonic clock does not notice."""
        self._trace.event("skew", self.name, delta_ms)
        self.clock.jump(delta_ms)

    # called by the process and its disk

    def _crashed(self) -> None:
        self._trace.event("crash", self.name)
        if self._crash_means_power_loss:
            self._net.machine_lost(self.name)
        self.kill()

    def _note_death(self) -> None:
        self._trace.event("dead", self.name)
        self.image = self.disk.kill()
        self._died.set()

    def _note_operation(self, operation: Operation) -> None:
        self.operation_count += 1
        if self.on_operation is not None:
            self.on_operation(operation)
        self._trace.event("disk", self.name, *operation)
