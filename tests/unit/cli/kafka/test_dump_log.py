"""`ottla dump-log` over a data directory of Apache Kafka 4.3: the lines are those of Kafka's own tool."""

import tarfile
from pathlib import Path

import pytest

from ottla.cli.main import main

ARCHIVE = Path(__file__).parents[3] / "data" / "kafka-4.3-data-dirs.tar.xz"
FIRST = "00000000000000000000"


@pytest.fixture(scope="module")
def kafka_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("kafka")
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(directory)
    return directory / "clean"


def dumped(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    assert main(["dump-log", *words]) == 0
    return capsys.readouterr().out.splitlines()


def test_batches_and_records_are_printed_as_kafka_prints_them(
    kafka_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = kafka_data / "codec-gzip-0" / f"{FIRST}.log"

    lines = dumped(capsys, "--files", str(path), "--print-data-log")

    assert lines[:4] == [
        f"Dumping {path}",
        "Log starting offset: 0",
        "baseOffset: 0 lastOffset: 149 count: 150 baseSequence: -1 lastSequence: -1 producerId: -1 producerEpoch: -1 "
        "partitionLeaderEpoch: 0 isTransactional: false isControl: false deleteHorizonMs: OptionalLong.empty "
        "position: 0 CreateTime: 1794781431893 size: 1941 magic: 2 compresscodec: gzip crc: 1207645439 isvalid: true",
        "| offset: 0 CreateTime: 1794781431595 keySize: 2 valueSize: 32 sequence: -1 headerKeys: [h,n] key: k0 "
        "payload: value-0 value-0 value-0 value-0 ",
    ]
    assert len(lines) == 153


def test_only_keys_and_values_are_printed_without_metadata(
    kafka_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = kafka_data / "codec-gzip-0" / f"{FIRST}.log"

    lines = dumped(capsys, "--files", str(path), "--print-data-log", "--skip-record-metadata")

    assert lines[3] == "| key: k0 payload: value-0 value-0 value-0 value-0 "


def test_markers_show_the_outcome_of_the_transaction(kafka_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = dumped(capsys, "--files", str(kafka_data / "txn-0" / f"{FIRST}.log"), "--deep-iteration")

    markers = [line for line in lines if "endTxnMarker" in line]
    assert markers[0].endswith("headerKeys: [] endTxnMarker: COMMIT coordinatorEpoch: 0")
    assert any("endTxnMarker: ABORT" in line for line in markers)


def test_indexes_and_snapshots_are_printed(kafka_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [
        kafka_data / "rolled-0" / f"{FIRST}.index",
        kafka_data / "rolled-0" / f"{FIRST}.timeindex",
        kafka_data / "txn-0" / f"{FIRST}.txnindex",
        kafka_data / "txn-0" / "00000000000000000036.snapshot",
        kafka_data / "txn-0" / "leader-epoch-checkpoint",
    ]

    lines = dumped(capsys, "--files", ",".join(map(str, files)))

    assert "offset: 19 position: 1071" in lines
    assert any(line.startswith("timestamp: 1794781") and " offset: " in line for line in lines)
    assert any(line.startswith("version: 0 producerId: 1 firstOffset: ") for line in lines)
    assert any(line.startswith("producerId: 1 producerEpoch: ") and "offsetDelta: " in line for line in lines)
    assert lines[-2:] == ["epoch: 0 startOffset: 0", "epoch: 2 startOffset: 36"]


def test_group_records_are_decoded_with_subscriptions(kafka_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = dumped(capsys, "--files", str(kafka_data / "__consumer_offsets-0" / f"{FIRST}.log"), "--offsets-decoder")

    assert lines[3].endswith(
        'key: {"type":"2","data":{"group":"group-classic"}} payload: {"version":"3","data":{"protocolType":"",'
        '"generation":0,"protocol":null,"leader":null,"currentStateTimestamp":1794781445292,"members":[]}}'
    )
    assert '"subscription":{"topics":["codec-gzip"],"userData":"","ownedPartitions":[],"generationId":-1' in lines[5]
    assert any(line.endswith("payload: <DELETE>") for line in lines)


def test_transactions_are_decoded(kafka_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = kafka_data / "__transaction_state-1" / f"{FIRST}.log"

    lines = dumped(capsys, "--files", str(path), "--transaction-log-decoder")

    assert 'key: {"type":"0","data":{"transactionalId":"t1"}} payload: {"version":"1","data":{' in lines[3]


def test_cluster_metadata_is_decoded(kafka_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = kafka_data / "__cluster_metadata-0" / f"{FIRST}.log"

    lines = dumped(capsys, "--files", str(path), "--cluster-metadata-decoder")

    assert lines[3].endswith(
        'LeaderChange: {"version":0,"leaderId":1,"voters":[{"voterId":1}],"grantingVoters":[{"voterId":1}]}'
    )
    assert lines[6].endswith(
        'payload: {"type":"FEATURE_LEVEL_RECORD","version":0,"data":{"name":"metadata.version","featureLevel":30}}'
    )


def test_a_damaged_batch_is_shown_as_not_valid(
    kafka_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = bytearray((kafka_data / "codec-none-0" / f"{FIRST}.log").read_bytes())
    data[100] ^= 1
    damaged = tmp_path / f"{FIRST}.log"
    damaged.write_bytes(data + b"\0" * 5)

    lines = dumped(capsys, "--files", str(damaged))

    assert lines[2].endswith("isvalid: false")
    assert lines[-1] == f"Found 5 invalid bytes at the end of {FIRST}.log"


def test_a_missing_file_is_one_line_and_exit_code_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dump-log", "--files", "/nowhere/00000000000000000000.log"]) == 1

    assert capsys.readouterr().err == "error: /nowhere/00000000000000000000.log: No such file or directory\n"


def test_an_unknown_file_is_reported_and_passed_over(kafka_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = kafka_data / "meta.properties"

    assert main(["dump-log", "--files", str(path)]) == 0

    assert capsys.readouterr().err == f"Ignoring unknown file {path}\n"


def test_an_index_that_contradicts_its_log_is_reported(
    kafka_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / f"{FIRST}.log").write_bytes((kafka_data / "rolled-0" / f"{FIRST}.log").read_bytes())
    index = tmp_path / f"{FIRST}.index"
    index.write_bytes((18).to_bytes(4, "big") + (1071).to_bytes(4, "big"))

    assert main(["dump-log", "--files", str(index), "--verify-index-only"]) == 0

    captured = capsys.readouterr()
    assert captured.err == f"Mismatches in :{index}\n  Index offset: 18, log offset: 19\n"
    assert captured.out == f"Dumping {index}\n"
