"""Brokers that were stopped leave nothing behind. `make testing-kit-soak` runs this with 1,000 of them."""

import gc
import os
import threading
import tracemalloc
from asyncio import Task
from pathlib import Path

import pytest

from ottla.testing import Broker

ROUNDS = int(os.environ.get("OTTLA_TESTING_KIT_ROUNDS", "20"))
#: Of each broker: counters of the interpreter and caches grow a little; a broker that stays is a megabyte.
MAX_BYTES_EACH = 4 * 1024


def use_a_broker() -> None:
    with Broker(topics=["t"]) as broker:
        broker.send("t", "x")
        broker.read("t", n=1)
        broker.clock.advance(hours=1)
        broker.delay("Produce", 3600)


def sockets() -> int:
    links = (Path(f"/proc/self/fd/{name}") for name in os.listdir("/proc/self/fd"))
    return sum(os.readlink(link).startswith("socket:") for link in links if link.is_symlink())


def tasks() -> int:
    return sum(isinstance(each, Task) for each in gc.get_objects())


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts sockets in /proc")
@pytest.mark.timeout(1800)
def test_starts_and_stops_leak_no_thread_socket_task_or_memory() -> None:
    for _ in range(3):
        use_a_broker()
    gc.collect()
    before = (threading.active_count(), sockets(), tasks())
    tracemalloc.start()
    try:
        for _ in range(3):
            use_a_broker()
        gc.collect()
        bytes_before = tracemalloc.get_traced_memory()[0]
        for _ in range(ROUNDS):
            use_a_broker()
        gc.collect()
        bytes_after = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()

    assert (threading.active_count(), sockets(), tasks()) == before
    assert (bytes_after - bytes_before) / ROUNDS < MAX_BYTES_EACH
