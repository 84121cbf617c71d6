"""The client library against one broker with faults: idempotent producers and transactions, as users have them.

The broker's own workloads use small clients that tell exactly what happened to each request; here the unchanged product
retries, recovers and gives up by itself, and what it promises is checked.
"""

import asyncio
from collections.abc import Callable
from functools import partial

from ottla.model.topic import TopicPartition
from ottla.sim.broker_service import PORT
from ottla.sim.checkers import check_history
from ottla.sim.checkers.transfers import transfer_findings
from ottla.sim.client import SimClient
from ottla.sim.client_producers import ClientProducer, ClientTransfers
from ottla.sim.faults import make_schedule
from ottla.sim.history import History
from ottla.sim.last_look import insist, wait_for_stable_end
from ottla.sim.node import SimNode
from ottla.sim.run_result import RunResult
from ottla.sim.supervisor import Supervisor
from ottla.sim.transactional_client import TransactionalSimClient
from ottla.sim.workloads.produce_consume import BROKER, LIVENESS_S, create_topics, ended, make_node, read_all
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
        supervisor = Supervisor(self._world, self._node, [worker.name for worker in workers], lambda _: None)
        await self._node.start()
        await self._create(_SYNCED if may_lose_power else {})
        keeper = asyncio.ensure_future(supervisor.keep_up())
        working = [asyncio.ensure_future(worker.run()) for worker in workers]
        await supervisor.play(schedule)
        await asyncio.sleep(duration_ms / 1000)
        await supervisor.heal()
        for worker in workers:
            worker.stop()
        if supervisor.error is not None:
            self.history.found("start-failed", repr(supervisor.error))
        else:
            await ended("client", working, self.history)
            await self._look_at_the_end()
        for task in (keeper, *working):
            task.cancel()

    async def _create(self, config: dict[str, str]) -> None:
        topics = {"orders": 2, "debits": 1, "credits": 1}
        for topic, count in topics.items():
            client = SimClient(self._world.client_doors("admin").network, BROKER, PORT, "admin", by_topic_id=False)
            await create_topics(client, {topic: config}, partition_count=count)

    async def _look_at_the_end(self) -> None:
        network = self._world.client_doors("reader").network
        reader = TransactionalSimClient(network, BROKER, PORT, "reader", by_topic_id=False, timeout_ms=3_000)
        try:
            async with asyncio.timeout(LIVENESS_S):
                for partition in ORDERS:
                    self.history.final[partition] = await read_all(reader, partition, self._rng.split(str(partition)))
                for partition in TRANSFERS:
                    await wait_for_stable_end(reader, partition, self.history, timeout_ms=_TRANSACTION_TIMEOUT_MS)
                seen = {each: await insist(partial(reader.committed_values, each)) for each in TRANSFERS}
        except TimeoutError:
            self.history.found("liveness", f"the partitions cannot be read {LIVENESS_S} s after the end")
            return
        outcomes = {value: done for mover in self.transfers for value, done in mover.outcomes.items()}
        self.history.findings += transfer_findings(outcomes, seen)


def run_client(seed: int, show: Callable[[str], None] | None = None) -> RunResult:
    with SimWorld(seed, show=show) as world:
        node = make_node(world, _SETTINGS)
        run = ClientRun(world, node)
        world.run(run.run())
        committed = sum(done is True for mover in run.transfers for done in mover.outcomes.values())
        acked_count = len(run.history.acked) + committed
        read_count = sum(len(reads) for reads in run.history.final.values())
        return RunResult.of(world, node, check_history(run.history), acked_count=acked_count, read_count=read_count)
