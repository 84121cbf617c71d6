"""How much one micro-batch takes: `maxOffsetsPerTrigger`, `minOffsetsPerTrigger`, `maxTriggerDelay`. Pure."""

from collections.abc import Mapping

from ottla.model.topic import TopicPartition

Offsets = dict[TopicPartition, int]


def limited(start: Mapping[TopicPartition, int], end: Mapping[TopicPartition, int], max_rows: int) -> Offsets:
    """Ends so that all partitions together have up to `max_rows`, each its share of what is there.

    Shares are rounded so that the batch is full, and a partition with a record gets its turn in time.
    """
    waiting = {each: max(0, last - start.get(each, last)) for each, last in end.items()}
    total = sum(waiting.values())
    if total <= max_rows:
        return dict(end)
    shares = {each: rows * max_rows // total for each, rows in waiting.items()}
    left = max_rows - sum(shares.values())
    by_remainder = sorted(waiting, key=lambda each: (-(waiting[each] * max_rows % total), each))
    for each in by_remainder[:left]:
        shares[each] += 1
    return {each: start.get(each, last) + shares[each] if waiting[each] else last for each, last in end.items()}


class MinimumRows:
    """Holds a micro-batch back until enough records wait, or the delay is over. Lives as long as its stream reader."""

    def __init__(self, min_rows: int, max_delay_ms: int) -> None:
        self._min_rows = min_rows
        self._max_delay_ms = max_delay_ms
        self._last_batch_ms: int | None = None

    def is_reached(self, waiting_rows: int, now_ms: int) -> bool:
        """True starts the delay anew."""
        if self._last_batch_ms is None:
            self._last_batch_ms = now_ms
        if waiting_rows >= self._min_rows or now_ms - self._last_batch_ms >= self._max_delay_ms:
            self._last_batch_ms = now_ms
            return True
        return False
