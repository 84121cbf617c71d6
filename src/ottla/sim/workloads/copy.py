"""Exactly once: a group of copiers, each with transactions of its own; copiers and the broker crash, requests are late.

Phases: the input is written; copiers copy, with faults; then nothing more happens, and all of the input must be in all
outputs, once, within a minute of simulated time.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from ottla.records.builder import build_batch
from ottla.records.record import Record
from ottla.sim.broker_service import PORT
from ottla.sim.checkers.copies import copy_findings
from ottla.sim.checkers.groups import GroupWitness
from ottla.sim.checkers.stable_offsets import StableOffsetWatch
from ottla.sim.client import ACKS_ALL
from ottla.sim.clock import WALL_START_MS
from ottla.sim.copier import Copier
from ottla.sim.faults import FaultSchedule, make_schedule
from ottla.sim.final_checks import LIVENESS_S, retry, wait_for_stable_end
from ottla.sim.group_client import GroupPlan
from ottla.sim.group_process import GroupProcess, Life
from ottla.sim.history import History
from ottla.sim.late_requests import CopyClient, LateRequests
from ottla.sim.rng import SimRng
from ottla.sim.run_result import RunResult
from ottla.sim.supervisor import Supervisor
from ottla.sim.transactional_client import READ_UNCOMMITTED
from ottla.sim.workloads.groups import HEARTBEAT_MS, SESSION_MS
from ottla.sim.workloads.groups import SETTINGS as GROUP_SETTINGS
from ottla.sim.workloads.produce_consume import BROKER, create_topics, make_node
from ottla.sim.workloads.transfers import SETTINGS as TRANSACTION_SETTINGS
from ottla.sim.world import SimWorld, sleep_ms

GROUP = "copiers"
OUTPUTS = [TopicPartition("left", 0), TopicPartition("right", 0)]
TIMEOUT_MS = 6_000
_SYNCED = {"flush.messages": "1"}


class Strike(NamedTuple):
    """Something that happens to a copier: it crashes and comes back, or pauses."""

    at_ms: int
    copier: int
    is_crash: bool
    length_ms: int


class Plan(NamedTuple):
    duration_ms: int
    inputs: list[TopicPartition]
    record_count: int
    copier_count: int
    assignor: str | None
    is_static: bool
    late_percent: int
    delay_percent: int
    max_executor_delay_ms: int
    schedule: FaultSchedule
    strikes: list[Strike]


def make_plan(rng: SimRng) -> Plan:
    duration_ms = rng.between(4_000, 12_000)
    return Plan(
        duration_ms,
        [TopicPartition("input", i) for i in range(rng.between(1, 4))],
        rng.between(20, 120),
        rng.between(1, 5),
        rng.one_of(("range", "cooperative-sticky", None, None)),
        rng.chance(30),
        rng.one_of((0, 5, 20)),
        rng.one_of((2, 10, 35)),
        rng.one_of((0, 2, 20)),
        make_schedule(rng.split("faults"), duration_ms=duration_ms, may_lose_power=True),
        sorted(
            Strike(rng.below(duration_ms), rng.below(100), rng.chance(60), rng.between(10, 3 * SESSION_MS))
            for _ in range(rng.one_of((0, 4, 10)))
        ),
    )


class Copy:
    """One run."""

    def __init__(self, world: SimWorld, plan: Plan) -> None:
        self.history = History()
        self.node = make_node(world, {**GROUP_SETTINGS, **TRANSACTION_SETTINGS})
        self.node.max_executor_delay_ms = plan.max_executor_delay_ms
        self.watch = StableOffsetWatch(self.node, self.history, timeout_ms=TIMEOUT_MS)
        self.put_in: list[bytes] = []
        self.seen_count = 0
        self._works: list[Copier] = []
        self._world = world
        self._plan = plan
        self._rng = world.rng.split("workload")
        self._late = LateRequests(
            world, BROKER, world.rng.split("late"), percent=plan.late_percent, max_delay_ms=2 * TIMEOUT_MS
        )
        group = GroupPlan(GROUP, plan.inputs, plan.assignor, SESSION_MS, HEARTBEAT_MS)
        witness = GroupWitness(GROUP, self.history, world.loop, session_timeout_ms=SESSION_MS)
        self.copiers = [
            GroupProcess(world, f"copier-{number}", group, witness, self._copier, is_static=plan.is_static)
            for number in range(plan.copier_count)
        ]

    async def run(self) -> None:
        await self.node.start()
        self.watch.start()
        await self._put_in()
        supervisor = Supervisor(self._world, self.node, [copier.name for copier in self.copiers], lambda _: None)
        keeper = asyncio.ensure_future(supervisor.keep_running())
        for copier in self.copiers:
            copier.start()
        strikes = asyncio.ensure_future(self._strike())
        await supervisor.play(self._plan.schedule)
        await strikes
        await supervisor.heal()
        if supervisor.error is not None:
            self.history.found("start-failed", repr(supervisor.error))
        else:
            await self._finish()
        self.watch.stop()
        keeper.cancel()

    def client(self, name: str) -> CopyClient:
        network = self._world.client_doors(name).network
        client = CopyClient(network, BROKER, PORT, name, by_topic_id=False, timeout_ms=3_000)
        client.timed_out = []
        return client

    def _copier(self, owner: GroupProcess, life: Life) -> Copier:
        client = owner.client(life.process, f"{owner.name} copies", CopyClient)
        client.late = self._late
        rng = owner.rng.split(f"work {life.process.name}")
        work = Copier(
            client,
            owner.plan,
            life.membership,
            owner.name,
            OUTPUTS,
            rng,
            timeout_ms=TIMEOUT_MS,
            delay_percent=self._plan.delay_percent,
        )
        self._works.append(work)
        return work

    async def _put_in(self) -> None:
        client = self.client("admin")
        await create_topics(client, {"input": _SYNCED}, partition_count=len(self._plan.inputs))
        await create_topics(client, {each.topic: _SYNCED for each in OUTPUTS}, partition_count=1)
        await client.connected()
        for number in range(self._plan.record_count):
            value = b"%d" % number
            self.put_in.append(value)
            topic, index = self._rng.one_of(self._plan.inputs)
            batch = bytes(build_batch([Record(0, WALL_START_MS, None, value, ())]))
            sent = client.send_batch(topic, index, batch, acks=ACKS_ALL)
            assert sent is not None
            outcome = await sent
            assert outcome.code is ErrorCode.NONE
        client.close()

    async def _strike(self) -> None:
        now_ms = 0
        returns = []
        for strike in self._plan.strikes:
            await sleep_ms(strike.at_ms - now_ms)
            now_ms = strike.at_ms
            copier = self.copiers[strike.copier % len(self.copiers)]
            if strike.is_crash:
                copier.crash()
            else:
                copier.pause()
            returns.append(asyncio.ensure_future(_bring_back(copier, strike.length_ms)))
        await sleep_ms(self._plan.duration_ms - now_ms)
        for coming in returns:
            await coming

    # -- the end

    async def _finish(self) -> None:
        self._late.percent = 0
        for work in self._works:
            work.delay_percent = 0
        for copier in self.copiers:
            copier.resume()
        is_complete = await self._all_copied()
        for copier in self.copiers:
            try:
                await copier.stop(leaves=True)
            except TimeoutError:
                self.history.found("liveness", f"{copier.name} does not stop")
        await self._late.arrived()
        reader = self.client("reader")
        for output in OUTPUTS:
            await wait_for_stable_end(reader, output, self.history, timeout_ms=TIMEOUT_MS)
        seen = {output: await retry(partial(reader.committed_values, output)) for output in OUTPUTS}
        self.seen_count = sum(map(len, seen.values()))
        self.history.findings += copy_findings(self.put_in, seen, is_complete=is_complete)

    async def _all_copied(self) -> bool:
        client = self.client("watcher")
        try:
            async with asyncio.timeout(LIVENESS_S):
                ends = {
                    each: await retry(partial(client.end_offset, each, READ_UNCOMMITTED)) for each in self._plan.inputs
                }
                while True:
                    code, offsets = await retry(
                        partial(client.committed, GROUP, self._plan.inputs, None, is_consumer=False)
                    )
                    if code is ErrorCode.NONE and all(max(offsets[each], 0) == end for each, end in ends.items()):
                        return True
                    await asyncio.sleep(0.2)
        except TimeoutError:
            self.history.found("liveness", f"the input is not copied {LIVENESS_S} s after the last fault")
            return False


async def _bring_back(copier: GroupProcess, after_ms: int) -> None:
    await sleep_ms(after_ms)
    copier.resume()
    copier.start_if_down()


def run_copy(seed: int, show: Callable[[str], None] | None = None, plan: Plan | None = None) -> RunResult:
    with SimWorld(seed, show=show) as world:
        plan = plan or make_plan(world.rng.split("plan"))
        if show is not None:
            show(f"plan: {plan}")
        run = Copy(world, plan)
        world.run(run.run())
        return RunResult.of(
            world, run.node, run.history.findings, acked_count=len(run.put_in), read_count=run.seen_count
        )
