"""Spark Connect: what is different where the driver is a server and not this process.

A client has no JVM. Batches are written by a Python process on the server, which has a session and no JVM either. So
what needs Java's own interfaces is refused when the file is read: databases as sinks, continuous imports, files outside
of the server's own folders.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from ottla.pipeline.model import FileSink, JdbcSink, Pipeline
from ottla.pipeline.problems import Problems

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

#: PySpark's default waits ten minutes for a server that is gone; a driver has its own back-off.
_RETRIES: Final = 5
_TABLE_FORMATS: Final = ("delta", "iceberg")


def is_connect_address(master: str) -> bool:
    return master.startswith("sc://")


def is_remote(spark: Any) -> bool:
    """Whether the session is that of a Connect client."""
    return type(spark).__module__.startswith("pyspark.sql.connect.")


def check_connect(pipeline: Pipeline, problems: Problems) -> None:
    """What a Connect server cannot do."""
    if not is_connect_address(pipeline.master):
        return
    advice = "give the cluster's own master, such as spark://host:7077"
    for source in pipeline.increments:
        problems.add(source.line, f"source {source.name}: increment does not work through Spark Connect: {advice}")
    for sink in pipeline.sinks:
        if isinstance(sink, JdbcSink):
            problems.add(
                sink.line,
                f"sink {sink.name}: jdbc does not work through Spark Connect, because the transaction that writes a "
                f"batch once needs the driver's own JVM: {advice}",
            )
        if isinstance(sink, FileSink) and sink.format not in _TABLE_FORMATS and not is_local_path(sink.path):
            problems.add(
                sink.line,
                f"sink {sink.name}: {sink.path}: through Spark Connect, files are written to a folder of the server "
                f"only, because moving complete batches elsewhere needs the driver's own JVM: {advice}, or write a "
                "delta table",
            )


def is_local_path(path: str) -> bool:
    return "://" not in path or path.startswith("file://")


@contextmanager
def own_session(spark: "SparkSession") -> "Iterator[SparkSession]":
    """Views of pipelines that share a driver do not meet: each has a session, with the settings of the driver's."""
    if not is_remote(spark):
        yield spark.newSession()
        return
    session: Any = spark.cloneSession()
    retry_briefly(session)
    try:
        yield session
    finally:
        # The server ends what the session still runs.
        session.stop()


def retry_briefly(session: Any) -> None:
    from pyspark.sql.connect.client.retries import DefaultPolicy

    session.client.set_retry_policies([DefaultPolicy(max_retries=_RETRIES)])


def observed_counts(row: Mapping[str, Any]) -> dict[str, Any]:
    """Observed metrics by name. Reports of a Connect server have values and schema in their place."""
    if not isinstance(row.get("schema"), dict):
        return dict(row)
    names = [field["name"] for field in row["schema"]["fields"]]
    return dict(zip(names, row["values"], strict=True))


def is_stopped(spark: Any) -> bool:
    """Raises what Spark raises where a Connect server is gone, or has forgotten the session."""
    if is_remote(spark):
        spark.conf.get("spark.sql.session.timeZone")
        return False
    return bool(spark.sparkContext._jsc.sc().isStopped())
