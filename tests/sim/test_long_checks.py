"""A batch with very many records on a compacted topic keeps nobody waiting but its own connection."""

import asyncio

import pytest

from ottla.log.partition.append_rules import MAX_RECORDS_IN_PLACE
from ottla.model.error_codes import ErrorCode
from ottla.records.builder import Record, build_batch
from ottla.sim.broker_service import PORT
from ottla.sim.client import ACKS_ALL, ProduceOutcome, SimClient
from ottla.sim.clock import WALL_START_MS
from ottla.sim.node import SimNode
from ottla.sim.workloads.produce_consume import BROKER, make_node
from ottla.sim.world import SimWorld
from tests.support.simulated_story import told
from tests.support.waiting import until

TOPIC = "accounts"
#: Simulated threads take up to this long.
THREAD_MS = 5_000


def batch(count: int, *, has_keys: bool = True) -> bytes:
    records = [Record(0, WALL_START_MS, b"%d" % number if has_keys else None, b"value") for number in range(count)]
    return bytes(build_batch(records))


SMALL, LARGE = batch(1), batch(MAX_RECORDS_IN_PLACE + 1)


class Story:
    def __init__(self, world: SimWorld) -> None:
        self.world = world
        self.node: SimNode = make_node(world, {})
        self.node.max_executor_delay_ms = THREAD_MS

    async def client(self, name: str) -> SimClient:
        network = self.world.client_doors(name).network
        client = SimClient(network, BROKER, PORT, name, by_topic_id=False, timeout_ms=60_000)
        await client.connected()
        return client

    async def begin(self, **config: str) -> None:
        await self.node.start()
        maker = await self.client("maker")
        code = await maker.create_topic(TOPIC, 1, {name.replace("_", "."): value for name, value in config.items()})
        assert code is ErrorCode.NONE

    async def check_begins(self) -> None:
        await until(lambda: self.node.service.long_checks.is_busy, step_s=0.001)


def send(client: SimClient, data: bytes) -> "asyncio.Future[ProduceOutcome]":
    answer = client.send_batch(TOPIC, 0, data, acks=ACKS_ALL)
    assert answer is not None
    return answer


async def produced(client: SimClient, data: bytes) -> ProduceOutcome:
    return await send(client, data)


@pytest.mark.parametrize("is_known", [False, True], ids=["first request", "after others like it"])
def test_others_are_served_while_a_large_batch_is_checked(is_known: bool) -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world)
        await story.begin(cleanup_policy="compact")
        heavy, light = await story.client("heavy"), await story.client("light")
        first = 0
        if is_known:
            for _ in range(3):
                assert await produced(heavy, SMALL) == (ErrorCode.NONE, first)
                first += 1
        large = send(heavy, LARGE)
        await story.check_begins()
        assert await produced(light, SMALL) == (ErrorCode.NONE, first)
        assert await produced(light, SMALL) == (ErrorCode.NONE, first + 1)
        assert not large.done()
        assert await large == (ErrorCode.NONE, first + 2)

    told(tell)


def test_answers_of_one_connection_keep_the_order_of_its_requests() -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world)
        await story.begin(cleanup_policy="compact")
        client = await story.client("client")
        first, second, third = [send(client, data) for data in (SMALL, LARGE, SMALL)]
        assert await second == (ErrorCode.NONE, 1)
        assert first.done()
        assert await first == (ErrorCode.NONE, 0)
        assert await third == (ErrorCode.NONE, 1 + MAX_RECORDS_IN_PLACE + 1)

    told(tell)


def test_a_large_batch_without_keys_is_refused() -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world)
        await story.begin(cleanup_policy="compact")
        client = await story.client("client")
        data = batch(MAX_RECORDS_IN_PLACE + 1, has_keys=False)
        assert (await produced(client, data))[0] is ErrorCode.INVALID_RECORD
        assert await produced(client, SMALL) == (ErrorCode.NONE, 0)

    told(tell)


def test_a_flush_is_waited_for_as_ever() -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world)
        await story.begin(cleanup_policy="compact", flush_messages="1")
        client = await story.client("client")
        assert await produced(client, LARGE) == (ErrorCode.NONE, 0)
        log = next(iter(story.node.service.store.logs.values()))
        assert log.recovery_point == log.end_offset

    told(tell)


def test_who_hangs_up_during_the_check_holds_nobody_up_and_what_was_sent_is_appended() -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world)
        await story.begin(cleanup_policy="compact")
        gone, other = await story.client("gone"), await story.client("other")
        unread = [send(gone, data) for data in (LARGE, SMALL)]
        await story.check_begins()
        gone.close()
        await asyncio.gather(*unread, return_exceptions=True)
        assert await produced(other, LARGE) == (ErrorCode.NONE, MAX_RECORDS_IN_PLACE + 2)
        await until(lambda: len(story.node.service.connections) == 2)

    told(tell)
