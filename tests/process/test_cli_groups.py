"""Golden output of `ottla consumer-groups` on a broker."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from ottla.client import Consumer
from ottla.testing import Broker
from tests.support.cli_run import RunCli, broker_with_orders, runner


@pytest.fixture(scope="module")
def broker() -> Iterator[Broker]:
    with broker_with_orders("idle", other=1) as broker:
        yield broker


@pytest.fixture
def cli(broker: Broker, capsys: pytest.CaptureFixture[str]) -> RunCli:
    return runner(broker.bootstrap, capsys)


@pytest.fixture
def member(broker: Broker) -> Iterator[Consumer]:
    settings = {"group_id": "busy", "auto_offset_reset": "earliest", "client_id": "me", "group_protocol": "consumer"}
    with Consumer(bootstrap_servers=broker.bootstrap, **settings) as consumer:
        consumer.subscribe(["orders"])
        while not consumer.poll(timeout_ms=200):
            pass
        yield consumer


def test_a_group_without_members_shows_offsets_and_lag(cli: RunCli) -> None:
    found = cli("consumer-groups", "--describe", "--group", "idle")

    assert found.err == "\nConsumer group 'idle' has no active members.\n"
    assert found.lines == [
        "",
        "GROUP           TOPIC           PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG             CONSUMER-ID     "
        "HOST            CLIENT-ID",
        "idle            orders          0          4               10              6               -               "
        "-               -",
        "idle            orders          1          4               10              6               -               "
        "-               -",
    ]


def test_members_and_state_of_a_group(cli: RunCli, member: Consumer) -> None:
    members = cli("consumer-groups", "--describe", "--group", "busy", "--members", "--verbose").lines
    assert members[1].split() == [
        *("GROUP", "CONSUMER-ID", "HOST", "CLIENT-ID", "#PARTITIONS", "CURRENT-EPOCH", "CURRENT-ASSIGNMENT"),
        *("TARGET-EPOCH", "TARGET-ASSIGNMENT"),
    ]
    assert members[2].split()[2:5] == ["/127.0.0.1", "me", "2"]
    assert members[2].split()[6] == "orders:0,1"

    state = cli("consumer-groups", "--describe", "--group", "busy", "--state").lines
    assert state[1].startswith(
        "GROUP           COORDINATOR (ID)          ASSIGNMENT-STRATEGY  STATE                #MEM"
    )
    assert state[2].split()[-2:] == ["Stable", "1"]
    active = cli("consumer-groups", "--reset-offsets", "--group", "busy", "--topic", "orders", "--to-latest")
    assert active.code == 1
    assert "is inactive, but the current state is Stable." in active.err
    assert cli("consumer-groups", "--delete", "--group", "busy").code == 1


def test_groups_are_listed_with_types_and_states(cli: RunCli) -> None:
    assert "idle" in cli("consumer-groups", "--list").lines
    assert "idle                      Empty               " in cli("consumer-groups", "--list", "--state").lines
    assert "idle                      Classic             " in cli("consumer-groups", "--list", "--type").lines
    assert "idle" not in cli("consumer-groups", "--list", "--state", "stable").out
    assert "Invalid state" in cli("consumer-groups", "--list", "--state", "tired").err


RESETS = [
    (["--to-earliest"], 0),
    (["--to-latest"], 10),
    (["--to-current"], 4),
    (["--to-offset", "7"], 7),
    (["--to-offset", "99"], 10),
    (["--shift-by", "-3"], 1),
    (["--shift-by", "-30"], 0),
    (["--to-datetime", "2020-01-01T00:00:00.000"], 0),
    (["--to-datetime", "2090-01-01T00:00:00.000+02:00"], 10),
    (["--by-duration", "P1D"], 0),
]


@pytest.mark.parametrize(
    ("rule", "offset"), RESETS, ids=lambda value: " ".join(value) if isinstance(value, list) else ""
)
def test_new_offsets_follow_the_rule_and_stay_in_the_log(cli: RunCli, rule: list[str], offset: int) -> None:
    words = ["consumer-groups", "--reset-offsets", "--group", "idle", "--topic", "orders:1", "--dry-run"]

    assert cli(*words, *rule).lines == [
        "",
        "GROUP           TOPIC           PARTITION  NEW-OFFSET",
        f"idle            orders          1          {offset}",
    ]


def test_offsets_are_exported_imported_and_executed(cli: RunCli, tmp_path: Path) -> None:
    words = ["consumer-groups", "--reset-offsets", "--group", "copied"]
    exported = cli(*words[:3], "idle", "--all-topics", "--to-current", "--export")
    assert exported.out == "orders,0,4\norders,1,4\n\n"
    plan = tmp_path / "plan.csv"
    plan.write_text(exported.out)

    assert cli(*words, "--from-file", str(plan), "--execute").code == 0

    items = json.loads(cli("consumer-groups", "--describe", "--group", "copied", "-o", "json").out)["items"]
    assert [(item["partition"], item["current_offset"], item["lag"]) for item in items] == [(0, 4, 6), (1, 4, 6)]
    deleted = cli("consumer-groups", "--delete-offsets", "--group", "copied", "--topic", "orders:0")
    assert deleted.lines == [
        "Request succeeded for deleting offsets from group copied.",
        "",
        "TOPIC           PARTITION  STATUS         ",
        "orders          0          Successful     ",
    ]
    gone = cli("consumer-groups", "--delete", "--group", "copied")
    assert gone.out == "Deletion of requested consumer groups ('copied') was successful.\n"


def test_mistakes_are_one_line_with_exit_code_1(cli: RunCli, tmp_path: Path) -> None:
    assert cli("consumer-groups", "--describe", "--group", "nix") == (
        *(1, "", "Error: Consumer group 'nix' does not exist.\n"),
    )
    reset = ["consumer-groups", "--reset-offsets", "--group", "idle"]
    assert "exactly one of" in cli(*reset, "--topic", "orders").err
    assert "did you mean 'orders'" in cli(*reset, "--topic", "ordres", "--to-latest").err
    assert "has no partition 7" in cli(*reset, "--topic", "orders:7", "--to-latest").err
    assert "is not a duration" in cli(*reset, "--topic", "orders", "--by-duration", "1h").err
    assert "No such file" in cli(*reset, "--from-file", str(tmp_path / "none")).err
    (tmp_path / "bad.csv").write_text("orders,zero,0\n")
    assert "must be [group,]topic,partition,offset" in cli(*reset, "--from-file", str(tmp_path / "bad.csv")).err
    assert cli("consumer-groups", "--validate-regex", "a(").code == 1
    assert cli("consumer-groups", "--validate-regex", "a.*").code == 0
