"""Golden output of `ottla topics`, `configs` and `get-offsets` on a broker."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from ottla.testing import Broker
from tests.support.cli_run import RunCli, masked, runner


@pytest.fixture(scope="module")
def broker() -> Iterator[Broker]:
    with Broker() as broker:
        yield broker


@pytest.fixture
def cli(broker: Broker, capsys: pytest.CaptureFixture[str]) -> RunCli:
    return runner(broker.bootstrap, capsys)


def test_a_topic_is_created_described_altered_and_deleted(cli: RunCli) -> None:
    created = cli("topics", "--create", "--topic", "reg", "--partitions", "2", "--config", "retention.ms=1000")
    assert (created.code, created.out) == (0, "Created topic reg.\n")

    described = cli("topics", "--describe", "--topic", "reg")
    assert masked(described.out) == (
        "Topic: reg\tTopicId: ID\tPartitionCount: 2\tReplicationFactor: 1\tConfigs: min.insync.replicas=1,"
        "retention.ms=1000\n"
        "\tTopic: reg\tPartition: 0\tLeader: 1\tReplicas: 1\tIsr: 1\tElr: \tLastKnownElr: \n"
        "\tTopic: reg\tPartition: 1\tLeader: 1\tReplicas: 1\tIsr: 1\tElr: \tLastKnownElr: \n"
    )

    assert cli("topics", "--alter", "--topic", "reg", "--partitions", "3") == (0, "", "")
    assert cli("get-offsets", "--topic", "reg").lines == ["reg:0:0", "reg:1:0", "reg:2:0"]
    assert "reg" in cli("topics", "--list").lines
    assert cli("topics", "--delete", "--topic", "reg") == (0, "", "")
    assert "reg" not in cli("topics", "--list").lines


def test_mistakes_with_topics_are_one_line_with_exit_code_1(cli: RunCli) -> None:
    cli("topics", "--create", "--topic", "twice")

    assert cli("topics", "--create", "--topic", "twice") == (
        *(1, "", "Error while executing topic command : Topic 'twice' already exists.\n"),
    )
    assert cli("topics", "--create", "--topic", "twice", "--if-not-exists") == (0, "", "")
    missing = cli("topics", "--describe", "--topic", "nix")
    assert missing == (1, "", "Error while executing topic command : Topic 'nix' does not exist as expected\n")
    assert cli("topics", "--delete", "--topic", "nix", "--if-exists").code == 0
    assert cli("topics", "--create", "--topic", "a b").code == 1
    assert "exactly one action" in cli("topics").err
    assert "--replica-assignment" in cli("topics", "--create", "--topic", "x", "--replica-assignment", "a").err
    assert cli("topics", "--create", "--topic", "x", "--partitions", "many").code == 1


def test_topics_in_json_have_partitions(cli: RunCli) -> None:
    cli("topics", "--create", "--topic", "shown")

    document = json.loads(cli("topics", "--describe", "--topic", "shown", "-o", "json").out)

    assert document["kind"] == "topic_descriptions"
    assert document["items"][0]["partitions"][0]["in_sync_replicas"] == [1]
    failed = cli("-o", "json", "topics", "--describe", "--topic", "nix")
    assert json.loads(failed.err)["error"]["message"] == "Topic 'nix' does not exist as expected"


def test_filters_of_describe_show_no_healthy_partition(cli: RunCli) -> None:
    cli("topics", "--create", "--topic", "healthy")

    for option in ("--under-replicated-partitions", "--unavailable-partitions", "--under-min-isr-partitions"):
        assert cli("topics", "--describe", option).out == ""
    assert "Topic: healthy\tPartition: 0" in cli("topics", "--describe", "--at-min-isr-partitions").out


def test_settings_are_added_shown_and_taken_back(cli: RunCli) -> None:
    cli("topics", "--create", "--topic", "set")

    assert cli("configs", "--alter", "--topic", "set", "--add-config", "max.message.bytes=64000").out == (
        "Completed updating config for topic set.\n"
    )
    assert cli("configs", "--describe", "--entity-type", "topics", "--entity-name", "set").lines == [
        "Dynamic configs for topic set are:",
        "  max.message.bytes=64000 sensitive=false synonyms={DYNAMIC_TOPIC_CONFIG:max.message.bytes=64000, "
        "DEFAULT_CONFIG:message.max.bytes=1048588}",
    ]
    cli("configs", "--alter", "--topic", "set", "--delete-config", "max.message.bytes")
    assert cli("configs", "--describe", "--topic", "set").lines == ["Dynamic configs for topic set are:"]
    assert len(cli("configs", "--describe", "--topic", "set", "--all").lines) > 20
    unknown = cli("configs", "--describe", "--topic", "nix")
    assert unknown.lines == ["The topic 'nix' doesn't exist and doesn't have dynamic config."]


def test_defaults_of_brokers_can_be_changed(cli: RunCli) -> None:
    done = cli("configs", "--alter", "--broker-defaults", "--add-config", "log.cleaner.threads=2")
    assert done.out == "Completed updating default config for brokers in the cluster.\n"
    assert "  log.cleaner.threads=2 sensitive=false" in cli("configs", "--describe", "--broker-defaults").out
    cli("configs", "--alter", "--broker-defaults", "--delete-config", "log.cleaner.threads")


def test_mistakes_with_settings_are_one_line(cli: RunCli, tmp_path: Path) -> None:
    assert "At least one of --add-config" in cli("configs", "--alter", "--topic", "t").err
    assert "entity type" in cli("configs", "--describe").err
    refused = cli("configs", "--alter", "--topic", "twice", "--add-config", "retention.ms=soon")
    assert refused.code == 1
    assert refused.err.count("\n") == 1
    missing = cli("configs", "--alter", "--topic", "t", "--add-config-file", str(tmp_path / "none"))
    assert "No such file or directory" in missing.err


def test_offsets_are_filtered_and_found_by_words(cli: RunCli) -> None:
    cli("topics", "--create", "--topic", "counted", "--partitions", "4")

    assert cli("get-offsets", "--topic-partitions", "counted:1-3", "--time", "earliest").lines == [
        "counted:1:0",
        "counted:2:0",
    ]
    assert cli("get-offsets", "--topic", "counted", "--partitions", "3,9").lines == ["counted:3:0"]
    assert "Could not match" in cli("get-offsets", "--topic", "nix").err
    assert "Malformed time" in cli("get-offsets", "--topic", "counted", "--time", "noon").err
