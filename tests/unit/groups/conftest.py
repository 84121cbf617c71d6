from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.support.group_topics import a_topic
from tests.support.groups import GroupTest


@pytest.fixture
def make_groups() -> Iterator[Callable[..., GroupTest]]:
    """Makes a coordinator; at the end of the test its log must give the state that it has."""
    made: list[GroupTest] = []

    def make(**settings: Any) -> GroupTest:
        settings.setdefault("topics", [a_topic("orders", 4), a_topic("payments", 2)])
        made.append(GroupTest(**settings))
        return made[-1]

    yield make
    for groups in made:
        groups.check_invariants()


@pytest.fixture
def groups(make_groups: Callable[..., GroupTest]) -> GroupTest:
    return make_groups()
