"""The command line: finding commands, exit codes, messages."""

import sys

import pytest

from ottla import __version__
from ottla.cli.commands import COMMANDS, KAFKA
from ottla.cli.main import main
from ottla.compiled import MODULES, compiled_modules


def test_version_is_one_line_on_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"ottla {__version__}\n"


def test_help_names_every_command_without_loading_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for entry in COMMANDS.values():
        monkeypatch.delitem(sys.modules, f"ottla.cli.{entry.module}", raising=False)

    assert main(["--help"]) == 0

    out = capsys.readouterr().out
    assert all(name in out for name, entry in COMMANDS.items() if not entry.hidden and entry.section != KAFKA)
    assert not any(f"ottla.cli.{entry.module}" in sys.modules for entry in COMMANDS.values())


def test_no_command_at_all_shows_the_help_and_calls_it_no_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2

    said = capsys.readouterr()
    assert said.err.startswith("Usage: ottla")
    assert "-h, --help" in said.err
    assert "error" not in said.err
    assert said.out == ""


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == 0
    assert capsys.readouterr().out.startswith("Usage: ottla")


def test_an_unknown_command_is_a_usage_error_with_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["srve"]) == 2

    err = capsys.readouterr().err
    assert "there is no command 'srve'; did you mean serve?" in err
    assert "Traceback" not in err


def test_an_unknown_flag_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--prot", "1"]) == 2
    assert capsys.readouterr().err.startswith("error: No such option")


def test_a_word_that_is_no_log_level_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--log-level", "loud"]) == 2
    assert "'loud'" in capsys.readouterr().err


def test_the_version_command_says_whether_compiled_code_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["version"]) == 0

    first, _, last = capsys.readouterr().out.splitlines()
    assert first == f"ottla {__version__}"
    assert last.startswith("compiled code: yes" if len(compiled_modules()) == len(MODULES) else "compiled code: ")


def test_help_kafka_lists_the_tools_with_kafkas_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "kafka"]) == 0

    out = capsys.readouterr().out
    assert all(name in out for name, entry in COMMANDS.items() if entry.section == KAFKA and not entry.hidden)


def test_usage_errors_of_kafkas_tools_exit_with_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["get-offsets", "--zookeeper", "z:2181"]) == 1
    assert "--bootstrap-server" in capsys.readouterr().err
