"""A copier: reads its partitions of a topic, writes all it reads to every output, and commits how far it has read.

Output and offsets are one transaction (KIP-447): as the member of a group, with a transactional id of its own.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from ottla.records.builder import build_batch
from ottla.records.record import Record
from ottla.sim.client import FetchedRecord
from ottla.sim.clock import WALL_START_MS
from ottla.sim.group_client import CommitIdentity, GroupPlan
from ottla.sim.late_requests import CopyClient
from ottla.sim.membership import Membership
from ottla.sim.producer import CLIENT_ERRORS
from ottla.sim.rng import SimRng
from ottla.sim.transactional_client import TRY_AGAIN
from ottla.sim.world import sleep_ms

T = TypeVar("T")
_RETRY_S = 0.05
_MAX_DELAY_MS = 2_500


class TransactionAbandoned(Exception):
    """This transaction is aborted; the next one may succeed."""


class Copier:
    """Implements `Work`."""

    def __init__(
        self,
        client: CopyClient,
        plan: GroupPlan,
        membership: Membership,
        transactional_id: str,
        outputs: list[TopicPartition],
        rng: SimRng,
        *,
        timeout_ms: int,
        delay_percent: int,
    ) -> None:
        self.committed_count = 0
        self._client = client
        self._plan = plan
        self._membership = membership
        self._id = transactional_id
        self._outputs = outputs
        self._rng = rng
        self._timeout_ms = timeout_ms
        self.delay_percent = delay_percent
        self._is_stopping = False
        self._producer: tuple[int, int] | None = None
        self._is_open = False
        self._positions: dict[TopicPartition, tuple[int, int]] = {}

    def stop(self) -> None:
        self._is_stopping = True

    async def run(self) -> None:
        while not self._is_stopping:
            try:
                is_idle = not await self._copy_some()
                # Slow enough that there is work left when something goes wrong.
                await sleep_ms(self._rng.between(50, 300) if is_idle else self._rng.below(200))
            except CLIENT_ERRORS:
                self._client.close()
                await asyncio.sleep(_RETRY_S)
            except TransactionAbandoned:
                # The positions that the transaction advanced are not valid any more.
                self._positions.clear()
                await self._abort()
        self._client.close()

    async def _copy_some(self) -> bool:
        """One transaction; False when there is nothing to copy."""
        await self._read_positions()
        commit_identity = self._membership.commit_identity
        ready = [
            each for each, grant in self._membership.owned.items() if self._positions.get(each, (0, 0))[0] == grant
        ]
        if commit_identity is None or not ready:
            return False
        if self._producer is None:
            await self._start()
        partition = self._rng.one_of(ready)
        grant, position = self._positions[partition]
        fetched = await self._client.fetch(
            *partition, position, max_wait_ms=0, max_bytes=self._rng.one_of((1, 200, 600))
        )
        if fetched.code is not ErrorCode.NONE or not fetched.records:
            return False
        await self._transaction(commit_identity, partition, fetched.records, fetched.next_offset)
        self._positions[partition] = (grant, fetched.next_offset)
        return True

    # -- one transaction

    async def _transaction(
        self, commit_identity: CommitIdentity, source: TopicPartition, records: list[FetchedRecord], next_offset: int
    ) -> None:
        self._is_open = True
        for output in self._outputs:
            await self._write(output, [record.value for record in records])
            await self._delay()
        await self._commit_offsets(commit_identity, {source: next_offset})
        await self._delay()
        if self._rng.chance(10):
            raise TransactionAbandoned
        await self._end()
        self.committed_count += 1

    async def _delay(self) -> None:
        """Long enough for the partition to be somebody else's meanwhile."""
        if self._rng.chance(self.delay_percent):
            await sleep_ms(self._rng.below(_MAX_DELAY_MS))

    async def _write(self, output: TopicPartition, values: list[bytes]) -> None:
        producer = self._current()
        batch = build_batch(
            [Record(i, WALL_START_MS, None, value, ()) for i, value in enumerate(values)],
            producer_id=producer[0],
            producer_epoch=producer[1],
            base_sequence=0,
            is_transactional=True,
        )
        code = await self._until_known(
            lambda: self._client.send_transactional(self._id, output, bytes(batch)), lambda code: code
        )
        self._check(code)

    async def _commit_offsets(self, commit_identity: CommitIdentity, offsets: dict[TopicPartition, int]) -> None:
        codes = await self._until_known(
            lambda: self._client.commit_in_transaction(
                self._id, self._current(), self._plan.group_id, commit_identity, offsets
            ),
            lambda codes: next(iter(codes.values())),
        )
        for code in codes.values():
            self._check(code)

    async def _end(self) -> None:
        """Retried until the outcome is known: a requested commit cannot be taken back."""
        producer = self._current()
        code, producer_id, epoch = await self._until_known(
            lambda: self._client.end_transaction(self._id, producer, committed=True),
            lambda response: response[0],
            may_abandon=False,
        )
        self._is_open = False
        self._check(code)
        self._producer = (producer_id, epoch)

    async def _abort(self) -> None:
        if not self._is_open or self._producer is None:
            return
        self._is_open = False
        producer, self._producer = self._producer, None
        code, producer_id, epoch = await self._until_known(
            lambda: self._client.end_transaction(self._id, producer, committed=False),
            lambda response: response[0],
            may_abandon=False,
        )
        if code is ErrorCode.NONE:
            self._producer = (producer_id, epoch)

    def _current(self) -> tuple[int, int]:
        assert self._producer is not None
        return self._producer

    def _check(self, code: ErrorCode) -> None:
        if code is not ErrorCode.NONE:
            if code in _FENCED:
                self._producer = None
            raise TransactionAbandoned(code.name)

    # -- before it

    async def _start(self) -> None:
        async def find() -> ErrorCode:
            await self._client.find_coordinator(self._id)
            return ErrorCode.NONE

        await self._until_known(find, lambda code: code, may_abandon=False)
        code, producer_id, epoch = await self._until_known(
            lambda: self._client.init_transactional(self._id, self._timeout_ms),
            lambda response: response[0],
            may_abandon=False,
        )
        self._check(code)
        self._producer = (producer_id, epoch)

    async def _read_positions(self) -> None:
        wanted = {
            partition: grant
            for partition, grant in self._membership.owned.items()
            if self._positions.get(partition, (0, 0))[0] != grant
        }
        if not wanted:
            return
        code, offsets = await self._client.committed(
            self._plan.group_id, list(wanted), self._membership.commit_identity, is_consumer=self._plan.assignor is None
        )
        if code is not ErrorCode.NONE:
            await asyncio.sleep(_RETRY_S)
            return
        for partition, grant in wanted.items():
            if self._membership.owned.get(partition) == grant:
                self._positions[partition] = (grant, max(offsets[partition], 0))

    async def _until_known(
        self, ask: Callable[[], Awaitable[T]], code_of: Callable[[T], ErrorCode], *, may_abandon: bool = True
    ) -> T:
        while True:
            try:
                response = await ask()
            except CLIENT_ERRORS:
                self._client.close()
                if may_abandon and self._rng.chance(30):
                    raise TransactionAbandoned from None
            else:
                if code_of(response) not in TRY_AGAIN:
                    return response
            await asyncio.sleep(_RETRY_S)


_FENCED = (
    ErrorCode.INVALID_PRODUCER_EPOCH,
    ErrorCode.PRODUCER_FENCED,
    ErrorCode.INVALID_TXN_STATE,
    ErrorCode.INVALID_PRODUCER_ID_MAPPING,
    ErrorCode.TRANSACTION_ABORTABLE,
    ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER,
)
