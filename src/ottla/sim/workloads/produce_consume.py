"""Producers and consumers on one broker that is killed, stopped, cut off, starved of disk, and started again.

Phases: create the topics; run with faults (safety only); heal, and everything must end within a minute of
simulated time (liveness); read all and check.
"""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from ottla.sim.broker_service import PORT, make_broker
from ottla.sim.checkers import check_history
from ottla.sim.checkers.recovered_state import recovered_state_findings
from ottla.sim.checkers.watermarks import watermark_findings
from ottla.sim.client import LATEST, LogClient, SimClient
from ottla.sim.consumer import SimConsumer
from ottla.sim.faults import Fault, FaultSchedule, make_schedule
from ottla.sim.final_checks import LIVENESS_S
from ottla.sim.history import History, Read
from ottla.sim.node import SimNode
from ottla.sim.producer import CLIENT_ERRORS, SimProducer
from ottla.sim.rng import SimRng
from ottla.sim.run_result import RunResult
from ottla.sim.supervisor import Supervisor
from ottla.sim.world import SimWorld

BROKER = "broker"
_CREATED = (ErrorCode.NONE, ErrorCode.TOPIC_ALREADY_EXISTS)


class Plan(NamedTuple):
    """Everything that is decided before the run."""

    duration_ms: int
    partitions: list[TopicPartition]
    topic_configs: dict[str, dict[str, str]]
    broker_settings: dict[str, str]
    producer_count: int
    consumer_count: int
    max_executor_delay_ms: int
    schedule: FaultSchedule


class Scenario(NamedTuple):
    """A schedule that is given instead of drawn. `syncs`: the topics sync before each ack."""

    faults: tuple[Fault, ...]
    syncs: bool
    #: Small ones are rolled often.
    segment_bytes: int | None = None
    #: How long a sync may take.
    max_executor_delay_ms: int | None = None


def make_plan(rng: SimRng, scenario: Scenario | None = None) -> Plan:
    may_lose_power = rng.chance(60) if scenario is None else scenario.syncs
    duration_ms = rng.between(2_000, 8_000)
    topic_configs: dict[str, dict[str, str]] = {}
    partitions: list[TopicPartition] = []
    for topic in ["orders", "events"][: rng.between(1, 2)]:
        topic_configs[topic] = _topic_config(rng, syncs=may_lose_power)
        partitions += [TopicPartition(topic, i) for i in range(rng.between(1, 2))]
    drawn = _drawn_plan(rng, may_lose_power, duration_ms, partitions, topic_configs)
    return drawn if scenario is None else _directed(drawn, scenario)


def _directed(plan: Plan, scenario: Scenario) -> Plan:
    plan = plan._replace(schedule=FaultSchedule(list(scenario.faults)))
    if scenario.segment_bytes is not None:
        for config in plan.topic_configs.values():
            config["internal.segment.bytes"] = str(scenario.segment_bytes)
    if scenario.max_executor_delay_ms is not None:
        plan = plan._replace(max_executor_delay_ms=scenario.max_executor_delay_ms)
    return plan


def _drawn_plan(
    rng: SimRng,
    may_lose_power: bool,
    duration_ms: int,
    partitions: list[TopicPartition],
    topic_configs: dict[str, dict[str, str]],
) -> Plan:
    return Plan(
        duration_ms,
        partitions,
        topic_configs,
        _broker_settings(rng),
        producer_count=rng.between(1, 3),
        consumer_count=rng.between(1, 2),
        max_executor_delay_ms=rng.one_of((0, 2, 20)),
        schedule=make_schedule(rng.split("faults"), duration_ms=duration_ms, may_lose_power=may_lose_power),
    )


def _topic_config(rng: SimRng, *, syncs: bool) -> dict[str, str]:
    config = {"index.interval.bytes": rng.one_of(("0", "200", "4096"))}
    if rng.chance(70):
        config["internal.segment.bytes"] = str(rng.between(3_200, 40_000))
    if syncs:
        config["flush.messages"] = "1"
    return config


def _broker_settings(rng: SimRng) -> dict[str, str]:
    return {
        "ottla.log.background.flush.interval.ms": rng.one_of(("0", "100", "1000")),
        "log.flush.offset.checkpoint.interval.ms": rng.one_of(("200", "1000", "60000")),
    }


class ProduceConsume:
    """One run."""

    def __init__(self, world: SimWorld, plan: Plan) -> None:
        self.history = History()
        self._world = world
        self._plan = plan
        self._rng = world.rng.split("workload")
        self.node = make_node(world, plan.broker_settings)
        self.node.max_executor_delay_ms = plan.max_executor_delay_ms
        self._producers = [self._new_producer(i) for i in range(plan.producer_count)]
        self._consumers = [self._new_consumer(i) for i in range(plan.consumer_count)]
        self._hosts = [producer.name for producer in self._producers]
        self._hosts += [consumer.name for consumer in self._consumers]

    async def run(self) -> None:
        supervisor = Supervisor(self._world, self.node, self._hosts, self._check_state)
        await self.node.start()
        await create_topics(self._client("admin"), self._plan.topic_configs)
        keeper = asyncio.ensure_future(supervisor.keep_running())
        watcher = asyncio.ensure_future(self._watch())
        producing = [asyncio.ensure_future(producer.run()) for producer in self._producers]
        consuming = [asyncio.ensure_future(consumer.run()) for consumer in self._consumers]
        await supervisor.play(self._plan.schedule)
        await asyncio.sleep(self._plan.duration_ms / 1000)
        await supervisor.heal()
        if supervisor.error is None:
            await self._finish(producing, consuming)
        if supervisor.error is not None:
            self.history.found("start-failed", repr(supervisor.error))
        for task in (keeper, watcher, *producing, *consuming):
            task.cancel()
        if supervisor.error is None:
            # Not only what recovery made of the log must equal its batches: what appends made of it as well.
            self._check_state(self.node)
            await self._read_everything()

    async def _finish(self, producing: list[asyncio.Task[None]], consuming: list[asyncio.Task[None]]) -> None:
        """Liveness: with the faults over, every call ends."""
        for producer in self._producers:
            producer.stop()
        await ended("producer", producing, self.history)
        for consumer in self._consumers:
            consumer.stop()
        await ended("consumer", consuming, self.history)

    async def _read_everything(self) -> None:
        client = self._client("reader")
        for partition in self._plan.partitions:
            try:
                async with asyncio.timeout(LIVENESS_S):
                    self.history.final[partition] = await read_all(client, partition, self._rng.split(str(partition)))
            except (*CLIENT_ERRORS, TimeoutError) as error:
                self.history.found("liveness", f"{partition} cannot be read at the end: {error!r}")

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(0.05)
            if self.node.has_started:
                self.history.findings += watermark_findings(self.node.service)

    def _check_state(self, node: SimNode) -> None:
        self.history.findings += recovered_state_findings(node.service, node.image)

    def _client(self, name: str) -> SimClient:
        network = self._world.client_doors(name).network
        return SimClient(network, BROKER, PORT, name, by_topic_id=self._rng.chance(50))

    def _new_producer(self, number: int) -> SimProducer:
        name = f"producer-{number}"
        partition = self._rng.one_of(self._plan.partitions)
        rng = self._rng.split(name)
        idempotent = rng.chance(70)
        return SimProducer(name, self._client(name), partition, self.history, rng, idempotent=idempotent)

    def _new_consumer(self, number: int) -> SimConsumer:
        name = f"consumer-{number}"
        partition = self._rng.one_of(self._plan.partitions)
        return SimConsumer(name, self._client(name), partition, self.history, self._rng.split(name))


def make_node(world: SimWorld, settings: Mapping[str, str]) -> SimNode:
    return world.add_node(BROKER, partial(make_broker, BROKER, settings))


async def create_topics(client: LogClient, configs: Mapping[str, Mapping[str, str]], partition_count: int = 2) -> None:
    for topic, config in configs.items():
        code = await client.create_topic(topic, partition_count, config)
        if code not in _CREATED:
            raise RuntimeError(f"topic {topic} was refused: {code.name}")
    client.close()


async def ended(kind: str, tasks: list[asyncio.Task[None]], history: History) -> None:
    """Waits for each of them. One that does not end is a finding."""
    for i, task in enumerate(tasks):
        try:
            async with asyncio.timeout(LIVENESS_S):
                await task
        except TimeoutError:
            history.found("liveness", f"{kind} {i} has not ended {LIVENESS_S} s after the last fault")


async def read_all(client: LogClient, partition: TopicPartition, rng: SimRng) -> list[Read]:
    """Everything from offset 0 to the end that the broker names."""
    seen = History()
    reader = SimConsumer("final", client, partition, seen, rng)
    code, end_offset = await client.list_offset(partition.topic, partition.partition, LATEST)
    if code != ErrorCode.NONE:
        raise ConnectionError(f"no end offset: {code.name}")
    while reader.position < end_offset:
        fetched = await reader.poll()
        if fetched is None or fetched.code != ErrorCode.NONE:
            raise ConnectionError(f"no response at offset {reader.position}: {fetched} {seen.findings}")
    return seen.reads


def run_produce_consume(
    seed: int, show: Callable[[str], None] | None = None, scenario: Scenario | None = None
) -> RunResult:
    with SimWorld(seed, show=show) as world:
        plan = make_plan(world.rng.split("plan"), scenario)
        if show is not None:
            show(f"plan: {plan._replace(schedule=FaultSchedule([]))}")
            show(str(plan.schedule))
        run = ProduceConsume(world, plan)
        world.run(run.run())
        return result_of(world, run.node, run.history)


def result_of(world: SimWorld, node: SimNode, history: History) -> RunResult:
    return RunResult.of(
        world, node, check_history(history), acked_count=len(history.acked), read_count=len(history.reads)
    )
