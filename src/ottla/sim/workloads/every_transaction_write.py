"""The systematic part of transactions: short stories, and a crash at each and every change of the disk that they make.

Transfers (two partitions, or none) and copies (a record, its copy and the offset after it), as clients of both
generations make them. In each story one transaction is committed, one aborted, one taken over by a new producer with
the same id, and one abandoned, so that only its timeout ends it. The broker dies once and comes back; the clients go
on. Each seed is one point, any few seeds are points from everywhere, and as many seeds as there are points are all.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import cache, partial
from typing import NamedTuple

from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from ottla.records.builder import build_batch
from ottla.records.record import Record
from ottla.sim.broker_service import PORT
from ottla.sim.checkers.copies import copy_findings
from ottla.sim.checkers.recovered_state import recovered_state_findings
from ottla.sim.checkers.stable_offsets import StableOffsetWatch
from ottla.sim.checkers.transfers import transfer_findings
from ottla.sim.client import ACKS_ALL
from ottla.sim.clock import WALL_START_MS
from ottla.sim.disk_faults import DiskFaults, Operation
from ottla.sim.final_checks import LIVENESS_S, retry
from ottla.sim.history import Finding, History
from ottla.sim.late_requests import CopyClient
from ottla.sim.node import SimNode
from ottla.sim.run_result import RunResult
from ottla.sim.story_copier import GROUP, StoryCopier
from ottla.sim.transactional_client import READ_COMMITTED, READ_UNCOMMITTED, TransferProducer
from ottla.sim.workloads.crash_points import CrashPoint, crash_points
from ottla.sim.workloads.produce_consume import BROKER, create_topics, make_node
from ottla.sim.world import SimWorld

DEBITS, CREDITS = TopicPartition("debits", 0), TopicPartition("credits", 0)
INPUT, OUTPUT = TopicPartition("input", 0), TopicPartition("output", 0)
TIMEOUT_MS = 1_500
_SYNCED = {"flush.messages": "1"}
_SETTINGS = {
    "transaction.state.log.num.partitions": "1",
    "transaction.state.log.replication.factor": "1",
    "offsets.topic.num.partitions": "1",
    "offsets.topic.replication.factor": "1",
    "log.flush.offset.checkpoint.interval.ms": "1000",
}
_RESTARTS_AFTER_S = 0.2
_SYNC_MS = 10
#: From one seed to the next: a prime that does not divide the number of points.
_STEPS = (1009, 1013, 1019)
_WORLD_SEED = 1
_INPUT_VALUES = [b"one", b"two", b"three", b"four"]


class Stage:
    """One run of one story."""

    def __init__(self, world: SimWorld, *, knows_tv2: bool) -> None:
        self.history = History()
        self.node = make_node(world, _SETTINGS)
        # A sync takes some time: a response that does not wait for it is sent before the crash.
        self.node.max_executor_delay_ms = _SYNC_MS
        self.watch = StableOffsetWatch(self.node, self.history, timeout_ms=TIMEOUT_MS)
        self.outcomes: dict[bytes, bool | None] = {}
        self.seen_count = 0
        #: The changes of the disk that belong to transactions.
        self.operations: list[Operation] = []
        self._world = world
        self._knows_tv2 = knows_tv2

    def client(self, name: str) -> CopyClient:
        network = self._world.client_doors(name).network
        client = CopyClient(network, BROKER, PORT, name, by_topic_id=False, timeout_ms=3_000)
        client.timed_out = []
        client.knows_tv2 = self._knows_tv2
        return client

    def producer(self, name: str, transactional_id: str) -> TransferProducer:
        producer = TransferProducer(self.client(name), transactional_id, [DEBITS, CREDITS], timeout_ms=TIMEOUT_MS)
        producer.outcomes = self.outcomes
        return producer

    def copier(self, name: str, transactional_id: str) -> StoryCopier:
        copier = StoryCopier(self.client(name), transactional_id, INPUT, OUTPUT, timeout_ms=TIMEOUT_MS)
        copier.outcomes = self.outcomes
        return copier

    async def all_seen(self, *partitions: TopicPartition) -> dict[TopicPartition, list[bytes]]:
        """What a read_committed reader is shown, when everything is decided."""
        reader = self.client("reader")
        for partition in partitions:
            await _decided(reader, partition)
        seen = {each: await retry(partial(reader.committed_values, each)) for each in partitions}
        self.seen_count = sum(map(len, seen.values()))
        return seen


async def _decided(reader: CopyClient, partition: TopicPartition) -> None:
    while True:
        stable = await retry(partial(reader.end_offset, partition, READ_COMMITTED))
        if stable == await retry(partial(reader.end_offset, partition, READ_UNCOMMITTED)):
            return
        await asyncio.sleep(0.1)


class Story(NamedTuple):
    name: str
    #: What is there before the first transaction.
    prepare: Callable[[Stage], Awaitable[None]]
    run: Callable[[Stage], Awaitable[None]]
    #: Looks at the end, when nothing happens any more.
    check: Callable[[Stage], Awaitable[list[Finding]]]
    knows_tv2: bool


async def _prepare_transfers(stage: Stage) -> None:
    client = stage.client("admin")
    await create_topics(client, {each.topic: _SYNCED for each in (DEBITS, CREDITS)}, partition_count=1)
    await client.find_coordinator("any")


async def _run_transfers(stage: Stage) -> None:
    first = stage.producer("first", "story")
    await first.transfer(b"committed", committed=True)
    await first.transfer(b"aborted", committed=False)
    await first.abandon(b"taken over")
    second = stage.producer("second", "story")
    await second.transfer(b"second", committed=True)
    await second.abandon(b"abandoned")
    await asyncio.sleep(TIMEOUT_MS / 1000)


async def _check_transfers(stage: Stage) -> list[Finding]:
    return transfer_findings(stage.outcomes, await stage.all_seen(DEBITS, CREDITS))


async def _prepare_copies(stage: Stage) -> None:
    client = stage.client("admin")
    await create_topics(client, {each.topic: _SYNCED for each in (INPUT, OUTPUT)}, partition_count=1)
    await client.find_coordinator("any")
    await client.find_group(GROUP)
    batch = build_batch([Record(i, WALL_START_MS, None, value, ()) for i, value in enumerate(_INPUT_VALUES)])
    sent = client.send_batch(*INPUT, bytes(batch), acks=ACKS_ALL)
    assert sent is not None
    assert (await sent).code is ErrorCode.NONE


async def _run_copies(stage: Stage) -> None:
    first = stage.copier("first", "story")
    await first.copy()
    await first.copy(committed=False)
    await first.copy_and_vanish()
    second = stage.copier("second", "story")
    await second.copy()
    await second.copy_and_vanish()
    # Under another id: the one before is not fenced, its time runs out.
    await stage.copier("third", "another").copy_rest(len(_INPUT_VALUES))


async def _check_copies(stage: Stage) -> list[Finding]:
    return copy_findings(_INPUT_VALUES, await stage.all_seen(OUTPUT), is_complete=True)


STORIES = [
    Story(f"{name}, {'TV2' if knows_tv2 else 'TV1'}", prepare, run, check, knows_tv2)
    for name, prepare, run, check in (
        ("transfers", _prepare_transfers, _run_transfers, _check_transfers),
        ("copies", _prepare_copies, _run_copies, _check_copies),
    )
    for knows_tv2 in (True, False)
]


def run_every_transaction_write(seed: int, show: Callable[[str], None] | None = None) -> RunResult:
    story, point = all_points()[seed % len(all_points())]
    if show is not None:
        show(f"{story.name}: crash {point}")
    return play(story, show, point)._replace(seed=seed)


@cache
def all_points() -> list[tuple[Story, CrashPoint]]:
    """By seed. To know them each story is played once without a crash."""
    points = [(story, point) for story in STORIES for point in points_of(story)]
    step = next(prime for prime in _STEPS if len(points) % prime)
    return [points[number * step % len(points)] for number in range(len(points))]


def points_of(story: Story) -> list[CrashPoint]:
    with SimWorld(_WORLD_SEED) as world:
        stage = Stage(world, knows_tv2=story.knows_tv2)
        world.run(_run(stage, story, None))
        assert stage.history.findings == [], stage.history.findings
        return list(crash_points(stage.operations))


def play(story: Story, show: Callable[[str], None] | None, point: CrashPoint) -> RunResult:
    with SimWorld(_WORLD_SEED, show=show) as world:
        stage = Stage(world, knows_tv2=story.knows_tv2)
        world.run(_run(stage, story, point))
        return RunResult.of(
            world,
            stage.node,
            stage.history.findings,
            acked_count=list(stage.outcomes.values()).count(True),
            read_count=stage.seen_count,
        )


async def _run(stage: Stage, story: Story, point: CrashPoint | None) -> None:
    node = stage.node
    faults = DiskFaults() if point is None else point.faults()
    await node.start(faults=faults)
    keeper = asyncio.ensure_future(_come_back(stage, point))
    stage.watch.start()
    await story.prepare(stage)
    _note_operations(node, stage.operations)
    try:
        async with asyncio.timeout(LIVENESS_S):
            await story.run(stage)
            stage.history.findings += await story.check(stage)
    except TimeoutError:
        stage.history.found("liveness", f"the story has not ended after {LIVENESS_S} s")
    if point is not None and not faults.has_crashed:
        stage.history.found("no-crash", f"the story ended without a crash {point}")
    stage.watch.stop()
    keeper.cancel()


def _note_operations(node: SimNode, operations: list[Operation]) -> None:
    """From here on, in the node's present life."""
    note = node.faults.on_operation
    assert note is not None

    def on_operation(operation: Operation) -> None:
        operations.append(operation)
        note(operation)

    node.faults.on_operation = on_operation


async def _come_back(stage: Stage, point: CrashPoint | None) -> None:
    while True:
        await stage.node.died()
        await asyncio.sleep(_RESTARTS_AFTER_S)
        if point is not None and stage.node.start_count == 1:
            point.lose(stage.node)
        if await stage.node.start():
            stage.history.findings += recovered_state_findings(stage.node.service, stage.node.image)
