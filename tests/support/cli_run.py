"""Runs `ottla` in this process against a broker of the testing kit; what it printed, with ids and times made equal."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import pytest

from ottla.cli.main import main
from ottla.client import Admin, OffsetAndMetadata, Producer, TopicPartition
from ottla.testing import Broker


class Finished(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


#: A command, then its words; the bootstrap server is added.
RunCli = Callable[..., Finished]


def runner(address: str, capsys: pytest.CaptureFixture[str]) -> RunCli:
    def run(*words: str, connected: bool = True) -> Finished:
        capsys.readouterr()
        before = ["-b", address] if connected else []
        code = main([*before, *words])
        found = capsys.readouterr()
        return Finished(code, found.out, found.err)

    return run


@contextmanager
def broker_with_orders(group: str, **other_topics: int) -> Iterator[Broker]:
    """Topic `orders` with two partitions of ten records each; `group` has committed offset 4 of both."""
    with Broker(topics={"orders": 2, **other_topics}) as broker:
        with Producer(bootstrap_servers=broker.bootstrap) as producer:
            for number in range(20):
                producer.send("orders", b"x", partition=number % 2)
        with Admin(bootstrap_servers=broker.bootstrap) as admin:
            admin.alter_group_offsets(group, {TopicPartition("orders", n): OffsetAndMetadata(4) for n in (0, 1)})
        yield broker


def masked(text: str) -> str:
    """Topic ids, timestamps and addresses replaced, for comparison with a golden text."""
    text = re.sub(r"TopicId: \S{22}", "TopicId: ID", text)
    text = re.sub(r"127\.0\.0\.1:\d+", "HOST:PORT", text)
    return re.sub(r"\b1[6-9]\d{11}\b", "TIME", text)
