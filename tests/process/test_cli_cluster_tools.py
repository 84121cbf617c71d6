"""Golden output of the tools about brokers, quorum, transactions, moves and rights, on a broker."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from ottla.client import Producer
from ottla.testing import Broker
from tests.support.cli_run import RunCli, masked, runner


@pytest.fixture(scope="module")
def broker() -> Iterator[Broker]:
    with Broker(topics={"t": 2}) as broker:
        settings = {"bootstrap_servers": broker.bootstrap, "transactional_id": "tx"}
        with Producer(**settings) as producer, producer.transaction():
            for number in range(10):
                producer.send("t", b"x", partition=number % 2)
        yield broker


@pytest.fixture
def cli(broker: Broker, capsys: pytest.CaptureFixture[str]) -> RunCli:
    return runner(broker.bootstrap, capsys)


def file(tmp_path: Path, value: object) -> str:
    path = tmp_path / "file.json"
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return str(path)


def test_broker_api_versions_lists_each_api(cli: RunCli) -> None:
    lines = cli("broker-api-versions").lines

    assert masked(lines[0]) == "HOST:PORT (id: 1 rack: null isFenced: false) -> ("
    assert lines[1] == "\tProduce(0): 0 to 13 [usable: 13],"
    assert any(line.endswith("UNSUPPORTED,") for line in lines)
    assert lines[-1] == ")"
    assert not lines[-2].endswith(",")


def test_the_cluster_has_an_id_and_endpoints(cli: RunCli, broker: Broker) -> None:
    host, _, port = broker.bootstrap.partition(":")
    assert cli("cluster", "cluster-id").out.startswith("Cluster ID: ")
    assert cli("cluster", "list-endpoints").lines == [
        "ID         HOST      PORT       RACK       STATE      ENDPOINT_TYPE  ",
        f"1          {host} {port:<10} null       unfenced   broker         ",
    ]
    assert cli("cluster", "unregister", "--id", "9") == (1, "", "error: Broker ID 9 is not currently registered\n")


def test_the_quorum_has_a_status_and_replicas(cli: RunCli) -> None:
    status = cli("metadata-quorum", "describe", "--status").lines
    assert [line.partition(":")[0] for line in status] == [
        *("ClusterId", "LeaderId", "LeaderEpoch", "HighWatermark", "MaxFollowerLag", "MaxFollowerLagTimeMs"),
        *("CurrentVoters", "CurrentObservers"),
    ]
    assert status[1] == "LeaderId:               1"
    assert status[-1] == "CurrentObservers:       []"
    titles, leader = cli("metadata-quorum", "describe", "--replication").lines
    assert titles.startswith("NodeId\tDirectoryId           \tLogEndOffset\tLag\tLastFetchTimestamp\t")
    assert leader.rstrip("\t").endswith("\tLeader")
    assert "--status or --replication" in cli("metadata-quorum", "describe").err


def test_features_are_shown_with_the_names_of_versions(cli: RunCli) -> None:
    rows = {line.split()[1]: line for line in cli("features", "describe").lines}

    assert "SupportedMinVersion: 3.3-IV3          SupportedMaxVersion: 4.3-IV0" in rows["metadata.version"]
    assert "FinalizedVersionLevel: 2 " in rows["transaction.version"]
    assert cli("features", "upgrade", "--feature", "nonsense").code == 1


def test_transactions_are_listed_and_described(cli: RunCli) -> None:
    assert cli("transactions", "list").lines == [
        "TransactionalId\tCoordinator\tProducerId\tTransactionState\t",
        "tx             \t1          \t0         \tCompleteCommit  \t",
    ]
    described = cli("transactions", "describe", "--transactional-id", "tx").lines
    assert described[0].split("\t")[:3] == ["CoordinatorId", "TransactionalId", "ProducerId"]
    assert described[1].split()[:5] == ["1", "tx", "0", "1", "CompleteCommit"]
    producers = cli("transactions", "describe-producers", "--topic", "t", "--partition", "0").lines
    assert producers[1].split()[-1] == "None"
    assert len(cli("transactions", "find-hanging", "--topic", "t").lines) == 1
    assert cli("transactions", "describe", "--transactional-id", "nix").code == 1
    assert (
        "Could not find" in cli("transactions", "abort", "--topic", "t", "--partition", "0", "--start-offset", "3").err
    )


def test_log_directories_are_json(cli: RunCli) -> None:
    lines = cli("log-dirs", "--describe", "--topic-list", "t").lines

    assert lines[:2] == [
        "Querying brokers for log directories information",
        "Received log directory information from brokers 1",
    ]
    document = json.loads(lines[2])
    assert [row["partition"] for row in document["brokers"][0]["logDirs"][0]["partitions"]] == ["t-0", "t-1"]
    assert json.loads(cli("log-dirs", "--describe", "--topic-list", "t", "-o", "json").out) == document
    assert "do not exist" in cli("log-dirs", "--describe", "--broker-list", "1,7").err


def test_leaders_are_elected(cli: RunCli, tmp_path: Path) -> None:
    words = ["leader-election", "--election-type", "preferred"]
    assert cli(*words, "--topic", "t", "--partition", "0").out == "Valid replica already elected for partitions t-0\n"
    unknown = cli(*words, "--path-to-json-file", file(tmp_path, {"partitions": [{"topic": "nix", "partition": 0}]}))
    assert unknown.code == 1
    assert unknown.err == "1 replica(s) could not be elected\n"
    assert "Missing required option" in cli(*words, "--topic", "t").err


def test_replicas_are_moved_and_verified(cli: RunCli, tmp_path: Path) -> None:
    assert cli("reassign-partitions", "--list").out == "No partition reassignments found.\n"
    topics = file(tmp_path, {"version": 1, "topics": [{"topic": "t"}]})
    words = ["--generate", "--topics-to-move-json-file", topics, "--broker-list", "1"]
    generated = cli("reassign-partitions", *words).lines
    assert generated[0] == "Current partition replica assignment"
    assert generated[3] == "Proposed partition reassignment configuration"
    plan = file(tmp_path, generated[4])
    executed = cli("reassign-partitions", "--execute", "--reassignment-json-file", plan, "--throttle", "5000").lines
    assert executed[-1] == "Successfully started partition reassignments for t-0,t-1"
    assert cli("reassign-partitions", "--verify", "--reassignment-json-file", plan).lines == [
        "Status of partition reassignment:",
        "Reassignment of partition t-0 is completed.",
        "Reassignment of partition t-1 is completed.",
        "",
        "Clearing broker-level throttles on broker 1",
        "Clearing topic-level throttles on topic t",
    ]
    wrong = file(tmp_path, {"partitions": [{"topic": "t", "partition": 0, "replicas": [7]}]})
    assert "Unknown broker id 7" in cli("reassign-partitions", "--execute", "--reassignment-json-file", wrong).err
    broken = file(tmp_path, '{"partitions": [')
    assert "line 1, column" in cli("reassign-partitions", "--execute", "--reassignment-json-file", broken).err


def test_records_are_deleted(cli: RunCli, tmp_path: Path) -> None:
    rows = [{"topic": "t", "partition": 0, "offset": 3}, {"topic": "nix", "partition": 0, "offset": 0}]
    found = cli("delete-records", "--offset-json-file", file(tmp_path, {"version": 1, "partitions": rows}))

    assert found.code == 1
    assert found.lines[:3] == [
        *("Executing records delete operation", "Records delete operation completed:"),
        "partition: t-0\tlow_watermark: 3",
    ]
    assert found.lines[3].startswith("partition: nix-0\terror: topic nix: ")
    assert cli("get-offsets", "--topic", "t", "--time", "earliest").lines == ["t:0:3", "t:1:0"]


def test_tools_say_what_the_broker_does_not_serve(cli: RunCli) -> None:
    assert cli("share-groups", "--list").err == (
        "error: node 1 does not serve ShareGroupDescribe: share groups are not supported by this broker\n"
    )
    assert "No Authorizer is configured" in cli("acls", "--list").err
    assert "You must specify one of" in cli("acls", "--add", "--topic", "t").err
    assert "delegation tokens are not supported" in cli("delegation-tokens", "--describe").err
    assert cli("groups", "--list").code == 0


def test_class_names_of_kafka_run_the_tool(cli: RunCli) -> None:
    assert cli("run-class", "kafka.tools.GetOffsetShell", "--topic", "t", "--partitions", "1").lines == ["t:1:6"]
    assert cli("run-class", "kafka.tools.Unknown").code == 1
