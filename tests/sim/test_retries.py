"""An idempotent producer sends a batch again, because it has not heard of the ack: it must not be stored twice."""

import pytest

from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from ottla.records.builder import Record, build_batch
from ottla.sim.broker_service import PORT
from ottla.sim.client import ACKS_ALL
from ottla.sim.clock import WALL_START_MS
from ottla.sim.storage_client import StorageClient
from ottla.sim.workloads.produce_consume import BROKER, make_node
from ottla.sim.world import SimWorld
from tests.support.simulated_story import told
from tests.support.waiting import until

ORDERS = TopicPartition("orders", 0)
#: No checkpoint is written between the first batch and the end of the process.
SETTINGS = {"log.flush.offset.checkpoint.interval.ms": "600000", "log.retention.check.interval.ms": "300"}
SYNCED = {"flush.messages": "1"}
RETAINED = {"internal.segment.bytes": "700", "retention.bytes": "0", "file.delete.delay.ms": "100"}


def batch(sequence: int) -> bytes:
    record = Record(0, WALL_START_MS, b"k", bytes(200))
    return bytes(build_batch([record], producer_id=7, producer_epoch=0, base_sequence=sequence))


@pytest.mark.parametrize("loses_power", [False, True])
@pytest.mark.parametrize("retries_later", [False, True])
def test_a_batch_is_known_that_retention_has_taken_before_a_crash(loses_power: bool, retries_later: bool) -> None:
    async def tell(world: SimWorld) -> None:
        node = make_node(world, SETTINGS)
        client = StorageClient(world.client_doors("client").network, BROKER, PORT, "client", by_topic_id=False)

        async def send(sequence: int) -> int:
            answer = client.send_batch(ORDERS.topic, 0, batch(sequence), acks=ACKS_ALL)
            assert answer is not None
            code, offset = await answer
            assert code is ErrorCode.NONE
            return offset

        async def start_again() -> None:
            if loses_power:
                node.power_off(nasty=True)
            else:
                node.kill()
            await node.start()
            client.close()
            await client.connected()

        await node.start()
        await client.create(ORDERS.topic, {**SYNCED, **RETAINED})
        for sequence in range(10):
            assert await send(sequence) == sequence
        await until(lambda: node.service.store.logs[ORDERS].log_start_offset >= 10)
        await start_again()
        if retries_later:
            await start_again()
        assert await send(9) == 9, "the offset that it has had all the time"
        assert await send(10) == 10

    told(tell)


def test_a_batch_is_known_that_lies_far_back_when_the_broker_was_stopped() -> None:
    """The snapshot names the last batch of a producer only; the log is searched for others, in many steps."""

    async def tell(world: SimWorld) -> None:
        node = make_node(world, SETTINGS)
        client = StorageClient(world.client_doors("client").network, BROKER, PORT, "client", by_topic_id=False)

        async def send(data: bytes) -> tuple[ErrorCode, int]:
            answer = client.send_batch(ORDERS.topic, 0, data, acks=ACKS_ALL)
            assert answer is not None
            return await answer

        await node.start()
        await client.create(ORDERS.topic, {})
        assert await send(batch(0)) == (ErrorCode.NONE, 0)
        other = bytes(build_batch([Record(0, WALL_START_MS, b"k", bytes(500_000))]))
        for offset in range(1, 6):
            assert await send(other) == (ErrorCode.NONE, offset)
        assert await send(batch(1)) == (ErrorCode.NONE, 6)
        await node.stop()
        await node.start()
        client.close()
        await client.connected()

        assert await send(batch(0)) == (ErrorCode.NONE, 0)
        assert await send(batch(1)) == (ErrorCode.NONE, 6)
        assert (await send(batch(9)))[0] is ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
        assert await send(batch(2)) == (ErrorCode.NONE, 7)

    told(tell)
