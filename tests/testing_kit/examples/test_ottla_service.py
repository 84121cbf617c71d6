"""A service on `ottla.client`: it moves money from one account to another, exactly once."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from ottla.client import ClientError, Consumer, Producer, TopicPartition
from ottla.testing import Broker, NotReceived

pytestmark = pytest.mark.kafka(topics=["transfers", "bookings"])


class Bank:
    """The code under test: for each transfer two bookings, in one transaction with the offset."""

    def __init__(self, config: dict[str, str]) -> None:
        self._consumer = Consumer(
            config,
            group_id="bank",
            topics=["transfers"],
            auto_offset_reset="earliest",
            enable_auto_commit=False,
            isolation_level="read_committed",
        )
        self._producer = Producer(config, transactional_id="bank", transaction_timeout_ms=10_000, retry_backoff_ms=10)

    def work(self, count: int) -> None:
        """Books so many transfers."""
        self._producer.init_transactions()
        done = 0
        while done < count:
            for record in self._consumer.poll(timeout_ms=20_000, max_records=1):
                transfer = json.loads(record.value)
                with self._producer.transaction():
                    for account, amount in (
                        (transfer["from"], -transfer["amount"]),
                        (transfer["to"], transfer["amount"]),
                    ):
                        self._producer.send("bookings", json.dumps(amount).encode(), key=account.encode())
                    offsets = {TopicPartition(record.topic, record.partition): record.offset + 1}
                    self._producer.send_offsets(offsets, self._consumer.group_metadata())
                done += 1

    def close(self) -> None:
        self._consumer.close()
        self._producer.close()


@pytest.fixture
def bank(kafka: Broker) -> Iterator[Bank]:
    service = Bank(kafka.config)
    yield service
    service.close()


def transfer(amount: int) -> dict[str, object]:
    return {"from": "ann", "to": "bob", "amount": amount}


def balances(kafka: Broker) -> dict[str, int]:
    found: dict[str, int] = {}
    for booking in kafka.read("bookings"):
        assert booking.key is not None
        account = booking.key.decode()
        found[account] = found.get(account, 0) + booking.json()
    return found


def test_a_transfer_is_two_bookings(kafka: Broker, bank: Bank) -> None:
    kafka.send("transfers", transfer(7))

    bank.work(1)

    assert balances(kafka) == {"ann": -7, "bob": 7}


def test_transfers_are_booked_in_order(kafka: Broker, bank: Bank) -> None:
    for amount in (1, 2, 3):
        kafka.send("transfers", transfer(amount))

    bank.work(3)

    assert [booking.json() for booking in kafka.read("bookings") if booking.key == b"bob"] == [1, 2, 3]


def test_the_offset_is_committed_with_the_bookings(kafka: Broker, bank: Bank) -> None:
    kafka.send("transfers", transfer(7))

    bank.work(1)

    assert kafka.lag("bank") == 0
    assert kafka.requests("OffsetCommit") == []
    assert len(kafka.requests("TxnOffsetCommit")) == 1


def test_nothing_is_booked_when_the_transaction_cannot_end(kafka: Broker, bank: Bank) -> None:
    kafka.send("transfers", transfer(7))

    with kafka.fail("EndTxn", error="INVALID_TXN_STATE"), pytest.raises(ClientError):
        bank.work(1)

    assert balances(kafka) == {}


def test_a_transfer_is_booked_once_when_connections_break(kafka: Broker, bank: Bank) -> None:
    kafka.send("transfers", transfer(7))

    with kafka.drop_connections("Produce", times=1, after_handling=True) as fault:
        bank.work(1)

    assert fault.hits == 1
    assert balances(kafka) == {"ann": -7, "bob": 7}


def test_bookings_of_a_bank_that_hangs_are_taken_back(kafka: Broker) -> None:
    with Producer(kafka.config, transactional_id="bank", transaction_timeout_ms=10_000) as producer:
        producer.init_transactions()
        producer.begin_transaction()
        producer.send("bookings", b"5", key=b"ann").result()

        kafka.clock.advance(minutes=1)

        assert kafka.read("bookings") == []
        assert len(kafka.read("bookings", committed=False)) == 1
        with pytest.raises(ClientError):
            producer.commit_transaction()


def test_a_bank_that_comes_back_books_the_rest(kafka: Broker, bank: Bank) -> None:
    kafka.send("transfers", transfer(1))
    bank.work(1)
    bank.close()
    kafka.send("transfers", transfer(2))

    second = Bank(kafka.config)
    second.work(1)
    second.close()

    assert balances(kafka) == {"ann": -3, "bob": 3}


def test_two_consumers_of_a_group_share_the_partitions(kafka: Broker) -> None:
    kafka.create_topic("accounts", partitions=2)
    settings = {**kafka.config, "group.id": "reporting", "heartbeat.interval.ms": "100"}

    def read_one(seen: list[int]) -> None:
        with Consumer(settings, topics=["accounts"], auto_offset_reset="earliest") as consumer:
            while not seen:
                seen += [record.partition for record in consumer.poll(timeout_ms=100)]

    first: list[int] = []
    second: list[int] = []
    with ThreadPoolExecutor(2) as threads:
        reading = [threads.submit(read_one, seen) for seen in (first, second)]
        kafka.wait_for_group("reporting", members=2, timeout=20)
        for partition in (0, 1):
            kafka.send("accounts", "opened", partition=partition)
        for each in reading:
            each.result(30)

    assert sorted(first + second) == [0, 1]


def test_a_booking_that_is_there_is_found_without_time_to_wait(kafka: Broker) -> None:
    kafka.send("bookings", 7, key="ann")

    assert kafka.assert_received("bookings", 7, timeout=0).key == b"ann"


def test_a_booking_that_never_comes_shows_what_did(kafka: Broker) -> None:
    kafka.send("bookings", 7, key="ann")

    with pytest.raises(NotReceived, match="no record with value=8 arrived in bookings") as failure:
        kafka.assert_received("bookings", 8, timeout=0.1)

    assert [record.json() for record in failure.value.records] == [7]
