"""Whatever is wrong, a command prints one clear line, ends with the right code, and changes nothing."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ottla.cli.commands import COMMANDS, KAFKA
from ottla.testing import Broker
from tests.support.cli_run import Finished, RunCli, runner
from tests.support.waiting import eventually

OTTLA = [sys.executable, "-m", "ottla"]
GROUP = "--reset-offsets --group g"
#: One for each command that connects, enough for it to get as far as the connection.
CONNECTING = [
    "topics --list",
    "configs --describe --topic t",
    "consumer-groups --list",
    "groups --list",
    "get-offsets --topic t",
    "delete-records --offset-json-file {partitions}",
    "log-dirs --describe",
    "broker-api-versions",
    "cluster cluster-id",
    "features describe",
    "metadata-quorum describe --status",
    "transactions list",
    "leader-election --election-type preferred --all-topic-partitions",
    "reassign-partitions --list",
    "acls --list",
    "replica-verification --broker-list 127.0.0.1:1",
    "delegation-tokens --describe",
    "share-groups --list",
    "streams-groups --list",
    "console-producer --topic t",
    "console-consumer --topic t",
    "producer-perf-test --topic t --num-records 1 --record-size 1 --throughput -1",
    "consumer-perf-test --topic t --num-records 1",
    "e2e-latency --topic t --num-records 1 --producer-acks 1 --record-size 1",
    "verifiable-producer --topic t --max-messages 1",
    "verifiable-consumer --topic t --group-id g --max-messages 1",
    "topic list",
    "group list",
    "partition list t",
    "lag",
    "top",
    "produce t",
    "consume t",
    "cat -L",
    "bench produce",
    "demo",
    "topic export t {missing}",
]
#: What does not exist, with the word that the line must have.
WRONG_NAMES = {
    "topics --describe --topic nowhere": "nowhere",
    "topics --delete --topic nowhere": "nowhere",
    "topics --alter --topic nowhere --partitions 3": "nowhere",
    "configs --alter --topic there --add-config no.such.setting=1": "no.such.setting",
    "configs --alter --topic there --delete-config no.such.setting": "no.such.setting",
    "configs --describe --entity-type nothings --entity-name x": "nothings",
    "get-offsets --topic nowhere": "Could not match any topic-partitions",
    "consumer-groups --describe --group nobody": "nobody",
    "consumer-groups --delete --group nobody": "nobody",
    f"consumer-groups {GROUP} --topic nowhere --to-earliest --dry-run": "nowhere",
    "transactions describe --transactional-id nobody": "nobody",
    "transactions describe-producers --topic nowhere --partition 0": "nowhere",
    "leader-election --election-type preferred --topic nowhere --partition 0": "nowhere",
    "topic describe nowhere": "nowhere",
    "topic delete nowhere --yes": "nowhere",
    "topic config nowhere": "nowhere",
    "topic offsets nowhere": "nowhere",
    "topic export nowhere {missing}": "nowhere",
    "group describe nobody": "nobody",
    "consume nowhere": "nowhere",
    "partition list nowhere": "nowhere",
    "lag nobody": "nobody",
    "docs no.such.setting": "no.such.setting",
    "help nothing": "nothing",
    "run-class kafka.Nothing": "kafka.Nothing",
    "profile show nobody": "nobody",
}
#: {file} is each of the bad files in turn.
READING_FILES = [
    "topics --list --command-config {file}",
    "delete-records --offset-json-file {file}",
    "leader-election --election-type preferred --path-to-json-file {file}",
    "reassign-partitions --execute --reassignment-json-file {file}",
    "reassign-partitions --generate --broker-list 1 --topics-to-move-json-file {file}",
    f"consumer-groups {GROUP} --from-file {{file}} --dry-run",
    "configs --alter --topic there --add-config-file {file}",
    "topic import new {file}",
    "console-consumer --topic there --formatter-config {file} --timeout-ms 1",
    "storage info -c {file}",
    "check {file}",
]
#: `test` runs them; the others end with what the broker does not serve, whatever is asked.
TAKES_ANY_WORDS = {"test", "delegation-tokens", "share-groups", "streams-groups"}
#: A properties file is any text.
ANY_TEXT_WILL_DO = ("--command-config", "--add-config-file", "--formatter-config", "storage info", "check ")


@pytest.fixture(scope="module")
def broker() -> Iterator[Broker]:
    with Broker(topics=["there"], config={"auto.create.topics.enable": "false"}) as broker:
        yield broker


@pytest.fixture
def cli(broker: Broker, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> RunCli:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    return runner(broker.bootstrap, capfd)


def filled(line: str, directory: Path, file: Path | None = None) -> list[str]:
    partitions = directory / "partitions.json"
    partitions.write_text('{"partitions": [{"topic": "t", "partition": 0, "offset": 1}]}')
    return line.format(partitions=partitions, missing=directory / "missing", file=file).split()


def is_kafkas(words: list[str]) -> bool:
    return COMMANDS[words[0]].section == KAFKA


def check_one_line(found: Finished, code: int) -> None:
    """A line that says what is wrong, a hint perhaps, and nothing else. Warnings may come before it."""
    lines = [line for line in found.err.splitlines() if not line.startswith("warning: ")]
    assert 1 <= len(lines) <= 2, found.err
    assert "Traceback" not in found.err
    assert len(lines) == 1 or lines[1].startswith("hint: "), found.err
    assert found.code == code, found.err


@pytest.mark.parametrize("line", CONNECTING)
def test_an_unreachable_broker_is_one_line(
    line: str, cli: RunCli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ottla.cli.run.REACH_TIMEOUT_MS", 150)
    words = filled(line, tmp_path)

    found = cli("-b", "127.0.0.1:1", *words, connected=False)

    check_one_line(found, 1 if is_kafkas(words) else 5)
    assert "127.0.0.1:1" in found.err
    assert found.out == ""


def test_all_commands_that_connect_are_tried_without_a_broker() -> None:
    runs_or_checks_a_broker = "dev serve start check test server-start server-stop storage dump-log run-class"
    needs_none = "profile completion link docs help version pipeline doctor health"
    apart = {*runs_or_checks_a_broker.split(), *needs_none.split()}

    assert {line.split()[0] for line in CONNECTING} == set(COMMANDS) - apart


@pytest.mark.parametrize(("line", "name"), WRONG_NAMES.items())
def test_a_wrong_name_is_one_line_that_names_it(line: str, name: str, cli: RunCli, tmp_path: Path) -> None:
    words = filled(line, tmp_path)

    found = cli(*words)

    assert found.code != 0
    assert "Traceback" not in found.err
    assert name in found.err + found.out
    assert len((found.err + found.out).splitlines()) <= 4
    assert not (tmp_path / "missing").exists()


@pytest.mark.parametrize("line", READING_FILES)
def test_bad_files_are_one_line_that_names_the_file(line: str, cli: RunCli, broker: Broker, tmp_path: Path) -> None:
    bad = {
        "missing": None,
        "directory": None,
        "binary": b"\xff\xfe\x00\x01" * 10,
        "text": b"hello\n",
        "array": b"[1, 2]",
        "rows": b'{"partitions": [1], "topics": [1]}',
    }
    (tmp_path / "directory").mkdir()
    for name, content in bad.items():
        if content is not None:
            (tmp_path / name).write_bytes(content)
            if name != "binary" and any(each in line for each in ANY_TEXT_WILL_DO):
                continue
        words = filled(line, tmp_path, tmp_path / name)

        found = cli(*words)

        assert found.code in (1, 2, 78), (name, found)
        assert str(tmp_path / name) in found.err, (name, found.err)
        assert "Traceback" not in found.err, name
        assert len(found.err.splitlines()) <= 3, (name, found.err)
    assert "new" not in broker.topics()


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - TAKES_ANY_WORDS))
def test_an_unknown_flag_is_one_line(name: str, cli: RunCli) -> None:
    found = cli(name, "--no-such-flag", connected=False)

    check_one_line(found, 1 if COMMANDS[name].section == KAFKA else 2)
    assert "no-such-flag" in found.err


@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["topics", "--help"],
        ["topics", "--list"],
        ["topic", "list", "-o", "json"],
        ["consume", "there", "--from", "start", "-f"],
        ["console-consumer", "--topic", "there", "--from-beginning"],
        ["verifiable-consumer", "--topic", "there", "--group-id", "g"],
        ["cat", "-C", "-t", "there", "-o", "beginning"],
        ["verifiable-producer", "--topic", "there", "--throughput", "50"],
    ],
    ids=lambda words: words[0] + words[-1],
)
def test_a_closed_pipe_ends_quietly(words: list[str], broker: Broker) -> None:
    for number in range(3):
        broker.send("there", str(number))
    environment = {**os.environ, "OTTLA_BOOTSTRAP": broker.bootstrap}
    process = subprocess.Popen([*OTTLA, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
    assert process.stdout is not None
    process.stdout.close()

    _, err = process.communicate(timeout=60)

    assert b"Traceback" not in err
    assert b"Exception" not in err
    assert process.returncode == 0


@pytest.mark.parametrize(
    "words",
    [
        ["console-producer", "--topic", "there"],
        ["produce", "there"],
        ["consume", "there", "-f"],
        ["console-consumer", "--topic", "there"],
        ["consumer-perf-test", "--topic", "there", "--num-records", "1000000", "--timeout", "60000"],
        ["producer-perf-test", "--topic", "there", "--num-records", "1000", "--record-size", "1", "--throughput", "1"],
        ["e2e-latency", "--topic", "there", "--num-records", "10000000", "--producer-acks", "1", "--record-size", "1"],
    ],
    ids=lambda words: words[0],
)
def test_ctrl_c_ends_with_130_and_no_traceback(words: list[str], broker: Broker) -> None:
    before = len(broker.requests())
    process = subprocess.Popen(
        [*OTTLA, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "OTTLA_BOOTSTRAP": broker.bootstrap},
        text=True,
    )
    with process:
        eventually(lambda: len(broker.requests()) > before, what="a request of the command")
        process.send_signal(signal.SIGINT)
        try:
            _, err = process.communicate(timeout=60)
        finally:
            # Its requests must not be taken for those of the next test's command.
            process.kill()

    assert "Traceback" not in err
    assert process.returncode == 130
