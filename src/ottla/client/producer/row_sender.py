"""Tables to topics: rows of Arrow columns become batches, without a Python object per record.

Rows are grouped by topic and partition, encoded into batches as large as the broker takes, and put behind what `send`
has put into the queues of the partitions. They do not linger.
"""

import asyncio
import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from ottla.client.cluster import Cluster
from ottla.client.errors import ClientError, RecordTooLarge
from ottla.client.producer.batch import Batch
from ottla.client.producer.delivery import Delivery
from ottla.client.producer.partition_queue import PartitionQueue
from ottla.client.producer.routes import Route
from ottla.client.retrying import Deadline
from ottla.config.producer_options import ProducerOptions
from ottla.protocol.generated.describe_configs_request import DescribeConfigsRequest, Resources
from ottla.records.arrow_batches import RowTooLarge, encode_rows, grouped, key_partitions
from ottla.records.compression import Codec

if TYPE_CHECKING:
    import pyarrow as pa

#: So many rows are grouped at a time.
_CHUNK_ROWS: Final = 262_144
#: Batches per node that are encoded, beside those in flight.
_BATCHES_READY: Final = 2
_TOPIC_RESOURCE: Final = 2


class SentRows(NamedTuple):
    """From `send_batch`: neighbouring records that were written as one batch. The offset is -1 with acks=0.

    >>> import pyarrow
    >>> with Producer(bootstrap_servers=servers) as producer:
    ...     [sent] = producer.send_batch("rows", pyarrow.table({"value": ["a", "b"]}))
    >>> sent.base_offset, sent.row_count
    (0, 2)
    """

    topic: str
    partition: int
    base_offset: int
    row_count: int


class Queues(Protocol):
    """What a producer lets rows do."""

    async def route_to(self, topic: str) -> Route:
        """Waits up to `max.block.ms` for metadata, and for records that came before."""

    async def room_for(self, size: int) -> None:
        """Waits up to `max.block.ms` while the buffer is full. Raises BufferFull."""

    def append_encoded(self, queue: PartitionQueue, batch: bytearray, count: int) -> Batch: ...


class RowSender:
    """Owned by a producer; knows how large batches of each topic may be."""

    def __init__(self, cluster: Cluster, options: ProducerOptions, queues: Queues, codec: Codec, level: int | None):
        self._cluster = cluster
        self._options = options
        self._queues = queues
        self._codec = codec
        self._level = level
        self._max_bytes: dict[str, int] = {}

    async def send(self, topic: str | None, rows: Any) -> list[SentRows]:
        """Raises the first error, when all that was put into the buffer is decided."""
        batches: list[Batch] = []
        failure: Exception | None = None
        try:
            for chunk in _chunks(rows):
                for name, part in _by_topic(chunk, topic):
                    await self._put(name, part, batches)
        except (ClientError, ValueError) as error:
            failure = error
        sent = []
        for batch in batches:
            try:
                written = await Delivery(batch, 0)
                sent.append(SentRows(written.topic, written.partition, written.offset, batch.count))
            except ClientError as error:
                failure = failure or error
        if failure is not None:
            raise failure
        return sent

    async def _put(self, topic: str, rows: "pa.RecordBatch", batches: list[Batch]) -> None:
        route = await self._queues.route_to(topic)
        max_bytes = await self._max_batch_bytes(topic)
        for partition, part in _by_partition(rows, route):
            try:
                for encoded in encode_rows(
                    part,
                    max_bytes=max_bytes,
                    now_ms=self._cluster.clock.now_ms(),
                    codec=self._codec,
                    level=self._level,
                ):
                    await self._wait_for_sender(batches)
                    await self._queues.room_for(len(encoded.batch))
                    queue = route.numbered(partition) if partition is not None else route.next_sticky()
                    batches.append(self._queues.append_encoded(queue, encoded.batch, encoded.row_count))
                    # Encoding is work on the event loop: others get their turn, and the sender its requests.
                    await asyncio.sleep(0)
            except RowTooLarge as error:
                raise RecordTooLarge(f"{error} (max.request.size, max.message.bytes of {topic})") from error

    async def _wait_for_sender(self, batches: list[Batch]) -> None:
        """Encodes only as far ahead as keeps all nodes busy: memory that was just released is still in the cache."""
        ahead = self._options.max_in_flight_requests_per_connection + _BATCHES_READY
        ahead *= max(1, len(self._cluster.image.nodes))
        if len(batches) >= ahead:
            # A failure is raised when all is decided.
            with contextlib.suppress(ClientError):
                await Delivery(batches[-ahead], 0)

    async def _max_batch_bytes(self, topic: str) -> int:
        known = self._max_bytes.get(topic)
        if known is None:
            limit = self._options.max_request_size
            known = self._max_bytes[topic] = min(limit, await self._max_message_bytes(topic) or limit)
        return known

    async def _max_message_bytes(self, topic: str) -> int | None:
        """None where the cluster does not tell: then a batch that is too large is split when it is refused."""
        keys = ["max.message.bytes"]
        request = DescribeConfigsRequest(resources=[Resources(_TOPIC_RESOURCE, topic, keys)])
        try:
            async with asyncio.timeout(Deadline(self._cluster.clock, self._options.max_block_ms).left_ms / 1000):
                response = await self._cluster.ask(await self._cluster.any_node(), request)
        except (ClientError, TimeoutError):
            return None
        for result in response.results:
            for entry in result.configs if not result.error_code else ():
                if entry.name == "max.message.bytes" and entry.value is not None:
                    return int(entry.value)
        return None


def _chunks(rows: Any) -> "Iterator[pa.RecordBatch]":
    import pyarrow as pa

    if isinstance(rows, pa.RecordBatchReader):
        source: Any = rows
    else:
        source = _table(rows).to_batches(max_chunksize=_CHUNK_ROWS)
    for batch in source:
        for first in range(0, batch.num_rows, _CHUNK_ROWS):
            yield batch.slice(first, _CHUNK_ROWS)


def _table(rows: Any) -> "pa.Table":
    """Raises TypeError for what is no table."""
    import pyarrow as pa

    if isinstance(rows, pa.Table):
        return rows
    if isinstance(rows, pa.RecordBatch):
        return pa.Table.from_batches([rows])
    if hasattr(rows, "__arrow_c_stream__"):
        return pa.table(rows)
    if type(rows).__module__.startswith("pandas"):
        return pa.Table.from_pandas(rows, preserve_index=False)
    raise TypeError(f"{type(rows).__name__} is no table: use an Arrow table or record batch, pandas or Polars")


def _by_topic(rows: "pa.RecordBatch", default: str | None) -> "Iterator[tuple[str, pa.RecordBatch]]":
    if "topic" not in rows.schema.names:
        if default is None:
            raise ValueError("no topic: name one, or add a column 'topic'")
        yield default, rows
        return
    for (named,), part in grouped(rows, ["topic"]):
        name = named if named is not None else default
        if name is None:
            raise ValueError("column 'topic' has a null, and no topic is named for such rows")
        yield name, part


def _by_partition(rows: "pa.RecordBatch", route: Route) -> "Iterator[tuple[int | None, pa.RecordBatch]]":
    """None for rows that may go anywhere."""
    if "partition" not in rows.schema.names:
        yield from _by_key(rows, route)
        return
    for (number,), part in grouped(rows, ["partition"]):
        if number is None:
            yield from _by_key(part, route)
        else:
            yield int(number), part


def _by_key(rows: "pa.RecordBatch", route: Route) -> "Iterator[tuple[int | None, pa.RecordBatch]]":
    import pyarrow as pa

    if route.partition_count == 1:
        yield 0, rows
        return
    has_keys = "key" in rows.schema.names and rows.column("key").null_count < rows.num_rows
    if route.has_chooser:
        keys = rows.column("key").cast(pa.binary()).to_pylist() if has_keys else [None] * rows.num_rows
        numbers = pa.array([route.choose(key).partition.partition for key in keys], pa.int32())
    elif not has_keys or route.ignores_keys:
        yield None, rows
        return
    else:
        numbers = key_partitions(rows.column("key"), route.partition_count)
    chosen = rows.append_column("__partition", numbers)
    for (number,), part in grouped(chosen, ["__partition"]):
        yield number, part
