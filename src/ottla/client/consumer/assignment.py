"""The partitions that a consumer reads now, and their states. No I/O."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ottla.client.consumer.positions import NO_NODE, PartitionState, Position, Readiness
from ottla.client.consumer.reset_policy import ResetPolicy
from ottla.client.metadata import ClusterImage
from ottla.model.error_codes import ErrorCode
from ottla.model.topic import NO_TOPIC_ID, TopicPartition


class DueLookups(NamedTuple):
    """What has to be asked for before these can be read."""

    committed: list[PartitionState]
    resets: list[PartitionState]
    validations: list[PartitionState]

    def __bool__(self) -> bool:
        return bool(self.committed or self.resets or self.validations)


class Assignment:
    """Owned by the consumer. Replaced partition by partition: what stays assigned keeps its state."""

    def __init__(self, policy: ResetPolicy, *, uses_committed: bool) -> None:
        self._policy = policy
        self._uses_committed = uses_committed
        self._states: dict[TopicPartition, PartitionState] = {}

    def __iter__(self) -> Iterator[PartitionState]:
        return iter(self._states.values())

    def __len__(self) -> int:
        return len(self._states)

    def __contains__(self, partition: TopicPartition) -> bool:
        return partition in self._states

    def get(self, partition: TopicPartition) -> PartitionState | None:
        return self._states.get(partition)

    @property
    def partitions(self) -> set[TopicPartition]:
        return set(self._states)

    def replace(self, partitions: Iterable[TopicPartition], image: ClusterImage) -> None:
        wanted = dict.fromkeys(partitions)
        for partition in [partition for partition in self._states if partition not in wanted]:
            # Whoever still has the state sees that nothing of it counts any more.
            self._states.pop(partition).version += 1
        for partition in wanted:
            if partition not in self._states:
                state = PartitionState(partition, self._policy, uses_committed=self._uses_committed)
                self._states[partition] = state
        self.image_changed(image)

    def image_changed(self, image: ClusterImage) -> list[PartitionState]:
        """Takes over leaders and topic ids. The states whose buffered records do not count any more."""
        changed = []
        for state in self._states.values():
            before = state.version
            self._learn(state, image)
            if state.version != before:
                changed.append(state)
        return changed

    def _learn(self, state: PartitionState, image: ClusterImage) -> None:
        topic = image.topics.get(state.partition.topic)
        view = image.partition(state.partition)
        if topic is None or topic.error != ErrorCode.NONE or view is None:
            return
        known_id, state.topic_id = state.topic_id, topic.id
        if NO_TOPIC_ID not in (known_id, topic.id) and known_id != topic.id:
            state.start_over(uses_committed=self._uses_committed)
        leader_id = view.leader_id if view.leader_id in image.nodes else NO_NODE
        state.leader_is(leader_id, view.leader_epoch)
        if state.preferred_id != NO_NODE and state.preferred_id not in image.nodes:
            state.forget_preferred()

    def due_lookups(self, now_ms: int) -> DueLookups:
        """Those that are not in flight and not backing off."""
        due = DueLookups([], [], [])
        lists = {
            Readiness.NEEDS_COMMITTED: due.committed,
            Readiness.NEEDS_RESET: due.resets,
            Readiness.NEEDS_VALIDATION: due.validations,
        }
        for state in self._to_look_up():
            if state.not_before_ms <= now_ms:
                lists[state.readiness].append(state)
        return due

    def next_lookup_ms(self, now_ms: int) -> int | None:
        """When the next one is due that is backing off now."""
        times = [state.not_before_ms for state in self._to_look_up() if state.not_before_ms > now_ms]
        return min(times) if times else None

    def _to_look_up(self) -> Iterator[PartitionState]:
        """Resets and validations ask the leader, so one is known."""
        for state in self._states.values():
            if state.needs_look_up and not state.is_asking:
                if state.readiness is Readiness.NEEDS_COMMITTED or state.leader_id != NO_NODE:
                    yield state

    def lacks_leaders(self) -> bool:
        """Whether somebody waits for metadata."""
        return any(
            state.leader_id == NO_NODE and state.readiness is not Readiness.NEEDS_COMMITTED
            for state in self._states.values()
        )

    def positions(self) -> Mapping[TopicPartition, Position]:
        """Of those that have one."""
        return {partition: state.position for partition, state in self._states.items() if state.position is not None}
