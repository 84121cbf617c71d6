"""The consumer against brokers that do as they are told: truncation, throttling, follower fetching, odd responses."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest

from ottla.client import AsyncConsumer, AuthorizationFailed, CorruptRecords, HealthReason, LogTruncated
from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated import (
    fetch_response,
    list_offsets_response,
    metadata_response,
    offset_for_leader_epoch_response,
)
from ottla.protocol.header import RequestHeader
from ottla.protocol.message import Message
from ottla.records.batch import patch_offset_and_epoch
from ottla.records.builder import build_batch
from ottla.records.record import Record
from ottla.sim.world import SimWorld
from tests.support.consumer_stage import read, values
from tests.support.scripted_broker import HOST, PORT, TOPIC_ID, ScriptedBroker
from tests.support.simulated_story import told
from tests.support.virtual_time import time_passes
from tests.support.waiting import until

ORDERS = TopicPartition("orders", 0)


class Log:
    """The log of one partition, as leaders and followers have it. It can be cut."""

    def __init__(self) -> None:
        self.values: list[tuple[bytes, int]] = []

    def write(self, count: int, epoch: int = 0, text: bytes = b"%d") -> None:
        for _ in range(count):
            self.values.append((text % len(self.values), epoch))

    def batches(self, offset: int) -> bytes:
        data = b""
        for number, (value, epoch) in list(enumerate(self.values))[offset : offset + 5]:
            batch = build_batch([Record(0, 0, None, value)])
            patch_offset_and_epoch(batch, 0, number, epoch)
            data += bytes(batch)
        return data

    def end_of(self, epoch: int) -> tuple[int, int]:
        """The largest epoch up to this one, and where it ends."""
        found = [(each, number + 1) for number, (_, each) in enumerate(self.values) if each <= epoch]
        return found[-1] if found else (-1, -1)


class Cluster:
    """Two scripted nodes with one log each. `leader` and `epoch` are what the metadata says."""

    def __init__(self, world: SimWorld) -> None:
        self.world = world
        self.nodes = {1: ScriptedBroker(world), 2: ScriptedBroker(world, "second", 2)}
        self.logs = {1: Log(), 2: Log()}
        self.leader, self.epoch = 1, 0
        #: What is done to each partition of a Fetch response.
        self.odd: Callable[[int, fetch_response.Partitions], None] = lambda node_id, row: None
        self.throttle_ms = 0
        for node_id, node in self.nodes.items():
            node.scripts[ApiKey.METADATA] = lambda header, request: self._metadata(request)
            node.scripts[ApiKey.FETCH] = partial(self._fetch, node_id)
            node.scripts[ApiKey.LIST_OFFSETS] = lambda header, request: self._list_offsets(request)
            node.scripts[ApiKey.OFFSET_FOR_LEADER_EPOCH] = partial(self._epoch_end, node_id)

    def consumer(self, **options: Any) -> AsyncConsumer:
        settings = {"auto_offset_reset": "earliest", "metadata_max_age_ms": 1000, "fetch_max_wait_ms": 50, **options}
        doors = self.world.client_doors("consumer")
        return AsyncConsumer(bootstrap_servers=f"{HOST}:{PORT}", world=doors, **settings)

    def fetches(self, node_id: int) -> int:
        return self.nodes[node_id].count(ApiKey.FETCH)

    def last_fetch(self, node_id: int) -> Any:
        return [request for _, header, request in self.nodes[node_id].requests if header.api_key == ApiKey.FETCH][-1]

    def _metadata(self, request: Any) -> Message:
        response = self.nodes[1].metadata(request, leader=self.leader, epoch=self.epoch)
        response.brokers = [
            metadata_response.Brokers(node_id, node.host, PORT, f"rack-{node_id}")
            for node_id, node in self.nodes.items()
        ]
        return response

    def _fetch(self, node_id: int, header: RequestHeader, request: Any) -> Message:
        rows = []
        for topic in request.topics:
            for asked in topic.partitions:
                self.asked = asked
        log = self.logs[node_id]
        code = 0 if node_id == self.leader else ErrorCode.NOT_LEADER_OR_FOLLOWER
        end = len(log.values)
        if not code and self.asked.fetch_offset > end:
            code = ErrorCode.OFFSET_OUT_OF_RANGE
        row = fetch_response.Partitions(
            0, code, end, end, 0, None, records=None if code else memoryview(log.batches(self.asked.fetch_offset))
        )
        self.odd(node_id, row)
        rows.append(row)
        topics = [fetch_response.Responses(TOPIC_ID, "orders", rows)]
        return fetch_response.FetchResponse(self.throttle_ms, 0, 0, topics)

    def _list_offsets(self, request: Any) -> Message:
        row = list_offsets_response.Partitions(0, 0, -1, 0, self.epoch)
        return list_offsets_response.ListOffsetsResponse(topics=[list_offsets_response.Topics("orders", [row])])

    def _epoch_end(self, node_id: int, header: RequestHeader, request: Any) -> Message:
        asked = request.topics[0].partitions[0].leader_epoch
        epoch, end_offset = self.logs[node_id].end_of(asked)
        row = offset_for_leader_epoch_response.Partitions(0, 0, epoch, end_offset)
        return offset_for_leader_epoch_response.OffsetForLeaderEpochResponse(
            topics=[offset_for_leader_epoch_response.Topics("orders", [row])]
        )


def play(story: Callable[[Cluster], Awaitable[None]]) -> None:
    async def tell(world: SimWorld) -> None:
        cluster = Cluster(world)
        for node in cluster.nodes.values():
            await node.start()
        await story(cluster)

    told(tell)


def truncated(cluster: Cluster) -> None:
    """The second node has become the leader without the last records of the first, and has written others."""
    cluster.logs[2].values = cluster.logs[1].values[:6]
    cluster.logs[2].write(3, epoch=1, text=b"new %d")
    cluster.leader, cluster.epoch = 2, 1


def test_a_truncated_log_is_read_on_from_where_it_differs() -> None:
    async def story(cluster: Cluster) -> None:
        cluster.logs[1].write(10)
        async with cluster.consumer() as consumer:
            consumer.assign([ORDERS])
            assert await values(consumer, 10) == [b"%d" % number for number in range(10)]
            truncated(cluster)
            assert await values(consumer, 3) == [b"new 6", b"new 7", b"new 8"]
            assert cluster.nodes[2].count(ApiKey.OFFSET_FOR_LEADER_EPOCH) >= 1

    play(story)


def test_a_truncated_log_is_an_error_without_a_reset_policy() -> None:
    async def story(cluster: Cluster) -> None:
        cluster.logs[1].write(10)
        async with cluster.consumer(auto_offset_reset="none") as consumer:
            consumer.assign([ORDERS])
            consumer.seek(ORDERS, 0)
            await read(consumer, 10)
            truncated(cluster)
            with pytest.raises(LogTruncated, match="below offset 10") as caught:
                await read(consumer, 1)
            assert caught.value.end_offset == 6
            consumer.seek(ORDERS, 6)
            assert await values(consumer, 3) == [b"new 6", b"new 7", b"new 8"]

    play(story)


def test_a_position_is_validated_only_after_a_change_of_leader_and_the_same_log_is_read_on() -> None:
    async def story(cluster: Cluster) -> None:
        cluster.logs[1].write(10)
        async with cluster.consumer() as consumer:
            consumer.assign([ORDERS])
            await read(consumer, 10)
            await time_passes(5)
            assert cluster.nodes[1].count(ApiKey.OFFSET_FOR_LEADER_EPOCH) == 0
            cluster.logs[2].values = list(cluster.logs[1].values)
            cluster.leader, cluster.epoch = 2, 1
            cluster.logs[2].write(2, epoch=1)
            assert await values(consumer, 2) == [b"10", b"11"]

    play(story)


def test_a_seek_with_an_epoch_notices_that_the_record_is_gone() -> None:
    async def story(cluster: Cluster) -> None:
        cluster.logs[1].write(6)
        cluster.logs[1].write(4, epoch=2)
        cluster.epoch = 2
        async with cluster.consumer() as consumer:
            consumer.assign([ORDERS])
            await consumer.position(ORDERS)
            consumer.seek(ORDERS, 9, leader_epoch=1)
            assert (await read(consumer, 1))[0].offset == 6

    play(story)


def test_a_named_leader_is_asked_without_waiting_for_metadata() -> None:
    async def story(cluster: Cluster) -> None:
        cluster.logs[1].write(5)
        async with cluster.consumer(metadata_max_age_ms=300_000) as consumer:
            consumer.assign([ORDERS])
            await read(consumer, 5)
            cluster.logs[2].values = list(cluster.logs[1].values)
            cluster.logs[2].write(1, epoch=1)
            cluster.leader = 2

            def name_leader(node_id: int, row: fetch_response.Partitions) -> None:
                if node_id == 1:
                    row.current_leader = fetch_response.CurrentLeader(2, 1)

            cluster.odd = name_leader
            assert await values(consumer, 1) == [b"5"]

    play(story)


def test_a_replica_that_the_leader_names_is_read_from_and_left_when_it_fails() -> None:
    async def story(cluster: Cluster) -> None:
        for log in cluster.logs.values():
            log.write(10)
        is_follower_well = True

        def redirect(node_id: int, row: fetch_response.Partitions) -> None:
            if node_id == 1 and is_follower_well:
                row.preferred_read_replica = 2
                row.records = None
            elif node_id == 2:
                row.error_code = 0 if is_follower_well else ErrorCode.OFFSET_OUT_OF_RANGE
                row.records = (
                    memoryview(cluster.logs[2].batches(cluster.asked.fetch_offset)) if not row.error_code else None
                )

        cluster.odd = redirect
        async with cluster.consumer(client_rack="rack-2") as consumer:
            consumer.assign([ORDERS])
            await read(consumer, 10)
            assert cluster.fetches(1) == 1
            assert cluster.last_fetch(1).rack_id == "rack-2"
            is_follower_well = False
            for log in cluster.logs.values():
                log.write(5)
            assert await values(consumer, 5) == [b"%d" % number for number in range(10, 15)]
            assert cluster.fetches(1) > 1
            assert await consumer.position(ORDERS) == 15

    play(story)


def test_a_throttled_consumer_waits_and_says_so() -> None:
    async def story(cluster: Cluster) -> None:
        cluster.logs[1].write(5)
        async with cluster.consumer() as consumer:
            consumer.assign([ORDERS])
            await read(consumer, 5)
            cluster.throttle_ms = 5000
            await consumer.poll(timeout_ms=1000)
            before = cluster.fetches(1)
            cluster.logs[1].write(5)
            await consumer.poll(timeout_ms=2000)
            assert consumer.health().reason is HealthReason.THROTTLED
            assert cluster.fetches(1) == before
            cluster.throttle_ms = 0
            assert len(await read(consumer, 5)) == 5

    play(story)


def test_a_damaged_batch_is_reported_read_again_and_can_be_passed() -> None:
    async def story(cluster: Cluster) -> None:
        cluster.logs[1].write(5)
        damages = 3

        def damage(node_id: int, row: fetch_response.Partitions) -> None:
            nonlocal damages
            if row.records and damages:
                damages -= 1
                data = bytearray(row.records)
                data[-1] ^= 1
                row.records = memoryview(data)

        cluster.odd = damage
        async with cluster.consumer() as consumer:
            consumer.assign([ORDERS])
            assert len(await read(consumer, 4)) == 4
            with pytest.raises(CorruptRecords, match="offset 4") as caught:
                await read(consumer, 1)
            assert caught.value.next_offset == 5
            await until(lambda: not damages or cluster.fetches(1) > 20)
            with pytest.raises(CorruptRecords):
                await read(consumer, 1)
            assert await values(consumer, 1) == [b"4"]

    play(story)


def test_bytes_that_are_no_batch_are_an_error_and_no_endless_loop() -> None:
    async def story(cluster: Cluster) -> None:
        cluster.logs[1].write(5)

        def nonsense(node_id: int, row: fetch_response.Partitions) -> None:
            row.records = memoryview(b"\xff" * 100)

        cluster.odd = nonsense
        async with cluster.consumer() as consumer:
            consumer.assign([ORDERS])
            await time_passes(10)
            assert cluster.fetches(1) == 1
            with pytest.raises(CorruptRecords, match="cannot be read"):
                await consumer.poll()

    play(story)


def test_a_missing_right_is_raised_and_the_consumer_goes_on_when_it_is_granted() -> None:
    async def story(cluster: Cluster) -> None:
        cluster.logs[1].write(5)

        def refuse(node_id: int, row: fetch_response.Partitions) -> None:
            row.error_code, row.records = ErrorCode.TOPIC_AUTHORIZATION_FAILED, None

        cluster.odd = refuse
        async with cluster.consumer() as consumer:
            consumer.assign([ORDERS])
            with pytest.raises(AuthorizationFailed, match="orders-0"):
                await read(consumer, 1)
            assert consumer.health().reason is HealthReason.NOT_AUTHORIZED
            await time_passes(20)
            assert cluster.fetches(1) < 30
            cluster.odd = lambda node_id, row: None
            await time_passes(2)
            with pytest.raises(AuthorizationFailed):  # of the time before
                await consumer.poll()
            assert len(await read(consumer, 5)) == 5

    play(story)


def test_a_broker_without_topic_ids_and_sessions_is_read_by_names() -> None:
    async def story(cluster: Cluster) -> None:
        for node in cluster.nodes.values():
            node.versions[ApiKey.FETCH] = (4, 6)
            node.versions[ApiKey.METADATA] = (1, 8)
            node.versions[ApiKey.LIST_OFFSETS] = (1, 3)
        cluster.logs[1].write(5)
        async with cluster.consumer() as consumer:
            consumer.assign([ORDERS])
            assert len(await read(consumer, 5)) == 5
            assert cluster.last_fetch(1).topics[0].topic == "orders"

    play(story)
