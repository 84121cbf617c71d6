"""Which fetches to send now: to whom, for which partitions, for how many bytes. No I/O.

One fetch per node is in flight. It is sent ahead of need, as soon as no partition of the node has more than half a
`max.partition.fetch.bytes` buffered; not earlier, because a partition that is left out would then wait for the end of
the long poll of the others. All that is buffered or in flight together stays within `fetch.max.bytes`, except that one
fetch may always be in flight when nothing is buffered: one batch is returned whatever its size.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from ottla.client.consumer.assignment import Assignment
from ottla.client.consumer.fetch_session import Wanted
from ottla.client.consumer.positions import NO_NODE, PartitionState
from ottla.model.topic import NO_TOPIC_ID, TopicPartition


class FetchLimits(NamedTuple):
    max_bytes: int
    partition_max_bytes: int


class PlannedFetch(NamedTuple):
    node_id: int
    wanted: dict[TopicPartition, Wanted]
    states: dict[TopicPartition, PartitionState]
    max_bytes: int

    @property
    def uses_topic_ids(self) -> bool:
        """A broker that is too old for topic ids has given none."""
        return all(row.topic_id != NO_TOPIC_ID for row in self.wanted.values())


class FetchPlan(NamedTuple):
    fetches: list[PlannedFetch]
    #: Somebody wants data and there is no room: what nobody can take now may be dropped.
    lacks_room: bool
    #: When to look again because a back-off ends; None when no partition backs off.
    again_ms: int | None


def plan_fetches(
    assignment: Assignment,
    limits: FetchLimits,
    *,
    in_flight_bytes: Mapping[int, int],
    held_bytes: int,
    only: Collection[TopicPartition] | None,
    now_ms: int,
) -> FetchPlan:
    """`in_flight_bytes` is what each busy node may return; `only` are the partitions that the caller asks for now."""
    by_node, again_ms = _hungry_by_node(assignment, limits, only, now_ms)
    fetches: list[PlannedFetch] = []
    lacks_room = False
    used_bytes = held_bytes + sum(in_flight_bytes.values())
    share_bytes = max(limits.partition_max_bytes, limits.max_bytes // (2 * max(1, len(by_node))))
    for node_id, states in by_node.items():
        if node_id in in_flight_bytes or not states:
            continue
        room_bytes = limits.max_bytes - used_bytes
        if used_bytes and room_bytes < min(limits.partition_max_bytes, limits.max_bytes):
            lacks_room = True
            continue
        max_bytes = max(1, min(room_bytes, share_bytes))
        used_bytes += max_bytes
        fetches.append(_fetch(node_id, states, limits, max_bytes))
    return FetchPlan(fetches, lacks_room, again_ms)


def _hungry_by_node(
    assignment: Assignment, limits: FetchLimits, only: Collection[TopicPartition] | None, now_ms: int
) -> tuple[dict[int, list[PartitionState]], int | None]:
    """Partitions that want data, by node; an empty list where the node has to wait for its buffered partitions."""
    found: dict[int, list[PartitionState]] = {}
    busy_nodes = set()
    again_ms: int | None = None
    enough_bytes = limits.partition_max_bytes // 2
    for state in assignment:
        node_id = state.read_node(now_ms)
        if not state.is_fetchable or node_id == NO_NODE:
            continue
        if state.not_before_ms > now_ms:
            again_ms = state.not_before_ms if again_ms is None else min(again_ms, state.not_before_ms)
            continue
        if state.buffered_bytes <= enough_bytes and not state.is_damaged:
            found.setdefault(node_id, []).append(state)
        elif only is None or state.partition in only:
            busy_nodes.add(node_id)
    return {node_id: [] if node_id in busy_nodes else states for node_id, states in found.items()}, again_ms


def _fetch(node_id: int, states: list[PartitionState], limits: FetchLimits, max_bytes: int) -> PlannedFetch:
    wanted = {
        state.partition: Wanted(state.topic_id, state.fetch_offset, limits.partition_max_bytes, state.leader_epoch)
        for state in states
    }
    return PlannedFetch(node_id, wanted, {state.partition: state for state in states}, max_bytes)
