"""A job as users have it: python -m tests.spark_clusters.job MASTER BOOTSTRAP SOURCE TARGET DIRECTORY [FORMAT JARS]

Counts a topic, copies it to another one as a stream in two runs with one checkpoint, exactly once, publishes its
position as a consumer group, and reads the copy. The last line of stdout is JSON with what it found.
"""

import json
import sys
from typing import Any

import ottla.spark


def main(
    master: str, bootstrap: str, source: str, target: str, directory: str, kind: str = "ottla", jars: str = ""
) -> None:
    # Of clusters on this machine: its own name may not resolve.
    conf: dict[str, Any] = (
        {} if master.startswith("sc://") else {"spark.driver.host": "127.0.0.1", "spark.ui.enabled": False}
    )
    spark = ottla.spark.session(master, **conf, **({"spark.jars": jars} if jars else {}))
    total = (
        topic(spark.read, kind, bootstrap, source).load().selectExpr("sum(int(string(value))) AS total").first().total
    )
    for _ in range(2):
        copy(spark, kind, bootstrap, source, target, directory)
    copied = topic(spark.read, kind, bootstrap, target).load().selectExpr("string(value) AS value").collect()
    print(json.dumps({"version": spark.version, "total": total, "copied": sorted(int(row.value) for row in copied)}))
    spark.stop()


def topic(reader: Any, kind: str, bootstrap: str, name: str) -> Any:
    reader = reader.format(kind).option("kafka.bootstrap.servers", bootstrap).option("subscribe", name)
    return reader.option("startingOffsets", "earliest")


def copy(spark: Any, kind: str, bootstrap: str, source: str, target: str, directory: str) -> None:
    stream = topic(spark.readStream, kind, bootstrap, source).option("maxOffsetsPerTrigger", 400)
    if kind == "ottla":
        stream = stream.option("groupId", "copy")
    writer = stream.load().select("key", "value").writeStream.format(kind).option("topic", target)
    writer = writer.option("kafka.bootstrap.servers", bootstrap).option("checkpointLocation", f"{directory}/state")
    writer.trigger(availableNow=True).start().awaitTermination()


if __name__ == "__main__":
    main(*sys.argv[1:])
