"""A disk that fills up and has room again, under producers that never give up, with restarts while it is full.

Nothing that was acked is lost; while there is no room the node neither ends by itself nor needs to be started again;
once there is room, everything that clients ask for happens within half a minute: writes, new topics, all partitions.
"""

import asyncio
from collections.abc import Callable

from ottla.model.topic import TopicPartition
from ottla.sim.broker_service import PORT
from ottla.sim.checkers.recovered_state import recovered_state_findings
from ottla.sim.disk_faults import DiskFaults
from ottla.sim.final_checks import LIVENESS_S
from ottla.sim.history import History
from ottla.sim.rng import SimRng
from ottla.sim.run_result import RunResult
from ottla.sim.storage_client import RetryingWriter, StorageClient
from ottla.sim.workloads.produce_consume import BROKER, make_node, result_of
from ottla.sim.world import SimWorld, sleep_ms

#: How long after the last fault everything must work again.
_RECOVERS_WITHIN_S = 30
#: By then a broker has taken its reserve.
_RESERVE_IS_TAKEN_MS = 35_000
_SETTINGS = {"log.flush.offset.checkpoint.interval.ms": "500", "log.cleaner.backoff.ms": "500"}


class DiskSpace:
    """One run."""

    def __init__(self, world: SimWorld, rng: SimRng) -> None:
        self.history = History()
        self.node = make_node(world, _SETTINGS)
        self.node.max_executor_delay_ms = rng.one_of((0, 2, 20))
        self._world = world
        self._rng = rng
        self._syncs = rng.chance(50)
        self._space_bytes: int | None = None
        self._is_expected_to_die = False
        self._loses_power = False
        self._partitions: list[TopicPartition] = []
        self._writer_count = 0

    async def run(self) -> None:
        keeper = asyncio.ensure_future(self._keep_running())
        writing = [asyncio.ensure_future(self._write_on(name)) for name in ("orders", "events")]
        if self._rng.chance(50):
            await sleep_ms(_RESERVE_IS_TAKEN_MS)
        for cycle in range(self._rng.between(1, 3)):
            await sleep_ms(self._rng.between(500, 1_500))
            await self._fill_and_free(cycle)
        for task in writing:
            task.cancel()
        await self._read_everything()
        keeper.cancel()

    async def _fill_and_free(self, cycle: int) -> None:
        self._limit(self.node.image.used_bytes() + self._rng.one_of((0, 100, 3_000, 60_000)))
        await sleep_ms(self._rng.between(100, 2_000))
        late = asyncio.ensure_future(self._write(f"late-{cycle}", 2))
        await self._restart_perhaps()
        await sleep_ms(self._rng.between(100, 9_000))
        if self._rng.chance(30):
            # Room for a moment, taken by somebody else.
            self._limit(None)
            await sleep_ms(self._rng.between(1, 300))
            self._limit(self.node.image.used_bytes())
            await sleep_ms(self._rng.between(100, 2_000))
        self._limit(None)
        await self._works_again(late)

    def _limit(self, space_bytes: int | None) -> None:
        self._world.trace.event("space", space_bytes)
        self._space_bytes = space_bytes
        if self.node.is_up:
            self.node.faults.space_bytes = space_bytes

    async def _restart_perhaps(self) -> None:
        how = self._rng.one_of(("not", "kill", "stop", "power"))
        if how == "not" or not self.node.is_up:
            return
        self._is_expected_to_die = True
        self._loses_power = how == "power" and self._syncs
        if how == "stop" and self.node.has_started:
            await self.node.stop()
        else:
            self.node.kill()

    async def _works_again(self, late: "asyncio.Task[None]") -> None:
        acked_count = len(self.history.acked)
        try:
            async with asyncio.timeout(_RECOVERS_WITHIN_S):
                await late
                for name in ("orders", "events"):
                    await self._write(name, 1)
        except TimeoutError:
            text = f"{_RECOVERS_WITHIN_S} s after there was room: {len(self.history.acked) - acked_count} values acked"
            self.history.found("liveness", f"{text}, offline: {self._offline()}")

    def _offline(self) -> object:
        return self.node.service.partitions.offline if self.node.has_started else "the node"

    async def _write_on(self, name: str) -> None:
        while True:
            await self._write(name, 5)
            await sleep_ms(self._rng.below(800))

    async def _write(self, topic: str, count: int) -> None:
        """As a producer of its own."""
        self._writer_count += 1
        number = self._writer_count
        client = StorageClient(
            self._world.client_doors(f"client {number}").network, BROKER, PORT, "client", by_topic_id=False
        )
        partition = TopicPartition(topic, 0)
        await client.create(topic, {"flush.messages": "1"} if self._syncs else {})
        if partition not in self._partitions:
            self._partitions.append(partition)
        writer = RetryingWriter(f"writer {number}", client, partition, self.history)
        for i in range(count):
            padding = b"." * self._rng.one_of((10, 100, 2_000))
            await writer.write(f"{topic} {number} {i} ".encode() + padding)
        client.close()

    async def _keep_running(self) -> None:
        try:
            await self.node.start()
            while True:
                await self.node.died()
                if not self._is_expected_to_die:
                    self.history.found("gave-up", "the node has ended by itself")
                await asyncio.sleep(0.2)
                if self._loses_power:
                    self.node.lose_power(nasty=self._rng.chance(50))
                self._is_expected_to_die = self._loses_power = False
                faults = DiskFaults()
                faults.space_bytes = self._space_bytes
                if await self.node.start(faults=faults):
                    self.history.findings += recovered_state_findings(self.node.service, self.node.image)
        except Exception as error:  # noqa: BLE001 - whatever a start raises is the result of the run
            self.history.found("start-failed", repr(error))

    async def _read_everything(self) -> None:
        client = StorageClient(self._world.client_doors("reader").network, BROKER, PORT, "reader", by_topic_id=False)
        try:
            async with asyncio.timeout(LIVENESS_S):
                for partition in self._partitions:
                    _, self.history.final[partition] = await client.read_from_start(partition)
        except TimeoutError:
            self.history.found("liveness", "not everything can be read at the end")
        if self.node.has_started:
            self.history.findings += recovered_state_findings(self.node.service, self.node.image)


def run_disk_space(seed: int, show: Callable[[str], None] | None = None) -> RunResult:
    with SimWorld(seed, show=show) as world:
        run = DiskSpace(world, world.rng.split("workload"))
        world.run(run.run())
        return result_of(world, run.node, run.history)
