"""Our client against three nodes of Apache Kafka that leave and come back: leaders and coordinators move."""

from collections.abc import Callable, Iterator
from functools import partial

import pytest

from ottla.client import Admin, Consumer, NewTopic, Producer, TopicPartition
from tests.support.cluster_load import PARTITIONS, Committed, Group, Repeated, Sent
from tests.support.kafka_cluster import KafkaCluster
from tests.support.waiting import eventually
from tests.support.whole_partitions import read_topic

pytestmark = pytest.mark.timeout(400)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KafkaCluster]:
    started = KafkaCluster(tmp_path_factory.mktemp("cluster")).start()
    try:
        yield started
    finally:
        started.kill()


@pytest.fixture(scope="module")
def admin(cluster: KafkaCluster) -> Iterator[Admin]:
    with Admin(bootstrap_servers=cluster.address) as client:
        eventually(lambda: len(client.describe_cluster().nodes) == 3, within_s=60, what="three brokers")
        names = ("orders", "transfers", "events", "near")
        client.create_topics([NewTopic(name, PARTITIONS, 3) for name in names])
        yield client


def read_all(address: str, topic: str) -> dict[int, list[bytes]]:
    found = read_topic(address, topic, PARTITIONS)
    return {number: [message.value() or b"" for message in messages] for number, messages in enumerate(found)}


def await_progress(count: Callable[[], int], more: int, what: Callable[[], str] = str) -> None:
    before = count()
    eventually(lambda: count() > before + more, within_s=90, what=lambda: f"progress while a node is away; {what()}")


def await_in_sync(admin: Admin, topic: str) -> None:
    def is_in_sync() -> bool:
        views = admin.describe_topics([topic])[topic].partitions
        return all(len(view.in_sync_replicas) == 3 for view in views)

    eventually(is_in_sync, within_s=60, what="three replicas in sync")


@pytest.mark.usefixtures("admin")
def test_nodes_that_shut_down_or_are_killed_lose_and_double_nothing_of_producers(cluster: KafkaCluster) -> None:
    orders, transfers = Sent("orders"), Committed("transfers")
    with (
        Producer(bootstrap_servers=cluster.address, request_timeout_ms=5000) as plain,
        Producer(bootstrap_servers=cluster.address, request_timeout_ms=5000, transactional_id="mover") as mover,
    ):
        workers = [Repeated(lambda: orders.send(plain)), Repeated(lambda: transfers.transfer(mover))]
        for number, leave in ((1, cluster.stop), (2, cluster.kill)):
            leave(number)
            await_progress(orders.count, 5)
            await_progress(transfers.count, 2)
            cluster.start(number)
        for worker in workers:
            worker.finish()

    assert read_all(cluster.address, "orders") == orders.values
    for values in read_all(cluster.address, "transfers").values():
        assert values == transfers.values


def test_groups_read_all_in_order_while_their_leaders_and_coordinators_move(
    cluster: KafkaCluster, admin: Admin
) -> None:
    """The coordinator of one group shuts down, that of the other is killed, then preferred leaders are elected."""
    events = Sent("events")
    with Producer(bootstrap_servers=cluster.address, request_timeout_ms=5000) as producer:
        sending = Repeated(lambda: events.send(producer))
        settings = {
            "classic": {"partition_assignment_strategy": "cooperative-sticky"},
            "modern": {"group_protocol": "consumer"},
        }
        groups = {name: Group(cluster.address, name, "events", 2, **given) for name, given in settings.items()}

        def all_progress() -> None:
            for group in groups.values():
                await_progress(group.count, 5, group.health)

        all_progress()
        for name, leave in (("classic", cluster.stop), ("modern", cluster.kill)):
            coordinator = admin.describe_groups([name])[name].coordinator_id
            leave(coordinator)
            all_progress()
            cluster.start(coordinator)
            await_in_sync(admin, "events")
        # Replicas of the other topics, the group's own among them, may still be catching up.
        eventually(lambda: set(admin.elect_leaders().values()) <= {None}, within_s=60, what="preferred leaders")
        all_progress()
        sending.finish()

    for name, group in groups.items():
        eventually(partial(group.has_all, events), within_s=60, what=group.health)
        assert group.first_sights() == events.values
        assert len(admin.describe_groups([name])[name].members) == 2
        group.close()
        offsets = {partition.partition: row.offset for partition, row in admin.list_group_offsets(name).items()}
        assert offsets == {number: len(values) for number, values in events.values.items()}


def test_a_consumer_reads_from_the_replica_in_its_rack(cluster: KafkaCluster, admin: Admin) -> None:
    await_in_sync(admin, "near")
    near = Sent("near")
    with Producer(bootstrap_servers=cluster.address) as producer:
        for _ in range(200):
            near.send(producer)
    leader = admin.describe_topics(["near"])["near"].partitions[0].leader_id
    follower = leader % 3 + 1
    zero = TopicPartition("near", 0)
    with Consumer(bootstrap_servers=cluster.address, client_rack=f"rack-{follower}") as consumer:
        consumer.assign([zero])
        consumer.seek(zero, 0)
        assert read_values(consumer, 200) == near.values[0]

        cluster.pause(leader)
        try:
            consumer.seek(zero, 0)
            # No other node leads before broker.session.timeout.ms (9 s) have passed.
            assert read_values(consumer, 200, within_s=8) == near.values[0]
        finally:
            cluster.resume(leader)


def read_values(consumer: Consumer, count: int, within_s: float = 60) -> list[bytes]:
    found: list[bytes] = []

    def is_there() -> bool:
        found.extend(record.value for record in consumer.poll(timeout_ms=100) if record.value is not None)
        return len(found) >= count

    eventually(is_there, within_s=within_s, what=lambda: f"{len(found)} of {count} records; {consumer.health()}")
    return found
