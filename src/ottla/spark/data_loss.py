"""Offsets that a read needs and the log does not have any more: what is reported, what is skipped."""

import logging
from collections.abc import Mapping, Sequence

from ottla.client.arrow.range_fetch import Range
from ottla.model.topic import TopicPartition

_log = logging.getLogger(__name__)
_ADVICE = (
    "They were deleted (retention.ms, retention.bytes, DeleteRecords), or the topic was created anew. Set "
    "failOnDataLoss=false to go on with what is left, or keep records longer"
)


class DataLost(Exception):
    """Raised on the driver or in a task, with every partition that is concerned."""


def without_lost(ranges: Sequence[Range], earliest: Mapping[TopicPartition, int], *, fails: bool) -> list[Range]:
    """The ranges without offsets before the first of their log. Raises DataLost if it `fails`."""
    lost = [
        (each, min(each.end, earliest[each.partition]))
        for each in ranges
        if each.partition in earliest and each.start < earliest[each.partition] and each.start < each.end
    ]
    if lost:
        report([f"{each.partition}: offsets {each.start} to {first - 1} are gone" for each, first in lost], fails=fails)
    kept = [each._replace(start=max(each.start, earliest.get(each.partition, each.start))) for each in ranges]
    return [each for each in kept if each.start < each.end]


def report(losses: Sequence[str], *, fails: bool) -> None:
    """Raises DataLost, or logs what is skipped."""
    text = "; ".join(losses)
    if fails:
        raise DataLost(f"{text}. {_ADVICE}")
    _log.warning("%s; reading goes on behind them, because failOnDataLoss=false", text)
