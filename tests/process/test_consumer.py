"""The consumer against a real broker that dies, a network that breaks, and in a process that must stay clean."""

import asyncio
import threading

import pytest

from ottla.client import AsyncConsumer, Consumer, ConsumerRecord, Producer, TopicPartition
from tests.support.broker_process import BrokerProcess, StartBroker
from tests.support.polling import polled
from tests.support.process_facts import descriptor_count, resident_bytes
from tests.support.tcp_proxy import TcpProxy
from tests.support.waiting import eventually

ORDERS = TopicPartition("orders", 0)
pytestmark = pytest.mark.timeout(300)
both = pytest.mark.parametrize("protocol", ["classic", "consumer"])


def values(count: int, start: int = 0) -> list[bytes]:
    return [b"%06d" % number for number in range(start, start + count)]


def produce(address: str, records: list[bytes]) -> None:
    with Producer(bootstrap_servers=address, batch_size=2000, linger_ms=1) as producer:
        for record in records:
            producer.send("orders", record, partition=0)


def read(consumer: Consumer, count: int) -> list[bytes]:
    return [record.value for record in polled(consumer, count)]


@both
def test_a_member_goes_on_when_its_broker_was_killed(start_broker: StartBroker, protocol: str) -> None:
    broker = start_broker()
    produce(broker.address, values(500))
    with Consumer(
        bootstrap_servers=broker.address, group_id="g", auto_offset_reset="earliest", group_protocol=protocol
    ) as consumer:
        consumer.subscribe(["orders"])
        found = read(consumer, 500)
        for turn in range(1, 4):
            consumer.commit()
            broker.kill()
            broker.start()
            produce(broker.address, values(500, 500 * turn))
            found += read(consumer, 500)
    # What was committed before the broker died is not read again, and nothing is left out.
    assert found == values(2000)


def test_connections_that_are_reset_lose_and_double_nothing(proxied: tuple[TcpProxy, BrokerProcess]) -> None:
    proxy, broker = proxied
    produce(broker.address, values(3000))
    resets = 0
    with Consumer(
        bootstrap_servers=f"127.0.0.1:{proxy.port}", auto_offset_reset="earliest", max_partition_fetch_bytes=3000
    ) as consumer:
        consumer.assign([ORDERS])
        found: list[bytes] = []
        while len(found) < 3000:
            found += read(consumer, min(300, 3000 - len(found)))
            resets += proxy.reset_all()
    assert resets >= 3
    assert found == values(3000)


def test_a_broker_that_does_not_respond_is_given_up_and_tried_again(proxied: tuple[TcpProxy, BrokerProcess]) -> None:
    proxy, broker = proxied
    produce(broker.address, values(10))
    with Consumer(
        bootstrap_servers=f"127.0.0.1:{proxy.port}",
        auto_offset_reset="earliest",
        request_timeout_ms=500,
        fetch_max_wait_ms=100,
    ) as consumer:
        consumer.assign([ORDERS])
        assert read(consumer, 10) == values(10)
        proxy.hold()
        eventually(lambda: consumer.poll(timeout_ms=100) == [] and not consumer.health().is_good)
        proxy.release()
        produce(broker.address, values(10, 10))
        assert read(consumer, 10) == values(10, 10)


def test_listeners_run_on_the_thread_that_polls_and_may_use_the_consumer(
    start_broker: StartBroker,
) -> None:
    broker = start_broker()
    produce(broker.address, values(10))
    threads: set[int] = set()
    outcomes: list[Exception | None] = []

    class Listener:
        def on_partitions_assigned(self, partitions: list[TopicPartition]) -> None:
            threads.add(threading.get_ident())
            consumer.seek(ORDERS, 5)

        def on_partitions_revoked(self, partitions: list[TopicPartition]) -> None:
            threads.add(threading.get_ident())
            consumer.commit({ORDERS: 7})

    with Consumer(bootstrap_servers=broker.address, group_id="g", enable_auto_commit=False) as consumer:
        consumer.subscribe(["orders"], listener=Listener())
        assert read(consumer, 5) == values(5, 5)
        consumer.commit_async({ORDERS: 6}, on_done=outcomes.append)
        eventually(lambda: consumer.poll(timeout_ms=50) == [] and outcomes, what="the callback")
    assert outcomes == [None]
    assert threads == {threading.get_ident()}
    with Consumer(bootstrap_servers=broker.address, group_id="g") as other:
        committed = other.committed([ORDERS])[ORDERS]
        assert committed is not None
        assert committed.offset == 7


def test_a_loop_over_records_ends_when_another_thread_closes_the_consumer(
    start_broker: StartBroker,
) -> None:
    broker = start_broker()
    produce(broker.address, values(10))
    consumer = Consumer(bootstrap_servers=broker.address, auto_offset_reset="earliest")
    consumer.assign([ORDERS])
    found: list[ConsumerRecord] = []
    thread = threading.Thread(target=lambda: found.extend(consumer))
    thread.start()
    eventually(lambda: consumer.position(ORDERS) == 10)
    consumer.close()
    thread.join(20)
    assert not thread.is_alive()
    assert [record.value for record in found] == values(10)


def test_memory_stays_within_the_limit_when_ten_times_as_much_is_consumed(
    start_broker: StartBroker,
) -> None:
    broker = start_broker(num_partitions="4")
    limit, value = 8 << 20, bytes(1000)
    with Producer(bootstrap_servers=broker.address) as producer:
        for number in range(10 * limit // len(value)):
            producer.send("orders", value, partition=number % 4)

    async def story() -> int:
        async with AsyncConsumer(
            bootstrap_servers=broker.address, auto_offset_reset="earliest", fetch_max_bytes=limit
        ) as consumer:
            consumer.assign([("orders", partition) for partition in range(4)])
            before = peak = seen = 0
            while seen < 10 * limit // len(value):
                seen += len(await consumer.poll())
                before = before or resident_bytes()
                peak = max(peak, resident_bytes() - before)
                if not seen % 5000:
                    # A slow caller: everything that may be fetched ahead is there by now.
                    await asyncio.sleep(0.05)
            return peak

    assert asyncio.run(story()) < 2 * limit


def test_closed_consumers_leave_no_threads_no_sockets_and_no_tasks(start_broker: StartBroker) -> None:
    broker = start_broker()
    produce(broker.address, values(10))

    def once() -> None:
        with Consumer(bootstrap_servers=broker.address, group_id="g", auto_offset_reset="earliest") as consumer:
            consumer.subscribe(["orders"])
            eventually(lambda: consumer.poll(timeout_ms=100) or consumer.assignment())

    async def story() -> None:
        async with AsyncConsumer(bootstrap_servers=broker.address, group_id="g") as consumer:
            consumer.subscribe(["orders"])
            await consumer.poll(timeout_ms=500)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    once()
    threads, descriptors = threading.active_count(), descriptor_count()
    for _ in range(3):
        once()
        asyncio.run(story())

    eventually(lambda: descriptor_count() <= descriptors, within_s=10, what=lambda: f"{descriptor_count()} descriptors")
    assert threading.active_count() <= threads


def test_a_consumer_closes_in_time_when_the_broker_is_gone(start_broker: StartBroker) -> None:
    broker = start_broker()
    produce(broker.address, values(10))
    consumer = Consumer(bootstrap_servers=broker.address, group_id="g", auto_offset_reset="earliest")
    consumer.subscribe(["orders"])
    read(consumer, 10)
    broker.kill()
    consumer.close(timeout_ms=500)
