"""What is done in another way where the system is not Linux."""

import fcntl
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ottla.runtime import disk, file_sync


def test_on_macos_the_boot_session_tells_starts_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    def run(command: list[str], **how: Any) -> subprocess.CompletedProcess[str]:
        asked.append(command)
        return subprocess.CompletedProcess(command, 0, "8F0C-1\n", "")

    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(subprocess, "run", run)

    assert disk.boot_id() == "8F0C-1"
    assert asked == [["/usr/sbin/sysctl", "-n", "kern.bootsessionuuid"]]


@pytest.mark.parametrize("error", [FileNotFoundError(), subprocess.TimeoutExpired("sysctl", 5)])
def test_without_an_answer_no_crash_counts_as_harmless(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def run(command: list[str], **how: Any) -> None:
        raise error

    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(subprocess, "run", run)

    assert disk.boot_id() == ""


def test_other_systems_tell_nothing_about_their_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")

    assert disk.boot_id() == ""


def test_on_macos_a_sync_goes_through_the_cache_of_the_drive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[int, int]] = []
    monkeypatch.setattr(file_sync, "_FULL_SYNC", 51)
    monkeypatch.setattr(fcntl, "fcntl", lambda descriptor, command: calls.append((descriptor, command)))
    with (tmp_path / "log").open("wb") as file:
        file_sync.sync_descriptor(file.fileno())

        assert calls == [(file.fileno(), 51)]
