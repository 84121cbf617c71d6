"""Topics of a test's own."""

import uuid

from ottla.client import Admin
from ottla.client.admin.topics import NewTopic
from tests.support.kit_broker import AnyBroker


def create_topic(broker: AnyBroker, name: str, partition_count: int = 1) -> None:
    with Admin(bootstrap_servers=broker.address) as admin:
        admin.create_topics([NewTopic(name, partition_count)])


def new_topic(admin: Admin, partition_count: int = 1, *, prefix: str = "t", **configs: str) -> str:
    """Its name is its own, behind the prefix. Underscores in the names of settings stand for dots."""
    name = f"{prefix}-{uuid.uuid4().hex[:12]}"
    settings = {key.replace("_", "."): value for key, value in configs.items()}
    admin.create_topics([NewTopic(name, partition_count, 1, settings)])
    return name


def new_topic_at(address: str, partition_count: int = 1, *, prefix: str = "t") -> str:
    with Admin(bootstrap_servers=address) as admin:
        return new_topic(admin, partition_count, prefix=prefix)
