"""From a subscription and its bounds to partitions and offsets, asked of the cluster."""

from typing import TYPE_CHECKING

import re2

from ottla.client.admin.offsets import OffsetSpec
from ottla.model.errors import InvalidConfig
from ottla.model.topic import TopicPartition
from ottla.spark.read_options import EARLIEST, LATEST, Bound, ReadOptions, Subscription

if TYPE_CHECKING:
    from ottla.client.sync import Admin

Offsets = dict[TopicPartition, int]


class OffsetLookup:
    """Owned by a reader on the driver."""

    def __init__(self, admin: "Admin", options: ReadOptions) -> None:
        self._admin = admin
        self._options = options

    def partitions(self) -> list[TopicPartition]:
        """All that are subscribed, sorted. Raises UnknownTopic, InvalidConfig."""
        wanted = self._options.subscription
        if wanted.partitions:
            return list(wanted.partitions)
        topics = wanted.topics if wanted.pattern is None else self._matching(wanted)
        if not topics:
            return []
        described = self._admin.describe_topics(list(topics))
        return sorted(
            TopicPartition(name, view.partition) for name, topic in described.items() for view in topic.partitions
        )

    def _matching(self, wanted: Subscription) -> list[str]:
        try:
            pattern = re2.compile(wanted.pattern)
        except re2.error as error:
            raise InvalidConfig([f"subscribePattern={wanted.pattern}: not a regular expression: {error}"]) from error
        return [topic.name for topic in self._admin.list_topics() if pattern.fullmatch(topic.name)]

    def earliest(self, partitions: list[TopicPartition]) -> Offsets:
        return self._listed(dict.fromkeys(partitions, int(OffsetSpec.EARLIEST)))

    def latest(self, partitions: list[TopicPartition]) -> Offsets:
        """For read_committed, up to the first transaction that is open."""
        return self._listed(dict.fromkeys(partitions, int(OffsetSpec.LATEST)))

    def starts(self, partitions: list[TopicPartition]) -> Offsets:
        return self._resolved(partitions, self._options.start, "starting")

    def ends(self, partitions: list[TopicPartition]) -> Offsets:
        return self._resolved(partitions, self._options.end, "ending")

    def _resolved(self, partitions: list[TopicPartition], bound: Bound, side: str) -> Offsets:
        unknown = sorted(bound.named.keys() - set(partitions))
        if unknown:
            names = ", ".join(map(str, unknown))
            raise InvalidConfig([f"{side} offsets name {names}, which do not exist or are not subscribed"])
        given = bound.offsets or {}
        found = {each: given.get(each, bound.offset) for each in partitions}
        times = dict.fromkeys(partitions, bound.timestamp_ms) if bound.timestamp_ms is not None else None
        times = times or bound.timestamps_ms or {}
        found.update(self._at_times({each: ms for each, ms in times.items() if ms is not None}, bound))
        for spec, listed in ((EARLIEST, self.earliest), (LATEST, self.latest)):
            asked = [each for each, offset in found.items() if offset == spec]
            if asked:
                found.update(listed(asked))
        return found

    def _at_times(self, times_ms: Offsets, bound: Bound) -> Offsets:
        if not times_ms:
            return {}
        found = self._listed(times_ms)
        without = sorted(each for each, offset in found.items() if offset < 0)
        if without and bound.fails_without_match:
            names = ", ".join(f"{each} at {times_ms[each]}" for each in without)
            raise InvalidConfig(
                [f"no record is that young: {names}; set startingOffsetsByTimestampStrategy=latest to start at the end"]
            )
        return {each: LATEST if offset < 0 else offset for each, offset in found.items()}

    def _listed(self, wanted: Offsets) -> Offsets:
        if not wanted:
            return {}
        listed = self._admin.list_offsets(wanted, read_committed=self._options.read_committed)
        return {each: row.offset for each, row in listed.items()}
