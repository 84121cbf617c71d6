"""By which right a producer sends: with nothing, as an idempotent producer, or in transactions (`transactional.py`)."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any, Protocol

from ottla.client.cluster import Cluster
from ottla.client.errors import ClientError, raise_for
from ottla.client.producer.batch import Batch
from ottla.client.producer.identity import NOBODY, Identity, bumped
from ottla.client.producer.partition_queue import PartitionQueue
from ottla.model.topic import TopicPartition
from ottla.protocol.generated.init_producer_id_request import InitProducerIdRequest

#: Asked for until it is there: what waits for it expires by itself.
_NO_LIMIT_MS = 1 << 31


class Authority(Protocol):
    """What the sender asks before it sends, and tells when something fails."""

    @property
    def transactional_id(self) -> str | None: ...

    @property
    def identity(self) -> Identity: ...

    def take_failure(self) -> Exception | None:
        """Why nothing can be sent; what waits now fails with it."""

    @property
    def is_idempotent(self) -> bool: ...

    @property
    def max_produce_version(self) -> int: ...

    def may_send(self, partition: TopicPartition) -> bool:
        """If not, it does what is missing, and wakes the sender."""

    def sent(self, batch: Batch) -> None: ...

    def lost_sequence(self, queue: PartitionQueue, batch: Batch) -> bool:
        """A broker wants other sequences. Whether the batch may be sent again with new ones."""

    def batch_failed(self, batch: Batch, error: Exception) -> None: ...

    async def close(self) -> None: ...


class NoAuthority:
    """Without idempotence: a retry may write twice."""

    transactional_id = None
    identity = NOBODY
    is_idempotent = False
    max_produce_version = 32767

    def take_failure(self) -> Exception | None:
        return None

    def may_send(self, partition: TopicPartition) -> bool:
        return True

    def sent(self, batch: Batch) -> None:
        pass

    def lost_sequence(self, queue: PartitionQueue, batch: Batch) -> bool:
        return False

    def batch_failed(self, batch: Batch, error: Exception) -> None:
        pass

    async def close(self) -> None:
        pass


class IdempotentAuthority:
    """Has a producer id, which any broker gives; the epoch is the producer's own to raise."""

    transactional_id = None
    is_idempotent = True
    max_produce_version = 32767

    def __init__(self, cluster: Cluster, wake: Callable[[], None]) -> None:
        self.identity = NOBODY
        self._failure: Exception | None = None
        self._cluster = cluster
        self._wake = wake
        self._learning: asyncio.Task[None] | None = None

    def take_failure(self) -> Exception | None:
        """Once: the next record tries again, somebody may have granted the right."""
        failure, self._failure = self._failure, None
        return failure

    def may_send(self, partition: TopicPartition) -> bool:
        if self.identity.is_known:
            return True
        if self._learning is None:
            self._learning = asyncio.get_running_loop().create_task(self._learn(), name="get producer id")
        return False

    def sent(self, batch: Batch) -> None:
        pass

    def lost_sequence(self, queue: PartitionQueue, batch: Batch) -> bool:
        if queue.identity == self.identity:
            self.identity = bumped(self.identity)
        queue.start_new_sequences()
        return True

    def batch_failed(self, batch: Batch, error: Exception) -> None:
        pass

    async def close(self) -> None:
        if self._learning is not None:
            self._learning.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._learning

    async def _learn(self) -> None:
        async def attempt() -> Any:
            request = InitProducerIdRequest(transactional_id=None, transaction_timeout_ms=_NO_LIMIT_MS - 1)
            response = await self._cluster.ask(await self._cluster.any_node(), request)
            raise_for(response.error_code, "no producer id; the right IdempotentWrite on the cluster may be missing")
            return response

        try:
            response = await self._cluster.retry(attempt, timeout_ms=_NO_LIMIT_MS, what="get producer id")
            self.identity = Identity(response.producer_id, response.producer_epoch)
        except ClientError as error:
            self._failure = error
        finally:
            self._learning = None
        self._wake()
