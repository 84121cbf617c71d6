from collections.abc import Iterator

import pytest

from tests.support.transaction_coordinator import Coordinator


@pytest.fixture
def coordinator() -> Iterator[Coordinator]:
    made = Coordinator()
    yield made
    made.check_invariants()
