"""Transactions on a compacted topic, while the cleaner is always at work; finds tests/mutations/R15.py.

Writers set and delete keys of their own; slow readers read from the beginning, over and over, while segments are
rewritten under them. At the end a reader of the whole log must have the last committed value of every key.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from ottla.protocol.generated import fetch_request
from ottla.records.reader import iterate_batches
from ottla.records.record import Record
from ottla.sim.broker_service import PORT
from ottla.sim.checkers.keyed import KeyedWrite, aborted_read_findings, last_value_findings
from ottla.sim.checkers.stable_offsets import StableOffsetWatch
from ottla.sim.clock import WALL_START_MS
from ottla.sim.faults import make_schedule
from ottla.sim.final_checks import LIVENESS_S, retry, wait_for_stable_end
from ottla.sim.history import History
from ottla.sim.producer import CLIENT_ERRORS
from ottla.sim.rng import SimRng
from ottla.sim.run_result import RunResult
from ottla.sim.supervisor import Supervisor
from ottla.sim.transactional_client import (
    READ_COMMITTED,
    TransactionalSimClient,
    TransferProducer,
    visible_records,
)
from ottla.sim.workloads.produce_consume import BROKER, create_topics, make_node
from ottla.sim.workloads.transfers import SETTINGS as TRANSACTION_SETTINGS
from ottla.sim.world import SimWorld, sleep_ms

PARTITION = TopicPartition("accounts", 0)
TIMEOUT_MS = 4_000
_KEYS_PER_WRITER = 4
_DELETED = b"deleted"
_BY_NAME = 12
SETTINGS = {**TRANSACTION_SETTINGS, "log.cleaner.backoff.ms": "300"}


class KeyedWriter(TransferProducer):
    """Values look like `key|number`; those of deletions are never sent."""

    def _record(self, value: bytes) -> Record:
        key, _, rest = value.partition(b"|")
        return Record(0, WALL_START_MS, key, None if rest.startswith(_DELETED) else value, ())


class KeyedReader(TransactionalSimClient):
    async def read_some(self, offset: int, max_bytes: int) -> tuple[list[Record], int]:
        """Committed records from `offset` on, and the next offset. Raises ConnectionError when there is no response."""
        asked = fetch_request.Partitions(PARTITION.partition, fetch_offset=offset, partition_max_bytes=max_bytes)
        request = fetch_request.FetchRequest(
            max_wait_ms=0,
            max_bytes=max_bytes,
            isolation_level=READ_COMMITTED,
            topics=[fetch_request.Topics(topic=PARTITION.topic, partitions=[asked])],
        )
        partition_response: Any = (await self._ask(request, _BY_NAME)).responses[0].partitions[0]
        if partition_response.error_code:
            raise ConnectionError(ErrorCode(partition_response.error_code).name)
        next_offset = offset
        for _, header in iterate_batches(partition_response.records or b"", allow_partial=True):
            next_offset = max(next_offset, header.next_offset)
        return [record for record in visible_records(partition_response) if record.offset >= offset], next_offset


class Compaction:
    """One run."""

    def __init__(self, world: SimWorld, rng: SimRng) -> None:
        self.history = History()
        self.node = make_node(world, SETTINGS)
        self.node.max_executor_delay_ms = rng.one_of((0, 2, 20))
        self.writes: list[tuple[bytes, bytes]] = []
        self.writers: list[KeyedWriter] = []
        self.seen: list[bytes] = []
        self._world = world
        self._rng = rng
        self._stop = asyncio.Event()
        self._watch = StableOffsetWatch(self.node, self.history, timeout_ms=TIMEOUT_MS)

    async def run(self) -> None:
        may_lose_power = self._rng.chance(50)
        duration_ms = self._rng.between(2_000, 5_000)
        schedule = make_schedule(self._rng.split("faults"), duration_ms=duration_ms, may_lose_power=may_lose_power)
        names = [f"writer-{number}" for number in range(self._rng.between(1, 2))]
        supervisor = Supervisor(self._world, self.node, names, lambda _: None)
        await self.node.start()
        self._watch.start()
        await create_topics(self.client("admin"), {PARTITION.topic: self._topic(may_lose_power)}, partition_count=1)
        keeper = asyncio.ensure_future(supervisor.keep_running())
        writing = [asyncio.ensure_future(self._write(name)) for name in names]
        reading = asyncio.ensure_future(self._read_slowly())
        end_s = self._world.loop.time() + duration_ms / 1000
        await supervisor.play(schedule)
        await asyncio.sleep(max(0, end_s - self._world.loop.time()))
        await supervisor.heal()
        self._stop.set()
        if supervisor.error is not None:
            self.history.found("start-failed", repr(supervisor.error))
        else:
            await self._finish(writing)
        self._watch.stop()
        for task in (keeper, reading, *writing):
            task.cancel()

    def _topic(self, syncs: bool) -> dict[str, str]:
        config = {
            "cleanup.policy": "compact",
            "min.cleanable.dirty.ratio": "0.01",
            "internal.segment.bytes": str(self._rng.between(800, 4_000)),
            "delete.retention.ms": self._rng.one_of(("0", "300", "5000")),
            "file.delete.delay.ms": "500",
        }
        return {**config, "flush.messages": "1"} if syncs else config

    def client(self, name: str) -> KeyedReader:
        network = self._world.client_doors(name).network
        return KeyedReader(network, BROKER, PORT, name, by_topic_id=False, timeout_ms=3_000)

    async def _write(self, name: str) -> None:
        writer = KeyedWriter(self.client(name), name, [PARTITION], timeout_ms=TIMEOUT_MS)
        self.writers.append(writer)
        rng = self._rng.split(name)
        number = 0
        while not self._stop.is_set():
            number += 1
            key = f"{name}-{rng.below(_KEYS_PER_WRITER)}".encode()
            rest = _DELETED if rng.chance(30) else b""
            value = b"%s|%s%d" % (key, rest, number)
            self.writes.append((key, value))
            await writer.transfer(value, committed=rng.chance(60))
            await sleep_ms(rng.below(150))

    async def _read_slowly(self) -> None:
        reader, rng = self.client("slow reader"), self._rng.split("slow reader")
        offset = 0
        while True:
            await sleep_ms(rng.below(60))
            try:
                records, next_offset = await reader.read_some(offset, rng.one_of((1, 300, 2_000)))
            except CLIENT_ERRORS:
                reader.close()
                continue
            self.seen += [bytes(record.value) for record in records if record.value is not None]
            # Nothing more to read: again from the beginning.
            offset = next_offset if next_offset > offset else 0

    # -- the end

    async def _finish(self, writing: list[asyncio.Task[None]]) -> None:
        reader = self.client("last reader")
        try:
            async with asyncio.timeout(LIVENESS_S):
                for task in writing:
                    await task
                await wait_for_stable_end(reader, PARTITION, self.history, timeout_ms=TIMEOUT_MS)
                # As the log is, and as it is after another start and another cleaning.
                await self._check(reader)
                await self.node.stop()
                await asyncio.sleep(2)
                await wait_for_stable_end(reader, PARTITION, self.history, timeout_ms=TIMEOUT_MS)
                await self._check(reader)
        except TimeoutError:
            self.history.found("liveness", f"writers and readers have not ended {LIVENESS_S} s after the last fault")

    async def _check(self, reader: KeyedReader) -> None:
        state: dict[bytes, bytes] = {}
        offset, next_offset = -1, 0
        while next_offset > offset:
            offset = next_offset
            records, next_offset = await retry(partial(reader.read_some, offset, 2_000))
            for record in records:
                if record.value is None:
                    state.pop(bytes(record.key or b""), None)
                else:
                    state[bytes(record.key or b"")] = bytes(record.value)
        outcomes = {value: done for writer in self.writers for value, done in writer.outcomes.items()}
        writes = [
            KeyedWrite(key, None if _is_deletion(value) else value, outcomes.get(value, False))
            for key, value in self.writes
        ]
        seen = [*self.seen, *state.values()]
        self.history.findings += aborted_read_findings(seen, {each.value: each for each in writes if each.value})
        self.history.findings += last_value_findings(state, writes)


def _is_deletion(value: bytes) -> bool:
    return value.partition(b"|")[2].startswith(_DELETED)


def run_compaction(seed: int, show: Callable[[str], None] | None = None) -> RunResult:
    with SimWorld(seed, show=show) as world:
        run = Compaction(world, world.rng.split("workload"))
        world.run(run.run())
        return RunResult.of(
            world, run.node, run.history.findings, acked_count=len(run.writes), read_count=len(run.seen)
        )
