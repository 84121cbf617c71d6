"""Continuous import of a database table: a loop of batches, each with the rows whose `increment` is new.

    <checkpoint>/<sink>/import.json    query id, the batch that runs or ran last, its bounds, whether it is done

The bounds are stored before a batch is written, so that a batch that is repeated has the same rows and the same id.
Rows become visible in another order than their numbers were given: `lag` waits with a bound until it is that old.
"""

import threading
import time
import uuid
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ottla.model.topic import TopicPartition
from ottla.pipeline.batch_sinks import output_of, writer_of
from ottla.pipeline.jdbc_batches import dialect_of, quoted
from ottla.pipeline.model import JdbcSource, Pipeline, Sink
from ottla.pipeline.plan import build
from ottla.pipeline.problems import PipelineFailed, PipelineFileInvalid
from ottla.pipeline.spark_errors import spark_exceptions, summary
from ottla.pipeline.status import read_json, write_json
from ottla.pipeline.stream_sources import StreamSources
from ottla.pipeline.views import jdbc_reader

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@dataclass(frozen=True)
class ImportPosition:
    """Rows with `low < increment <= high` are in this batch; bounds are the database's own texts."""

    query_id: str
    batch: int
    low: str | None
    high: str | None
    is_done: bool

    def following(self, high: str | None) -> "ImportPosition | None":
        """The next batch; None if there is nothing new."""
        if not self.is_done:
            return self
        if high is None or high == self.high:
            return None
        return ImportPosition(self.query_id, self.batch + 1, self.high, high, False)


def first_position(query_id: str) -> ImportPosition:
    return ImportPosition(query_id, -1, None, None, True)


def batch_query(source: JdbcSource, position: ImportPosition) -> str:
    """Bounds are text literals: databases convert them to the type of the column."""
    column = quoted(source.increment or "", source.url)
    conditions = [
        f"{column} {sign} {_literal(bound)}"
        for sign, bound in ((">", position.low), ("<=", position.high))
        if bound is not None
    ]
    return f"(SELECT * FROM {source.table} WHERE {' AND '.join(conditions) or '1 = 1'}) ottla_rows"


def high_query(source: JdbcSource) -> str:
    text = "CHAR" if dialect_of(source.url) in ("mysql", "mariadb") else "VARCHAR(64)"
    column = quoted(source.increment or "", source.url)
    return f"(SELECT CAST(max({column}) AS {text}) AS high FROM {source.table}) ottla_high"


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


class Bounds:
    """Upper bounds that were seen, and which of them is old enough. `lag_ms` 0 takes the newest at once."""

    def __init__(self, lag_ms: int) -> None:
        self._lag_ms = lag_ms
        self._seen: deque[tuple[int, str | None]] = deque()
        self._ripe: str | None = None

    def add(self, now_ms: int, high: str | None) -> None:
        self._seen.append((now_ms, high))

    def ripe(self, now_ms: int) -> str | None:
        while self._seen and self._seen[0][0] <= now_ms - self._lag_ms:
            self._ripe = self._seen.popleft()[1]
        return self._ripe


class ImportQuery:
    """A thread that imports into one sink, with the face of a streaming query."""

    def __init__(
        self, pipeline: Pipeline, sink: Sink, spark: "SparkSession", *, once: bool, every_s: float, folder: Path
    ) -> None:
        self.name = sink.name
        self._pipeline, self._sink, self._spark = pipeline, sink, spark
        self._source = pipeline.increments[0]
        self._file = folder / sink.name / "import.json"
        self._once, self._every_s = once, every_s
        self._stopping = threading.Event()
        self._error: str | None = None
        self._reports: deque[Mapping[str, Any]] = deque(maxlen=100)
        self._is_busy = False
        self._thread = threading.Thread(target=self._run, name=f"import {sink.name}", daemon=True)

    def start(self) -> "ImportQuery":
        self._thread.start()
        return self

    @property
    def is_active(self) -> bool:
        return self._thread.is_alive()

    @property
    def is_busy(self) -> bool:
        return self._is_busy

    def error(self) -> str | None:
        return self._error

    def reports(self) -> Iterator[Mapping[str, Any]]:
        yield from list(self._reports)

    def position(self) -> Mapping[TopicPartition, int] | None:
        return {}

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join()

    def _run(self) -> None:
        # Until the loop has ended regularly: a thread that dies of a bug must not look like one that is done.
        self._error = "the import ended unexpectedly"
        try:
            self._loop()
            self._error = None
        except spark_exceptions() as error:
            self._error = summary(error)
        except (PipelineFailed, PipelineFileInvalid, OSError, ValueError) as error:
            self._error = str(error)

    def _loop(self) -> None:
        stored = read_json(self._file)
        position = first_position(str(uuid.uuid4())) if stored is None else ImportPosition(**stored)
        bounds = Bounds(self._source.lag_ms)
        bounds.add(_now_ms(), self._high())
        if self._once:
            self._stopping.wait(self._source.lag_ms / 1000)
        while not self._stopping.is_set():
            following = position.following(bounds.ripe(_now_ms()))
            if following is not None:
                position = self._write(following)
                continue
            if self._once:
                return
            self._stopping.wait(self._every_s)
            bounds.add(_now_ms(), self._high())

    def _high(self) -> str | None:
        row = jdbc_reader(self._spark, self._source, high_query(self._source)).first()
        return None if row is None or row[0] is None else str(row[0]).strip()

    def _write(self, position: ImportPosition) -> ImportPosition:
        started_ms = _now_ms()
        self._is_busy = True
        try:
            write_json(self._file, asdict(position))
            # Every batch has views of its own, in a session of its own: sinks import side by side.
            session = self._spark.newSession()
            _activate(session)
            rows = jdbc_reader(session, self._source, batch_query(self._source, position))
            view = build(self._pipeline, session, _BatchSources(session, self._source, rows)).views[self._sink.view]
            output = output_of(self._sink, view)
            rows.cache()
            count = int(rows.count())
            writer_of(self._sink)(output, position.query_id, position.batch)
            rows.unpersist()
            done = ImportPosition(position.query_id, position.batch, position.low, position.high, True)
            write_json(self._file, asdict(done))
        finally:
            self._is_busy = False
        took_ms = max(1, _now_ms() - started_ms)
        self._reports.append(
            {
                "batchId": position.batch,
                "numInputRows": count,
                "processedRowsPerSecond": count * 1000 / took_ms,
                "durationMs": {"triggerExecution": took_ms},
            }
        )
        return done


class _BatchSources(StreamSources):
    """The rows of one batch in the place of the table."""

    def __init__(self, spark: "SparkSession", source: JdbcSource, rows: "DataFrame") -> None:
        super().__init__(spark, {})
        self._source = source
        self._rows = rows

    def jdbc(self, source: JdbcSource) -> "DataFrame":
        return self._rows if source == self._source else super().jdbc(source)


def _activate(session: Any) -> None:
    """Spark looks for data sources that are written in Python in the active session, and a new thread has none."""
    session._get_j_spark_session_class(session._jvm).setActiveSession(session._jsparkSession)


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000
