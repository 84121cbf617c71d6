"""Groups of one to twenty members on one broker: members crash, pause, stall, leave and start; so does the broker.

Some groups migrate: there are classic and consumer members in them, and members come back with the other protocol.
Each member commits rising offsets of the partitions it has. Phases: faults (safety only); then nothing more happens and
every group must be stable within two session timeouts; then everybody stops, and the committed offsets are read.
"""

import asyncio
from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

from ottla.groups.settings import MigrationPolicy
from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from ottla.sim.broker_service import PORT
from ottla.sim.checkers.groups import GroupWitness
from ottla.sim.committing import Committing
from ottla.sim.faults import Fault, FaultKind, FaultSchedule, make_schedule
from ottla.sim.final_checks import LIVENESS_S
from ottla.sim.group_client import GroupPlan, GroupSimClient, by_topic
from ottla.sim.group_process import GroupProcess, Life
from ottla.sim.history import History
from ottla.sim.pace import Pace
from ottla.sim.producer import CLIENT_ERRORS
from ottla.sim.rng import SimRng
from ottla.sim.run_result import RunResult
from ottla.sim.supervisor import Supervisor
from ottla.sim.workloads.produce_consume import BROKER, create_topics, make_node
from ottla.sim.world import SimWorld, sleep_ms

SESSION_MS = 3_000
HEARTBEAT_MS = 500
HOUR_MS = 3_600_000
MAX_MEMBERS = 20
SETTINGS = {
    "offsets.topic.num.partitions": "2",
    "offsets.topic.replication.factor": "1",
    "group.min.session.timeout.ms": "1000",
    "group.initial.rebalance.delay.ms": "300",
    "group.consumer.min.session.timeout.ms": "1000",
    "group.consumer.session.timeout.ms": str(SESSION_MS),
    "group.consumer.min.heartbeat.interval.ms": "100",
    "group.consumer.heartbeat.interval.ms": str(HEARTBEAT_MS),
    "group.consumer.assignment.interval.ms": "0",
    "log.flush.offset.checkpoint.interval.ms": "300",
}


class MemberEvent(Enum):
    CRASH = "crash"
    PAUSE = "pause"
    LEAVE = "leave"
    START = "start"
    #: Ends, in order or not, and comes back with the other protocol where the group migrates.
    SWITCH = "switch"


class Event(NamedTuple):
    at_ms: int
    kind: MemberEvent
    #: Which member, modulo their count.
    member: int
    #: How long it is paused, or away; None: for good.
    amount_ms: int | None


class Plan(NamedTuple):
    duration_ms: int
    groups: list[GroupPlan]
    member_counts: list[int]
    static_percent: int
    pace: Pace
    schedule: FaultSchedule
    events: list[Event]
    max_executor_delay_ms: int = 0
    migration_policy: str = "bidirectional"
    #: How many members of groups that migrate begin with the protocol of KIP-848.
    consumer_percent: int = 50


def make_plan(rng: SimRng) -> Plan:
    duration_ms = rng.between(4_000, 14_000)
    partitions = [TopicPartition("orders", i) for i in range(rng.between(1, 8))]
    partitions += [TopicPartition("events", i) for i in range(rng.between(0, 4))]
    group_count = rng.one_of((1, 1, 2))
    groups = [_group_plan(rng, f"group-{i}", partitions) for i in range(group_count)]
    few = rng.chance(60)
    member_counts = [rng.between(1, 5 if few else MAX_MEMBERS // group_count) for _ in groups]
    faults = make_schedule(rng.split("faults"), duration_ms=duration_ms, may_lose_power=True).faults
    faults += _clock_jumps(rng.split("clock"), duration_ms)
    events = _member_events(rng.split("events"), duration_ms)
    if any(group.migrates for group in groups):
        events += _rolling_switch(rng.split("switch"), duration_ms, sum(member_counts))
    return Plan(
        duration_ms,
        groups,
        member_counts,
        rng.one_of((0, 0, 40, 100)),
        rng.one_of((Pace(), Pace(20, SESSION_MS // 2), Pace(10, SESSION_MS * 2))),
        FaultSchedule(sorted(faults, key=lambda fault: fault.at_ms)),
        sorted(events, key=lambda event: event.at_ms),
        rng.one_of((0, 2, 20)),
        rng.one_of(tuple(policy.value for policy in MigrationPolicy)),
        rng.one_of((0, 50, 100)),
    )


def _group_plan(rng: SimRng, group_id: str, partitions: list[TopicPartition]) -> GroupPlan:
    migrates = rng.chance(40)
    assignors = ("range", "cooperative-sticky", None, None)
    assignor = rng.one_of(assignors[:2] if migrates else assignors)
    return GroupPlan(group_id, partitions, assignor, SESSION_MS, HEARTBEAT_MS, migrates)


def _clock_jumps(rng: SimRng, duration_ms: int) -> list[Fault]:
    if rng.chance(60):
        return []
    amounts = (-HOUR_MS, HOUR_MS)
    return [Fault(rng.below(duration_ms), FaultKind.SKEW, rng.one_of(amounts)) for _ in range(rng.between(1, 3))]


def _member_events(rng: SimRng, duration_ms: int) -> list[Event]:
    kinds = rng.some_of(tuple(MemberEvent))
    events = []
    for _ in range(rng.between(0, 10) if kinds else 0):
        kind = rng.one_of(kinds)
        amount_ms: int | None = rng.between(10, 3 * SESSION_MS)
        if kind not in (MemberEvent.PAUSE, MemberEvent.SWITCH) and rng.chance(30):
            amount_ms = None
        events.append(Event(rng.below(duration_ms), kind, rng.below(1_000), amount_ms))
    return events


def _rolling_switch(rng: SimRng, duration_ms: int, member_count: int) -> list[Event]:
    """One member after the other is restarted with the other protocol, as in an upgrade; sometimes all the way back."""
    pause_ms = rng.between(100, max(200, duration_ms // (member_count + 1)))
    away_ms = rng.one_of((10, 200, 2 * SESSION_MS))
    begins_ms = rng.below(duration_ms // 2)
    order = range(member_count * rng.one_of((1, 2)))
    events = [Event(begins_ms + i * pause_ms, MemberEvent.SWITCH, i % member_count, away_ms) for i in order]
    return [event for event in events if event.at_ms < duration_ms]


class Groups:
    """One run."""

    def __init__(self, world: SimWorld, plan: Plan) -> None:
        self.history = History()
        self.node = make_node(world, {**SETTINGS, "group.consumer.migration.policy": plan.migration_policy})
        self.node.max_executor_delay_ms = plan.max_executor_delay_ms
        self.witnesses = [
            GroupWitness(
                group.group_id, self.history, world.loop, session_timeout_ms=SESSION_MS, may_restart=group.migrates
            )
            for group in plan.groups
        ]
        self.members: list[GroupProcess] = []
        self._world = world
        self._plan = plan
        self._rng = world.rng.split("workload")
        self._pending_restarts: list[asyncio.Task[None]] = []

    async def run(self) -> None:
        await self.node.start()
        partitions = self._plan.groups[0].partitions
        admin = self.client("admin")
        for topic, indexes in by_topic(partitions).items():
            await create_topics(admin, {topic: {"flush.messages": "1"}}, partition_count=len(indexes))
        for number, count in enumerate(self._plan.member_counts):
            for _ in range(count):
                self._add_member(number)
        names = [member.name for member in self.members]
        supervisor = Supervisor(self._world, self.node, names, lambda _: None)
        keeper = asyncio.ensure_future(supervisor.keep_running())
        for member in self.members:
            member.start()
        events = asyncio.ensure_future(self._play_events())
        await supervisor.play(self._plan.schedule)
        await events
        await supervisor.heal()
        if supervisor.error is not None:
            self.history.found("start-failed", repr(supervisor.error))
        else:
            await self._finish()
        keeper.cancel()

    def client(self, name: str) -> GroupSimClient:
        client = GroupSimClient(
            self._world.client_doors(name).network, BROKER, PORT, name, by_topic_id=False, timeout_ms=3_000
        )
        client.timed_out = []
        return client

    def _add_member(self, group: int) -> GroupProcess:
        rng = self._rng.split(f"member {len(self.members)}")
        plan = self._plan.groups[group]
        member = GroupProcess(
            self._world,
            f"member-{len(self.members)}",
            plan,
            self.witnesses[group],
            self._committing,
            is_static=rng.chance(self._plan.static_percent),
            is_consumer=rng.chance(self._plan.consumer_percent) if plan.migrates else None,
            pace=self._plan.pace,
        )
        self.members.append(member)
        return member

    def _committing(self, owner: GroupProcess, life: Life) -> Committing:
        return Committing(
            owner, life, owner.client(life.process, f"{owner.name} commits", GroupSimClient), owner.rng.split("work")
        )

    # -- faults

    async def _play_events(self) -> None:
        now_ms = 0
        for event in self._plan.events:
            await sleep_ms(event.at_ms - now_ms)
            now_ms = event.at_ms
            self._carry_out(event)
        await sleep_ms(self._plan.duration_ms - now_ms)
        for restart in self._pending_restarts:
            await restart

    def _carry_out(self, event: Event) -> None:
        member = self.members[event.member % len(self.members)]
        if event.kind is MemberEvent.START:
            if len(self.members) < MAX_MEMBERS:
                self._add_member(event.member % len(self._plan.groups)).start()
        elif event.kind is MemberEvent.PAUSE:
            member.pause()
            self._pending_restarts.append(asyncio.ensure_future(_after(event.amount_ms or 0, member.resume)))
        elif event.kind is MemberEvent.CRASH:
            member.crash()
            self._restart(member, event.amount_ms)
        elif member.is_running:
            if event.kind is MemberEvent.SWITCH and member.plan.migrates:
                member.is_consumer = not member.is_consumer
            self._pending_restarts.append(asyncio.ensure_future(self._leave(member, event.amount_ms)))

    def _restart(self, member: GroupProcess, after_ms: int | None) -> None:
        if after_ms is not None:
            self._pending_restarts.append(asyncio.ensure_future(_after(after_ms, member.start_if_down)))

    async def _leave(self, member: GroupProcess, after_ms: int | None) -> None:
        life = member.life
        try:
            await member.stop(leaves=True)
        except TimeoutError:
            # It was paused, or the broker was down. It ends without LeaveGroup.
            if life is not None:
                life.process.kill()
        if after_ms is not None:
            await sleep_ms(after_ms)
            member.start_if_down()

    # -- the end

    async def _finish(self) -> None:
        self._plan.pace.stop_delays()
        for member in self.members:
            member.resume()
        await self._await_stable()
        await self._let_upgrade()
        for member in self.members:
            for client in member.clients:
                client.must_respond = True
        await asyncio.sleep(2 * HEARTBEAT_MS / 1000)
        for number, member in enumerate(self.members):
            try:
                await member.stop(leaves=number % 2 == 0)
            except TimeoutError:
                self.history.found("liveness", f"{member.name} does not stop")
            for text in member.timed_out:
                self.history.found("no-response", text)
        await self._read_committed()

    async def _await_stable(self) -> None:
        """Nothing happens any more: within two session timeouts every group has shared out its partitions."""
        began_s = self._world.loop.time()
        deadline_s = began_s + 2 * SESSION_MS / 1000
        while self._world.loop.time() < deadline_s:
            if not self._unsettled():
                self._world.trace.event("stable after", round(self._world.loop.time() - began_s, 3))
                return
            await asyncio.sleep(0.1)
        for text in self._unsettled():
            self.history.found("rebalance-does-not-end", text)

    async def _let_upgrade(self) -> None:
        """A consumer member that a classic group refuses waits until the last classic member has gone."""
        refusing = [plan.group_id for plan in self._plan.groups if self._waiting_for_upgrade(self._running(plan))]
        if not refusing:
            return
        for member in self.members:
            if member.plan.group_id in refusing and not member.is_consumer:
                await self._leave(member, None)
        self._world.trace.event("the classic members have gone", *refusing)
        await self._await_stable()

    def _running(self, plan: GroupPlan) -> list[GroupProcess]:
        return [each for each in self.members if each.plan.group_id == plan.group_id and each.is_running]

    def _waiting_for_upgrade(self, members: list[GroupProcess]) -> list[GroupProcess]:
        """Those that must wait: only where groups are not upgraded to consumer groups, and beside classic members."""
        if MigrationPolicy(self._plan.migration_policy).may_upgrade:
            return []
        outside = [each for each in members if each.life is not None and each.life.membership.commit_identity is None]
        inside = [each for each in members if each not in outside]
        is_classic = bool(inside) and not any(each.is_consumer for each in inside)
        return [each for each in outside if each.is_consumer] if is_classic else []

    def _unsettled(self) -> list[str]:
        texts = []
        for plan in self._plan.groups:
            members = self._running(plan)
            waiting = self._waiting_for_upgrade(members)
            members = [each for each in members if each not in waiting]
            lives = [each.life.membership for each in members if each.life is not None]
            identities = [life.commit_identity for life in lives]
            epochs = sorted({-1 if identity is None else identity.epoch for identity in identities})
            owned = sorted(partition for life in lives for partition in life.owned)
            if members and (len(epochs) != 1 or owned != sorted(plan.partitions)):
                texts.append(f"{plan.group_id}: {len(members)} members at {epochs} have {owned} of {plan.partitions}")
        return texts

    async def _read_committed(self) -> None:
        client = self.client("reader")
        try:
            async with asyncio.timeout(LIVENESS_S):
                for plan, witness in zip(self._plan.groups, self.witnesses, strict=True):
                    await _fetch_offsets_until_known(client, plan, witness)
        except TimeoutError:
            self.history.found("liveness", f"committed offsets cannot be read {LIVENESS_S} s after the end")


async def _fetch_offsets_until_known(client: GroupSimClient, plan: GroupPlan, witness: GroupWitness) -> None:
    while True:
        try:
            code, offsets = await client.committed(plan.group_id, plan.partitions, None, is_consumer=False)
        except CLIENT_ERRORS:
            code, offsets = ErrorCode.REQUEST_TIMED_OUT, {}
        if code in (ErrorCode.NONE, ErrorCode.GROUP_ID_NOT_FOUND):
            witness.fetched(witness.floor(), offsets)
            return
        await asyncio.sleep(0.1)


async def _after(delay_ms: int, act: Callable[[], None]) -> None:
    await sleep_ms(delay_ms)
    act()


def run_groups(seed: int, show: Callable[[str], None] | None = None, plan: Plan | None = None) -> RunResult:
    with SimWorld(seed, show=show) as world:
        plan = plan or make_plan(world.rng.split("plan"))
        if show is not None:
            show(f"plan: {plan}")
        run = Groups(world, plan)
        world.run(run.run())
        commit_count = sum(witness.commit_count for witness in run.witnesses)
        refused_count = sum(witness.refused_late_count for witness in run.witnesses)
        return RunResult.of(world, run.node, run.history.findings, acked_count=commit_count, read_count=refused_count)
