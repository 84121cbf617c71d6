"""The systematic part of storage: one short story, and a crash at each and every change of the disk that it makes.

The story has everything that a broker does with its files: topics are created, filled (segments roll; indexes, producer
snapshots and checkpoints are written), cut by retention and DeleteRecords, compacted, moved to another log directory,
deleted and created again under the same name; at the end the broker stops in order. It dies once on the way and comes
back; the clients continue. Seed n is the n-th point; after the last one it begins again.
"""

import asyncio
from collections.abc import Callable
from functools import cache

from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Bug
from ottla.model.topic import TopicPartition
from ottla.sim.broker_service import PORT
from ottla.sim.checkers.recovered_state import recovered_state_findings
from ottla.sim.disk_faults import DiskFaults, Operation
from ottla.sim.final_checks import LIVENESS_S
from ottla.sim.history import History
from ottla.sim.run_result import RunResult
from ottla.sim.storage_client import RetryingWriter, StorageClient
from ottla.sim.workloads.crash_points import CrashPoint, crash_points
from ottla.sim.workloads.produce_consume import BROKER, make_node, result_of
from ottla.sim.world import SimWorld

ORDERS, EVENTS = TopicPartition("orders", 0), TopicPartition("events", 0)
ACCOUNTS, SCRATCH = TopicPartition("accounts", 0), TopicPartition("scratch", 0)
FIRST_DIRECTORY, SECOND_DIRECTORY = "/data", "/more"
_SETTINGS = {
    "log.dirs": f"{FIRST_DIRECTORY},{SECOND_DIRECTORY}",
    "log.flush.offset.checkpoint.interval.ms": "300",
    "log.retention.check.interval.ms": "400",
    "log.cleaner.backoff.ms": "350",
    "ottla.log.background.flush.interval.ms": "250",
}
_SMALL = {"internal.segment.bytes": "700", "index.interval.bytes": "100", "file.delete.delay.ms": "100"}
_SYNCED = {**_SMALL, "flush.messages": "1"}
_RETAINED_BYTES = 1_000
_COMPACTED = {"cleanup.policy": "compact", "min.cleanable.dirty.ratio": "0.01", "delete.retention.ms": "0"}
_DELETED_TO = 8
_FORGOTTEN = 6
_KEYS = (b"a", b"b", b"c")
_RESTARTS_AFTER_S = 0.2
_WORLD_SEED = 1


class StorageStory:
    """One run."""

    def __init__(self, world: SimWorld, point: CrashPoint | None) -> None:
        self.history = History()
        self.node = make_node(world, _SETTINGS)
        self.operations: list[Operation] = []
        self._world = world
        self._point = point
        self._faults = DiskFaults() if point is None else point.faults()
        self._client = StorageClient(world.client_doors("client").network, BROKER, PORT, "client", by_topic_id=False)
        self._is_up = asyncio.Event()
        self._last_values: dict[bytes, bytes] = {}
        #: What the first two topics of the name SCRATCH held, which nobody may ever see again.
        self._forgotten = History()

    async def run(self) -> None:
        keeper = asyncio.ensure_future(self._keep_running())
        try:
            async with asyncio.timeout(2 * LIVENESS_S):
                await self._run_story()
                await self._stop()
                await self._check()
        except TimeoutError:
            self.history.found("liveness", f"the story has not ended after {2 * LIVENESS_S} s")
        if self._point is not None and not self._faults.has_crashed:
            self.history.found("no-crash", f"the story ended without a crash {self._point}")
        keeper.cancel()

    async def _run_story(self) -> None:
        client = self._client
        await client.create(ORDERS.topic, _SYNCED)
        await client.create(EVENTS.topic, {**_SYNCED, "retention.bytes": str(_RETAINED_BYTES)})
        await client.create(ACCOUNTS.topic, {**_SYNCED, **_COMPACTED})
        await client.create(SCRATCH.topic, _SMALL)
        orders, events, accounts = (
            RetryingWriter(partition.topic, client, partition, self.history) for partition in (ORDERS, EVENTS, ACCOUNTS)
        )
        forgotten = RetryingWriter("forgotten", client, SCRATCH, self._forgotten)
        for number in range(9):
            await orders.write(_value(b"order", number))
            await events.write(_value(b"event", number))
            await self._set(accounts, number)
            if number < _FORGOTTEN:
                await forgotten.write(_value(b"forgotten", number))
        await asyncio.sleep(0.5)
        await client.delete_records(EVENTS, _DELETED_TO)
        # Not synced: a power loss may have taken them.
        await client.delete_records(SCRATCH, _FORGOTTEN // 2, ErrorCode.OFFSET_OUT_OF_RANGE)
        await self._make_scratch_again("forgotten too", self._forgotten)
        # Only now: the second topic of the name has come to the directory of the first, the third will not.
        await client.move(ORDERS, SECOND_DIRECTORY)
        await self._make_scratch_again("scratch", self.history)
        for number in range(9, 12):
            await orders.write(_value(b"order", number))
            await events.write(_value(b"event", number))
            await self._set(accounts, number)
        await asyncio.sleep(1.5)

    async def _make_scratch_again(self, value: str, history: History) -> None:
        await self._client.delete_topic(SCRATCH.topic)
        await self._client.create(SCRATCH.topic, _SYNCED)
        await RetryingWriter(value, self._client, SCRATCH, history).write(value.encode())

    async def _set(self, accounts: RetryingWriter, number: int) -> None:
        key = _KEYS[number % len(_KEYS)]
        value = _value(b"%s|account" % key, number)
        await accounts.write(value, key)
        self._last_values[key] = value

    async def _stop(self) -> None:
        await self._is_up.wait()
        await self.node.stop()
        # The supervising task notices it later than we do.
        self._is_up.clear()
        await self._is_up.wait()

    async def _keep_running(self) -> None:
        node = self.node
        node.on_operation = self.operations.append
        if await node.start(faults=self._faults):
            self._is_up.set()
        while True:
            await node.died()
            self._is_up.clear()
            node.on_operation = None
            await asyncio.sleep(_RESTARTS_AFTER_S)
            if self._faults.has_crashed and self._point is not None and node.start_count == 1:
                self._point.lose(node)
            try:
                if await node.start():
                    self._check_state()
                    self._is_up.set()
            except OSError as error:
                self.history.found("start-failed", repr(error))
                return

    # the end

    async def _check(self) -> None:
        self._check_state()
        history = self.history
        for partition in (ORDERS, SCRATCH):
            start_offset, history.final[partition] = await self._client.read_from_start(partition)
            if start_offset != 0:
                history.found("lost-write", f"{partition} starts at {start_offset}")
        await self._check_events()
        await self._check_accounts()

    async def _check_events(self) -> None:
        start_offset, reads = await self._client.read_from_start(EVENTS)
        found = {read.offset: read.value for read in reads}
        acked = {each.base_offset: each.values[0] for each in self.history.acked if each.partition == EVENTS}
        if start_offset < _DELETED_TO:
            self.history.found("deleted-came-back", f"{EVENTS} starts at {start_offset}")
        kept_bytes = sum(len(value) for offset, value in acked.items() if offset >= start_offset)
        if start_offset > _DELETED_TO and kept_bytes < _RETAINED_BYTES // 2:
            self.history.found("lost-write", f"retention left {kept_bytes} bytes of {EVENTS}")
        for offset, value in acked.items():
            if offset >= start_offset and found.get(offset) != value:
                self.history.found("lost-write", f"{value!r} was acked at {EVENTS} {offset}, there is {found}")
        if len(set(found.values())) < len(found):
            self.history.found("duplicate", f"{EVENTS}: {found}")

    async def _check_accounts(self) -> None:
        _, reads = await self._client.read_from_start(ACCOUNTS)
        state = {read.value.partition(b"|")[0]: read.value for read in reads}
        if state != self._last_values:
            self.history.found("lost-write", f"{ACCOUNTS} is {state} instead of {self._last_values}")
        if len({read.value for read in reads}) < len(reads):
            self.history.found("duplicate", f"{ACCOUNTS}: {reads}")

    def _check_state(self) -> None:
        service = self.node.service
        self.history.findings += recovered_state_findings(service, self.node.image)
        for log in service.store.logs.values():
            try:
                log.check_invariants()
            except Bug as error:
                self.history.found("invariant", str(error))


def _value(name: bytes, number: int) -> bytes:
    return b"%s %d " % (name, number) + b"." * 100


def run_every_write(seed: int, show: Callable[[str], None] | None = None) -> RunResult:
    point = all_points()[seed % len(all_points())]
    if show is not None:
        show(f"crash {point}")
    return play(show, point)._replace(seed=seed)


@cache
def all_points() -> list[CrashPoint]:
    """To know them the story runs once without a crash."""
    with SimWorld(_WORLD_SEED) as world:
        story = StorageStory(world, None)
        world.run(story.run())
        findings = result_of(world, story.node, story.history).findings
        assert findings == [], findings
        return list(crash_points(story.operations))


def play(show: Callable[[str], None] | None, point: CrashPoint) -> RunResult:
    with SimWorld(_WORLD_SEED, show=show) as world:
        story = StorageStory(world, point)
        world.run(story.run())
        return result_of(world, story.node, story.history)
