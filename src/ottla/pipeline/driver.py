"""`python -m ottla.pipeline.driver ROOT DRIVER`: one Spark session and the pipelines that shall run in it."""

import signal
import sys
import threading
import time
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from ottla.pipeline.background import HEALTHY_S, backoff_s, wanted_by
from ottla.pipeline.driver_session import driver_session
from ottla.pipeline.file import load
from ottla.pipeline.problems import PipelineFailed, PipelineFileInvalid
from ottla.pipeline.run import PipelineRun
from ottla.pipeline.status import BACKING_OFF, FAILED, FINISHED, PipelineState, PipelineStatus

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_POLL_S = 0.5
_LOG_EVERY_S = 10.0


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
                self._log("started")
                self._runs()
                self._log("ended")
        except PipelineFailed as error:
            self._log(str(error))
            self._state.unwant()

    def _runs(self) -> None:
        failures = restarts = 0
        while not self.stopping.is_set():
            started = time.monotonic()
            error = self._run_once(restarts)
            if error is None:
                return
            failures = 1 if time.monotonic() - started > HEALTHY_S else failures + 1
            restarts += 1
            self._log(f"failed: {error}; started again in {backoff_s(failures):.0f} s")
            self.stopping.wait(backoff_s(failures))

    def _run_once(self, restarts: int) -> str | None:
        """The error of a run that is to be repeated."""
        wanted = self._state.wanted()
        if wanted is None:
            return None
        try:
            pipeline = load(Path(wanted["file"]), wanted["sets"])
            status = PipelineRun(pipeline, self._spark, self._report, once=False, restarts=restarts).run(self.stopping)
        except PipelineFileInvalid as error:
            self._give_up(str(error))
            return None
        except PipelineFailed as error:
            last = self._state.read()
            if last is not None:
                self._state.write(_backing_off(last, str(error)))
            return str(error)
        if status.state == FINISHED:
            self._state.unwant()
        return None

    def _give_up(self, error: str) -> None:
        """A wrong file does not get right by itself."""
        self._log(error)
        self._state.write(PipelineStatus(self._state.name, str(self._state.wanted()), FAILED, last_error=error))
        self._state.unwant()

    def _report(self, status: PipelineStatus) -> None:
        self._state.write(status)
        state, logged_at = self._logged
        if status.state != state or time.monotonic() - logged_at > _LOG_EVERY_S:
            self._logged = (status.state, time.monotonic())
            self._log(
                f"{status.state}: batch {status.batch}, {status.rows} rows, {status.rows_per_second:.0f} rows/s, "
                f"lag {status.lag}, {status.dead_letters} dead letters"
            )

    def _log(self, text: str) -> None:
        moment = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        with open(self._state.log, "a", encoding="utf-8") as out:
            out.write(f"{moment} {text}\n")


def _backing_off(status: PipelineStatus, error: str) -> PipelineStatus:
    from dataclasses import replace

    return replace(status, state=BACKING_OFF, last_error=error)


def drive(root: Path, driver: str, stop: threading.Event) -> None:
    """Returns when nothing is wanted. Raises PipelineFailed when Spark does not start or is gone."""
    first = wanted_by(root, driver)
    if not first:
        return
    wanted: Any = first[0].wanted()
    with driver_session(load(Path(wanted["file"]), wanted["sets"])) as spark:
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
            if spark.sparkContext._jsc.sc().isStopped():
                raise PipelineFailed("Spark has stopped")
            stop.wait(_POLL_S) if not stop.is_set() else time.sleep(_POLL_S)


def main() -> int:
    root, driver = sys.argv[1:]
    stop = threading.Event()

    def on_signal(number: int, frame: FrameType | None) -> None:
        stop.set()

    signal.signal(signal.SIGTERM, on_signal)
    signal.signal(signal.SIGINT, on_signal)
    try:
        drive(Path(root), driver, stop)
    except (PipelineFailed, PipelineFileInvalid) as error:
        for state in wanted_by(Path(root), driver):
            last = state.read()
            if last is not None:
                state.write(_backing_off(last, str(error)))
            if isinstance(error, PipelineFileInvalid):
                state.unwant()
        print(error, file=sys.stderr, flush=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
