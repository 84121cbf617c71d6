"""The states of a classic group. The table is the diagram; any other step is a bug.

                    first member joins                    all have joined, or time is up
    EMPTY ------------------------> PREPARING_REBALANCE ------------------------> COMPLETING_REBALANCE
      ^                              |   ^          ^   somebody joins or leaves    |         |
      +------------------------------+   |          +-------------------------------+         | leader's
           nobody is left                +-------------------- STABLE <-----------------------+ assignment
                                          somebody joins or leaves

The steps to EMPTY and STABLE are taken when their record is applied; a replay may jump there from anywhere.
DEAD is the response for a group that is not there any more: no object has this state.
"""

from enum import Enum

from ottla.model.errors import check


class ClassicState(Enum):
    """The value is the word that Kafka's tools show."""

    EMPTY = "Empty"
    PREPARING_REBALANCE = "PreparingRebalance"
    COMPLETING_REBALANCE = "CompletingRebalance"
    STABLE = "Stable"
    DEAD = "Dead"


NEXT_STATES: dict[ClassicState, frozenset[ClassicState]] = {
    ClassicState.EMPTY: frozenset({ClassicState.PREPARING_REBALANCE}),
    ClassicState.PREPARING_REBALANCE: frozenset({ClassicState.COMPLETING_REBALANCE, ClassicState.EMPTY}),
    ClassicState.COMPLETING_REBALANCE: frozenset({ClassicState.STABLE, ClassicState.PREPARING_REBALANCE}),
    ClassicState.STABLE: frozenset({ClassicState.PREPARING_REBALANCE}),
    ClassicState.DEAD: frozenset(),
}


def check_step(group_id: str, source: ClassicState, target: ClassicState) -> None:
    check(target in NEXT_STATES[source], f"classic group {group_id!r}: {source.value} -> {target.value}")
