"""Groups: one owner per partition and epoch, late members are fenced, committed offsets never go back.

A `GroupWitness` records the requests and responses of the members of one group, as they happen. "Epoch" is
the generation of a classic group, and the member epoch of a consumer group.
"""

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ottla.model.topic import TopicPartition
from ottla.sim.history import History
from ottla.sim.loop import SimLoop


class MemberIdentity(NamedTuple):
    """One run of a member. All runs of a static member have the same instance id."""

    member_id: str
    instance_id: str | None

    def is_same_instance(self, other: "MemberIdentity") -> bool:
        return self.instance_id is not None and self.instance_id == other.instance_id


class Grant(NamedTuple):
    """A member was assigned a partition."""

    member: MemberIdentity
    epoch: int
    asked_s: float
    received_s: float
    #: How often the epochs had restarted.
    round: int = 0


class Attempt(NamedTuple):
    """A commit that has no response yet."""

    member: MemberIdentity
    epoch: int
    offsets: dict[TopicPartition, int]
    #: What was known when it was sent.
    is_late: dict[TopicPartition, Grant]
    floor: dict[TopicPartition, int]


class Committed(NamedTuple):
    offset: int
    member: MemberIdentity
    epoch: int


class GroupWitness:
    """Owned by a workload; one for each group."""

    def __init__(
        self, name: str, history: History, loop: SimLoop, *, session_timeout_ms: int, may_restart: bool = False
    ) -> None:
        """`may_restart`: an empty group may change its protocol, and then its epochs restart."""
        self.name = name
        self.commit_count = 0
        self.refused_late_count = 0
        self._history = history
        self._loop = loop
        self._session_s = session_timeout_ms / 1000
        self._may_restart = may_restart
        #: When a member sent its last request that went well, and its epoch; gone when it has begun to leave.
        self._heard: dict[MemberIdentity, tuple[float, int]] = {}
        self._claims: dict[tuple[TopicPartition, int], MemberIdentity] = {}
        self._newest: dict[TopicPartition, Grant] = {}
        self._own: dict[tuple[TopicPartition, MemberIdentity], Grant] = {}
        self._acked: dict[TopicPartition, Committed] = {}
        self._unknown: dict[TopicPartition, list[Committed]] = {}

    # -- ownership

    def granted(self, member: MemberIdentity, epoch: int, partitions: Iterable[TopicPartition], asked_s: float) -> None:
        """`asked_s`: when the request was sent whose response assigns them."""
        self.heard(member, epoch, asked_s)
        for partition in partitions:
            newest = self._newest.get(partition)
            grant = Grant(member, epoch, asked_s, self._loop.time(), newest.round if newest is not None else 0)
            if newest is not None and self._may_restart and self._restarts_epochs(partition, grant, newest):
                grant = grant._replace(round=newest.round + 1)
                self._claims = {place: holder for place, holder in self._claims.items() if place[0] != partition}
                newest = None
            holder = self._claims.setdefault((partition, epoch), member)
            if holder != member and not holder.is_same_instance(member):
                self._found("two-owners", f"{partition} at {epoch}: {holder.member_id} and {member.member_id}")
            self._own[(partition, member)] = grant
            if newest is None or epoch > newest.epoch or _follows(grant, newest):
                self._newest[partition] = grant

    def heard(self, member: MemberIdentity, epoch: int, sent_s: float) -> None:
        self._heard[member] = (sent_s, epoch)

    def leaves(self, member: MemberIdentity) -> None:
        self._heard.pop(member, None)

    def _restarts_epochs(self, partition: TopicPartition, grant: Grant, newest: Grant) -> bool:
        """An epoch that is not higher, asked for after the higher one was known: all members must have been gone."""
        if grant.asked_s <= newest.received_s:
            return False
        if grant.member == newest.member or grant.member.is_same_instance(newest.member):
            return grant.epoch < newest.epoch
        if grant.epoch > newest.epoch:
            return False
        heard_s, epoch = self._heard.get(newest.member, (-math.inf, 0))
        if epoch >= newest.epoch and self._loop.time() - heard_s < self._session_s:
            text = f"{newest.member.member_id} at {newest.epoch}, then {grant.member.member_id} at {grant.epoch}"
            self._found("two-owners", f"{partition}: {text}")
        return True

    def fenced(self, member: MemberIdentity, last_heard_s: float | None) -> None:
        """The coordinator does not know the member. `last_heard_s`: when its last good heartbeat was sent."""
        if last_heard_s is not None:
            silence_s = self._loop.time() - last_heard_s
            if silence_s < self._session_s:
                self._found("needless-fencing", f"{member.member_id} was heard {silence_s:.3f} s ago and is unknown")

    # -- commits

    def commit_begins(self, member: MemberIdentity, epoch: int, offsets: dict[TopicPartition, int]) -> Attempt:
        late = {}
        for partition in offsets:
            newest = self._newest.get(partition)
            if newest is not None and self._is_replaced(partition, member, epoch, newest):
                late[partition] = newest
        return Attempt(member, epoch, offsets, late, self.floor())

    def _is_replaced(self, partition: TopicPartition, member: MemberIdentity, epoch: int, newest: Grant) -> bool:
        if newest.member == member:
            return False
        own = self._own.get((partition, member))
        if own is not None and own.round != newest.round:
            return own.round < newest.round
        if newest.epoch > epoch:
            return True
        return own is not None and _follows(newest, own)

    def commit_ends(self, attempt: Attempt, accepted: Iterable[TopicPartition] | None) -> None:
        """`accepted` None: its outcome is unknown."""
        if accepted is None:
            for partition, offset in attempt.offsets.items():
                self._unknown.setdefault(partition, []).append(Committed(offset, attempt.member, attempt.epoch))
            return
        taken = dict.fromkeys(accepted)
        self.refused_late_count += sum(partition not in taken for partition in attempt.is_late)
        for partition in taken:
            self._accepted(attempt, partition)

    def _accepted(self, attempt: Attempt, partition: TopicPartition) -> None:
        self.commit_count += 1
        offset = attempt.offsets[partition]
        newer = attempt.is_late.get(partition)
        if newer is not None:
            text = f"{attempt.member.member_id} at {attempt.epoch} after {newer.member.member_id} at {newer.epoch}"
            self._found("late-member-not-fenced", f"{partition}: {text}")
        elif offset < attempt.floor.get(partition, -1):
            self._found("commit-went-back", f"{partition}: {offset} after {attempt.floor[partition]}")
        acked = self._acked.get(partition)
        if acked is None or offset >= acked.offset:
            self._acked[partition] = Committed(offset, attempt.member, attempt.epoch)

    # -- committed offsets as they are read

    def floor(self) -> dict[TopicPartition, int]:
        """Offsets fetched from now on must be at least these."""
        return {partition: committed.offset for partition, committed in self._acked.items()}

    def fetched(self, floor: Mapping[TopicPartition, int], offsets: Mapping[TopicPartition, int]) -> None:
        for partition, offset in offsets.items():
            if offset >= floor.get(partition, -1):
                continue
            acked = self._acked[partition]
            unknown = next((each for each in self._unknown.get(partition, []) if each.offset == offset), None)
            if unknown is not None and (unknown.member == acked.member or unknown.epoch >= acked.epoch):
                # The member itself did not know what became of an earlier commit, and it has come late.
                self._acked[partition] = unknown
                continue
            text = f"{partition}: {floor[partition]} was committed, {offset} is read"
            self._found("committed-offset-went-back", text)

    def _found(self, kind: str, text: str) -> None:
        self._history.found(kind, f"{self.name}: {text}")


def _follows(later: Grant, earlier: Grant) -> bool:
    """A static member has come back: its new run was requested after the old one had its response."""
    return (
        later.epoch == earlier.epoch
        and later.member.is_same_instance(earlier.member)
        and later.member != earlier.member
        and later.asked_s > earlier.received_s
    )
