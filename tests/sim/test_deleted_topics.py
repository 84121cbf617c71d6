"""A topic that is created under the name of a deleted one has no committed offsets, whenever the old one went."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from ottla.broker.coordinators.group_coordinators import GroupCoordinators
from ottla.broker.coordinators.transaction_membership import join_or_verify
from ottla.broker.handlers import txn_offset_commit
from ottla.broker.shards.shard_host import ShardHost
from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from ottla.sim.broker_service import PORT
from ottla.sim.checkers.groups import MemberIdentity
from ottla.sim.group_client import CommitIdentity, GroupSimClient
from ottla.sim.node import SimNode
from ottla.sim.storage_client import StorageClient
from ottla.sim.transactional_client import TransactionalSimClient
from ottla.sim.workloads.produce_consume import BROKER, make_node
from ottla.sim.world import SimWorld, sleep_ms
from tests.support.simulated_story import told

GROUP = "readers"
ORDERS = TopicPartition("orders", 0)
PAYMENTS = TopicPartition("payments", 0)
#: A reader that assigns itself its partitions.
NOBODY = CommitIdentity(MemberIdentity("", None), -1)
LOAD_MS = 5_000


class GroupStorageClient(StorageClient, GroupSimClient, TransactionalSimClient):
    """An administrator, a reader and a producer."""


class Story:
    def __init__(self, world: SimWorld) -> None:
        self.node: SimNode = make_node(world, {"offsets.topic.num.partitions": "1"})
        self._world = world
        self.client = self.new_client("client")

    def new_client(self, name: str) -> GroupStorageClient:
        network = self._world.client_doors(name).network
        return GroupStorageClient(network, BROKER, PORT, name, by_topic_id=False, timeout_ms=20_000)

    async def begin(self) -> None:
        await self.node.start()
        await self.client.create(ORDERS.topic, {})
        await self.client.create(PAYMENTS.topic, {})
        await self.client.retry(lambda: self.client.find_group(GROUP))
        codes = await self.client.commit(GROUP, NOBODY, {ORDERS: 7, PAYMENTS: 8})
        assert codes == {ORDERS: ErrorCode.NONE, PAYMENTS: ErrorCode.NONE}

    async def restart(self) -> None:
        self.node.kill()
        await self.node.start()
        self.client.close()

    async def committed(self) -> dict[TopicPartition, int]:
        while True:
            code, offsets = await self.client.committed(GROUP, [ORDERS, PAYMENTS], None, is_consumer=False)
            if code is ErrorCode.NONE:
                return offsets
            await sleep_ms(10)

    def stored_topics(self) -> list[str]:
        """Topics with an offset of the group in the shard."""
        ((_, shard),) = self.node.service.groups.shards()
        return sorted(shard._state.offsets.of_group(GROUP))


def load_slowly(patch: pytest.MonkeyPatch) -> None:
    load = ShardHost.load

    async def load_late(self: ShardHost) -> None:
        await sleep_ms(LOAD_MS)
        await load(self)

    patch.setattr(ShardHost, "load", load_late)


async def _during_the_load(story: Story) -> None:
    with pytest.MonkeyPatch.context() as patch:
        load_slowly(patch)
        await story.restart()
        await story.client.delete_topic(ORDERS.topic)
        await sleep_ms(LOAD_MS)
    await story.client.create(ORDERS.topic, {})


async def _during_the_load_and_created_again(story: Story) -> None:
    with pytest.MonkeyPatch.context() as patch:
        load_slowly(patch)
        await story.restart()
        await story.client.delete_topic(ORDERS.topic)
        await story.client.create(ORDERS.topic, {})
        await sleep_ms(LOAD_MS)


async def _right_before_a_crash(story: Story) -> None:
    """The node dies before the group coordinator has written anything about it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GroupCoordinators, "partitions_deleted", lambda self, partitions: None)
        await story.client.delete_topic(ORDERS.topic)
    await story.restart()
    await story.committed()
    await story.client.create(ORDERS.topic, {})


@pytest.mark.parametrize("delete", [_during_the_load, _during_the_load_and_created_again, _right_before_a_crash])
def test_a_new_topic_does_not_inherit_offsets(delete: Callable[[Story], Awaitable[None]]) -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world)
        await story.begin()

        await delete(story)

        assert await story.committed() == {ORDERS: -1, PAYMENTS: 8}
        assert story.stored_topics() == [PAYMENTS.topic]

    told(tell)


async def _commit_in_transaction(story: Story, patch: pytest.MonkeyPatch) -> dict[TopicPartition, ErrorCode]:
    """The topic is deleted while the transaction coordinator is asked."""
    is_asked, is_deleted = asyncio.Event(), asyncio.Event()

    async def answer_late(*args: Any, **options: Any) -> Any:
        codes = await join_or_verify(*args, **options)
        is_asked.set()
        await is_deleted.wait()
        return codes

    patch.setattr(txn_offset_commit, "join_or_verify", answer_late)
    client, admin = story.client, story.new_client("admin")
    await client.find_coordinator("copier")
    code, producer_id, epoch = await client.init_transactional("copier", 60_000)
    assert code is ErrorCode.NONE
    commit = client.commit_in_transaction("copier", (producer_id, epoch), GROUP, NOBODY, {ORDERS: 9})
    committing = asyncio.ensure_future(commit)
    await is_asked.wait()
    await admin.delete_topic(ORDERS.topic)
    is_deleted.set()
    codes = await committing
    await client.end_transaction("copier", (producer_id, epoch), committed=True)
    return codes


def test_an_offset_in_a_transaction_is_refused_when_its_topic_goes_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    async def tell(world: SimWorld) -> None:
        story = Story(world)
        await story.begin()

        codes = await _commit_in_transaction(story, monkeypatch)
        await story.client.create(ORDERS.topic, {})

        assert codes == {ORDERS: ErrorCode.UNKNOWN_TOPIC_OR_PARTITION}
        assert await story.committed() == {ORDERS: -1, PAYMENTS: 8}

    told(tell)
