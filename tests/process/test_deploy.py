"""What lies in deploy/ is right: the service unit, and the health check of the container."""

import json
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from ottla.cli.settings import Sources, load
from ottla.config.listeners import Advertised
from tests.support.broker_process import StartBroker

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


def test_the_service_is_started_again_unless_its_configuration_is_wrong() -> None:
    unit = (DEPLOY / "ottla.service").read_text()

    assert "RestartPreventExitStatus=78\n" in unit
    assert "Restart=on-failure\n" in unit


def test_the_environment_takes_precedence_over_the_defaults_of_the_image() -> None:
    text = (DEPLOY / "Containerfile").read_text()
    command = re.search(r"^CMD (\[.*\])$", text, flags=re.M)
    assert command is not None
    assert json.loads(command[1]) == ["server-start", "/etc/ottla/server.properties"]
    assert "KAFKA_" not in re.sub(r"^#.*$", "", text, flags=re.M), "a variable would take precedence over a file"

    file = DEPLOY / "container.properties"
    plain = load(Sources(file=file), {}, check_ports=False)
    changed = load(
        Sources(file=file),
        {"KAFKA_ADVERTISED_LISTENERS": "PLAINTEXT://kafka.example:19092", "KAFKA_LOG_DIRS": "/data"},
        check_ports=False,
    )

    assert plain.plan.advertised == (Advertised("PLAINTEXT", "localhost", 9092),)
    assert changed.plan.advertised == (Advertised("PLAINTEXT", "kafka.example", 19092),)
    assert changed.options.log_directories == ("/data",)


def test_the_compose_example_sets_names_that_exist() -> None:
    text = (DEPLOY / "compose.yaml").read_text()
    variables = dict(re.findall(r"^ +(KAFKA_[A-Z_]+): (.+)$", text, flags=re.M))

    start = load(Sources(file=DEPLOY / "container.properties"), variables, check_ports=False)

    assert start.options.unknown == {}
    assert [(entry.name, entry.host) for entry in start.plan.advertised] == [("INSIDE", "kafka"), ("HOST", "localhost")]


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
