"""--bootstrap-controller: tools that ask a controller listener instead of a broker (KIP-919)."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.broker_process import BrokerProcess
from tests.support.cli_run import RunCli, runner
from tests.support.ports import free_port


@pytest.fixture(scope="module")
def controller_address() -> str:
    return f"127.0.0.1:{free_port()}"


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory, controller_address: str) -> Iterator[BrokerProcess]:
    process = BrokerProcess(
        tmp_path_factory.mktemp("node"),
        listeners=f"PLAINTEXT://127.0.0.1:{{port}},CONTROLLER://{controller_address}",
        controller_listener_names="CONTROLLER",
        listener_security_protocol_map="CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
    ).start()
    yield process
    process.stop()


@pytest.fixture
def cli(node: BrokerProcess, capsys: pytest.CaptureFixture[str]) -> RunCli:
    return runner(node.address, capsys)


def at(address: str, *words: str) -> list[str]:
    return [*words, "--bootstrap-controller", address]


def test_controllers_are_listed_as_such(cli: RunCli, controller_address: str) -> None:
    found = cli(*at(controller_address, "cluster", "list-endpoints"), connected=False)

    host, port = controller_address.split(":")
    assert [line.split() for line in found.lines] == [
        ["ID", "HOST", "PORT", "RACK", "ENDPOINT_TYPE"],
        ["1", host, port, "null", "controller"],
    ]


@pytest.mark.parametrize(
    "words",
    [
        ["cluster", "cluster-id"],
        ["configs", "--describe", "--entity-type", "brokers", "--entity-default"],
        ["reassign-partitions", "--list"],
    ],
    ids=lambda words: words[0],
)
def test_a_controller_gives_what_a_broker_gives(cli: RunCli, controller_address: str, words: list[str]) -> None:
    expected = cli(*words)

    found = cli(*at(controller_address, *words), connected=False)

    assert (found.code, found.out) == (0, expected.out)


@pytest.mark.parametrize("words", [["features", "describe"], ["metadata-quorum", "describe", "--status"]])
def test_groups_of_commands_take_it_before_the_name_of_the_command(
    cli: RunCli, controller_address: str, words: list[str]
) -> None:
    tool, *rest = words

    found = cli(tool, "--bootstrap-controller", controller_address, *rest, connected=False)

    assert found.code == 0
    assert "Feature: metadata.version" in found.out or "LeaderId:               1\n" in found.out


def test_a_broker_is_not_asked_as_a_controller(cli: RunCli, node: BrokerProcess) -> None:
    found = cli(*at(node.address, "cluster", "cluster-id"), connected=False)

    assert found.code == 1
    error, hint = found.err.splitlines()
    assert "an endpoint of type BROKER, but we wanted an endpoint of type CONTROLLER" in error
    assert hint.startswith("hint: --bootstrap-controller takes a listener of controller.listener.names")


def test_brokers_and_controllers_exclude_each_other(cli: RunCli, controller_address: str) -> None:
    found = cli(*at(controller_address, "cluster", "cluster-id"))

    assert found.code == 1
    assert "You cannot specify both --bootstrap-controller and --bootstrap-server." in found.err


def test_an_unreachable_controller_is_one_line_with_a_hint(cli: RunCli) -> None:
    found = cli(*at("127.0.0.1:1", "cluster", "cluster-id"), connected=False)

    assert found.code == 1
    error, hint = found.err.splitlines()
    assert error.startswith("error: no broker reachable at 127.0.0.1:1: ")
    assert hint.startswith("hint: ")


def test_servers_of_a_file_are_not_used_with_controllers(cli: RunCli, controller_address: str, tmp_path: Path) -> None:
    file = tmp_path / "client.properties"
    file.write_text("bootstrap.servers=127.0.0.1:1\n")

    words = ["cluster", "cluster-id", "--command-config", str(file)]

    assert cli(*at(controller_address, *words), connected=False).code == 0
