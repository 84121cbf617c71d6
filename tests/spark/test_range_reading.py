"""What a task reads, without Spark: ranges that lose records while they are read."""

from typing import Any

import pytest

from ottla.client import Admin, TopicPartition
from ottla.client.arrow.range_fetch import Range
from ottla.spark import range_reading
from ottla.spark.data_loss import DataLost
from ottla.spark.options import GivenOptions
from ottla.spark.range_reading import read_ranges
from ottla.spark.read_options import ReadOptions, read_options_of

#: More than are fetched ahead.
PARTITIONS = 8


def options(broker: Any, topic: str, **more: str) -> ReadOptions:
    given = {"kafka.bootstrap.servers": broker.address, "subscribe": topic, **more}
    return read_options_of(GivenOptions(given), is_stream=False)


def values_though_the_last_range_loses_records(options: ReadOptions, topic: str, admin: Admin) -> list[int]:
    ranges = [Range(TopicPartition(topic, number), 0, 5) for number in range(PARTITIONS)]
    batches = read_ranges(options, ranges, ["value"])
    taken = [next(batches)]
    admin.delete_records({TopicPartition(topic, PARTITIONS - 1): 3})
    taken += batches
    return sorted(int(value) for batch in taken for value in batch.column("value").to_pylist())


def test_ranges_before_a_loss_are_not_read_again(broker: Any, new_topic: Any, fill: Any, admin: Admin) -> None:
    topic = new_topic(partitions=PARTITIONS)
    fill(topic, 5 * PARTITIONS, partitions=PARTITIONS)

    found = values_though_the_last_range_loses_records(options(broker, topic, failondataloss="false"), topic, admin)

    lost = [PARTITIONS - 1 + PARTITIONS * offset for offset in range(3)]
    assert found == [number for number in range(5 * PARTITIONS) if number not in lost]


def test_a_loss_is_an_error_that_names_it(broker: Any, new_topic: Any, fill: Any, admin: Admin) -> None:
    topic = new_topic(partitions=PARTITIONS)
    fill(topic, 5 * PARTITIONS, partitions=PARTITIONS)

    with pytest.raises(DataLost, match=f"{topic}-7: offsets 0 to 2 are gone.*failOnDataLoss=false"):
        values_though_the_last_range_loses_records(options(broker, topic), topic, admin)


def test_pandas_is_imported_when_all_rows_are_read_and_not_before(
    broker: Any, new_topic: Any, fill: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    happened: list[str] = []
    monkeypatch.setattr(range_reading, "import_pandas_soon", lambda: happened.append("pandas"))
    topic = new_topic(partitions=2)
    fill(topic, 10, partitions=2)
    ranges = [Range(TopicPartition(topic, number), 0, 5) for number in range(2)]

    happened.extend(f"{batch.num_rows} rows" for batch in read_ranges(options(broker, topic), ranges, ["value"]))
    next(read_ranges(options(broker, topic), ranges, ["value"])).validate()

    assert happened == ["5 rows", "5 rows", "pandas"]
