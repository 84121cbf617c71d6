"""Processes that are killed in the middle of micro-batches: every row is in the topic, and in the files, once."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ottla.client import Admin, NewTopic, Producer, read_topic
from tests.spark.held_copy import ROWS, HeldCopy
from tests.support.broker_process import BrokerProcess
from tests.support.waiting import eventually

#: Long, for busy machines: a driver starts some ten processes.
WAIT_S = 200


@pytest.fixture
def own_broker(tmp_path: Path) -> Iterator[BrokerProcess]:
    (tmp_path / "node").mkdir()
    process = BrokerProcess(tmp_path / "node").start()
    yield process
    process.kill()


@pytest.fixture
def copy(own_broker: BrokerProcess, tmp_path: Path) -> HeldCopy:
    with Admin(bootstrap_servers=own_broker.address) as admin:
        admin.create_topics([NewTopic("source", partitions=2), NewTopic("target", partitions=2)])
    with Producer(bootstrap_servers=own_broker.address) as producer:
        for number in range(ROWS):
            producer.send("source", b"%d" % number, partition=number % 2)
    return HeldCopy(own_broker.address, "source", "target", tmp_path)


@pytest.fixture
def drivers() -> "Iterator[Callable[[HeldCopy], subprocess.Popen[bytes]]]":
    """Starts drivers, each with all of its processes in a session of its own."""
    started: list[subprocess.Popen[bytes]] = []

    def start(copy: HeldCopy) -> "subprocess.Popen[bytes]":
        words = (copy.bootstrap, copy.source, copy.target, str(copy.directory))
        command = [sys.executable, "-m", "tests.spark.held_copy", *words]
        started.append(subprocess.Popen(command, start_new_session=True))
        return started[-1]

    yield start
    for process in started:
        if process.poll() is None:
            kill_driver(process)


def kill_driver(process: "subprocess.Popen[bytes]") -> None:
    """With its JVM and its workers, as when a machine dies."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def assert_copied_once(copy: HeldCopy, spark: Any) -> None:
    table = read_topic(copy.target, columns=["value"], isolation="read_committed", bootstrap_servers=copy.bootstrap)
    assert sorted(int(value) for value in table.column("value").to_pylist()) == list(range(ROWS))
    files = spark.read.parquet(str(copy.lake)).collect()
    assert sorted(int(row.value) for row in files) == list(range(ROWS))


def test_every_row_is_copied_once_although_the_driver_is_killed(
    copy: HeldCopy, drivers: "Callable[[HeldCopy], subprocess.Popen[bytes]]", spark: Any
) -> None:
    first = drivers(copy)
    eventually(copy.is_held, within_s=WAIT_S, what="the second micro-batch of both copies")
    kill_driver(first)
    copy.release()

    assert drivers(copy).wait(WAIT_S) == 0
    assert_copied_once(copy, spark)


def restart(broker: BrokerProcess) -> None:
    broker.kill()
    broker.start()


def kill_workers(broker: BrokerProcess) -> None:
    for pid in python_workers():
        os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("fault", [restart, kill_workers], ids=["broker", "workers"])
def test_a_query_survives_and_copies_every_row_once_although_others_are_killed(
    own_broker: BrokerProcess, copy: HeldCopy, fault: Callable[[BrokerProcess], None], spark: Any
) -> None:
    queries = copy.start(spark)
    eventually(copy.is_held, within_s=WAIT_S, what="the second micro-batch of both copies")
    fault(own_broker)
    copy.release()

    for query in queries:
        assert query.awaitTermination(WAIT_S)
    assert_copied_once(copy, spark)


def python_workers() -> list[int]:
    """The processes that run the Python of tasks, with the daemon that forks them: descendants of this process."""
    parents, workers = {}, []
    for entry in Path("/proc").iterdir():
        try:
            command = (entry / "cmdline").read_bytes().split(b"\0")
            parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
        if b"pyspark.daemon" in command and b"pyspark.worker" in command:
            workers.append(int(entry.name))
    return [pid for pid in workers if os.getpid() in ancestors(pid, parents)]


def ancestors(pid: int, parents: dict[int, int]) -> list[int]:
    found = []
    while pid in parents:
        pid = parents[pid]
        found.append(pid)
    return found
