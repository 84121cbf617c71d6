"""`topic_writer`: writes the micro-batches of `foreachBatch` to a topic, each of them once."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ottla.config.producer_options import ProducerOptions
from ottla.spark.options import WRITE_OPTIONS, option_name

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def topic_writer(
    topic: str, *, query_id: str, bootstrap_servers: str = "localhost:9092", **options: Any
) -> "Callable[[DataFrame, int], None]":
    """A function for `foreachBatch`, for queries in update mode, which Spark refuses on Python sinks.

    `query_id` is a name of the query that stays the same when it is restarted: a batch that Spark repeats is
    recognised by it. More options are those of writes, or settings of the producer with underscores for dots.

        write = ottla.spark.topic_writer("totals", query_id="totals", bootstrap_servers="localhost:9092")
        totals.writeStream.outputMode("update").foreachBatch(write).option("checkpointLocation", "state/totals").start()
    """
    named = {option_name(name, WRITE_OPTIONS, ProducerOptions): str(value) for name, value in options.items()}

    def write(rows: "DataFrame", batch_id: int) -> None:
        writer = rows.write.format("ottla").mode("append").option("topic", topic).option("queryId", query_id)
        writer = writer.option("batchId", str(batch_id)).option("kafka.bootstrap.servers", bootstrap_servers)
        writer.options(**named).save()

    return write
