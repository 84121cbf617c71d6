"""The systematic part: one short story, and a crash at one of the changes of the disk that it makes.

The seed picks the change, in order: seed 0 crashes at the first, seed 1 at the second, …; then it begins again with
another way to crash (kill, power loss, lost sectors, half a write); then with another story.
"""

import asyncio
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from ottla.model.topic import TopicPartition
from ottla.sim.broker_service import PORT
from ottla.sim.checkers.recovered_state import recovered_state_findings
from ottla.sim.client import SimClient
from ottla.sim.disk_faults import DiskFaults
from ottla.sim.history import History
from ottla.sim.node import SimNode
from ottla.sim.producer import SimProducer
from ottla.sim.run_result import RunResult
from ottla.sim.workloads.produce_consume import BROKER, create_topics, make_node, read_all, result_of
from ottla.sim.world import SimWorld

PARTITION = TopicPartition("orders", 0)
_CONFIG = {"flush.messages": "1", "internal.segment.bytes": "3000", "index.interval.bytes": "100"}
_SETTINGS = {"log.flush.offset.checkpoint.interval.ms": "300"}
_STORY_MS = 1_500


class Ending(NamedTuple):
    """How the process ends at the chosen change."""

    loses_power: bool
    nasty: bool
    written_bytes: int


ENDINGS = (
    Ending(False, False, 0),
    Ending(True, False, 0),
    Ending(True, True, 0),
    Ending(False, False, 33),
    Ending(True, False, 70),
)


def run_every_write(seed: int, show: Callable[[str], None] | None = None) -> RunResult:
    """All changes with all endings, story by story."""
    story, left = 1, seed
    while left >= _operation_count(story) * len(ENDINGS):
        left -= _operation_count(story) * len(ENDINGS)
        story += 1
    ending, number = divmod(left, _operation_count(story))
    return _play(story, show, crash_at=number, ending=ENDINGS[ending])._replace(seed=seed)


@lru_cache(maxsize=100)
def _operation_count(story: int) -> int:
    """How many changes the story makes when nothing goes wrong."""
    return _play(story, None, crash_at=None, ending=ENDINGS[0]).operation_count


def _play(story: int, show: Callable[[str], None] | None, *, crash_at: int | None, ending: Ending) -> RunResult:
    with SimWorld(story, show=show) as world:
        history = History()
        node = make_node(world, _SETTINGS)
        world.run(_story(world, node, history, crash_at, ending))
        return result_of(world, node, history)


async def _story(world: SimWorld, node: SimNode, history: History, crash_at: int | None, ending: Ending) -> None:
    faults = DiskFaults()
    if crash_at is not None:
        faults.crash_at(crash_at, written_bytes=ending.written_bytes)
    keeper = asyncio.ensure_future(_start_and_restart(node, faults, history, ending))
    client = SimClient(world.client_doors("client").network, BROKER, PORT, "client", by_topic_id=False)
    await _create(client)
    producer = SimProducer("producer", client, PARTITION, history, world.rng.split("producer"), idempotent=True)
    producing = asyncio.ensure_future(producer.run())
    await asyncio.sleep(_STORY_MS / 1000)
    producer.stop()
    async with asyncio.timeout(60):
        await producing
    await node.stop()
    if crash_at is None:
        keeper.cancel()
        return
    await node.died()
    await asyncio.sleep(2)
    history.final[PARTITION] = await read_all(client, PARTITION, world.rng.split("reader"))
    keeper.cancel()


async def _start_and_restart(node: SimNode, faults: DiskFaults, history: History, ending: Ending) -> None:
    await node.start(faults=faults)
    while True:
        await node.died()
        await asyncio.sleep(0.2)
        if ending.loses_power and faults.has_crashed and node.start_count == 1:
            node.lose_power(nasty=ending.nasty)
        if await node.start():
            history.findings += recovered_state_findings(node.service, node.image)


async def _create(client: SimClient) -> None:
    for _ in range(50):
        try:
            await create_topics(client, {PARTITION.topic: _CONFIG}, partition_count=1)
            return
        except OSError:
            await asyncio.sleep(0.1)
    raise TimeoutError("no broker to create the topic at")
