"""Transactions of one producer: the requests to its coordinator, and when batches may be sent.

TV2 (KIP-890, `transaction.version` 2): brokers add partitions and groups to the transaction by themselves, and every
end of a transaction gives the producer a new epoch. TV1: the producer adds them first, and keeps its epoch.
"""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

from ottla.client.cluster import Cluster
from ottla.client.coordinators import CoordinatorKind
from ottla.client.errors import ClientError, ProducerFenced, TransactionAborted
from ottla.client.offsets import ConsumerGroupMetadata, Offsets
from ottla.client.producer import transaction_requests as requests
from ottla.client.producer.batch import Batch
from ottla.client.producer.identity import NOBODY, Identity
from ottla.client.producer.partition_queue import PartitionQueue
from ottla.client.producer.transaction_handle import TransactionHandle
from ottla.client.producer.transaction_state import Phase, TransactionState, is_fatal
from ottla.config.producer_options import ProducerOptions
from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition

_NO_LIMIT_MS = 1 << 31


class TransactionalAuthority:
    """An `Authority`. Owned by the producer."""

    is_idempotent = True

    def __init__(self, cluster: Cluster, options: ProducerOptions, wake: Callable[[], None]) -> None:
        assert options.transactional_id is not None
        self.transactional_id: str = options.transactional_id
        self.state = TransactionState(self.transactional_id)
        self.identity = NOBODY
        self._cluster = cluster
        self._options = options
        self._wake = wake
        self._uses_tv2 = False
        #: TV1: partitions that the coordinator knows, and those that are sent to it now.
        self._added: set[TopicPartition] = set()
        self._to_add: dict[TopicPartition, None] = {}
        self._adding: asyncio.Task[None] | None = None
        #: Whether the coordinator has something to end.
        self._has_begun = False
        self._lost_batch = False

    # Authority

    def take_failure(self) -> Exception | None:
        return self.state.error if self.state.phase in (Phase.MUST_ABORT, Phase.FATAL) else None

    @property
    def max_produce_version(self) -> int:
        return 32767 if self._uses_tv2 else requests.LAST_PRODUCE_OF_TV1

    def may_send(self, partition: TopicPartition) -> bool:
        if self.state.phase not in (Phase.IN_TRANSACTION, Phase.COMMITTING, Phase.DETACHED):
            return False
        if self._uses_tv2 or partition in self._added:
            return True
        self._to_add[partition] = None
        if self._adding is None:
            self._adding = asyncio.get_running_loop().create_task(self._add_partitions(), name="add partitions")
        return False

    def sent(self, batch: Batch) -> None:
        self._has_begun = True

    def lost_sequence(self, queue: PartitionQueue, batch: Batch) -> bool:
        return False

    def batch_failed(self, batch: Batch, error: Exception) -> None:
        self._lost_batch = True
        if isinstance(error, ProducerFenced) and error.code == ErrorCode.INVALID_PRODUCER_EPOCH:
            # The coordinator may have ended the transaction because it took too long: the abort will show.
            error = TransactionAborted(error.code, f"{error.message}; the transaction may have timed out")
        self.state.failed(error)

    async def close(self) -> None:
        if self._adding is not None:
            self._adding.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._adding

    # the transaction

    async def initialize(self) -> None:
        """Gets an id and fences older producers with the same transactional id. More than once does no harm."""
        if self.state.phase is Phase.READY:
            return
        self.state.require(Phase.UNINITIALIZED)
        await self._initialize()

    async def _initialize(self) -> None:
        self.state.move(Phase.INITIALIZING)
        request = requests.init_producer_id(self.transactional_id, self._options.transaction_timeout_ms, self.identity)
        try:
            response = await self._ask("initialize transactions", request, requests.read_init_producer_id)
        except ClientError as error:
            if is_fatal(error):
                self.state.failed(error)
            else:
                self.state.move(Phase.UNINITIALIZED)
            raise
        self.identity = Identity(response.producer_id, response.producer_epoch)
        self.state.move(Phase.READY)

    async def begin(self) -> None:
        await self.initialize()
        self._uses_tv2 = await self._knows_tv2()
        self.state.move(Phase.IN_TRANSACTION)
        self._added.clear()
        self._has_begun = self._lost_batch = False

    async def send_offsets(self, offsets: Offsets, group: ConsumerGroupMetadata) -> None:
        self.state.require(Phase.IN_TRANSACTION)
        if not offsets:
            return
        try:
            if not self._uses_tv2:
                request = requests.add_offsets(self.transactional_id, self.identity, group.group_id)
                await self._ask("add offsets to transaction", request, requests.read_code)
            self._has_begun = True
            await self._commit_offsets(offsets, group)
        except ClientError as error:
            self.state.failed(error)
            raise

    async def _commit_offsets(self, offsets: Offsets, group: ConsumerGroupMetadata) -> None:
        request = requests.txn_offset_commit(self.transactional_id, self.identity, offsets, group)
        version = None if self._uses_tv2 else requests.LAST_OFFSET_COMMIT_OF_TV1
        await requests.ask_coordinator(
            self._cluster,
            (CoordinatorKind.GROUP, group.group_id),
            request,
            requests.read_offset_commit,
            timeout_ms=self._options.max_block_ms,
            what=f"commit offsets of group {group.group_id} in a transaction",
            max_version=version,
        )

    async def end(self, *, commit: bool) -> None:
        """Everything that was sent is decided. Raises TimedOut when the coordinator does not respond: call it again."""
        if not self._has_begun:
            self._ended(self.identity)
            return
        handle = TransactionHandle(self.transactional_id, *self.identity)
        try:
            response = await end_transaction(
                self._cluster, handle, commit=commit, timeout_ms=self._options.max_block_ms, uses_tv2=self._uses_tv2
            )
        except ClientError as error:
            if not error.retriable:
                self.state.failed(error)
            raise
        known = self._uses_tv2 and response.producer_id >= 0
        self._ended(Identity(response.producer_id, response.producer_epoch) if known else self.identity)
        if not commit and self._lost_batch and not self._uses_tv2:
            # A batch may be written or not; a new epoch starts with sequences of its own. The abort is done: what goes
            # wrong now is met again, and reported, when the next transaction begins.
            with contextlib.suppress(ClientError):
                await self._initialize()

    def _ended(self, identity: Identity) -> None:
        self.identity = identity
        self._has_begun = False
        self.state.move(Phase.READY)

    @property
    def is_open(self) -> bool:
        """Whether it can, or must, be aborted."""
        return self.state.phase in (Phase.IN_TRANSACTION, Phase.MUST_ABORT, Phase.ABORTING)

    @property
    def has_begun(self) -> bool:
        """Whether the coordinator knows, or will know, of the transaction."""
        return self._has_begun

    def handle(self) -> TransactionHandle:
        return TransactionHandle(self.transactional_id, *self.identity)

    # requests

    async def _ask(self, what: str, request: Any, read: Callable[[Any], Any]) -> Any:
        return await requests.ask_coordinator(
            self._cluster,
            (CoordinatorKind.TRANSACTION, self.transactional_id),
            request,
            read,
            timeout_ms=self._options.max_block_ms,
            what=what,
        )

    async def _knows_tv2(self) -> bool:
        return await requests.knows_tv2(self._cluster, self.transactional_id, timeout_ms=self._options.max_block_ms)

    async def _add_partitions(self) -> None:
        try:
            while self._to_add:
                partitions, self._to_add = list(self._to_add), {}
                request = requests.add_partitions(self.transactional_id, self.identity, partitions)
                await requests.ask_coordinator(
                    self._cluster,
                    (CoordinatorKind.TRANSACTION, self.transactional_id),
                    request,
                    requests.read_add_partitions,
                    timeout_ms=_NO_LIMIT_MS,
                    what="add partitions to transaction",
                    max_version=requests.LAST_ADD_PARTITIONS_OF_CLIENTS,
                )
                self._has_begun = True
                self._added.update(partitions)
        except ClientError as error:
            self.state.failed(error)
        finally:
            self._adding = None
        self._wake()


async def end_transaction(
    cluster: Cluster, handle: TransactionHandle, *, commit: bool, timeout_ms: int, uses_tv2: bool
) -> Any:
    """Of this process or of another one. Asking twice is the same as asking once."""
    return await requests.ask_coordinator(
        cluster,
        (CoordinatorKind.TRANSACTION, handle.transactional_id),
        requests.end_txn(handle.transactional_id, handle.producer_id, handle.producer_epoch, commit=commit),
        requests.read_code,
        timeout_ms=timeout_ms,
        what="commit the transaction" if commit else "abort the transaction",
        max_version=None if uses_tv2 else requests.LAST_END_OF_TV1,
    )
