"""Kill -9 of the broker in the middle of rebalances and commits: members go on, no committed offset is lost."""

from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import pytest
from confluent_kafka import Producer

from ottla.protocol.generated import offset_fetch_request
from tests.support import java_programs
from tests.support.broker_process import BrokerProcess
from tests.support.java_programs import JavaPrograms, needs_java
from tests.support.member_process import SHORT_SESSIONS, FormGroup, forming, place_of
from tests.support.topics import create_topic
from tests.support.waiting import eventually
from tests.support.wire import Wire

pytestmark = pytest.mark.timeout(300)
PARTITION_COUNT = 4
ROUND_COUNT = 3
#: What the members are made of, in turn; with both protocols the group migrates while the broker dies.
CLIENTS = [
    "confluent-range",
    "confluent-cooperative",
    "confluent-consumer",
    "kafka-python",
    "aiokafka",
    "aiokafka+confluent-consumer+kafka-python",
    pytest.param("java-range", marks=needs_java),
    pytest.param("java-consumer", marks=needs_java),
]


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrokerProcess]:
    process = BrokerProcess(tmp_path_factory.mktemp("group-kill"), **SHORT_SESSIONS).start()
    yield process
    assert "Traceback" not in process.output(), process.output()
    process.kill()


@pytest.fixture(scope="module")
def compiled_java(tmp_path_factory: pytest.TempPathFactory) -> JavaPrograms | None:
    return None if java_programs.missing() else JavaPrograms(tmp_path_factory.mktemp("java"))


@pytest.fixture
def form_group(broker: BrokerProcess, tmp_path: Path, compiled_java: JavaPrograms | None) -> Iterator[FormGroup]:
    with forming(broker.address, tmp_path, compiled_java) as form:
        yield form


class SteadySender:
    """Numbers in turn over the partitions, through every kill; knows where each one is."""

    def __init__(self, address: str, topic: str) -> None:
        self._topic = topic
        # Idempotent: what a kill leaves in doubt must not come twice, for the ends of the partitions are counted.
        self._producer = Producer(
            {"bootstrap.servers": address, "enable.idempotence": True, "message.timeout.ms": 60_000}
        )
        self._count = 0
        self.sent: set[tuple[str, int, int]] = set()

    def send(self, count: int) -> None:
        for _ in range(count):
            self._producer.produce(
                self._topic,
                b"%d" % self._count,
                partition=self._count % PARTITION_COUNT,
                on_delivery=lambda _, message: self.sent.add(place_of(message)),
            )
            self._count += 1

    def flush(self) -> None:
        assert self._producer.flush(60) == 0
        assert len(self.sent) == self._count


def committed_offsets(broker: BrokerProcess, group: str) -> dict[tuple[str, int], int]:
    """Asked anew until the coordinator has loaded."""
    request = offset_fetch_request.OffsetFetchRequest(
        groups=[offset_fetch_request.Groups(group_id=group, topics=None)], require_stable=True
    )
    found: dict[tuple[str, int], int] = {}

    def is_answered() -> bool:
        with Wire(broker) as wire:
            (answer,) = wire.ask(request, 8).groups
        for topic in answer.topics:
            for partition in topic.partitions:
                found[topic.name, partition.partition_index] = partition.committed_offset
        return bool(answer.error_code == 0)

    eventually(is_answered, what="committed offsets are answered")
    return found


@pytest.mark.parametrize("clients", CLIENTS)
def test_members_go_on_after_kill_9_in_a_rebalance(broker: BrokerProcess, form_group: FormGroup, clients: str) -> None:
    kinds = cycle(clients.split("+"))
    topic = f"kill-{clients.replace('+', '_')}"
    create_topic(broker, topic, PARTITION_COUNT)
    places = {f"{topic}-{index}" for index in range(PARTITION_COUNT)}
    sender = SteadySender(broker.address, topic)
    group = form_group(f"group-{clients}", topic)
    members = [group.join(next(kinds))]
    sender.send(200)
    group.share(members, places)

    for _ in range(ROUND_COUNT):
        # A new member is on its way in and commits are in flight when the broker dies.
        members.append(group.join(next(kinds)))
        seen = len(group.read())
        sender.send(300)
        group.reads_on(seen)
        broker.kill()
        safe = group.committed()
        broker.start()
        kept = committed_offsets(broker, group.group)
        assert {place: kept.get(place, -1) for place in safe if kept.get(place, -1) < safe[place]} == {}

    group.share(members, places, within_s=60)
    sender.flush()
    eventually(lambda: sender.sent <= group.read(), within_s=40, what="everything is read")
    expected = {(topic, index): (200 + ROUND_COUNT * 300) // PARTITION_COUNT for index in range(PARTITION_COUNT)}
    eventually(lambda: committed_offsets(broker, group.group) == expected, what="everything is committed")
