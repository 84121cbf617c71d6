"""What members of simulated groups do with their partitions: they commit, and look whether their commits are kept."""

from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from ottla.sim.group_client import GroupSimClient
from ottla.sim.group_process import GroupProcess, Life
from ottla.sim.producer import CLIENT_ERRORS
from ottla.sim.rng import SimRng
from ottla.sim.world import sleep_ms


class Committing:
    """Implements `Work`: commits ever higher offsets of the partitions that the member has."""

    def __init__(self, owner: GroupProcess, life: Life, client: GroupSimClient, rng: SimRng) -> None:
        self._plan = owner.plan
        self._witness = owner.witness
        self._membership = life.membership
        self._client = client
        self._rng = rng
        self._is_stopping = False
        #: By partition: which grant of it, and how far it is.
        self._positions: dict[TopicPartition, tuple[int, int]] = {}

    def stop(self) -> None:
        self._is_stopping = True

    async def run(self) -> None:
        while not self._is_stopping:
            await sleep_ms(self._rng.between(20, 500))
            try:
                await self._work()
            except CLIENT_ERRORS:
                self._client.close()
        self._client.close()

    async def _work(self) -> None:
        commit_identity = self._membership.commit_identity
        if commit_identity is None or not self._membership.owned:
            return
        await self._read_positions(again=self._rng.chance(25))
        offsets = {}
        for partition, grant in self._membership.owned.items():
            known = self._positions.get(partition)
            if known is not None and known[0] == grant and self._rng.chance(70):
                offsets[partition] = known[1] + self._rng.between(0, 5)
        commit_identity = self._membership.commit_identity
        if commit_identity is None or not offsets:
            return
        for partition, offset in offsets.items():
            self._positions[partition] = (self._membership.owned[partition], offset)
        attempt = self._witness.commit_begins(commit_identity.member, commit_identity.epoch, offsets)
        try:
            codes = await self._client.commit(self._plan.group_id, commit_identity, offsets)
        except CLIENT_ERRORS:
            self._witness.commit_ends(attempt, None)
            raise
        if any(code is ErrorCode.REQUEST_TIMED_OUT for code in codes.values()):
            self._witness.commit_ends(attempt, None)
        else:
            self._witness.commit_ends(attempt, [each for each, code in codes.items() if code is ErrorCode.NONE])

    async def _read_positions(self, *, again: bool) -> None:
        """`again`: also where it knows the position, to see whether the coordinator still does."""
        wanted = {
            partition: grant
            for partition, grant in self._membership.owned.items()
            if again or self._positions.get(partition, (0, 0))[0] != grant
        }
        if not wanted:
            return
        floor = self._witness.floor()
        membership = self._membership
        code, offsets = await self._client.committed(
            self._plan.group_id, list(wanted), membership.commit_identity, is_consumer=membership.is_consumer
        )
        if code is not ErrorCode.NONE:
            return
        self._witness.fetched(floor, offsets)
        for partition, grant in wanted.items():
            if self._membership.owned.get(partition) == grant and self._positions.get(partition, (0, 0))[0] != grant:
                self._positions[partition] = (grant, max(offsets[partition], 0))
