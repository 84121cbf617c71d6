"""What clients saw: the input of the checkers."""

from typing import NamedTuple

from ottla.model.topic import TopicPartition


class Sent(NamedTuple):
    """A value that was sent. `number` counts a producer's values per partition."""

    producer: str
    partition: TopicPartition
    number: int
    is_idempotent: bool


class Acked(NamedTuple):
    producer: str
    partition: TopicPartition
    base_offset: int
    values: tuple[bytes, ...]
    is_idempotent: bool


class Read(NamedTuple):
    consumer: str
    partition: TopicPartition
    offset: int
    value: bytes


class Finding(NamedTuple):
    """An invariant that did not hold. `kind` is the name of the anomaly."""

    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.text}"


class History:
    def __init__(self) -> None:
        self.sent: dict[bytes, Sent] = {}
        self.acked: list[Acked] = []
        self.reads: list[Read] = []
        #: What workload and checkers found while the run went on.
        self.findings: list[Finding] = []
        #: Everything in the logs at the end, as a reader from offset 0 gets it.
        self.final: dict[TopicPartition, list[Read]] = {}

    def found(self, kind: str, text: str) -> None:
        self.findings.append(Finding(kind, text))
