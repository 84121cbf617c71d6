"""A transactional producer that does as it is told, line by line, and says what came of it. Made to be killed.

    python -m tests.compat.programs.transactional_producer KIND ADDRESS TOPIC TRANSACTIONAL_ID TIMEOUT_MS

It tells `ready` when its client has started. It is told `send VALUE` (which begins a transaction where none is open),
`commit` or `abort`, and answers `done`, or `refused` and the name of the error.
"""

import asyncio
import sys
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

PATIENCE_S = 20


class Wish(NamedTuple):
    address: str
    topic: str
    transactional_id: str
    timeout_ms: int


class Told(Protocol):
    def begin(self) -> None: ...

    def send(self, value: bytes) -> None:
        """Returns when the broker has it."""

    def commit(self) -> None: ...

    def abort(self) -> None: ...


class KafkaPython:
    def __init__(self, wish: Wish) -> None:
        import kafka

        self._topic = wish.topic
        self._producer = kafka.KafkaProducer(
            bootstrap_servers=wish.address,
            transactional_id=wish.transactional_id,
            transaction_timeout_ms=wish.timeout_ms,
        )
        self._producer.init_transactions()

    def begin(self) -> None:
        self._producer.begin_transaction()

    def send(self, value: bytes) -> None:
        self._producer.send(self._topic, value, partition=0).get(PATIENCE_S)

    def commit(self) -> None:
        self._producer.commit_transaction()

    def abort(self) -> None:
        self._producer.abort_transaction()


class AioKafka:
    def __init__(self, wish: Wish) -> None:
        from aiokafka import AIOKafkaProducer

        self._topic = wish.topic
        self._runner = asyncio.Runner()

        async def started() -> Any:
            producer = AIOKafkaProducer(
                bootstrap_servers=wish.address,
                transactional_id=wish.transactional_id,
                transaction_timeout_ms=wish.timeout_ms,
            )
            await producer.start()
            return producer

        self._producer = self._runner.run(started())

    def begin(self) -> None:
        self._runner.run(self._producer.begin_transaction())

    def send(self, value: bytes) -> None:
        self._runner.run(self._producer.send_and_wait(self._topic, value, partition=0))

    def commit(self) -> None:
        self._runner.run(self._producer.commit_transaction())

    def abort(self) -> None:
        self._runner.run(self._producer.abort_transaction())


KINDS: dict[str, Callable[[Wish], Told]] = {"kafka-python": KafkaPython, "aiokafka": AioKafka}


def obey(producer: Told) -> None:
    is_open = False
    for line in sys.stdin:
        word, *rest = line.split()
        try:
            if word == "send":
                if not is_open:
                    producer.begin()
                    is_open = True
                producer.send(rest[0].encode())
            else:
                is_open = False
                producer.commit() if word == "commit" else producer.abort()
        except Exception as error:  # noqa: BLE001 - whatever a client raises is its answer
            print("refused", type(error).__name__, str(error).replace("\n", " "), flush=True)
        else:
            print("done", flush=True)


if __name__ == "__main__":
    kind, address, topic, transactional_id, timeout_ms = sys.argv[1:]
    made = KINDS[kind](Wish(address, topic, transactional_id, int(timeout_ms)))
    print("ready", flush=True)
    obey(made)
