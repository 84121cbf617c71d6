"""Transactions on topics that do not sync before each ack, on a machine that loses its power now and then.

Power loss may take the tail of each partition: data, markers, or both. What is left must show what was decided, and no
reader may be held forever. Transactions are short and go to any of the partitions, so that a producer is often several
transactions ahead of what is on the device. The transaction log is compacted all the time.
"""

import asyncio
from collections.abc import Callable
from functools import partial

from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from ottla.protocol.generated import fetch_request
from ottla.records.reader import iterate_batches
from ottla.sim.broker_service import PORT
from ottla.sim.checkers.stable_offsets import StableOffsetWatch
from ottla.sim.checkers.survivors import survivor_findings
from ottla.sim.faults import Fault, FaultKind, FaultSchedule, make_schedule
from ottla.sim.final_checks import LIVENESS_S, retry, wait_for_stable_end
from ottla.sim.history import History
from ottla.sim.node import SimNode
from ottla.sim.rng import SimRng
from ottla.sim.run_result import RunResult
from ottla.sim.supervisor import Supervisor
from ottla.sim.transactional_client import (
    READ_COMMITTED,
    READ_UNCOMMITTED,
    TransactionalSimClient,
    TransferProducer,
    visible_values,
)
from ottla.sim.workloads.produce_consume import BROKER, create_topics, ended, make_node
from ottla.sim.world import SimWorld

PARTITIONS = [TopicPartition(name, 0) for name in ("orders", "payments", "parcels")]
TIMEOUT_MS = 4_000
_BY_NAME = 12
SETTINGS = {
    "transaction.state.log.num.partitions": "2",
    "transaction.state.log.replication.factor": "1",
    "log.flush.offset.checkpoint.interval.ms": "300",
    "log.roll.ms": "300",
    "log.cleaner.backoff.ms": "200",
    "log.cleaner.min.cleanable.ratio": "0.01",
}


class ScatteringProducer(TransferProducer):
    """Each of its transactions goes to some of the partitions."""

    async def scatter(self, value: bytes, partitions: list[TopicPartition], *, committed: bool) -> None:
        self._partitions = partitions
        await self.transfer(value, committed=committed)


class Reader(TransactionalSimClient):
    async def values(self, partition: TopicPartition, isolation_level: int) -> list[bytes]:
        asked = fetch_request.Partitions(partition.partition, fetch_offset=0, partition_max_bytes=1 << 24)
        found: list[bytes] = []
        end_offset = await self.end_offset(partition, isolation_level)
        while asked.fetch_offset < end_offset:
            request = fetch_request.FetchRequest(
                max_wait_ms=0,
                max_bytes=1 << 24,
                isolation_level=isolation_level,
                topics=[fetch_request.Topics(topic=partition.topic, partitions=[asked])],
            )
            partition_response = (await self._ask(request, _BY_NAME)).responses[0].partitions[0]
            if partition_response.error_code:
                raise ConnectionError(ErrorCode(partition_response.error_code).name)
            found += visible_values(partition_response)
            batches = iterate_batches(partition_response.records or b"", allow_partial=True)
            last = [header.next_offset for _, header in batches]
            asked.fetch_offset = last[-1] if last else end_offset
        return found


class LostPower:
    """One run."""

    def __init__(self, world: SimWorld, rng: SimRng) -> None:
        self.history = History()
        self.producers: list[ScatteringProducer] = []
        settings = {"ottla.log.background.flush.interval.ms": rng.one_of(("0", "100", "1000"))}
        self.node: SimNode = make_node(world, SETTINGS | settings)
        self.node.max_executor_delay_ms = rng.one_of((0, 2, 20))
        self.watch = StableOffsetWatch(self.node, self.history, timeout_ms=TIMEOUT_MS)
        self._world = world
        self._rng = rng

    def client(self, name: str, *, knows_tv2: bool) -> Reader:
        network = self._world.client_doors(name).network
        client = Reader(network, BROKER, PORT, name, by_topic_id=False, timeout_ms=3_000)
        client.knows_tv2 = knows_tv2
        return client

    async def run(self) -> None:
        rng = self._rng
        duration_ms = rng.between(3_000, 8_000)
        names = [f"producer-{number}" for number in range(rng.between(1, 3))]
        supervisor = Supervisor(self._world, self.node, names, lambda _: None)
        await self.node.start()
        self.watch.start()
        topics: dict[str, dict[str, str]] = {each.topic: {} for each in PARTITIONS}
        await create_topics(self.client("admin", knows_tv2=True), topics, partition_count=1)
        keeper = asyncio.ensure_future(supervisor.keep_running())
        stop = asyncio.Event()
        working = [asyncio.ensure_future(self._produce(name, rng.split(name), stop)) for name in names]
        is_up = await supervisor.play_and_heal(_schedule(rng.split("faults"), duration_ms), duration_ms, self.history)
        stop.set()
        if is_up:
            await ended("producer", working, self.history)
            await self._check_outcome()
        self.watch.stop()
        for task in (keeper, *working):
            task.cancel()

    async def _produce(self, name: str, rng: SimRng, stop: asyncio.Event) -> None:
        producer = ScatteringProducer(self.client(name, knows_tv2=rng.chance(50)), name, [], timeout_ms=TIMEOUT_MS)
        self.producers.append(producer)
        number = 0
        while not stop.is_set():
            number += 1
            partitions = rng.some_of(PARTITIONS) or PARTITIONS
            await producer.scatter(f"{name}/{number}".encode(), partitions, committed=rng.chance(60))
            await asyncio.sleep(rng.one_of((0.01, 0.3)) if rng.chance(20) else 0)

    async def _check_outcome(self) -> None:
        reader = self.client("reader", knows_tv2=True)
        try:
            async with asyncio.timeout(LIVENESS_S):
                for each in PARTITIONS:
                    await wait_for_stable_end(reader, each, self.history, timeout_ms=TIMEOUT_MS)
                left = {each: await retry(partial(reader.values, each, READ_UNCOMMITTED)) for each in PARTITIONS}
                seen = {each: await retry(partial(reader.values, each, READ_COMMITTED)) for each in PARTITIONS}
        except TimeoutError:
            self.history.found("liveness", f"the partitions cannot be read {LIVENESS_S} s after the end")
            return
        self.history.findings += survivor_findings(self.outcomes(), left, seen)

    def outcomes(self) -> dict[bytes, bool | None]:
        return {value: done for producer in self.producers for value, done in producer.outcomes.items()}


def _schedule(rng: SimRng, duration_ms: int) -> FaultSchedule:
    """Faults that lose nothing, and power loss."""
    faults = make_schedule(rng, duration_ms=duration_ms, may_lose_power=False).faults
    for _ in range(rng.between(1, 3)):
        at_ms, downtime_ms = rng.below(duration_ms), rng.below(2_000)
        faults.append(Fault(at_ms, FaultKind.POWER_LOSS, downtime_ms, loses_power=True, nasty=rng.chance(40)))
    return FaultSchedule(sorted(faults, key=lambda fault: fault.at_ms))


def run_lost_power(seed: int, show: Callable[[str], None] | None = None) -> RunResult:
    with SimWorld(seed, show=show) as world:
        run = LostPower(world, world.rng.split("workload"))
        world.run(run.run())
        outcomes = list(run.outcomes().values())
        return RunResult.of(
            world, run.node, run.history.findings, acked_count=outcomes.count(True), read_count=len(outcomes)
        )
