"""What the tests of the log begin with."""

import pytest

from tests.support.memory_disk import MemoryDisk
from tests.support.store_node import StoreNode


@pytest.fixture
def node() -> StoreNode:
    return StoreNode()


@pytest.fixture
def disk() -> MemoryDisk:
    """With a log directory of which nothing can be lost any more, and nothing in it."""
    disk = MemoryDisk()
    disk.make_directories("/data")
    disk.sync_directory("/")
    return disk
