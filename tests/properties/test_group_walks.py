"""Random walks of clients through a group, with crashes, pauses, lost answers, coordinator restarts and full disks.

At every step: a partition has one owner, only members commit, committed offsets never go back, the log gives the state.
At the end: when nothing changes any more, the group is stable within two session timeouts and all partitions are read.
"""

from contextlib import suppress
from random import Random

import pytest

from ottla.groups.topics import TopicInfo
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from tests.support.group_clients import ClassicClient, ConsumerClient, CooperativeClient, Place
from tests.support.group_topics import a_topic
from tests.support.groups import GroupTest

TOPICS = ["orders", "payments"]
STEPS = 150
MAX_SESSION_MS = 45_000


class Walk:
    def __init__(
        self, seed: int, kinds: list[type[ClassicClient] | type[ConsumerClient]], *, fills_disk: bool = False
    ) -> None:
        self.random = Random(seed)
        self.kinds = kinds
        self.fills_disk = fills_disk
        self.sizes = {"orders": 5, "payments": 2}
        self.groups = GroupTest(topics=self._topics(), consumer_assignment_interval_ms=self.random.choice([0, 1_000]))
        self.clients: list[ClassicClient | ConsumerClient] = []
        self.asleep: dict[str, None] = {}
        self.committed: dict[Place, int] = {}
        self._names = 0

    def _topics(self) -> list[TopicInfo]:
        return [a_topic(name, count) for name, count in self.sizes.items()]

    def take_step(self) -> None:
        actions = [self.react] * 12 + [self.commit] * 4 + [self.wait] * 4
        actions += [self.arrive, self.leave, self.crash, self.fall_asleep, self.restart, self.grow]
        if self.fills_disk:
            actions += [self.fill_disk, self.make_room]
        with suppress(Refused):
            self.random.choice(actions)()
        self.check()

    # -- what happens

    def react(self) -> None:
        awake = [client for client in self.clients if client.name not in self.asleep]
        if awake:
            self.random.choice(awake).step(self.random)

    def commit(self) -> None:
        """A client commits what it read, which is never less than what was committed when it got the partition."""
        holders = [client for client in self.clients if client.held]
        if not holders:
            return
        client = self.random.choice(holders)
        place = self.random.choice(sorted(client.held))
        offset = self.committed.get(place, 0) + self.random.randrange(1, 10)
        is_member = client.is_member()
        code = client.commit(offset, place)
        if code is ErrorCode.NONE:
            self.committed[place] = offset
        assert code is not ErrorCode.NONE or is_member or self._is_tolerated(client), f"{client.name} is not a member"

    def _is_tolerated(self, client: ClassicClient | ConsumerClient) -> bool:
        """A live member of the last epochs: the coordinator knows that it has had the partition all along."""
        if isinstance(client, ConsumerClient):
            return any(member.member_id == client.name for member in self.groups.consumer_group().members)
        return self.groups.state in ("PreparingRebalance", "Stable")

    def wait(self) -> None:
        self.groups.time_passes(self.random.randrange(1, 4_000))

    def arrive(self) -> None:
        if len(self.clients) < 6:
            self._names += 1
            kind = self.random.choice(self.kinds)
            topics = TOPICS if self.random.random() < 0.7 else [self.random.choice(TOPICS)]
            self.clients.append(kind(self.groups, f"m{self._names}", topics))

    def leave(self) -> None:
        if self.clients and self.random.random() < 0.5:
            client = self.clients.pop(self.random.randrange(len(self.clients)))
            client.leave()

    def crash(self) -> None:
        if self.clients and self.random.random() < 0.5:
            self.clients.pop(self.random.randrange(len(self.clients)))

    def fall_asleep(self) -> None:
        """A pause as by a garbage collector: the client believes in what it held when it wakes."""
        if self.asleep:
            self.asleep.clear()
        elif self.clients:
            self.asleep[self.random.choice(self.clients).name] = None

    def restart(self) -> None:
        self.groups.restart()
        for client in self.clients:
            if isinstance(client, ClassicClient):
                client.was_refused()

    def grow(self) -> None:
        if self.sizes["orders"] < 9 and self.random.random() < 0.3:
            self.sizes["orders"] += 1
            self.groups.topics_become(*self._topics())

    def fill_disk(self) -> None:
        self.groups.is_full = True

    def make_room(self) -> None:
        self.groups.is_full = False
        for client in self.clients:
            if isinstance(client, ClassicClient):
                client.was_refused()

    # -- what must hold

    def check(self) -> None:
        owners: dict[Place, str] = {}
        for client in self.clients:
            if not client.held or not client.is_member():
                continue
            for place in client.held:
                assert place not in owners, f"{place} is held by {owners[place]} and {client.name}"
                owners[place] = client.name
        for (topic, partition), offset in self.committed.items():
            assert self.groups.committed(topic, partition) == offset
        self.groups.check_invariants()

    def settle(self) -> None:
        """Nothing changes any more: within two sessions all is stable."""
        self.asleep.clear()
        self.make_room()
        for _ in range(2 * MAX_SESSION_MS // 1_000):
            self.groups.time_passes(1_000)
            for client in self.clients:
                client.step(Random(1))
            self.check()
        if self.clients:
            assert self.groups.state == "Stable"
            read = {place for client in self.clients for place in client.held}
            wanted = {topic for client in self.clients for topic in client.topics}
            assert read == {(topic, index) for topic in wanted for index in range(self.sizes[topic])}
        else:
            assert self.groups.state in ("Empty", "Dead")


def walk(seed: int, *kinds: type[ClassicClient] | type[ConsumerClient], fills_disk: bool = False) -> None:
    story = Walk(seed, list(kinds), fills_disk=fills_disk)
    for _ in range(STEPS):
        story.take_step()
    story.settle()


@pytest.mark.parametrize("seed", range(12))
def test_classic_members(seed: int) -> None:
    walk(seed, ClassicClient)


@pytest.mark.parametrize("seed", range(12))
def test_consumer_members(seed: int) -> None:
    walk(seed, ConsumerClient)


@pytest.mark.parametrize("seed", range(12))
def test_both_kinds_in_one_group(seed: int) -> None:
    walk(seed, ClassicClient, ConsumerClient)


@pytest.mark.parametrize("seed", range(12))
def test_members_that_read_on_while_they_rebalance(seed: int) -> None:
    walk(seed, CooperativeClient)


@pytest.mark.parametrize("seed", range(12))
def test_members_that_read_on_beside_consumer_members(seed: int) -> None:
    walk(seed, CooperativeClient, ConsumerClient)


@pytest.mark.parametrize("seed", range(12))
def test_a_disk_that_is_full_now_and_then(seed: int) -> None:
    walk(seed, ClassicClient, ConsumerClient, fills_disk=True)
