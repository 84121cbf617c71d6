"""A transaction as an `async with` block."""

import logging
from types import TracebackType
from typing import TYPE_CHECKING

from ottla.client.errors import ClientError
from ottla.client.producer.transaction_state import Phase

if TYPE_CHECKING:
    from ottla.client.producer.producer import AsyncProducer

_log = logging.getLogger(__name__)


class Transaction:
    """Created by `producer.transaction()`. Commits at the end of the block; aborts if it raises."""

    def __init__(self, producer: "AsyncProducer") -> None:
        self._producer = producer

    async def __aenter__(self) -> "AsyncProducer":
        await self._producer.begin_transaction()
        return self._producer

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        producer = self._producer
        if producer.transaction_phase() is Phase.DETACHED:
            return
        if error is not None:
            await self._abort()
            return
        try:
            await producer.commit_transaction()
        except (ClientError, ValueError):
            # ValueError: a record was for a partition that does not exist.
            await self._abort()
            raise

    async def _abort(self) -> None:
        """The error that led here is the one to report."""
        producer = self._producer
        if producer.transaction_phase() not in (Phase.IN_TRANSACTION, Phase.MUST_ABORT, Phase.ABORTING):
            return
        try:
            await producer.abort_transaction()
        except ClientError as error:
            _log.warning("a transaction could not be aborted; its coordinator will do it: %s", error)
