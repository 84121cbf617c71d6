"""Requests for so many partitions that they are worked on in slices: they miss nothing that happens in between."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from ottla.broker.execution import time_slices
from ottla.model.error_codes import ErrorCode
from ottla.protocol.generated import fetch_request
from ottla.protocol.generated.create_topics_request import Configs, CreateTopicsRequest, Topics
from ottla.protocol.generated.fetch_response import FetchResponse
from ottla.protocol.generated.produce_request import PartitionData, ProduceRequest, TopicData
from ottla.records.builder import Record, build_batch
from ottla.sim.broker_service import PORT
from ottla.sim.clock import WALL_START_MS
from ottla.sim.storage_client import StorageClient
from ottla.sim.workloads.produce_consume import BROKER, make_node
from ottla.sim.world import SimWorld
from tests.support.simulated_story import told
from tests.support.virtual_time import time_passes

PARTITION_COUNT = 200
LONG_MS = 60_000
#: Of virtual time.
SOON_S = 10
VERSION = 12


@pytest.fixture(autouse=True)
def short_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every step is a slice of its own: what takes thousands of partitions in earnest takes a few here."""
    monkeypatch.setattr(time_slices, "_FIRST_STEPS", 0)
    monkeypatch.setattr(time_slices, "_SLICE_STEPS", 0)


class AskingClient(StorageClient):
    async def ask(self, request: Any, version: int | None = None) -> Any:
        return await self._ask(request, version)

    async def produce(self, partition: int, value: bytes) -> None:
        await self.connected()
        batch = build_batch([Record(0, WALL_START_MS, None, value)])
        sent = self.send_batch("orders", partition, bytes(batch), acks=-1)
        assert sent is not None
        assert (await sent).code is ErrorCode.NONE

    async def fetch_all(self, session_id: int, epoch: int, offsets: dict[int, int]) -> FetchResponse:
        """Those partitions from these offsets."""
        partitions = [
            fetch_request.Partitions(partition=index, fetch_offset=offset, partition_max_bytes=1000)
            for index, offset in offsets.items()
        ]
        request = fetch_request.FetchRequest(
            max_wait_ms=LONG_MS,
            min_bytes=1,
            max_bytes=1_000_000,
            session_id=session_id,
            session_epoch=epoch,
            topics=[fetch_request.Topics(topic="orders", partitions=partitions)] if partitions else [],
        )
        response: FetchResponse = await self.ask(request, VERSION)
        assert response.error_code == 0
        return response


class Story:
    def __init__(self, world: SimWorld) -> None:
        self.node = make_node(world, {})
        network = world.client_doors("client").network
        self.reader, self.writer = (AskingClient(network, BROKER, PORT, name, by_topic_id=False) for name in ("r", "w"))

    async def begin(self) -> None:
        await self.node.start()
        await self.writer.ask(CreateTopicsRequest(topics=[Topics("orders", PARTITION_COUNT, 1)], timeout_ms=1000), 5)

    async def in_slices(self) -> None:
        """Returns between the second slice of some long work and its third."""
        slices = self.node.service.time_slices
        begun = asyncio.Event()
        resume = slices.resume

        def noticed(*work: Any) -> Any:
            begun.set()
            return resume(*work)

        slices.resume = noticed
        await begun.wait()
        slices.resume = resume
        assert slices.is_busy


def play(tell: Callable[[Story], Awaitable[None]]) -> None:
    told(lambda world: tell(Story(world)))


def partitions_with_data(response: FetchResponse) -> list[int]:
    return [each.partition_index for topic in response.responses for each in topic.partitions if each.records]


@pytest.mark.parametrize("partition", [0, PARTITION_COUNT - 1])
def test_a_waiting_fetch_of_many_partitions_gets_what_is_produced(partition: int) -> None:
    async def tell(story: Story) -> None:
        await story.begin()
        waiting = asyncio.ensure_future(story.reader.fetch_all(0, 0, dict.fromkeys(range(PARTITION_COUNT), 0)))
        await time_passes(1)
        assert not waiting.done()

        await story.writer.produce(partition, b"x")

        assert partitions_with_data(await asyncio.wait_for(waiting, SOON_S)) == [partition]

    play(tell)


def test_what_is_produced_during_the_first_attempt_is_not_missed() -> None:
    async def tell(story: Story) -> None:
        await story.begin()
        leader = story.node.service.partitions.find("orders", 0)
        waiting = asyncio.ensure_future(story.reader.fetch_all(0, -1, dict.fromkeys(range(PARTITION_COUNT), 0)))
        # As soon as the fetch is in slices: its first partition has been read by then.
        await story.in_slices()
        leader.append(build_batch([Record(0, WALL_START_MS, None, b"x")]), WALL_START_MS)

        assert partitions_with_data(await asyncio.wait_for(waiting, SOON_S)) == [0]

    play(tell)


def test_a_session_of_many_partitions_goes_on() -> None:
    async def tell(story: Story) -> None:
        await story.begin()
        await story.writer.produce(3, b"x")
        first = await story.reader.fetch_all(0, 0, dict.fromkeys(range(PARTITION_COUNT), 0))
        assert first.session_id
        assert sum(len(topic.partitions) for topic in first.responses) == PARTITION_COUNT

        waiting = asyncio.ensure_future(story.reader.fetch_all(first.session_id, 1, {3: 1}))
        await time_passes(1)
        await story.writer.produce(150, b"y")

        second = await asyncio.wait_for(waiting, SOON_S)
        assert partitions_with_data(second) == [150]
        assert sum(len(topic.partitions) for topic in second.responses) == 1, "only what is new"

    play(tell)


def test_a_reader_that_hangs_up_in_the_middle_leaves_nothing_behind() -> None:
    async def tell(story: Story) -> None:
        await story.begin()
        node = story.node.service
        waiting = asyncio.ensure_future(story.reader.fetch_all(0, 0, dict.fromkeys(range(PARTITION_COUNT), 0)))
        await story.in_slices()

        story.reader.close()
        with pytest.raises(ConnectionError):
            await waiting
        await time_passes(1)

        assert (len(node.fetch_sessions), node.fetch_sessions.size_bytes) == (0, 0)
        assert not node.time_slices.is_busy
        assert all(not leader.watchers for leader in node.partitions)

    play(tell)


@pytest.mark.parametrize("flush_messages", ["1", "1000"])
def test_a_produce_request_for_many_partitions_is_appended_to_all_of_them(flush_messages: str) -> None:
    async def tell(story: Story) -> None:
        await story.node.start()
        config = Configs("flush.messages", flush_messages)
        topic = Topics("orders", PARTITION_COUNT, 1, configs=[config])
        await story.writer.ask(CreateTopicsRequest(topics=[topic], timeout_ms=1000), 5)
        batch = bytes(build_batch([Record(0, WALL_START_MS, None, b"x")]))
        indexes = [*range(PARTITION_COUNT), 9999]
        known = TopicData(name="orders", partition_data=[PartitionData(index, batch) for index in indexes])
        unknown = TopicData(name="nowhere", partition_data=[PartitionData(0, batch)])

        response = await story.writer.ask(ProduceRequest(None, -1, 30_000, [known, unknown]), 9)

        first, second = response.responses
        assert [each.index for each in first.partition_responses] == indexes
        codes = [each.error_code for each in (*first.partition_responses, *second.partition_responses)]
        assert codes == [0] * PARTITION_COUNT + [ErrorCode.UNKNOWN_TOPIC_OR_PARTITION] * 2
        leaders = [story.node.service.partitions.find("orders", index) for index in range(PARTITION_COUNT)]
        assert all(leader.log.end_offset == leader.high_watermark == 1 for leader in leaders)

    play(tell)
