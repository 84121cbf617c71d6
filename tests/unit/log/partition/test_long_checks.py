"""Batches with more records than are walked in place."""

import pytest

from ottla.config.topic_options import TopicOptions
from ottla.log.partition.append_checks import check_apart
from ottla.log.partition.append_rules import MAX_RECORDS_IN_PLACE
from ottla.log.partition_log import PartitionLog
from ottla.log.producers.older_batches import TakesLong
from ottla.model.errors import Refused
from ottla.records.batch import read_header
from tests.support.batches import batch_of
from tests.support.log_builders import (
    NOW_MS,
    Appended,
    append,
    content,
    log_with,
    values_in,
)

MANY = [b"%d" % number for number in range(MAX_RECORDS_IN_PLACE + 1)]


def append_with_check(log: PartitionLog, batch: bytearray) -> Appended:
    with pytest.raises(TakesLong):
        append(log, batch)
    assert log.end_offset == 0, "nothing was done"
    log.remember(check_apart(*log.long_check(batch, NOW_MS)))
    return append(log, batch)


@pytest.mark.parametrize(
    "settings",
    [{"cleanup_policy": "compact"}, {"produce_validate": "records"}, {"compression_type": "gzip"}],
    ids=lambda settings: next(iter(settings)),
)
def test_a_large_batch_is_appended_after_a_check_apart(settings: dict[str, str]) -> None:
    log = log_with(**settings)

    appended = append_with_check(log, batch_of(*MANY))

    assert (appended.base_offset, appended.last_offset) == (0, len(MANY) - 1)
    assert values_in(content(log)) == MANY
    log.check_invariants()


def test_a_large_batch_in_another_codec_is_packed_anew() -> None:
    log = log_with(compression_type="gzip")

    append_with_check(log, batch_of(*MANY))

    assert read_header(content(log)).codec == 1


def test_the_reason_for_a_refusal_comes_with_the_append() -> None:
    log = log_with(cleanup_policy="compact")

    with pytest.raises(Refused, match="record errors in total") as refusal:
        append_with_check(log, batch_of(*MANY, key=None))

    assert len(refusal.value.record_errors) == len(MANY)  # type: ignore[attr-defined]
    assert log.end_offset == 0


def test_records_from_the_future_are_named_apart_too() -> None:
    log = log_with(message_timestamp_after_max_ms="1000")

    with pytest.raises(Refused, match="invalid timestamp"):
        append_with_check(log, batch_of(*MANY, at_ms=NOW_MS + 10_000_000))


def test_a_large_batch_that_nobody_needs_to_walk_is_appended_at_once() -> None:
    log = log_with(message_timestamp_type="LogAppendTime")

    append(log, batch_of(*MANY))

    assert log.end_offset == len(MANY)


def test_as_many_records_as_are_walked_in_place_are_appended_at_once() -> None:
    log = log_with(cleanup_policy="compact")

    append(log, batch_of(*MANY[:-1]))

    assert log.end_offset == len(MANY) - 1


def test_a_check_counts_for_its_batch_only() -> None:
    log = log_with(cleanup_policy="compact")
    checked, other = batch_of(*MANY), batch_of(*MANY, key=None)
    log.remember(check_apart(*log.long_check(checked, NOW_MS)))

    with pytest.raises(TakesLong):
        append(log, other)


def test_a_check_does_not_count_after_a_change_of_the_options() -> None:
    log = log_with(produce_validate="records")
    batch = batch_of(*MANY, key=None)
    checked = check_apart(*log.long_check(batch, NOW_MS))
    log.update_options(TopicOptions({"cleanup.policy": "compact"}), NOW_MS)
    log.remember(checked)

    with pytest.raises(TakesLong):
        append(log, batch)
    with pytest.raises(Refused, match="record errors in total"):
        append_with_check(log, batch)
