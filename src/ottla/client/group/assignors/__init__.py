"""The assignors of classic groups: which member gets which partitions. No I/O.

A leader runs the one that all members have in common. `sticky` and `cooperative-sticky` give the same assignment; with
the latter, members keep what they own during a rebalance and hand over in two steps (KIP-429).
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from ottla.client.group.assignors.member import Assigned, MemberSubscription, PartitionCounts, PartitionRacks
from ottla.client.group.assignors.range_assignor import assign_range
from ottla.client.group.assignors.round_robin import assign_round_robin
from ottla.client.group.assignors.sticky import assign_cooperatively, assign_sticky
from ottla.model.errors import InvalidConfig

#: `roundrobin` does not look at racks.
Assign = Callable[[list[MemberSubscription], PartitionCounts, PartitionRacks], Assigned]


class Assignor(NamedTuple):
    """`is_cooperative`: members keep their partitions during a rebalance."""

    name: str
    assign: Assign
    is_cooperative: bool = False


ASSIGNORS = {
    assignor.name: assignor
    for assignor in (
        Assignor("range", assign_range),
        Assignor("roundrobin", assign_round_robin),
        Assignor("sticky", assign_sticky),
        Assignor("cooperative-sticky", assign_cooperatively, is_cooperative=True),
    )
}
_JAVA_NAMES = {
    "org.apache.kafka.clients.consumer.RangeAssignor": "range",
    "org.apache.kafka.clients.consumer.RoundRobinAssignor": "roundrobin",
    "org.apache.kafka.clients.consumer.StickyAssignor": "sticky",
    "org.apache.kafka.clients.consumer.CooperativeStickyAssignor": "cooperative-sticky",
}


def chosen_assignors(names: Iterable[str]) -> list[Assignor]:
    """From partition.assignment.strategy. Raises InvalidConfig."""
    found = []
    for given in names:
        name = _JAVA_NAMES.get(given, given)
        if name not in ASSIGNORS:
            known = ", ".join(ASSIGNORS)
            raise InvalidConfig([f"partition.assignment.strategy={given}: must be one or more of {known}"])
        if ASSIGNORS[name] not in found:
            found.append(ASSIGNORS[name])
    if not found:
        raise InvalidConfig(["partition.assignment.strategy must name at least one assignor"])
    return found


def is_cooperative(assignors: list[Assignor]) -> bool:
    """A member is cooperative when all that it offers are: then a group can be moved over in two rolling restarts."""
    return all(assignor.is_cooperative for assignor in assignors)
