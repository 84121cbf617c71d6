"""The frame of all commands: options, old spellings, connections, formats, failures."""

import json
from pathlib import Path
from typing import NamedTuple

import click
import pytest

from ottla.cli.connection import Flags, resolve
from ottla.cli.failures import Failure, failure_of, not_found
from ottla.cli.old_flags import BROKER_LIST, OldFlag, renamed, with_new_spellings, without_effect
from ottla.cli.progress import progress_line
from ottla.cli.results import Result, Timestamp, render
from ottla.cli.run import Run
from ottla.client.errors import refusal
from ottla.config.admin_options import AdminOptions


class Row(NamedTuple):
    topic: str
    partitions: int
    created: Timestamp
    note: str | None = None


ROWS = Result("topics", [Row("orders", 3, Timestamp(0)), Row("a", 12, Timestamp(-1), "x")], ("topic", "partitions"))


def test_a_table_has_titles_and_numbers_to_the_right() -> None:
    assert render(ROWS, None) == "TOPIC   PARTITIONS\norders           3\na               12\n"


def test_json_has_a_kind_items_times_and_null() -> None:
    document = json.loads(render(ROWS, "json"))

    assert document["kind"] == "topics"
    assert document["items"][0] == {
        "topic": "orders",
        "partitions": 3,
        "created": "1970-01-01T00:00:00.000Z",
        "note": None,
    }


def test_yaml_jsonl_and_name_have_the_same_items() -> None:
    assert render(ROWS, "name") == "orders\na\n"
    assert [json.loads(line)["topic"] for line in render(ROWS, "jsonl").splitlines()] == ["orders", "a"]
    assert render(ROWS, "yaml").startswith('kind: "topics"\nitems:\n  - topic: "orders"\n    partitions: 3\n')


def test_text_of_a_kafka_tool_is_printed_unless_a_format_is_asked_for() -> None:
    result = ROWS._replace(text="orders:0:1")

    assert render(result, None) == "orders:0:1\n"
    assert json.loads(render(result, "json"))["kind"] == "topics"


COMMAND = click.Context(click.Command("x", params=[click.Option(["--bootstrap-server"]), click.Option(["--topic"])]))


def test_old_spellings_are_replaced_with_one_warning(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--broker-list", "a:1", "--topic", "--broker-list", "--broker-list=b:2"]

    assert with_new_spellings(COMMAND, words, BROKER_LIST, ()) == [
        *("--bootstrap-server", "a:1", "--topic", "--broker-list", "--bootstrap-server=b:2")
    ]
    assert capsys.readouterr().err == "warning: --broker-list is an old spelling; use --bootstrap-server\n"


def test_flags_without_effect_are_dropped_with_their_value() -> None:
    old: list[OldFlag] = [without_effect("--threads"), without_effect("--force", takes_value=False)]

    assert with_new_spellings(COMMAND, ["--threads", "12", "--force", "--topic", "t"], old, ()) == ["--topic", "t"]


def test_removed_flags_name_the_new_one() -> None:
    with pytest.raises(click.UsageError, match=r"--zookeeper.*--bootstrap-server"):
        with_new_spellings(COMMAND, ["--zookeeper", "z:2181"], (), ())


def test_an_option_can_take_many_values() -> None:
    old = [renamed("--producer-props", "--command-property")]
    words = ["--producer-props", "acks=1", "linger.ms=5", "--topic", "t"]

    assert with_new_spellings(COMMAND, words, old, ("--command-property",)) == [
        *("--command-property", "acks=1", "--command-property", "linger.ms=5", "--topic", "t")
    ]


def test_the_strongest_source_names_the_servers(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    home = {"HOME": str(tmp_path / "home")}
    assert resolve(Flags(), home, tmp_path).servers == "localhost:9092"

    (tmp_path / "home" / ".config" / "ottla").mkdir(parents=True)
    (tmp_path / "home" / ".config" / "ottla" / "config.toml").write_text(
        'profile = "p"\n[profiles.p]\n"bootstrap.servers" = "user:1"\n"sasl.username" = "u"\n'
    )
    assert resolve(Flags(), home, tmp_path).properties == {"bootstrap.servers": "user:1", "sasl.username": "u"}

    (tmp_path / "pyproject.toml").write_text('[tool.ottla]\nbootstrap = "project:1"\n')
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    assert resolve(Flags(), home, inner).properties == {"bootstrap.servers": "project:1"}

    environment = {**home, "KAFKA_BOOTSTRAP_SERVERS": "environment:1"}
    assert resolve(Flags(), environment, inner).servers == "environment:1"
    assert resolve(Flags(profile="p"), environment, inner).servers == "user:1"
    assert resolve(Flags(bootstrap="flag:1", profile="p"), environment, inner).properties == {
        "bootstrap.servers": "flag:1",
        "sasl.username": "u",
    }


def test_a_password_of_a_file_is_not_used_for_servers_of_a_flag(tmp_path: Path) -> None:
    (tmp_path / "ottla.toml").write_text('bootstrap = "project:1"\n[client]\n"sasl.password" = "secret"\n')

    assert resolve(Flags(bootstrap="flag:1"), {}, tmp_path).properties == {"bootstrap.servers": "flag:1"}


def test_java_properties_and_single_properties_are_joined(tmp_path: Path) -> None:
    file = tmp_path / "client.properties"
    file.write_text("bootstrap.servers=file:1\nclient.id=f\n")

    flags = Flags(config_files=(str(file),), properties=("client.id=x",))
    assert resolve(flags, {}, tmp_path).properties == {"bootstrap.servers": "file:1", "client.id": "x"}
    with pytest.raises(Failure, match="No such file"):
        resolve(Flags(config_files=("/nowhere",)), {}, tmp_path)
    with pytest.raises(Failure, match="there is no profile"):
        resolve(Flags(profile="nobody"), {"HOME": str(tmp_path)}, tmp_path)


def test_failures_have_exit_codes_and_hints() -> None:
    assert failure_of(refusal(3, "topic x")).code == 3
    assert failure_of(refusal(29, "t")).code == 4
    assert failure_of(ConnectionRefusedError(111, "Connection refused")).message == "Connection refused"
    assert not_found("topic", "ordres", ["orders"]).hint == "did you mean 'orders'?"


def test_progress_shows_share_rate_and_time_left() -> None:
    assert progress_line("copy", 50, 100, 5.0, "records", False) == "copy  50%  50/100 records, 10/s, 5 s left"
    assert progress_line("copy", 50, None, 5.0, "records", True) == "copy  50 records, 10/s"


def test_one_file_serves_all_tools(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "client.properties"
    file.write_text("bootstrap.servers=file:1\nacks=all\nmy.own=1\nrequest.timeout.ms=5000\n")
    run = Run(Flags(config_files=(str(file),)), environment={})

    assert run.settings(AdminOptions, client_id="x") == {
        "client.id": "x",
        "bootstrap.servers": "file:1",
        "request.timeout.ms": "5000",
    }
    assert capsys.readouterr().err == "warning: my.own is not a property of a client; it has no effect\n"
