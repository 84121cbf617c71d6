"""What lies in deploy/ is right: the service unit, and the health check of the container."""

import json
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.broker_process import BrokerProcess

StartBroker = Callable[..., BrokerProcess]
DEPLOY = Path(__file__).parents[2] / "deploy"


def test_systemd_understands_the_service_unit(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    unit = tmp_path / "ottla.service"
    # The program is not installed where tests run; everything else is checked as it is.
    unit.write_text(
        re.sub(r"^ExecStart=.*$", "ExecStart=/bin/true", (DEPLOY / "ottla.service").read_text(), flags=re.M)
    )

    done = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def health(port: int) -> int:
    """The exit code of the container's health check, asked of this port."""
    text = (DEPLOY / "Containerfile").read_text().replace("\\\n", "")
    command = re.search(r"HEALTHCHECK .*? CMD (\[.*?\])\n", text)
    assert command is not None
    program = json.loads(command[1])[2].replace("9092", str(port))
    return subprocess.run([sys.executable, "-c", program], capture_output=True, check=False).returncode


def test_the_health_check_is_about_answers(start_broker: StartBroker) -> None:
    broker = start_broker()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        assert health(silent.getsockname()[1]) != 0
    assert health(broker.port) == 0
    broker.stop()
    assert health(broker.port) != 0
