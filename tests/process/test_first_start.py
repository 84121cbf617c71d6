"""What a new user does first: directories by short names, an interrupt during the start, `python -m ottla`."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import ottla
from tests.support.broker_process import BrokerProcess, StartBroker
from tests.support.single_records import send
from tests.support.topics import create_topic
from tests.support.transactional_client import committed_values
from tests.support.waiting import eventually


@pytest.mark.parametrize("directory", ["some/where", "~/some/where", "./some/../some/where"])
def test_a_directory_may_be_relative_or_in_the_home_directory(start_broker: StartBroker, directory: str) -> None:
    broker = start_broker(log_dirs=directory)
    create_topic(broker, "orders")
    assert send(broker, "orders", b"one") is None

    assert broker.stop() == 0

    assert (broker.directory / "some" / "where" / "orders-0").is_dir()
    broker.start()
    assert committed_values(broker, "orders") == [b"one"]


@pytest.mark.parametrize("signal_name", ["SIGTERM", "SIGINT"])
def test_a_signal_ends_a_start_that_hangs(tmp_path: Path, signal_name: str) -> None:
    broker = BrokerProcess(tmp_path)
    broker.log_directory.mkdir()
    # Nobody ever writes to it: opening it waits for ever, as a file on a lost network drive does.
    os.mkfifo(broker.log_directory / "meta.properties")
    broker.launch()
    try:
        eventually(lambda: (broker.log_directory / ".lock").exists(), what="the start has reached the directory")

        assert broker.stop(signal_name) == 0

        assert "stopped before the broker served" in broker.output()
        assert "Traceback" not in broker.output()
    finally:
        if broker.is_running():
            broker.kill()


def test_the_package_runs_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "ottla", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"ottla {ottla.__version__}\n"

    helped = subprocess.run([sys.executable, "-m", "ottla"], capture_output=True, text=True, check=False)
    assert "Usage: ottla" in helped.stderr


def test_a_signal_ends_a_start_that_waits_for_room_on_the_disk(tmp_path: Path, mount: Callable[..., Path]) -> None:
    broker = BrokerProcess(tmp_path, log_dirs=str(mount("small", "size=512k")))
    broker.launch()
    eventually(lambda: "no room to start" in broker.output(), what="the start waits")

    assert broker.stop() == 0

    assert "Traceback" not in broker.output()
