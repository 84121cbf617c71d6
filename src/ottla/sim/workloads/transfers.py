"""Transactions over two topics, on one broker with faults: all or nothing, once, and no reader is held forever.

Random faults, and two producers of one transactional id now and then. `every_transaction_write` is the systematic part.
"""

import asyncio
from collections.abc import Callable

from ottla.model.topic import TopicPartition
from ottla.sim.broker_service import PORT
from ottla.sim.checkers.stable_offsets import StableOffsetWatch
from ottla.sim.client import LogClient
from ottla.sim.faults import make_schedule
from ottla.sim.final_checks import check_transfers
from ottla.sim.history import History
from ottla.sim.node import SimNode
from ottla.sim.rng import SimRng
from ottla.sim.run_result import RunResult
from ottla.sim.supervisor import Supervisor
from ottla.sim.transactional_client import TransactionalSimClient, TransferProducer
from ottla.sim.workloads.produce_consume import BROKER, create_topics, ended, make_node
from ottla.sim.world import SimWorld

PARTITIONS = [TopicPartition("debits", 0), TopicPartition("credits", 0)]
TIMEOUT_MS = 4_000
_SYNCED = {"flush.messages": "1"}
SETTINGS = {
    "transaction.state.log.num.partitions": "3",
    "transaction.state.log.replication.factor": "1",
    "offsets.topic.num.partitions": "1",
    "log.flush.offset.checkpoint.interval.ms": "300",
}


class Transfers:
    """One run: producers that run until they are stopped, then the final checks."""

    def __init__(self, world: SimWorld, node: SimNode) -> None:
        self.history = History()
        self.producers: list[TransferProducer] = []
        self.watch = StableOffsetWatch(node, self.history, timeout_ms=TIMEOUT_MS)
        self._world = world
        self._node = node

    def client(self, name: str) -> TransactionalSimClient:
        network = self._world.client_doors(name).network
        return TransactionalSimClient(network, BROKER, PORT, name, by_topic_id=False, timeout_ms=3_000)

    def add_producer(self, name: str, transactional_id: str) -> TransferProducer:
        producer = TransferProducer(self.client(name), transactional_id, PARTITIONS, timeout_ms=TIMEOUT_MS)
        self.producers.append(producer)
        return producer

    async def check_outcome(self) -> None:
        outcomes = {value: done for producer in self.producers for value, done in producer.outcomes.items()}
        await check_transfers(self.client("reader"), PARTITIONS, outcomes, self.history, timeout_ms=TIMEOUT_MS)


async def _create(client: LogClient, config: dict[str, str]) -> None:
    for _ in range(100):
        try:
            await create_topics(client, {each.topic: config for each in PARTITIONS}, partition_count=1)
            return
        except OSError:
            await asyncio.sleep(0.1)
    raise TimeoutError("no broker to create the topics at")


# -- random faults


def run_transfers(seed: int, show: Callable[[str], None] | None = None) -> RunResult:
    with SimWorld(seed, show=show) as world:
        node = make_node(world, SETTINGS)
        run = Transfers(world, node)
        world.run(_play_faults(world, node, run))
        return _result(world, node, run)


async def _play_faults(world: SimWorld, node: SimNode, run: Transfers) -> None:
    rng = world.rng.split("workload")
    may_lose_power = rng.chance(50)
    duration_ms = rng.between(3_000, 10_000)
    schedule = make_schedule(rng.split("faults"), duration_ms=duration_ms, may_lose_power=may_lose_power)
    names = [f"producer-{number}" for number in range(rng.between(1, 3))]
    supervisor = Supervisor(world, node, names, lambda _: None)
    await node.start()
    run.watch.start()
    await _create(run.client("admin"), _SYNCED if may_lose_power else {})
    keeper = asyncio.ensure_future(supervisor.keep_running())
    shares_id = rng.chance(50)
    stop = asyncio.Event()
    working = []
    for name in names:
        producer = run.add_producer(name, "shared" if shares_id else name)
        working.append(asyncio.ensure_future(_keep_transferring(producer, name, rng.split(name), stop)))
    is_up = await supervisor.play_and_heal(schedule, duration_ms, run.history)
    stop.set()
    if is_up:
        await ended("producer", working, run.history)
        await run.check_outcome()
    run.watch.stop()
    for task in (keeper, *working):
        task.cancel()


async def _keep_transferring(producer: TransferProducer, name: str, rng: SimRng, stop: asyncio.Event) -> None:
    number = 0
    while not stop.is_set():
        number += 1
        if rng.chance(3):
            await producer.abandon(f"{name}/{number}".encode())
            # Under another id: nobody but time ends what was abandoned.
            producer.use_transactional_id(f"{name}/{number}")
            continue
        await producer.transfer(f"{name}/{number}".encode(), committed=rng.chance(70))
        # Producers that share an id fence each other all the time; a pause now and then lets one get through.
        await asyncio.sleep(rng.one_of((0, 0.01, 0.3, 6)) if rng.chance(30) else 0)
    if rng.chance(50):
        await producer.abandon(f"{name}/last".encode())


def _result(world: SimWorld, node: SimNode, run: Transfers) -> RunResult:
    outcomes = [done for producer in run.producers for done in producer.outcomes.values()]
    return RunResult.of(world, node, run.history.findings, acked_count=outcomes.count(True), read_count=len(outcomes))
