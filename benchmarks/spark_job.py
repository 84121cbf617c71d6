"""What Spark does with a topic through one format, timed: python -m benchmarks.spark_job JSON

The argument has the fields of `Job`; the figures are the last line of stdout, as JSON. A process of its own, because a
process has one Spark. Each thing is done once before it is measured: the JVM compiles what is hot.
"""

import dataclasses
import json
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from benchmarks.results import percentile

_MICRO_BATCHES: Final = 4
#: Records per second while the latency of micro-batches is measured.
_PACE_PER_S: Final = 100
_FIRST_TIMEOUT_S: Final = 120.0


@dataclass
class Job:
    """`topics`: filled topics by the key of their rows. `target`: where writes go."""

    format: str
    bootstrap: str
    topics: dict[str, str]
    rows: dict[str, int]
    target: str
    micro_batch_topics: dict[str, str]
    micro_batch_seconds: float
    jars: list[str] = field(default_factory=list)


class Measurement:
    """One session and one job. Figures: seconds, and milliseconds of micro-batches."""

    def __init__(self, spark: Any, job: Job) -> None:
        self._spark = spark
        self._job = job
        self.figures: dict[str, float] = {}

    def run(self, copied: set[str]) -> None:
        """Topics in `copied` are written and streamed too."""
        for key, topic in self._job.topics.items():
            self._timed(f"read.{key}", partial(self._read, topic))
            if key in copied:
                self._timed(f"copy.{key}", partial(self._copy, topic))
                self._timed(f"stream.{key}", partial(self._stream, topic, self._job.rows[key]))
        for key, topic in self._job.micro_batch_topics.items():
            self.figures[f"micro-batch.{key}"] = self._micro_batch_ms(topic)

    def _timed(self, name: str, work: Callable[[], None]) -> None:
        work()
        began = time.perf_counter()
        work()
        self.figures[name] = time.perf_counter() - began

    def _topic(self, reader: Any, topic: str, starting: str = "earliest") -> Any:
        reader = reader.format(self._job.format).option("kafka.bootstrap.servers", self._job.bootstrap)
        return reader.option("subscribe", topic).option("startingOffsets", starting)

    def _read(self, topic: str) -> None:
        self._topic(self._spark.read, topic).load().write.format("noop").mode("overwrite").save()

    def _copy(self, topic: str) -> None:
        writer = self._topic(self._spark.read, topic).load().select("key", "value").write.format(self._job.format)
        writer = writer.option("kafka.bootstrap.servers", self._job.bootstrap).option("topic", self._job.target)
        writer.mode("append").save()

    def _stream(self, topic: str, rows: int) -> None:
        reader = self._topic(self._spark.readStream, topic).option("maxOffsetsPerTrigger", rows // _MICRO_BATCHES)
        with tempfile.TemporaryDirectory() as checkpoint:
            writer = reader.load().writeStream.format("noop").option("checkpointLocation", checkpoint)
            writer.trigger(availableNow=True).start().awaitTermination()

    def _micro_batch_ms(self, topic: str) -> float:
        """The median of micro-batches that count a slow trickle of records."""
        from ottla.client import Producer

        with tempfile.TemporaryDirectory() as checkpoint:
            stream = self._topic(self._spark.readStream, topic, "latest").load().writeStream
            query = stream.foreachBatch(lambda rows, number: rows.count()).option("checkpointLocation", checkpoint)
            running = query.start()
            with Producer(bootstrap_servers=self._job.bootstrap) as producer:
                partitions = len(producer.partitions_for(topic))
                began, first_end, number = time.monotonic(), 0.0, 0
                while not first_end or time.monotonic() - first_end < self._job.micro_batch_seconds:
                    producer.send(topic, b"v" * 100, partition=number % partitions)
                    number += 1
                    time.sleep(1 / _PACE_PER_S)
                    if not first_end and number % _PACE_PER_S == 0 and _durations_ms(running):
                        first_end = time.monotonic()
                    if not first_end and time.monotonic() - began > _FIRST_TIMEOUT_S:
                        raise RuntimeError(f"no micro-batch of {topic} ended within {_FIRST_TIMEOUT_S:.0f} s")
            took = _durations_ms(running)
            running.stop()
        # The first one starts processes.
        return percentile(took[1:] or took, 0.5)


def _durations_ms(query: Any) -> list[float]:
    """Of the micro-batches with records that have ended."""
    return [float(each["durationMs"]["triggerExecution"]) for each in query.recentProgress if each["numInputRows"]]


def main(text: str) -> None:
    import ottla.spark

    job = Job(**json.loads(text))
    settings: dict[str, Any] = {"spark.ui.enabled": False, "spark.driver.memory": "2g"}
    if job.jars:
        settings["spark.jars"] = ",".join(job.jars)
    spark = ottla.spark.session("local[2]", **settings)
    spark.sparkContext.setLogLevel("ERROR")
    measurement = Measurement(spark, job)
    measurement.run({key for key in job.topics if "partitions" not in key})
    spark.stop()
    print(json.dumps(measurement.figures))


def text_of(job: Job) -> str:
    return json.dumps(dataclasses.asdict(job))


if __name__ == "__main__":
    main(sys.argv[1])
