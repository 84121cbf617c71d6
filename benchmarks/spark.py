"""Spark through `format("ottla")` beside Spark's own Kafka connector: same Spark, same broker, in one round.

Only Ottla's broker is measured: what is compared are the connectors. Without Spark's own one there are no ratios.
"""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Final

from benchmarks.broker_node import BrokerNode, PeerUnavailable
from benchmarks.family import Family, Load, Put
from benchmarks.host_memory import touch
from benchmarks.ottla_broker import OttlaBroker
from benchmarks.results import Row, at_least, at_most
from benchmarks.spark_connector import Connector, fetch
from benchmarks.spark_job import Job, text_of
from benchmarks.topics import create_topic, delete_topic, fresh_name

_CACHE: Final = Path(__file__).parents[1] / ".cache" / "benchmarks"
_TIMEOUT_S: Final = 900
_OURS, _THEIRS = "ottla", "kafka"
_NAMES: Final = {_OURS: 'format("ottla")', _THEIRS: "Spark's Kafka connector"}
_PARTITIONS: Final = 4
_KEYS: Final = 5000
#: Key of a topic -> bytes of a value, partitions, share of the records.
_SIZES: Final = {"100": (100, _PARTITIONS, 1.0), "1024": (1024, _PARTITIONS, 0.25)}
_SPREADS: Final = {f"{count}-partitions": (100, count, 0.5) for count in (1, 16, 64)}
_TOPICS: Final = {**_SIZES, **_SPREADS}
_MICRO_BATCHES: Final = {"1": 1, "4": _PARTITIONS, "16": 16}
_WORK: Final = {
    "read": ("batch read", at_least(3.0, is_absolute=True)),
    "copy": ("batch read and write", at_least(2.0, is_absolute=True)),
    "stream": ("stream in 4 micro-batches", at_least(1.3, is_absolute=True)),
}


def rows(load: Load) -> list[Row]:
    found = []
    for work, (title, goal) in _WORK.items():
        for size, (value_bytes, partitions, _) in _SIZES.items():
            key, what = f"spark.{work}.{size}", f"{title}, {value_bytes} B, {partitions} partitions"
            for kind, name in _NAMES.items():
                found.append(Row(f"{key}.{kind}", f"{name}: {what}", "rows/s"))
            found.append(Row(f"{key}.mb", f"{_NAMES[_OURS]}: {what}", "MB/s"))
            found.append(Row(f"{key}.ratio", f"{what}: ratio", "x", goal))
    for spread, (value_bytes, partitions, _) in _SPREADS.items():
        key, what = f"spark.read.{spread}", f"batch read, {value_bytes} B, {partitions} partitions"
        found += [Row(f"{key}.{kind}", f"{name}: {what}", "rows/s") for kind, name in _NAMES.items()]
        found.append(Row(f"{key}.ratio", f"{what}: ratio", "x"))
    for number, partitions in _MICRO_BATCHES.items():
        key, what = f"spark.micro-batch.{number}", f"micro-batch p50, {partitions} partitions"
        found += [Row(f"{key}.{kind}", f"{name}: {what}", "ms") for kind, name in _NAMES.items()]
        found.append(Row(f"{key}.ratio", f"{what}: ratio", "x", at_most(1.0, is_absolute=True)))
    return found


def measure(node: BrokerNode, load: Load, put: Put) -> None:
    if not isinstance(node, OttlaBroker):
        return
    node.reset()
    node.start()
    try:
        _measure(node, load, put)
    finally:
        node.stop()


def _measure(node: BrokerNode, load: Load, put: Put) -> None:
    connector = _connector()
    counts = {key: int(load.client_records * share) for key, (_, _, share) in _TOPICS.items()}
    topics = {key: fresh_name("spark") for key in _TOPICS}
    for key, (value_bytes, partitions, _) in _TOPICS.items():
        create_topic(node, topics[key], partitions)
        fill(node, topics[key], counts[key], value_bytes)
    figures = {}
    for kind in (_THEIRS, _OURS) if connector is not None else (_OURS,):
        micro_batch_topics = {number: fresh_name("spark-trickle") for number in _MICRO_BATCHES}
        for number, topic in micro_batch_topics.items():
            create_topic(node, topic, _MICRO_BATCHES[number])
        target = fresh_name("spark-target")
        create_topic(node, target, _PARTITIONS)
        touch(4 * load.client_records * 100)
        job = Job(kind, node.address, topics, counts, target, micro_batch_topics, load.micro_batch_seconds)
        figures[kind] = run_job(job, connector)
        delete_topic(node, target)
    for key, seconds in figures[_OURS].items():
        _put_figure(put, key, counts, seconds, figures.get(_THEIRS, {}).get(key))


def _put_figure(put: Put, key: str, counts: dict[str, int], ours: float, theirs: float | None) -> None:
    """Rates of what has rows, milliseconds of micro-batches."""
    work, _, topic = key.partition(".")
    count = counts.get(topic) if work != "micro-batch" else None
    figure = {_OURS: ours} if theirs is None else {_OURS: ours, _THEIRS: theirs}
    if count is not None:
        figure = {kind: count / seconds for kind, seconds in figure.items()}
        if topic in _SIZES:
            put(f"spark.{key}.mb", figure[_OURS] * _SIZES[topic][0] / 1e6)
    for kind, value in figure.items():
        put(f"spark.{key}.{kind}", value)
    if _THEIRS in figure:
        put(f"spark.{key}.ratio", figure[_OURS] / figure[_THEIRS])


def fill(node: BrokerNode, topic: str, count: int, value_bytes: int) -> None:
    """With keys, so that records go to all partitions; values that cannot be compressed."""
    import pyarrow as pa

    from ottla.client import Producer

    keys = pa.array([b"%d" % (number % _KEYS) for number in range(count)], pa.binary())
    values = pa.FixedSizeBinaryArray.from_buffers(
        pa.binary(value_bytes), count, [None, pa.py_buffer(os.urandom(count * value_bytes))]
    ).cast(pa.binary())
    with Producer(bootstrap_servers=node.address) as producer:
        producer.send_batch(topic, pa.table({"key": keys, "value": values}))


def run_job(job: Job, connector: Connector | None) -> dict[str, float]:
    environment = dict(os.environ)
    if connector is not None:
        environment = connector.environment()
        job.jars = [str(jar) for jar in connector.jars] if job.format == _THEIRS else []
    command = [sys.executable, "-m", "benchmarks.spark_job", text_of(job)]
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired:
        raise RuntimeError(f'format("{job.format}") did not finish within {_TIMEOUT_S} s') from None
    if done.returncode:
        raise RuntimeError(f'format("{job.format}") failed: {done.stderr.strip()[-500:]}')
    figures: dict[str, float] = json.loads(done.stdout.strip().splitlines()[-1])
    return figures


@cache
def _connector() -> Connector | None:
    try:
        return fetch(_CACHE)
    except PeerUnavailable as reason:
        print(reason, file=sys.stderr, flush=True)
        return None


FAMILY = Family("spark", "spark", rows, measure, needs_own_node=True)
