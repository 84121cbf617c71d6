"""A batch that is checked for long may come after the end of its transaction: then it is refused, not left hanging."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from ottla.log.partition.append_rules import MAX_RECORDS_IN_PLACE
from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from ottla.protocol.generated.produce_request import PartitionData, ProduceRequest, TopicData
from ottla.records.builder import Record, build_batch
from ottla.sim.broker_service import PORT
from ottla.sim.client import ACKS_ALL
from ottla.sim.clock import WALL_START_MS
from ottla.sim.node import SimNode
from ottla.sim.transactional_client import (
    READ_COMMITTED,
    READ_UNCOMMITTED,
    TransactionalSimClient,
    TransferProducer,
)
from ottla.sim.workloads.produce_consume import BROKER, create_topics, make_node
from ottla.sim.world import SimWorld
from tests.support.simulated_story import told
from tests.support.waiting import until

COMPACTED = TopicPartition("accounts", 0)
ID = "story"
_TV1_PRODUCE = 11
#: Simulated threads take up to this long.
THREAD_MS = 5_000
SETTINGS = {"transaction.state.log.num.partitions": "1", "transaction.state.log.replication.factor": "1"}


class StoryProducer(TransferProducer):
    async def identity(self) -> tuple[int, int]:
        await self._start()
        assert self._producer is not None
        return self._producer

    async def code_of(self, ask: Callable[[], Awaitable[ErrorCode]]) -> ErrorCode:
        """The first one that does not ask to retry."""

        async def response() -> tuple[ErrorCode, int, int]:
            return await ask(), -1, -1

        return (await self._until_known(response))[0]


class Story:
    """One producer, whose requests come on two connections: as when it has given one of them up."""

    def __init__(self, world: SimWorld, *, knows_tv2: bool) -> None:
        self.node: SimNode = make_node(world, SETTINGS)
        self.node.max_executor_delay_ms = THREAD_MS
        self._knows_tv2 = knows_tv2
        self._world = world
        self.writer, self.other = self._client("writer"), self._client("other")
        self._story_producer = StoryProducer(self.other, ID, [], timeout_ms=60_000)
        self.producer = (-1, -1)

    def _client(self, name: str) -> TransactionalSimClient:
        network = self._world.client_doors(name).network
        client = TransactionalSimClient(network, BROKER, PORT, name, by_topic_id=False, timeout_ms=60_000)
        client.knows_tv2 = self._knows_tv2
        return client

    async def begin(self) -> None:
        await self.node.start()
        await create_topics(self.other, {COMPACTED.topic: {"cleanup.policy": "compact"}}, partition_count=1)
        self.producer = await self._story_producer.identity()

    async def send(self, count: int, sequence: int, *, adds: bool = True) -> ErrorCode:
        """Without `adds`, as a request that was on its way for long: the partition is not added for it."""
        records = [Record(0, WALL_START_MS, b"%d" % number, b"value") for number in range(count)]
        batch = build_batch(
            records,
            producer_id=self.producer[0],
            producer_epoch=self.producer[1],
            base_sequence=sequence,
            is_transactional=True,
        )
        if adds:
            return await self.writer.send_transactional(ID, COMPACTED, bytes(batch))
        data = TopicData(name=COMPACTED.topic, partition_data=[PartitionData(COMPACTED.partition, bytes(batch))])
        response = await self.writer._ask(ProduceRequest(ID, ACKS_ALL, 2_000, [data]), _TV1_PRODUCE)
        return ErrorCode(response.responses[0].partition_responses[0].error_code)

    async def decided(self, ask: Callable[[], Awaitable[ErrorCode]]) -> ErrorCode:
        """Asks again while the last transaction is being completed."""
        return await self._story_producer.code_of(ask)

    async def check_begins(self) -> None:
        await until(lambda: self.node.service.long_checks.is_busy, step_s=0.001)

    async def end(self, *, committed: bool = False) -> None:
        """Returns when the marker is in the log."""
        log = self.node.service.partitions.leaders[COMPACTED].log
        before = log.end_offset
        code, _, _ = await self.other.end_transaction(ID, self.producer, committed=committed)
        assert code is ErrorCode.NONE
        await until(lambda: log.end_offset > before, step_s=0.001)


@pytest.mark.parametrize("knows_tv2", [False, True], ids=["TV1", "TV2"])
@pytest.mark.parametrize("is_first", [True, False], ids=["first batch", "after another one"])
def test_a_batch_is_refused_when_its_transaction_ended_during_its_check(knows_tv2: bool, is_first: bool) -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world, knows_tv2=knows_tv2)
        await story.begin()
        sequence = 0
        if not is_first:
            assert await story.send(1, 0) is ErrorCode.NONE
            sequence = 1
        late = asyncio.ensure_future(story.send(MAX_RECORDS_IN_PLACE + 1, sequence))
        await story.check_begins()
        assert not late.done()
        await story.end()
        end_offset = await story.other.end_offset(COMPACTED, READ_UNCOMMITTED)
        # In version 2 the marker has a higher epoch than the batch.
        assert await late is (ErrorCode.INVALID_PRODUCER_EPOCH if knows_tv2 else ErrorCode.INVALID_TXN_STATE)
        assert await story.other.end_offset(COMPACTED, READ_UNCOMMITTED) == end_offset
        assert await story.other.end_offset(COMPACTED, READ_COMMITTED) == end_offset

    told(tell)


def test_a_batch_that_comes_again_after_its_transaction_is_not_in_the_way_of_the_next_one() -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world, knows_tv2=False)
        await story.begin()
        assert [await story.send(1, sequence) for sequence in (0, 1)] == [ErrorCode.NONE] * 2
        await story.end(committed=True)

        assert await story.decided(lambda: story.send(1, 0, adds=False)) is ErrorCode.TRANSACTION_ABORTABLE
        assert await story.decided(lambda: story.send(1, 2)) is ErrorCode.NONE

    told(tell)
