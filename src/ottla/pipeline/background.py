"""Pipelines that run in the background: which shall run, in which driver, and the processes that run them.

    start ──► wanted.json of the pipeline ◄── stop (removes it)
                  │
    supervisor    one for each driver key; starts the driver again with back-off when it dies
      driver      one Spark session; a thread for each wanted pipeline, started again with back-off when it fails

The supervisor and the driver end when nothing is wanted any more.
"""

import hashlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from ottla.pipeline.model import Pipeline
from ottla.pipeline.problems import PipelineFailed
from ottla.pipeline.status import KILLED, STARTING, DriverFiles, PipelineState, PipelineStatus, all_states

BACKOFF_MAX_S: Final = 60.0
#: A run that lasted this long was healthy: the next failure starts with the shortest back-off again.
HEALTHY_S: Final = 60.0
_POLL_S: Final = 0.1


def backoff_s(failures: int) -> float:
    """1, 2, 4, … up to a minute."""
    return float(min(BACKOFF_MAX_S, 2.0 ** min(failures - 1, 16)))


def driver_of(pipeline: Pipeline) -> str:
    """Equal for pipelines that may share a driver."""
    return hashlib.sha256(repr(pipeline.driver_key).encode()).hexdigest()[:12]


def wanted_by(root: Path, driver: str) -> list[PipelineState]:
    return [state for state in all_states(root) if (wanted := state.wanted()) and wanted.driver == driver]


def start_in_background(pipeline: Pipeline, sets: Sequence[str], variables: Mapping[str, str], root: Path) -> None:
    """`variables` are those of the environment that the file refers to. Raises PipelineFailed if it runs already."""
    state = PipelineState(root, pipeline.name)
    if state.is_running():
        raise PipelineFailed(f"pipeline {pipeline.name} is running already; see `ottla pipeline status`")
    driver = driver_of(pipeline)
    state.write(PipelineStatus(pipeline.name, str(pipeline.path), STARTING))
    state.want(pipeline.path, sets, variables, driver)
    _start_supervisor(root, driver)


def _start_supervisor(root: Path, driver: str) -> None:
    """More than one does no harm: those that do not get the lock end at once."""
    files = DriverFiles(root, driver)
    files.folder.mkdir(parents=True, exist_ok=True)
    # -P: modules of the working directory must not hide those of the product.
    command = [sys.executable, "-P", "-m", "ottla.pipeline.supervisor", str(root), driver]
    with open(files.log, "ab") as log:
        subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)


def stop_and_wait(state: PipelineState, timeout_s: float) -> None:
    """Also ends a run in the foreground. Raises PipelineFailed if it does not end in time."""
    state.unwant()
    pid = state.foreground_pid()
    if pid is not None:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)
    if not wait_until(lambda: not state.is_locked(), timeout_s):
        raise PipelineFailed(f"pipeline {state.name} did not stop within {timeout_s:.0f} s; see `ottla pipeline logs`")
    state.mark_stopped()


def wait_for_start(state: PipelineState, timeout_s: float) -> PipelineStatus | None:
    """Its first state after `starting`; None if that takes longer. Until its supervisor is up it looks killed."""

    def status() -> PipelineStatus | None:
        found = state.read()
        return None if found is None or found.state in (STARTING, KILLED) else found

    wait_until(lambda: status() is not None, timeout_s)
    return status()


def wait_until(is_true: Callable[[], bool], timeout_s: float) -> bool:
    deadline = time.monotonic() + timeout_s
    while not is_true():
        if time.monotonic() >= deadline:
            return False
        time.sleep(_POLL_S)
    return True
