"""Work for a cluster whose nodes come and go: producers that send and groups that read, each in a thread of its own."""

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from ottla.client import ClientError, Consumer, Producer, ProducerFenced

PARTITIONS = 6


class Repeated(threading.Thread):
    """Does its work again and again until `finish`, which raises what the work has raised."""

    def __init__(self, work: Callable[[], None]) -> None:
        super().__init__(daemon=True)
        self._work = work
        self._stopping = threading.Event()
        self._failure: BaseException | None = None
        self.start()

    def run(self) -> None:
        try:
            while not self._stopping.is_set():
                self._work()
        except BaseException as error:  # noqa: BLE001  raised again by finish()
            self._failure = error

    def finish(self) -> None:
        self._stopping.set()
        self.join(120)
        if self._failure is not None:
            raise self._failure


class Sent:
    """What was sent to each partition of a topic: numbers that count up."""

    def __init__(self, topic: str) -> None:
        self.topic = topic
        self.values: dict[int, list[bytes]] = {number: [] for number in range(PARTITIONS)}

    def send(self, producer: Producer) -> None:
        """One record per partition."""
        for partition in range(PARTITIONS):
            value = b"%d" % len(self.values[partition])
            producer.send(self.topic, value, partition=partition)
            self.values[partition].append(value)
        producer.flush()

    def count(self) -> int:
        return len(self.values[0])


class Committed:
    """Transactions over all partitions of a topic; `values` has those that were committed."""

    def __init__(self, topic: str) -> None:
        self.topic = topic
        self.values: list[bytes] = []

    def transfer(self, producer: Producer) -> None:
        value = b"%d" % (len(self.values) + 1)
        try:
            with producer.transaction():
                for partition in range(PARTITIONS):
                    producer.send(self.topic, value, partition=partition)
            self.values.append(value)
        except ProducerFenced:
            raise
        except ClientError:
            pass  # aborted: the number is used again

    def count(self) -> int:
        return len(self.values)


class Group:
    """Members of one group that read a topic; `seen` has the values of each partition in the order of delivery."""

    def __init__(self, address: str, group: str, topic: str, member_count: int, **settings: Any) -> None:
        self.seen: dict[int, list[bytes]] = {number: [] for number in range(PARTITIONS)}
        self._members = [
            Consumer(
                bootstrap_servers=address,
                group_id=group,
                topics=[topic],
                auto_offset_reset="earliest",
                request_timeout_ms=5000,
                **settings,
            )
            for _ in range(member_count)
        ]
        self._threads = [Repeated(partial(self._read, member)) for member in self._members]

    def _read(self, member: Consumer) -> None:
        for record in member.poll(timeout_ms=200):
            assert record.value is not None
            self.seen[record.partition].append(record.value)

    def count(self) -> int:
        return len(self.seen[0])

    def has_all(self, sent: Sent) -> bool:
        return all(set(self.seen[number]) == set(values) for number, values in sent.values.items())

    def first_sights(self) -> dict[int, list[bytes]]:
        """Without those that a new owner read once more: what was not committed when it took over."""
        return {number: list(dict.fromkeys(values)) for number, values in self.seen.items()}

    def health(self) -> str:
        return "\n".join(str(member.health()) for member in self._members)

    def close(self) -> None:
        """Leaves the group, with commits."""
        for thread in self._threads:
            thread.finish()
        for member in self._members:
            member.close()
