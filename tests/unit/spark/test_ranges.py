"""Which task reads which range."""

from ottla.client.arrow.range_fetch import Range
from ottla.model.topic import TopicPartition
from ottla.spark.ranges import plan_tasks


def ranges(*sizes: int) -> list[Range]:
    return [Range(TopicPartition("orders", number), 100, 100 + size) for number, size in enumerate(sizes)]


def rows(tasks: list[list[Range]]) -> list[int]:
    return [sum(each.end - each.start for each in task) for task in tasks]


def test_a_small_micro_batch_over_many_partitions_is_one_task() -> None:
    assert rows(plan_tasks(ranges(*[20] * 8), cores=2)) == [160]


def test_a_small_micro_batch_has_at_most_a_task_per_core() -> None:
    assert rows(plan_tasks(ranges(*[1000] * 8), cores=2)) == [4000, 4000]


def test_partitions_of_some_size_have_a_task_each() -> None:
    assert rows(plan_tasks(ranges(600_000, 600_000, 3), cores=2)) == [600_000, 600_000, 3]


def test_what_the_cores_can_read_at_once_is_one_wave_of_tasks() -> None:
    assert rows(plan_tasks(ranges(*[250_000] * 4), cores=2, split_large=True)) == [500_000, 500_000]
    assert rows(plan_tasks(ranges(*[250_000] * 4), cores=2)) == [500_000, 500_000]


def test_a_wave_is_balanced_by_splitting_if_order_does_not_matter() -> None:
    assert rows(plan_tasks(ranges(600_000), cores=2, split_large=True)) == [300_000, 300_000]
    assert rows(plan_tasks(ranges(*[300_000] * 3), cores=2, split_large=True)) == [450_000, 450_000]
    assert rows(plan_tasks(ranges(600_000), cores=2)) == [600_000]


def test_large_ranges_are_split_if_order_does_not_matter() -> None:
    tasks = plan_tasks(ranges(1_000_000, 2000), cores=2, split_large=True)

    assert rows(tasks) == [250_000] * 4 + [2000]
    assert [task[0].start for task in tasks[:4]] == [100, 250_100, 500_100, 750_100]
    assert rows(plan_tasks(ranges(1_000_000, 2000), cores=2)) == [1_000_000, 2000]


def test_at_least_so_many_partitions_as_asked_for() -> None:
    assert rows(plan_tasks(ranges(90, 10), cores=2, min_partitions=10)) == [10] * 10
    assert rows(plan_tasks(ranges(1, 1), cores=2, min_partitions=10)) == [1, 1]


def test_no_task_has_more_records_than_allowed() -> None:
    assert rows(plan_tasks(ranges(25, 5), cores=2, max_rows=10)) == [8, 8, 9, 5]


def test_nothing_to_read_is_no_task() -> None:
    assert plan_tasks(ranges(0, 0), cores=2) == []
