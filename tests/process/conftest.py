"""Brokers of their own for each test: these are killed, starved and insulted."""

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.broker_process import BrokerProcess


@pytest.fixture
def start_broker(tmp_path: Path) -> Iterator[Callable[..., BrokerProcess]]:
    started: list[BrokerProcess] = []

    def start(**properties: str) -> BrokerProcess:
        directory = tmp_path / f"node{len(started)}"
        directory.mkdir()
        process = BrokerProcess(directory, **properties)
        started.append(process)
        return process.start()

    yield start
    for process in started:
        if process.is_running():
            process.kill()


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
