"""The assignors of the client: one owner that wants it, even loads, and as little as possible moves."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from ottla.client.group.assignors import ASSIGNORS
from ottla.client.group.assignors.member import Assigned, MemberSubscription, PartitionCounts, PartitionRacks
from ottla.client.group.assignors.range_assignor import assign_range
from ottla.client.group.assignors.sticky import assign_cooperatively, assign_sticky
from ottla.model.topic import TopicPartition

TOPICS = ["a", "b", "c", "d"]
every_assignor = st.sampled_from(list(ASSIGNORS.values()))


@st.composite
def topic_counts(draw: st.DrawFn) -> PartitionCounts:
    return draw(st.dictionaries(st.sampled_from(TOPICS), st.integers(1, 9)))


@st.composite
def members(draw: st.DrawFn, *, alike: bool) -> list[MemberSubscription]:
    common = draw(st.frozensets(st.sampled_from(TOPICS)))
    found = []
    for number in range(draw(st.integers(1, 6))):
        topics = common if alike else draw(st.frozensets(st.sampled_from(TOPICS)))
        instance_id = draw(st.none() | st.just(f"instance-{9 - number}"))
        found.append(MemberSubscription(f"member-{number}", topics, instance_id))
    return found


@st.composite
def groups(draw: st.DrawFn, *, alike: bool = False) -> tuple[list[MemberSubscription], PartitionCounts]:
    return draw(members(alike=alike)), draw(topic_counts())


def owning(people: Sequence[MemberSubscription], assigned: Assigned, generation: int = 1) -> list[MemberSubscription]:
    """The members as they join the next time."""
    return [
        person._replace(owned=tuple(assigned.get(person.member_id, ())), generation=generation) for person in people
    ]


def wanted(people: Sequence[MemberSubscription], counts: PartitionCounts) -> set[TopicPartition]:
    topics = {topic for person in people for topic in person.topics}
    return {TopicPartition(topic, index) for topic in topics for index in range(counts.get(topic, 0))}


def holders(assigned: Assigned) -> dict[TopicPartition, str]:
    found: dict[TopicPartition, str] = {}
    for member_id, mine in assigned.items():
        for partition in mine:
            assert partition not in found, f"{partition} has two owners"
            found[partition] = member_id
    return found


def check_balance(people: Sequence[MemberSubscription], assigned: Assigned) -> None:
    owners = holders(assigned)
    for person in people:
        for partition, owner in owners.items():
            if partition.topic in person.topics and owner != person.member_id:
                assert len(assigned[owner]) <= len(assigned[person.member_id]) + 1


@given(groups(), every_assignor)
def test_every_wanted_partition_has_one_owner_that_wants_it(
    group: tuple[list[MemberSubscription], PartitionCounts], assignor: object
) -> None:
    people, counts = group

    assigned = assignor.assign(people, counts, {})  # type: ignore[attr-defined]

    owners = holders(assigned)
    topics = {person.member_id: person.topics for person in people}
    assert set(owners) == wanted(people, counts)
    assert all(partition.topic in topics[owner] for partition, owner in owners.items())
    assert set(assigned) == set(topics)


@given(groups(), every_assignor, st.randoms())
def test_the_order_of_members_does_not_matter(
    group: tuple[list[MemberSubscription], PartitionCounts], assignor: object, random: object
) -> None:
    people, counts = group
    shuffled = list(people)
    random.shuffle(shuffled)  # type: ignore[attr-defined]

    assert assignor.assign(people, counts, {}) == assignor.assign(shuffled, counts, {})  # type: ignore[attr-defined]


@given(groups(), groups())
def test_sticky_is_balanced_whatever_was_before(
    before: tuple[list[MemberSubscription], PartitionCounts], after: tuple[list[MemberSubscription], PartitionCounts]
) -> None:
    people = owning(after[0], assign_sticky(*before))

    check_balance(people, assign_sticky(people, after[1]))


@given(groups())
def test_sticky_moves_nothing_when_nothing_changes(group: tuple[list[MemberSubscription], PartitionCounts]) -> None:
    people, counts = group
    assigned = assign_sticky(people, counts)

    assert assign_sticky(owning(people, assigned), counts) == assigned


@given(groups(alike=True), st.integers(0, 5))
def test_when_an_equal_member_leaves_only_its_partitions_move(
    group: tuple[list[MemberSubscription], PartitionCounts], number: int
) -> None:
    people, counts = group
    before = assign_sticky(people, counts)
    leaver = people[number % len(people)].member_id
    rest = [person for person in owning(people, before) if person.member_id != leaver]
    if not rest:
        return

    after = assign_sticky(rest, counts)

    assert all(set(before[person.member_id]) <= set(after[person.member_id]) for person in rest)


@given(groups(alike=True))
def test_when_an_equal_member_joins_no_partition_moves_between_the_others(
    group: tuple[list[MemberSubscription], PartitionCounts],
) -> None:
    people, counts = group
    before = assign_sticky(people, counts)
    newcomer = MemberSubscription("newcomer", people[0].topics)

    after = assign_sticky([*owning(people, before), newcomer], counts)

    assert all(set(after[person.member_id]) <= set(before[person.member_id]) for person in people)


@given(groups(), groups(), st.booleans())
def test_cooperative_members_get_nothing_that_another_has_and_come_to_rest(
    before: tuple[list[MemberSubscription], PartitionCounts],
    after: tuple[list[MemberSubscription], PartitionCounts],
    are_alike: bool,
) -> None:
    people, counts = after
    if are_alike:
        people = [person._replace(topics=people[0].topics) for person in people]
    people = owning(people, assign_sticky(*before))
    # Where members want different topics, what becomes free in the second round may move another partition.
    for generation in range(2, 4 if are_alike else 8):
        claimed = {partition: person.member_id for person in people for partition in person.owned}
        assigned = assign_cooperatively(people, counts)
        assert all(claimed.get(partition, owner) == owner for partition, owner in holders(assigned).items())
        people = owning(people, assigned, generation)

    assert set(holders(assigned)) == wanted(people, counts)
    check_balance(people, assigned)


def test_the_newer_generation_owns_what_two_claim() -> None:
    mine = (TopicPartition("a", 0), TopicPartition("a", 1))
    old = MemberSubscription("a-old", frozenset("a"), owned=mine, generation=3)
    new = MemberSubscription("b-new", frozenset("a"), owned=mine[:1], generation=4)

    assert assign_sticky([old, new], {"a": 2}) == {"a-old": [mine[1]], "b-new": [mine[0]]}


def test_range_gives_neighbours_and_the_first_get_one_more() -> None:
    people = [MemberSubscription(name, frozenset({"a", "b"})) for name in ("m1", "m2")]

    assigned = ASSIGNORS["range"].assign(people, {"a": 3, "b": 2}, {})

    assert [partition for _, partition in assigned["m1"]] == [0, 1, 0]
    assert [partition for _, partition in assigned["m2"]] == [2, 1]


def test_round_robin_deals_all_topics_in_one_round() -> None:
    people = [MemberSubscription(name, frozenset({"a", "b"})) for name in ("m1", "m2")]

    assigned = ASSIGNORS["roundrobin"].assign(people, {"a": 3, "b": 3}, {})

    assert assigned["m1"] == [TopicPartition("a", 0), TopicPartition("a", 2), TopicPartition("b", 1)]


def in_racks(**partitions: str) -> PartitionRacks:
    """`a0="xy"`: partition 0 of topic a has replicas in the racks x and y."""
    return {TopicPartition(name[0], int(name[1:])): frozenset(racks) for name, racks in partitions.items()}


def test_range_gives_members_partitions_of_their_rack_first() -> None:
    people = [MemberSubscription(f"m-{rack}", frozenset("a"), rack=rack) for rack in "xyz"]

    assigned = assign_range(people, {"a": 3}, in_racks(a0="z", a1="x", a2="y"))

    assert {name: [index for _, index in mine] for name, mine in assigned.items()} == {
        "m-x": [1],
        "m-y": [2],
        "m-z": [0],
    }


def test_range_keeps_topics_with_equal_counts_together_in_a_rack() -> None:
    people = [MemberSubscription(f"m-{rack}", frozenset("ab"), rack=rack) for rack in "xy"]

    assigned = assign_range(people, {"a": 2, "b": 2}, in_racks(a0="y", a1="xy", b0="xy", b1="x"))

    assert assigned["m-x"] == [TopicPartition("a", 1), TopicPartition("b", 1)]
    assert assigned["m-y"] == [TopicPartition("a", 0), TopicPartition("b", 0)]


def test_sticky_gives_members_partitions_of_their_rack_first() -> None:
    people = [MemberSubscription(f"m-{rack}", frozenset("a"), rack=rack) for rack in "xyz"]

    assigned = assign_sticky(people, {"a": 3}, in_racks(a0="z", a1="x", a2="y"))

    assert {name: [index for _, index in mine] for name, mine in assigned.items()} == {
        "m-x": [1],
        "m-y": [2],
        "m-z": [0],
    }


def test_sticky_moves_what_is_far_to_a_member_near_it() -> None:
    far = {"m-x": "y", "m-y": "x"}
    people = [
        MemberSubscription(name, frozenset("a"), owned=(TopicPartition("a", index),), generation=1, rack=rack)
        for index, (name, rack) in enumerate(far.items())
    ]

    assigned = assign_sticky(people, {"a": 2}, in_racks(a0="x", a1="y"))

    assert assigned == {"m-x": [TopicPartition("a", 1)], "m-y": [TopicPartition("a", 0)]}


@st.composite
def placed_groups(draw: st.DrawFn) -> tuple[list[MemberSubscription], PartitionCounts, PartitionRacks]:
    """Members and replicas in racks; what some members own is from an assignment without racks."""
    people, counts = draw(groups(alike=draw(st.booleans())))
    if draw(st.booleans()):
        people = owning(people, assign_sticky(people, counts))
    people = [person._replace(rack=draw(st.sampled_from([None, "x", "y", "z"]))) for person in people]
    some_racks = st.sampled_from(["x", "y", "z", "xy", "yz", "xyz"])
    racks = {partition: frozenset(draw(some_racks)) for partition in sorted(wanted(people, counts))}
    return people, counts, racks


def near_count(people: Sequence[MemberSubscription], assigned: Assigned, racks: PartitionRacks) -> int:
    return sum(person.rack in racks[partition] for person in people for partition in assigned[person.member_id])


@given(placed_groups())
def test_sticky_is_as_balanced_with_racks_and_as_near_as_without(
    group: tuple[list[MemberSubscription], PartitionCounts, PartitionRacks],
) -> None:
    people, counts, racks = group

    near, plain = assign_sticky(people, counts, racks), assign_sticky(people, counts)

    assert set(holders(near)) == wanted(people, counts)
    check_balance(people, near)
    assert near_count(people, near, racks) >= near_count(people, plain, racks)


def test_sticky_is_as_near_as_without_racks_where_nearness_first_ends_farther_away() -> None:
    """`b` goes near first here, and what is moved for the balance then leaves what is near."""
    people = [
        MemberSubscription("m-1", frozenset("abcd"), rack="z"),
        MemberSubscription("m-3", frozenset("c")),
        MemberSubscription("m-4", frozenset("ab"), rack="x"),
    ]
    counts = {"a": 3, "b": 3, "c": 4, "d": 4}
    racks = {partition: frozenset("x") for partition in wanted(people, counts)}
    racks |= in_racks(b1="y", c2="z", c3="yz", d0="xyz")

    near, plain = assign_sticky(people, counts, racks), assign_sticky(people, counts)

    assert near_count(people, near, racks) >= near_count(people, plain, racks)


@given(placed_groups())
def test_sticky_with_racks_moves_nothing_when_nothing_changes(
    group: tuple[list[MemberSubscription], PartitionCounts, PartitionRacks],
) -> None:
    people, counts, racks = group
    assigned = assign_sticky(people, counts, racks)

    assert assign_sticky(owning(people, assigned), counts, racks) == assigned


@given(placed_groups())
def test_cooperative_members_with_racks_come_to_rest(
    group: tuple[list[MemberSubscription], PartitionCounts, PartitionRacks],
) -> None:
    people, counts, racks = group
    for generation in range(2, 8):
        assigned = assign_cooperatively(people, counts, racks)
        if set(holders(assigned)) == wanted(people, counts):
            break
        people = owning(people, assigned, generation)

    assert set(holders(assigned)) == wanted(people, counts)


@given(groups(), st.randoms())
def test_racks_change_who_gets_a_partition_and_not_how_many(
    group: tuple[list[MemberSubscription], PartitionCounts], random: object
) -> None:
    people, counts = group
    choose = random.choice  # type: ignore[attr-defined]
    placed = [person._replace(rack=choose([None, "x", "y", "z"])) for person in people]
    partitions = sorted(wanted(people, counts))
    racks = {partition: frozenset(choose(["x", "y", "z", "xy", "yz", "xyz"])) for partition in partitions}

    near, plain = assign_range(placed, counts, racks), assign_range(people, counts)

    assert set(holders(near)) == set(partitions)
    for topic in counts:
        shares = [sorted(sum(name == topic for name, _ in mine) for mine in each.values()) for each in (near, plain)]
        assert shares[0] == shares[1]
