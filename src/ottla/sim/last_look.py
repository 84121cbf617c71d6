"""The last look at a run, when its faults are over: asked until there is a response, and nobody is held forever."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar

from ottla.model.topic import TopicPartition
from ottla.sim.checkers.stable_offsets import GRACE_MS
from ottla.sim.history import History
from ottla.sim.producer import CLIENT_ERRORS
from ottla.sim.transactional_client import READ_COMMITTED, READ_UNCOMMITTED, TransactionalSimClient

T = TypeVar("T")


async def insist(ask: Callable[[], Awaitable[T]]) -> T:
    """Asks until there is a response: the broker may be on its way up."""
    while True:
        try:
            return await ask()
        except CLIENT_ERRORS:
            await asyncio.sleep(0.1)


async def wait_for_stable_end(
    reader: TransactionalSimClient, partition: TopicPartition, history: History, *, timeout_ms: int
) -> None:
    """Until everything in the partition is decided. `timeout_ms` is the longest timeout of its transactions.

    Kafka's own promise: an abandoned transaction is aborted within its timeout and ten seconds.
    """
    loop = asyncio.get_running_loop()
    deadline_s = loop.time() + (timeout_ms + GRACE_MS) / 1000
    while True:
        stable = await insist(partial(reader.end_offset, partition, READ_COMMITTED))
        end = await insist(partial(reader.end_offset, partition, READ_UNCOMMITTED))
        if stable == end:
            return
        if loop.time() > deadline_s:
            history.found("stuck-lso", f"{partition}: {stable} of {end}")
            return
        await asyncio.sleep(0.2)
