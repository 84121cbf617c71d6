"""What all simulated runs have in common."""

import logging
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Brokers that die a thousand deaths have much to say about it."""
    logger = logging.getLogger("ottla")
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    yield
    logger.setLevel(level)
