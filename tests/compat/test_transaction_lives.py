"""Producers that die, dawdle or meet their successor in the middle of a transaction: aiokafka and kafka-python.

confluent-kafka is in `test_transactions.py`, the Java client in `test_java.py`.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Producer

from tests.support.broker_process import BrokerProcess
from tests.support.producer_process import ProducerProcess
from tests.support.topics import new_topic_at
from tests.support.transactional_client import READ_COMMITTED, end_offset, state_of
from tests.support.waiting import eventually
from tests.support.whole_partitions import sorted_values

CLIENTS = ["aiokafka", "kafka-python"]
#: Long enough for a first record on a busy machine.
SHORT_MS = 4_000
NewProducer = Callable[..., ProducerProcess]


@pytest.fixture
def topic(address: str) -> str:
    return new_topic_at(address, 2, prefix="tx")


@pytest.fixture
def new_producer(address: str, topic: str, tmp_path: Path) -> Iterator[NewProducer]:
    """All of one test have the same transactional id: the name of its topic."""
    made: list[ProducerProcess] = []

    def new(kind: str, **options: Any) -> ProducerProcess:
        made.append(ProducerProcess(kind, address, topic, topic, tmp_path, **options))
        return made[-1]

    yield new
    for producer in made:
        producer.kill()


def put_plain(address: str, topic: str, value: bytes) -> None:
    """A record that no transaction owns: readers see it once nothing before it is open."""
    producer = Producer({"bootstrap.servers": address})
    producer.produce(topic, value, partition=0)
    assert producer.flush(20) == 0


@pytest.mark.parametrize("client", CLIENTS)
def test_a_transaction_that_takes_too_long_is_aborted(
    broker: BrokerProcess, topic: str, new_producer: NewProducer, client: str
) -> None:
    """Its producer still lives: it learns that it came too late, and another goes on."""
    slow = new_producer(client, timeout_ms=SHORT_MS)
    assert slow.tell("send", "slow") == "done"
    put_plain(broker.address, topic, b"plain")
    seen = end_offset(broker, topic, isolation_level=READ_COMMITTED)
    # On a busy machine its time may be over already: then readers go on, and rightly.
    assert seen == 0 or state_of(broker, topic) != "Ongoing"

    eventually(lambda: state_of(broker, topic) == "CompleteAbort")

    assert end_offset(broker, topic, isolation_level=READ_COMMITTED) == 3
    assert slow.tell("commit").startswith("refused ")
    assert sorted_values(broker.address, topic) == [b"plain"]
    next_one = new_producer(client)
    assert [next_one.tell("send", "next"), next_one.tell("commit")] == ["done", "done"]
    assert sorted_values(broker.address, topic) == [b"next", b"plain"]


@pytest.mark.parametrize("client", CLIENTS)
def test_the_transaction_of_a_dead_process_is_aborted_by_the_next_one(
    broker: BrokerProcess, topic: str, new_producer: NewProducer, client: str
) -> None:
    """At once: its timeout of a minute has not passed."""
    first = new_producer(client)
    assert [first.tell("send", "one"), first.tell("commit")] == ["done", "done"]
    assert first.tell("send", "unfinished") == "done"
    first.kill()
    assert state_of(broker, topic) == "Ongoing"

    second = new_producer(client)

    assert sorted_values(broker.address, topic) == [b"one"]
    assert end_offset(broker, topic, isolation_level=READ_COMMITTED) == 4
    assert [second.tell("send", "two"), second.tell("commit")] == ["done", "done"]
    assert sorted_values(broker.address, topic) == [b"one", b"two"]


@pytest.mark.parametrize("client", CLIENTS)
def test_a_producer_that_was_replaced_cannot_commit(
    broker: BrokerProcess, topic: str, new_producer: NewProducer, client: str
) -> None:
    older = new_producer(client)
    assert older.tell("send", "older") == "done"

    newer = new_producer(client)
    assert newer.tell("send", "newer") == "done"

    assert "fenced" in older.tell("commit").lower()
    assert older.tell("send", "again").startswith("refused ")
    assert newer.tell("commit") == "done"
    assert sorted_values(broker.address, topic) == [b"newer"]
