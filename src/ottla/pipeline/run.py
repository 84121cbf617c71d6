"""One run of a pipeline: connects, builds the plan, starts a query for each sink, watches them, keeps the position."""

import logging
import os
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ottla.client.errors import ClientError, ConnectionFailed, TimedOut
from ottla.model.topic import TopicPartition
from ottla.pipeline.brokers import Brokers, connected
from ottla.pipeline.connect import is_remote, own_session
from ottla.pipeline.imports import ImportQuery
from ottla.pipeline.measures import DEAD_LETTERS, RunMeasures
from ottla.pipeline.model import AVAILABLE_NOW, Pipeline, Sink, TopicSink
from ottla.pipeline.plan import build
from ottla.pipeline.positions import lowest
from ottla.pipeline.problems import PipelineFailed
from ottla.pipeline.queries import Query, start_stream
from ottla.pipeline.reset import start_of_reset
from ottla.pipeline.spark_errors import is_too_busy, patiently, spark_exceptions, summary
from ottla.pipeline.status import AT_WORK, FAILED, FINISHED, RUNNING, STARTING, STOPPED, WAITING, PipelineStatus
from ottla.pipeline.stream_sources import StreamSources

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

log = logging.getLogger(__name__)
_POLL_S: Final = 0.25
#: Every look at a query of a Connect server is a request.
_SERVER_POLL_S: Final = 1.0
_REPORT_S: Final = 1.0
_QUIESCE_S: Final = 30.0
_FIRST_OFFSETS_S: Final = 120.0
#: Queries of a driver begin one at a time, whatever pipeline they are of. Each starts a Python process, which Spark
#: gives ten seconds to connect back. And all sources share a map of environment variables, which Spark fills without
#: a lock when they begin: two at once damage it, and then no batch of this driver can be written any more.
_BEGINNING: Final = threading.Lock()
Report = Callable[[PipelineStatus], None]


class PipelineRun:
    """`report` gets the status about every second, and once at the end. Lives for one run, in one thread."""

    def __init__(
        self, pipeline: Pipeline, spark: "SparkSession", report: Report, *, once: bool, restarts: int = 0
    ) -> None:
        self._pipeline = pipeline
        # The driver's; while it runs, a pipeline has its own.
        self._driver = self._spark = spark
        self._poll_s = _SERVER_POLL_S if is_remote(spark) else _POLL_S
        self._report = report
        self._trigger: int | str = AVAILABLE_NOW if once else pipeline.trigger
        self._measures = RunMeasures()
        self._published: Mapping[TopicPartition, int] = {}
        #: The position of queries before their first batch; None where it is not known yet.
        self._starts: Mapping[TopicPartition, int] | None = None
        self._trouble = BrokerTrouble()
        self._status = PipelineStatus(
            pipeline.name, str(pipeline.path), STARTING, pid=os.getpid(), started_at=_now(), restarts=restarts
        )

    def run(self, stop: threading.Event) -> PipelineStatus:
        """Until it is done, it fails or `stop` is set. Raises PipelineFailed and PipelineFileInvalid."""
        self._tell(STARTING)
        try:
            with connected(self._pipeline) as brokers:
                brokers.check_topics()
                for topic in brokers.create_topics():
                    log.info("created topic %s", topic)
                if self._pipeline.topic_sources:
                    brokers.check_group()
                with own_session(self._driver) as self._spark:
                    is_done = self._rounds(brokers, stop)
        except _failures() as error:
            message = str(error) if isinstance(error, PipelineFailed) else summary(error)
            self._tell(FAILED, message)
            raise error if isinstance(error, PipelineFailed) else PipelineFailed(message) from error
        return self._tell(FINISHED if is_done else STOPPED)

    def _rounds(self, brokers: Brokers, stop: threading.Event) -> bool:
        """Queries are started again when a static table is due to be read anew. True when all are done."""
        while True:
            outcome = self._round(brokers, stop)
            if outcome != "refresh":
                return outcome == "done"
            log.info("reading static tables again")

    def _round(self, brokers: Brokers, stop: threading.Event) -> str:
        queries = self._start(brokers)
        try:
            return self._watch(queries, brokers, stop)
        finally:
            self._stop(queries, brokers)

    def _start(self, brokers: Brokers) -> list[Query]:
        partitions: dict[str, int] = {}
        for source in self._pipeline.topic_sources:
            partitions |= brokers.partitions_of(source)
        if self._pipeline.increments:
            return self._start_imports()
        # A group with offsets shows a position already: that of the last run, or of a reset.
        self._starts = None if brokers.committed() else brokers.starts()
        outputs = patiently("the plan", lambda: self._outputs(partitions))
        queries: list[Query] = []
        try:
            for sink, view in outputs:
                queries.append(patiently(f"sink {sink.name}", partial(self._started, sink, view)))
        except _failures():
            for query in queries:
                query.stop()
            raise
        return queries

    def _started(self, sink: Sink, view: "DataFrame") -> Query:
        with _BEGINNING:
            query = start_stream(self._pipeline.name, sink, view, self._trigger, self._pipeline.checkpoint)
            query.wait_for_first_offsets(_FIRST_OFFSETS_S)
        error = None if query.is_active else query.error()
        if error is not None and is_too_busy(error):
            raise PipelineFailed(f"sink {sink.name}: {error}")
        return query

    def _start_imports(self) -> list[Query]:
        once = self._trigger == AVAILABLE_NOW
        every_s = self._trigger / 1000 if isinstance(self._trigger, int) else _POLL_S
        folder = Path(self._pipeline.checkpoint)
        return [
            ImportQuery(self._pipeline, sink, self._spark, once=once, every_s=every_s, folder=folder).start()
            for sink in self._pipeline.sinks
        ]

    def _outputs(self, partitions: Mapping[str, int]) -> list[tuple[Sink, "DataFrame"]]:
        from pyspark.sql import functions as f

        plan = build(
            self._pipeline, self._spark, StreamSources(self._spark, partitions, start_of_reset(self._pipeline))
        )
        outputs: list[tuple[Sink, DataFrame]] = [(sink, plan.views[sink.view]) for sink in self._pipeline.sinks]
        for sink, view in outputs:
            if not view.isStreaming:
                raise PipelineFailed(f"sink {sink.name}: {sink.view} has no stream in it; read a topic or files")
        dead_letter: TopicSink | None = self._pipeline.dead_letter
        if dead_letter is not None and plan.refused is not None:
            counted = plan.refused.observe(DEAD_LETTERS, f.count(f.lit(1)).alias("count"))
            outputs.append((dead_letter, counted))
        return outputs

    def _watch(self, queries: list[Query], brokers: Brokers, stop: threading.Event) -> str:
        """`done`, `stop` or `refresh`. Raises PipelineFailed as soon as one query has failed."""
        refresh_at = None if self._pipeline.refresh_ms is None else time.monotonic() + self._pipeline.refresh_ms / 1000
        next_report = 0.0
        while True:
            active = [query for query in queries if query.is_active]
            for query in queries:
                self._measure(query)
                if query not in active and (error := query.error()) is not None:
                    raise PipelineFailed(f"sink {query.name}: {error}{_advice(error)}")
            if not active:
                return "done"
            if stop.wait(self._poll_s):
                return "stop"
            if refresh_at is not None and time.monotonic() >= refresh_at:
                return "refresh"
            if time.monotonic() >= next_report:
                self._publish(queries, brokers)
                self._tell(self._trouble.state, self._trouble.message)
                next_report = time.monotonic() + _REPORT_S

    def _measure(self, query: Query) -> None:
        measures = self._measures.of(query.name)
        known = -1 if measures.batch is None else measures.batch
        fresh = [report for report in query.reports() if int(report["batchId"]) > known]
        for report in fresh:
            measures.add(report)
        if not fresh and not query.is_busy:
            measures.rows_per_second = 0.0

    def _publish(self, queries: list[Query], brokers: Brokers) -> None:
        """Commits the group's offsets. Queries go on without it; the next second brings the next attempt."""
        try:
            brokers.check_reachable()
            position = self._position(queries)
            if position is not None and position != self._published:
                brokers.commit(position)
                self._published = position
            if position is not None and self._pipeline.topic_sources:
                self._status = replace(self._status, lag=brokers.lag(position))
        except ClientError as error:
            self._trouble.begins(error)
            self._status = replace(self._status, lag=None)
        else:
            self._trouble.ends()

    def _position(self, queries: list[Query]) -> Mapping[TopicPartition, int] | None:
        """None before every query has one, because the lowest counts."""
        positions = []
        for query in queries:
            position = query.position()
            if position is None and query.is_active:
                position = self._starts
                if position is None:
                    return None
            positions.append(position or {})
        return lowest(positions)

    def _stop(self, queries: list[Query], brokers: Brokers) -> None:
        """Between two batches where that comes soon, so that no batch has to be repeated."""
        deadline = time.monotonic() + _QUIESCE_S
        for query in queries:
            while query.is_busy and time.monotonic() < deadline:
                time.sleep(_POLL_S / 5)
            with suppress(*spark_exceptions()):
                query.stop()
        for query in queries:
            with suppress(*spark_exceptions()):
                self._measure(query)
        self._publish(queries, brokers)

    def _tell(self, state: str, error: str | None = None) -> PipelineStatus:
        fields = self._measures.fields()
        if state not in (STARTING, RUNNING):
            fields["rows_per_second"] = 0.0
        self._status = replace(self._status, state=state, last_error=error, updated_at=_now(), **fields)
        if state not in AT_WORK:
            self._status = replace(self._status, pid=None)
        self._report(self._status)
        return self._status


class BrokerTrouble:
    """What a run cannot do with its brokers, and since when."""

    def __init__(self) -> None:
        self.state = RUNNING
        self.message: str | None = None
        self._since = ""

    def begins(self, error: ClientError) -> None:
        """Again and again while it lasts."""
        if self.message is None:
            self._since = _now()
            log.warning("the group's offsets cannot be committed: %s", error)
        # A broker that refuses a request is there: the queries may do well.
        is_gone = isinstance(error, TimedOut | ConnectionFailed)
        self.state = WAITING if is_gone else RUNNING
        what = "no broker responds" if is_gone else "the group's offsets cannot be committed"
        self.message = f"{what} since {self._since}: {error}"

    def ends(self) -> None:
        self.state, self.message = RUNNING, None


def _advice(error: str) -> str:
    """What to do about changes that a checkpoint cannot follow."""
    signs = (
        "STATE_STORE",
        "STATE_SCHEMA",
        "INCOMPATIBLE_CHECKPOINT",
        "STATEFUL_OPERATOR",
        "offset log",
        "sources in the checkpoint",
    )
    if any(sign.lower() in error.lower() for sign in signs):
        return (
            "; the file has changed in a way that the checkpoint cannot follow: undo the change, or drop "
            "the state with `ottla pipeline reset-offsets FILE --to current`"
        )
    return ""


def _failures() -> tuple[type[Exception], ...]:
    return (PipelineFailed, ClientError, *spark_exceptions())


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
