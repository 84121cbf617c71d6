"""The Spark session of a driver: one for all pipelines with equal master and settings."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from ottla.pipeline.model import Pipeline
from ottla.pipeline.problems import PipelineFailed
from ottla.pipeline.spark_errors import silence_query_logs, spark_exceptions, summary

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

#: Several queries share few cores: what each needs is little, and small data is what most pipelines have.
_DEFAULTS: Final = {"spark.ui.enabled": "false", "spark.sql.streaming.numRecentProgressUpdates": "100"}
_LOCAL_DEFAULTS: Final = {"spark.sql.shuffle.partitions": "4"}


@contextmanager
def driver_session(pipeline: Pipeline) -> Iterator["SparkSession"]:
    """Raises PipelineFailed where Spark or Java is missing or the session does not start."""
    try:
        from ottla.spark.java import JavaNotFound
        from ottla.spark.spark_session import session
    except ImportError as error:
        raise PipelineFailed(f"Spark is not installed ({error}): pip install 'ottla[spark]'") from error
    defaults = {**_DEFAULTS, **(_LOCAL_DEFAULTS if pipeline.master.startswith("local") else {})}
    silence_query_logs()
    try:
        spark = session(pipeline.master, f"ottla pipeline {pipeline.name}", **{**defaults, **pipeline.spark})
    except JavaNotFound as error:
        raise PipelineFailed(str(error)) from error
    except ImportError as error:
        raise PipelineFailed(f"Spark is not installed ({error}): pip install 'ottla[spark]'") from error
    except spark_exceptions() as error:
        raise PipelineFailed(f"Spark did not start with master {pipeline.master}: {summary(error)}") from error
    spark.sparkContext.setLogLevel(pipeline.spark.get("spark.log.level", "ERROR"))
    try:
        yield spark
    finally:
        spark.stop()
