"""Consume-transform-produce while clients and broker are killed: nothing is lost, nothing comes twice."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from confluent_kafka import Producer

from tests.support.broker_process import BrokerProcess
from tests.support.copier_process import CopierProcess
from tests.support.java_programs import JavaPrograms, needs_java
from tests.support.topics import create_topic
from tests.support.waiting import eventually
from tests.support.whole_partitions import read_topic

pytestmark = pytest.mark.timeout(300)
PARTITION_COUNT = 2
RECORD_COUNT = 2000
PORTION = RECORD_COUNT // 4
CLIENTS = ["confluent", "kafka-python", "aiokafka", pytest.param("java", marks=needs_java)]


@pytest.fixture(scope="module")
def doomed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrokerProcess]:
    """A broker of this module's own: it is killed and started again."""
    process = BrokerProcess(tmp_path_factory.mktemp("doomed"), group_min_session_timeout_ms="1000").start()
    yield process
    assert "Traceback" not in process.output(), process.output()
    process.kill()


def produce_numbers(address: str, topic: str, numbers: range) -> None:
    producer = Producer({"bootstrap.servers": address})
    for number in numbers:
        producer.produce(topic, b"%d" % number, partition=number % PARTITION_COUNT)
    assert producer.flush(20) == 0


def numbers_in(address: str, topic: str) -> list[list[int]]:
    """Per partition, in their order, as far as they are committed."""
    found = read_topic(address, topic, PARTITION_COUNT)
    return [[int(message.value() or b"") for message in messages] for messages in found]


@pytest.mark.parametrize("client", CLIENTS)
def test_a_copy_is_exact_while_processes_are_killed(
    doomed: BrokerProcess, tmp_path: Path, compiled_java: JavaPrograms | None, client: str
) -> None:
    source, target, name = f"source-{client}", f"target-{client}", f"copy-{client}"
    for topic in (source, target):
        create_topic(doomed, topic, PARTITION_COUNT)
    copier = CopierProcess(client, [doomed.address, source, target, name], tmp_path, compiled_java)
    kills = [copier.kill, lambda: restart(doomed), copier.kill]
    portions = [range(start, start + PORTION) for start in range(0, RECORD_COUNT, PORTION)]
    assert len(portions) == len(kills) + 1

    def copies_more_than(count: int) -> bool:
        copier.keep_alive()
        return copier.committed_count > count

    def everything_is_there() -> bool:
        copier.keep_alive()
        return sum(map(len, numbers_in(doomed.address, target))) >= RECORD_COUNT

    try:
        # The next portion comes after the kill: however quick the copier is, it is not done before.
        for portion, kill in zip(portions, kills, strict=False):
            copied = copier.committed_count
            produce_numbers(doomed.address, source, portion)
            eventually(partial(copies_more_than, copied), within_s=60, what=f"more than {copied} records are copied")
            kill()
        produce_numbers(doomed.address, source, portions[-1])
        eventually(everything_is_there, within_s=90, what="the copy is complete")
    except AssertionError as late:
        raise AssertionError(f"{late}: {copier.committed_count} in {copier.lives} lives\n{copier.errors()}") from None
    finally:
        copier.kill()

    expected = [list(range(index, RECORD_COUNT, PARTITION_COUNT)) for index in range(PARTITION_COUNT)]
    assert numbers_in(doomed.address, target) == expected
    assert copier.lives >= 3


def restart(broker: BrokerProcess) -> None:
    broker.kill()
    broker.start()
