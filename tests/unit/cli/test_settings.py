"""From files, environment and flags to a start: everything that is wrong in one list, exit code 78."""

import os
import re
from pathlib import Path

import pytest

from ottla.cli.directories import default_data_directory, directory_problems
from ottla.cli.main import main
from ottla.cli.settings import Sources, Start, load
from ottla.cli.start_warnings import unresolved_hosts
from ottla.config.broker_options import BrokerOptions
from ottla.config.listeners import SecurityProtocol, plan_listeners
from ottla.config.properties import parse_properties
from ottla.model.errors import InvalidConfig

KAFKA_FILE = """
node.id=4
listeners=PLAINTEXT://127.0.0.1:0
log.dirs=%s
num.partitions=3
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "server.properties"
    path.write_text(KAFKA_FILE % (tmp_path / "data"))
    path.chmod(0o600)
    return path


def problems(sources: Sources) -> list[str]:
    with pytest.raises(InvalidConfig) as caught:
        load(sources, {})
    return caught.value.problems


def test_a_kafka_file_is_read_as_it_is(file: Path, tmp_path: Path) -> None:
    start = load(Sources(file=file), {})

    assert (start.options.node_id, start.options.num_partitions) == (4, 3)
    assert start.options.log_directories == (str(tmp_path / "data"),)
    assert [listener.port for listener in start.plan.listeners] == [0]


def test_a_flag_beats_the_environment_beats_the_file_beats_the_command(file: Path) -> None:
    preferred = {"num.partitions": "9", "num.network.threads": "9"}

    def partitions(start: Start) -> int:
        return start.options.num_partitions

    assert partitions(load(Sources(file=file, preferred=preferred), {})) == 3
    assert load(Sources(file=file, preferred=preferred), {}).options.num_network_threads == 9
    assert partitions(load(Sources(file=file), {"KAFKA_NUM_PARTITIONS": "5"})) == 5
    assert partitions(load(Sources(file=file, overrides=("num.partitions=7",)), {"KAFKA_NUM_PARTITIONS": "5"})) == 7


def test_toml_has_the_same_names(tmp_path: Path) -> None:
    path = tmp_path / "ottla.toml"
    path.write_text(f'num.partitions = 6\nlisteners = ["PLAINTEXT://127.0.0.1:0"]\n[log]\ndirs = ["{tmp_path}"]\n')

    assert load(Sources(file=path), {}).options.num_partitions == 6


def test_without_log_dirs_data_goes_to_the_users_data_directory() -> None:
    start = load(Sources(overrides=("listeners=PLAINTEXT://127.0.0.1:0",)), {})

    assert start.options.log_directories == (str(default_data_directory()),)
    assert "ottla" in start.options.log_directories[0]


def test_directories_are_absolute_and_a_tilde_is_the_home_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "server.properties"
    directories = "log.dirs=a/b, ~/x,/var/..//./c\nmetadata.log.dir=meta\ncordoned.log.dirs=~/x\n"
    file.write_text(f"listeners=PLAINTEXT://127.0.0.1:0\n{directories}")

    options = load(Sources(file=file), {}).options

    assert options.log_directories == (f"{tmp_path}/a/b", f"{tmp_path}/home/x", "/var/../c")
    assert options.metadata_log_dir == f"{tmp_path}/meta"
    assert options.cordoned_log_dirs == (f"{tmp_path}/home/x",)


def test_a_home_directory_that_nobody_knows_is_a_problem(file: Path) -> None:
    (problem,) = problems(Sources(file=file, overrides=("log.dirs=~no-such-user/x",)))

    reason = "there is no home directory for ~no-such-user; use an absolute path"
    assert problem == f"--override: log.dirs=~no-such-user/x: {reason}"


def test_a_relative_metadata_directory_that_is_a_file_is_a_problem(file: Path, tmp_path: Path) -> None:
    (tmp_path / "a-file").write_text("")

    (problem,) = problems(Sources(file=file, overrides=(f"metadata.log.dir={tmp_path / 'a-file'}",)))

    assert problem == f"--override: metadata.log.dir: {tmp_path / 'a-file'} is not a directory"


def test_the_insecure_flag_allows_an_open_listener(file: Path) -> None:
    overrides = ("listeners=PLAINTEXT://:0",)

    assert any("can be reached by other machines" in problem for problem in problems(Sources(file, overrides)))
    assert load(Sources(file, overrides, insecure=True), {}).plan.insecure == ("PLAINTEXT",)


def test_problems_of_all_kinds_come_together(file: Path, tmp_path: Path) -> None:
    taken = tmp_path / "a-file"
    taken.write_text("")
    with file.open("a") as more:
        more.write(f"num.partitions=4\nlog.segment.bytes=3\nlog.dirs={taken}\nlisteners=PLAINTEXT://:0\nottla.nmae=1\n")

    found = problems(Sources(file=file, overrides=("no-equals-sign",)))

    fragments = [
        "num.partitions is set twice",
        "log.dirs is set twice",
        "listeners is set twice",
        "--override 'no-equals-sign'",
        "log.segment.bytes: Value must be at least",
        "a-file is not a directory",
        "can be reached by other machines",
        "unknown configuration ottla.nmae",
    ]
    assert [fragment for fragment in fragments if not any(fragment in problem for problem in found)] == []
    assert len(found) == len(fragments)


def test_passwords_in_a_file_that_everybody_can_read_are_refused(file: Path) -> None:
    with file.open("a") as more:
        more.write("listener.name.plaintext.ssl.key.password=x\n")
    load(Sources(file=file), {})

    file.chmod(0o644)

    (problem,) = problems(Sources(file=file))
    assert "chmod o-r" in problem


def test_a_file_that_is_missing_or_not_text_is_a_problem(tmp_path: Path) -> None:
    binary = tmp_path / "binary.properties"
    binary.write_bytes(b"a=\xff\xfe")

    assert any("No such file" in problem for problem in problems(Sources(file=tmp_path / "none")))
    assert any("not UTF-8 at byte 2" in problem for problem in problems(Sources(file=binary)))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_directory_without_write_permission_is_a_problem(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        assert directory_problems([tmp_path / "data"]) == [
            f"log.dirs={tmp_path / 'data'}: no right to read and write in {tmp_path}"
        ]
    finally:
        tmp_path.chmod(0o700)


def test_a_directory_that_does_not_exist_yet_is_no_problem(tmp_path: Path) -> None:
    assert directory_problems([tmp_path / "a" / "b"]) == []
    assert not (tmp_path / "a").exists()


def test_a_bad_configuration_exits_with_78_and_lists_every_problem(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["server-start", str(file), "--override", "num.partitions=x", "--override", "log.segment.bytes=3"])

    err = capsys.readouterr().err
    assert code == 78
    assert "error: 2 problems in the configuration, nothing was started" in err
    problem = "Invalid value x for configuration num.partitions: Not a number of type INT"
    assert f"  - --override: {problem}" in err
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("is_open", [False, True])
def test_the_sample_file_is_good_as_it_is_and_opened_to_a_network(is_open: bool) -> None:
    text = (Path(__file__).parents[3] / "deploy" / "server.properties").read_text()
    if is_open:
        text = re.sub(r"(?m)^#(?=[a-z.]+=)", "", text.replace("\nlisteners=PLAINTEXT://127.0.0.1:9092", "", 1))
    parsed = parse_properties(text)
    options = BrokerOptions(parsed.values)
    plan = plan_listeners(options, supported=SecurityProtocol)

    assert (parsed.problems, options.unknown, len(plan.listeners)) == ([], {}, 1)
    assert plan.insecure == (("PLAINTEXT",) if is_open else ())
    assert options.allow_insecure_listener == is_open


def test_names_of_hosts_in_limits_are_told_apart_from_addresses() -> None:
    assert unresolved_hosts("") == []
    assert unresolved_hosts("10.0.0.1:5, [fe80::1]:6,::1:7") == []
    assert unresolved_hosts("10.0.0.1:5,db.example:7") == ["db.example"]
