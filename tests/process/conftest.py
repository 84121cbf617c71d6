"""Brokers of their own for tests that kill, starve and insult them, and one that all tests of a file may ask."""

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.broker_process import BrokerProcess, StartBroker
from tests.support.ports import free_port
from tests.support.tcp_proxy import TcpProxy
from tests.support.wire import Wire


@pytest.fixture
def start_broker(tmp_path: Path) -> Iterator[StartBroker]:
    started: list[BrokerProcess] = []

    def start(*, open_files: int | None = None, **properties: str) -> BrokerProcess:
        directory = tmp_path / f"node{len(started)}"
        directory.mkdir()
        process = BrokerProcess(directory, open_files=open_files, **properties)
        started.append(process)
        return process.start()

    yield start
    for process in started:
        if process.is_running():
            process.kill()


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrokerProcess]:
    """One for all tests of a file, which leave each other alone. A file that needs another one has its own fixture."""
    process = BrokerProcess(tmp_path_factory.mktemp("node")).start()
    yield process
    process.stop()
    assert "Traceback" not in process.output()


@pytest.fixture
def proxied(start_broker: StartBroker) -> Iterator[tuple[TcpProxy, BrokerProcess]]:
    """A broker that tells clients to come through a proxy."""
    port = free_port()
    broker = start_broker(advertised_listeners=f"PLAINTEXT://127.0.0.1:{port}")
    proxy = TcpProxy(port, broker.port)
    yield proxy, broker
    proxy.close()


@pytest.fixture
def wire(broker: BrokerProcess) -> Iterator[Wire]:
    with Wire(broker) as connection:
        yield connection


@pytest.fixture
def mount(tmp_path: Path) -> Iterator[Callable[..., Path]]:
    """Small file systems of the test's own, where the machine lets us have them."""
    mounted: list[Path] = []

    def make(name: str, options: str) -> Path:
        place = tmp_path / name
        place.mkdir()
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)], capture_output=True, text=True, check=False
        )
        if done.returncode:
            pytest.skip(f"a small file system cannot be mounted here: {done.stderr.strip()}")
        mounted.append(place)
        return place

    if os.getuid() != 0:
        pytest.skip("a small file system cannot be mounted here: not root")
    yield make
    for place in mounted:
        subprocess.run(["umount", "--lazy", str(place)], check=True)
