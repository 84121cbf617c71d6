"""The Spark session of a driver, one for all pipelines with equal master and settings; where its processes print."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

from ottla.pipeline.connect import is_connect_address, is_remote, retry_briefly
from ottla.pipeline.model import Pipeline
from ottla.pipeline.problems import PipelineFailed
from ottla.pipeline.spark_errors import silence_query_logs, spark_exceptions, summary

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

#: Several queries share few cores: what each needs is little, and small data is what most pipelines have.
_DEFAULTS: Final = {"spark.sql.streaming.numRecentProgressUpdates": "100"}
_PROCESS_DEFAULTS: Final = {"spark.ui.enabled": "false"}
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
    if not is_connect_address(pipeline.master):
        defaults |= _PROCESS_DEFAULTS
    silence_query_logs()
    try:
        spark = session(pipeline.master, f"ottla pipeline {pipeline.name}", **{**defaults, **pipeline.spark})
    except JavaNotFound as error:
        raise PipelineFailed(str(error)) from error
    except ImportError as error:
        extra = "spark-connect" if is_connect_address(pipeline.master) else "spark"
        raise PipelineFailed(f"Spark is not installed ({error}): pip install 'ottla[{extra}]'") from error
    except spark_exceptions() as error:
        raise PipelineFailed(f"Spark did not start with master {pipeline.master}: {summary(error)}") from error
    if is_remote(spark):
        retry_briefly(spark)
    else:
        spark.sparkContext.setLogLevel(pipeline.spark.get("spark.log.level", "ERROR"))
    try:
        yield spark
    finally:
        spark.stop()


@contextmanager
def spark_output_in(path: Path) -> Iterator[TextIO]:
    """What the JVM and its Python processes print, so that a terminal shows what the command itself has to say.

    File descriptor 2, which new processes inherit, leads to `path`; `sys.stderr` stays what it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    sys.stderr.flush()
    kept = os.dup(2)
    with open(path, "ab") as target:
        os.dup2(target.fileno(), 2)
    terminal = os.fdopen(os.dup(kept), "w", encoding="utf-8", errors="replace")
    before, sys.stderr = sys.stderr, terminal
    try:
        yield terminal
    finally:
        terminal.flush()
        sys.stderr = before
        os.dup2(kept, 2)
        os.close(kept)
        terminal.close()
