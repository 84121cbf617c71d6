"""Requests that arrive late: after the client has abandoned the connection, has retried, or has continued.

Sent from a host of its own, so that they survive the process that made them.
"""

import asyncio
import contextvars
from typing import Any

from ottla.protocol.generated.end_txn_request import EndTxnRequest
from ottla.protocol.generated.produce_request import ProduceRequest
from ottla.protocol.generated.txn_offset_commit_request import TxnOffsetCommitRequest
from ottla.sim.broker_service import PORT
from ottla.sim.client import SimClient
from ottla.sim.group_client import GroupSimClient
from ottla.sim.producer import CLIENT_ERRORS
from ottla.sim.rng import SimRng
from ottla.sim.transactional_client import TransactionalSimClient
from ottla.sim.world import SimWorld, sleep_ms

_DELAYED = (ProduceRequest, EndTxnRequest, TxnOffsetCommitRequest)


class LateRequests:
    """Owned by a workload."""

    def __init__(self, world: SimWorld, broker: str, rng: SimRng, *, percent: int, max_delay_ms: int) -> None:
        self.percent = percent
        self.count = 0
        self._world = world
        self._broker = broker
        self._rng = rng
        self._max_delay_ms = max_delay_ms
        self._tasks: list[asyncio.Task[None]] = []

    def hold(self, request: Any, version: int | None) -> bool:
        """True: the request is in flight and will arrive late; its sender has lost the connection."""
        if not isinstance(request, _DELAYED) or not self._rng.chance(self.percent):
            return False
        delay_ms = self._rng.below(self._max_delay_ms)
        self._world.trace.event("late", type(request).__name__, delay_ms)
        task = self._world.loop.create_task(self._deliver(request, version, delay_ms), context=contextvars.Context())
        self._tasks.append(task)
        return True

    async def arrived(self) -> None:
        """Waits until nothing is in flight any more."""
        for task in self._tasks:
            await task

    async def _deliver(self, request: Any, version: int | None, delay_ms: int) -> None:
        await sleep_ms(delay_ms)
        self.count += 1
        network = self._world.client_doors(f"late-{self.count}").network
        client = LateClient(network, self._broker, PORT, "late", by_topic_id=False)
        try:
            await client.send(request, version)
        except CLIENT_ERRORS:
            pass
        finally:
            client.close()


class LateClient(SimClient):
    async def send(self, request: Any, version: int | None) -> None:
        await self._ask(request, version)


class CopyClient(TransactionalSimClient, GroupSimClient):
    """All that a copier asks. Some of it arrives late."""

    late: LateRequests | None = None

    async def _ask(self, request: Any, version: int | None = None) -> Any:
        return await self.ask(request, version)

    async def ask(self, request: Any, version: int | None = None, *, timeout_ms: int | None = None) -> Any:
        if self.late is not None and self.late.hold(request, version):
            raise ConnectionError("the request is late")
        return await super().ask(request, version, timeout_ms=timeout_ms)
