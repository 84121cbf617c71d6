"""Our assignors beside those of the Java client: the same groups, the same partitions."""

import random
import subprocess
from collections.abc import Iterable

import pytest

from ottla.client.group.assignors import ASSIGNORS
from ottla.client.group.assignors.member import Assigned, MemberSubscription, PartitionCounts, PartitionRacks
from ottla.model.topic import TopicPartition
from tests.support.java_programs import JavaPrograms

TOPICS = ("a", "b", "c", "d")
RACKS = ("r1", "r2", "r3")
CASES = 150


class Case:
    """A group that shall be assigned, drawn from a seed."""

    def __init__(self, seed: int, *, alike: bool = False, with_racks: bool = False, with_history: bool = False) -> None:
        draw = random.Random(seed)
        chosen = draw.sample(TOPICS, draw.randint(1, len(TOPICS)))
        self.counts: PartitionCounts = {topic: draw.randint(1, 7) for topic in chosen}
        self.racks: PartitionRacks = {
            TopicPartition(topic, index): frozenset(draw.sample(RACKS, draw.randint(1, 3)))
            for topic, count in self.counts.items()
            for index in range(count)
        }
        common = frozenset(draw.sample(TOPICS, draw.randint(1, len(TOPICS))))
        self.members = [
            MemberSubscription(
                f"m{draw.randint(0, 99):02}-{number}",
                common if alike else frozenset(draw.sample(TOPICS, draw.randint(1, len(TOPICS)))),
                draw.choice([None, f"instance-{9 - number}"]),
                rack=draw.choice([None, *RACKS]) if with_racks else None,
            )
            for number in range(draw.randint(1, 6))
        ]
        if with_history:
            self._draw_history(draw)

    def _draw_history(self, draw: random.Random) -> None:
        """What an earlier group of some of these members owned; newcomers own nothing."""
        before = [member for member in self.members if draw.random() < 0.8]
        counts = {topic: max(1, count + draw.choice((-1, 0, 0))) for topic, count in self.counts.items()}
        owned = ASSIGNORS["sticky"].assign(before, counts, {})
        self.members = [
            member._replace(owned=tuple(owned[member.member_id]), generation=5) if member in before else member
            for member in self.members
        ]

    def lines(self, assignor: str) -> Iterable[str]:
        yield f"case {assignor}"
        for partition, racks in self.racks.items():
            yield f"partition {partition.topic} {partition.partition} {','.join(sorted(racks))}"
        for member in self.members:
            topics = ",".join(sorted(member.topics))
            owned = ",".join(f"{topic}:{index}" for topic, index in member.owned) or "-"
            words = (member.instance_id or "-", member.rack or "-", member.generation, topics, owned)
            yield " ".join(map(str, ("member", member.member_id, *words)))
        yield "end"

    def assigned(self, assignor: str) -> Assigned:
        return ASSIGNORS[assignor].assign(self.members, self.counts, self.racks)

    def near(self, assigned: Assigned) -> int:
        """How many partitions have a replica in the rack of their member."""
        return sum(
            member.rack in self.racks[partition] for member in self.members for partition in assigned[member.member_id]
        )

    def moved(self, assigned: Assigned) -> int:
        """How many partitions get another owner than they had."""
        owners = {partition: member.member_id for member in self.members for partition in member.owned}
        return sum(
            owners.get(partition, member_id) != member_id for member_id, mine in assigned.items() for partition in mine
        )


def of_java(java: JavaPrograms, assignor: str, cases: list[Case]) -> list[Assigned]:
    text = "".join(f"{line}\n" for case in cases for line in case.lines(assignor))
    done = subprocess.run(
        java.command("Assignors"), input=text, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found: list[Assigned] = []
    for block in done.stdout.split("end\n")[:-1]:
        assigned: Assigned = {}
        for line in block.splitlines():
            member_id, *assignable_partitions = line.split()
            pairs = (assignable.split(":") for assignable in assignable_partitions)
            assigned[member_id] = sorted(TopicPartition(topic, int(index)) for topic, index in pairs)
        found.append(assigned)
    return found


def in_order(assigned: Assigned) -> Assigned:
    return {member_id: sorted(mine) for member_id, mine in assigned.items()}


@pytest.mark.parametrize("assignor", ["range", "roundrobin"])
def test_partitions_are_divided_as_in_java(java: JavaPrograms, assignor: str) -> None:
    cases = [Case(seed, alike=seed % 2 == 0) for seed in range(CASES)]

    for case, expected in zip(cases, of_java(java, assignor, cases), strict=True):
        assert in_order(case.assigned(assignor)) == expected, list(case.lines(assignor))


def test_range_looks_at_racks_as_java_does(java: JavaPrograms) -> None:
    cases = [Case(seed, alike=seed % 2 == 0, with_racks=True) for seed in range(CASES)]

    for case, expected in zip(cases, of_java(java, "range", cases), strict=True):
        assert in_order(case.assigned("range")) == expected, list(case.lines("range"))


@pytest.mark.parametrize("assignor", ["sticky", "cooperative-sticky"])
def test_sticky_shares_are_as_even_as_those_of_java_and_no_more_partitions_move(
    java: JavaPrograms, assignor: str
) -> None:
    """Which of several equal members has one more is free; Java moves more when subscriptions differ."""
    cases = [Case(seed, alike=True, with_history=True) for seed in range(CASES)]

    for case, expected in zip(cases, of_java(java, assignor, cases), strict=True):
        ours = case.assigned(assignor)
        counts = sorted(map(len, ours.values()))
        assert case.moved(ours) <= case.moved(expected), list(case.lines(assignor))
        if assignor == "sticky":
            assert counts == sorted(map(len, expected.values())), list(case.lines(assignor))


@pytest.mark.parametrize(("alike", "share"), [(True, 1), (False, 0.98)])
def test_sticky_brings_as_many_partitions_near_their_members_as_java(
    java: JavaPrograms, alike: bool, share: float
) -> None:
    """Which of several near members has a partition is free, so cases are compared together. Where members want
    different topics we do not exchange partitions, and come close."""
    cases = [Case(seed, alike=alike, with_racks=True, with_history=seed % 2 == 0) for seed in range(CASES)]

    found = list(zip(cases, of_java(java, "sticky", cases), strict=True))

    ours = sum(case.near(case.assigned("sticky")) for case, _ in found)
    assert ours >= share * sum(case.near(theirs) for case, theirs in found)
