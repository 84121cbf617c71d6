"""What members of both protocols have in common: who they work for, what they own, and how they take a refusal."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, NamedTuple, NoReturn

from ottla.model.topic import TopicPartition
from ottla.sim.checkers.groups import GroupWitness
from ottla.sim.group_client import CommitIdentity, FencedForGood, GroupPlan, GroupSimClient
from ottla.sim.loop import SimLoop
from ottla.sim.pace import Pace
from ottla.sim.rng import SimRng
from ottla.sim.world import sleep_ms


class MemberContext(NamedTuple):
    """What a member gets when its process starts."""

    client: GroupSimClient
    plan: GroupPlan
    witness: GroupWitness
    loop: SimLoop
    rng: SimRng
    #: None: the member is not static.
    instance_id: str | None
    pace: Pace


class Membership(ABC):
    """One run of a member of a group."""

    #: It speaks the protocol of KIP-848.
    is_consumer: ClassVar[bool]

    def __init__(self, context: MemberContext) -> None:
        #: What it has now; the number distinguishes one grant from the next.
        self.owned: dict[TopicPartition, int] = {}
        self._client = context.client
        self._plan = context.plan
        self._witness = context.witness
        self._loop = context.loop
        self._rng = context.rng
        self._instance_id = context.instance_id
        self._pace = context.pace
        #: When the last heartbeat was sent that went well.
        self._heard_s: float | None = None
        self._grant_count = 0

    @property
    @abstractmethod
    def commit_identity(self) -> CommitIdentity | None:
        """None while it is not a member."""

    @abstractmethod
    async def step(self) -> None:
        """A heartbeat, or whatever else is due."""

    @abstractmethod
    async def leave(self) -> None: ...

    def close(self) -> None:
        self._client.close()

    def _lost_by(self, assigned: Sequence[TopicPartition]) -> list[TopicPartition]:
        """Partitions that it owns and has to revoke."""
        return [partition for partition in self.owned if partition not in assigned]

    def _hold(self, assigned: Sequence[TopicPartition]) -> bool:
        """Owns exactly these from now on. Returns whether that is a change."""
        lost = self._lost_by(assigned)
        for partition in lost:
            del self.owned[partition]
        added = [partition for partition in assigned if partition not in self.owned]
        for partition in added:
            self._grant_count += 1
            self.owned[partition] = self._grant_count
        return bool(lost or added)

    def _is_replaced(self) -> NoReturn:
        self.owned.clear()
        raise FencedForGood

    async def _find_coordinator(self) -> None:
        """The coordinator may still be loading."""
        await self._client.find_group(self._plan.group_id)
        await sleep_ms(50 + self._rng.below(100))
