"""One record, sent by a client of its own."""

from confluent_kafka import KafkaError, Producer

from tests.support.broker_process import BrokerProcess

_PATIENCE_S = 40
_SHORT_S = 1.5


def send(broker: BrokerProcess, topic: str, value: bytes) -> KafkaError | None:
    """For what must be taken: the error of a record that is tried for long, since the machine may be busy."""
    return _sent(broker, topic, value, _PATIENCE_S)


def try_to_send(broker: BrokerProcess, topic: str, value: bytes) -> KafkaError | None:
    """For what is to be refused: most of these errors come only when the client has given up."""
    return _sent(broker, topic, value, _SHORT_S)


def _sent(broker: BrokerProcess, topic: str, value: bytes, patience_s: float) -> KafkaError | None:
    errors: list[KafkaError | None] = []
    settings = {"bootstrap.servers": broker.address, "message.timeout.ms": int(patience_s * 1000), "log_level": 0}
    producer = Producer(settings)
    producer.produce(topic, value, partition=0, on_delivery=lambda error, _: errors.append(error))
    producer.flush(patience_s + 20)
    (error,) = errors
    return error
