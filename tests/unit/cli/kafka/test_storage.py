"""`ottla storage`: identity and formatting of log directories, with Kafka's lines."""

import json
from pathlib import Path

import pytest

from ottla.cli.main import main
from ottla.model.topic import id_from_text

CLUSTER = "MkU3OEVBNTcwNTJENDM2Qg"


@pytest.fixture
def config(tmp_path: Path) -> Path:
    file = tmp_path / "server.properties"
    file.write_text(f"node.id=1\nlisteners=PLAINTEXT://127.0.0.1:9092\nlog.dirs={tmp_path}/a,{tmp_path}/b\n")
    return file


def test_a_random_uuid_is_a_cluster_id(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["storage", "random-uuid"]) == 0

    assert len(id_from_text(capsys.readouterr().out.strip())) == 16


def test_directories_that_do_not_exist_are_problems(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["storage", "info", "-c", str(config)]) == 1

    assert capsys.readouterr().out == (
        f"Found problems:\n  {tmp_path}/a does not exist\n  {tmp_path}/b does not exist\n\n"
    )


def test_formatted_directories_are_known_afterwards(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["storage", "format", "-t", CLUSTER, "-c", str(config)]) == 0
    assert main(["storage", "info", "-c", str(config)]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert lines[:5] == [
        f"Formatting metadata directory {tmp_path}/a with metadata.version 4.3-IV0.",
        f"Formatting data directory {tmp_path}/b with metadata.version 4.3-IV0.",
        "Found log directories:",
        f"  {tmp_path}/a",
        f"  {tmp_path}/b",
    ]
    assert lines[6].startswith(f"Found metadata: {{cluster.id={CLUSTER}, directory.id=")
    assert lines[6].endswith(", node.id=1, version=1}")


def test_a_directory_is_not_formatted_twice(config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["storage", "format", "-t", CLUSTER, "-c", str(config)]
    main(words)
    capsys.readouterr()

    assert main(words) == 1
    assert capsys.readouterr().err == (
        f"error: Log directory {tmp_path}/a is already formatted. Use --ignore-formatted to ignore this directory and "
        "format the others.\n"
    )
    assert main([*words, "--ignore-formatted"]) == 0
    assert capsys.readouterr().out == "All of the log directories are already formatted.\n"


def test_info_is_json_on_request(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["storage", "format", "-t", CLUSTER, "-c", str(config), "-q"])
    capsys.readouterr()

    assert main(["storage", "info", "-c", str(config), "-o", "json"]) == 0

    document = json.loads(capsys.readouterr().out)
    assert document["kind"] == "log_directories"
    assert document["items"][0]["cluster_id"] == CLUSTER
    assert document["items"][0]["problem"] is None


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["-t", "x"], "Cluster ID string x does not appear to be a valid UUID"),
        (["-t", CLUSTER, "-r", "9.9"], "release 9.9"),
        (["-t", CLUSTER, "-f", "group.version=7"], "--feature group.version=7 is not supported"),
        (["-t", CLUSTER, "-S", "SCRAM-SHA-256=[name=a,password=b]"], "--add-scram is not supported"),
    ],
)
def test_wrong_words_change_nothing(
    config: Path, tmp_path: Path, words: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["storage", "format", "-c", str(config), *words]) == 1

    assert problem in capsys.readouterr().err
    assert not (tmp_path / "a").exists()
