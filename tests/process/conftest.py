"""Brokers of their own for each test: these are killed, starved and insulted."""

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
