"""Clients of a group as they behave in the world: they react to answers, lose some, pause, and hold on to partitions.

`held` is what a client believes it may read. Two clients that the coordinator still counts as members must never
believe that of the same partition.
"""

from random import Random

from ottla.model.error_codes import ErrorCode
from ottla.protocol.generated.consumer_protocol_assignment import AssignedPartitions, ConsumerProtocolAssignment
from ottla.protocol.generated.consumer_protocol_subscription import ConsumerProtocolSubscription
from tests.support.group_host import Pending
from tests.support.group_topics import assigned_in, subscription, topic_id
from tests.support.groups import GroupTest

Place = tuple[str, int]
SESSION_MS = 10_000


def places_in(assigned: dict[str, list[int]]) -> set[Place]:
    return {(topic, partition) for topic, partitions in assigned.items() for partition in partitions}


def by_topic(held: set[Place]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for topic, partition in sorted(held):
        found.setdefault(topic, []).append(partition)
    return found


class ConsumerClient:
    """Speaks the consumer protocol. After an answer that it lost it sends everything again, as real clients do."""

    def __init__(self, groups: GroupTest, name: str, topics: list[str]) -> None:
        self.groups = groups
        self.name = name
        self.topics = topics
        self.epoch = 0
        self.held: set[Place] = set()
        self._granted: set[Place] = set()
        self._has_lost = False

    def step(self, random: Random) -> None:
        # What was taken away in the last answer has been given up by now.
        self.held &= self._granted
        fields: dict[str, object] = {}
        if self._has_lost and self.epoch:
            fields = {"rebalance_timeout_ms": 60_000, "subscribed_topic_names": self.topics}
        response = self.groups.beat(
            self.name,
            *(self.topics if not self.epoch else ()),
            epoch=self.epoch,
            owned=None if not self.epoch else by_topic(self.held),
            **fields,  # type: ignore[arg-type]
        )
        self._has_lost = random.random() < 0.1
        if self._has_lost:
            return
        if response.error_code != ErrorCode.NONE:
            assert response.error_code in (ErrorCode.UNKNOWN_MEMBER_ID, ErrorCode.FENCED_MEMBER_EPOCH)
            self._forget()
            return
        self.epoch = response.member_epoch
        if response.assignment is not None:
            names = {topic_id(name): name for name in self.groups.topics.names()}
            self._granted = {
                (names[entry.topic_id], partition)
                for entry in response.assignment.topic_partitions
                if entry.topic_id in names
                for partition in entry.partitions
            }
            self.held |= self._granted

    def _forget(self) -> None:
        self.epoch = 0
        self.held = set()
        self._granted = set()

    def leave(self) -> None:
        self.groups.beat(self.name, epoch=-1)
        self._forget()

    def commit(self, offset: int, place: Place) -> ErrorCode:
        return self.groups.commit(self.name, offset, topic=place[0], partition=place[1], generation=self.epoch)

    def is_member(self) -> bool:
        """Whether the coordinator would take its next heartbeat with this epoch."""
        found = self.groups.consumer_group()
        return any(member.member_id == self.name and member.member_epoch == self.epoch for member in found.members)


class ClassicClient:
    """Speaks the classic protocol, eagerly: it gives everything up before it joins again."""

    def __init__(self, groups: GroupTest, name: str, topics: list[str]) -> None:
        self.groups = groups
        self.name = name
        self.topics = topics
        self.held: set[Place] = set()
        self._doing = "nothing"
        self._pending = Pending()
        #: The topics for which it assigned as leader.
        self._assigned_for: object = None

    @property
    def generation(self) -> int:
        return self.groups.person(self.name).generation

    def step(self, random: Random) -> None:
        getattr(self, f"_when_{self._doing}")()

    def was_refused(self) -> None:
        """The coordinator has restarted, or its log took no records: what was asked is asked again."""
        if self._doing in ("joining", "syncing"):
            self._doing = "nothing"

    def _when_nothing(self) -> None:
        self.held = set()
        self._pending = self.groups.join(
            self.name,
            protocols=[("range", subscription(*self.topics))],
            session_timeout_ms=SESSION_MS,
            rebalance_timeout_ms=20_000,
        )
        self._doing = "joining"

    def _when_joining(self) -> None:
        response = self._pending.response
        if response is None:
            return
        person = self.groups.person(self.name)
        if response.error_code != ErrorCode.NONE:
            if response.error_code == ErrorCode.UNKNOWN_MEMBER_ID:
                person.member_id = ""
            self._doing = "nothing"
            return
        person.member_id, person.generation = response.member_id, response.generation_id
        self._assigned_for = self.groups.topics if response.members else None
        self._pending = self._sync(self._assign(response.members))
        self._doing = "syncing"

    def _sync(self, assignments: dict[str, bytes]) -> Pending:
        for member_id in assignments:
            self.groups.person(member_id).member_id = member_id
        return self.groups.sync(self.name, assignments)

    def _assign(self, members: list[object]) -> dict[str, bytes]:
        """Round robin over the members that want a topic."""
        shares: dict[str, set[Place]] = {member.member_id: set() for member in members}  # type: ignore[attr-defined]
        wants = {
            member.member_id: ConsumerProtocolSubscription.decode(member.metadata, 2, 1)[0].topics  # type: ignore[attr-defined]
            for member in members
        }
        for name in sorted(self.groups.topics.names()):
            topic = self.groups.topics.by_name(name)
            takers = [member_id for member_id, topics in wants.items() if name in topics]
            for partition in range(topic.partition_count if topic and takers else 0):
                shares[takers[partition % len(takers)]].add((name, partition))
        return {member_id: _assignment(held) for member_id, held in shares.items()}

    def _when_syncing(self) -> None:
        response = self._pending.response
        if response is None:
            return
        if response.error_code == ErrorCode.NONE:
            self.held = places_in(assigned_in(response.assignment)) if response.assignment else set()
            self._doing = "reading"
        else:
            self._refused(ErrorCode(response.error_code))

    def _when_reading(self) -> None:
        code = self.groups.heartbeat(self.name)
        if code is not ErrorCode.NONE:
            self._refused(code)
        elif self._assigned_for not in (None, self.groups.topics):
            # The leader watches the topics.
            self._refused(ErrorCode.REBALANCE_IN_PROGRESS)

    def _refused(self, code: ErrorCode) -> None:
        if code is ErrorCode.UNKNOWN_MEMBER_ID:
            self.groups.person(self.name).member_id = ""
        self.held = set()
        self._doing = "nothing"

    def leave(self) -> None:
        self.groups.leave(self.name)
        self.groups.person(self.name).member_id = ""
        self.held = set()
        self._doing = "nothing"

    def commit(self, offset: int, place: Place) -> ErrorCode:
        return self.groups.commit(self.name, offset, topic=place[0], partition=place[1])

    def is_member(self) -> bool:
        if self._doing != "reading":
            return False
        member_id = self.groups.person(self.name).member_id
        found = self.groups.consumer_group()
        if found.error_code == ErrorCode.NONE:
            return any(
                member.member_id == member_id and member.member_epoch == self.generation for member in found.members
            )
        is_known = any(member.member_id == member_id for member in self.groups.describe().members)
        return is_known and self.groups.state == "Stable"


class CooperativeClient(ClassicClient):
    """Reads on while it joins again; the leader gives nothing away that another member still has (KIP-429)."""

    #: It was put out and has not noticed: it came back under its old id.
    _was_put_out = False

    def _when_nothing(self) -> None:
        self._was_put_out = bool(self.held) and not self.is_member()
        self._pending = self.groups.join(
            self.name,
            protocols=[("range", subscription(*self.topics, owned=by_topic(self.held)))],
            session_timeout_ms=SESSION_MS,
            rebalance_timeout_ms=20_000,
        )
        self._doing = "joining"

    def _when_joining(self) -> None:
        response = self._pending.response
        if response is not None and response.error_code == ErrorCode.UNKNOWN_MEMBER_ID:
            self.held = set()
        super()._when_joining()

    def _assign(self, members: list[object]) -> dict[str, bytes]:
        shares = super()._assign(members)
        owned = {member.member_id: _owned(member.metadata) for member in members}  # type: ignore[attr-defined]
        for member_id, data in shares.items():
            others = set().union(*(held for other, held in owned.items() if other != member_id))
            shares[member_id] = _assignment(places_in(assigned_in(data)) - others)
        return shares

    def _when_syncing(self) -> None:
        response = self._pending.response
        if response is None:
            return
        if response.error_code != ErrorCode.NONE:
            self._refused(ErrorCode(response.error_code))
            return
        granted = places_in(assigned_in(response.assignment)) if response.assignment else set()
        # What it has revoked it brings back to the others by joining again.
        self._doing = "reading" if self.held <= granted else "nothing"
        self.held = granted
        self._was_put_out = False

    def _refused(self, code: ErrorCode) -> None:
        held = self.held
        super()._refused(code)
        if code is ErrorCode.REBALANCE_IN_PROGRESS:
            self.held = held

    def commit(self, offset: int, place: Place) -> ErrorCode:
        return ErrorCode.UNKNOWN_MEMBER_ID if self._was_put_out else super().commit(offset, place)

    def is_member(self) -> bool:
        """Whatever it is doing: it reads what it holds."""
        member_id = self.groups.person(self.name).member_id
        members = [*self.groups.consumer_group().members, *self.groups.describe().members]
        return not self._was_put_out and any(member.member_id == member_id for member in members)


def _owned(metadata: bytes) -> set[Place]:
    subscribed, _ = ConsumerProtocolSubscription.decode(metadata, 2, 1)
    return places_in({entry.topic: entry.partitions for entry in subscribed.owned_partitions})


def _assignment(held: set[Place]) -> bytes:
    message = ConsumerProtocolAssignment(
        assigned_partitions=[
            AssignedPartitions(topic=topic, partitions=partitions) for topic, partitions in by_topic(held).items()
        ]
    )
    data = bytearray(b"\0\1")
    message.encode(data, 1)
    return bytes(data)
