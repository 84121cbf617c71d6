"""Carries out a fault schedule on one node and brings the node back each time it is down."""

import asyncio
import errno
from collections.abc import Awaitable, Callable

from ottla.model.errors import Refused
from ottla.sim.disk_faults import DiskFaults, LostPages
from ottla.sim.faults import Fault, FaultKind, FaultSchedule
from ottla.sim.history import History
from ottla.sim.node import SimNode
from ottla.sim.world import SimWorld, sleep_ms

MAX_START_S = 60
Checked = Callable[[SimNode], None]


class Supervisor:
    """Owned by a workload. `keep_running` restarts the node after each crash; `play` injects the faults."""

    def __init__(self, world: SimWorld, node: SimNode, client_hosts: list[str], on_started: Checked) -> None:
        self._world = world
        self._node = node
        self._client_hosts = client_hosts
        self._on_started = on_started
        self._rng = world.rng.split("supervisor")
        self._crash_in_start: Fault | None = None
        self._crash_fault: Fault | None = None
        self._downtime_ms = 100
        self._space_bytes: int | None = None
        self.error: Exception | None = None

    async def play(self, schedule: FaultSchedule) -> None:
        now_ms = 0
        for fault in schedule.faults:
            await sleep_ms(fault.at_ms - now_ms)
            now_ms = fault.at_ms
            self._world.trace.event("fault", fault.kind.value, fault.amount)
            await self._carry_out(fault)

    async def play_and_heal(self, schedule: FaultSchedule, duration_ms: int, history: History) -> bool:
        """Plays the schedule, lets some time pass, heals. Whether the node is up; if not, that is a finding."""
        await self.play(schedule)
        await sleep_ms(duration_ms)
        await self.heal()
        if self.error is not None:
            history.found("start-failed", repr(self.error))
        return self.error is None

    async def keep_running(self) -> None:
        """Ends only by cancellation, or when a start fails: then `error` has the reason."""
        try:
            while True:
                await self._node.died()
                fault, self._crash_fault = self._crash_fault, None
                await sleep_ms(self._downtime_ms)
                if fault is not None and fault.loses_power:
                    self._node.lose_power(nasty=fault.nasty)
                await self._start()
        except Exception as error:  # noqa: BLE001 - whatever a start raises is the result of the run
            self.error = error

    async def _start(self) -> None:
        try:
            if await self._node.start(faults=self._next_faults()):
                self._on_started(self._node)
        except (OSError, Refused) as error:
            # A node that cannot start on a full or failing disk stops and is started again: that costs availability
            # only. Only injected faults give EIO; when they are over, `heal` requires that the node comes up.
            is_failing = isinstance(error, OSError) and error.errno == errno.EIO
            if self._space_bytes is None and not is_failing:
                raise
            self._world.trace.event("no start", error)
            self._downtime_ms = 1_000
            self._node.kill()

    async def heal(self) -> None:
        """No more faults; the node comes up if it is down."""
        self._space_bytes = None
        self._crash_in_start = None
        self._world.net.heal()
        if self._node.start_count:
            self._node.faults.heal()
            self._node.resume()
        for _ in range(MAX_START_S):
            if self.error is None and not self._node.has_started:
                await asyncio.sleep(1)
        if self.error is None and not self._node.has_started:
            self.error = RuntimeError(f"the node is not up {MAX_START_S} s after the last fault")

    def _next_faults(self) -> DiskFaults:
        faults = DiskFaults()
        faults.space_bytes = self._space_bytes
        planned, self._crash_in_start = self._crash_in_start, None
        if planned is not None:
            faults.crash_at(planned.amount, written_bytes=self._rng.below(64))
            self._crash_fault = planned
        return faults

    async def _carry_out(self, fault: Fault) -> None:
        actions: dict[FaultKind, Callable[[Fault], Awaitable[None] | None]] = {
            FaultKind.KILL: self._kill,
            FaultKind.STOP: self._stop,
            FaultKind.POWER_LOSS: self._power_loss,
            FaultKind.CRASH_AT_WRITE: self._crash_at_write,
            FaultKind.CRASH_IN_START: self._plan_crash_in_start,
            FaultKind.PAUSE: self._pause,
            FaultKind.SKEW: lambda fault: self._node.skew(fault.amount),
            FaultKind.RESET: lambda _: self._world.net.reset_connections(self._node.name, self._rng),
            FaultKind.CUT: self._cut,
            FaultKind.CLOG: self._clog,
            FaultKind.SLOW: self._slow,
            FaultKind.HEAL: lambda _: self._world.net.heal(),
            FaultKind.DISK_FULL: self._disk_full,
            FaultKind.DISK_ROOM: self._disk_room,
            FaultKind.WRITE_ERROR: self._write_error,
            FaultKind.SYNC_ERROR: self._sync_error,
            FaultKind.SLOW_DISK: self._slow_disk,
        }
        waiting = actions[fault.kind](fault)
        if waiting is not None:
            await waiting

    def _kill(self, fault: Fault) -> None:
        self._downtime_ms = fault.amount
        self._node.kill()

    async def _stop(self, fault: Fault) -> None:
        self._downtime_ms = fault.amount
        try:
            async with asyncio.timeout(60):
                await self._node.stop()
        except TimeoutError:
            self.error = RuntimeError("the node does not stop")

    def _power_loss(self, fault: Fault) -> None:
        self._downtime_ms = fault.amount
        if self._node.is_up:
            self._node.power_off(nasty=fault.nasty)

    def _crash_at_write(self, fault: Fault) -> None:
        if self._node.is_up:
            self._crash_fault = fault
            written_bytes = self._rng.below(200) if self._rng.chance(50) else 0
            self._node.crash_at(fault.amount, written_bytes=written_bytes, power_loss=fault.loses_power)

    def _plan_crash_in_start(self, fault: Fault) -> None:
        self._crash_in_start = fault
        self._downtime_ms = 100
        self._node.kill()

    async def _pause(self, fault: Fault) -> None:
        self._node.pause()
        await sleep_ms(fault.amount)
        self._node.resume()

    def _cut(self, fault: Fault) -> None:
        source, target = self._some_path()
        self._world.net.cut(source, target)

    def _clog(self, fault: Fault) -> None:
        source, target = self._some_path()
        self._world.net.clog(source, target)

    def _slow(self, fault: Fault) -> None:
        source, target = self._some_path()
        self._world.net.slow_down(source, target, fault.amount)

    def _some_path(self) -> tuple[str, str]:
        client = self._rng.one_of(self._client_hosts)
        return (client, self._node.name) if self._rng.chance(50) else (self._node.name, client)

    def _disk_full(self, fault: Fault) -> None:
        self._space_bytes = self._node.image.used_bytes() + fault.amount
        if self._node.is_up:
            self._node.faults.space_bytes = self._space_bytes

    def _disk_room(self, fault: Fault) -> None:
        self._space_bytes = None
        if self._node.is_up:
            self._node.faults.space_bytes = None

    def _write_error(self, fault: Fault) -> None:
        if self._node.is_up:
            self._node.faults.fail_next("write", errno.EIO, ".log", written_bytes=fault.amount)

    def _sync_error(self, fault: Fault) -> None:
        if self._node.is_up:
            self._node.faults.lost_pages = list(LostPages)[fault.amount]
            self._node.faults.fail_next("sync", errno.EIO, "" if fault.nasty else ".log")

    def _slow_disk(self, fault: Fault) -> None:
        self._node.max_executor_delay_ms = fault.amount
