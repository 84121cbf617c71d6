"""Where a run gets its rows: topics and files as streams, tables as they are now."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ottla.pipeline.model import FileSource, JdbcSource, Offsets, TopicSource
from ottla.pipeline.views import file_view, jdbc_reader, topic_options

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_EARLIEST = -2


def starting_options(source: TopicSource, partitions: Mapping[str, int]) -> dict[str, str]:
    """Where a new checkpoint starts. `partitions` are the topics' counts: those not named start at the earliest."""
    start = source.start
    if isinstance(start, str):
        return {"startingOffsets": start}
    if isinstance(start, int):
        # A partition without younger records starts at its end.
        return {"startingTimestamp": str(start), "startingOffsetsByTimestampStrategy": "latest"}
    return {"startingOffsets": json.dumps(_all_partitions(start, partitions))}


def _all_partitions(start: Offsets, partitions: Mapping[str, int]) -> dict[str, dict[str, int]]:
    return {
        topic: {str(number): start.get(topic, {}).get(number, _EARLIEST) for number in range(count)}
        for topic, count in partitions.items()
    }


class StreamSources:
    """`partitions` by topic, as the broker has them; `reset` are positions that `reset-offsets` has left."""

    def __init__(self, spark: "SparkSession", partitions: Mapping[str, int], reset: Offsets | None = None) -> None:
        self._spark = spark
        self._partitions = partitions
        self._reset = reset

    def topic(self, source: TopicSource) -> "DataFrame":
        own = {topic: count for topic, count in self._partitions.items() if not source.topics or topic in source.topics}
        starting = starting_options(source, own)
        if self._reset is not None:
            known = {topic: count for topic, count in own.items() if topic in self._reset}
            starting = {"startingOffsets": json.dumps(_all_partitions(self._reset, known))} if known else starting
        reader: Any = self._spark.readStream.format("ottla")
        for name, value in topic_options(source, starting).items():
            reader = reader.option(name, value)
        frame: DataFrame = reader.load()
        return frame

    def files(self, source: FileSource) -> "DataFrame":
        return file_view(self._spark, source)

    def jdbc(self, source: JdbcSource) -> "DataFrame":
        return jdbc_reader(self._spark, source, source.table)
