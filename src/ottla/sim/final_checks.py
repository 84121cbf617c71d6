"""Final checks of a run, when its faults are over: retried until there is a response; no reader stays blocked."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from ottla.model.topic import TopicPartition
from ottla.sim.checkers.stable_offsets import GRACE_MS
from ottla.sim.checkers.transfers import transfer_findings
from ottla.sim.history import History
from ottla.sim.producer import CLIENT_ERRORS
from ottla.sim.transactional_client import READ_COMMITTED, READ_UNCOMMITTED, TransactionalSimClient

T = TypeVar("T")
#: So long, of simulated time, a run may take to end when its faults are over.
LIVENESS_S = 60


async def retry(ask: Callable[[], Awaitable[T]]) -> T:
    """Retries until there is a response: the broker may be starting."""
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
        stable = await retry(partial(reader.end_offset, partition, READ_COMMITTED))
        end = await retry(partial(reader.end_offset, partition, READ_UNCOMMITTED))
        if stable == end:
            return
        if loop.time() > deadline_s:
            history.found("stuck-lso", f"{partition}: {stable} of {end}")
            return
        await asyncio.sleep(0.2)


async def check_transfers(
    reader: TransactionalSimClient,
    partitions: Sequence[TopicPartition],
    outcomes: Mapping[bytes, bool | None],
    history: History,
    *,
    timeout_ms: int,
) -> None:
    """The last stable offset reaches the end in time, and what is there is whole. `outcomes` are the producers'."""
    try:
        async with asyncio.timeout(LIVENESS_S):
            for partition in partitions:
                await wait_for_stable_end(reader, partition, history, timeout_ms=timeout_ms)
            seen = {each: await retry(partial(reader.committed_values, each)) for each in partitions}
    except TimeoutError:
        history.found("liveness", f"the partitions cannot be read {LIVENESS_S} s after the end")
        return
    history.findings += transfer_findings(outcomes, seen)
