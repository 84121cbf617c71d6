"""Sources without rows and without a broker: for the check of SQL, types and stream operations."""

from typing import TYPE_CHECKING, Any

from ottla.pipeline.model import FileSource, JdbcSource, TopicSource
from ottla.pipeline.views import RAW_SCHEMA, file_view, jdbc_reader

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class EmptySources:
    """Topics are empty streams with the right columns. Tables of databases are asked for their columns."""

    def __init__(self, spark: "SparkSession") -> None:
        self._spark = spark

    def topic(self, source: TopicSource) -> "DataFrame":
        from pyspark.sql import functions as f

        columns: Any = self._spark.createDataFrame([], RAW_SCHEMA).schema
        rate = self._spark.readStream.format("rate").load()
        typed = [f.lit(None).cast(field.dataType).alias(field.name) for field in columns]
        return rate.select(*typed)

    def files(self, source: FileSource) -> "DataFrame":
        return file_view(self._spark, source)

    def jdbc(self, source: JdbcSource) -> "DataFrame":
        return jdbc_reader(self._spark, source, source.table)
