"""The committed offsets of a shard, and those that a producer's open transaction will commit or drop. Hard state."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ottla.coordination.shard import RecordOrigin
from ottla.model.topic import NO_TOPIC_ID
from ottla.protocol.generated.offset_commit_key import OffsetCommitKey
from ottla.protocol.generated.offset_commit_value import OffsetCommitValue


class OffsetKey(NamedTuple):
    group_id: str
    topic: str
    partition: int


@dataclass(slots=True)
class CommittedOffset:
    """Never changed after it was created."""

    offset: int
    leader_epoch: int
    metadata: str
    commit_timestamp_ms: int
    #: -1: the broker's retention decides.
    expire_timestamp_ms: int = -1
    topic_id: bytes = NO_TOPIC_ID
    #: Where the commit stands in the log: of two commits the later one counts, also when a marker brings the earlier.
    record_offset: int = -1

    def is_of(self, topic_id: bytes | None) -> bool:
        """Whether it was committed for the topic that has this id, or may have been; None: there is no such topic."""
        return self.topic_id == topic_id or self.topic_id == NO_TOPIC_ID


class OffsetStore:
    """Offsets by group, topic, partition; changed by `apply` and `apply_marker` only."""

    def __init__(self) -> None:
        self._by_group: dict[str, dict[str, dict[int, CommittedOffset]]] = {}
        self._pending: dict[int, dict[OffsetKey, CommittedOffset]] = {}
        # The same turned around, group first: which producers hold a partition's offset back.
        self._holders: dict[str, dict[OffsetKey, dict[int, None]]] = {}

    def knows(self, group_id: str) -> bool:
        return group_id in self._by_group or group_id in self._holders

    @property
    def group_count(self) -> int:
        """Groups with committed offsets."""
        return len(self._by_group)

    def group_ids(self) -> Iterator[str]:
        yield from list(self._by_group)
        yield from [group_id for group_id in self._holders if group_id not in self._by_group]

    def of_group(self, group_id: str) -> dict[str, dict[int, CommittedOffset]]:
        return self._by_group.get(group_id, {})

    def get(self, group_id: str, topic: str, partition: int) -> CommittedOffset | None:
        return self._by_group.get(group_id, {}).get(topic, {}).get(partition)

    def is_pending(self, group_id: str, topic: str, partition: int) -> bool:
        """An open transaction has written this offset: what the group's position is will be known at its end."""
        return OffsetKey(group_id, topic, partition) in self._holders.get(group_id, {})

    def has_any_of(self, topic_id: bytes | None, group_id: str, topic: str, partition: int) -> bool:
        """An offset was committed for the topic that has this id, or may be by an open transaction."""
        name = OffsetKey(group_id, topic, partition)
        found = [self._pending[holder][name] for holder in self._holders.get(group_id, {}).get(name, ())]
        committed = self.get(group_id, topic, partition)
        if committed is not None:
            found.append(committed)
        return any(offset.topic_id == topic_id for offset in found)

    def pending_of_group(self, group_id: str) -> list[OffsetKey]:
        return list(self._holders.get(group_id, {}))

    def apply(self, key: OffsetCommitKey, value: OffsetCommitValue | None, origin: RecordOrigin) -> None:
        group_id, topic, partition = key.group, key.topic, key.partition
        if value is None:
            name = OffsetKey(group_id, topic, partition)
            self._remove(name)
            self._drop_pending(name)
            return
        committed = CommittedOffset(
            value.offset,
            value.leader_epoch,
            value.metadata,
            value.commit_timestamp,
            value.expire_timestamp,
            value.topic_id,
            origin.offset,
        )
        if origin.is_transactional:
            name = OffsetKey(group_id, topic, partition)
            self._pending.setdefault(origin.producer_id, {})[name] = committed
            self._holders.setdefault(group_id, {}).setdefault(name, {})[origin.producer_id] = None
        else:
            self._put(group_id, topic, partition, committed)

    def apply_marker(self, producer_id: int, *, committed: bool) -> None:
        for name, offset in self._pending.pop(producer_id, {}).items():
            self._release(name, producer_id)
            known = self.get(*name)
            if committed and (known is None or known.record_offset < offset.record_offset):
                self._put(*name, offset)

    def hard_state(self) -> object:
        """Everything the log must rebuild, as plain values."""
        offsets = {
            OffsetKey(group_id, topic, partition): offset
            for group_id, topics in self._by_group.items()
            for topic, partitions in topics.items()
            for partition, offset in partitions.items()
        }
        return offsets, self._pending

    def _put(self, group_id: str, topic: str, partition: int, offset: CommittedOffset) -> None:
        topics = self._by_group.get(group_id)
        if topics is None:
            topics = self._by_group[group_id] = {}
        partitions = topics.get(topic)
        if partitions is None:
            partitions = topics[topic] = {}
        partitions[partition] = offset

    def _remove(self, name: OffsetKey) -> None:
        topics = self._by_group.get(name.group_id)
        partitions = topics.get(name.topic) if topics else None
        if topics is None or partitions is None:
            return
        partitions.pop(name.partition, None)
        if not partitions:
            del topics[name.topic]
        if not topics:
            del self._by_group[name.group_id]

    def _drop_pending(self, name: OffsetKey) -> None:
        for producer_id in list(self._holders.get(name.group_id, {}).get(name, {})):
            offsets = self._pending[producer_id]
            del offsets[name]
            if not offsets:
                del self._pending[producer_id]
            self._release(name, producer_id)

    def _release(self, name: OffsetKey, producer_id: int) -> None:
        held = self._holders[name.group_id]
        producers = held[name]
        del producers[producer_id]
        if not producers:
            del held[name]
        if not held:
            del self._holders[name.group_id]
