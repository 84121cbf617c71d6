"""Copies a topic to a topic and to parquet, and holds both copies in the middle of a micro-batch.

As a driver of its own, for tests that kill it: python -m tests.spark.held_copy BOOTSTRAP SOURCE TARGET DIRECTORY
"""

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import ottla.spark

ROWS = 600
ROWS_OF_A_BATCH = 300
#: Of the second micro-batch: one task is done by then, or at work, and the other one does not get on.
HELD_VALUE = b"450"
TOPIC, PARQUET = "topic", "parquet"
#: Spark repeats a task up to three times, as it does on a cluster.
MASTER = "local[2,4]"


class HeldCopy:
    """Both copies of one source. Their checkpoints, output and signs are below `directory`."""

    def __init__(self, bootstrap: str, source: str, target: str, directory: Path) -> None:
        self.bootstrap, self.source, self.target, self.directory = bootstrap, source, target, directory

    def start(self, spark: Any) -> list[Any]:
        """The queries."""
        topic = self._rows(spark, TOPIC).select("key", "value").writeStream.format("ottla").option("topic", self.target)
        topic = topic.option("kafka.bootstrap.servers", self.bootstrap)
        parquet = self._rows(spark, PARQUET).selectExpr("string(value) AS value").writeStream.format("parquet")
        parquet = parquet.option("path", str(self.lake))
        return [
            writer.option("checkpointLocation", str(self.directory / f"{name}-state"))
            .trigger(availableNow=True)
            .start()
            for name, writer in ((TOPIC, topic), (PARQUET, parquet))
        ]

    @property
    def lake(self) -> Path:
        return self.directory / "lake"

    def is_held(self) -> bool:
        return all((self.directory / f"{name}-held").exists() for name in (TOPIC, PARQUET))

    def release(self) -> None:
        (self.directory / "release").touch()

    def _rows(self, spark: Any, name: str) -> Any:
        reader = spark.readStream.format("ottla").option("kafka.bootstrap.servers", self.bootstrap)
        reader = reader.option("subscribe", self.source).option("startingOffsets", "earliest")
        rows = reader.option("maxOffsetsPerTrigger", ROWS_OF_A_BATCH).option("minPartitions", 2).load()
        hold = holding(self.directory / f"{name}-held", self.directory / "release")
        return rows.select("key", "value").mapInArrow(hold, "key binary, value binary")


def holding(held: Path, release: Path) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """A step of a plan that stops at HELD_VALUE until `release` exists. A closure: workers cannot import tests."""
    value = HELD_VALUE

    def hold(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            if value in batch.column("value").to_pylist():
                held.touch()
                while not release.exists():
                    time.sleep(0.02)
            yield batch

    return hold


def main(bootstrap: str, source: str, target: str, directory: str) -> None:
    conf: dict[str, Any] = {"spark.ui.enabled": False, "spark.driver.memory": "1g"}
    spark = ottla.spark.session(MASTER, **conf)
    spark.sparkContext.setLogLevel("ERROR")
    for query in HeldCopy(bootstrap, source, target, Path(directory)).start(spark):
        query.awaitTermination()


if __name__ == "__main__":
    main(*sys.argv[1:])
