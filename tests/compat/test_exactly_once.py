"""Consume-transform-produce while clients and broker are killed: nothing is lost, nothing comes twice."""

import itertools
from collections.abc import Callable, Iterator
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
RECORD_COUNT = 600
CLIENTS = ["confluent", "kafka-python", "aiokafka", pytest.param("java", marks=needs_java)]


@pytest.fixture(scope="module")
def doomed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrokerProcess]:
    """A broker of this module's own: it is killed and started again."""
    process = BrokerProcess(tmp_path_factory.mktemp("doomed"), group_min_session_timeout_ms="1000").start()
    yield process
    assert "Traceback" not in process.output(), process.output()
    process.kill()


def produce_numbers(address: str, topic: str) -> None:
    producer = Producer({"bootstrap.servers": address})
    for number in range(RECORD_COUNT):
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
    produce_numbers(doomed.address, source)
    copier = CopierProcess(client, [doomed.address, source, target, name], tmp_path, compiled_java)
    kills: Iterator[Callable[[], None]] = itertools.chain(
        [copier.kill, lambda: restart(doomed), copier.kill], itertools.repeat(lambda: None)
    )
    next_kill_at = RECORD_COUNT // 6

    def is_complete() -> bool:
        nonlocal next_kill_at
        copier.keep_alive()
        if copier.committed_count >= next_kill_at:
            next(kills)()
            next_kill_at = copier.committed_count + RECORD_COUNT // 6
        return copier.committed_count > RECORD_COUNT * 5 // 6 and everything_is_there()

    def everything_is_there() -> bool:
        return sum(map(len, numbers_in(doomed.address, target))) >= RECORD_COUNT

    try:
        eventually(is_complete, within_s=150, what="the copy is complete")
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
