from collections.abc import Iterator

import pytest

from tests.support.controller_host import ControllerHost


@pytest.fixture
def host() -> Iterator[ControllerHost]:
    """One node that is up. Whatever a test does, the replay of the log must give the same state."""
    controller = ControllerHost()
    controller.start_node()
    yield controller
    controller.check_replay()


@pytest.fixture
def cluster() -> Iterator[ControllerHost]:
    """Brokers 1, 2 and 3, all up."""
    controller = ControllerHost()
    controller.join(1, 2, 3)
    yield controller
    controller.check_replay()
