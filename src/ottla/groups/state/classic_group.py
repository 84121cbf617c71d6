"""A classic group: members, leader, generation, and who is waited for.

The hard state is `stored`, the value of the last record. All else is the live picture of it: it runs ahead during a
rebalance and is rebuilt from `stored` on reload, so a rebalance that was under way simply starts again.
"""

from typing import Final

from ottla.groups.consumer_protocol import read_subscription
from ottla.groups.records import GroupRecord
from ottla.groups.state.classic_member import ClassicMember
from ottla.groups.state.classic_states import ClassicState, check_step
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.protocol.generated import group_metadata_value
from ottla.protocol.generated.group_metadata_key import GroupMetadataKey
from ottla.protocol.generated.group_metadata_value import GroupMetadataValue

CONSUMER = "consumer"
#: Asked for by each commit: looking it up in the enumeration takes longer.
_EMPTY: Final = ClassicState.EMPTY


class ClassicGroup:
    """Owned by the state of the shard. `members` keeps the order of joining; the first is the leader unless it left."""

    __slots__ = (
        "generation",
        "group_id",
        "has_new_member",
        "is_initial_rebalance",
        "leader_id",
        "members",
        "pending_members",
        "pending_sync",
        "protocol_name",
        "protocol_type",
        "state",
        "state_timestamp_ms",
        "static_members",
        "stored",
        "subscribed_topics",
    )

    def __init__(self, group_id: str) -> None:
        self.group_id = group_id
        self.state = ClassicState.EMPTY
        self.stored: GroupMetadataValue | None = None
        self.generation = 0
        self.protocol_type: str | None = None
        self.protocol_name: str | None = None
        self.leader_id: str | None = None
        self.state_timestamp_ms = -1
        self.members: dict[str, ClassicMember] = {}
        self.static_members: dict[str, str] = {}
        #: Were given a member id and have not come back with it; value: their session timeout.
        self.pending_members: dict[str, int] = {}
        #: Have their response to JoinGroup and have not sent SyncGroup.
        self.pending_sync: dict[str, None] = {}
        #: The rebalance began with an empty group; then more members are waited for.
        self.is_initial_rebalance = False
        self.has_new_member = False
        #: Topics that the members of a consumer-type group read; None when their bytes cannot be read.
        self.subscribed_topics: frozenset[str] | None = None

    # -- questions

    @property
    def is_soft(self) -> bool:
        return self.stored is None

    def is_empty(self) -> bool:
        return self.state is ClassicState.EMPTY

    def has_pending_members(self) -> bool:
        return bool(self.pending_members)

    def uses_consumer_protocol(self) -> bool:
        return self.protocol_type == CONSUMER

    def rebalance_timeout_ms(self) -> int:
        return max((member.rebalance_timeout_ms for member in self.members.values()), default=0)

    def have_all_joined(self) -> bool:
        return not self.pending_members and all(member.join_ticket is not None for member in self.members.values())

    def joined_count(self) -> int:
        return sum(member.join_ticket is not None for member in self.members.values())

    def candidate_protocols(self, *, without: str | None = None) -> list[str]:
        """Protocols that every member knows, in the order of the first."""
        members = [member for member in self.members.values() if member.member_id != without]
        if not members:
            return []
        known = [dict(member.protocols) for member in members]
        return [name for name in known[0] if all(name in names for names in known)]

    def supports(self, protocol_type: str, protocols: list[str]) -> bool:
        """Whether a joining member has a protocol in common with all the others."""
        if self.state is ClassicState.EMPTY:
            return bool(protocol_type) and bool(protocols)
        candidates = self.candidate_protocols()
        return protocol_type == self.protocol_type and (
            not self.members or any(name in candidates for name in protocols)
        )

    def select_protocol(self) -> str:
        """The one with the most votes; of equals the one that stands first in the first member's list."""
        candidates = self.candidate_protocols()
        votes = dict.fromkeys(candidates, 0)
        for member in self.members.values():
            votes[member.vote(candidates)] += 1
        return max(candidates, key=votes.__getitem__)

    def is_subscribed_to(self, topic: str) -> bool:
        """Without a readable subscription every topic might be one of the group's."""
        if self.protocol_type != CONSUMER or self.state is ClassicState.EMPTY:
            return False
        return self.subscribed_topics is None or topic in self.subscribed_topics

    def knows_its_topics(self) -> bool:
        return self.uses_consumer_protocol() and self.subscribed_topics is not None

    # -- checks of requests; they raise Refused

    def check_member(self, member_id: str, instance_id: str | None) -> None:
        if instance_id is not None:
            holder = self.static_members.get(instance_id)
            if holder is None:
                raise Refused(ErrorCode.UNKNOWN_MEMBER_ID)
            if holder != member_id:
                raise Refused(ErrorCode.FENCED_INSTANCE_ID)
        if member_id not in self.members:
            raise Refused(ErrorCode.UNKNOWN_MEMBER_ID)

    def check_generation(self, generation: int) -> None:
        if generation != self.generation:
            raise Refused(ErrorCode.ILLEGAL_GENERATION)

    def check_commit(self, member_id: str, instance_id: str | None, generation: int, version: int) -> None:
        if generation < 0:
            if self.state is _EMPTY:
                return
            if not member_id and instance_id is None:
                raise Refused(ErrorCode.UNKNOWN_MEMBER_ID)
        self.check_member(member_id, instance_id)
        self.check_generation(generation)
        if self.state is ClassicState.COMPLETING_REBALANCE:
            # The member knows the new generation but not yet its partitions: it must not commit for them.
            raise Refused(ErrorCode.REBALANCE_IN_PROGRESS)

    def check_transactional_commit(self, member_id: str, instance_id: str | None, generation: int) -> None:
        """Older clients send no group metadata; then nothing is checked (KIP-447)."""
        if generation < 0 and (self.state is _EMPTY or (not member_id and instance_id is None)):
            return
        self.check_member(member_id, instance_id)
        self.check_generation(generation)

    def check_delete_offsets(self) -> None:
        if self.state is not ClassicState.EMPTY and not self.uses_consumer_protocol():
            raise Refused(ErrorCode.NON_EMPTY_GROUP)

    def check_delete(self) -> None:
        if self.state is not ClassicState.EMPTY:
            raise Refused(ErrorCode.NON_EMPTY_GROUP)

    # -- soft changes

    def go_to(self, state: ClassicState) -> None:
        check_step(self.group_id, self.state, state)
        self.state = state

    def add(self, member: ClassicMember, protocol_type: str) -> None:
        if not self.members:
            self.protocol_type = protocol_type
        if self.leader_id is None:
            self.leader_id = member.member_id
        self.members[member.member_id] = member
        self.pending_members.pop(member.member_id, None)
        if member.instance_id is not None:
            self.static_members[member.instance_id] = member.member_id

    def remove(self, member_id: str) -> ClassicMember | None:
        self.pending_members.pop(member_id, None)
        self.pending_sync.pop(member_id, None)
        member = self.members.pop(member_id, None)
        if member is None:
            return None
        if member.instance_id is not None and self.static_members.get(member.instance_id) == member_id:
            del self.static_members[member.instance_id]
        if self.leader_id == member_id:
            self.leader_id = next(iter(self.members), None)
        return member

    def replace_static(self, old_id: str, new_id: str) -> ClassicMember:
        """The same instance under a new member id. The member keeps its place in the order."""
        member = self.members[old_id]
        member.member_id = new_id
        self.members = {new_id if key == old_id else key: value for key, value in self.members.items()}
        if member.instance_id is not None:
            self.static_members[member.instance_id] = new_id
        if self.leader_id == old_id:
            self.leader_id = new_id
        self.pending_sync.pop(old_id, None)
        return member

    def elect_joined_leader(self) -> bool:
        """The leader must be one that waits for its response. False when nobody does."""
        leader = self.members.get(self.leader_id or "")
        if leader is not None and leader.join_ticket is not None:
            return True
        for member in self.members.values():
            if member.join_ticket is not None:
                self.leader_id = member.member_id
                return True
        return False

    def note_subscriptions(self) -> None:
        self.subscribed_topics = self._read_subscriptions()

    def _read_subscriptions(self) -> frozenset[str] | None:
        if not self.uses_consumer_protocol() or self.protocol_name is None:
            return None
        topics: set[str] = set()
        for member in self.members.values():
            subscription = read_subscription(member.metadata(self.protocol_name))
            if subscription is None:
                return None
            topics.update(subscription.topics)
        return frozenset(topics)

    # -- records

    def value(self, assignments: dict[str, bytes], timestamp_ms: int, *, generation: int) -> GroupMetadataValue:
        return GroupMetadataValue(
            protocol_type=self.protocol_type or "",
            generation=generation,
            protocol=self.protocol_name if self.members else None,
            leader=self.leader_id if self.members else None,
            current_state_timestamp=timestamp_ms,
            members=[
                group_metadata_value.Members(
                    member_id=member.member_id,
                    group_instance_id=member.instance_id,
                    client_id=member.client_id,
                    client_host=member.client_host,
                    rebalance_timeout=member.rebalance_timeout_ms,
                    session_timeout=member.session_timeout_ms,
                    subscription=member.metadata(self.protocol_name),
                    assignment=assignments.get(member.member_id, b""),
                )
                for member in self.members.values()
            ],
        )

    def write_tombstones(self, records: list[GroupRecord]) -> None:
        records.append(GroupRecord(GroupMetadataKey(group=self.group_id), None))

    def apply(self, value: GroupMetadataValue) -> None:
        """Takes the state from the log. Members that are here already keep what only the live group knows of them."""
        self.stored = value
        self.generation = value.generation
        self.protocol_type = value.protocol_type or None
        self.protocol_name = value.protocol
        self.leader_id = value.leader
        self.state_timestamp_ms = value.current_state_timestamp
        live, self.members = self.members, {}
        self.static_members = {}
        for entry in value.members:
            member = live.get(entry.member_id) or _restored(entry, value.protocol or "")
            member.assignment = entry.assignment
            self.members[entry.member_id] = member
            if entry.group_instance_id is not None:
                self.static_members[entry.group_instance_id] = entry.member_id
        self.pending_sync = {member_id: None for member_id in self.pending_sync if member_id in self.members}
        self.state = ClassicState.STABLE if self.members else ClassicState.EMPTY
        self.is_initial_rebalance = False
        self.note_subscriptions()


def _restored(entry: group_metadata_value.Members, protocol: str) -> ClassicMember:
    timeout_ms = entry.rebalance_timeout
    return ClassicMember(
        entry.member_id,
        instance_id=entry.group_instance_id,
        client_id=entry.client_id,
        client_host=entry.client_host,
        rebalance_timeout_ms=entry.session_timeout if timeout_ms == -1 else timeout_ms,
        session_timeout_ms=entry.session_timeout,
        protocols=[(protocol, entry.subscription)],
    )
