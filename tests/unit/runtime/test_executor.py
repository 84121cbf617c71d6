"""Threads and the helper process."""

import asyncio
import os
import threading

import pytest

from ottla.doors.disk import Disk
from ottla.runtime.executor import OsExecutor


def own_process(disk: Disk, factor: int) -> tuple[int, int, bool]:
    return os.getpid(), factor * 2, disk.exists("/")


def end_of_the_process(disk: Disk) -> None:
    os._exit(9)


def test_work_runs_in_another_thread() -> None:
    executor = OsExecutor()

    name = asyncio.run(executor.run(lambda: threading.current_thread().name))
    executor.close()

    assert name.startswith("ottla")


def test_work_apart_runs_in_another_process_with_a_disk_of_its_own() -> None:
    executor = OsExecutor()

    pid, doubled, has_disk = asyncio.run(executor.run_apart(own_process, 21))
    executor.close()

    assert pid != os.getpid()
    assert (doubled, has_disk) == (42, True)


def test_a_helper_that_was_killed_is_replaced() -> None:
    executor = OsExecutor()

    async def story() -> tuple[int, int, bool]:
        with pytest.raises(ChildProcessError):
            await executor.run_apart(end_of_the_process)
        return await executor.run_apart(own_process, 21)

    pid, doubled, _ = asyncio.run(story())
    executor.close()

    assert pid != os.getpid()
    assert doubled == 42
