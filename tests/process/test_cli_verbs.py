"""Our own verbs on a broker: output, exit codes, hints."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from ottla.cli.commands import COMMANDS, KAFKA
from ottla.testing import Broker
from tests.support.cli_run import RunCli, broker_with_orders, runner


@pytest.fixture(scope="module")
def broker() -> Iterator[Broker]:
    with broker_with_orders("slow") as broker:
        yield broker


@pytest.fixture
def cli(broker: Broker, capsys: pytest.CaptureFixture[str]) -> RunCli:
    return runner(broker.bootstrap, capsys)


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Profiles and caches of a test are its own."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    return tmp_path


def test_topics_are_created_listed_described_and_deleted(cli: RunCli) -> None:
    assert cli("topic", "create", "shop", "-p", "2", "-c", "retention.ms=1000").lines == [
        "TOPIC  ACTION",
        "shop   created",
    ]
    assert cli("topic", "list").lines == [
        "TOPIC   PARTITIONS  REPLICAS  RECORDS",
        "orders           2         1       20",
        "shop             2         1        0",
    ]
    assert cli("topic", "describe", "orders").lines[1].split() == ["0", "1", "1", "1", "0", "10"]
    assert cli("topic", "offsets", "orders").lines[1].split() == ["orders", "0", "0", "10"]
    assert cli("topic", "create", "shop").code == 1
    assert cli("topic", "create", "shop", "--if-not-exists").code == 0
    assert cli("topic", "delete", "shop").code == 2
    assert cli("topic", "delete", "shop", "--dry-run").lines[1] == "shop   would be deleted"
    assert cli("topic", "delete", "shop", "--yes").lines[1] == "shop   deleted"


def test_settings_of_a_topic_are_changed_and_taken_back(cli: RunCli) -> None:
    assert "retention.ms" in cli("topic", "config", "orders", "retention.ms=99999").out
    assert "retention.ms" not in cli("topic", "config", "orders", "retention.ms=").out
    assert cli("topic", "config", "orders", "nonsense=1").code == 1


def test_a_wrong_name_gets_the_nearest_one_as_a_hint(cli: RunCli) -> None:
    assert cli("topic", "describe", "ordres") == (
        *(3, "", "error: topic 'ordres' not found\nhint: did you mean 'orders'?\n"),
    )
    assert cli("group", "describe", "slov").err == "error: group 'slov' not found\nhint: did you mean 'slow'?\n"


def test_a_group_is_moved_only_with_apply(cli: RunCli) -> None:
    assert cli("group", "list").lines == ["GROUP  STATE  MEMBERS  LAG", "slow   Empty        0   12"]
    shown = cli("group", "seek", "slow", "--to", "+2")
    assert shown.lines[1].split() == ["orders", "0", "4", "6"]
    assert shown.err == "nothing was changed; --apply does it\n"
    assert cli("lag", "slow").lines[1].split()[3] == "12"
    cli("group", "seek", "slow", "--to", "+2", "--apply")
    assert cli("lag", "slow").lines[1].split()[3] == "8"
    cli("group", "seek", "slow", "--to", "4", "--apply")
    assert cli("group", "seek", "slow", "--to", "soon").code == 2


def test_lag_fails_above_a_limit(cli: RunCli) -> None:
    assert cli("lag", "--fail-above", "12").code == 0
    above = cli("lag", "--fail-above", "11")
    assert (above.code, above.err) == (1, "group slow is 12 records behind, more than 11\n")


def test_health_and_doctor_show_each_check(cli: RunCli) -> None:
    assert [line.split()[1] for line in cli("health", "--wait", "1s").lines[1:]] == ["ok"] * 4
    assert [row["status"] for row in json.loads(cli("doctor", "-o", "json").out)["items"]] == ["ok"] * 7
    broken = cli("doctor", "127.0.0.1:1")
    assert broken.code == 1
    assert broken.lines[-1].split()[:3] == ["tcp", "127.0.0.1:1", "failed"]
    assert "listeners" in broken.err
    assert cli("health", "--wait", "0.3s", "-b", "127.0.0.1:1").code == 5


def test_top_shows_nodes_topics_and_groups_once_without_a_terminal(cli: RunCli) -> None:
    out = cli("top").out

    assert "controller" in out
    assert "RECORDS-PER-SECOND" in out
    assert "slow" in out


def test_partitions_are_listed_moved_and_elected(cli: RunCli) -> None:
    assert cli("partition", "list", "orders").lines[1].split() == ["orders", "0", "1", "1", "1"]
    assert cli("partition", "move", "--balance").lines == ["TOPIC  PARTITION  FROM-REPLICAS  TO-REPLICAS"]
    assert "no other broker" in cli("partition", "move", "--drain", "1").err
    assert cli("partition", "elect", "orders").code == 0


def test_a_profile_replaces_the_bootstrap_flag(cli: RunCli, broker: Broker) -> None:
    cli("profile", "create", "here", "-X", "sasl.password=secret", "--use")
    assert "[hidden]" in cli("profile", "show", connected=False).out
    assert "secret" not in cli("profile", "show", connected=False).out
    assert cli("--profile", "nobody", "topic", "list", connected=False).code == 2
    cli("profile", "create", "here")
    assert "orders" in cli("topic", "list", "-o", "name", connected=False).lines
    assert cli("profile", "delete", "here", connected=False).code == 0


def test_wrappers_run_the_tool(cli: RunCli, broker: Broker, tmp_path: Path) -> None:
    cli("link", "--dir", str(tmp_path))

    names = {name for name, entry in COMMANDS.items() if entry.section == KAFKA and not entry.hidden}
    assert {path.name for path in (tmp_path / "bin").iterdir()} == {f"kafka-{name}.sh" for name in names}
    words = [
        str(tmp_path / "bin" / "kafka-get-offsets.sh"),
        "--bootstrap-server",
        broker.bootstrap,
        "--topic",
        "orders",
    ]
    assert subprocess.run(words, capture_output=True, text=True, check=True).stdout == "orders:0:10\norders:1:10\n"


def test_completion_offers_commands_and_live_names(
    cli: RunCli, broker: Broker, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "_ottla_completion" in cli("completion", "bash", connected=False).out
    monkeypatch.setenv("_OTTLA_COMPLETE", "bash_complete")
    monkeypatch.setenv("OTTLA_BOOTSTRAP", broker.bootstrap)
    for words, expected in (
        ("ottla console-pro", "plain,console-producer"),
        ("ottla topics --topic or", "plain,orders"),
    ):
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))
        with pytest.raises(SystemExit):
            cli(connected=False)
        assert capsys.readouterr().out.splitlines() == [expected]


def test_docs_explain_settings_and_errors(cli: RunCli) -> None:
    assert cli("docs", "retention.ms", connected=False).lines[0].startswith("retention.ms (topic setting, default")
    assert cli("docs", "6", connected=False).lines[0] == "NOT_LEADER_OR_FOLLOWER 6 (error, retriable)"
    assert "did you mean 'retention.ms'" in cli("docs", "retension.ms", connected=False).err
