"""The queries of a run: one for each sink. A stream is Spark's; an import is a loop of batches (`imports.py`)."""

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from ottla.model.topic import TopicPartition
from ottla.pipeline.batch_sinks import output_of, writer_of
from ottla.pipeline.connect import is_remote, observed_counts
from ottla.pipeline.model import ASAP, AVAILABLE_NOW, Sink
from ottla.pipeline.positions import committed_position, position_of
from ottla.pipeline.spark_errors import spark_exceptions, summary

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.streaming import StreamingQuery

_START_TIMEOUT_S: Final = 60.0
_POLL_S: Final = 0.05


class Query(Protocol):
    name: str

    @property
    def is_active(self) -> bool: ...

    @property
    def is_busy(self) -> bool:
        """In the middle of a batch."""

    def error(self) -> str | None:
        """Why it has ended by itself; None while it runs, and after a regular end."""

    def reports(self) -> Iterator[Mapping[str, Any]]:
        """Progress reports, oldest first; some of them again."""

    def position(self) -> Mapping[TopicPartition, int] | None:
        """Of its last batch; None before the first."""

    def stop(self) -> None: ...


class StreamQuery:
    """A streaming query of Spark that writes its batches by `foreachBatch`."""

    def __init__(self, name: str, query: "StreamingQuery", folder: Path | None) -> None:
        """`folder` is its checkpoint, where that is on this machine."""
        self.name = name
        self._query = query
        self._folder = folder

    @property
    def is_active(self) -> bool:
        return bool(self._query.isActive)

    @property
    def is_busy(self) -> bool:
        return self.is_active and bool(self._query.status["isTriggerActive"])

    def error(self) -> str | None:
        raised = self._query.exception()
        return None if raised is None else summary(raised)

    def reports(self) -> Iterator[Mapping[str, Any]]:
        for progress in self._query.recentProgress:
            yield report_of(progress)

    def position(self) -> Mapping[TopicPartition, int] | None:
        if self._folder is not None:
            return committed_position(self._folder)
        last = self._query.lastProgress
        return None if last is None else position_of(source.endOffset or "" for source in last.sources)

    def stop(self) -> None:
        self._query.stop()

    def wait_for_first_offsets(self, timeout_s: float) -> None:
        """Until its sources are there, it has ended, or the timeout is over."""
        deadline = time.monotonic() + timeout_s
        while self.is_active and time.monotonic() < deadline:
            if not self._query.status["message"].startswith("Initializing"):
                return
            time.sleep(_POLL_S)


def report_of(progress: Any) -> Mapping[str, Any]:
    return {
        "batchId": progress.batchId,
        "numInputRows": progress.numInputRows,
        "processedRowsPerSecond": progress.processedRowsPerSecond,
        "durationMs": dict(progress.durationMs),
        "stateOperators": [{"numRowsDroppedByWatermark": s.numRowsDroppedByWatermark} for s in progress.stateOperators],
        "observedMetrics": {name: observed_counts(row.asDict()) for name, row in progress.observedMetrics.items()},
    }


class _QueryId:
    """Known after the start of the query, needed by its first batch, which runs in another thread."""

    def __init__(self) -> None:
        self._is_known = threading.Event()
        self._value = ""

    def set(self, value: str) -> None:
        self._value = value
        self._is_known.set()

    def get(self) -> str:
        if not self._is_known.wait(_START_TIMEOUT_S):
            raise TimeoutError("the query has not started")
        return self._value


class _ServerBatches:
    """Pickled for a Python process of the Connect server, where Spark's checkpoint tells the id of the query."""

    def __init__(self, sink: Sink, folder: str) -> None:
        self._sink = sink
        self._folder = folder
        self._query_id = ""

    def __call__(self, frame: "DataFrame", batch_id: int) -> None:
        if not self._query_id:
            metadata = frame.sparkSession.read.text(f"{self._folder}/metadata").first()
            self._query_id = str(json.loads(metadata[0])["id"])
        writer_of(self._sink)(frame, self._query_id, batch_id)


def start_stream(pipeline: str, sink: Sink, view: "DataFrame", trigger: int | str, checkpoint: str) -> StreamQuery:
    """Raises what Spark raises when the plan or the checkpoint is refused."""
    folder = f"{checkpoint.rstrip('/')}/{sink.name}"
    is_of_server = is_remote(view.sparkSession)
    query_id = _QueryId()
    write = writer_of(sink)

    def write_batch(frame: "DataFrame", batch_id: int) -> None:
        write(frame, query_id.get(), batch_id)

    batches = _ServerBatches(sink, folder) if is_of_server else write_batch
    writer = output_of(sink, view).writeStream.foreachBatch(batches).outputMode(sink.mode)
    writer = writer.option("checkpointLocation", folder).queryName(f"{pipeline}/{sink.name}")
    query = _triggered(writer, trigger).start()
    query_id.set(query.id)
    return StreamQuery(sink.name, query, None if is_of_server or "://" in folder else Path(folder))


def _triggered(writer: Any, trigger: int | str) -> Any:
    if trigger == AVAILABLE_NOW:
        return writer.trigger(availableNow=True)
    return writer.trigger(processingTime=f"{0 if trigger == ASAP else trigger} milliseconds")


def check_stream(sink: Sink, view: "DataFrame", say: Callable[[str], None]) -> None:
    """Whether the sink's expressions are right, and whether Spark can run this plan as a stream in this mode."""
    try:
        output = output_of(sink, view)
        output.schema  # noqa: B018 - analysis happens here
        if output.isStreaming:
            _check_mode(output, sink.mode)
    except spark_exceptions() as error:
        say(f"sink {sink.name}: {summary(error)}")
    except ValueError as error:
        say(f"sink {sink.name}: {error}")


def _check_mode(output: Any, mode: str) -> None:
    if is_remote(output.sparkSession):
        # A server checks it when a query starts.
        output.writeStream.format("noop").outputMode(mode).start().stop()
        return
    jvm = output.sparkSession._jvm
    modes = jvm.org.apache.spark.sql.streaming.OutputMode
    chosen = {"append": modes.Append, "update": modes.Update, "complete": modes.Complete}[mode]()
    checker = jvm.org.apache.spark.sql.catalyst.analysis.UnsupportedOperationChecker
    checker.checkForStreaming(output._jdf.queryExecution().analyzed(), chosen)
