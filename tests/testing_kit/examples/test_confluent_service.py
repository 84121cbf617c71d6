"""A service on confluent-kafka: it reads orders, writes an invoice for each, and commits."""

import json
from typing import Any

import pytest
from confluent_kafka import Consumer, KafkaError, KafkaException, Producer

from ottla.testing import Broker

pytestmark = pytest.mark.kafka(topics={"orders": 2, "invoices": 1, "rejected": 1})


class Billing:
    """The code under test."""

    def __init__(self, config: dict[str, Any]) -> None:
        group = {"group.id": "billing", "auto.offset.reset": "earliest", "enable.auto.commit": False}
        self._consumer = Consumer({**config, **group})
        self._producer = Producer({**config, "client.id": "billing", "retry.backoff.ms": 10})
        self._consumer.subscribe(["orders"])

    def work(self, count: int) -> None:
        """Handles so many orders."""
        for _ in range(count):
            message = self._consumer.poll(20)
            assert message is not None, "no order"
            if message.error() is not None:
                raise KafkaException(message.error())
            self._handle(message)
        self._producer.flush(20)
        self._consumer.commit(asynchronous=False)

    def _handle(self, message: Any) -> None:
        try:
            order = json.loads(message.value())
            invoice = json.dumps({"order": order["id"], "total": order["price"] * order["count"]})
        except (ValueError, KeyError) as error:
            self._producer.produce("rejected", message.value(), headers={"reason": type(error).__name__})
        else:
            self._producer.produce("invoices", invoice, key=message.key())

    def close(self) -> None:
        self._consumer.close()


@pytest.fixture
def billing(kafka: Broker) -> Any:
    service = Billing(kafka.config)
    yield service
    service.close()


def order(number: int) -> dict[str, int]:
    return {"id": number, "price": 5, "count": 2}


def test_an_order_becomes_an_invoice(kafka: Broker, billing: Billing) -> None:
    kafka.send("orders", order(1), key="ann")

    billing.work(1)

    kafka.assert_received("invoices", {"order": 1, "total": 10}, key="ann")


def test_every_order_of_every_partition_is_billed_once(kafka: Broker, billing: Billing) -> None:
    for number in range(6):
        kafka.send("orders", order(number), partition=number % 2)

    billing.work(6)

    assert sorted(invoice.json()["order"] for invoice in kafka.read("invoices")) == list(range(6))


@pytest.mark.parametrize(("value", "reason"), [("no JSON", "JSONDecodeError"), ({"id": 1}, "KeyError")])
def test_an_order_that_cannot_be_read_is_rejected_with_a_reason(
    kafka: Broker, billing: Billing, value: Any, reason: str
) -> None:
    kafka.send("orders", value)

    billing.work(1)

    kafka.assert_received("rejected", value, headers={"reason": reason})
    assert kafka.read("invoices") == []


def test_offsets_are_committed_after_the_invoices(kafka: Broker, billing: Billing) -> None:
    kafka.send("orders", order(1))

    billing.work(1)

    apis = [each.api for each in kafka.requests() if each.api in ("Produce", "OffsetCommit")]
    assert apis == ["Produce", "OffsetCommit"]
    assert kafka.lag("billing") == 0


def test_a_second_instance_goes_on_where_the_first_has_stopped(kafka: Broker, billing: Billing) -> None:
    kafka.send("orders", order(1))
    billing.work(1)
    billing.close()
    kafka.send("orders", order(2))

    second = Billing(kafka.config)
    second.work(1)
    second.close()

    assert [invoice.json()["order"] for invoice in kafka.read("invoices")] == [1, 2]


def test_invoices_survive_a_leader_that_refuses(kafka: Broker, billing: Billing) -> None:
    kafka.send("orders", order(1))

    with kafka.fail("Produce", error="NOT_LEADER_OR_FOLLOWER", times=2) as fault:
        billing.work(1)

    assert fault.hits == 2
    assert len(kafka.read("invoices")) == 1


def test_an_order_is_not_committed_when_its_commit_fails(kafka: Broker, billing: Billing) -> None:
    kafka.send("orders", order(1))

    with kafka.fail("OffsetCommit", error="GROUP_AUTHORIZATION_FAILED"), pytest.raises(KafkaException) as failure:
        billing.work(1)

    assert failure.value.args[0].code() == KafkaError.GROUP_AUTHORIZATION_FAILED
    assert kafka.lag("billing", "orders") == 1
