"""What tests ask of a broker, as coroutines on one loop: topics, records, offsets, groups. Built on `ottla.client`.

Any Kafka will do: nothing here looks into the broker.
"""

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ottla.client.admin.admin import AsyncAdmin
from ottla.client.admin.groups import GroupDescription
from ottla.client.admin.offsets import OffsetSpec
from ottla.client.admin.topics import NewTopic
from ottla.client.errors import ClientError
from ottla.client.lifetime import Lifetime
from ottla.client.producer.outcome import RecordMetadata
from ottla.client.producer.producer import AsyncProducer
from ottla.client.retrying import Deadline
from ottla.config.consumer_options import ConsumerOptions
from ottla.model.topic import TopicPartition
from ottla.testing.errors import NotReceived
from ottla.testing.received import ANY, PartitionOffsets, Received, encoded, encoded_headers, matches, shown
from ottla.testing.topic_reader import TopicReader

#: The kit's own requests: faults do not touch them, and they are not recorded.
CLIENT_ID = "ottla-testing"
_LOOK_AGAIN_S = 0.01
_CALL_TIMEOUT_MS = 30_000
#: A test has failed already: its report must not take long.
_DESCRIPTION_TIMEOUT_S = 3.0


class ClientCalls:
    """Started and closed on one event loop; a producer is opened with the first record."""

    def __init__(self, bootstrap: str, now_ms: Callable[[], int] | None = None) -> None:
        """`now_ms` stamps records: the broker's clock, where a test can move it."""
        self._settings = {"bootstrap.servers": bootstrap, "client.id": CLIENT_ID}
        self._now_ms = now_ms
        self.admin = AsyncAdmin(self._settings)
        self._metadata = Lifetime(ConsumerOptions, self._settings, {}, None)
        self._producer: AsyncProducer | None = None
        self._created: list[str] = []

    async def start(self) -> None:
        await self.admin.start()
        self._metadata.start()

    async def close(self) -> None:
        if self._producer is not None:
            await self._producer.close(timeout_ms=0)
        await self._metadata.close()
        await self.admin.close()

    # topics and records

    async def create_topic(
        self,
        name: str,
        partitions: int = 1,
        *,
        config: Mapping[str, Any] | None = None,
        replication_factor: int = 1,
    ) -> None:
        """Creates a topic; returns when it can be used."""
        settings = {key: str(value) for key, value in (config or {}).items()}
        await self.admin.create_topics([NewTopic(name, partitions, replication_factor, settings)])
        self._created.append(name)
        await self._metadata.cluster.topic(name, self._deadline())

    async def delete_created_topics(self) -> None:
        """Those that still exist of the topics that were created here: for a cluster that outlives the test."""
        left = sorted(set(self._created) & set(await self.topics()))
        if left:
            await self.admin.delete_topics(left)

    async def send(
        self,
        topic: str,
        value: Any = None,
        *,
        key: Any = None,
        headers: Mapping[str, Any] | Iterable[tuple[str, Any]] | None = None,
        partition: int | None = None,
        timestamp_ms: int | None = None,
    ) -> RecordMetadata:
        """Sends one record and waits for the ack. Bytes and None as they are, text as UTF-8, all else as JSON."""
        if self._producer is None:
            self._producer = AsyncProducer(self._settings, linger_ms=0)
            await self._producer.start()
        if timestamp_ms is None and self._now_ms is not None:
            timestamp_ms = self._now_ms()
        return await self._producer.send(
            topic,
            encoded(value),
            encoded(key),
            partition=partition,
            timestamp_ms=timestamp_ms,
            headers=encoded_headers(headers),
        )

    async def read(
        self,
        topic: str,
        n: int | None = None,
        *,
        timeout: float = 5.0,
        partition: int | None = None,
        start: Mapping[int, int] | None = None,
        committed: bool = True,
    ) -> list[Received]:
        """The first `n` records of a topic, from its first offsets (or those in `start`, by partition).

        Waits up to `timeout` seconds, then raises NotReceived with what did arrive. Without `n`: all that is there now.
        `committed=False` shows also the records of open and aborted transactions.
        """
        reader = self._reader(topic, partition, start, committed)
        if n is None:
            return await reader.read_to_end()
        if not await reader.read_until(lambda found: len(found) >= n, timeout):
            found = reader.records
            raise NotReceived(
                f"{len(found)} of {n} records arrived in {topic} within {timeout} s:\n{shown(found)}", found
            )
        return reader.records[:n]

    async def assert_received(
        self,
        topic: str,
        value: Any = ANY,
        *,
        key: Any = ANY,
        headers: Mapping[str, Any] | None = None,
        timeout: float = 5.0,
    ) -> Received:
        """Waits for a record that matches, and gives it. Raises NotReceived with what did arrive."""

        def hits(found: list[Received]) -> list[Received]:
            return [record for record in found if matches(record, value, key, headers)]

        reader = self._reader(topic, None, None, True)
        if not await reader.read_until(lambda found: bool(hits(found)), timeout):
            wanted = ", ".join(
                f"{name}={given!r}"
                for name, given in (("value", value), ("key", key), ("headers", headers or ANY))
                if given is not ANY
            )
            raise NotReceived(
                f"no record with {wanted} arrived in {topic} within {timeout} s:\n{shown(reader.records)}",
                reader.records,
            )
        return hits(reader.records)[0]

    def _reader(
        self, topic: str, partition: int | None, start: Mapping[int, int] | None, committed: bool
    ) -> TopicReader:
        return TopicReader(self._settings, topic, partition=partition, start=start, read_committed=committed)

    # offsets and groups

    async def offsets(self, topic: str) -> dict[int, PartitionOffsets]:
        """The first and the end offset of each partition."""
        view = await self._metadata.cluster.topic(topic, self._deadline())
        partitions = [TopicPartition(topic, number) for number in range(len(view.partitions))]
        first = await self.admin.list_offsets(dict.fromkeys(partitions, OffsetSpec.EARLIEST))
        last = await self.admin.list_offsets(dict.fromkeys(partitions, OffsetSpec.LATEST))
        return {each.partition: PartitionOffsets(first[each].offset, last[each].offset) for each in partitions}

    async def committed(self, group: str) -> dict[TopicPartition, int]:
        """The offsets that a group has committed."""
        return {each: row.offset for each, row in (await self.admin.list_group_offsets(group)).items()}

    async def lag(self, group: str, topic: str | None = None) -> int:
        """How many offsets the group is behind, over all partitions of the topics that it has committed offsets of.

        A partition without a committed offset counts from its first one.
        """
        committed = await self.committed(group)
        topics = {each.topic for each in committed} if topic is None else {topic}
        total = 0
        for name in sorted(topics):
            for number, row in (await self.offsets(name)).items():
                total += row.latest - committed.get(TopicPartition(name, number), row.earliest)
        return total

    async def wait_for_group(
        self, group: str, *, members: int | None = None, state: str = "Stable", timeout: float = 10.0
    ) -> GroupDescription:
        """Waits until the group is in a state, with a number of members (at least one, unless given)."""
        until = time.monotonic() + timeout
        last = "it does not exist"
        while True:
            try:
                found = (await self.admin.describe_groups([group]))[group]
            except ClientError as error:
                last = str(error)
            else:
                count = len(found.members)
                if found.state.lower() == state.lower() and (count > 0 if members is None else count == members):
                    return found
                last = f"it is {found.state} with {count} members"
            if time.monotonic() > until:
                wanted = "members" if members is None else f"{members} members"
                raise NotReceived(f"group {group} was not {state} with {wanted} within {timeout} s: {last}", ())
            await asyncio.sleep(_LOOK_AGAIN_S)

    async def topics(self) -> Sequence[str]:
        """The names of all topics but the broker's own."""
        return [row.name for row in await self.admin.list_topics()]

    def _deadline(self) -> Deadline:
        return Deadline(self._metadata.cluster.clock, _CALL_TIMEOUT_MS)


async def describe(calls: ClientCalls) -> str:
    """What the broker holds, as text for the report of a failed test: topics, offsets, groups."""
    lines: list[str] = []
    try:
        async with asyncio.timeout(_DESCRIPTION_TIMEOUT_S):
            for name in await calls.topics():
                rows = await calls.offsets(name)
                ranges = " ".join(f"{number}:{row.earliest}..{row.latest}" for number, row in sorted(rows.items()))
                lines.append(f"topic {name}: {ranges}")
            groups = await calls.admin.list_groups()
            lines += [await _described_group(calls, listing.group_id) for listing in groups]
    except (TimeoutError, ClientError) as error:
        lines.append(f"the broker could not be asked: {type(error).__name__} {error}")
    return "\n".join(lines) or "no topics, no groups"


async def _described_group(calls: ClientCalls, group_id: str) -> str:
    found = (await calls.admin.describe_groups([group_id]))[group_id]
    committed = await calls.committed(group_id)
    offsets = " ".join(f"{each.topic}-{each.partition}:{offset}" for each, offset in sorted(committed.items()))
    return f"group {group_id}: {found.state}, {len(found.members)} members, committed {offsets or 'nothing'}"
