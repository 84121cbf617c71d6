"""Other people's clients against one real broker."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.broker_process import BrokerProcess


@pytest.fixture(scope="session")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrokerProcess]:
    directory: Path = tmp_path_factory.mktemp("broker")
    process = BrokerProcess(directory, num_partitions="4").start()
    yield process
    assert process.is_running(), process.output()
    assert process.stop() == 0, process.output()


@pytest.fixture(scope="session")
def address(broker: BrokerProcess) -> str:
    return broker.address
