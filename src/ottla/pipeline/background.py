"""Pipelines that run in the background: who shall run, in which driver, and the processes that see to it.

    start ──► wanted.json of the pipeline ◄── stop (removes it)
                  │
    supervisor    one for each driver key; starts the driver again with back-off when it dies
      driver      one Spark session; a thread for each wanted pipeline, started again with back-off when it fails

The supervisor and the driver end when nothing is wanted any more.
"""

import fcntl
import hashlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from ottla.pipeline.model import Pipeline
from ottla.pipeline.problems import PipelineFailed
from ottla.pipeline.status import PipelineState, PipelineStatus, all_states

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
    return [state for state in all_states(root) if (wanted := state.wanted()) and wanted["driver"] == driver]


class DriverFiles:
    """Of one driver: `.drivers/<key>.lock` is held by its supervisor, `.drivers/<key>.log` has what Spark prints."""

    def __init__(self, root: Path, driver: str) -> None:
        self.folder = root / ".drivers"
        self.lock = self.folder / f"{driver}.lock"
        self.log = self.folder / f"{driver}.log"


def start_in_background(pipeline: Pipeline, sets: tuple[str, ...], root: Path) -> None:
    """Raises PipelineFailed if it runs already."""
    state = PipelineState(root, pipeline.name)
    if state.is_locked() or state.wanted() is not None:
        raise PipelineFailed(f"pipeline {pipeline.name} is running already; see `ottla pipeline status`")
    driver = driver_of(pipeline)
    state.folder.mkdir(parents=True, exist_ok=True)
    state.write(PipelineStatus(pipeline.name, str(pipeline.path), "starting"))
    state.want(pipeline.path, sets, driver)
    _ensure_supervisor(root, driver)


def _ensure_supervisor(root: Path, driver: str) -> None:
    """More than one does no harm: those that do not get the lock end at once."""
    files = DriverFiles(root, driver)
    files.folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "ottla.pipeline.supervisor", str(root), driver]
    with open(files.log, "ab") as log:
        subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)


def stop_and_wait(state: PipelineState, timeout_s: float) -> None:
    """Also ends a run in the foreground. Raises PipelineFailed if it does not end in time."""
    was_wanted = state.wanted() is not None
    state.unwant()
    status = state.read()
    if not was_wanted and status is not None and status.pid is not None and state.is_locked():
        os.kill(status.pid, signal.SIGTERM)
    if not wait_until(lambda: not state.is_locked(), timeout_s):
        raise PipelineFailed(f"pipeline {state.name} did not stop within {timeout_s:.0f} s; see `ottla pipeline logs`")


def wait_for_start(state: PipelineState, timeout_s: float) -> PipelineStatus | None:
    """Its first state after `starting`; None if that takes longer."""

    def status() -> PipelineStatus | None:
        found = state.read()
        return None if found is None or found.state in ("starting", "killed") else found

    wait_until(lambda: status() is not None, timeout_s)
    return status()


def wait_until(is_true: Callable[[], bool], timeout_s: float) -> bool:
    deadline = time.monotonic() + timeout_s
    while not is_true():
        if time.monotonic() >= deadline:
            return False
        time.sleep(_POLL_S)
    return True


def supervise(root: Path, driver: str, command: Sequence[str]) -> None:
    """Runs the driver until nothing is wanted. Started again with back-off when it dies."""
    files = DriverFiles(root, driver)
    with open(files.lock, "w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return
        failures = 0
        while wanted_by(root, driver):
            started = time.monotonic()
            code = subprocess.call(list(command))
            if code == 0:
                failures = 0
                continue
            failures = 1 if time.monotonic() - started > HEALTHY_S else failures + 1
            print(f"the driver ended with {code}; started again in {backoff_s(failures):.0f} s", flush=True)
            wait_until(lambda: not wanted_by(root, driver), backoff_s(failures))
