"""What a start will listen on is guessed from its words; anything unclear is left to the ordinary way."""

from pathlib import Path

import pytest

from ottla.cli.early_addresses import guess


def _file(directory: Path, text: str) -> str:
    path = directory / "server.properties"
    path.write_text(text)
    return str(path)


def test_a_start_without_a_file_takes_the_default_address() -> None:
    assert guess(["serve"], {}) == [("127.0.0.1", 9092), ("::1", 9092)]


def test_all_plain_addresses_of_a_file_are_taken(tmp_path: Path) -> None:
    file = _file(tmp_path, "node.id=1\nlisteners=PLAINTEXT://10.0.0.1:9092,\\\n  CONTROLLER://[::1]:9093\n")
    assert guess(["server-start", file], {}) == [("10.0.0.1", 9092), ("::1", 9093)]


def test_a_file_without_listeners_means_the_default(tmp_path: Path) -> None:
    assert guess(["server-start", _file(tmp_path, "node.id=1\n")], {}) == [("127.0.0.1", 9092), ("::1", 9092)]


def test_a_flag_counts_more_than_the_environment_and_that_more_than_the_file(tmp_path: Path) -> None:
    file = _file(tmp_path, "listeners=PLAINTEXT://127.0.0.1:1111\n")
    environment = {"KAFKA_LISTENERS": "PLAINTEXT://127.0.0.1:2222"}
    flag = ["--override", "listeners=PLAINTEXT://127.0.0.1:3333"]
    assert guess(["serve", file], environment) == [("127.0.0.1", 2222)]
    assert guess(["serve", "--log-level", "debug", *flag, file], environment) == [("127.0.0.1", 3333)]


@pytest.mark.parametrize(
    "listeners", ["PLAINTEXT://:9092", "PLAINTEXT://kafka.example:9092", "PLAINTEXT://127.0.0.1:0", "x"]
)
def test_names_wildcards_and_free_ports_are_left_to_the_ordinary_way(listeners: str) -> None:
    assert guess(["serve", f"--override=listeners={listeners}"], {}) == []


@pytest.mark.parametrize("words", [[], ["dev"], ["topics", "list"], ["server-start", "/no/such/file"]])
def test_other_commands_and_unreadable_files_take_nothing(words: list[str]) -> None:
    assert guess(words, {}) == []
