"""Assignors: every partition has one owner that wants it, loads are even, and little moves."""

from collections.abc import Mapping, Sequence

from hypothesis import given
from hypothesis import strategies as st

from ottla.groups.consumer.assignors.range import assign_ranges
from ottla.groups.consumer.assignors.subject import Assignor, Subscriber
from ottla.groups.consumer.assignors.uniform import assign_uniformly
from ottla.groups.state.consumer_member import Assignment
from ottla.groups.topics import TopicInfo
from tests.support.group_topics import topic_id

RACKS = ["north", "south", "west"]
both = st.sampled_from([assign_uniformly, assign_ranges])


@st.composite
def topics(draw: st.DrawFn) -> list[TopicInfo]:
    counts = draw(st.lists(st.integers(0, 9), max_size=5))
    has_racks = draw(st.booleans())
    found = []
    for index, count in enumerate(counts):
        racks = (
            [frozenset(draw(st.sets(st.sampled_from(RACKS), max_size=2))) for _ in range(count)] if has_racks else ()
        )
        found.append(TopicInfo(f"topic-{index}", topic_id(f"topic-{index}"), count, racks))
    return found


@st.composite
def members(draw: st.DrawFn, known: Sequence[TopicInfo], *, alike: bool) -> list[Subscriber]:
    ids = [topic.topic_id for topic in known]
    everything = frozenset(ids)
    found = []
    for number in range(draw(st.integers(1, 7))):
        wanted = everything if alike or not ids else frozenset(draw(st.sets(st.sampled_from(ids))))
        instance_id = draw(st.none() | st.just(f"instance-{number}"))
        rack_id = draw(st.none() | st.sampled_from(RACKS))
        found.append(Subscriber(f"member-{number}", instance_id, rack_id, wanted, {}))
    return found


@st.composite
def situations(draw: st.DrawFn, *, alike: bool) -> tuple[list[Subscriber], list[TopicInfo]]:
    known = draw(topics())
    return draw(members(known, alike=alike)), known


def with_current(people: Sequence[Subscriber], result: Mapping[str, Assignment]) -> list[Subscriber]:
    return [person._replace(current=result.get(person.member_id, {})) for person in people]


def held(assignment: Assignment) -> set[tuple[bytes, int]]:
    return {(topic, partition) for topic, partitions in assignment.items() for partition in partitions}


def check_owners(people: Sequence[Subscriber], known: Sequence[TopicInfo], result: Mapping[str, Assignment]) -> None:
    owners: dict[tuple[bytes, int], str] = {}
    for person in people:
        for assignable in held(result[person.member_id]):
            assert assignable not in owners
            assert assignable[0] in person.topics
            owners[assignable] = person.member_id
    wanted = {
        (topic.topic_id, partition)
        for topic in known
        if any(topic.topic_id in person.topics for person in people)
        for partition in range(topic.partition_count)
    }
    assert owners.keys() == wanted


@given(situations(alike=True), both)
def test_with_equal_subscriptions_every_partition_has_one_owner(
    situation: tuple[list[Subscriber], list[TopicInfo]], assignor: Assignor
) -> None:
    check_owners(*situation, assignor(*situation))


@given(situations(alike=False), both)
def test_with_different_subscriptions_every_wanted_partition_has_one_owner(
    situation: tuple[list[Subscriber], list[TopicInfo]], assignor: Assignor
) -> None:
    check_owners(*situation, assignor(*situation))


@given(situations(alike=True))
def test_equal_members_have_equal_loads(situation: tuple[list[Subscriber], list[TopicInfo]]) -> None:
    loads = [len(held(share)) for share in assign_uniformly(*situation).values()]

    assert max(loads) - min(loads) <= 1


@given(situations(alike=False))
def test_no_single_move_would_make_loads_more_even(situation: tuple[list[Subscriber], list[TopicInfo]]) -> None:
    people, _ = situation
    result = assign_uniformly(*situation)
    loads = {person.member_id: len(held(result[person.member_id])) for person in people}
    for person in people:
        for topic, _ in held(result[person.member_id]):
            for other in people:
                if topic in other.topics:
                    assert loads[person.member_id] - loads[other.member_id] <= 1


@given(st.booleans().flatmap(lambda alike: situations(alike=alike)), both)
def test_nothing_moves_when_nothing_changes(
    situation: tuple[list[Subscriber], list[TopicInfo]], assignor: Assignor
) -> None:
    people, known = situation
    first = assignor(people, known)

    assert assignor(with_current(people, first), known) == first


@given(situations(alike=True), st.data())
def test_who_stays_keeps_everything_when_somebody_leaves(
    situation: tuple[list[Subscriber], list[TopicInfo]], data: st.DataObject
) -> None:
    people, known = situation
    first = assign_uniformly(people, known)
    gone = data.draw(st.sampled_from(people)).member_id
    staying = [person for person in with_current(people, first) if person.member_id != gone]

    second = assign_uniformly(staying, known)

    for person in staying:
        assert held(first[person.member_id]) <= held(second[person.member_id])


@given(situations(alike=True))
def test_partitions_move_only_to_the_newcomer(situation: tuple[list[Subscriber], list[TopicInfo]]) -> None:
    people, known = situation
    first = assign_uniformly(people, known)
    newcomer = Subscriber("newcomer", None, None, people[0].topics, {})

    second = assign_uniformly([*with_current(people, first), newcomer], known)

    for person in people:
        assert held(second[person.member_id]) <= held(first[person.member_id])


@given(situations(alike=False), both)
def test_the_order_of_members_does_not_matter(
    situation: tuple[list[Subscriber], list[TopicInfo]], assignor: Assignor
) -> None:
    people, known = situation

    assert assignor(list(reversed(people)), known) == assignor(people, known)


def test_partitions_go_to_their_rack_when_balance_allows() -> None:
    topic = TopicInfo("t", topic_id("t"), 4, [frozenset({rack}) for rack in ("south", "north", "south", "north")])
    people = [
        Subscriber("a", None, "north", frozenset({topic.topic_id}), {}),
        Subscriber("b", None, "south", frozenset({topic.topic_id}), {}),
    ]

    result = assign_uniformly(people, [topic])

    assert result == {"a": {topic.topic_id: frozenset({1, 3})}, "b": {topic.topic_id: frozenset({0, 2})}}


def test_ranges_of_equal_topics_lie_on_the_same_members() -> None:
    known = [TopicInfo(name, topic_id(name), 5) for name in ("x", "y")]
    people = [Subscriber(name, None, None, frozenset(topic_id(each) for each in "xy"), {}) for name in "ab"]

    result = assign_ranges(people, known)

    assert result["a"] == {topic_id("x"): frozenset({0, 1, 2}), topic_id("y"): frozenset({0, 1, 2})}
