"""The client against a real broker that dies, a network that breaks, and in a process that must stay clean."""

import asyncio
import threading
from pathlib import Path

import pytest

from ottla.client import Admin, AsyncAdmin, AsyncProducer, Consumer, Producer
from ottla.client.admin.offsets import OffsetSpec
from ottla.client.admin.topics import NewTopic
from ottla.client.errors import BufferFull, ClientClosed, TimedOut
from ottla.model.topic import TopicPartition
from tests.support.broker_process import BrokerProcess, StartBroker
from tests.support.kafka_process import TARGETS, start_target
from tests.support.ports import free_port
from tests.support.process_facts import descriptor_count, resident_bytes
from tests.support.tcp_proxy import TcpProxy
from tests.support.waiting import eventually

ORDERS = TopicPartition("orders", 0)
pytestmark = pytest.mark.timeout(300)


def values(count: int) -> list[bytes]:
    return [b"%06d" % number for number in range(count)]


def written(port: int, partition: TopicPartition = ORDERS) -> list[bytes]:
    found: list[bytes] = []
    with Consumer(bootstrap_servers=f"127.0.0.1:{port}", isolation_level="read_committed") as consumer:
        consumer.assign([partition])
        consumer.seek_to_beginning()
        end = consumer.end_offsets([partition])[partition]
        while consumer.position(partition) < end:
            found += [record.value for record in consumer.poll(timeout_ms=100)]
    return found


@pytest.mark.parametrize("name", TARGETS)
def test_a_broker_that_is_killed_and_restarted_loses_and_doubles_nothing(name: str, tmp_path: Path) -> None:
    target = start_target(name, tmp_path)
    try:
        with Producer(bootstrap_servers=target.address, batch_size=500, linger_ms=1) as producer:
            for number, value in enumerate(values(3000)):
                producer.send("orders", value, partition=0)
                if number == 1500:
                    target.kill()
                    target.start()
        assert written(target.port) == values(3000)
    finally:
        target.kill()


def test_connections_that_are_reset_lose_and_double_nothing(proxied: tuple[TcpProxy, BrokerProcess]) -> None:
    proxy, broker = proxied
    resets = 0
    with Producer(bootstrap_servers=f"127.0.0.1:{proxy.port}", batch_size=300, linger_ms=0) as producer:
        for number, value in enumerate(values(4000)):
            delivery = producer.send("orders", value)
            if number % 400 == 200:
                delivery.result()
            elif number % 400 == 300:
                resets += proxy.reset_all()

    assert resets >= 3
    assert written(broker.port) == values(4000)


def test_a_slow_network_only_slows(proxied: tuple[TcpProxy, BrokerProcess]) -> None:
    proxy, broker = proxied
    proxy.delay_s = 0.05
    with Producer(bootstrap_servers=f"127.0.0.1:{proxy.port}", buffer_memory=20_000) as producer:
        for value in values(1000):
            producer.send("orders", value)

    assert written(broker.port) == values(1000)


def test_a_broker_that_does_not_respond_is_given_up_and_tried_again(proxied: tuple[TcpProxy, BrokerProcess]) -> None:
    proxy, broker = proxied
    with Producer(bootstrap_servers=f"127.0.0.1:{proxy.port}", request_timeout_ms=500) as producer:
        producer.send("orders", b"first").result()
        proxy.hold()
        second = producer.send("orders", b"second")
        with pytest.raises(TimedOut, match="not decided after 800 ms"):
            second.result(timeout_ms=800)
        proxy.release()
        second.result()

    assert written(broker.port) == [b"first", b"second"]


def test_a_thread_waits_while_the_buffer_is_full(start_broker: StartBroker) -> None:
    broker = start_broker()
    with Producer(bootstrap_servers=broker.address, buffer_memory=20_000, max_block_ms=300) as producer:
        producer.send("orders", b"first").result()
        broker.kill()
        with pytest.raises(BufferFull, match=r"raise buffer\.memory"):
            send_all(producer, values(2000))
        broker.start()


def send_all(producer: Producer, values: list[bytes]) -> None:
    for value in values:
        producer.send("orders", value)


@pytest.mark.parametrize("partition", [-1, 7])
def test_flush_without_asyncio_reports_records_that_were_not_accepted(
    start_broker: StartBroker, partition: int
) -> None:
    broker = start_broker()
    with Producer(bootstrap_servers=broker.address) as producer:
        producer.send("orders", b"first").result()

        delivery = producer.send("orders", b"lost", partition=partition)
        with pytest.raises(ValueError, match=f"partition {partition} of orders: it has partitions 0 to 0"):
            producer.flush()
        with pytest.raises(ValueError, match=f"partition {partition} of orders"):
            delivery.result()

        producer.send("orders", b"second").result()
        producer.flush()


def test_a_partition_that_was_just_added_is_found_without_asyncio(start_broker: StartBroker) -> None:
    broker = start_broker()
    with Admin(bootstrap_servers=broker.address) as admin, Producer(bootstrap_servers=broker.address) as producer:
        producer.send("orders", b"first").result()
        admin.create_partitions({"orders": 2})
        producer.send("orders", b"second", partition=1)
        producer.flush()
    assert written(broker.port, TopicPartition("orders", 1)) == [b"second"]


def test_memory_stays_within_the_buffer_when_ten_times_as_much_is_produced(
    start_broker: StartBroker,
) -> None:
    broker = start_broker()
    buffer_bytes, value = 8 << 20, bytes(1000)

    async def story() -> int:
        async with AsyncProducer(bootstrap_servers=broker.address, buffer_memory=buffer_bytes) as producer:
            await producer.send("orders", value)
            before, peak = resident_bytes(), 0
            for number in range(10 * buffer_bytes // len(value)):
                producer.send("orders", bytes(value))
                if number % 100 == 0:
                    await producer.ready()
                    peak = max(peak, resident_bytes() - before)
            return peak

    assert asyncio.run(story()) < 3 * buffer_bytes


def test_memory_stays_within_the_buffer_without_asyncio_too(
    start_broker: StartBroker,
) -> None:
    broker = start_broker()
    limit, count = 8 << 20, 80_000
    with Producer(bootstrap_servers=broker.address, buffer_memory=limit) as producer:
        producer.send("orders", bytes(1000)).result()
        before, peak = resident_bytes(), 0
        for number in range(count):
            # A new value each time: what is buffered cannot be one and the same object. `send` waits while it is full.
            producer.send("orders", b"%01000d" % number)
            if not number % 500:
                peak = max(peak, resident_bytes() - before)
    assert peak < 3 * limit


def test_closed_clients_leave_no_threads_and_no_sockets(start_broker: StartBroker) -> None:
    broker = start_broker()

    def once() -> None:
        with Admin(bootstrap_servers=broker.address) as admin:
            admin.describe_cluster()
        with Producer(bootstrap_servers=broker.address) as producer:
            producer.send("orders", b"x").result()

    once()
    threads, descriptors = threading.active_count(), descriptor_count()
    for _ in range(5):
        once()

    eventually(lambda: descriptor_count() <= descriptors, within_s=10, what=lambda: f"{descriptor_count()} descriptors")
    assert threading.active_count() <= threads


def test_closed_clients_leave_no_tasks(start_broker: StartBroker) -> None:
    broker = start_broker()

    async def story() -> None:
        async with (
            AsyncAdmin(bootstrap_servers=broker.address) as admin,
            AsyncProducer(bootstrap_servers=broker.address) as producer,
        ):
            await admin.describe_cluster()
            await producer.send("orders", b"x")
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(story())


def test_a_client_that_never_reached_a_broker_closes_at_once() -> None:
    with Admin(bootstrap_servers=f"127.0.0.1:{free_port()}") as admin, pytest.raises(TimedOut, match="refused"):
        admin.describe_cluster(timeout_ms=300)


def test_a_closed_client_says_so(start_broker: StartBroker) -> None:
    broker = start_broker()
    producer = Producer(bootstrap_servers=broker.address)
    producer.close()
    producer.close()

    with pytest.raises(ClientClosed, match="closed"):
        producer.send("orders", b"x")


def test_the_system_looks_up_names(start_broker: StartBroker) -> None:
    broker = start_broker()
    with Admin(bootstrap_servers=f"localhost:{broker.port}") as admin:
        admin.create_topics([NewTopic("orders", 1)])
        assert admin.list_offsets({ORDERS: OffsetSpec.LATEST})[ORDERS].offset == 0
