"""A simulated process with one member of a group in it: it crashes, pauses, and restarts."""

import asyncio
from collections.abc import Callable
from typing import Protocol, TypeVar

from ottla.sim.broker_service import PORT
from ottla.sim.checkers.groups import GroupWitness
from ottla.sim.classic_member import ClassicMembership
from ottla.sim.consumer_member import ConsumerMembership
from ottla.sim.group_client import FencedForGood, GroupPlan, GroupSimClient
from ottla.sim.membership import MemberContext, Membership
from ottla.sim.network import SimNetwork
from ottla.sim.pace import Pace
from ottla.sim.process import SimProcess
from ottla.sim.producer import CLIENT_ERRORS
from ottla.sim.rng import SimRng
from ottla.sim.world import SimWorld, sleep_ms

C = TypeVar("C", bound=GroupSimClient)

BROKER = "broker"


class Work(Protocol):
    """What a member does with its partitions, beside being a member."""

    async def run(self) -> None: ...

    def stop(self) -> None: ...


class Life:
    """From one start of the process to its end."""

    def __init__(self, process: SimProcess, membership: Membership) -> None:
        self.process = process
        self.membership = membership
        self.work: Work | None = None
        self.tasks: list[asyncio.Task[None]] = []
        self.is_stopping = False

    @property
    def is_running(self) -> bool:
        return self.process.is_alive and not all(task.done() for task in self.tasks)


MakeWork = Callable[["GroupProcess", Life], Work]


class GroupProcess:
    """Owned by a workload."""

    def __init__(
        self,
        world: SimWorld,
        name: str,
        plan: GroupPlan,
        witness: GroupWitness,
        make_work: MakeWork,
        *,
        is_static: bool = False,
        is_consumer: bool | None = None,
        pace: Pace | None = None,
    ) -> None:
        self.name = name
        self.plan = plan
        self.witness = witness
        self.timed_out: list[str] = []
        self.clients: list[GroupSimClient] = []
        self.life: Life | None = None
        self._world = world
        self._make_work = make_work
        self._instance_id = name if is_static else None
        #: Which protocol its next run speaks.
        self.is_consumer = plan.assignor is None if is_consumer is None else is_consumer
        self._pace = pace or Pace()
        self._life_count = 0
        self.rng: SimRng = world.rng.split(name)

    @property
    def is_running(self) -> bool:
        return self.life is not None and self.life.is_running

    def start(self) -> None:
        self._life_count += 1
        label = f"{self.name}/{self._life_count}"
        process = SimProcess(label, self._world.loop)
        life = Life(process, self._membership(process, label, self.rng.split(label)))
        life.work = self._make_work(self, life)
        self.life = life
        self._world.trace.event("member", label, "starts", "consumer" if self.is_consumer else "classic")
        life.tasks = [process.run(self._be_member(life)), process.run(life.work.run())]

    def start_if_down(self) -> None:
        if self.life is None or not self.life.process.is_alive:
            self.start()

    def _membership(self, process: SimProcess, label: str, rng: SimRng) -> Membership:
        make = ConsumerMembership if self.is_consumer else ClassicMembership
        client = self.client(process, label, GroupSimClient)
        return make(
            MemberContext(client, self.plan, self.witness, self._world.loop, rng, self._instance_id, self._pace)
        )

    def client(self, process: SimProcess, label: str, kind: type[C]) -> C:
        """A connection of its own."""
        network = SimNetwork(self._world.net, self.name, process)
        client = kind(network, BROKER, PORT, label, by_topic_id=True, timeout_ms=2_500)
        client.timed_out = self.timed_out
        self.clients.append(client)
        return client

    async def _be_member(self, life: Life) -> None:
        membership = life.membership
        while not life.is_stopping:
            try:
                await membership.step()
            except CLIENT_ERRORS:
                membership.close()
                await sleep_ms(20 + self.rng.below(100))
            except FencedForGood:
                self._world.trace.event("member", self.name, "fenced for good")
                break
        if life.work is not None:
            life.work.stop()

    # -- what can happen to it

    def crash(self) -> None:
        if self.life is not None:
            self._world.trace.event("member", self.name, "crashes")
            self.life.process.kill()

    def pause(self) -> None:
        if self.life is not None:
            self._world.trace.event("member", self.name, "pauses")
            self.life.process.pause()

    def resume(self) -> None:
        if self.life is not None and self.life.process.is_paused and self.life.process.is_alive:
            self._world.trace.event("member", self.name, "resumes")
            self._world.loop.resume_process(self.life.process)

    async def stop(self, *, leaves: bool) -> None:
        """An orderly end. Raises TimeoutError when it takes too long."""
        # Shielded: a task of a process that is killed meanwhile cannot even be cancelled.
        life = self.life
        if life is None or not life.process.is_alive:
            return
        life.is_stopping = True
        for task in life.tasks:
            await asyncio.wait_for(asyncio.shield(task), 30)
        if leaves:
            leaving = life.process.run(_leave(life.membership))
            life.tasks.append(leaving)
            await asyncio.wait_for(asyncio.shield(leaving), 30)
        life.membership.close()
        life.process.kill()


async def _leave(membership: Membership) -> None:
    try:
        await membership.leave()
    except CLIENT_ERRORS:
        membership.close()
