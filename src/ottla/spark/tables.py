"""`table`: a whole topic, or a part of it, as a DataFrame."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ottla.config.consumer_options import ConsumerOptions
from ottla.spark.options import READ_OPTIONS, option_name

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

#: `earliest`, `latest`, a time (a datetime, or text in ISO 8601), or offsets by partition.
Bound = str | datetime | Mapping[int, int]


def table(
    spark: "SparkSession",
    topic: str,
    *,
    start: Bound = "earliest",
    end: Bound = "latest",
    schema: str | None = None,
    bootstrap_servers: str = "localhost:9092",
    **options: Any,
) -> "DataFrame":
    """A topic from `start` up to and without `end`, as of now: for SQL over what has happened.

    With a `schema` and `decode="json"`, values are typed columns. More options are those of `format("ottla")`, or
    settings of the client with underscores for dots.

        orders = ottla.spark.table(spark, "orders", start="2026-11-01", decode="json", schema="id STRING, sum DOUBLE")
        orders.createOrReplaceTempView("orders")
    """
    reader = spark.read.format("ottla").option("kafka.bootstrap.servers", bootstrap_servers).option("subscribe", topic)
    for name, value in {**_bound("starting", topic, start), **_bound("ending", topic, end)}.items():
        reader = reader.option(name, value)
    for name, value in options.items():
        reader = reader.option(option_name(name, READ_OPTIONS, ConsumerOptions), value)
    return reader.schema(schema).load() if schema is not None else reader.load()


def _bound(side: str, topic: str, bound: Bound) -> dict[str, str]:
    if isinstance(bound, Mapping):
        return {f"{side}Offsets": json.dumps({topic: {str(number): offset for number, offset in bound.items()}})}
    if isinstance(bound, str) and bound.lower() in ("earliest", "latest"):
        return {f"{side}Offsets": bound.lower()}
    moment = datetime.fromisoformat(bound) if isinstance(bound, str) else bound
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    found = {f"{side}Timestamp": str(round(moment.timestamp() * 1000))}
    # A range that starts after the last record is empty, not an error.
    return {**found, "startingOffsetsByTimestampStrategy": "latest"} if side == "starting" else found
