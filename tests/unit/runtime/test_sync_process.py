"""The process that syncs files for the broker."""

import errno
import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from ottla.runtime.sync_process import SyncProcess


@pytest.fixture
def files(tmp_path: Path) -> Iterator[list[int]]:
    """More than one message can carry."""
    opened = [os.open(tmp_path / str(number), os.O_RDWR | os.O_CREAT) for number in range(260)]
    yield opened
    for descriptor in opened:
        os.close(descriptor)


def helper_of(process: SyncProcess) -> int:
    assert process.pid is not None
    return process.pid


def test_all_files_are_synced_and_stay_open(files: list[int]) -> None:
    process = SyncProcess()

    assert process.sync(files) == [None] * len(files)
    assert process.sync(files[:3]) == [None] * 3
    for descriptor in files:
        os.fstat(descriptor)


def test_what_cannot_be_synced_is_named_and_the_others_are_synced(files: list[int]) -> None:
    read_end, write_end = os.pipe()
    try:
        outcomes = SyncProcess().sync([*files[:7], write_end, *files[7:20]])
    finally:
        os.close(read_end)
        os.close(write_end)

    assert outcomes is not None
    assert [index for index, outcome in enumerate(outcomes) if outcome is not None] == [7]
    assert isinstance(outcomes[7], OSError)
    assert outcomes[7].errno == errno.EINVAL


def test_files_that_are_not_open_are_not_handed_over(files: list[int]) -> None:
    process = SyncProcess()

    assert process.sync([files[0], -1, files[1]]) is None
    assert process.sync(files[:2]) == [None, None]


def test_what_a_helper_that_died_was_given_counts_as_failed_and_a_new_one_is_started(files: list[int]) -> None:
    process = SyncProcess()
    process.sync(files[:3])
    first = helper_of(process)
    os.kill(first, signal.SIGKILL)
    os.waitid(os.P_PID, first, os.WEXITED | os.WNOWAIT)

    outcomes = process.sync(files[:3])

    assert outcomes is not None
    assert [outcome.errno if outcome else 0 for outcome in outcomes] == [errno.EIO] * 3
    assert process.sync(files[:3]) == [None] * 3
    assert helper_of(process) != first


def test_a_signal_for_the_group_does_not_end_the_helper(files: list[int]) -> None:
    process = SyncProcess()
    process.sync(files[:3])
    helper = helper_of(process)
    os.kill(helper, signal.SIGTERM)
    os.kill(helper, signal.SIGINT)

    assert process.sync(files) == [None] * len(files)
    assert helper_of(process) == helper


def test_the_helper_ends_with_its_owner(files: list[int]) -> None:
    process = SyncProcess()
    process.sync(files[:3])
    helper = helper_of(process)
    del process
    gc.collect()

    with pytest.raises(ProcessLookupError):
        os.kill(helper, 0)


def test_without_a_helper_nothing_is_synced_and_somebody_else_must(
    files: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere/python")

    assert SyncProcess().sync(files) is None
