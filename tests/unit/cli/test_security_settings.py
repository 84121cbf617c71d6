"""Settings that Kafka acts on and Ottla does not yet: refused, or reported, never silently dropped."""

from pathlib import Path

import pytest

from ottla.cli.main import main
from ottla.cli.settings import Sources, load
from ottla.cli.start_warnings import start_warnings
from ottla.model.errors import InvalidConfig

AUTHORIZER = "authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer"


def a_file(directory: Path, *lines: str, listeners: str = "PLAINTEXT://127.0.0.1:0") -> Path:
    path = directory / "server.properties"
    path.write_text("\n".join([f"listeners={listeners}", f"log.dirs={directory / 'data'}", *lines, ""]))
    path.chmod(0o600)
    return path


def problems(file: Path) -> list[str]:
    with pytest.raises(InvalidConfig) as caught:
        load(Sources(file=file), {})
    return caught.value.problems


def warnings(file: Path, *, insecure: bool = False) -> list[str]:
    return start_warnings(load(Sources(file=file, insecure=insecure), {}), {})


@pytest.mark.parametrize("setting", [AUTHORIZER, "super.users=User:admin", "principal.builder.class=com.example.Own"])
def test_access_control_is_refused_with_file_and_line(tmp_path: Path, setting: str) -> None:
    file = a_file(tmp_path, "node.id=1", setting)

    (problem,) = problems(file)

    assert problem.startswith(f"{file}:4: {setting}: access control is not supported yet")
    assert "--ignore-security-settings" in problem


@pytest.mark.parametrize("protocol", ["SSL", "SASL_PLAINTEXT", "SASL_SSL"])
def test_a_listener_with_tls_or_sasl_is_refused_with_file_and_line(tmp_path: Path, protocol: str) -> None:
    file = a_file(tmp_path, listeners=f"{protocol}://127.0.0.1:0")

    (problem,) = problems(file)

    assert problem.startswith(f"{file}:1: listeners: {protocol}://127.0.0.1:0 needs {protocol}, which is not supported")


def test_ignored_security_settings_start_with_a_warning_each(tmp_path: Path) -> None:
    file = a_file(tmp_path, AUTHORIZER, "super.users=User:admin", listeners="SSL://127.0.0.1:0")

    start = load(Sources(file=file, ignore_security_settings=True), {})
    found = start_warnings(start, {})

    assert [listener.protocol.value for listener in start.plan.listeners] == ["PLAINTEXT"]
    assert [warning.partition(": ")[2].split(";")[0] for warning in found] == [
        f"IGNORED: {AUTHORIZER}",
        "IGNORED: super.users=User:admin",
        "IGNORED: listeners: SSL://127.0.0.1:0 is served as PLAINTEXT, without SSL",
    ]


def test_an_ignored_listener_that_is_open_still_needs_the_insecure_flag(tmp_path: Path) -> None:
    file = a_file(tmp_path, "ottla.ignore.security.settings=true", listeners="SASL_SSL://:0")

    (problem,) = problems(file)

    assert "without TLS and login" in problem


def test_tls_and_sasl_settings_that_no_listener_uses_only_warn(tmp_path: Path) -> None:
    file = a_file(tmp_path, "ssl.keystore.type=PEM", "listener.name.plaintext.sasl.enabled.mechanisms=PLAIN")

    (warning,) = warnings(file)

    assert warning == (
        f"{file}:4, {file}:3: no listener uses TLS or SASL; without effect: "
        "listener.name.plaintext.sasl.enabled.mechanisms, ssl.keystore.type"
    )


def test_a_replication_factor_that_one_node_cannot_have_warns(tmp_path: Path) -> None:
    file = a_file(tmp_path, "default.replication.factor=3")

    (warning,) = warnings(file)

    assert warning.startswith(f"{file}:3: default.replication.factor=3: there is one node")


def test_an_open_listener_that_advertises_localhost_warns(tmp_path: Path) -> None:
    file = a_file(tmp_path, "advertised.listeners=PLAINTEXT://localhost:9092", listeners="PLAINTEXT://:0")

    insecure, advertised = warnings(file, insecure=True)

    assert insecure == "INSECURE: listener PLAINTEXT can be reached by other machines without TLS or login"
    assert advertised.startswith(f"{file}:3: listener PLAINTEXT://:0 is open to other machines, but")


def test_a_misspelt_variable_warns(tmp_path: Path) -> None:
    start = load(Sources(file=a_file(tmp_path)), {})

    (warning,) = start_warnings(start, {"OTTLA_LOG_LEVLE": "debug"})

    assert warning.endswith("did you mean OTTLA_LOG_LEVEL?")


def test_check_accepts_a_good_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = a_file(tmp_path, "default.replication.factor=2")

    assert main(["check", str(file)]) == 0

    out, err = capsys.readouterr()
    assert out == f"{file}: ok\n"
    assert err.startswith(f"warning: {file}:3: default.replication.factor=2")
    assert not (tmp_path / "data").exists()


def test_check_lists_every_problem_with_file_and_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = a_file(tmp_path, "num.partitions=many", AUTHORIZER, "ottla.nmae=1")

    assert main(["check", str(file), "--override", "log.segment.bytes=3"]) == 78

    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "error: 4 problems in the configuration, nothing was started"
    assert [line.split(": ")[0] for line in lines[1:]] == [
        f"  - {file}:3",
        "  - --override",
        f"  - {file}:4",
        f"  - {file}:5",
    ]


def test_check_names_the_variable_of_a_bad_value(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KAFKA_NUM_PARTITIONS", "many")

    assert main(["check", str(a_file(tmp_path))]) == 78

    assert "  - KAFKA_NUM_PARTITIONS: Invalid value many for configuration num.partitions" in capsys.readouterr().err
