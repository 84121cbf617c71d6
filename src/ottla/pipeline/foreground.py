"""`run`: pipelines in this process, with one driver and one thread for each pipeline."""

import logging
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from ottla.pipeline.driver_session import driver_session
from ottla.pipeline.model import Pipeline
from ottla.pipeline.problems import PipelineFailed, PipelineFileInvalid
from ottla.pipeline.run import PipelineRun
from ottla.pipeline.status import FAILED, STARTING, PipelineState, PipelineStatus

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

log = logging.getLogger(__name__)
Show = Callable[[PipelineStatus], None]


def check_one_driver(pipelines: Sequence[Pipeline]) -> None:
    first = pipelines[0]
    for other in pipelines[1:]:
        if other.driver_key != first.driver_key:
            raise PipelineFailed(
                f"{other.path.name} and {first.path.name} differ in master or spark: one process has one driver; "
                "run them apart, or use `ottla pipeline start`, which gives each its own"
            )
        if other.name in {pipeline.name for pipeline in pipelines if pipeline is not other}:
            raise PipelineFailed(f"two files have the name {other.name}")


def run_all(pipelines: Sequence[Pipeline], root: Path, show: Show, *, once: bool) -> list[Exception]:
    """Until all are done, one fails or the process is told to stop; the errors. Raises PipelineFailed."""
    check_one_driver(pipelines)
    stop = threading.Event()
    with ExitStack() as stack:
        states = {pipeline.name: PipelineState(root, pipeline.name) for pipeline in pipelines}
        for state in states.values():
            stack.enter_context(state.lock(os.getpid()))
        stack.enter_context(_stopped_by_signals(stop))
        for pipeline in pipelines:
            starting = PipelineStatus(pipeline.name, str(pipeline.path), STARTING, pid=os.getpid())
            states[pipeline.name].write(starting)
            show(starting)
        try:
            spark = stack.enter_context(driver_session(pipelines[0]))
        except PipelineFailed as error:
            for pipeline in pipelines:
                states[pipeline.name].write(
                    PipelineStatus(pipeline.name, str(pipeline.path), FAILED, last_error=str(error))
                )
            raise
        # PySpark has set a SIGINT handler of its own, which cancels running jobs: ours again, on top of it.
        stack.enter_context(_stopped_by_signals(stop))
        workers = [Worker(pipeline, spark, states[pipeline.name], show, stop, once=once) for pipeline in pipelines]
        for worker in workers:
            worker.start()
        for worker in workers:
            # A wait with a timeout lets the main thread see signals.
            while worker.is_alive():
                worker.join(0.2)
        return [worker.error for worker in workers if worker.error is not None]


class Worker(threading.Thread):
    """One pipeline; a failure of it stops the others of the process."""

    def __init__(
        self,
        pipeline: Pipeline,
        spark: "SparkSession",
        state: PipelineState,
        show: Show,
        stop: threading.Event,
        *,
        once: bool,
    ) -> None:
        super().__init__(name=f"pipeline {pipeline.name}")
        # Until it has ended regularly: a thread that dies of a bug must not look like one that is done.
        self.error: Exception | None = PipelineFailed(f"pipeline {pipeline.name} ended unexpectedly")
        self._pipeline, self._spark, self._state = pipeline, spark, state
        self._show, self._stop_all, self._once = show, stop, once

    def run(self) -> None:
        def report(status: PipelineStatus) -> None:
            self._state.write(status)
            self._show(status)

        try:
            PipelineRun(self._pipeline, self._spark, report, once=self._once).run(self._stop_all)
            self.error = None
        except PipelineFileInvalid as error:
            report(PipelineStatus(self._pipeline.name, str(self._pipeline.path), FAILED, last_error=str(error)))
            self.error = error
            self._stop_all.set()
        except PipelineFailed as error:
            self.error = error
            self._stop_all.set()


@contextmanager
def _stopped_by_signals(stop: threading.Event) -> Iterator[None]:
    """Ctrl-C and SIGTERM let running batches finish; a second one ends the process at once."""

    def on_signal(number: int, frame: FrameType | None) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    before = {number: signal.signal(number, on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
