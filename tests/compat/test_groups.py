"""Consumer groups with other people's clients and ours: join, leave, crash, rejoin, static restart, hand-over, resume.

Every member is a process of its own, so that a crash is a crash. The clients differ; the story is the same for all.
"""

import uuid

import pytest
from confluent_kafka import Consumer, ConsumerGroupType, Producer, TopicPartition
from confluent_kafka.admin import (
    AdminClient,
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    NewTopic,
    ResourceType,
)

from tests.support.java_programs import needs_java
from tests.support.member_process import FormGroup, place_of
from tests.support.waiting import eventually

pytestmark = pytest.mark.timeout(300)
PARTITION_COUNT = 4
CRASH_SESSION_MS = 4000
CLIENTS = [
    "confluent-range",
    "confluent-cooperative",
    "confluent-consumer",
    "kafka-python",
    "aiokafka",
    "ottla-range",
    "ottla-consumer",
    pytest.param("java-range", marks=needs_java),
    pytest.param("java-consumer", marks=needs_java),
]
COOPERATIVE = [
    "confluent-cooperative",
    "confluent-consumer",
    "kafka-python-cooperative",
    "ottla-cooperative",
    "ottla-consumer",
    pytest.param("java-cooperative", marks=needs_java),
    pytest.param("java-consumer", marks=needs_java),
]


@pytest.fixture
def topic(address: str) -> str:
    return new_topic(address, f"g-{uuid.uuid4().hex[:10]}")


def new_topic(address: str, name: str, partition_count: int = PARTITION_COUNT) -> str:
    admin = AdminClient({"bootstrap.servers": address})
    admin.create_topics([NewTopic(name, partition_count, 1)])[name].result(20)
    return name


def places(topic: str, partition_count: int = PARTITION_COUNT) -> set[str]:
    return {f"{topic}-{index}" for index in range(partition_count)}


def produce(address: str, topic: str, first: int, count: int) -> set[tuple[str, int, int]]:
    """Numbers in turn over the partitions; the places where they are."""
    sent: set[tuple[str, int, int]] = set()
    producer = Producer({"bootstrap.servers": address})
    for number in range(first, first + count):
        producer.produce(
            topic,
            b"%d" % number,
            partition=number % PARTITION_COUNT,
            on_delivery=lambda _, message: sent.add(place_of(message)),
        )
    assert producer.flush(20) == 0
    assert len(sent) == count
    return sent


def committed_offsets(address: str, group: str, topic: str) -> dict[tuple[str, int], int]:
    """As the broker has them; partitions without a commit are left out."""
    consumer = Consumer({"bootstrap.servers": address, "group.id": group})
    asked = [TopicPartition(topic, index) for index in range(PARTITION_COUNT)]
    found = {(each.topic, each.partition): each.offset for each in consumer.committed(asked, timeout=20)}
    consumer.close()
    return {place: offset for place, offset in found.items() if offset >= 0}


def set_session(address: str, group: str, session_ms: int) -> None:
    """In the new protocol the session's length is a setting of the group, not of the member."""
    entry = ConfigEntry("consumer.session.timeout.ms", str(session_ms), incremental_operation=AlterConfigOpType.SET)
    resource = ConfigResource(ResourceType.GROUP, group, incremental_configs=[entry])
    admin = AdminClient({"bootstrap.servers": address})
    next(iter(admin.incremental_alter_configs([resource]).values())).result(20)


@pytest.mark.parametrize("client", CLIENTS)
def test_members_share_the_work_and_hand_it_over(address: str, topic: str, form_group: FormGroup, client: str) -> None:
    """Join, leave and crash in one life: each member is a process, and processes are dear."""
    group = form_group(f"share-{topic}", topic)
    # The dead member is missed after this time: the test waits for it.
    group.session_ms = CRASH_SESSION_MS
    set_session(address, group.group, CRASH_SESSION_MS)
    sent = produce(address, topic, 0, 100)

    first = group.join(client)
    group.share([first], places(topic))
    second = group.join(client)
    group.share([first, second], places(topic))
    sent |= produce(address, topic, 100, 100)
    group.reads(sent, "everything is read")

    second.leave()
    group.share([first], places(topic))
    third = group.join(client)
    group.share([first, third], places(topic))
    third.kill()
    sent |= produce(address, topic, 200, 100)
    group.reads(sent, "the work of the dead member is done by the other")
    group.share([first], places(topic))


@pytest.mark.parametrize("client", CLIENTS)
def test_a_new_process_resumes_where_the_last_one_committed(
    address: str, topic: str, form_group: FormGroup, client: str
) -> None:
    group = form_group(f"resume-{topic}", topic)
    sent = produce(address, topic, 0, 80)
    first = group.join(client)
    eventually(lambda: sum(first.committed.values()) == 80, within_s=40, what="everything is committed")
    first.leave()

    more = produce(address, topic, 80, 40)
    second = group.join(client)
    eventually(lambda: sum(second.committed.values()) == 120, within_s=40, what="the rest is committed")
    second.leave()

    assert sorted(first.read) == sorted(sent), "read once"
    assert sorted(second.read) == sorted(more), "nothing again, nothing left out"
    assert committed_offsets(address, group.group, topic) == {(topic, index): 30 for index in range(4)}


@pytest.mark.parametrize("client", [each for each in CLIENTS if each != "confluent-cooperative"])
def test_a_static_member_comes_back_to_its_partitions(
    address: str, topic: str, form_group: FormGroup, client: str
) -> None:
    group = form_group(f"static-{topic}", topic)
    set_session(address, group.group, 30_000)
    stays, restarts = group.join(client, "instance-a"), group.join(client, "instance-b")
    group.share([stays, restarts], places(topic))
    its_own, rebalances = restarts.owned, len(stays.assignments)

    if client.endswith("-consumer"):
        # The new protocol keeps the instance for its member until that says good-bye or its session ends.
        restarts.leave()
    else:
        restarts.kill()
    again = group.join(client, "instance-b")
    group.share([stays, again], places(topic))

    assert again.owned == its_own
    assert len(stays.assignments) == rebalances, "the other member noticed nothing"


@pytest.mark.parametrize("client", COOPERATIVE)
def test_a_cooperative_member_gives_up_only_what_moves(topic: str, form_group: FormGroup, client: str) -> None:
    group = form_group(f"cooperative-{topic}", topic)
    first = group.join(client)
    group.share([first], places(topic))

    second = group.join(client)
    group.share([first, second], places(topic))

    given_up = frozenset[str]().union(*first.revoked)
    assert given_up == second.owned
    kept = first.owned or frozenset()
    assert all(kept <= assignment for assignment in first.assignments if assignment), "what stays never left"


@pytest.mark.parametrize("client", CLIENTS)
def test_a_pattern_finds_topics_that_come_later(address: str, form_group: FormGroup, client: str) -> None:
    prefix = f"re-{uuid.uuid4().hex[:8]}"
    new_topic(address, f"{prefix}-one", 2)
    group = form_group(f"pattern-{prefix}", f"^{prefix}-.*")
    member = group.join(client)
    group.share([member], places(f"{prefix}-one", 2))

    new_topic(address, f"{prefix}-two", 2)
    new_topic(address, f"other-{prefix}", 1)

    group.share([member], places(f"{prefix}-one", 2) | places(f"{prefix}-two", 2))


@pytest.mark.parametrize(
    "clients",
    [
        ("confluent-range", "kafka-python", "aiokafka"),
        pytest.param(("java-range", "aiokafka", "confluent-range"), marks=needs_java),
        ("ottla-range", "confluent-range", "aiokafka"),
        ("confluent-cooperative", "ottla-cooperative", "kafka-python-cooperative"),
        pytest.param(("ottla-cooperative", "java-cooperative", "ottla-cooperative"), marks=needs_java),
        ("ottla-consumer", "confluent-consumer", "ottla-consumer"),
        # Both protocols in one group.
        ("ottla-range", "ottla-consumer", "confluent-consumer"),
        ("confluent-range", "confluent-consumer", "kafka-python"),
        pytest.param(("java-consumer", "java-range", "confluent-consumer"), marks=needs_java),
    ],
    ids="+".join,
)
def test_different_clients_work_in_one_group(
    address: str, topic: str, form_group: FormGroup, clients: tuple[str, ...]
) -> None:
    group = form_group(f"mixed-{topic}", topic)
    members = []

    for client in clients:
        members.append(group.join(client))
        group.share(members, places(topic))
    sent = produce(address, topic, 0, 200)
    group.reads(sent, "everything is read")
    members[0].leave()
    group.share(members[1:], places(topic))
    sent |= produce(address, topic, 200, 100)

    group.reads(sent, "the others do the rest")
    eventually(lambda: committed_offsets(address, group.group, topic) == {(topic, index): 75 for index in range(4)})


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("confluent-range", "confluent-consumer"),
        ("confluent-cooperative", "confluent-consumer"),
        ("kafka-python", "confluent-consumer"),
        ("aiokafka", "confluent-consumer"),
        ("ottla-cooperative", "ottla-consumer"),
        pytest.param("java-range", "java-consumer", marks=needs_java),
    ],
)
def test_a_group_moves_to_the_other_protocol_and_back_member_by_member(
    address: str, topic: str, form_group: FormGroup, old: str, new: str
) -> None:
    group = form_group(f"moves-{topic}", topic)
    members = [group.join(old), group.join(old)]
    sent = produce(address, topic, 0, 40)
    group.share(members, places(topic))
    assert group_type(address, group.group) is ConsumerGroupType.CLASSIC

    for kind, last_type in ((new, ConsumerGroupType.CONSUMER), (old, ConsumerGroupType.CLASSIC)):
        for _ in range(2):
            members.pop(0).leave()
            members.append(group.join(kind))
            group.share(members, places(topic))
            sent |= produce(address, topic, len(sent), 40)
        assert group_type(address, group.group) is last_type

    group.reads(sent, "everything is read")
    expected = {(topic, index): len(sent) // PARTITION_COUNT for index in range(PARTITION_COUNT)}
    eventually(lambda: committed_offsets(address, group.group, topic) == expected, what="everything is committed")


def group_type(address: str, group: str) -> ConsumerGroupType:
    admin = AdminClient({"bootstrap.servers": address})
    listed = admin.list_consumer_groups().result(20)
    found: ConsumerGroupType = next(each.type for each in listed.valid if each.group_id == group)
    return found
