"""A copier for short stories: one record, its copy and the offset after it are one transaction. Alone in its group."""

import asyncio
import contextlib

from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from ottla.protocol.generated.add_offsets_to_txn_request import AddOffsetsToTxnRequest
from ottla.sim.checkers.groups import MemberIdentity
from ottla.sim.group_client import CommitIdentity
from ottla.sim.late_requests import CopyClient
from ottla.sim.producer import CLIENT_ERRORS
from ottla.sim.transactional_client import Fenced, TransferProducer

GROUP = "copiers"
#: Not a member: the group has none.
_ALONE = CommitIdentity(MemberIdentity("", None), -1)
_RETRY_S = 0.05
_TV1_ADD_OFFSETS = 3
_TV1_COMMIT = 4


class StoryCopier(TransferProducer):
    def __init__(
        self,
        client: CopyClient,
        transactional_id: str,
        source: TopicPartition,
        target: TopicPartition,
        *,
        timeout_ms: int,
    ) -> None:
        super().__init__(client, transactional_id, [target], timeout_ms=timeout_ms)
        self._copies = client
        self._source = source

    async def copy(self, *, committed: bool = True) -> None:
        """The next record, if this one transaction completes."""
        try:
            value = await self._write_next()
            if value is not None:
                await self.end(value, committed=committed)
        except Fenced:
            self._producer = None

    async def copy_and_vanish(self) -> None:
        with contextlib.suppress(Fenced):
            await self._write_next()
        self._producer = None

    async def copy_rest(self, end_offset: int) -> None:
        while await self.position() < end_offset:
            await self.copy()

    async def position(self) -> int:
        """Waits for open transactions that may still change it."""
        while True:
            with contextlib.suppress(*CLIENT_ERRORS):
                code, offsets = await self._copies.committed(GROUP, [self._source], None, is_consumer=False)
                if code is ErrorCode.NONE:
                    return max(offsets[self._source], 0)
            await asyncio.sleep(_RETRY_S)

    async def _write_next(self) -> bytes | None:
        position = await self.position()
        value = await self._record_at(position)
        if value is not None:
            await self.write(value)
            await self._commit_offset(position + 1)
        return value

    async def _record_at(self, position: int) -> bytes | None:
        while True:
            with contextlib.suppress(*CLIENT_ERRORS):
                fetched = await self._copies.fetch(*self._source, position, max_wait_ms=0)
                if fetched.code is ErrorCode.NONE:
                    return fetched.records[0].value if fetched.records else None
            await asyncio.sleep(_RETRY_S)

    async def _commit_offset(self, offset: int) -> None:
        assert self._producer is not None
        producer = self._producer

        async def commit() -> tuple[ErrorCode, int, int]:
            if not self._copies.knows_tv2:
                request = AddOffsetsToTxnRequest(self._id, *producer, GROUP)
                added = ErrorCode((await self._copies.ask(request, _TV1_ADD_OFFSETS)).error_code)
                if added is not ErrorCode.NONE:
                    return added, -1, -1
            version = None if self._copies.knows_tv2 else _TV1_COMMIT
            codes = await self._copies.commit_in_transaction(
                self._id, producer, GROUP, _ALONE, {self._source: offset}, version
            )
            return codes[self._source], -1, -1

        code, _, _ = await self._until_known(commit)
        if code is not ErrorCode.NONE:
            raise Fenced(code.name)
