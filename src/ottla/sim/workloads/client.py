"""The client library against one broker with faults: producers, transactions and groups, as users have them.

The broker's own workloads use small clients that report exactly what happened to each request; here the unchanged
product retries, recovers and gives up by itself, and what it promises is checked.
"""

import asyncio
from collections.abc import Callable

from ottla.client.admin.admin import AsyncAdmin
from ottla.client.admin.topics import NewTopic
from ottla.model.topic import TopicPartition
from ottla.sim.broker_service import PORT
from ottla.sim.checkers import check_history
from ottla.sim.client_consumers import ClientMember, GroupReads, a_group_plan
from ottla.sim.client_producers import ClientProducer, ClientTransfers
from ottla.sim.faults import make_schedule
from ottla.sim.final_checks import LIVENESS_S, check_transfers
from ottla.sim.history import History
from ottla.sim.node import SimNode
from ottla.sim.run_result import RunResult
from ottla.sim.supervisor import Supervisor
from ottla.sim.transactional_client import TransactionalSimClient
from ottla.sim.workloads.produce_consume import BROKER, ended, make_node, read_all
from ottla.sim.world import SimWorld

SERVERS = f"{BROKER}:{PORT}"
ORDERS = [TopicPartition("orders", number) for number in range(2)]
TRANSFERS = [TopicPartition("debits", 0), TopicPartition("credits", 0)]
_TRANSACTION_TIMEOUT_MS = 4000
_SYNCED = {"flush.messages": "1"}
_SETTINGS = {
    "transaction.state.log.num.partitions": "3",
    "transaction.state.log.replication.factor": "1",
    "log.flush.offset.checkpoint.interval.ms": "300",
    "offsets.topic.num.partitions": "2",
    "group.initial.rebalance.delay.ms": "0",
    "group.consumer.session.timeout.ms": "6000",
    "group.consumer.min.session.timeout.ms": "1000",
    "group.consumer.heartbeat.interval.ms": "500",
    "group.consumer.min.heartbeat.interval.ms": "100",
}


class ClientRun:
    """One run."""

    def __init__(self, world: SimWorld, node: SimNode) -> None:
        self.history = History()
        self._world = world
        self._node = node
        self._rng = world.rng.split("workload")
        self.producers = [self._producer(number) for number in range(self._rng.between(1, 3))]
        self.transfers = [self._transfers(number) for number in range(self._rng.between(0, 2))]
        self._groups: list[GroupReads] = []
        self.members = [
            member for number in range(self._rng.between(0, 2)) for member in self._group(f"group-{number}")
        ]

    def _group(self, name: str) -> list[ClientMember]:
        rng = self._rng.split(name)
        plan, reads = a_group_plan(name, SERVERS, "orders", rng), GroupReads(self.history)
        self._groups.append(reads)
        names = [f"{name}-{number}" for number in range(rng.between(1, 3))]
        return [
            ClientMember(each, plan, self._world.client_doors(each), reads, self.history, rng.split(each))
            for each in names
        ]

    def _producer(self, number: int) -> ClientProducer:
        name = f"producer-{number}"
        partition = self._rng.one_of(ORDERS)
        doors = self._world.client_doors(name)
        return ClientProducer(name, SERVERS, doors, partition, self.history, self._rng.split(name))

    def _transfers(self, number: int) -> ClientTransfers:
        name = f"mover-{number}"
        return ClientTransfers(name, SERVERS, self._world.client_doors(name), TRANSFERS, self._rng.split(name))

    async def run(self) -> None:
        may_lose_power = self._rng.chance(50)
        duration_ms = self._rng.between(3_000, 10_000)
        schedule = make_schedule(self._rng.split("faults"), duration_ms=duration_ms, may_lose_power=may_lose_power)
        workers: list[ClientProducer | ClientTransfers] = [*self.producers, *self.transfers]
        names = [worker.name for worker in (*workers, *self.members)]
        supervisor = Supervisor(self._world, self._node, names, lambda _: None)
        await self._node.start()
        await self._create(_SYNCED if may_lose_power else {})
        keeper = asyncio.ensure_future(supervisor.keep_running())
        working = [asyncio.ensure_future(worker.run()) for worker in workers]
        reading = [asyncio.ensure_future(member.run()) for member in self.members]
        is_up = await supervisor.play_and_heal(schedule, duration_ms, self.history)
        for worker in workers:
            worker.stop()
        for member in self.members:
            member.only_read()
        if is_up:
            await ended("client", working, self.history)
            await self._check_outcome()
            await self._groups_read_all()
            for member in self.members:
                member.stop()
            await ended("member", reading, self.history)
        for task in (keeper, *working, *reading):
            task.cancel()

    async def _create(self, config: dict[str, str]) -> None:
        counts = {"orders": 2, "debits": 1, "credits": 1}
        async with AsyncAdmin(bootstrap_servers=SERVERS, world=self._world.client_doors("admin")) as admin:
            await admin.create_topics([NewTopic(name, count, 1, config) for name, count in counts.items()])

    async def _groups_read_all(self) -> None:
        ends = {partition: len(reads) for partition, reads in self.history.final.items()}
        for reads in self._groups:
            try:
                async with asyncio.timeout(LIVENESS_S):
                    while not reads.has_all(ends):  # noqa: ASYNC110  what members read is no event
                        await asyncio.sleep(0.1)
            except TimeoutError:
                self.history.found(
                    "liveness", f"a group has not read all {LIVENESS_S} s after the end: {reads.missing(ends)}"
                )

    async def _check_outcome(self) -> None:
        network = self._world.client_doors("reader").network
        reader = TransactionalSimClient(network, BROKER, PORT, "reader", by_topic_id=False, timeout_ms=3_000)
        try:
            async with asyncio.timeout(LIVENESS_S):
                for partition in ORDERS:
                    self.history.final[partition] = await read_all(reader, partition, self._rng.split(str(partition)))
        except TimeoutError:
            self.history.found("liveness", f"the partitions cannot be read {LIVENESS_S} s after the end")
            return
        outcomes = {value: done for mover in self.transfers for value, done in mover.outcomes.items()}
        await check_transfers(reader, TRANSFERS, outcomes, self.history, timeout_ms=_TRANSACTION_TIMEOUT_MS)


def run_client(seed: int, show: Callable[[str], None] | None = None) -> RunResult:
    with SimWorld(seed, show=show) as world:
        node = make_node(world, _SETTINGS)
        run = ClientRun(world, node)
        world.run(run.run())
        committed = sum(done is True for mover in run.transfers for done in mover.outcomes.values())
        acked_count = len(run.history.acked) + committed
        read_count = sum(len(reads) for reads in run.history.final.values())
        return RunResult.of(world, node, check_history(run.history), acked_count=acked_count, read_count=read_count)
