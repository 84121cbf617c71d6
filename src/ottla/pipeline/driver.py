"""`python -m ottla.pipeline.driver ROOT DRIVER`: one Spark session and the pipelines that shall run in it."""

import signal
import sys
import threading
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from ottla.pipeline.background import HEALTHY_S, backoff_s, wait_until, wanted_by
from ottla.pipeline.connect import is_stopped
from ottla.pipeline.driver_session import driver_session
from ottla.pipeline.file import load
from ottla.pipeline.locks import LockHeld, held
from ottla.pipeline.model import Pipeline
from ottla.pipeline.problems import PipelineFailed, PipelineFileInvalid
from ottla.pipeline.run import PipelineRun
from ottla.pipeline.spark_errors import spark_exceptions, summary
from ottla.pipeline.status import (
    BACKING_OFF,
    FAILED,
    FINISHED,
    DriverFiles,
    PipelineState,
    PipelineStatus,
    Wanted,
)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_POLL_S = 0.5
_LOG_EVERY_S = 10.0


def load_wanted(wanted: Wanted) -> Pipeline:
    """As `start` has read it. Raises PipelineFileInvalid."""
    return load(Path(wanted.file), wanted.sets, wanted.variables)


class SupervisedPipeline(threading.Thread):
    """Runs one pipeline again and again until it is done, or is not wanted any more."""

    def __init__(self, state: PipelineState, spark: "SparkSession") -> None:
        super().__init__(name=f"pipeline {state.name}", daemon=True)
        self.stopping = threading.Event()
        self._state = state
        self._spark = spark
        self._logged = ("", 0.0)

    def run(self) -> None:
        try:
            with self._state.lock():
                _log(self._state, "started")
                self._runs()
                _log(self._state, "ended")
        except PipelineFailed as error:
            # It runs in the foreground already.
            _log(self._state, str(error))
            self._state.unwant()

    def _runs(self) -> None:
        failures = restarts = 0
        while not self.stopping.is_set() and (wanted := self._state.wanted()) is not None:
            started = time.monotonic()
            error = self._run_once(wanted, restarts)
            if error is None:
                return
            failures = 1 if time.monotonic() - started > HEALTHY_S else failures + 1
            restarts += 1
            pause_s = backoff_s(failures)
            _log(self._state, f"failed: {error}; started again in {pause_s:.0f} s")
            self.stopping.wait(pause_s)

    def _run_once(self, wanted: Wanted, restarts: int) -> str | None:
        """The error of a run that is to be repeated."""
        try:
            run = PipelineRun(load_wanted(wanted), self._spark, self._report, once=False, restarts=restarts)
            status = run.run(self.stopping)
        except PipelineFileInvalid as error:
            give_up(self._state, wanted, error)
            return None
        except (PipelineFailed, OSError) as error:
            return self._backs_off(str(error))
        except spark_exceptions() as error:
            return self._backs_off(summary(error))
        if status.state == FINISHED:
            self._state.unwant()
        return None

    def _backs_off(self, error: str) -> str:
        back_off(self._state, error)
        return error

    def _report(self, status: PipelineStatus) -> None:
        self._state.write(status)
        state, logged_at = self._logged
        if status.state != state or time.monotonic() - logged_at > _LOG_EVERY_S:
            self._logged = (status.state, time.monotonic())
            _log(
                self._state,
                f"{status.state}: batch {status.batch}, {status.rows} rows, {status.rows_per_second:.0f} rows/s, "
                f"lag {status.lag}, {status.dead_letters} dead letters"
                + (f": {status.last_error}" if status.last_error else ""),
            )


def _log(state: PipelineState, text: str) -> None:
    moment = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    for line in text.splitlines():
        state.append_to_log(f"{moment} {line}")


def back_off(state: PipelineState, error: str) -> None:
    status = state.read()
    if status is not None:
        state.write(replace(status, state=BACKING_OFF, last_error=error, rows_per_second=0.0))


def give_up(state: PipelineState, wanted: Wanted, error: PipelineFileInvalid) -> None:
    """A wrong file does not get right by itself."""
    _log(state, str(error))
    status = state.read() or PipelineStatus(state.name, wanted.file, FAILED)
    state.write(replace(status, state=FAILED, last_error=str(error), rows_per_second=0.0, pid=None))
    state.unwant()


def drive(root: Path, driver: str, stop: threading.Event) -> None:
    """Returns when nothing is wanted. Raises PipelineFailed when Spark does not start or is gone."""
    pipeline = _first_valid(root, driver)
    if pipeline is None:
        return
    with driver_session(pipeline) as spark:
        running: dict[str, SupervisedPipeline] = {}
        while True:
            states = {state.name: state for state in wanted_by(root, driver)} if not stop.is_set() else {}
            running = {name: thread for name, thread in running.items() if thread.is_alive()}
            for name, thread in running.items():
                if name not in states:
                    thread.stopping.set()
            for name in states.keys() - running.keys():
                running[name] = SupervisedPipeline(states[name], spark)
                running[name].start()
            if not running:
                return
            if is_stopped(spark):
                raise PipelineFailed("Spark has stopped")
            time.sleep(_POLL_S)


def _first_valid(root: Path, driver: str) -> Pipeline | None:
    """Whose master and settings the session gets: those of all are equal."""
    for state in wanted_by(root, driver):
        wanted = state.wanted()
        if wanted is None:
            continue
        try:
            return load_wanted(wanted)
        except PipelineFileInvalid as error:
            give_up(state, wanted, error)
    return None


def drive_alone(root: Path, driver: str, stop: threading.Event) -> None:
    """Waits for a driver whose supervisor was killed: it may still run the pipelines."""
    while not stop.is_set() and wanted_by(root, driver):
        try:
            with held(DriverFiles(root, driver).driver_lock):
                drive(root, driver, stop)
                return
        except LockHeld:
            wait_until(stop.is_set, _POLL_S)


def main() -> int:
    root, driver = Path(sys.argv[1]), sys.argv[2]
    stop = threading.Event()

    def on_signal(number: int, frame: FrameType | None) -> None:
        stop.set()

    signal.signal(signal.SIGTERM, on_signal)
    signal.signal(signal.SIGINT, on_signal)
    try:
        drive_alone(root, driver, stop)
    except PipelineFailed as error:
        return _ended(root, driver, str(error))
    except spark_exceptions() as error:
        return _ended(root, driver, f"Spark has ended: {summary(error)}")
    return 0


def _ended(root: Path, driver: str, reason: str) -> int:
    """Exit code 1: the supervisor starts the driver again."""
    for state in wanted_by(root, driver):
        _log(state, reason)
        back_off(state, reason)
    print(reason, file=sys.stderr, flush=True)
    return 1


if __name__ == "__main__":
    sys.exit(main())
