"""Whether Spark has what a source or sink needs beyond itself: table formats and JDBC drivers come as jars."""

from typing import TYPE_CHECKING, Any, Final

from ottla.pipeline.connect import is_remote
from ottla.pipeline.model import FileSink, JdbcSink, JdbcSource, Sink, Source
from ottla.pipeline.spark_errors import spark_exceptions

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_TABLE_FORMATS: Final = {
    "delta": "io.delta:delta-spark_2.13:VERSION",
    "iceberg": "org.apache.iceberg:iceberg-spark-runtime-4.0_2.13:VERSION",
}


def missing_jars(part: Source | Sink, spark: "SparkSession") -> str | None:
    """What is missing and how to get it; None if nothing is."""
    if isinstance(part, FileSink) and part.format in _TABLE_FORMATS and not _has_format(spark, part.format):
        return (
            f"{part.format} is not in this Spark: add its jars, for example "
            f'`spark: {{spark.jars.packages: "{_TABLE_FORMATS[part.format]}"}}`, or use parquet'
        )
    if isinstance(part, JdbcSource | JdbcSink):
        driver = part.properties.get("driver")
        # A server's classes are not to be seen: a driver that is missing there fails the first read.
        if driver is not None and not is_remote(spark) and not _has_driver(spark, driver):
            return f"Spark has no class {driver}: add the JDBC driver, for example `spark: {{spark.jars: driver.jar}}`"
    return None


def _has_format(spark: Any, name: str) -> bool:
    if is_remote(spark):
        try:
            spark.read.format(name).load().schema  # noqa: B018 - the server looks for the format here
        except spark_exceptions() as error:
            return "DATA_SOURCE_NOT_FOUND" not in str(error)
        return True
    lookup = spark._jvm.org.apache.spark.sql.execution.datasources.DataSource
    try:
        lookup.lookupDataSource(name, spark._jsparkSession.sessionState().conf())
    except spark_exceptions():
        return False
    return True


def _has_driver(spark: Any, name: str) -> bool:
    try:
        spark._jvm.org.apache.spark.sql.execution.datasources.jdbc.DriverRegistry.register(name)
    except spark_exceptions():
        return False
    return True
